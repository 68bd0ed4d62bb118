"""A second, slow way to find out what may be chosen, straight from the program.

`Naive` walks the tree of an expression each time it is asked, with nothing worked out beforehand
and nothing remembered. `choices` goes through everything that could be said at a question, and asks
all conditions of each: those of the parts, then every guard. It shares with the machine only the
numbering of pieces and places (`Layout`) and the state.

Faults (a division by zero, a place that does not exist) are errors of the program: they are not
expected here and come up as whatever Python makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import KindType, MaybeType, PieceType
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import Reply, State

Value = Any
Slots = list[Value]
Walker = Callable[["Naive", Any], Value]


class Naive:
    """Values of expressions in one situation, with the slots of one frame."""

    def __init__(self, layout: Layout, state: State, slots: Slots) -> None:
        self.layout = layout
        self.program = layout.program
        self.state = state
        self.slots = slots

    def value(self, expr: ir.Expr) -> Value:
        return WALKERS[type(expr)](self, expr)

    def found(self, binder: ir.Binder) -> Iterator[Value]:
        """The members a binder finds, each in its slot when it is given out."""
        for member in self.value(binder.source):
            self.slots[binder.slot] = member
            if binder.where is None or self.value(binder.where):
                yield member

    # ------------------------------------------------------------ what stands in tables

    def choice(self, number: int) -> Value:
        values = self.program.choices[number].values
        return values[min(self.layout.players - self.program.fewest, len(values) - 1)]

    def choice_item(self, expr: ir.ChoiceItem) -> Value:
        listed, at = self.choice(expr.choice), self.value(expr.at)
        items = listed if isinstance(listed, tuple) else (listed,)
        beyond = self.program.choices[expr.choice].beyond
        return items[at - 1] if 1 <= at <= len(items) else beyond

    def kind_column(self, expr: ir.KindColumn) -> Value:
        of = self.value(expr.of)
        kind = of if isinstance(plain(expr.of), KindType) else self.layout.piece_kind[of]
        return self.program.pieces[expr.piece].kinds[kind].values[expr.column]

    def kind_of(self, expr: ir.KindOf) -> Value:
        """Nothing is of no kind."""
        piece = self.value(expr.of)
        return None if piece is None else self.layout.piece_kind[piece]

    def owner(self, expr: ir.OwnerOf) -> Value:
        is_piece = isinstance(plain(expr.of), PieceType)
        owners = self.layout.piece_owner if is_piece else self.layout.place_owner
        return owners[self.value(expr.of)]

    def marker(self, expr: ir.MarkerValue) -> Value:
        seat = 0 if expr.of is None else self.value(expr.of)
        return self.state.markers[self.layout.marker_at[expr.marker] + seat]

    def piece_state(self, expr: ir.PieceState) -> Value:
        first = self.layout.state_at[expr.piece][expr.state]
        return self.state.states[first + self.value(expr.of)]

    # ------------------------------------------------------------ pieces and places

    def held(self, place: ir.Expr) -> tuple[int, ...]:
        return self.state.contents.get(self.value(place), ())

    def place_at(self, expr: ir.PlaceAt) -> int:
        return by_indices(self.layout)[expr.family, tuple(map(self.value, expr.indices))]

    def place_of(self, expr: ir.PlaceOf) -> int | None:
        place = self.state.where[self.value(expr.of)]
        return place if self.layout.place_family[place] == expr.family else None

    def supposing(self, expr: ir.Supposing) -> Value:
        piece, place = self.value(expr.piece), self.value(expr.place)
        before, supposed = self.state, self.state.copy()
        origin = supposed.where[piece]
        supposed.contents[origin] = tuple(p for p in supposed.contents[origin] if p != piece)
        now = [*supposed.contents.get(place, ()), piece]
        supposed.contents[place] = tuple(sorted(now) if self.layout.heap[place] else now)
        supposed.where[piece] = place
        self.state = supposed
        try:
            return self.value(expr.condition)
        finally:
            self.state = before

    # ------------------------------------------------------------ grids

    def beside(self, place: int, across: int, down: int) -> int | None:
        """The last two indices of a place in a grid are its column and its row."""
        *lead, column, row = self.layout.place_indices[place]
        wanted = (*lead, column + across, row + down)
        return by_indices(self.layout).get((self.layout.place_family[place], wanted))

    def around(self, place: int, diagonal: bool) -> tuple[int, ...]:
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if diagonal or x * y == 0]
        found = {self.beside(place, *step) for step in steps} - {place}
        return tuple(sorted(each for each in found if each is not None))

    def occupied(self, family: int) -> tuple[int, ...]:
        families = self.layout.place_family
        return tuple(sorted({at for at in self.state.where if families[at] == family}))

    def open_places(self, family: int) -> tuple[int, ...]:
        taken = self.occupied(family)
        found = {each for place in taken for each in self.around(place, False)}
        return tuple(sorted(found.difference(taken)))

    def walk(self, expr: ir.Walk) -> tuple[int, ...]:
        across, down = self.value(expr.across), self.value(expr.down)
        place: int | None = self.value(expr.binder.source)
        found: list[int] = []
        while place is not None and (across or down):
            place = self.beside(place, across, down)
            self.slots[expr.binder.slot] = place
            assert expr.binder.where is not None
            if place is None or not self.value(expr.binder.where):
                break
            found.append(place)
        return tuple(found)

    # ------------------------------------------------------------ sets

    def combine(self, expr: ir.Combine) -> tuple[Value, ...]:
        left, right = self.value(expr.left), self.value(expr.right)
        if expr.without:
            return tuple(member for member in left if member not in right)
        return (*left, *(member for member in right if member not in left))

    def end_of(self, expr: ir.EndOf) -> Value:
        members = self.value(expr.set)
        return members[-1 if expr.last else 0] if members else None

    def every(self, expr: ir.Every) -> bool:
        return all(self.value(expr.condition) for _ in self.found(expr.binder))

    def values(self, expr: ir.SumOf | ir.Collect | ir.Extreme) -> list[Value]:
        return [self.value(expr.value) for _ in self.found(expr.binder)]

    def extreme(self, expr: ir.Extreme) -> Value:
        values = self.values(expr)
        if values:
            return max(values) if expr.highest else min(values)
        assert expr.otherwise is not None
        return self.value(expr.otherwise)

    def call(self, expr: ir.CallFunction) -> Value:
        function = self.program.functions[expr.function]
        slots: Slots = [None] * len(function.slots)
        for slot, argument in enumerate(expr.arguments):
            slots[slot] = self.value(argument)
        inner = Naive(self.layout, self.state, slots)
        for slot, let in function.lets:
            slots[slot] = inner.value(let)
        return inner.value(function.result)

    def possible(self, expr: ir.Possible) -> bool:
        clause = self.program.clauses[expr.clause]
        ask = clause.opening_question
        assert ask is not None
        slots: Slots = [None] * len(clause.slots)
        for slot, argument in enumerate(expr.arguments):
            slots[slot] = self.value(argument)
        inner = Naive(self.layout, self.state, slots)
        for deed in clause.body:
            if deed is ask:
                break
            if isinstance(deed, ir.SetLocal):
                slots[deed.slot] = inner.value(deed.value)
        return any(
            allowed(inner, alternative, values)
            for alternative in ask.alternatives
            for values in sayable(inner, alternative, 0)
        )

    # ------------------------------------------------------------ logic and numbers

    def compare(self, expr: ir.Compare) -> bool:
        left, right = self.value(expr.left), self.value(expr.right)
        return bool(
            {
                "=": lambda: left == right,
                "<": lambda: left < right,
                "<=": lambda: left <= right,
                ">": lambda: left > right,
                ">=": lambda: left >= right,
            }[expr.operator]()
        )

    def arithmetic(self, expr: ir.Arithmetic) -> int:
        left, right = self.value(expr.left), self.value(expr.right)
        result: int = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "smaller": lambda: min(left, right),
            "larger": lambda: max(left, right),
            "remainder": lambda: left % right,
        }[expr.operator]()
        return result

    def divide(self, expr: ir.Divide) -> int:
        left, right = self.value(expr.left), self.value(expr.right)
        down, rest = divmod(left, right)
        return int(down + 1 if expr.up and rest else down)


def plain(expr: ir.Expr) -> object:
    return expr.type.of if isinstance(expr.type, MaybeType) else expr.type


def clockwise(naive: Naive, seat: int, step: int) -> int:
    return (seat + step) % naive.layout.players


@cache
def by_indices(layout: Layout) -> dict[tuple[int, tuple[Value, ...]], int]:
    """The number of each place, by its family and its indices."""
    keys = zip(layout.place_family, layout.place_indices, strict=True)
    return {key: place for place, key in enumerate(keys)}


WALKERS: dict[type[ir.Expr], Walker] = {
    ir.Possible: Naive.possible,
    ir.Const: lambda n, e: e.value,
    ir.Local: lambda n, e: n.slots[e.slot],
    ir.MarkerValue: Naive.marker,
    ir.ScoreOf: lambda n, e: n.state.scores[n.value(e.player)],
    ir.ChoiceValue: lambda n, e: n.choice(e.choice),
    ir.ChoiceItem: Naive.choice_item,
    ir.WordColumn: lambda n, e: n.program.word_sets[e.word_set].rows[n.value(e.of)][e.column],
    ir.KindColumn: Naive.kind_column,
    ir.PieceState: Naive.piece_state,
    ir.KindOf: Naive.kind_of,
    ir.OwnerOf: Naive.owner,
    ir.PlaceAt: Naive.place_at,
    ir.PlaceIndex: lambda n, e: n.layout.place_indices[n.value(e.of)][e.position],
    ir.PlaceOf: Naive.place_of,
    ir.Contents: lambda n, e: n.held(e.place),
    ir.ItemOf: lambda n, e: n.held(e.place)[n.value(e.at) - 1],
    ir.TopOf: lambda n, e: (*(None,), *n.held(e.place))[-1],
    ir.Domain: lambda n, e: n.layout.domain(e.of),
    ir.PlayersFrom: lambda n, e: tuple(
        clockwise(n, n.value(e.start), step) for step in range(n.layout.players)
    ),
    ir.Neighbour: lambda n, e: clockwise(n, n.value(e.player), e.step),
    ir.Playing: lambda n, e: n.value(e.player) < n.layout.players,
    ir.PlayerCount: lambda n, e: n.layout.players,
    ir.NumberOf: lambda n, e: n.value(e.of) + 1,
    ir.Range: lambda n, e: tuple(range(n.value(e.low), n.value(e.high) + 1)),
    ir.ListOf: lambda n, e: tuple(n.value(item) for item in e.items),
    ir.CallFunction: Naive.call,
    ir.Not: lambda n, e: not n.value(e.operand),
    ir.And: lambda n, e: n.value(e.left) and n.value(e.right),
    ir.Or: lambda n, e: n.value(e.left) or n.value(e.right),
    ir.Compare: Naive.compare,
    ir.Arithmetic: Naive.arithmetic,
    ir.Divide: Naive.divide,
    ir.Conditional: lambda n, e: n.value(e.then if n.value(e.condition) else e.otherwise),
    ir.Includes: lambda n, e: n.value(e.item) in n.value(e.set),
    ir.IsEmpty: lambda n, e: not n.value(e.set),
    ir.Exists: lambda n, e: any(True for _ in n.found(e.binder)),
    ir.Every: Naive.every,
    ir.Count: lambda n, e: sum(1 for _ in n.found(e.binder)),
    ir.SumOf: lambda n, e: sum(n.values(e)),
    ir.Extreme: Naive.extreme,
    ir.Filter: lambda n, e: tuple(n.found(e.binder)),
    ir.Collect: lambda n, e: tuple(dict.fromkeys(n.values(e))),
    ir.The: lambda n, e: next(n.found(e.binder)),
    ir.Supposing: Naive.supposing,
    ir.Around: lambda n, e: n.around(n.value(e.of), e.diagonal),
    ir.Beside: lambda n, e: n.beside(n.value(e.of), n.value(e.across), n.value(e.down)),
    ir.Occupied: lambda n, e: n.occupied(e.family),
    ir.OpenPlaces: lambda n, e: n.open_places(e.family),
    ir.Walk: Naive.walk,
    ir.EndOf: Naive.end_of,
    ir.Combine: Naive.combine,
}


# ---------------------------------------------------------------- choices


def choices(layout: Layout, state: State, ask: ir.Ask, seat: int) -> list[Reply]:
    """Everything a seat may reply to a question, `pass` aside; pieces that look alike each."""
    found = []
    for number, alternative in enumerate(ask.alternatives):
        naive = Naive(layout, state, slots_of(state, ask, seat))
        for values in sayable(naive, alternative, 0):
            if allowed(naive, alternative, values):
                found.append((number, values))
    return found


def slots_of(state: State, ask: ir.Ask, seat: int) -> Slots:
    """The slots as they are when this seat is asked."""
    slots = state.stack[-1].slots.copy()
    if ask.each is not None:
        slots[ask.each.slot] = seat
    return slots


def sayable(
    naive: Naive, alternative: ir.Alternative, position: int
) -> Iterator[tuple[Value, ...]]:
    """The product of what the parts may be, before any guard is asked."""
    if position == len(alternative.parts):
        yield ()
        return
    part = alternative.parts[position]
    members = list(naive.found(part.binder))
    slot = part.set_slot if part.several else part.binder.slot
    for value in subsets(members) if part.several else members:
        naive.slots[slot] = value
        for rest in sayable(naive, alternative, position + 1):
            yield value, *rest


def subsets(members: list[Value]) -> Iterator[tuple[Value, ...]]:
    for size in range(len(members) + 1):
        yield from combinations(members, size)


def allowed(naive: Naive, alternative: ir.Alternative, values: tuple[Value, ...]) -> bool:
    """Whether sizes, the guards of every member and the guards of the whole all agree."""
    chosen = list(zip(alternative.parts, values, strict=True))
    for part, value in chosen:
        naive.slots[part.set_slot if part.several else part.binder.slot] = value
    for (part, value), guards in zip(chosen, alternative.member_guards, strict=True):
        if part.several:
            if part.least is not None and len(value) < naive.value(part.least):
                return False
            if part.most is not None and len(value) > naive.value(part.most):
                return False
            for member in value:
                naive.slots[part.binder.slot] = member
                if not all(naive.value(guard.condition) for guard in guards):
                    return False
    return all(naive.value(guard.condition) for guard in alternative.guards)
