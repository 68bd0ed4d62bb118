"""Dice games against chances that are known from outside: the rules' own terms try all rolls.

Hot dice: how likely it is that nothing counts, with one to six dice. The figures are those
commonly published where three pairs count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from lawspeaker.match.match import Match
from lawspeaker.position.state import State
from tests.library import game

BUSTS = {
    1: Fraction(2, 3),
    2: Fraction(4, 9),
    3: Fraction(5, 18),
    4: Fraction(17, 108),
    5: Fraction(25, 324),
    6: Fraction(5, 216),
}


def rolls(dice: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every roll, in ascending order, with its chance."""
    for faces in combinations_with_replacement(range(1, 7), dice):
        ways = factorial(dice) // prod(factorial(faces.count(face)) for face in range(1, 7))
        yield faces, Fraction(ways, 6**dice)


def rolled(match: Match, faces: Sequence[int]) -> State:
    """A state in which dice with these faces lie in `rolled`, and the others in the cup."""
    names = [family.name for family in match.program.families]
    cup, table = names.index("cup"), names.index("rolled")
    state = match.state.copy()
    dice = range(len(state.where))
    state.contents = {table: tuple(dice[: len(faces)]), cup: tuple(dice[len(faces) :])}
    state.where[:] = [table if die < len(faces) else cup for die in dice]
    state.states[: len(faces)] = faces
    return state


def term(match: Match, clause: str) -> int:
    """The number of a defined value."""
    functions = match.program.functions
    return next(
        number
        for number, function in enumerate(functions)
        if match.program.clauses[function.clause].id == clause
    )


@pytest.mark.parametrize("dice", BUSTS)
def test_nothing_counts_as_often_as_published(dice: int) -> None:
    match = game("hot_dice").start(players=2, seed=1)
    counts = term(match, "something_counts")
    busts = (
        chance
        for faces, chance in rolls(dice)
        if not match.machine.worth(rolled(match, faces), counts, ())
    )
    assert sum(busts) == BUSTS[dice]
