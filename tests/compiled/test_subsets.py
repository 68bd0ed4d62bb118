"""Sets of many equal pieces: a search begins clean, whatever one before it has left in memory."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.outside.loading import load
from tests.compiled.side_by_side import SideBySide

GAME = """\
lawspeaker: 1
game: stones
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  stone: {count: 20, starts in: heap}
places:
  heap: {holds: stone, seen by: everyone}
  away: {holds: stone, seen by: everyone}
rules:
  game:
    says: Stones are taken as long as there are three.
    rule: |
      repeat 3 times:
        if three is possible:
          do some
  three:
    says: Three stones are taken.
    asks: Which three?
    rule: |
      ann must take: 3 stones in heap
        otherwise: finish
      move stones to away
  some:
    says: Stones are taken.
    asks: Which?
    rule: |
      ann must take: at least 1 stone in heap
        otherwise: finish
      move stones to away
"""


def test_a_search_that_was_left_in_the_middle_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    file = tmp_path / "stones.yaml"
    file.write_text(GAME, encoding="utf-8")
    both = SideBySide(load(str(file)).program, 2)
    assert sum(both.play(seed) for seed in range(3)) > 3
