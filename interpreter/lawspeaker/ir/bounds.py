"""Interval analysis: bounds of numbers and of the sizes of sets.

Every value of an expression lies within its interval, in any position; a fault yields no value. An
interval never exceeds `SMALLEST` and `LARGEST`, and the trivial one is `ANY`.

The type of a slot says nothing about its value: a named range is a promise of the author, which is
only checked for markers and states. So a slot can hold anything, except for members that a binder
takes from a set within an expression, and local names of a definition.

`Bounds` knows the program at most. Subclasses know more (the number of players, constants).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from types import MappingProxyType
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import Paid
from lawspeaker.ir.subsets import MOST_CHOSEN, MOST_OPTIONS, subset_count
from lawspeaker.ir.walk import code_of, everything

Interval = tuple[int, int]
ANY: Interval = (ir.SMALLEST, ir.LARGEST)
LONGEST = 4096
"""The most numbers in a range `a..b`, and in a union of two sets of numbers. All other sets are
bounded by the things that exist."""

_MOST_FACTORS = 32
"""A product of so many factors above one surely overflows."""
Frame = Mapping[int, Interval]
"""Intervals of known slots; for a slot that holds a set, of its members."""
NO_SLOTS: Frame = MappingProxyType({})

_REPEATING = (ir.ListOf, ir.Collect, ir.ChoiceValue, ir.WordColumn, ir.KindColumn)
"""Nodes that make lists with duplicates; all other sets have none."""
_OF_NUMBERS = (*_REPEATING, ir.Domain)
"""Nodes that make sets of numbers longer than a range."""


class Bounds:
    """Interval analysis of the expressions of a program."""

    longest = ir.LARGEST
    """The most members of an unknown set."""

    def __init__(self, program: ir.Program | None = None) -> None:
        self.program = program
        self._results: dict[int, Interval] = {}
        self._sizes: dict[int, int] = {}
        self._overfull: set[int] | None = None
        self._slots: dict[int, int] = {}
        self._numbers: dict[tuple[object, ...], tuple[ir.Expr, Interval]] = {}
        self._members: dict[tuple[object, ...], tuple[ir.Expr, int]] = {}
        self._repeating: dict[ir.Type, int] = {}
        self._made: dict[ir.Type, list[ir.Expr]] | None = None

    # ------------------------------------------------------------ refined by subclasses

    def values(self, expr: ir.Expr) -> Iterable[Any] | None:
        """Returns all values of an expression, if they are constant."""
        program = self.program
        match expr:
            case ir.Const(value=value):
                return (value,)
            case ir.WordColumn(word_set=number, column=column) if program is not None:
                return _each(row[column] for row in program.word_sets[number].rows)
            case ir.KindColumn(piece=number, column=column) if program is not None:
                return _each(kind.values[column] for kind in program.pieces[number].kinds)
            case ir.ChoiceValue(choice=number) if program is not None:
                return program.choices[number].values
            case ir.ChoiceItem(choice=number) if program is not None:
                choice = program.choices[number]
                lists = (each if isinstance(each, tuple) else (each,) for each in choice.values)
                return [*(item for each in lists for item in each), choice.beyond]
        return None

    def unknown(self, expr: ir.Expr) -> Interval:
        """Returns the interval of an unknown number."""
        return ANY

    def things(self, of: ir.Type) -> int:
        """Returns how many things of a type there are."""
        return of.high - of.low + 1 if isinstance(of, ir.NumberType) and of.listed else ir.LARGEST

    def pieces(self, family: int) -> int:
        """Returns how many pieces exist that the places of a family can hold."""
        return ir.LARGEST

    def held(self, family: int) -> int:
        """Returns the most pieces in one place of a family: its capacity, unless more start
        there."""
        room = None if self.program is None else self.program.families[family].room
        if room is None or self.program is None:
            return self.pieces(family)
        starting = 0
        for piece in self.program.pieces:
            number = sum(kind.count for kind in piece.kinds if kind.starts == family)
            starting += number * (self.players()[1] if piece.per_player else 1)
        return min(self.pieces(family), max(room, starting))

    def at_once(self, family: int) -> int:
        """Returns the same, also for places into which hypothetical moves may put more pieces."""
        if self._overfull is None:
            nodes = () if self.program is None else everything(code_of(self.program))
            supposed = (each.place.type for each in nodes if isinstance(each, ir.Supposing))
            self._overfull = {
                of.index for of in map(ir.plain, supposed) if isinstance(of, ir.PlaceType)
            }
        return self.pieces(family) if family in self._overfull else self.held(family)

    def words(self, position: int) -> int:
        """Returns the most values of an encoded position: for each piece in one of its places the
        looks and states, and the values of its markers."""
        assert self.program is not None
        counted = self.program.positions[position]
        total = sum(self._entries(self.program.markers[each]) for each in counted.markers)
        for number in counted.families:
            family = self.program.families[number]
            look = 1 + sum(map(self._entries, self.program.pieces[family.holds].states))
            total += self.things(ir.PlaceType(family.name, number)) * self.at_once(number) * look
        return total

    def _entries(self, shown: ir.Marker | ir.State) -> int:
        return prod(self.things(index.type) for index in shown.indices)

    def longest_line(self, family: int) -> int:
        """Returns the most places on a walk over a grid."""
        return ir.LARGEST

    def players(self) -> Interval:
        return (0, ir.LARGEST)

    # ------------------------------------------------------------ numbers

    def number(self, expr: ir.Expr, frame: Frame = NO_SLOTS) -> Interval:
        """Returns the interval of a number; for a set, of its members. Cached, since nested
        expressions are visited repeatedly."""
        if isinstance(expr, ir.Local):
            return frame.get(expr.slot) or self.unknown(expr)
        key = (id(expr), self.context, *sorted(frame.items()))
        if key not in self._numbers:
            self._numbers[key] = (expr, self._number(expr, frame))
        return self._numbers[key][1]

    @property
    def context(self) -> tuple[object, ...]:
        """The facts known of the current slots; a part of cache keys."""
        return tuple(self._slots.items())

    def _number(self, expr: ir.Expr, frame: Frame) -> Interval:
        known = self.values(expr)
        if known is not None:
            return _of_values(known)
        match expr:
            case ir.MarkerValue(marker=number) if self.program is not None:
                return declared(self.program.markers[number].type)
            case ir.PieceState(piece=number, state=state) if self.program is not None:
                return declared(self.program.pieces[number].states[state].type)
            case ir.PlaceIndex(type=of) | ir.Domain(of=of):
                return declared(of)
            case ir.Along(network=network) if self.program is not None:
                return (1, max(1, len(self.program.networks[network].ends)))
            case ir.PlayerCount():
                return self.players()
            case ir.Appearances(position=number) if self.program is not None:
                return (0, self.program.positions[number].last)
            case ir.NumberOf(of=of):
                return (1, self.things(ir.plain(of.type)))
            case ir.Count(binder=binder):
                return (0, self.members(binder.source))
            case ir.Arithmetic(operator=sign, left=left, right=right):
                return clipped(worked(sign, self.number(left, frame), self.number(right, frame)))
            case ir.Divide(left=left, right=right, up=up):
                return _divided(self.number(left, frame), self.number(right, frame), up)
            case ir.Range(low=low, high=high):
                return (self.number(low, frame)[0], self.number(high, frame)[1])
            case ir.ListOf(items=items):
                return hull(*(self.number(each, frame) for each in items))
            case ir.Combine(left=left, right=right, without=without):
                one = self.number(left, frame)
                return one if without else hull(one, self.number(right, frame))
            case ir.Conditional(then=then, otherwise=otherwise):
                return hull(self.number(then, frame), self.number(otherwise, frame))
            case ir.EndOf(set=several) | ir.ItemOf(place=several) | Paid(set=several):
                return self.number(several, frame)
            case ir.Filter(binder=binder) | ir.The(binder=binder):
                return self.number(binder.source, frame)
            case ir.Subsets(source=several):
                return self.number(several, frame)
            case ir.Collect(binder=binder, value=value):
                return self.number(value, self._inside(binder, frame))
            case ir.SumOf(binder=binder, value=value, product=product):
                each = self.number(value, self._inside(binder, frame))
                return clipped(added(each, self.members(binder.source), product))
            case ir.PathLength(binder=binder, value=value, otherwise=otherwise):
                own = self.number(value, self._inside(binder, frame))
                each = max(0, own[0]), max(0, own[1])
                length = clipped(worked("*", each, (0, self.members(binder.source))))
                return hull(length, self.number(otherwise, frame))
            case ir.Extreme(binder=binder, value=value, otherwise=otherwise):
                own = self.number(value, self._inside(binder, frame))
                return own if otherwise is None else hull(own, self.number(otherwise, frame))
            case ir.CallFunction(function=number) if self.program is not None:
                return self._result(self.program.functions[number], number)
        return self.unknown(expr)

    def _inside(self, binder: ir.Binder, frame: Frame) -> Frame:
        """Returns the frame inside a binder."""
        return {**frame, binder.slot: self.number(binder.source, frame)}

    def _result(self, function: ir.Function, number: int) -> Interval:
        """Returns the interval of a definition, for any arguments."""
        if number not in self._results:
            frame: dict[int, Interval] = {}
            for slot, value in function.lets:
                frame[slot] = self.number(value, frame)
            self._results[number] = self.number(function.result, frame)
        return self._results[number]

    # ------------------------------------------------------------ sets

    def members(self, expr: ir.Expr) -> int:
        """Returns the most members of a set."""
        key = (id(expr), self.context)
        if key not in self._members:
            self._members[key] = (expr, self._count(expr))
        return self._members[key][1]

    def _count(self, expr: ir.Expr) -> int:
        known = self.values(expr)
        if known is not None:
            return max((len(each) for each in known if each is not None), default=0)
        match expr:
            case ir.Local(slot=slot) if slot in self._slots:
                return self._slots[slot]
            case ir.Contents(place=place):
                of = ir.plain(place.type)
                return self.held(of.index) if isinstance(of, ir.PlaceType) else ir.LARGEST
            case ir.Occupied(family=family):
                return self.pieces(family)
            case ir.OpenPlaces(family=family):
                # n connected squares border on at most 2n + 2 others, separate ones on 4n.
                return min(ir.LARGEST, self._around(family, False) * self.pieces(family))
            case ir.Along(network=network, of=of):
                return self._along(network, ir.plain(of.type))
            case ir.Around(family=family, diagonal=diagonal):
                return self._around(family, diagonal)
            case ir.Walk(family=family, binder=binder):
                line = self.longest_line(family)
                taken = self._is_taken(binder.where, binder.slot)
                return min(line, self.pieces(family)) if taken else line
            case ir.Region(standing=standing, step=step):
                most = self.things(step.type)
                if isinstance(step.type, ir.PlaceType) and self._is_taken(step.where, step.slot):
                    most = min(most, self.members(standing.source) + self.pieces(step.type.index))
                return most
            case ir.Border(family=family, of=several, diagonal=diagonal, type=of):
                most = self._around(family, diagonal) * self.members(several)
                return min(most, self.things(of.of)) if isinstance(of, ir.SetType) else most
            case ir.PlayersFrom() | ir.Domain(of=ir.PlayerType()):
                return self.players()[1]
            case ir.PlayersOf() | ir.PartnersOf():
                return self.players()[1]
            case ir.Domain(of=of):
                return self.things(of)
            case ir.ListOf(items=items):
                return len(items)
            case ir.Range(low=low, high=high):
                room = self.number(high)[1] - self.number(low)[0] + 1
                return min(self.longest, max(0, room))
            case ir.Filter(binder=binder) | ir.Collect(binder=binder):
                return self.members(binder.source)
            case Paid(set=several):
                return self.members(several)
            case ir.Subsets():
                return min(MOST_OPTIONS, self.combinations(expr))  # more than that is a fault
            case ir.The(binder=ir.Binder(source=ir.Subsets() as several)):
                return self.largest(several)
            case ir.The(binder=ir.Binder(source=Paid(set=ir.Subsets() as several))):
                return self.largest(several)
            case ir.Combine(left=left, without=True):
                return self.members(left)
            case ir.Combine(left=left, right=right, type=of):
                most = self.longest if is_of_numbers(of) else ir.LARGEST
                return min(most, self.members(left) + self.members(right))
            case ir.Conditional(then=then, otherwise=otherwise):
                return max(self.members(then), self.members(otherwise))
            case ir.CallFunction(function=number) if self.program is not None:
                if number not in self._sizes:
                    with self.inside(self.program.functions[number].lets):
                        result = self.program.functions[number].result
                        self._sizes[number] = self.members(result)
                return self._sizes[number]
        return self.of_set(expr.type)

    def combinations(self, expr: ir.Subsets) -> int:
        """Returns the most combinations, or one more than the limit."""
        low = 1 if expr.least is None else max(1, self.number(expr.least)[0])
        high = ir.LARGEST if expr.most is None else self.number(expr.most)[1]
        return subset_count(self.members(expr.source), low, high)

    def largest(self, expr: ir.Subsets) -> int:
        """Returns the most members of a combination."""
        most = self.members(expr.source)
        if expr.most is not None:
            most = min(most, max(0, self.number(expr.most)[1]))
        elif expr.least is None:
            most = min(most, MOST_CHOSEN)
        return most

    def _around(self, family: int, diagonal: bool) -> int:
        """Returns the most neighbours of a place."""
        if self.program is None:
            return ir.LARGEST
        of = self.program.families[family]
        points = {point for line in of.lines for point in line}
        joined = (len(of.joined(point)) for point in points)
        return max(joined, default=len(of.steps(diagonal)))

    def _along(self, network: int, of: ir.Type) -> int:
        """Returns the most connections of a thing, or things of a connection."""
        if self.program is None:
            return ir.LARGEST
        joined = self.program.networks[network]
        passed = Counter(each for ends in joined.ends for each in set(ends))
        connections = of == joined.joins
        return max(passed.values() if connections else map(len, joined.ends), default=0)

    def _is_taken(self, test: ir.Expr | None, slot: int) -> bool:
        """Returns whether a test implies that a place is occupied."""
        match test:
            case ir.And(left=left, right=right):
                return self._is_taken(left, slot) or self._is_taken(right, slot)
            case (
                ir.Not(operand=ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=at))))
                | ir.Exists(binder=ir.Binder(source=ir.Contents(place=ir.Local(slot=at))))
            ):
                return at == slot
            case ir.CallFunction(function=number, arguments=arguments) if self.program is not None:
                result = self.program.functions[number].result
                return any(
                    isinstance(each, ir.Local) and each.slot == slot and self._is_taken(result, at)
                    for at, each in enumerate(arguments)
                )
        return False

    @contextmanager
    def inside(
        self, lets: Iterable[tuple[int, ir.Expr]], sizes: Iterable[tuple[int, int]] = ()
    ) -> Iterator[None]:
        """Sets the current slots to those of a clause or a definition: sets assigned by `lets`, and
        sets of at most the given `sizes`."""
        outer, self._slots = self._slots, dict(sizes)
        for slot, value in lets:
            if isinstance(value.type, ir.SetType):
                self._slots[slot] = max(self._slots.get(slot, 0), self.members(value))
        yield
        self._slots = outer

    @contextmanager
    def having(self, slot: int, members: int) -> Iterator[None]:
        """Adds a slot with a set of at most so many members."""
        outer = self._slots
        self._slots = {**outer, slot: members}
        yield
        self._slots = outer

    def of_set(self, of: ir.Type) -> int:
        """Returns the most members of any set of this type."""
        member = ir.plain(of)
        while isinstance(member, ir.SetType):
            member = ir.plain(member.of)
        if self.program is None:
            return self.longest
        number = isinstance(member, ir.NumberType)
        member = ir.NUMBER if number else member
        if member not in self._repeating:
            self._repeating[member] = self.longest  # ends the recursion
            with self.inside(()):
                lists = [self.members(each) for each in self._lists(self.program, member)]
            self._repeating[member] = max(lists, default=0)
        return max(self.longest if number else self.things(member), self._repeating[member])

    def _lists(self, program: ir.Program, member: ir.Type) -> list[ir.Expr]:
        """Returns the expressions that make lists of a type with duplicates."""
        if self._made is None:
            self._made = {}
            for each in everything(code_of(program)):
                if not isinstance(each, _OF_NUMBERS) or not isinstance(each.type, ir.SetType):
                    continue
                if is_of_numbers(each.type):
                    self._made.setdefault(ir.NUMBER, []).append(each)
                elif isinstance(each, _REPEATING):
                    self._made.setdefault(ir.plain(each.type.of), []).append(each)
        return self._made.get(member, [])


class MostBounds(Bounds):
    """Bounds for the greatest number of players."""

    longest = LONGEST

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self.whole = program

    def things(self, of: ir.Type) -> int:
        match of:
            case ir.PlayerType():
                return max(self.whole.most, len(self.whole.player_names))
            case ir.WordType(index=index):
                return len(self.whole.word_sets[index].words)
            case ir.KindType(index=index):
                return len(self.whole.pieces[index].kinds)
            case ir.PieceType(index=index):
                return self._pieces(self.whole.pieces[index])
            case ir.PlaceType(index=index):
                columns = self.whole.families[index].indices
                return prod(self.things(column.type) for column in columns)
            case ir.TruthType():
                return 2
        return super().things(of)

    def _pieces(self, piece: ir.Piece) -> int:
        each = sum(kind.count for kind in piece.kinds)
        return each * self.whole.most if piece.per_player else each

    def pieces(self, family: int) -> int:
        return self._pieces(self.whole.pieces[self.whole.families[family].holds])

    def longest_line(self, family: int) -> int:
        ends = self.whole.families[family].indices[-2:]
        return max(
            each.type.high - each.type.low + 1
            for each in ends
            if isinstance(each.type, ir.NumberType)
        )

    def players(self) -> Interval:
        return (self.whole.fewest, self.whole.most)


def is_of_numbers(of: ir.Type) -> bool:
    """Returns whether a type is a set of numbers."""
    return isinstance(of, ir.SetType) and isinstance(ir.plain(of.of), ir.NumberType)


def declared(of: ir.Type) -> Interval:
    """Returns the range that a type names."""
    return (of.low, of.high) if isinstance(of, ir.NumberType) and of.listed else ANY


def worked(sign: str, one: Interval, two: Interval) -> Interval:
    """Returns the interval of an `Arithmetic`, before clipping."""
    match sign:
        case "+":
            return (one[0] + two[0], one[1] + two[1])
        case "-":
            return (one[0] - two[1], one[1] - two[0])
        case "*":
            corners = [a * b for a in one for b in two]
            return (min(corners), max(corners))
        case "smaller":
            return (min(one[0], two[0]), min(one[1], two[1]))
        case "larger":
            return (max(one[0], two[0]), max(one[1], two[1]))
        case "difference":
            apart = max(0, one[0] - two[1], two[0] - one[1])
            return (apart, max(one[1] - two[0], two[1] - one[0]))
    assert sign == "remainder", sign
    return (min(0, two[0] + 1), max(0, two[1] - 1))


def added(each: Interval, most: int, product: bool) -> Interval:
    """Returns the interval of the sum or the product of at most so many numbers."""
    if not product:
        return worked("*", each, (0, most))
    furthest = max(map(abs, each))
    high = 1 if furthest <= 1 else furthest ** min(most, _MOST_FACTORS)
    return (-high, high) if each[0] < 0 else (min(1, each[0]), high)


def clipped(interval: Interval) -> Interval:
    """Clips an interval to the numbers of the language; beyond is a fault, and so no value."""
    low, high = interval
    return (min(max(ir.SMALLEST, low), ir.LARGEST), max(min(ir.LARGEST, high), ir.SMALLEST))


def fits(interval: Interval) -> bool:
    """Returns whether an interval cannot overflow."""
    return interval[0] >= ir.SMALLEST and interval[1] <= ir.LARGEST


def _divided(one: Interval, two: Interval, up: bool) -> Interval:
    if 0 in two or two[0] < 0 < two[1]:
        # Division by 1 or -1 keeps the magnitude; by zero it faults. An end of an empty interval
        # (1..0) may be zero, too.
        most = max(map(abs, one))
        return clipped((-most, most))
    corners = [-(-a // b) if up else a // b for a in one for b in two]
    return clipped((min(corners), max(corners)))


def hull(*intervals: Interval) -> Interval:
    """Returns the smallest interval around some others."""
    lows, highs = zip(*intervals, strict=True) if intervals else ((ir.SMALLEST,), (ir.LARGEST,))
    return (min(lows), max(highs))


def _each(values: Iterable[ir.Entries]) -> list[ir.Constant]:
    """Returns all values of an attribute, including every entry of indexed ones."""
    return [each for value in values for each in (value if isinstance(value, tuple) else (value,))]


def _of_values(values: Iterable[Any]) -> Interval:
    found = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
    numbers = [int(each) for each in found if each is not None]
    return (min(numbers), max(numbers)) if numbers else ANY
