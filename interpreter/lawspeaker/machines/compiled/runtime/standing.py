"""Code for who is ahead and who has won, by the goal of a game and its sides.

What `position/standing.py` says of a state, said of memory. The points of a side are kept with the
first of its players.
"""

from __future__ import annotations

from functools import reduce
from operator import add

from lawspeaker import ir
from lawspeaker.ir.progress import Least, Missing, Term
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import luck
from lawspeaker.machines.compiled.runtime.held import Held
from lawspeaker.machines.compiled.runtime.plan import Column
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Expr,
    Function,
    Variable,
    const,
    long,
    select,
    word,
)

CAUTION = 4
"""By so many times less progress counts than a victory, at most."""


@routine("by_goal", returns=I32)
def by_goal(unit: Unit, f: Body) -> None:
    """() -> the list of those who win if nobody is named, which lies in a place of its own"""
    plan, sides = unit.plan, range(len(unit.layout.sides))
    if unit.program.goal is ir.Goal.NAMED:
        f.return_(plan.listing(()))
        return
    best = f.let("best", points(unit, 0))
    for side in sides[1:]:
        own = points(unit, side)
        f.set(best, select(is_better(unit, own, best), own, best))
    winning = {seat: points(unit, _side(unit, seat)) == best for seat in unit.layout.seats}
    f.return_(_listed(unit, f, winning))


@routine("together", returns=I32)
def together(unit: Unit, f: Body, listed: Variable) -> None:
    """(the list of those who are named) -> that of those who win, who are all on their sides"""
    named = f.let("named", 0, I64)
    with f.each_listed("seat", listed) as seat:
        f.set(named, named | (long(1) << seat))
    sides = {seat: _mask(unit, _side(unit, seat)) for seat in unit.layout.seats}
    f.return_(_listed(unit, f, {seat: (named & side) != 0 for seat, side in sides.items()}))


@routine("winning_sides", returns=I32)
def winning_sides(unit: Unit, f: Body) -> None:
    """() -> how many sides share the victory"""
    firsts = long(sum(1 << side[0] for side in unit.layout.sides))
    found = f.let("found", 0)
    with f.each_listed("winner", winners(unit)) as winner:
        f.add(found, (firsts >> winner).to_word() & 1)
    f.return_(found)


def winners(unit: Unit) -> Expr:
    """The list of those who have won."""
    return const(unit.plan.winner_count)


def victors(unit: Unit) -> Expr:
    """How many share the victory: those who have won, or their sides."""
    return winning_sides(unit)() if unit.program.sides else word(unit.plan.winner_count)


def points(unit: Unit, side: int) -> Expr:
    """The points of a side."""
    return word(unit.plan.scores + 4 * unit.layout.sides[side][0])


def worth(unit: Unit) -> int:
    """What it is worth to be ahead by one, in what `noted` has: points, or progress."""
    return 1 if unit.plan.progress else unit.program.goal.worth


def note(unit: Unit, f: Body) -> None:
    """What follows is asked about the situation as it is now: of points this is always so."""
    if unit.plan.progress:
        f.do(_note_progress(unit))


def noted(unit: Unit, side: int) -> Expr:
    """The points of a side as a long number; or its progress, as it was noted."""
    seat = unit.layout.sides[side][0]
    return word(unit.plan.standing + 4 * seat).to_long(signed=True)


def noted_of_seat(unit: Unit, seat: Expr) -> Expr:
    """The same of the side of a seat."""
    if not unit.program.sides:
        return Column(unit.plan.standing, 4)[seat].to_long(signed=True)
    return reduce(
        add,
        (
            select((long(_mask(unit, side)) >> seat).to_word() & 1, noted(unit, side), 0)
            for side in range(len(unit.layout.sides))
        ),
    )


def all_noted(unit: Unit, f: Body) -> tuple[Variable, Variable]:
    """The sum of what is noted of all, and how much that is at all, signs left out: of points what
    players have on average, times their number. Of progress it is several times all that is
    missing: a guess is not to outweigh who has won."""
    total, size = f.let("total", 0, I64), f.let("size", 0, I64)
    for seat in unit.layout.seats:
        own = f.let("own", word(unit.plan.standing + 4 * seat).to_long(signed=True))
        f.add(total, own)
        f.add(size, select(own >= 0, own, 0 - own))
    if unit.plan.progress:
        f.set(size, size * (CAUTION * unit.layout.players))
    return total, size


def _note_progress(unit: Unit) -> Function:
    """(): how near each side is to winning now, in numbers from 0 down; where all play together,
    how far they are from losing counts, too"""

    def write(f: Held) -> None:
        left = f.let("left", unit.left)
        for side, found in zip(unit.layout.sides, unit.plan.progress, strict=True):
            near = f.let("near", 0)
            if found.victory is not None:
                f.set(near, 0 - _missing(unit, f, found.victory))
            if found.defeat is not None:
                f.set(near, near + _missing(unit, f, found.defeat))
            f.set(word(unit.plan.standing + 4 * side[0]), near)
        f.set(unit.left, left)

    return unit.made(("progress",), 0, 0, write)


def _missing(unit: Unit, f: Held, what: Missing) -> Variable:
    """How much is missing, as a number."""
    if isinstance(what, Term):
        f.set(unit.left, unit.budget.to_long())
        code = Code(unit, f, what.clause)
        return f.let("missing", code.scoped_value(what.value))
    parts = [_missing(unit, f, each) for each in what.parts]
    found = f.let("found", parts[0])
    for each in parts[1:]:
        f.set(found, select(each < found, each, found) if isinstance(what, Least) else found + each)
    return found


def is_better(unit: Unit, one: Expr, other: Expr) -> Expr:
    """Whether the first of two sides' points are better for it than the others."""
    return one < other if unit.program.goal is ir.Goal.FEWEST else one > other


@routine("mixed points", returns=I64)
def mixed(unit: Unit, f: Body) -> None:
    """() -> a word for all points, another one as soon as anyone has more or fewer"""
    f.return_(luck.weighed(long(0), *scores(unit)))


def scores(unit: Unit) -> list[Expr]:
    """The points of each seat."""
    return [word(unit.plan.scores + 4 * seat) for seat in unit.layout.seats]


def _side(unit: Unit, seat: int) -> int:
    return next(at for at, side in enumerate(unit.layout.sides) if seat in side)


def _mask(unit: Unit, side: int) -> int:
    """A bit for each seat of a side."""
    return sum(1 << seat for seat in unit.layout.sides[side])


def _listed(unit: Unit, f: Body, seats: dict[int, Expr]) -> int:
    """Where the seats are listed of which something holds."""
    winning, bytes = unit.plan.winning, f.let("bytes", 0)
    for seat, holds in seats.items():
        with f.if_(holds):
            f.add(bytes, 4)
            f.set(winning.scaled(bytes), seat)
    f.set(word(winning.base), bytes >> 2)
    return winning.base
