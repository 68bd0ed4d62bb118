"""Whether two programs are the same game and say the same in every language.

Texts are compared as they are shown: one that is missing in a language falls back to the first, a
thing without a name to its id. The digest is of the files and not of what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.position.layout import called

_NOT_MEANT = ("digest", "names")


def meaning(program: ir.Program) -> Any:
    return _shown(program, program.languages)


def names(program: ir.Program, ids: set[str]) -> dict[tuple[str, str], str]:
    """What things are called, by id and language."""
    return {
        (id, language): called(program, id.rpartition(".")[2], id.rpartition(".")[0], language)
        for id in ids
        for language in program.languages
    }


def assert_same(one: ir.Program, other: ir.Program) -> None:
    assert meaning(one) == meaning(other)
    ids = {*one.names, *other.names}
    assert names(one, ids) == names(other, ids)


def _shown(value: Any, languages: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        if value and all(key in languages for key in value):
            first = next(iter(value.values()))
            return tuple(value.get(each, first) for each in languages)
        return {key: _shown(each, languages) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        kept = [each.name for each in fields(value) if each.compare and each.name not in _NOT_MEANT]
        return type(value).__name__, *(_shown(getattr(value, name), languages) for name in kept)
    if isinstance(value, tuple):
        return tuple(_shown(each, languages) for each in value)
    return value
