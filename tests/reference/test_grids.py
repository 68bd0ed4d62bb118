"""Walks lead to the edge of a board, whatever its shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.outside.loading import load

RULES = """\
lawspeaker: 1
game: strip
players: {{from: 2, to: 2, called: [ann, ben]}}
words:
  direction:
    has: {{across: number, down: number}}
    are: {{east: {{across: 1}}, south: {{down: 1}}, slant: {{across: 1, down: 1}}}}
pieces:
  stone: {{count: 1, starts in: bag}}
places:
  bag: {{holds: stone, seen by: everyone}}
  cell: {{grid: {wide} by {high}, holds: stone, room: 1, seen by: everyone}}
rules:
  game:
    says: Ann scores for each empty cell she comes to.
    rule: |
      move a stone in bag to cell(1, 1)
      for each direction:
        let ahead be walk cell from cell(1, 1) along direction while cell is empty
        ann scores count of ahead
      end the game
"""


@pytest.mark.parametrize(
    "wide, high, cells", [(6, 2, 5 + 1 + 1), (2, 6, 1 + 5 + 1), (1, 5, 4), (4, 4, 9)]
)
def test_a_walk_leads_to_the_edge(tmp_path: Path, wide: int, high: int, cells: int) -> None:
    file = tmp_path / "strip.yaml"
    file.write_text(RULES.format(wide=wide, high=high), encoding="utf-8")
    for machine in ("reference", "wasm"):
        match = load(str(file)).start(players=2, seed=1, machine=machine)
        assert match.scores == [cells, 0]
