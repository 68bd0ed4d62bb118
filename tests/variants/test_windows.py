"""Cards that are shown, must be played and are done again; and variants of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.telling.story import Story
from tests.variants.tables import Fair

GAME = """\
lawspeaker: 1
game: fair
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card:
    kinds: {shield: 1, dagger: 1, echo: 1, drum: 1}
    starts in: box
    played from: hand
    played to: pile
places:
  box: {holds: card, seen by: everyone}
  hand: {of each: player, holds: card, seen by: owner}
  pile: {holds: card, seen by: everyone}
windows:
  attack:
    says: Somebody must attack.
    asks: With which card do you attack?
    given: {harm: number}
    may change: [harm]
  attacked:
    says: Who is attacked may answer.
    asks: How do you answer?
    given: {harm: number}
    may change: [harm]
rules:
  game:
    says: Ann attacks twice; who cannot any more loses a hundred points.
    rule: |
      move all cards in box where card is shield or drum to hand of ben
      move all cards in box to hand of ann
      repeat 4 times:
        let harm be 0
        let weapon be offer attack to ann, who must play
        if weapon is nothing:
          ann loses 100
        else:
          offer attacked to ben
            then: ben scores 1
            otherwise: ben loses harm
  attack.dagger:
    says: A dagger does harm.
    plays: dagger
    when: attack
    rule: |
      harm increases by 2
  attack.echo:
    says: An echo does what a card on the pile does.
    asks: Which card does it again?
    guards: {no_echo: An echo has no echo.}
    plays: echo
    when: attack
    rule: |
      player must choose card as other in pile
        where no_echo: other is not echo
        otherwise: finish
      player plays other again
  attacked.shield:
    says: A shield is shown.
    shows: shield
    when: attacked
    rule: |
      harm becomes 0
"""


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    fair = Fair(tmp_path)
    (tmp_path / "fair.yaml").write_text(GAME, encoding="utf-8")
    return fair


def start(fair: Fair, name: str) -> Match:
    return Game(fair.program(name), name, ()).start(players=2, seed=1)


def offered(match: Match) -> list[str]:
    assert match.decision is not None
    return [option.text for option in match.decision.options]


def shown_line(match: Match, seat: int) -> str:
    lines = Story(match.machine, seat, "en").lines(match.events)
    return next(line.text for line in lines if "show" in line.text)


def test_what_is_shown_stays_and_everyone_is_told(fair: Fair) -> None:
    match = start(fair, "fair")
    assert offered(match) == ["play dagger", "play echo"]  # and no pass
    match.choose("play dagger")
    assert offered(match) == ["show shield", "pass"]
    match.choose("show shield")
    assert shown_line(match, 0) == "shows shield"
    assert shown_line(match, 1) == "show shield"  # who chose it knows as much
    assert match.scores == [0, 1]
    match.choose("play echo")
    assert offered(match) == ["show shield", "pass"]


def test_an_effect_is_done_again_and_the_card_stays(fair: Fair) -> None:
    match = start(fair, "fair")
    for reply in ("play dagger", "pass", "play echo", "pass"):
        match.choose(reply)
    assert match.decision is None
    assert match.scores == [-200, -4]


def test_a_variant_adds_a_card_that_is_shown(fair: Fair) -> None:
    fair.variant(
        "loud",
        "changes:\n"
        "  - add: attacked.drum\n"
        "    says: A drum is shown, too, and doubles the harm.\n"
        "    shows: drum\n"
        "    when: attacked\n"
        "    rule: |\n"
        "      harm becomes 2 * harm\n"
        "      player loses harm\n",
    )
    match = start(fair, "fair+loud")
    match.choose("play dagger")
    assert offered(match) == ["show shield", "show drum", "pass"]
    match.choose("show drum")
    assert match.scores == [0, -3]


def test_a_variant_does_something_after_a_card_and_instead_of_it(fair: Fair) -> None:
    fair.variant(
        "sharp",
        "changes:\n"
        "  - add: sharper\n"
        "    after: attack.dagger\n"
        "    says: Whoever plays a dagger is hurt.\n"
        "    given: {player: player}\n"
        "    rule: |\n"
        "      player loses 10\n"
        "  - add: blunt\n"
        "    instead of: attacked.shield\n"
        "    when: player is ben\n"
        "    says: Ben's shield is of no use.\n"
        "    given: {player: player, card: card}\n"
        "    rule: |\n"
        "      player loses 1000\n",
    )
    match = start(fair, "fair+sharp")
    match.choose("play dagger")
    match.choose("show shield")
    assert match.scores == [-10, -999]
    match.choose("play echo")
    assert match.scores == [-20, -999]
