"""Enumerates subsets: by size, then in the order listed.

Members that look the same are interchangeable: one is only taken if all equal ones before it are.
The state of a search is in the arena (`Search` describes it).

Few members whose equals are adjacent are enumerated by arithmetic on masks (`_next_mask`): of all
masks of a size the next lower one, in which the highest bit stands for the first member. That is
the order wanted.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate, combinations
from math import comb
from operator import or_

from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.machines.compiled.runtime.moving import has
from lawspeaker.machines.compiled.runtime.plan import ConstantTable, Plan
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Expr,
    Load,
    Variable,
    const,
    either,
    lesser,
    long,
    long_at,
    word,
)
from lawspeaker.machines.planned.questions import SMALL

_HEAD = 64
"""The bytes before the arrays of a search."""
_FEW = 14
"""Up to so many members are enumerated by arithmetic."""
_COUNTED = 15
"""The number of subsets of up to so many members is in a table: these are not yet too many
options."""
_HIGHEST_BIT = 1 << 63


def tables(plan: Plan) -> tuple[int, ConstantTable]:
    """Returns the subsets of 0, 1, 2 … members in their order, a byte each with the first member in
    the highest bit; and the index where those of each number of members and each size begin."""
    masks: list[int] = []
    starts: list[int] = []
    for number in range(SMALL + 1):
        for size in range(SMALL + 2):
            starts.append(len(masks))
            for positions in combinations(range(number), size):
                masks.append(sum(128 >> position for position in positions))
    return plan.constant(bytes(masks), 1), plan.table(starts)


def words(room: int) -> int:
    """Returns the words of a search among so many members."""
    return _HEAD // 4 + 4 * room + 1


class Search:
    """The state of a search at an address."""

    def __init__(self, at: Expr) -> None:
        self.at = at
        # The number of members, the size of a subset, and the greatest size.
        self.number, self.size, self.high = word(at), word(at, 4), word(at, 8)
        # The number taken, the position of the next candidate, and whether subsets of this size are
        # being enumerated.
        self.depth, self.position, self.going = word(at, 12), word(at, 16), word(at, 20)
        # The list of the members, and the capacity of each array.
        self.listed, self.room = word(at, 24), word(at, 28)
        # The subset found as a mask, the members left out of it, and those that look like their
        # predecessor.
        self.mask, self.left_out, self.equal = long_at(at, 32), long_at(at, 40), long_at(at, 48)
        self.by_masks = word(at, 56)  # whether mask arithmetic is used

    def equal_before(self, position: Expr) -> Load:
        """The position of the nearest equal member before one, or -1."""
        return self._entry(0, position)

    def is_taken(self, position: Expr) -> Load:
        return self._entry(1, position)

    def taken(self, depth: Expr) -> Load:
        """The position that was taken first, second and so on."""
        return self._entry(2, depth)

    def result(self) -> Expr:
        """The list of the subset found."""
        return self.at + self.room * 12 + _HEAD

    def member(self, position: Expr) -> Load:
        return word(self.listed + (position << 2), 4)

    def _entry(self, array: int, number: Expr) -> Load:
        start = self.at + self.room * (4 * array) if array else self.at
        return word(start + (number << 2), _HEAD)


@routine("subsets")
def begin(
    unit: Unit,
    of: int | None,
    f: Body,
    at: Variable,
    listed: Variable,
    low: Variable,
    high: Variable,
    room: Variable,
) -> None:
    """(search, list, low, high, room): initialises a search"""
    search = Search(at)
    f.set(search.equal, 0)
    f.set(search.by_masks, word(listed) <= _FEW)
    f.set(search.size, low)
    f.set(search.high, high)
    f.set(search.listed, listed)
    f.set(search.room, room)
    f.set(search.number, word(listed))
    f.set(search.going, 0)
    with f.each_number("position", 0, search.number) as position:
        f.set(search.is_taken(position), 0)
        f.set(search.equal_before(position), -1)
        if of is not None:
            _find_equal(unit, f, search, of, position)


def _find_equal(unit: Unit, f: Body, search: Search, of: int, position: Variable) -> None:
    """Finds the nearest earlier member that looks like the one at a position."""
    before = f.let("before", position)
    with f.while_(before != 0) as looking:
        f.add(before, -1)
        alike = look_alike(unit, of)(search.member(before), search.member(position))
        with f.if_(alike):
            f.set(search.equal_before(position), before)
            with f.if_(before + 1 != position):
                # It is not adjacent: mask arithmetic is not possible.
                f.set(search.by_masks, 0)
            with f.else_():
                bit = long(1) << (search.number - 1 - position)
                f.set(search.equal, search.equal | bit)
            f.leave(looking)


@routine("next_mask", returns=I32)
def following_mask(unit: Unit, f: Body, at: Variable) -> None:
    """(search) -> whether there is another subset, as a mask"""
    search = Search(at)
    with f.if_(search.by_masks):
        _next_mask(f, search)
    with f.if_(following(unit)(at) == 0):
        f.return_(0)
    mask = f.let("mask", 0, I64)
    depth = f.let("depth", word(search.result()))
    with f.down_to_0(depth):
        f.set(mask, mask | (long(_HIGHEST_BIT) >> search.taken(depth)))
    f.set(search.mask, mask)
    f.return_(1)


def _next_mask(f: Body, search: Search) -> None:
    """Returns from the function with the next mask, or with none.

    `left` has a bit for each member that is left out. The next higher number with as many bits is
    found by Gosper's hack: the lowest run of ones is moved up by one, the rest of it to the end.
    """
    number = f.let("number", search.number.to_long())
    left, taken = f.let("left", 0, I64), f.let("taken", 0, I64)
    with f.loop() as again:
        with f.if_(search.going):
            f.set(left, search.left_out)
            with f.if_(left == 0):
                _larger(f, search)
                f.again(again)
            low = f.let("low", left & (0 - left))
            higher = f.let("higher", low + left)
            f.set(left, higher | (((left ^ higher) >> 2) >> low.lowest_bit()))
            with f.if_((left >> number) != 0):
                _larger(f, search)
                f.again(again)
        with f.else_():
            with f.if_(search.size > search.high):
                f.return_(0)
            f.set(search.going, 1)
            f.set(left, _ones(number - search.size.to_long()))
        f.set(search.left_out, left)
        f.set(taken, left ^ _ones(number))
        # A member that looks like its predecessor is only taken with it.
        f.leave(again, (taken & search.equal & ~(taken >> 1)) == 0)
    f.set(search.mask, taken << (64 - number))
    f.return_(1)


def _ones(number: Expr) -> Expr:
    """Returns a mask of so many bits."""
    return (long(1) << number) - 1


def _larger(f: Body, search: Search) -> None:
    """Continues with the next size."""
    f.add(search.size, 1)
    f.set(search.going, 0)


@routine("next_subset", returns=I32)
def following(unit: Unit, f: Body, at: Variable) -> None:
    """(search) -> whether there is another subset"""
    search = Search(at)
    position, depth, size = f.let("position", 0), f.let("depth", 0), f.let("size", 0)
    with f.loop() as larger:
        f.set(size, search.size)
        with f.if_(search.going == 0):
            _begin_size(f, search, size)
        f.set(position, search.position)
        f.set(depth, search.depth)
        with f.loop() as on:
            with f.if_(position > search.number - (size - depth)):
                _go_back(f, search, position, depth, size)
                f.again(larger, depth < 0)
                f.again(on)
            with f.if_(_is_barred(f, search, position)):
                f.add(position, 1)
                f.again(on)
            f.set(search.taken(depth), position)
            f.set(search.is_taken(position), 1)
            f.add(depth, 1)
            f.leave(on, depth >= size)
            f.add(position, 1)
        _write_result(f, search, size)
        f.set(search.is_taken(position), 0)
        f.set(search.position, position + 1)
        f.set(search.depth, depth - 1)
        f.return_(1)


def _begin_size(f: Body, search: Search, size: Expr) -> None:
    """Starts the subsets of a size (size 0 has exactly one); returns from the function if there are
    no more."""
    with f.if_(size > search.high):
        f.return_(0)
    with f.if_(size == 0):
        f.set(word(search.result()), 0)
        f.set(search.size, 1)
        f.return_(1)
    f.set(search.going, 1)
    f.set(search.depth, 0)
    f.set(search.position, 0)


def _go_back(f: Body, search: Search, position: Variable, depth: Variable, size: Expr) -> None:
    """Backtracks from the last position taken; at depth 0 the size is done."""
    f.add(depth, -1)
    with f.if_(depth < 0):
        f.set(search.size, size + 1)
        f.set(search.going, 0)
    with f.else_():
        f.set(position, search.taken(depth))
        f.set(search.is_taken(position), 0)
        f.add(position, 1)


def _is_barred(f: Body, search: Search, position: Expr) -> Expr:
    """Returns whether an equal member before this position is not taken."""
    before = f.let("before", search.equal_before(position))
    return either(before >= 0, search.is_taken(before) == 0, 0)


def _write_result(f: Body, search: Search, size: Expr) -> None:
    result = f.let("result", search.result())
    f.set(word(result), size)
    depth = f.let("depth", 0)
    with f.loop() as written:
        f.set(word(result + (depth << 2), 4), search.member(search.taken(depth)))
        f.add(depth, 1)
        f.leave(written, depth >= size)


@routine("look_alike", returns=I32)
def look_alike(unit: Unit, of: int, f: Body, one: Variable, two: Variable) -> None:
    """(piece, piece) -> whether they are indistinguishable: in a row, position distinguishes
    them"""
    plan = unit.plan
    rows = [f for f in plan.families if f.of.holds == of and f.of.arranged == "row"]
    for column in (plan.table(unit.layout.alike), plan.where, *plan.states[of]):
        with f.if_(column[one] != column[two]):
            f.return_(0)
    if rows:
        with f.if_(reduce(or_, (has(family, plan.where[one]) for family in rows))):
            f.return_(0)
    f.return_(1)


@routine("ways", returns=I32)
def ways(unit: Unit, f: Body, members: Variable, least: Variable, most: Variable) -> None:
    """(members, least, most) -> the number of subsets, or one more than the most options"""
    rows = [[comb(number, size) for size in range(_COUNTED + 1)] for number in range(_COUNTED + 1)]
    smaller = unit.plan.table([each for row in rows for each in accumulate(row, initial=0)])
    f.set(most, lesser(most, members))
    with f.if_(least > most):
        f.return_(0)
    with f.if_(members <= _COUNTED):
        row = members * (_COUNTED + 2)
        f.return_(smaller[row + most + 1] - smaller[row + least])
    total = f.let("total", 0, I64)
    with f.each_number("size", least, most + 1) as size:
        found = f.let("found", 1, I64)
        taken = f.let("taken", members - size)
        f.set(taken, lesser(taken, size))
        with f.each_number("at", 0, taken) as at:
            f.set(found, found * (members - at).to_long() // (at + 1).to_long())
            _return_if_too_many(f, found)
        f.add(total, found)
        _return_if_too_many(f, total)
    f.return_(total.to_word())


def _return_if_too_many(f: Body, number: Expr) -> None:
    with f.if_(number > MOST_OPTIONS):
        f.return_(const(MOST_OPTIONS + 1))
