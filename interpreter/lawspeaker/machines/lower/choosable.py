"""Numbers everything that can be chosen in a game, for statistics.

That is each alternative of a question, `pass` among them, where there is more than one to choose
from; and each value of a part of an alternative, if there are few: a word, a place, a player, and
of a piece its kind. An option of a window counts the same wherever the window is opened, and the
steps of a path count as one part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.state import Reply
from lawspeaker.position.written import Text

MOST_VALUES = 24
"""A part with more values is a move on a board rather than a choice. Kinds are always counted."""


@dataclass(frozen=True, slots=True)
class Choosable:
    """A choosable thing: an alternative of a question (None: to pass), or one value of a part of it
    (its number among the parts)."""

    clause: int
    alternative: ir.Alternative | None
    part: int | None = None
    of: ir.Type | None = None
    value: Value = None

    @property
    def label(self) -> str | None:
        return "pass" if self.alternative is None else self.alternative.label


class AllChoosable:
    """Everything that can be chosen in a game for so many players."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.things: list[Choosable] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        """The first number of the values of a part, and that of an alternative."""
        for clause in layout.program.clauses:
            for node in everything(clause.body):
                if isinstance(node, ir.Ask):
                    self._number(node)

    @property
    def size(self) -> int:
        return len(self.things)

    def _number(self, ask: ir.Ask) -> None:
        if not ask.must:
            self._add((ask.clause, None), [Choosable(ask.clause, None)])
        for each in ask.alternatives:
            if not ask.must or len(ask.alternatives) > 1:
                self._add((ask.clause, each.label), [Choosable(ask.clause, each)])
            for number, part in enumerate(each.parts):
                if part.receives:
                    continue  # there is no choice
                of, values = self._values(part)
                told = [Choosable(ask.clause, each, number, of, value) for value in values]
                self._add(_key(ask, each, part), told)

    def _add(self, key: tuple[object, ...], things: list[Choosable]) -> None:
        if things and key not in self._numbers:
            self._numbers[key] = self.size
            self.things += things

    def _values(self, part: ir.Part) -> tuple[ir.Type, tuple[Value, ...]]:
        """Returns the values of a part, none if they are not counted."""
        of = part.binder.type
        if isinstance(of, ir.PieceType):
            of = ir.KindType(of.name, of.index)
            values, most = self.layout.domain(of), None
        else:
            try:
                values, most = self.layout.domain(of), MOST_VALUES
            except ValueError:
                return of, ()
        return of, values if len(values) > 1 and (most is None or len(values) <= most) else ()

    def alternatives(self, ask: ir.Ask) -> list[int] | None:
        """Returns the numbers of passing (of the first alternative where one must not) and of the
        alternatives; None if there is only one."""
        if ask.must and len(ask.alternatives) == 1:
            return None
        found = [self._numbers[ask.clause, each.label] for each in ask.alternatives]
        return [found[0] if ask.must else self._numbers[ask.clause, None], *found]

    def values(self, ask: ir.Ask, alternative: ir.Alternative, part: ir.Part) -> int | None:
        """Returns the number of the first value of a part, if they are counted: the others
        follow."""
        return None if part.receives else self._numbers.get(_key(ask, alternative, part))

    def chosen(self, ask: ir.Ask, reply: Reply) -> Iterator[int]:
        """Yields the numbers of everything that a reply chooses."""
        number, values = reply
        alternatives = self.alternatives(ask)
        if alternatives is not None:
            yield alternatives[number + 1]
        if number < 0:
            return
        alternative = ask.alternatives[number]
        for part, value in zip(alternative.parts, values, strict=True):
            first = self.values(ask, alternative, part)
            if first is not None:
                members = value if part.several else (value,)
                for member in (each for each in members if not isinstance(each, Text)):
                    yield first + self.place(part.binder.type, member)

    def place(self, of: ir.Type, value: Value) -> int:
        """Returns the index of a value in its type; of a piece, its kind."""
        if isinstance(of, ir.PieceType):
            return self.layout.piece_kind[value]
        return int(value) - int(self.layout.domain(of)[0])


def _key(ask: ir.Ask, alternative: ir.Alternative, part: ir.Part) -> tuple[object, ...]:
    return ask.clause, alternative.label, part.set_name or part.binder.name, part.binder.type
