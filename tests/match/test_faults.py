"""A fault of the rules during play: named, and the match stays where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.machines.reference import RuleFault

GAME = """
lawspeaker: 1
game: faulty
players: {from: 1, to: 1}
pieces:
  stone: {count: 3, starts in: bag}
places:
  bag: {holds: stone, seen by: everyone}
  bowl: {holds: stone, seen by: everyone}
rules:
  game:
    says: Stones are moved until it goes wrong.
    asks: How many stones?
    rule: |
      pick a random player
      player must take: number in 1..5
      move a stone in bag to bowl
      player scores 1
      do rest(number)
  rest:
    says: More stones are moved than there may be.
    given: {number: number}
    rule: |
      move number stones in bag to bowl
"""


def test_a_fault_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "faulty.yaml"
    file.write_text(GAME, encoding="utf-8")
    match = lawspeaker.load(str(file)).start(seed=1)
    before, events = match.state.copy(), len(match.events)
    with pytest.raises(RuleFault, match="stone") as caught:
        match.choose("take 5")
    assert caught.value.clause == "rest"
    assert match.state == before
    assert len(match.events) == events
    match.choose("take 2")
    assert match.scores == [1]
