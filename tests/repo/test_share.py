"""The files of the large games read like a rulebook: about two lines in five are rule.

In Walhalla it is a little less, since a series of kinds is one line, and what the book says of a
rule by its letter stands beside it. In Völuspá it is one in three: its rules are many and short,
each with a title and a sentence, and most are only implied by its book, or left open.
"""

from __future__ import annotations

import pytest

from lawspeaker.base.source import SourceFile
from tests.repo.checkout import ROOT
from tests.repo.share import Share, of_file, of_folder

TEXT = """\
# Of eight lines two are code and one is a component; how it is told is not counted.
numbers: {amount: 1..3}
rules:
  game:
    says: Everyone gets a point.
    rule: |
      players score 1
names:
  told.points: gets {points | point | points}
"""


def test_what_is_counted() -> None:
    assert of_file(SourceFile("game.yaml", TEXT)) == Share(lines=8, code=2, components=1)


@pytest.mark.parametrize("game, least", [("walhalla", 0.38), ("voluspa", 0.33)])
def test_about_two_lines_in_five_are_rule(game: str, least: float) -> None:
    share = of_folder(ROOT / "rules" / game)
    assert share.rule >= least, f"{game}: {share}"
