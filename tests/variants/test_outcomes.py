"""Variants of a clause that is asked for its outcome."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiled.side_by_side import SideBySide
from tests.variants.tables import Fair
from tests.variants.test_patches import scores

GAME = """\
lawspeaker: 1
game: fair
players: {from: 2, to: 3, called: [ann, ben, cy]}
rules:
  game:
    says: Everyone chooses somebody who gets five points.
    rule: |
      for each player:
        let friend be choosing(player)
        if friend is not nothing: friend scores 5
  choosing:
    says: A player chooses another one.
    asks: Whom?
    guards: {another: Another one is chosen.}
    given: {player: player}
    rule: |
      player must choose player as other
        where another: other is not player
        otherwise: the outcome is nothing
      the outcome is other
"""
NEW = "changes:\n  - {how}\n    says: It is another rule.\n    given: {{player: player}}\n{more}"


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    fair = Fair(tmp_path)
    (tmp_path / "fair.yaml").write_text(GAME, encoding="utf-8")
    return fair


def rule(*lines: str) -> str:
    return "    rule: |\n" + "".join(f"      {line}\n" for line in lines)


def test_it_is_replaced_by_one_that_never_comes_to_nothing(fair: Fair) -> None:
    assert scores(fair, "fair") == [5, 5]
    lines = (
        "player must choose player as other",
        "  where another: other is not player",
        "  otherwise: cannot happen",
        "the outcome is left_neighbour of other",
    )
    fair.variant("next", NEW.format(how="replace: choosing", more=rule(*lines)))
    assert scores(fair, "fair+next") == [5, 5]
    assert SideBySide(fair.program("fair+next"), 3).play(1) == 3


def test_its_guard_is_amended(fair: Fair) -> None:
    fair.variant("own", "changes:\n  - {amend: choosing.another, unless: player is ann}\n")
    assert scores(fair, "fair+own") == [10, 0]


@pytest.mark.parametrize("where, expected", [("before", [6, 6]), ("after", [6, 6])])
def test_rules_are_hung_on_it(fair: Fair, where: str, expected: list[int]) -> None:
    more = f"    {where}: choosing\n" + rule("player scores 1")
    fair.variant("toll", NEW.format(how="add: toll", more=more))
    assert scores(fair, "fair+toll") == expected


INSTEAD = "    instead of: choosing\n    when: player is ben\n"


@pytest.mark.parametrize(
    "line, expected", [("the outcome is player", [0, 10]), ("the outcome is nothing", [0, 5])]
)
def test_something_is_done_instead(fair: Fair, line: str, expected: list[int]) -> None:
    fair.variant("own", NEW.format(how="add: own", more=INSTEAD + rule(line)))
    assert scores(fair, "fair+own") == expected
    assert SideBySide(fair.program("fair+own"), 3).play(1) == 2


def test_what_is_done_instead_has_an_outcome_of_the_same_type(fair: Fair) -> None:
    fair.variant("mute", NEW.format(how="add: mute", more=INSTEAD + rule("player scores 1")))
    fair.variant("five", NEW.format(how="add: five", more=INSTEAD + rule("the outcome is 5")))
    mute, five = fair.fault("fair+mute"), fair.fault("fair+five")
    assert (mute.code, mute.span.file.name) == ("no-outcome", "variants/fair/mute.yaml")
    assert mute.message == "`mute` is done instead of `choosing`, but has no outcome"
    assert (five.code, five.span.file.name) == ("wrong-type", "variants/fair/five.yaml")
    assert five.message == (
        "the outcome of `five` is a number, but that of `choosing` is a player or nothing"
    )


def test_a_rule_whose_outcome_is_needed_is_not_taken_out(fair: Fair) -> None:
    fair.variant("none", "changes:\n  - {remove: choosing}\n")
    [fault] = fair.faults("fair+none")
    assert fault.message == "`choosing` was taken out, but what comes of it is needed here"
    assert fault.hint == "`replace: choosing` instead, or replace this clause, too"
