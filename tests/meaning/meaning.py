"""What the language means: the value of every expression, and what may be chosen.

`Meaning` walks the tree of an expression each time it is asked, with nothing worked out beforehand,
nothing remembered and no order but the one written. Both machines are held against it. It shares
with them only the numbering of pieces and places (`Layout`) and the state.

All parts of an expression are worked out from left to right, and what a defined value is given
before its lets, these before its result. Only these leave something out: `and`, `or` and `if` what
does not matter any more, `there is` and `every` what comes after the first that settles it, and a
binder what is asked of members that its `where` refuses.

What cannot be worked out is a fault (`Broken`): its words, and its place in the rules. What
everything costs is said in `ir/cost.py`: it counts what can be gone through here at the most.

`choices` goes through everything that could be said at a question, and asks all conditions of each:
those of the parts, then every guard. What a guard refuses as soon as it can be asked is not gone
through any further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from math import comb
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import LONGEST, is_of_numbers
from lawspeaker.ir.dependence import Paid, PaidValue
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.types import (
    LARGEST,
    PLAYER,
    SMALLEST,
    KindType,
    MaybeType,
    PieceType,
    SetType,
    Type,
)
from lawspeaker.ir.types import plain as bare
from lawspeaker.ir.walk import bound_slots, slots_read
from lawspeaker.position.layout import Layout
from lawspeaker.position.position_rows import Recorded
from lawspeaker.position.state import Reply, State
from tests.meaning.doing import call_clause

Value = Any
Slots = list[Value]
Walker = Callable[["Meaning", Any], Value]


class Broken(Exception):
    """A fault: what it is, and where in the rules."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message, span)
        self.told = (message, span)


class Meaning:
    """Values of expressions in one situation, with the slots of one frame."""

    def __init__(self, layout: Layout, state: State, slots: Slots) -> None:
        self.layout = layout
        self.program = layout.program
        self.state = state
        self.slots = slots

    def value(self, expr: ir.Expr) -> Value:
        return WALKERS[type(expr)](self, expr)

    def present(self, expr: ir.Expr) -> Value:
        """A value that has to be something."""
        found = self.value(expr)
        if found is None:
            raise Broken("this is nothing here", expr.span)
        return found

    def seat(self, expr: ir.Expr) -> int:
        """A player who takes part."""
        seat: int = self.present(expr)
        if seat >= self.layout.players:
            raise Broken("this player does not take part", expr.span)
        return seat

    def number(self, number: int, expr: ir.Expr) -> int:
        if not SMALLEST <= number <= LARGEST:
            raise Broken("a number grew beyond ±2,147,483,647", expr.span)
        return number

    def found(self, binder: ir.Binder) -> Iterator[Value]:
        """The members a binder finds, each in its slot when it is given out."""
        for member in self.value(binder.source):
            self.slots[binder.slot] = member
            if binder.where is None or self.value(binder.where):
                yield member

    # ------------------------------------------------------------ what stands in tables

    def choice(self, number: int) -> Value:
        values = self.program.choices[number].values
        return values[min(self.program.counts.index(self.layout.players), len(values) - 1)]

    def choice_item(self, expr: ir.ChoiceItem) -> Value:
        listed, at = self.choice(expr.choice), self.present(expr.at)
        items = listed if isinstance(listed, tuple) else (listed,)
        choice = self.program.choices[expr.choice]
        if 1 <= at <= len(items):
            return items[at - 1]
        if choice.beyond is None:
            told = f"{choice.id} has {len(items)} values, and another one is asked for"
            raise Broken(told, expr.span)
        return choice.beyond

    def kind_column(self, expr: ir.KindColumn) -> Value:
        of = self.present(expr.of)
        kind = of if isinstance(plain_type(expr.of), KindType) else self.layout.piece_kind[of]
        declared = self.program.pieces[expr.piece]
        return self.entry(expr, declared.columns[expr.column], declared.kinds[kind].values)

    def word_column(self, expr: ir.WordColumn) -> Value:
        declared = self.program.word_sets[expr.word_set]
        row = declared.rows[self.present(expr.of)]
        return self.entry(expr, declared.columns[expr.column], row)

    def entry(
        self, expr: ir.KindColumn | ir.WordColumn, column: ir.Column, row: tuple[ir.Entries, ...]
    ) -> Value:
        """What stands in a column; of several entries the one that the indices name, counted
        through one by one. There is one for every player, whether he takes part or not."""
        found = row[expr.column]
        if not isinstance(found, tuple):
            return found
        every = tuple(range(len(self.program.player_names)))
        domains = [
            every if each.type == PLAYER else self.layout.domain(each.type)
            for each in column.indices
        ]
        wanted = self.indices(expr.indices, domains, column.name, expr.span)
        return found[list(product(*domains)).index(wanted)]

    def indices(
        self,
        indices: tuple[ir.Expr, ...],
        domains: list[tuple[Value, ...]],
        name: str,
        span: Span,
    ) -> tuple[Value, ...]:
        """What tells values apart, one index after the other."""
        found: list[Value] = []
        for index, domain in zip(indices, domains, strict=True):
            found.append(self.present(index))
            if found[-1] not in domain:
                if plain_type(index) == PLAYER:
                    self.seat(index)
                raise Broken(f"there is no {name} at these indices", span)
        return tuple(found)

    def kind_of(self, expr: ir.KindOf) -> Value:
        """Nothing is of no kind, where the type says so."""
        maybe = isinstance(expr.type, MaybeType)
        piece = self.value(expr.of) if maybe else self.present(expr.of)
        return None if piece is None else self.layout.piece_kind[piece]

    def owner(self, expr: ir.OwnerOf) -> Value:
        is_piece = isinstance(plain_type(expr.of), PieceType)
        owners = self.layout.piece_owner if is_piece else self.layout.place_owner
        return owners[self.present(expr.of)]

    def marker(self, expr: ir.MarkerValue) -> Value:
        declared = self.program.markers[expr.marker]
        domains = [self.layout.domain(index.type) for index in declared.indices]
        wanted = self.indices(expr.indices, domains, declared.name, expr.span)
        for entry, shown in zip(self.layout.markers, self.state.markers, strict=True):
            if entry.declared is declared and entry.indices == wanted:
                return shown
        raise AssertionError(wanted)

    def piece_state(self, expr: ir.PieceState) -> Value:
        declared = self.program.pieces[expr.piece].states[expr.state]
        domains = [self.layout.domain(index.type) for index in declared.indices]
        piece = self.present(expr.of)
        wanted = self.indices(expr.indices, domains, declared.name, expr.span)
        entries = zip(self.layout.states[expr.piece], self.layout.state_at[expr.piece], strict=True)
        for entry, at in entries:
            if entry.declared is declared and entry.indices == wanted:
                return self.state.states[at + piece]
        raise AssertionError(wanted)

    # ------------------------------------------------------------ pieces and places

    def held(self, place: ir.Expr) -> tuple[int, ...]:
        return self.state.contents.get(self.present(place), ())

    def place_at(self, expr: ir.PlaceAt) -> int:
        found = by_indices(self.layout).get((expr.family, tuple(map(self.present, expr.indices))))
        if found is None:
            name = self.program.families[expr.family].name
            raise Broken(f"there is no {name} at these indices", expr.span)
        return found

    def place_of(self, expr: ir.PlaceOf) -> int | None:
        place = self.state.where[self.present(expr.of)]
        return place if self.layout.place_family[place] == expr.family else None

    def item_of(self, expr: ir.ItemOf) -> Value:
        if isinstance(expr.place.type, SetType):
            members, at = self.present(expr.place), self.present(expr.at)
            if not 1 <= at <= len(members):
                raise Broken("there are not so many members", expr.span)
            return members[at - 1]
        place, at = self.present(expr.place), self.present(expr.at)
        held = self.state.contents.get(place, ())
        if not 1 <= at <= len(held):
            raise Broken("there are not so many pieces in this place", expr.span)
        under, loose = self.state.loose.get(place, (0, 0))
        if under < at <= under + loose:
            raise Broken("this piece was shuffled: nobody knows which it is", expr.span)
        return held[at - 1]

    def top_of(self, expr: ir.TopOf) -> Value:
        place = self.present(expr.place)
        held = self.state.contents.get(place, ())
        if held and sum(self.state.loose.get(place, (0, 0))) == len(held):
            raise Broken("this place was shuffled: nobody knows its top piece", expr.span)
        return held[-1] if held else None

    def supposing(self, expr: ir.Supposing) -> Value:
        piece, place = self.present(expr.piece), self.present(expr.place)
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

    def supposing_done(self, expr: ir.SupposingDone) -> Value:
        before, self.state = self.state, self.state.copy()
        try:
            call_clause(self, expr.clause, expr.arguments)
            return self.value(expr.condition)
        finally:
            self.state = before

    def appearances(self, expr: ir.Appearances) -> int:
        row = Recorded(self.layout, expr.position).row(self.state)
        return sum(1 for each in self.state.past[expr.position] if each == row)

    # ------------------------------------------------------------ grids

    def beside(self, place: int, across: int, down: int) -> int | None:
        """The last two indices of a place in a grid are its column and its row."""
        *lead, column, row = self.layout.place_indices[place]
        wanted = (*lead, column + across, row + down)
        return by_indices(self.layout).get((self.layout.place_family[place], wanted))

    def around(self, place: int, diagonal: bool) -> tuple[int, ...]:
        family = self.layout.place_family[place]
        if lines := self.program.families[family].lines:
            first = self.layout.places_of[family][0]
            pairs = [pair for line in lines for pair in pairwise(line)]
            here = place - first
            near = {a if b == here else b for a, b in pairs if here in (a, b)}
            return tuple(sorted(first + each for each in near))
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if diagonal or x * y == 0]
        if self.program.families[self.layout.place_family[place]].grid in (
            "hexes",
            "growing hexes",
        ):
            steps = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
        found = {self.beside(place, *step) for step in steps} - {place}
        return tuple(sorted(each for each in found if each is not None))

    def occupied(self, family: int) -> tuple[int, ...]:
        families = self.layout.place_family
        return tuple(sorted({at for at in self.state.where if families[at] == family}))

    def open_places(self, family: int) -> tuple[int, ...]:
        taken = self.occupied(family)
        found = {each for place in taken for each in self.around(place, False)}
        return tuple(sorted(found.difference(taken)))

    def step(self, expr: ir.Beside) -> int | None:
        place = self.present(expr.of)
        found = self.beside(place, self.present(expr.across), self.present(expr.down))
        if found is None and self.program.families[expr.family].grid in ("grows", "growing hexes"):
            raise Broken("the table does not stretch so far", expr.span)
        return found

    def walk(self, expr: ir.Walk) -> tuple[int, ...]:
        place: int | None = self.present(expr.binder.source)
        across, down = self.present(expr.across), self.present(expr.down)
        found: list[int] = []
        while place is not None and (across or down):
            place = self.beside(place, across, down)
            self.slots[expr.binder.slot] = place
            assert expr.binder.where is not None
            if place is None or not self.value(expr.binder.where):
                break
            found.append(place)
        return tuple(found)

    def along(self, expr: ir.Along) -> tuple[int, ...]:
        """Of connections what each joins, and of what is joined the connections."""
        assert isinstance(expr.type, SetType)
        of, wanted = self.present(expr.of), expr.type.of
        if bare(expr.of.type) == self.program.networks[expr.network].joins:
            connections = self.joining(expr.network, wanted)
            return tuple(each for each, ends in connections.items() if of in ends)
        return self.joining(expr.network, bare(expr.of.type)).get(of, ())

    def joining(self, network: int, of: Type) -> dict[int, tuple[int, ...]]:
        """What the connections of a network join."""
        known = self.program.networks[network]
        things = self.layout.domain(known.joins)
        ends = (tuple(things[end] for end in each) for each in known.ends)
        return dict(zip(self.layout.domain(of), ends, strict=True))

    def far_end(self, expr: ir.FarEnd) -> int | None:
        of, connection = self.present(expr.of), self.present(expr.connection)
        one, other = self.joining(expr.network, bare(expr.connection.type))[connection]
        return other if of == one else one if of == other else None

    def region(self, expr: ir.Region) -> tuple[Value, ...]:
        """In rounds: those reached in one are where the next begins, and nobody is asked twice."""
        inside: list[Value] = []
        refused: list[Value] = []
        coming = list(self.value(expr.standing.source))
        assert expr.step.where is not None
        while coming:
            standing = coming.pop(0)
            if standing in inside:
                continue
            inside.append(standing)
            self.slots[expr.standing.slot] = standing
            for following in self.value(expr.step.source):
                if following in (*inside, *coming, *refused):
                    continue
                self.slots[expr.step.slot] = following
                (coming if self.value(expr.step.where) else refused).append(following)
        return tuple(sorted(inside))

    def border(self, expr: ir.Border) -> tuple[int, ...]:
        inside = self.value(expr.of)
        places = self.layout.places_of[expr.family]
        beside = [place for place in places if place not in inside]
        return tuple(p for p in beside if any(p in self.around(i, expr.diagonal) for i in inside))

    # ------------------------------------------------------------ sets

    def players_from(self, start: int) -> tuple[int, ...]:
        """Clockwise from one of them; from the first, if that one does not take part."""
        seats = self.layout.seats
        return seats[start:] + seats[:start] if start in seats else seats

    def range_of(self, expr: ir.Range) -> tuple[Value, ...]:
        low, high = self.present(expr.low), self.present(expr.high)
        if high - low + 1 > LONGEST:
            raise Broken(f"a range of more than {LONGEST} numbers", expr.span)
        return tuple(range(low, high + 1))

    def combine(self, expr: ir.Combine) -> tuple[Value, ...]:
        left, right = self.value(expr.left), self.value(expr.right)
        if expr.without:
            return tuple(member for member in left if member not in right)
        members = tuple(dict.fromkeys((*left, *right)))
        if len(members) > LONGEST and is_of_numbers(expr.type):
            raise Broken(f"a set of more than {LONGEST} numbers", expr.span)
        return members

    def end_of(self, expr: ir.EndOf) -> Value:
        members = self.value(expr.set)
        return members[-1 if expr.last else 0] if members else None

    def includes(self, expr: ir.Includes) -> bool:
        """What is looked for is worked out before the set."""
        needed = isinstance(expr.set, ir.Contents)
        item = self.present(expr.item) if needed else self.value(expr.item)
        return item in self.value(expr.set)

    def the(self, expr: ir.The) -> Value:
        for member in self.found(expr.binder):
            return member
        raise Broken(f"there is no such {expr.binder.name}", expr.span)

    def every(self, expr: ir.Every) -> bool:
        return all(self.value(expr.condition) for _ in self.found(expr.binder))

    def collect(self, expr: ir.Collect) -> tuple[Value, ...]:
        values = [self.value(expr.value) for _ in self.found(expr.binder)]
        return tuple(dict.fromkeys(values) if expr.different else values)

    def sum_of(self, expr: ir.SumOf) -> int:
        total = 1 if expr.product else 0
        for value in self.values(expr):
            total = self.number(total * value if expr.product else total + value, expr)
        return total

    def subsets(self, expr: ir.Subsets) -> tuple[tuple[Value, ...], ...]:
        """All sets of one member or more that can be made of others, and are of the right size."""
        least = 1 if expr.least is None else max(1, self.present(expr.least))
        most = LARGEST if expr.most is None else self.present(expr.most)
        members = self.value(expr.source)
        sizes = [size for size in range(len(members) + 1) if least <= size <= most]
        if sum(comb(len(members), size) for size in sizes) > MOST_OPTIONS:
            raise Broken(f"there are more than {MOST_OPTIONS:,} combinations", expr.span)
        if expr.largest_first:
            sizes.reverse()
        return tuple(each for size in sizes for each in combinations(members, size))

    def values(self, expr: ir.SumOf | ir.Extreme) -> Iterator[Value]:
        for _ in self.found(expr.binder):
            yield self.present(expr.value)

    def extreme(self, expr: ir.Extreme) -> Value:
        values = list(self.values(expr))
        if values:
            return max(values) if expr.highest else min(values)
        if expr.otherwise is None:
            raise Broken(f"there is no {expr.binder.name} to compare", expr.span)
        return self.value(expr.otherwise)

    def path_length(self, expr: ir.PathLength) -> Value:
        """Every path is gone over, one connection after the other; a shortest one is found by
        shortening what is known until nothing becomes shorter."""
        network = self.program.networks[expr.network]
        starts = self.value(expr.start) if expr.start is not None else None
        goals = self.value(expr.goal) if expr.goal is not None else ()
        ends = self.joining(expr.network, expr.binder.type)
        worth = {each: max(0, self.present(expr.value)) for each in self.found(expr.binder)}
        if sum(worth.values()) > LARGEST:
            raise Broken("a number grew beyond ±2,147,483,647", expr.span)
        nodes = self.layout.domain(network.joins) if starts is None else starts
        if not expr.longest:
            away = dict.fromkeys(nodes, 0)
            for _ in self.layout.domain(network.joins):
                for each, own in worth.items():
                    one, other = ends[each]
                    for here, there in ((one, other), (other, one)):
                        if here in away:
                            away[there] = min(away.get(there, LARGEST), away[here] + own)
            lengths = [away[goal] for goal in goals if goal in away]
            return min(lengths) if lengths else self.value(expr.otherwise)
        return max(
            (
                length
                for start in nodes
                for length, _ in self.paths(start, worth, ends, {start}, expr)
            ),
            default=0,
        )

    def paths(
        self,
        start: Value,
        worth: dict[Value, int],
        ends: dict[int, tuple[int, ...]],
        passed: set[Value],
        expr: ir.PathLength,
    ) -> Iterator[tuple[int, Value]]:
        """The length of each path from somewhere, and where it ends."""
        yield 0, start
        for connection, own in worth.items():
            if start in ends[connection]:
                (there,) = set(ends[connection]) - {start}
                if expr.apart and there in passed:
                    continue
                left = {each: its for each, its in worth.items() if each != connection}
                for length, node in self.paths(there, left, ends, passed | {there}, expr):
                    yield own + length, node

    def call(self, expr: ir.CallFunction) -> Value:
        function = self.program.functions[expr.function]
        slots: Slots = [None] * len(function.slots)
        for slot, argument in enumerate(expr.arguments):
            slots[slot] = self.value(argument)
        inner = Meaning(self.layout, self.state, slots)
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
        inner = Meaning(self.layout, self.state, slots)
        for deed in clause.body:
            if deed is ask:
                break
            if isinstance(deed, ir.SetLocal):
                slots[deed.slot] = inner.value(deed.value)
        return any(any(True for _ in ways(inner, each)) for each in ask.alternatives)

    # ------------------------------------------------------------ logic and numbers

    def compare(self, expr: ir.Compare) -> bool:
        if expr.operator == "=":
            left, right = self.value(expr.left), self.value(expr.right)
            return bool(left == right)
        left, right = self.present(expr.left), self.present(expr.right)
        return bool(
            {
                "<": left < right,
                "<=": left <= right,
                ">": left > right,
                ">=": left >= right,
            }[expr.operator]
        )

    def arithmetic(self, expr: ir.Arithmetic) -> int:
        left, right = self.present(expr.left), self.present(expr.right)
        if expr.operator == "remainder" and right == 0:
            raise Broken("a remainder of a division by zero", expr.span)
        result: int = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "smaller": lambda: min(left, right),
            "larger": lambda: max(left, right),
            "difference": lambda: abs(left - right),
            "remainder": lambda: left % right,
        }[expr.operator]()
        return self.number(result, expr)

    def divide(self, expr: ir.Divide) -> int:
        left, right = self.present(expr.left), self.present(expr.right)
        if right == 0:
            raise Broken("a division by zero", expr.span)
        down, rest = divmod(left, right)
        return self.number(down + 1 if expr.up and rest else down, expr)


def plain_type(expr: ir.Expr) -> object:
    return expr.type.of if isinstance(expr.type, MaybeType) else expr.type


def clockwise(meaning: Meaning, seat: int, step: int) -> int:
    return (seat + step) % meaning.layout.players


def on_side(meaning: Meaning, side: int) -> tuple[int, ...]:
    every = range(meaning.layout.players)
    return tuple(seat for seat in every if seat in meaning.program.sides[side])


def partners(meaning: Meaning, seat: int) -> tuple[int, ...]:
    side = next(at for at, seats in enumerate(meaning.program.sides) if seat in seats)
    return tuple(each for each in on_side(meaning, side) if each != seat)


@cache
def by_indices(layout: Layout) -> dict[tuple[int, tuple[Value, ...]], int]:
    """The number of each place, by its family and its indices."""
    keys = zip(layout.place_family, layout.place_indices, strict=True)
    return {key: place for place, key in enumerate(keys)}


WALKERS: dict[type[ir.Expr], Walker] = {
    ir.Possible: Meaning.possible,
    ir.Const: lambda n, e: e.value,
    ir.Local: lambda n, e: n.slots[e.slot],
    ir.MarkerValue: Meaning.marker,
    ir.ScoreOf: lambda n, e: n.state.scores[n.seat(e.player)],
    ir.ChoiceValue: lambda n, e: n.choice(e.choice),
    ir.ChoiceItem: Meaning.choice_item,
    ir.WordColumn: Meaning.word_column,
    ir.KindColumn: Meaning.kind_column,
    ir.PieceState: Meaning.piece_state,
    ir.KindOf: Meaning.kind_of,
    ir.OwnerOf: Meaning.owner,
    ir.PlaceAt: Meaning.place_at,
    ir.PlaceIndex: lambda n, e: n.layout.place_indices[n.present(e.of)][e.position],
    ir.PlaceOf: Meaning.place_of,
    ir.Contents: lambda n, e: n.held(e.place),
    ir.ItemOf: Meaning.item_of,
    ir.TopOf: Meaning.top_of,
    ir.Domain: lambda n, e: n.layout.domain(e.of),
    ir.PlayersFrom: lambda n, e: n.players_from(n.present(e.start)),
    ir.Neighbour: lambda n, e: clockwise(n, n.present(e.player), e.step),
    ir.SideOf: lambda n, e: n.layout.side_of[n.present(e.player)],
    ir.PlayersOf: lambda n, e: on_side(n, n.present(e.side)),
    ir.PartnersOf: lambda n, e: partners(n, n.present(e.player)),
    ir.Playing: lambda n, e: n.present(e.player) < n.layout.players,
    ir.PlayerCount: lambda n, e: n.layout.players,
    ir.NumberOf: lambda n, e: n.present(e.of) + 1,
    ir.Range: Meaning.range_of,
    Paid: lambda n, e: n.value(e.set),
    PaidValue: lambda n, e: n.value(e.value),
    ir.ListOf: lambda n, e: tuple(n.value(item) for item in e.items),
    ir.CallFunction: Meaning.call,
    ir.Not: lambda n, e: not n.value(e.operand),
    ir.And: lambda n, e: n.value(e.left) and n.value(e.right),
    ir.Or: lambda n, e: n.value(e.left) or n.value(e.right),
    ir.Compare: Meaning.compare,
    ir.Arithmetic: Meaning.arithmetic,
    ir.Divide: Meaning.divide,
    ir.Conditional: lambda n, e: n.value(e.then if n.value(e.condition) else e.otherwise),
    ir.Includes: Meaning.includes,
    ir.IsEmpty: lambda n, e: not n.value(e.set),
    ir.Exists: lambda n, e: any(True for _ in n.found(e.binder)),
    ir.Every: Meaning.every,
    ir.Count: lambda n, e: sum(1 for _ in n.found(e.binder)),
    ir.SumOf: Meaning.sum_of,
    ir.Subsets: Meaning.subsets,
    ir.Extreme: Meaning.extreme,
    ir.Filter: lambda n, e: tuple(n.found(e.binder)),
    ir.Collect: Meaning.collect,
    ir.The: Meaning.the,
    ir.Supposing: Meaning.supposing,
    ir.SupposingDone: Meaning.supposing_done,
    ir.Appearances: Meaning.appearances,
    ir.Around: lambda n, e: n.around(n.present(e.of), e.diagonal),
    ir.Beside: Meaning.step,
    ir.Occupied: lambda n, e: n.occupied(e.family),
    ir.OpenPlaces: lambda n, e: n.open_places(e.family),
    ir.Walk: Meaning.walk,
    ir.Along: Meaning.along,
    ir.FarEnd: Meaning.far_end,
    ir.PathLength: Meaning.path_length,
    ir.Region: Meaning.region,
    ir.Border: Meaning.border,
    ir.EndOf: Meaning.end_of,
    ir.Combine: Meaning.combine,
}


# ---------------------------------------------------------------- choices


def choices(layout: Layout, state: State, ask: ir.Ask, seat: int) -> list[Reply]:
    """Everything a seat may reply to a question, `pass` aside; pieces that look alike each."""
    return [
        (number, values)
        for number, alternative in enumerate(ask.alternatives)
        for values in ways(Meaning(layout, state, slots_of(state, ask, seat)), alternative)
    ]


def ways(meaning: Meaning, alternative: ir.Alternative) -> Iterator[tuple[Value, ...]]:
    """The ways to choose an alternative: what can be said of it, and is allowed. A path of many
    steps goes more ways than anybody can go to their end, so a guard is asked for the first time as
    soon as it can be."""
    due = asked_after(alternative)
    for values in sayable(meaning, alternative, due):
        if allowed(meaning, alternative, values):
            yield values


def asked_after(alternative: ir.Alternative) -> list[list[ir.Guard]]:
    """The guards that can be asked before any part is chosen, after the first, after the second …
    A guard needs the parts that it speaks of, and those of the guards whose names it reads."""
    known = {
        slot: after
        for after, part in enumerate(alternative.parts, 1)
        for slot in (part.set_slot, *bound_slots(part))
    }
    found: list[list[ir.Guard]] = [[] for _ in range(len(alternative.parts) + 1)]
    for guard in alternative.guards:
        own = bound_slots(guard.condition)
        read = set(slots_read(guard.condition)) - own
        after = max((known.get(slot, 0) for slot in read), default=0)
        found[after].append(guard)
        known.update(dict.fromkeys(own, after))
    return found


def slots_of(state: State, ask: ir.Ask, seat: int) -> Slots:
    """The slots as they are when this seat is asked."""
    slots = state.stack[-1].slots.copy()
    if ask.each is not None:
        slots[ask.each.slot] = seat
    return slots


def sayable(
    meaning: Meaning,
    alternative: ir.Alternative,
    due: Sequence[Sequence[ir.Guard]] = (),
    position: int = 0,
) -> Iterator[tuple[Value, ...]]:
    """The product of what the parts may be, before any guard is asked; or without the ways that are
    refused by a guard that was due."""
    if due and not all(meaning.value(guard.condition) for guard in due[position]):
        return
    if position == len(alternative.parts):
        yield ()
        return
    part = alternative.parts[position]
    members = list(meaning.found(part.binder))
    slot = part.set_slot if part.several else part.binder.slot
    for value in subsets(members) if part.several else members:
        meaning.slots[slot] = value
        for rest in sayable(meaning, alternative, due, position + 1):
            yield value, *rest


def subsets(members: list[Value]) -> Iterator[tuple[Value, ...]]:
    for size in range(len(members) + 1):
        yield from combinations(members, size)


def allowed(meaning: Meaning, alternative: ir.Alternative, values: tuple[Value, ...]) -> bool:
    """Whether sizes, the guards of every member and the guards of the whole all agree."""
    chosen = list(zip(alternative.parts, values, strict=True))
    for part, value in chosen:
        meaning.slots[part.set_slot if part.several else part.binder.slot] = value
    for (part, value), guards in zip(chosen, alternative.member_guards, strict=True):
        if part.several:
            if part.least is not None and len(value) < meaning.value(part.least):
                return False
            if part.most is not None and len(value) > max(0, meaning.value(part.most)):
                return False
            for member in value:
                meaning.slots[part.binder.slot] = member
                if not all(meaning.value(guard.condition) for guard in guards):
                    return False
    return all(meaning.value(guard.condition) for guard in alternative.guards)
