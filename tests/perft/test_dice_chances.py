"""Dice games against chances that are known from outside: the rules' own terms try all rolls.

Hot dice: how likely it is that nothing counts, with one to six dice. The figures are those
commonly published where three pairs count. Five dice: what each roll is worth in each box, by a
plain reckoning, and that five of a kind come in 4.6029 % of turns in which one tries for nothing
else (347,897 of 7,558,272).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
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


UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")


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


def plain_worth(box: str, faces: Sequence[int]) -> int:
    most, different = max(map(faces.count, faces)), set(faces)
    longest = max(
        length
        for length in range(1, 6)
        for low in range(1, 8 - length)
        if different >= set(range(low, low + length))
    )
    return {
        **{name: face * faces.count(face) for face, name in enumerate(UPPER, 1)},
        "three_alike": sum(faces) * (most >= 3),
        "four_alike": sum(faces) * (most >= 4),
        "full_house": 25 * (sorted(map(faces.count, different)) == [2, 3]),
        "small_straight": 30 * (longest >= 4),
        "large_straight": 40 * (longest == 5),
        "five_alike": 50 * (most == 5),
        "chance": sum(faces),
    }[box]


def worths(match: Match) -> dict[str, dict[tuple[int, ...], int]]:
    """What each roll of five dice is worth in each box, by the rules."""
    worth, dice = term(match, "worth"), tuple(range(5))
    boxes = next(each.words for each in match.program.word_sets if each.name == "category")
    states = {faces: rolled(match, faces) for faces, _ in rolls(5)}
    return {
        box: {
            faces: match.machine.worth(state, worth, (number, dice))
            for faces, state in states.items()
        }
        for number, box in enumerate(boxes)
    }


def test_every_box_scores_every_roll_as_a_plain_reckoning_says() -> None:
    found = worths(game("five_dice").start(players=2, seed=1))
    assert len(found) == 13
    for box, known in found.items():
        assert known == {faces: plain_worth(box, faces) for faces, _ in rolls(5)}, box
        assert len(known) == 252


def test_five_alike_come_as_often_as_published() -> None:
    """The best choice of what is kept is sought for the one box, over all rolls of a turn."""
    match = game("five_dice").start(players=2, seed=1)
    most = next(each.values for each in match.program.choices if each.id == "rolls.most")
    best: dict[tuple[int, ...], Fraction] = {
        faces: Fraction(worth) for faces, worth in worths(match)["five_alike"].items()
    }
    ways = {number: list(rolls(number)) for number in range(6)}
    assert set(most) == {3}
    for _ in range(3):
        kept = {
            some: sum(
                (chance * best[tuple(sorted(some + new))] for new, chance in ways[5 - number]),
                Fraction(0),
            )
            for number in range(6)
            for some in combinations_with_replacement(range(1, 7), number)
        }
        best = {
            faces: max(kept[some] for number in range(6) for some in combinations(faces, number))
            for faces in best
        }
    assert kept[()] == 50 * Fraction(347_897, 7_558_272)
