"""A compiled JSON Schema.

Nearly every file is valid, so a fast validator runs first, and the thorough one, which locates each
violation, is only built if there is one. Where there is no fast one, as in a browser, the thorough
one does both.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

try:
    from jsonschema_rs import Draft202012Validator as QuickValidator
except ImportError:
    QuickValidator = None  # type: ignore[assignment,misc]

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

NEVER: dict[str, Any] = {"not": {}}


class Schema(dict[str, Any]):
    """A JSON Schema with cached validators."""

    @cached_property
    def part(self) -> Schema:
        """The schema for a file that is only a part, without required keys."""
        return Schema({**self, "required": []})

    @cached_property
    def rules(self) -> dict[str, Any]:
        spelled: dict[str, Any] = _spelled_out(dict(self))
        return spelled

    @cached_property
    def thorough(self) -> Draft202012Validator:
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self.rules)

    @cached_property
    def _quick(self) -> QuickValidator | Draft202012Validator:
        return self.thorough if QuickValidator is None else QuickValidator(self.rules)

    def fits(self, value: object) -> bool:
        """Whether a value is valid."""
        return self._quick.is_valid(value)


def _spelled_out(schema: Any) -> Any:
    """The schema with `key: false` as an explicit rule, since jsonschema gives no path for false.
    Rejects references to other schemas, which a validator would fetch."""
    if isinstance(schema, list):
        return [_spelled_out(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref", "#")
    if isinstance(reference, str) and not reference.startswith("#"):
        raise ValueError(f"a schema can only refer to its own parts, not to {reference}")
    spelled = {name: _spelled_out(part) for name, part in schema.items()}
    for name in ("properties", "patternProperties"):
        if isinstance(spelled.get(name), dict):
            parts = spelled[name].items()
            spelled[name] = {key: NEVER if part is False else part for key, part in parts}
    return spelled
