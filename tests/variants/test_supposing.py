"""What variants hang on a clause is supposed together with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiled.side_by_side import SideBySide
from tests.variants.tables import Fair
from tests.variants.test_patches import scores

GAME = """\
lawspeaker: 1
game: fair
players: {from: 2, to: 2, called: [ann, ben]}
markers:
  stake: {shows: number, starts as: 1}
rules:
  game:
    says: Whoever would have the most after a raise is noted.
    rule: |
      for each player:
        if supposing raising(stake + 1, player), stake = 2: player scores 1
        if supposing raising(stake + 1, player), score of player >= 10: player scores 2
      do raising(5, ann)
      ann scores stake
  raising:
    says: The stake is raised.
    given: {amount: number, player: player}
    rule: |
      stake becomes amount
"""
NEW = "changes:\n  - add: more\n    says: It is another rule.\n{more}"
TOLL = "    given: {amount: number, player: player}\n    rule: |\n      "


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    fair = Fair(tmp_path)
    (tmp_path / "fair.yaml").write_text(GAME, encoding="utf-8")
    return fair


@pytest.mark.parametrize(
    "hung, expected",
    [
        # The stake is raised to what was worked out before the stake was another.
        ("    before: raising\n" + TOLL + "stake becomes 7\n", [6, 1]),
        ("    before: raising\n" + TOLL + "player scores 9 + amount - 1\n", [21, 3]),
        ("    after: raising\n" + TOLL + "stake becomes amount + 1\n", [6, 0]),
        ("    after: raising\n" + TOLL + "player scores 10\n", [18, 3]),
        (
            "    instead of: raising\n    when: player is ben and amount < 3\n"
            + TOLL
            + "player scores 10\n",
            [6, 2],
        ),
        ("    instead of: raising\n    when: stake = 7\n" + TOLL + "skip\n", [6, 1]),
    ],
)
def test_rules_are_hung_on_what_is_supposed(fair: Fair, hung: str, expected: list[int]) -> None:
    assert scores(fair, "fair") == [6, 1]
    fair.variant("more", NEW.format(more=hung))
    assert scores(fair, "fair+more") == expected
    assert SideBySide(fair.program("fair+more"), 2).play(1) == 0


def test_what_is_taken_out_is_not_supposed(fair: Fair) -> None:
    fair.variant("less", "changes:\n  - remove: raising\n")
    assert scores(fair, "fair+less") == [1, 0]
