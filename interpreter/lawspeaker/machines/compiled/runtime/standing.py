"""Generates code for scores and victory, by the goal of a game and its sides.

It mirrors `position/standing.py` for the memory of a module. The points of a side are stored with
the first of its players.
"""

from __future__ import annotations

from functools import reduce
from operator import add

from lawspeaker import ir
from lawspeaker.ir.progress import Least, Missing, Term
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import rng
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
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
"""Progress counts at most 1 / `CAUTION` of a victory."""


@routine("by_goal", returns=I32)
def by_goal(unit: Unit, f: Body) -> None:
    """() -> the list of winners if the rules name nobody, in memory of its own"""
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
    """(list of named players) -> the list of winners: everybody on their sides"""
    named = f.let("named", 0, I64)
    with f.each_listed("seat", listed) as seat:
        f.set(named, named | (long(1) << seat))
    sides = {seat: _mask(unit, _side(unit, seat)) for seat in unit.layout.seats}
    f.return_(_listed(unit, f, {seat: (named & side) != 0 for seat, side in sides.items()}))


@routine("winning_sides", returns=I32)
def winning_sides(unit: Unit, f: Body) -> None:
    """() -> the number of sides that share the victory"""
    firsts = long(sum(1 << side[0] for side in unit.layout.sides))
    found = f.let("found", 0)
    with f.each_listed("winner", winners(unit)) as winner:
        f.add(found, (firsts >> winner).to_word() & 1)
    f.return_(found)


def winners(unit: Unit) -> Expr:
    """The list of the winners."""
    return const(unit.plan.winner_count)


def victors(unit: Unit) -> Expr:
    """Returns how many share the victory: players, or sides."""
    return winning_sides(unit)() if unit.program.sides else word(unit.plan.winner_count)


def points(unit: Unit, side: int) -> Expr:
    """The points of a side."""
    return word(unit.plan.scores + 4 * unit.layout.sides[side][0])


def worth(unit: Unit) -> int:
    """Returns the value of a lead of one, in the unit of `noted`: points, or progress."""
    return 1 if unit.plan.progress else unit.program.goal.worth


def note(unit: Unit, f: Body) -> None:
    """Updates the progress to the present position; points are always up to date."""
    if unit.plan.progress:
        f.do(_note_progress(unit))


def noted(unit: Unit, side: int) -> Expr:
    """Returns the points of a side in 64 bits, or its progress when last updated."""
    seat = unit.layout.sides[side][0]
    return word(unit.plan.standing + 4 * seat).to_long(signed=True)


def noted_of_seat(unit: Unit, seat: Expr) -> Expr:
    """Returns the same for the side of a seat."""
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
    """Returns the sum over all seats, and the sum of absolute values. The latter of progress is
    multiplied by `CAUTION` times the players: an estimate must not outweigh who has won."""
    total, size = f.let("total", 0, I64), f.let("size", 0, I64)
    for seat in unit.layout.seats:
        own = f.let("own", word(unit.plan.standing + 4 * seat).to_long(signed=True))
        f.add(total, own)
        f.add(size, select(own >= 0, own, 0 - own))
    if unit.plan.progress:
        f.set(size, size * (CAUTION * unit.layout.players))
    return total, size


def _note_progress(unit: Unit) -> Function:
    """(): computes the progress of each side as a number up to 0; in cooperative games the distance
    from losing counts, too"""

    def write(f: OperandBody) -> None:
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


def _missing(unit: Unit, f: OperandBody, what: Missing) -> Variable:
    """Evaluates how much is missing, as a number."""
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
    """Returns whether the first side's points are better than the other's."""
    return one < other if unit.program.goal is ir.Goal.FEWEST else one > other


@routine("mixed points", returns=I64)
def mixed(unit: Unit, f: Body) -> None:
    """() -> a hash of all points"""
    f.return_(rng.weighed(long(0), *scores(unit)))


def scores(unit: Unit) -> list[Expr]:
    """The points of each seat."""
    return [word(unit.plan.scores + 4 * seat) for seat in unit.layout.seats]


def _side(unit: Unit, seat: int) -> int:
    return next(at for at, side in enumerate(unit.layout.sides) if seat in side)


def _mask(unit: Unit, side: int) -> int:
    """Returns a bit for each seat of a side."""
    return sum(1 << seat for seat in unit.layout.sides[side])


def _listed(unit: Unit, f: Body, seats: dict[int, Expr]) -> int:
    """Stores the list of the seats whose condition is true."""
    winning, bytes = unit.plan.winning, f.let("bytes", 0)
    for seat, holds in seats.items():
        with f.if_(holds):
            f.add(bytes, 4)
            f.set(winning.scaled(bytes), seat)
    f.set(word(winning.base), bytes >> 2)
    return winning.base
