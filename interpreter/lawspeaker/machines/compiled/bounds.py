"""How large a number can be, and how many members a set can have, as far as the rules tell.

Numbers that surely fit into 32 bits need no check, and lists are given as much room as they can
ever need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import (
    LARGEST,
    SMALLEST,
    MaybeType,
    NumberType,
    PieceType,
    PlaceType,
    SetType,
    Type,
)
from lawspeaker.machines.lower.fold import Folder, plain

MOST_MEMBERS = 4096
"""Room for a list of which nothing is known; a longer one takes too many steps."""

Interval = tuple[int, int]
ANY: Interval = (SMALLEST, LARGEST)


class Bounds:
    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.layout = folder.layout
        self.program = folder.program

    def number(self, expr: ir.Expr) -> Interval:
        """The lowest and the highest value a number can have."""
        known = self.folder.constant(expr)
        if known is not None and isinstance(known[0], int):
            return (int(known[0]), int(known[0]))
        found = self.folder.attribute(expr)
        if found is not None:
            return _of_values(found[0])
        match expr:
            case ir.ChoiceItem(choice=number):
                items = self.folder.choice(number)
                beyond = self.program.choices[number].beyond
                return _of_values([*(items if isinstance(items, tuple) else (items,)), beyond])
            case ir.Count(binder=binder):
                return (0, self.members(binder.source))
            case ir.NumberOf(of=of):
                return (1, len(self.layout.domain(plain(of.type))) + 1)
            case ir.Conditional(then=then, otherwise=otherwise):
                return _both(self.number(then), self.number(otherwise))
            case ir.Arithmetic(operator=sign, left=left, right=right):
                return _clipped(_worked(sign, self.number(left), self.number(right)))
            case ir.SumOf(binder=binder, value=value):
                low, high = self.number(value)
                most = self.members(binder.source)
                return _clipped((min(0, low * most), max(0, high * most)))
            case ir.Extreme(value=value, otherwise=otherwise):
                own = self.number(value)
                return own if otherwise is None else _both(own, self.number(otherwise))
            case ir.CallFunction(function=number):
                return self._of_type(self.program.functions[number].result.type)
            case ir.MarkerValue(marker=number):
                return self._of_type(self.program.markers[number].type)
        return ANY

    def _of_type(self, of: Type) -> Interval:
        """Only a range that is kept by checks is certain: that of a marker or a state."""
        of = plain(of)
        if isinstance(of, NumberType):
            return (of.low, of.high) if of.listed else ANY
        return ANY

    def members(self, expr: ir.Expr) -> int:
        """How many members a set has at most."""
        known = self.folder.constant(expr)
        if known is not None:
            return len(known[0])
        match expr:
            case ir.Contents(place=place):
                of = plain(place.type)
                assert isinstance(of, PlaceType)
                return len(self.layout.pieces_of[self.program.families[of.index].holds])
            case ir.PlayersFrom():
                return self.layout.players
            case ir.ListOf(items=items):
                return len(items)
            case ir.Filter(binder=binder) | ir.Collect(binder=binder):
                return self.members(binder.source)
            case ir.Conditional(then=then, otherwise=otherwise):
                return max(self.members(then), self.members(otherwise))
            case ir.Combine(left=left, right=right, without=without):
                return self.members(left) + (0 if without else self.members(right))
            case ir.Around(diagonal=diagonal):
                return 8 if diagonal else 4
            case ir.Walk(family=number):
                return max(map(len, self.layout.index_domains[number][-2:]))
            case ir.CallFunction(function=number):
                return self.members(self.program.functions[number].result)
            case ir.Occupied(family=number):
                return len(self.layout.pieces_of[self.program.families[number].holds])
            case ir.OpenPlaces(family=number):
                return 4 * len(self.layout.pieces_of[self.program.families[number].holds])
            case ir.Range(low=low, high=high):
                return min(MOST_MEMBERS, max(0, self.number(high)[1] - self.number(low)[0] + 1))
        return self.of_set(expr.type)

    def of_set(self, of: Type) -> int:
        """How many members a set of this type has at most, each there once."""
        inner = plain(of)
        while isinstance(inner, SetType):
            inner = plain(inner.of)
        if isinstance(inner, NumberType) and not inner.listed:
            return MOST_MEMBERS
        if isinstance(inner, PieceType | PlaceType) or not isinstance(inner, MaybeType):
            try:
                return min(MOST_MEMBERS, len(self.layout.domain(inner)))
            except ValueError:
                return MOST_MEMBERS
        return MOST_MEMBERS


def _of_values(values: Sequence[Any]) -> Interval:
    numbers = [int(value) for value in values if isinstance(value, int)]
    return (min(numbers), max(numbers)) if numbers else ANY


def _both(one: Interval, two: Interval) -> Interval:
    return (min(one[0], two[0]), max(one[1], two[1]))


def _worked(sign: str, one: Interval, two: Interval) -> Interval:
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
    largest = max(abs(two[0]), abs(two[1]))
    return (-largest, largest)


def _clipped(interval: Interval) -> Interval:
    return (max(SMALLEST, interval[0]), min(LARGEST, interval[1]))


def fits(interval: Interval) -> bool:
    """Whether all of it has 32 bits."""
    return interval[0] >= SMALLEST and interval[1] <= LARGEST


def worked(sign: str, one: Interval, two: Interval) -> Interval:
    """The range of a sum, difference or product before it is checked."""
    return _worked(sign, one, two)
