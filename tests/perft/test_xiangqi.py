"""Xiangqi and Manchu chess against published counts.

The counts of xiangqi are those of "Chinese Chess Perft Results" in the Chess Programming Wiki; that
of Manchu chess is the one that Fairy-Stockfish is tested by.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from lawspeaker.match.perft import opening, perft
from lawspeaker.study.scenario.from_position import match_at
from tests.library import game
from tests.tiers import pick, sample


class Tree(NamedTuple):
    position: str
    counts: tuple[int, ...]


TREES = [
    Tree("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", (44, 1920, 79666)),
    Tree("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w", (38, 1128, 43929)),
    Tree("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w", (7, 281, 8620, 326201)),
    Tree("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w", (25, 424, 9850, 202884)),
    Tree("CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w", (28, 516, 14808, 395483)),
    Tree("R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w", (21, 364, 7626, 162837)),
    Tree("C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w", (28, 222, 6241, 64971)),
    Tree("4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w", (23, 345, 8124, 149272)),
    Tree("2b1ka3/9/b3N4/4n4/9/9/9/4C4/2p6/2BK5 w", (21, 195, 3883, 48060)),
    Tree("1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w", (30, 830, 22787, 649866)),
    Tree("CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w", (19, 583, 11714, 376467)),
]
LARGEST = pick(test=10_000, full=10_000, nightly=1_000_000)
"""Counts up to here are made anew."""
HERE = sample(TREES, full=3)


@pytest.mark.full
@pytest.mark.parametrize("tree", HERE, ids=[tree.position.split("/")[0] for tree in HERE])
def test_the_tree_has_the_published_size(tree: Tree) -> None:
    start = match_at(game("xiangqi").program, tree.position)
    known = [count for count in tree.counts if count <= LARGEST]
    assert [perft(start, depth + 1, True, "wasm") for depth in range(len(known))] == known


@pytest.mark.nightly
def test_the_tree_of_manchu_chess_has_the_published_size() -> None:
    assert perft(opening(game("xiangqi+manchu").program, 2), 4, True, "wasm") == 798_554
