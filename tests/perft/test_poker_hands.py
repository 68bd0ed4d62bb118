"""How often each class of poker hand comes, by the ranking of the rule file.

A hand is worth the same whatever its suits are, but for a flush. So one hand stands for all with
its ranks, and the ways to choose suits are counted: 7,462 hands stand for 2,598,960.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, prod

import pytest

from tests.library import game

RANKS = "two three four five six seven eight nine ten jack queen king ace".split()
SUITS = ("clubs", "diamonds", "hearts", "spades")
PUBLISHED = {
    "high_card": 1_302_540,
    "pair": 1_098_240,
    "two_pairs": 123_552,
    "three_alike": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full_house": 3_744,
    "four_alike": 624,
    "straight_flush": 40,
}


def hands() -> Iterator[tuple[list[str], int]]:
    """A hand for each combination of ranks, suited and not, and how many are like it."""
    for ranks in combinations_with_replacement(range(13), 5):
        times = Counter(ranks)
        if max(times.values()) > 4:
            continue
        ways = prod(comb(4, number) for number in times.values())
        mixed = [SUITS[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]
        if len(times) == 5:
            ways -= 4
            mixed[0] = SUITS[1]
            yield [f"{RANKS[rank]}_of_clubs" for rank in ranks], 4
        yield [f"{RANKS[rank]}_of_{suit}" for rank, suit in zip(ranks, mixed, strict=True)], ways


@pytest.mark.full
def test_hands_come_as_often_as_published() -> None:
    match = game("draw_poker").start(players=2, seed=1)
    program = match.program
    pieces = {kind.name: piece for piece, kind in enumerate(program.pieces[0].kinds)}
    terms = {program.clauses[each.clause].id: n for n, each in enumerate(program.functions)}
    classes = next(each.words for each in program.word_sets if each.name == "class")
    found: Counter[str] = Counter()
    values = set()
    for hand, ways in hands():
        cards = tuple(sorted(pieces[card] for card in hand))
        made = match.machine.worth(match.state, terms["class"], (cards,))
        found[classes[made]] += ways
        values.add(match.machine.worth(match.state, terms["value"], (cards,)))
    assert found == PUBLISHED
    assert found.total() == 2_598_960
    assert len(values) == 7_462, "so many hands differ in strength"
