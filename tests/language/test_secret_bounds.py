"""How far the checker follows whose a place is; beyond that it takes it for somebody else's."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema

GAME = """\
lawspeaker: 1
game: bounds
players: {{from: 2, to: 2}}
pieces:
  card: {{has: {{value: number}}, starts in: deck, kinds: {{low: {{count: 9, value: 1}}}}}}
places:
  deck: {{holds: card, arranged: pile}}
  rack: {{of each: player, at: 1..60, holds: card, arranged: row, seen by: owner}}
numbers: {{column: 1..7}}
rules:
  game:
    says: Everyone is asked.
    rule: |
      for each player: do asking(player)
  asking:
    says: The columns depend on what lies in a rack.
    asks: Which column?
    guards: {{enough: Not less.}}
    given: {{player: player}}
    rule: |
      {who} may choose column
        where enough: column >= total(player)
  total:
    says: What lies there.
    define: total(player)
    as: {total}
"""


def codes(who: str, total: str) -> list[str]:
    diagnostics = Diagnostics()
    file = SourceFile("bounds.yaml", GAME.format(who=who, total=total))
    compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    return [each.code for each in diagnostics]


@pytest.mark.parametrize("places, expected", [(50, []), (51, ["hidden-from-chooser"])])
def test_a_value_looks_into_so_many_places(places: int, expected: list[str]) -> None:
    seats = range(1, places + 1)
    total = " + ".join(f"value of item of rack(player, {seat}) at 1" for seat in seats)
    assert codes("player", total) == expected


@pytest.mark.parametrize("neighbours, expected", [(9, []), (10, ["hidden-from-chooser"])])
def test_a_place_is_told_in_so_many_words(neighbours: int, expected: list[str]) -> None:
    """The place, its number and the player are three words; each neighbour is one more."""
    who = "left_neighbour of " * neighbours + "player"
    assert codes(who, f"value of item of rack({who}, 1) at 1") == expected
