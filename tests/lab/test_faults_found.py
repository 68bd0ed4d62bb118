"""The lab finds what was put in on purpose, first of all, and nothing else in games without it."""

from __future__ import annotations

import pytest

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing
from lawspeaker.outside.experiments.dramas import dramas
from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.study.lab.worth import by_cost
from lawspeaker.study.reviewing.findings import POINTS
from tests.lab.faulty_games import Faults, game_text
from tests.lab.known_games import loaded

pytestmark = pytest.mark.nightly
WRONG = ("hole", "endless", "loop", "seat ahead", "seat behind", "lead kept", "never fires")
"""Findings of a review that say that something is wrong."""
GAMES = [
    Faults(strong_card=True, weak_seat=2),
    Faults(dead_rule=True, endless=True),
    Faults(runaway=True, weak_seat=2, dead_rule=True),
    Faults(endless=True, weak_seat=2),
    Faults(runaway=True, strong_card=True),
    *[Faults()] * 3,
]


@pytest.mark.parametrize("number, faults", list(enumerate(GAMES)))
def test_faults_are_found_and_nothing_else(number: int, faults: Faults) -> None:
    game = loaded(game_text(faults, f"game_{number}", 4 + number % 3))
    rules, seed = Rules.of_game(game, game.name), 1 + number
    setting = Setting(rules, ("greedy",) * 3, seed, 1000, Crew(1))
    found = finished(reviewing.review(setting, 10, Crew(1))).findings
    claims = [each.about.kind for each in found if each.about.kind in WRONG]
    expected = {
        *({"hole"} if faults.endless else ()),
        *({"seat behind"} if faults.weak_seat else ()),
        # Where a card decides more, leads change, and `drama` alone tells.
        *({"lead kept"} if faults.runaway and not faults.strong_card else ()),
        *({"never fires"} if faults.dead_rule else ()),
    }
    # If one seat wins less, another wins more.
    assert set(claims) - ({"seat ahead"} if faults.weak_seat else set()) == expected, claims
    assert claims[:1] == ["hole"] or not faults.endless, "the worst first"
    points = [each.about.subject for each in found if each.about.kind in POINTS]
    assert faults.weak_seat or not points
    behind = [each.about.subject for each in found if each.about.kind == "seat behind"]
    assert behind == ["cat"] * bool(faults.weak_seat)
    random = ("random",) * 3
    course = finished(dramas(Setting(rules, random, seed, 60, Crew(1)), 30))
    assert course.snowball is not None
    assert course.snowball.low <= 0 or faults.runaway
    assert course.exchanged is not None
    assert (course.exchanged.low > 0) == faults.runaway
    if faults.endless:
        return  # pairs of games that stop are played one by one
    table = MatchSetup(random, seed)
    worth = finished(worths(rules, [table], [1500], 0, Crew(1)))
    clear = [each.name for each in by_cost(worth, points=True) if each.clear]
    assert clear == ["yew"] * faults.strong_card
    cards = [each.name for each in worth if each.sort == "card"]
    assert cards[0] == ("yew" if faults.strong_card else "fir")
