"""Strokes of luck: drawing from a loose place, and picking one of several things.

Each can be settled by the seed (see `luck`) or asked like a question. Asked, the outcomes are
grouped by what nobody can tell apart, each group with the number of things in it as its weight.

A heap has no top, so a draw from a heap is always by luck, as from a bag; each draw counts as a
shuffle, or a piece drawn and put back would be drawn again and again. From a pile only the
loose middle is left to luck, and only once nothing lies on top of it; or under it, where the lowest
piece is drawn. Loose pieces are in no order, so at either end the next one in luck's order comes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from lawspeaker import ir
from lawspeaker.ir.types import PieceType, Type
from lawspeaker.machines.reference.evaluate import Eval, Slots
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.luck import MASK, combine, highest, mix, word_of
from lawspeaker.position.state import State

Outcome = tuple[int, Value]
"""A weight and a value."""


_ORDERS_KEPT = 64
_NO_ORDER: tuple[list[int], frozenset[int]] = ([], frozenset())


class Stroke:
    """A place in the code where luck decides."""

    type: Type

    def outcomes(self, s: State, f: Slots) -> list[Outcome]:
        """What can come, grouped by what can be told apart."""
        raise NotImplementedError

    def by_seed(self, s: State, f: Slots) -> Value:
        """What comes by the seed: of things that look the same, the very one."""
        raise NotImplementedError

    def settle(self, s: State, f: Slots, value: Value) -> None:
        """Goes on with an outcome."""
        raise NotImplementedError


def sight(layout: Layout, s: State, piece: int) -> Hashable:
    """What can be told of a piece wherever it is."""
    states = layout.state_at[layout.piece_type[piece]]
    return (layout.alike[piece], *[s.states[at + piece] for at in states])


def grouped(layout: Layout, s: State, pieces: Sequence[int]) -> list[Outcome]:
    groups: dict[Hashable, list[int]] = {}
    for piece in pieces:
        groups.setdefault(sight(layout, s, piece), []).append(piece)
    return [(len(group), group[0]) for group in groups.values()]


class Draw(Stroke):
    def __init__(
        self,
        layout: Layout,
        source: Eval,
        take: Callable[[State, Slots, int], None],
        of: Type,
        below: bool,
    ) -> None:
        self.below = below
        self.layout = layout
        self.source = source
        self.take = take
        self.type = of
        self._heap = layout.heap
        self._orders: dict[tuple[int, int, int], tuple[list[int], frozenset[int]]] = {}

    def pool(self, s: State, place: int, held: tuple[int, ...]) -> tuple[int, ...]:
        """The pieces of which any may be the one that comes off."""
        if self._heap[place]:
            return held
        if self.below:
            under, loose = s.loose.get(place, (1, 0))
            return held[:1] if under else held[:loose]
        if place in s.loose:
            under, loose = s.loose[place]
            if under + loose == len(held):
                return held[under:]
        return held[-1:]

    def drawn(self, s: State, place: int, held: tuple[int, ...]) -> int | None:
        """The piece that comes off; None when that is to be asked."""
        pool = self.pool(s, place, held)
        if len(pool) == 1:
            return pool[0]
        if s.ask_chance:
            return pool[0] if len(grouped(self.layout, s, pool)) == 1 else None
        piece = self._by_seed(s, place, pool)
        if self._heap[place]:
            s.shuffles[place] = s.shuffles.get(place, 0) + 1
        return piece

    def _by_seed(self, s: State, place: int, pool: tuple[int, ...]) -> int:
        shuffled = s.shuffles.get(place, 0)
        order, among = self._orders.get((s.seed, place, shuffled), _NO_ORDER)
        if not among.issuperset(pool):
            order, among = self._put_in_order(s.seed, place, shuffled, pool)
        where = s.where
        for piece in order:
            if where[piece] == place and piece in pool:
                return piece
        raise AssertionError("every loose piece has its place in the order")

    def _put_in_order(
        self, seed: int, place: int, shuffled: int, pool: tuple[int, ...]
    ) -> tuple[list[int], frozenset[int]]:
        """The pieces by falling priority; kept, since the next ones will be drawn soon."""
        base = combine(seed & MASK, self.layout.place_word[place], shuffled)
        words = self.layout.piece_word
        order = sorted(pool, key=lambda piece: (-mix(base ^ words[piece]), piece))
        while len(self._orders) >= _ORDERS_KEPT:
            del self._orders[next(iter(self._orders))]
        found = self._orders[seed, place, shuffled] = (order, frozenset(pool))
        return found

    def outcomes(self, s: State, f: Slots) -> list[Outcome]:
        place = self.source(s, f.copy())
        return grouped(self.layout, s, self.pool(s, place, s.contents[place]))

    def by_seed(self, s: State, f: Slots) -> Value:
        place = self.source(s, f.copy())
        return self._by_seed(s, place, self.pool(s, place, s.contents[place]))

    def settle(self, s: State, f: Slots, value: Value) -> None:
        self.take(s, f, value)


class Pick(Stroke):
    def __init__(
        self, layout: Layout, binder: ir.Binder, found: Eval, clause: int, at: int
    ) -> None:
        self.layout = layout
        self.type = binder.type
        self._slot = binder.slot
        self._found = found
        self._clause = clause
        self._at = at
        self._pieces = isinstance(binder.type, PieceType)
        self._clause_word = word_of(layout.program.clauses[clause].id)

    def _word(self, value: Value) -> int:
        if self._pieces:
            return self.layout.piece_word[value]
        return self.layout.word(self.type, value)

    def chosen(self, s: State, members: Sequence[Value]) -> Value:
        base = combine(s.seed & MASK, self._clause_word, s.picks.get(self._clause, 0))
        return members[highest(base, [self._word(member) for member in members])]

    def groups(self, s: State, members: Sequence[Value]) -> list[Outcome]:
        if self._pieces:
            return grouped(self.layout, s, members)
        return [(1, member) for member in members]

    def outcomes(self, s: State, f: Slots) -> list[Outcome]:
        return self.groups(s, self._found(s, f.copy()))

    def by_seed(self, s: State, f: Slots) -> Value:
        return self.chosen(s, self._found(s, f.copy()))

    def settle(self, s: State, f: Slots, value: Value) -> None:
        f[self._slot] = value
        s.picks[self._clause] = s.picks.get(self._clause, 0) + 1
        place = s.where[value] if self._pieces else None
        known = self.layout.everyone if place is None else self.layout.seen[place]
        note = (self._clause, self._at, place, value)
        s.journal.append(("chance", self._clause, None, note, known))
