"""What the names in rules turned out to mean, noted where the checker finds it out.

Nothing in the checker reads this. It is for those who help to write rules: what a word stands for,
where else it stands, and, in code with a hole in it, what could stand there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from lawspeaker.base.light import light
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.types import BROKEN, Type
from lawspeaker.meaning.check.scope import Variable

Sort = Literal[
    "piece",
    "kind",
    "attribute",
    "place",
    "marker",
    "word set",
    "word",
    "number",
    "choice",
    "clause",
    "value",
    "guard",
    "window",
    "player",
    "local",
    "built-in",
]
HOLE = "hole_at_the_cursor_"
"""The name that stands in code for what is still to be written."""


@light
@dataclass(frozen=True, slots=True)
class Meaning:
    """A thing with a name. `of` is what it belongs to: the piece of a kind, the set of a word, the
    clause of a guard or a defined value. `declared` tells names inside a clause apart."""

    sort: Sort
    name: str
    of: str = ""
    type: Type = field(default=BROKEN, compare=False)
    declared: Span = NOWHERE


@light
@dataclass(frozen=True, slots=True)
class Hole:
    """What is known of a hole: which sort of thing is wanted there (anything that has a value,
    unless it is said), of which type, and of what it is asked (`… of card`). Of a place, the
    type is that of the pieces that are to lie there."""

    sort: Literal["value", "noun", "clause", "window", "place", "pieces", "set"] = "value"
    expected: Type | None = None
    of: Type | None = None
    word: str = ""
    variables: tuple[Variable, ...] = ()


@dataclass(slots=True)
class Meanings:
    """By their places, what names mean; and the holes that were met."""

    noted: list[dict[Span, Meaning]] = field(default_factory=lambda: [{}])
    """What was noted, one code after another; only the last goes on."""
    lets: list[tuple[Span, Type]] = field(default_factory=list)
    """The names that are given with `let`, and what they turned out to be."""
    holes: list[Hole] = field(default_factory=list)

    def note(self, span: Span, meaning: Meaning | None) -> None:
        """What was noted first of a place stays: a noun that gives a name to one of its things is
        the noun."""
        if meaning is not None and span.known:
            self.noted[-1].setdefault(span, meaning)

    @property
    def names(self) -> dict[Span, Meaning]:
        found: dict[Span, Meaning] = {}
        for each in self.noted:
            for span, meaning in each.items():
                found.setdefault(span, meaning)
        return found

    def take(self, other: Meanings) -> None:
        """Goes on after what was noted elsewhere, which stays as it is."""
        self.noted += [*other.noted, {}]
        self.lets += other.lets
        self.holes += other.holes


def local(variable: Variable) -> Meaning:
    """A name inside a clause."""
    return Meaning("local", variable.name, type=variable.type, declared=variable.span)
