"""Who does not want to step in passes by himself: for as long as he said, unseen by the others, and
also after the server was started again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import SimpleNamespace

from lawspeaker.faces.web.settings import Settings
from lawspeaker.ir.secrecy import is_interrupted
from lawspeaker.match.auto_pass import window_hash
from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from tests.language.games import GOOD
from tests.web.conftest import House
from tests.web.visitors import Screen, everyone, set_up


@cache
def game() -> Game:
    return load(str(GOOD / "interrupting.yaml"))


ANN, BEN, CY = range(3)


@contextmanager
def served(settings: Settings) -> Iterator[House]:
    with ExitStack() as stack:
        house = House(settings, stack)
        house.web.registry.catalogue = SimpleNamespace(  # type: ignore[assignment]
            game=lambda name: game(), opened=lambda digest, name, files: game()
        )
        yield house


def seated(house: House) -> list[Screen]:
    host = set_up(house.post, "interrupting", ("me", "friend", "friend"), discreet=True)
    first = house.connect(host)
    tokens = everyone(host, first.shown)
    return [first, house.connect(tokens[BEN]), house.connect(tokens[CY])]


def clause(screen: Screen) -> str:
    return str(screen.shown["scene"]["question"]["clause"]) if screen.asked else ""


def passes(screen: Screen) -> None:
    screen.reply(len(screen.options) - 1)


def see_all(screens: list[Screen]) -> None:
    at = max(screen.shown["at"] for screen in screens)
    for screen in screens:
        screen.see_at(at)


def test_a_seat_passes_by_itself_until_it_is_asked_anything_else(settings: Settings) -> None:
    with served(settings) as house:
        screens = ann, ben, cy = seated(house)
        assert clause(ann) == "turn"
        assert ann.shown["table"]["passing"] == ""
        ann.reply(0)
        see_all(screens)
        assert clause(ben) == clause(cy) == "snap"
        assert ben.shown["scene"]["question"]["steps_in"] is True
        assert ben.answer_to("passing", until="never")["code"] == "bad_message"
        ben.say("passing", until="asked")
        ben.see(lambda shown: shown["table"]["passing"] == "asked")
        see_all(screens)
        # Nobody else can tell: who is asked stays the same, and nothing is told of it.
        assert cy.shown["scene"]["asked"] == [BEN, CY]
        assert ann.shown["table"]["passing"] == cy.shown["table"]["passing"] == ""
        tokens = [screen.token for screen in screens]
    with served(settings) as house:
        screens = ann, ben, cy = [house.connect(token) for token in tokens]
        assert ben.shown["table"]["passing"] == "asked"
        assert clause(cy) == "snap"
        assert not ben.asked
        passes(cy)
        see_all(screens)
        assert [clause(each) for each in screens] == ["cheering", "", "cheering"]
        passes(ann)
        see_all(screens)
        passes(cy)
        see_all(screens)
        # It is his turn: from now on he is asked again.
        assert clause(ben) == "turn"
        assert ben.shown["table"]["passing"] == ""


def test_a_seat_passes_by_itself_as_long_as_something_lasts(settings: Settings) -> None:
    with served(settings) as house:
        screens = seated(house)
        screens[ANN].reply(0)
        see_all(screens)
        screens[CY].say("passing", until="stretch")
        screens[CY].see(lambda shown: shown["table"]["passing"] == "stretch")
        asked = []
        for _ in range(60):
            see_all(screens)
            now = [seat for seat, each in enumerate(screens) if each.asked]
            asked += [clause(screens[seat]) for seat in now if seat == CY]
            if screens[CY].shown["table"]["passing"] == "":
                break
            screen = screens[now[0]]
            screen.reply(0 if clause(screen) == "turn" else len(screen.options) - 1)
        # In the first round he is asked for his card alone; in the second whether he steps in, too.
        assert set(asked[:-1]) == {"turn"}
        assert asked[-1] in ("snap", "cheering")
        screens[CY].say("passing", until="asked")
        screens[CY].see(lambda shown: shown["table"]["passing"] == "asked")
        screens[CY].say("passing")
        screens[CY].see(lambda shown: shown["table"]["passing"] == "")


def test_a_discreet_table_is_proposed_where_somebody_may_step_in() -> None:
    assert is_interrupted(game().program)
    assert not is_interrupted(load(str(GOOD / "secretly.yaml")).program)


def test_a_stretch_has_one_name_from_its_beginning_to_its_end() -> None:
    match = game().start(players=3, seed=1, discretion="discreet")
    names: list[str] = []
    while decision := match.decision:
        name = window_hash(match)
        assert bool(name) == (decision.clause.id != "turn")
        names += [name] if name and name not in names[-1:] else []
        match.choose(decision.options[-1])
    assert len(names) == len(set(names)) == 4  # three rounds, and the last call
