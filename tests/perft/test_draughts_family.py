"""Variants of draughts against published counts.

The counts are those of the discussion "Perft for all recognized draughts variants" and of the
engine dctl. A jump that takes the same pieces in another order is a move of its own in them, as in
our rules.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

import lawspeaker
from lawspeaker.match.perft import opening, perft
from tests.tiers import pick, sample


class Tree(NamedTuple):
    variants: str
    counts: tuple[int, ...]


TREES = [
    Tree("flying_kings+men_jump_back", (7, 49, 302, 1469, 7482, 37986, 190146, 929896)),
    Tree("russian", (7, 49, 302, 1469, 7482, 37986, 190146, 929899)),
    Tree("brazilian", (7, 49, 302, 1469, 7473, 37628, 187302, 907830)),
    Tree("czech", (7, 49, 302, 1469, 7361, 36768, 179740, 845931)),
    Tree("spanish", (7, 49, 302, 1469, 7361, 36473, 177532, 828783)),
    Tree("italian", (7, 49, 302, 1469, 7361, 36473, 177532, 828783)),
    Tree("international", (9, 81, 658, 4265, 27117, 167140, 1049442)),
]
LARGEST = pick(test=6_000, full=6_000, nightly=1_000_000)
"""Counts up to here are made anew."""
HERE = sample(TREES, full=3)


@pytest.mark.full
@pytest.mark.parametrize("tree", HERE, ids=[tree.variants for tree in HERE])
def test_the_tree_has_the_published_size(tree: Tree) -> None:
    start = opening(lawspeaker.load(f"draughts+{tree.variants}").program, 2)
    known = [count for count in tree.counts if count <= LARGEST]
    assert [perft(start, depth + 1, True, "wasm") for depth in range(len(known))] == known
