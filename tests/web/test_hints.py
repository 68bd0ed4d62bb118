"""What would you do? A bot says what it would play, from what the seat sees."""

from __future__ import annotations

import pytest

import lawspeaker
from lawspeaker.faces.web.bots_at_table import advised
from lawspeaker.ir.secrecy import can_be_discreet, keeps_secrets
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot
from tests.web.conftest import House
from tests.web.visitors import everyone, set_up

SECRETS = {"chess": False, "nim": False, "pig": False, "kuhn_poker": True, "liars_dice": True}
IN_SECRET = "rock_paper_scissors"


def test_a_bot_says_what_it_would_play(house: House) -> None:
    screen = house.connect(set_up(house.post, "nim", ("me", "random"), seed=3))
    screen.see(lambda scene: scene["ask"] is not None)
    told = screen.answer_to("hint")
    best = told["options"][0]
    assert 0 <= best["number"] < len(screen.options)
    value, low, high = best["wins"]
    assert 0 <= low <= value <= high <= 1
    assert best["games"] > 50


def test_who_is_not_asked_gets_no_hint(house: House) -> None:
    made = set_up(house.post, "nim", ("me", "friend"))
    host = house.connect(made)
    guest = house.connect(everyone(made, host.shown)[1])
    waiting = next(each for each in (host, guest) if not each.asked)
    assert waiting.answer_to("hint")["why"]["code"] == "not_asked"


def test_the_winning_move_is_found() -> None:
    match = lawspeaker.load("tic_tac_toe").start(players=2, seed=1)
    for text in ("cell 1 1", "cell 2 1", "cell 1 2", "cell 2 2"):
        options = match.decisions[0].options
        match.choose(next(each for each in options if each.text.endswith(text)))
    view = match.view(match.decisions[0].seat)
    found = advised(view, MonteCarloBot("mc", 1, Effort(200)))["options"]
    assert view.decision is not None
    assert view.decision.options[found[0]["number"]].text.endswith("cell 1 3")
    assert found[0]["wins"][0] == 1


@pytest.mark.parametrize("name, secrets", [*SECRETS.items(), (IN_SECRET, True)])
def test_where_somebody_can_know_more_than_others(name: str, secrets: bool) -> None:
    assert keeps_secrets(lawspeaker.load(name).program) is secrets


@pytest.mark.parametrize(
    "name, discreet", [("walhalla", True), ("pedlars", True), ("kuhn_poker", False), ("go", False)]
)
def test_where_it_can_matter_that_questions_are_discreet(
    house: House, name: str, discreet: bool
) -> None:
    assert can_be_discreet(lawspeaker.load(name).program) is discreet
    assert house.get(f"/api/rules?name={name}")["discretion"] is discreet


def test_no_curtain_where_nobody_hides_anything(house: House) -> None:
    screen = house.connect(set_up(house.post, "tic_tac_toe", ("me", "me"), seed=3))
    seen = []
    for _ in range(3):
        assert screen.shown["curtain"] is None
        seen.append(screen.shown["seat"])
        assert screen.asked
        screen.reply()
    assert seen == [seen[0], 1 - seen[0], seen[0]]
    undo = screen.shown["table"]["undo"]
    assert undo["replies"] == 1
    assert undo["what"] == ""  # the other one looks at the screen now
