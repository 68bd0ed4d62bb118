"""Decides which of several alternatives of a schema an author meant, when none matches.

A violation of anyOf or oneOf has the failures of every alternative. `refusal` recognises those that
fail on the value as such (a list instead of text) rather than inside it; among the latter
`distance` finds the closest, and `key_failures` the key that discriminates them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from lawspeaker.text.schema.violations import Violation, expected

Path: TypeAlias = tuple[str | int, ...]
_TELLING_KEY = 10


def essential(errors: Iterable[Violation]) -> list[Violation]:
    """Drops consequential errors: where a value has the wrong type, or is not one of those listed,
    only that remains."""
    kept = list(errors)
    listed = {tuple(e.absolute_path) for e in kept if e.validator in ("enum", "const")}
    mistyped = {tuple(e.absolute_path) for e in kept if e.validator == "type"}
    return [e for e in kept if _matters(e, tuple(e.absolute_path), listed, mistyped)]


def _matters(error: Violation, path: Path, listed: set[Path], mistyped: set[Path]) -> bool:
    if path in listed and path in mistyped:
        return error.validator in ("enum", "const")
    return error.validator == "type" or path not in mistyped


def branches(error: Violation) -> dict[int, list[Violation]]:
    """The failures of each alternative; none if more than one matches."""
    found: dict[int, list[Violation]] = {}
    for each in error.context or ():
        found.setdefault(each.relative_schema_path[0], []).append(each)
    return {place: essential(errors) for place, errors in found.items()}


def refusal(errors: list[Violation]) -> tuple[list[str], bool] | None:
    """The expectation of an alternative that fails on the value as such, and whether the type was
    right."""
    for error in errors:
        if error.relative_path:
            continue
        if error.validator == "type":
            return expected(error), False
        if error.validator in ("enum", "const"):
            values = error.validator_value if error.validator == "enum" else [error.validator_value]
            return expected(error), any(type(each) is type(error.instance) for each in values)
        if error.validator in ("anyOf", "oneOf") and error.context:
            inner = [refusal(each) for each in branches(error).values()]
            refusals = [each for each in inner if each is not None]
            if len(refusals) == len(inner):
                words = [word for phrases, _ in refusals for word in phrases]
                return words, any(by_value for _, by_value in refusals)
    return None


def key_failures(candidates: list[list[Violation]]) -> list[Violation]:
    """The failures of the discriminating key, if its value matches no alternative."""
    kept = [next((e for e in errors if _is_telling(e)), None) for errors in candidates]
    keys = {each.relative_path[0] for each in kept if each is not None}
    return kept if len(kept) > 1 and len(keys) == 1 and None not in kept else []


def distance(errors: list[Violation]) -> int:
    """A measure of how far a value is from an alternative."""
    total = 0
    for error in errors:
        total += _TELLING_KEY if _is_telling(error) else 1
        if error.validator == "additionalProperties":
            total += 2 * len(set(error.instance) - set(error.schema.get("properties", {}))) - 1
    return total


def missing(error: Violation) -> list[tuple[str, str | None]]:
    """The keys that are missing, each with the key that requires it, if any."""
    needed: list[tuple[str, str | None]]
    if error.validator == "required":
        needed = [(key, None) for key in error.validator_value]
    else:
        needs = error.validator_value.items()
        needed = [(key, each) for each, keys in needs if each in error.instance for key in keys]
    return [(key, because) for key, because in needed if key not in error.instance]


def _is_telling(error: Violation) -> bool:
    return error.validator in ("enum", "const") and len(error.relative_path) == 1
