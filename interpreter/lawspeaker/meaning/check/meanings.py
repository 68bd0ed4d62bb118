"""Records what the names in rules resolved to, for editors.

Nothing in the checker reads this. It answers for a language server what a word means, where else it
occurs, and, in code with a completion hole, what could stand there.
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
"""The name that marks the cursor in incomplete code."""


@light
@dataclass(frozen=True, slots=True)
class Meaning:
    """The thing that a name resolved to. `of` is its parent: the piece of a kind, the set of a
    word, the clause of a guard or a defined value. `declared` distinguishes local names."""

    sort: Sort
    name: str
    of: str = ""
    type: Type = field(default=BROKEN, compare=False)
    declared: Span = NOWHERE


@light
@dataclass(frozen=True, slots=True)
class Hole:
    """What is known at a completion hole: the sort of thing wanted (any value by default), its
    type, and the type of the operand (`… of card`). For a place, the type is that of the pieces
    that go there."""

    sort: Literal["value", "noun", "clause", "window", "place", "pieces", "set"] = "value"
    expected: Type | None = None
    of: Type | None = None
    word: str = ""
    variables: tuple[Variable, ...] = ()


@dataclass(slots=True)
class Meanings:
    """Names resolved so far, by span, and completion holes."""

    noted: list[dict[Span, Meaning]] = field(default_factory=lambda: [{}])
    """One table for each piece of code; only the last one is appended to."""
    lets: list[tuple[Span, Type]] = field(default_factory=list)
    """The names bound with `let`, and their types."""
    holes: list[Hole] = field(default_factory=list)

    def note(self, span: Span, meaning: Meaning | None) -> None:
        """Records a meaning. The first one at a span wins: a noun that also names a variable is the
        noun."""
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
        """Appends tables recorded elsewhere, which are not modified."""
        self.noted += [*other.noted, {}]
        self.lets += other.lets
        self.holes += other.holes


def local(variable: Variable) -> Meaning:
    """The meaning of a local variable."""
    return Meaning("local", variable.name, type=variable.type, declared=variable.span)
