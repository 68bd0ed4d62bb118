"""Words the messages for violations of a schema."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from lawspeaker.base.diagnostics import nearest
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence

Violation: TypeAlias = Any
"""A jsonschema.ValidationError; typed Any, since its attributes hold arbitrary schema and file
data."""

MAPPING = "a mapping of keys to values"
LIST = "a list"
_TYPES = {
    "object": MAPPING,
    "array": LIST,
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
SIZES = {
    "minimum": "{value} is too small: it must be at least {limit}",
    "maximum": "{value} is too large: it must be at most {limit}",
    "exclusiveMinimum": "{value} is too small: it must be more than {limit}",
    "exclusiveMaximum": "{value} is too large: it must be less than {limit}",
    "multipleOf": "{value} is not a multiple of {limit}",
    "minLength": "this text is too short: it needs {limit} or more characters",
    "maxLength": "this text is too long: it may have at most {limit} characters",
    "minItems": "this list is too short: it needs {limit} or more items, and has {size}",
    "maxItems": "this list is too long: it may have at most {limit} items, and has {size}",
    "minProperties": "too few keys: {limit} or more are needed, and there are {size}",
    "maxProperties": "too many keys: there may be at most {limit}, and there are {size}",
    "contains": "none of the items is of the kind needed here",
}
_MOST_KEYS = 20
_LONGEST = 40
_GLUED = re.compile(r"\w+:\S")


def expected(error: Violation) -> list[str]:
    """The expectations of a rule on type or value, one phrase each."""
    value = error.validator_value
    if error.validator == "type":
        return [_TYPES.get(name, name) for name in ([value] if isinstance(value, str) else value)]
    return [quoted(each) for each in (value if error.validator == "enum" else [value])]


def describe_value(node: Node, by_value: bool) -> str:
    """Describes the actual value, or only its type."""
    if isinstance(node, Mapping):
        return MAPPING
    if isinstance(node, Sequence):
        return LIST
    if node.kind == "text":
        return quoted(node.value) if by_value else "text"
    return {"number": f"the number {node.value}", "truth": node.value}.get(node.kind, "nothing")


def quoted(value: object) -> str:
    if isinstance(value, str):
        return f"'{value[: _LONGEST - 3]}...'" if len(value) > _LONGEST else f"'{value}'"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "nothing" if value is None else str(value)


def list_name(path: list[str | int]) -> str:
    names = [step for step in path if isinstance(step, str)]
    return f"'{names[-1]}'" if names else "the list"


def joined(words: list[str], last: str) -> str:
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def closest_hint(node: Node, phrases: list[str]) -> str | None:
    """A hint with the closest of the listed values."""
    found = closest_value(node, phrases)
    return f"did you mean '{found}'?" if found else None


def closest_value(node: Node, phrases: list[str]) -> str | None:
    if not isinstance(node, Scalar):
        return None
    return nearest(node.value, [word[1:-1] for word in phrases if word.startswith("'")])


def correction(node: Node, phrases: list[str]) -> str | None:
    """A hint for writing a value of the expected type."""
    if isinstance(node, Scalar) and node.kind in ("number", "truth") and "text" in phrases:
        return "put it in quotes to make it text"
    numeric = "a whole number" in phrases or "a number" in phrases
    if numeric and isinstance(node, Scalar) and node.value.lstrip("-").isdecimal():
        return "write a number without quotes, and without leading zeros"
    if phrases == ["text"] and isinstance(node, Mapping):
        if node.span.text.startswith("{"):
            return "one value stands here"
        return "write `|` after the colon of the key, so that the lines below it are text"
    if phrases == [MAPPING] and isinstance(node, Scalar) and _GLUED.match(node.value):
        return "put a space after the ':'"
    if phrases == [LIST]:
        return "start each item of a list with '- '"
    if phrases == [MAPPING]:
        return "write each part as 'key: value' on a line of its own"
    return None


def key_list(keys: list[str], schema: dict[str, Any]) -> str | None:
    if not keys:
        return None
    title = f" ({schema['title']})" if "title" in schema else ""
    more = ", ..." if len(keys) > _MOST_KEYS else ""
    return f"keys still possible here{title}: {', '.join(keys[:_MOST_KEYS])}{more}"


def hint(*parts: str | None) -> str | None:
    return "; ".join(part for part in parts if part).replace("?; ", "? ") or None
