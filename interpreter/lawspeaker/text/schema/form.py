"""A JSON Schema that is asked again and again.

Nearly every file is as it should be, and to say so takes no list of what is wrong: a quick
validator answers that, and the thorough one, which gives each violation with its place, is only
made when there is one. Where there is no quick one, as in a browser, the thorough one answers all.
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
    """A JSON Schema, with what was made ready to ask it."""

    @cached_property
    def part(self) -> Schema:
        """The schema of a file that is only a part, in which nothing is missing."""
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
        """Whether a value violates nothing."""
        return self._quick.is_valid(value)


def _spelled_out(schema: Any) -> Any:
    """The schema with `key: false` written as a rule, since jsonschema gives no path for false.

    A reference to another schema is refused here, since a validator would go and fetch it.
    """
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
