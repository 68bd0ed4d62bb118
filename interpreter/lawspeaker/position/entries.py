"""Entries of indexed markers and states, such as a value per player and word.

A marker, or a piece's state, has an entry for each combination of its indices, in row-major order
(the last index fastest); without indices it has one. An entry's number is its offset from the
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lawspeaker import ir

Value = Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a marker or of a piece's state.

    `text` is its canonical text, `influence ann guelfs`. `which` distinguishes it in the words of
    the rules, ` of ann with guelfs`. `owner` is the seat to which it belongs, if any.
    """

    declared: ir.Marker | ir.State
    indices: tuple[Value, ...]
    start: Value
    text: str
    which: str

    @property
    def said(self) -> str:
        return self.declared.name + self.which

    @property
    def type(self) -> ir.Type:
        return self.declared.type

    @property
    def seen_by(self) -> ir.SeenBy:
        return self.declared.seen_by

    @property
    def owner(self) -> int | None:
        owned = bool(self.indices) and self.declared.indices[0].owns
        return self.indices[0] if owned else None


def offset(domains: Sequence[Sequence[Value]], indices: Sequence[Value]) -> int | None:
    """The number of an entry, or of a place within its family; None if out of range."""
    found = 0
    for domain, index in zip(domains, indices, strict=True):
        position = index - domain[0] if domain else -1
        if not 0 <= position < len(domain):
            return None
        found = found * len(domain) + position
    return found
