"""Small games of Kalah end with best play as Irving, Donkers and Uiterwijk found ("Solving Kalah",
2000): by the number of houses of each player and of seeds in a house, whether South wins."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.match.match import Match
from tests.tiers import sample

SMALL = """
lawspeaker: 1
variant: small
of: kalah
layer: house rule
title: A small board
languages: [en]
changes:
  - {{set: houses, to: {houses}}}
  - {{set: seeds, to: {seeds}}}
  - {{set: pieces.seed.count, to: {all}}}
"""
SOLVED = {
    (1, 1): "draw",
    (1, 2): "loss",
    (1, 3): "win",
    (2, 1): "win",
    (2, 2): "loss",
    (2, 3): "loss",
    (3, 1): "draw",
    (3, 2): "win",
}


def best(match: Match, known: dict[str, int]) -> int:
    """How many more seeds South gets than North."""
    if match.decision is None:
        return match.scores[0] - match.scores[1]
    key = match.situation
    if key not in known:
        values = []
        for option in match.decision.options:
            after = match.copy()
            after.choose(option)
            values.append(best(after, known))
        known[key] = max(values) if match.decision.seat == 0 else min(values)
    return known[key]


@pytest.mark.parametrize("houses, seeds", sample(SOLVED, test=3))
def test_best_play_ends_as_published(houses: int, seeds: int, tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(SMALL.format(houses=houses, seeds=seeds, all=2 * houses * seeds))
    value = best(lawspeaker.load(f"kalah+{file}").start(players=2, seed=1), {})
    found = "win" if value > 0 else "loss" if value < 0 else "draw"
    assert found == SOLVED[houses, seeds]
