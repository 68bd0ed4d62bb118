"""Chance nodes: drawing from a loose place, and picking one of several things.

Each can be resolved by the seed (see `position/rng`) or asked like a question. For a question,
indistinguishable outcomes are grouped, with their number as weight.

A heap has no top, so a draw from a heap is always random, as from a bag; each draw counts as a
shuffle, or a piece drawn and put back would be drawn again and again. In a pile only the loose
middle is random, and only once nothing is on top of it; or under it, when drawing from the bottom.
Loose pieces have no order, so at either end the next one in the RNG's order comes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from lawspeaker import ir
from lawspeaker.machines.reference.evaluate import Eval, Slots
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.rng import MASK, combine, highest, mix, word_of
from lawspeaker.position.state import State

Outcome = tuple[int, Value]
"""A weight and a value."""


_ORDERS_KEPT = 64
_NO_ORDER: tuple[list[int], frozenset[int]] = ([], frozenset())


class Stroke:
    """A chance node in the code."""

    type: ir.Type

    def outcomes(self, s: State, f: Slots) -> list[Outcome]:
        """Returns the distinguishable outcomes with weights."""
        raise NotImplementedError

    def by_seed(self, s: State, f: Slots) -> Value:
        """Returns the outcome by the seed: the very piece among those that look the same."""
        raise NotImplementedError

    def settle(self, s: State, f: Slots, value: Value) -> None:
        """Continues with an outcome."""
        raise NotImplementedError


def sight(layout: Layout, s: State, piece: int) -> Hashable:
    """Returns a key for what distinguishes a piece regardless of place."""
    states = layout.state_at[layout.piece_type[piece]]
    return (layout.alike[piece], *[s.states[at + piece] for at in states])


def grouped(layout: Layout, s: State, pieces: Sequence[int]) -> list[Outcome]:
    groups: dict[Hashable, list[int]] = {}
    for piece in pieces:
        groups.setdefault(sight(layout, s, piece), []).append(piece)
    return [(len(group), group[0]) for group in groups.values()]


class Draw(Stroke):
    """The draw of a piece from a place."""

    def __init__(
        self,
        layout: Layout,
        source: Eval,
        take: Callable[[State, Slots, int], None],
        of: ir.Type,
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
        """Returns the pieces that the draw may yield."""
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
        """Returns the drawn piece; None if it is to be asked."""
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
        """Sorts the pieces by descending priority; cached for the next draws."""
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
    """The random choice of one of several things."""

    def __init__(
        self, layout: Layout, binder: ir.Binder, found: Eval, clause: int, at: int
    ) -> None:
        self.layout = layout
        self.type = binder.type
        self._slot = binder.slot
        self._found = found
        self._clause = clause
        self._at = at
        self._pieces = isinstance(binder.type, ir.PieceType)
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
