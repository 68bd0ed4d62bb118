"""A fault of the rules pauses a table: for everybody, in the same words, and until all agree how to
go on."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import pytest

from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.faces.web.settings import Settings
from lawspeaker.match.game import Game
from lawspeaker.match.log import from_json
from lawspeaker.match.match import Match
from lawspeaker.match.replay import Replay
from tests.secrets.findings import faulting
from tests.web.conftest import House
from tests.web.visitors import Message, Screen, everyone, set_up

GAME = Game(faulting("division"), "findings")
ANN, BEN, CY = 0, 1, 2
FRIENDS = ("me", "friend", "friend")


@contextmanager
def served(settings: Settings) -> Iterator[House]:
    """A server at which this game is played, whatever the checker says of it."""
    with ExitStack() as stack:
        house = House(settings, stack)
        registry = house.web.registry
        registry.catalogue = SimpleNamespace(  # type: ignore[assignment]
            game=lambda name: GAME, opened=lambda digest, name, files: GAME
        )
        yield house


def seated(house: House, seats: tuple[str, ...] = FRIENDS) -> dict[int, Screen]:
    host = set_up(house.post, "findings", seats)
    first = house.connect(host)
    tokens = everyone(host, first.shown)
    own = first.shown["you"]["seats"]
    found = dict.fromkeys(own, first)
    found |= {
        seat: house.connect(token)
        for seat, token in tokens.items()
        if seat is not None and seat not in own
    }
    return found


def card_of_ben(house: House, screen: Screen) -> int:
    """The number at which the rules fault: only the test knows the seed."""
    ((seed,),) = house.web.registry.store._base.execute(
        "SELECT seed FROM tables ORDER BY id DESC LIMIT 1"
    )
    (card,) = Match(GAME.program, 3, seed).table()["places"]["hand ben"]["pieces"]
    return ["one", "two", "three", "four", "five", "six"].index(card)


def is_paused(shown: Message) -> bool:
    return shown["table"]["paused"] is not None


def goes_on(shown: Message) -> bool:
    return shown["table"]["paused"] is None


def pause(house: House, screens: dict[int, Screen]) -> None:
    asked = screens[ANN]
    asked.say("reply", number=card_of_ben(house, asked), ask=asked.shown["ask"])
    for screen in screens.values():
        screen.see(is_paused)


def test_a_fault_pauses_the_game_for_everybody_and_tells_only_that(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with served(settings) as house:
        screens = seated(house)
        host = screens[ANN]
        watching = house.connect(str(everyone(host.token, host.shown)[None]))
        with caplog.at_level(logging.ERROR, "lawspeaker.web"):
            pause(house, screens)
        watching.see(is_paused)
        assert "a division by zero" in caplog.text, "whoever runs the server can mend the rules"
        for screen in (*screens.values(), watching):
            assert screen.shown["at"] == 0
            assert screen.shown["ask"] is None
            assert screen.shown["scene"]["question"] is None
            assert screen.shown["table"]["paused"] == {
                "ended": False,
                "text": phrase("table.paused", "en"),
                "how": phrase("table.paused_how", "en"),
                "details": "",
            }
            assert screen.shown["table"]["undo"] is None
            assert not any("division" in text or "game.yaml" in text for text in screen.texts)
        for kind, more in (
            ("reply", {"number": 0, "ask": 0}),
            ("undo", {}),
            ("undo", {"anyway": True}),
        ):
            assert host.answer_to(kind, **more)["why"]["code"] == "paused"
        for kind, more in (("resume", {"after": 0}), ("end", {})):
            assert screens[BEN].answer_to(kind, **more)["why"]["code"] == "host_only"
        assert host.answer_to("hint")["why"]["code"] == "not_asked"
        assert house.client.get(f"/api/log/{host.token}").status_code == 403


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_in_every_language(language: str) -> None:
    for key in ("paused", "paused_how", "ended", "resumed", "proposed_resume", "proposed_end"):
        assert phrase(f"table.{key}", language) != f"table.{key}"


def test_a_restart_finds_it_paused_and_all_must_agree_to_go_on(settings: Settings) -> None:
    with served(settings) as house:
        screens = seated(house)
        pause(house, screens)
        tokens = {seat: screen.token for seat, screen in screens.items()}
    with served(settings) as house:
        screens = {seat: house.connect(token) for seat, token in tokens.items()}
        assert all(is_paused(screen.shown) for screen in screens.values())
        host = screens[ANN]
        assert host.answer_to("resume", after=1)["why"]["code"] == "too_late"
        host.say("resume", after=0)
        for seat in (BEN, CY):
            shown = screens[seat].see(lambda shown: shown["table"]["proposal"] is not None)
            assert shown["table"]["proposal"]["kind"] == "resume"
            assert is_paused(shown)
            screens[seat].say("agree")
        for screen in screens.values():
            screen.see(goes_on)
        wrong = (card_of_ben(house, host) + 1) % 6
        assert host.reply(wrong)["at"] == 1
    with served(settings) as house:
        assert goes_on(house.connect(tokens[CY]).shown)


def test_one_who_declines_leaves_it_paused(settings: Settings) -> None:
    with served(settings) as house:
        screens = seated(house)
        pause(house, screens)
        screens[ANN].say("resume", after=0)
        screens[BEN].see(lambda shown: shown["table"]["proposal"] is not None)
        screens[BEN].say("decline")
        shown = screens[CY].see(lambda shown: shown["table"]["proposal"] is None)
        assert is_paused(shown)


def test_the_host_ends_it_without_winners_and_the_record_says_so(settings: Settings) -> None:
    with served(settings) as house:
        screens = seated(house, ("friend", "me", "friend"))
        pause(house, screens)
        screens[BEN].say("end")
        for screen in screens.values():
            shown = screen.see(lambda shown: shown["table"]["finished"])
            assert shown["table"]["paused"]["ended"]
            assert "a division by zero" in shown["table"]["paused"]["details"]
        token = screens[CY].token
        kept = from_json(house.get(f"/api/log/{token}"))
    assert kept.result is None
    assert kept.fault is not None
    assert (kept.fault.seat, kept.fault.clause, kept.fault.ended) == (ANN, "test", True)
    *_, last = Replay(GAME.program, kept)
    assert "a division by zero" in last.fault
    assert last.difference is None
    with served(settings) as house:
        assert house.connect(token).shown["table"]["paused"]["ended"]


def test_nobody_ends_a_game_by_provoking_a_fault(settings: Settings) -> None:
    """The host was asked himself: those who are here must agree to the end."""
    with served(settings) as house:
        screens = seated(house)
        pause(house, screens)
        screens[ANN].say("end")
        shown = screens[BEN].see(lambda shown: shown["table"]["proposal"] is not None)
        assert shown["table"]["proposal"]["kind"] == "end"
        assert not shown["table"]["finished"]
        for seat in (BEN, CY):
            screens[seat].say("agree")
        assert screens[CY].see(lambda shown: shown["table"]["finished"])["table"]["paused"]["ended"]


def test_a_bot_that_provokes_a_fault_pauses_the_game_too(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(settings) as house:
        chosen: list[int] = []

        async def thought(table: object, turn: object) -> int:
            return chosen[0]

        monkeypatch.setattr(house.web.registry, "thought", thought)
        host = set_up(house.post, "findings", ("random", "me", "friend"))
        chosen.append(card_of_ben(house, None))  # type: ignore[arg-type]
        screen = house.connect(host)
        shown = screen.see(is_paused)
        assert shown["table"]["paused"]["details"] == ""
        assert "division" not in json.dumps(screen.texts)


def test_who_plays_alone_is_told_the_details_and_goes_on_at_once(settings: Settings) -> None:
    with served(settings) as house:
        screens = seated(house, ("me", "random", "random"))
        pause(house, screens)
        host = screens[ANN]
        assert "a division by zero" in host.shown["table"]["paused"]["details"]
        host.say("resume", after=0)
        assert host.see(goes_on)["ask"] == 0


def test_those_who_share_a_screen_look_at_it_together(settings: Settings) -> None:
    with served(settings) as house:
        host = house.connect(set_up(house.post, "findings", ("me", "me", "me")))
        host.say("face", seat=ANN)
        host.see(lambda shown: shown["seat"] == ANN)
        pause(house, {ANN: host})
        assert host.shown["seat"] is None
        assert host.shown["table"]["paused"]["details"] == ""
