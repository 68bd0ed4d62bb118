"""Feature words for the places of a board, computed once per question.

Options use the words of a place and its neighbours, so each is read many times. The array has a
margin of one place all around that is always 0, for neighbours beyond the edge.
"""

from __future__ import annotations

from functools import partial

from lawspeaker import ir
from lawspeaker.machines.compiled.playouts import feature_words
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Expr, Load, Variable, word


def boards_of(unit: Unit, ask: ir.Ask) -> list[int]:
    """Returns the boards that occur in the options of a question."""
    types = {ir.plain(part.binder.type) for each in ask.alternatives for part in each.parts}
    numbers = {each.index for each in types if isinstance(each, ir.PlaceType)}
    return sorted(numbers & unit.plan.policy.boards.keys())


@routine("board")
def write_down(unit: Unit, number: int, f: Body, seat: Variable) -> None:
    """(seat): stores the words of a board as the seat sees it"""
    family = unit.plan.families[number]
    with f.each_number("place", family.first, family.first + family.size) as place:
        said = feature_words.content(unit, number)(place, seat)
        f.set(at(unit, number, place), said)


def at(unit: Unit, number: int, place: Expr, step: tuple[int, int] = (0, 0)) -> Load:
    """Returns the word of a place, or of a neighbour."""
    family = unit.plan.families[number]
    high = family.grid[1] + 2
    offsets = unit.table(("board", number), partial(_offsets, family))
    offset = offsets.from_number(family.first)[place]
    return word(offset, unit.plan.policy.boards[number] + 4 * (step[0] * high + step[1]))


def _offsets(family: PlaceMemory) -> list[int]:
    """Returns the byte offset of the word of each place."""
    wide, high = family.grid
    found = []
    for number in range(family.size):
        board, place = divmod(number, wide * high)
        column, row = divmod(place, high)
        found.append(4 * ((board * (wide + 2) + column + 1) * (high + 2) + row + 1))
    return found
