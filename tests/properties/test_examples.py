"""Small games that show the language, and the examples of its manual: everything at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match, imagine
from lawspeaker.position.rng import RngFactory, Stream
from lawspeaker.position.state import State
from tests.docs import examples as manual
from tests.properties.hidden import rearranged
from tests.properties.tables import ROOT, play, without_past
from tests.properties.test_conservation import check_pieces, check_points
from tests.properties.test_offers import check_offers
from tests.properties.test_views import viewers
from tests.tiers import sample

GOOD = ROOT / "tests" / "language" / "good"
EXAMPLES = sorted([*GOOD.glob("*.yaml"), *GOOD.glob("*/game.yaml")])


def example_id(path: Path) -> str:
    return path.parent.name if path.stem == "game" else path.stem


@pytest.mark.parametrize("path", sample(EXAMPLES, test=4, full=4), ids=example_id)
def test_a_small_game_keeps_all_promises(path: Path) -> None:
    check_game(lawspeaker.load(str(path)))


@pytest.mark.parametrize("example", sample(manual.good_examples(), test=4, full=4), ids=str)
def test_an_example_of_the_manual_keeps_all_promises(example: manual.Example) -> None:
    program, _ = example.program()
    assert program is not None
    check_game(Game(program, program.name))


def check_game(game: Game) -> None:
    """Plays it with the fewest and the most players, and looks at everything on the way."""
    luck = RngFactory(81).stream("rearranging")
    for players in dict.fromkeys((game.players[0], game.players[-1])):
        match = game.start(players, seed=81)
        for number, _ in enumerate(play(match, 81)):
            if number < 30:
                check_situation(match, luck)
        check_points(match)
        check_pieces(match)
        log = json.loads(json.dumps(match.log()))
        assert game.replay(log).state.canonical() == match.state.canonical()


def check_situation(match: Match, luck: Stream) -> None:
    """At one decision: pieces, offers, saving, and what each seat sees."""
    check_pieces(match)
    check_offers(match)
    saved = State.from_json(json.loads(match.state.canonical()))
    assert saved == match.state
    for seat in viewers(match):
        view = without_past(match).view(seat)
        other = Match.from_state(match.program, rearranged(match, seat, luck))
        assert other.view(seat) == view
        imagined = imagine(match.view(seat), 7)
        check_pieces(imagined)
        assert imagined.view(seat) == view
