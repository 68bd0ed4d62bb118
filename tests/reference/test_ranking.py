"""Ranking by several numbers is sorting by them, whoever runs the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.match.game import Game

GAME = """\
lawspeaker: 1
game: race
title: The Race
players: {from: 4, to: 4, called: [ann, ben, cy, di]}
markers:
  laps: {of each: player, shows: number}
  falls: {of each: player, shows: number}
  place_of: {of each: player, shows: number}
  tier_of: {of each: player, shows: number}
rules:
  game:
    says: Laps count first, then points, then falls.
    rule: |
      LAPS
      rank players where laps of player > 0 by laps of player, then by score of player, then by
        0 - falls of player, WHICH first:
        for each player in tied:
          place_of of player becomes place
          tier_of of player becomes tier
"""
NAMES = ("ann", "ben", "cy", "di")
NUMBERS = [
    [(2, 1, 0), (2, 1, 0), (1, 9, 9), (2, 1, 1)],
    [(1, 1_000_000, 0), (2, -1_000_000, 0), (1, 1_000_000, 5), (0, 5, 5)],
    [(1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)],
    [(3, 0, 0), (2, 0, 0), (2, 5, 0), (2, 5, 0)],
]


def race(numbers: list[tuple[int, int, int]], which: str, folder: Path) -> Game:
    lines = []
    for name, (laps, points, falls) in zip(NAMES, numbers, strict=True):
        lines += [f"laps of {name} becomes {laps}", f"falls of {name} becomes {falls}"]
        lines.append(f"{name} {'scores' if points >= 0 else 'loses'} {abs(points)}")
    text = GAME.replace("LAPS", "\n      ".join(lines)).replace("WHICH", which)
    text = text.replace("then by\n        0 -", "then by 0 -")
    (folder / "race.yaml").write_text(text, encoding="utf-8")
    return lawspeaker.load(str(folder / "race.yaml"))


@pytest.mark.parametrize("machine", ["reference", "wasm"])
@pytest.mark.parametrize("which", ["highest", "lowest"])
@pytest.mark.parametrize("numbers", NUMBERS)
def test_ranking_is_sorting(
    numbers: list[tuple[int, int, int]], which: str, machine: str, tmp_path: Path
) -> None:
    game = race(numbers, which, tmp_path)
    match = game.start(4, seed=1, machine=machine)
    sign = 1 if which == "highest" else -1
    keys = {
        seat: (sign * laps, sign * points, -sign * falls)
        for seat, (laps, points, falls) in enumerate(numbers)
        if laps
    }
    markers = match.view(None).to_json()["markers"]
    for seat, name in enumerate(NAMES):
        own = keys.get(seat)
        better = [key for key in keys.values() if own is not None and key > own]
        place = 0 if own is None else 1 + len(better)
        tier = 0 if own is None else 1 + len(set(better))
        assert (markers[f"place_of {name}"], markers[f"tier_of {name}"]) == (str(place), str(tier))
