"""`move a piece in …` takes the first that passes, and faults where any condition does."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.compiled.side_by_side import SideBySide

RULES = """\
lawspeaker: 1
game: row
players: {{from: 2, to: 2}}
pieces:
  card:
    has: {{worth: number}}
    kinds:
      low: {{worth: 1, count: 30, starts in: left}}
      middle: {{worth: 2, count: 30, starts in: left}}
      high: {{worth: 3, count: 30, starts in: left}}
places:
  left: {{holds: card, arranged: row, seen by: everyone}}
  right: {{holds: card, arranged: row, seen by: everyone}}
rules:
  game:
    says: Cards go from one row to the other, until there are none.
    asks: Go on?
    rule: |
      repeat 40 times:
        for each player:
          player may look
            then: move a card in left where {test} to right
"""


def deciding(test: str) -> list[int]:
    out = Diagnostics()
    text = RULES.format(test=test)
    program = compile_game(SourceFile("row", text), lambda *_: None, schema("game"), out)
    assert program is not None, [(each.message, each.span.text) for each in out]
    both = SideBySide(program, 2)
    return [both.play(seed) for seed in range(2)]


@pytest.mark.parametrize("test", ["worth of card > 1", "worth of card < 9"])
def test_the_first_is_moved(test: str) -> None:
    assert deciding(test) == [80, 80]


def test_it_is_a_fault_if_none_is_left() -> None:
    assert max(deciding("worth of card = 2")) < 80


def test_a_condition_of_a_later_one_can_be_a_fault() -> None:
    """The first card passes; of the last ones the condition cannot be worked out."""
    assert max(deciding("worth of card = 1 or remainder(7, worth of card - 3) = 1")) < 10
