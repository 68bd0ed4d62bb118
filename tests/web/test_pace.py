"""Around the game: the lobby, talk and signs, reminders, clocks, invitations seen from outside."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from lawspeaker.faces.web import channel, pace
from lawspeaker.faces.web.pace import Pace, Waiting
from lawspeaker.faces.web.scene import EMPTY
from lawspeaker.faces.web.settings import Settings
from tests.web.conftest import House
from tests.web.visitors import Message, Screen, everyone, set_up


def friends(house: House, **more: object) -> tuple[Screen, Screen, Screen]:
    """The host, a friend who has sat down, and an onlooker."""
    host = house.connect(set_up(house.post, "nim", ("me", "friend"), **more))
    links = everyone(host.token, host.shown)
    return host, house.connect(links[1]), house.connect(links[None])


def next_talk(screen: Screen) -> Message:
    return screen.hear_until(lambda message: message["type"] == "talk")


# -------------------------------------------------------------------- the lobby


def test_the_game_begins_when_all_are_ready(house: House) -> None:
    host, friend, onlooker = friends(house, lobby=True)
    assert host.shown["table"]["lobby"]
    assert host.answer_to("reply", number=0, ask=0)["why"]["code"] == "lobby"
    assert onlooker.answer_to("ready")["why"]["code"] == "onlooker"
    host.say("ready")
    friend.see(lambda scene: scene["table"]["seats"][0]["ready"])
    host.say("ready", ready=False)
    friend.see(lambda scene: not scene["table"]["seats"][0]["ready"])
    for each in (friend, host):
        each.say("ready")
    host.see(lambda scene: not scene["table"]["lobby"])
    assert host.reply()["at"] == 1


def test_the_host_begins_without_the_others(house: House) -> None:
    host, friend, _ = friends(house, lobby=True)
    assert friend.answer_to("begin")["why"]["code"] == "host_only"
    host.say("begin")
    host.see(lambda scene: not scene["table"]["lobby"])
    assert host.reply()["at"] == 1


def test_nothing_of_the_game_is_seen_before_it_begins(house: House) -> None:
    seats = ("me", "me", "friend")
    host = house.connect(set_up(house.post, "walhalla", seats, lobby=True))
    links = everyone(host.token, host.shown)
    friend, onlooker = house.connect(links[2]), house.connect(links[None])
    past = house.get(f"/api/scene/{friend.token}")
    for shown in (host.shown, friend.shown, onlooker.shown, past):
        scene = shown["scene"]
        assert (shown["curtain"], shown["ask"], scene["question"]) == (None, None, None)
        assert (scene["svg"], scene["asked"], scene["log"]) == (EMPTY, [], [])
        assert len(scene["players"]) == 3
    for kind, more in (("what", {"thing": "deck"}), ("points", {"seat": 0})):
        assert friend.answer_to(kind, **more)["why"]["code"] == "lobby"
    for kind, more in (("hint", {}), ("whynot", {"text": "deck"})):
        assert friend.answer_to(kind, **more)["why"]["code"] == "not_asked"
    assert friend.answer_to("rule")["why"]["code"] == "no_clause"
    host.say("begin")
    for screen in (host, friend, onlooker):
        begun = screen.see(lambda shown: not shown["table"]["lobby"])
        assert begun["scene"]["svg"] != EMPTY
        assert begun["scene"]["log"]


def test_bots_wait_in_the_lobby_too_and_alone_there_is_none(house: House) -> None:
    seats = ("greedy", "friend")
    host = house.connect(set_up(house.post, "nim", seats, lobby=True))
    friend = house.connect(everyone(host.token, host.shown)[1])
    assert friend.shown["at"] == 0
    friend.say("ready")
    friend.see_at(1)
    alone = house.connect(set_up(house.post, "nim", ("me", "greedy"), lobby=True))
    assert not alone.shown["table"]["lobby"]


def test_the_lobby_survives_a_restart(settings: Settings) -> None:
    with ExitStack() as stack:
        host, friend, _ = friends(House(settings, stack), lobby=True, clock=600)
        friend.say("ready")
        host.see(lambda scene: scene["table"]["seats"][1]["ready"])
    with ExitStack() as stack:
        again = House(settings, stack).connect(host.token)
        assert again.shown["table"]["lobby"]
        assert again.shown["table"]["seats"][1]["ready"]
        assert again.shown["table"]["clock"] == {"each": 600, "spent": [0, 0]}
        again.say("ready")
        again.see(lambda scene: not scene["table"]["lobby"])


# -------------------------------------------------------------------- talk


def test_what_is_said_reaches_all_and_is_kept(settings: Settings) -> None:
    with ExitStack() as stack:
        host, friend, onlooker = friends(House(settings, stack))
        host.say("say", text=" <b>Well met</b>\u202e ")
        friend.say("sign", sign="👏")
        for screen in (host, friend, onlooker):
            lines = [*next_talk(screen)["lines"], *next_talk(screen)["lines"]]
            assert {(each["seat"], each["text"].strip()) for each in lines} == {
                (0, "<b>Well met</b>"),
                (1, "👏"),
            }
        token = onlooker.token
    with ExitStack() as stack:
        again = House(settings, stack).open(token)
        told = next_talk(again)
        assert told["all"]
        assert [each["kind"] for each in told["lines"]] == ["said", "sign"]


def test_onlookers_read_and_do_not_write(house: House) -> None:
    *_, onlooker = friends(house)
    for kind, more in (("say", {"text": "hello"}), ("sign", {"sign": "👍"}), ("remind", {})):
        assert onlooker.answer_to(kind, **more)["why"]["code"] == "onlooker"


def test_talk_is_bounded(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawspeaker.faces.web.tables.MOST_LINES", 3)
    with ExitStack() as stack:
        house = House(settings, stack)
        host, *_ = friends(house)
        assert host.answer_to("say", text="x" * 281)["why"]["code"] == "too_wordy"
        assert host.answer_to("say", text="x" * 301)["code"] == "bad_message"
        assert host.answer_to("sign", sign="🐉")["code"] == "bad_message"
        answers = [host.answer_to("say", text=str(at)) for at in range(8)]
        assert [each["type"] for each in answers[:6]] == ["talk"] * 6
        assert answers[-1]["why"]["code"] == "too_fast"
        kept = house.web.registry.store.lines(1)
        assert [each.text for each in kept] == ["3", "4", "5"]


def test_somebody_is_reminded_after_a_while_and_not_all_the_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, friend, _ = friends(house)
    assert friend.answer_to("remind")["why"]["code"] == "too_soon"
    monkeypatch.setattr(channel, "REMIND_AFTER", 0)
    assert host.answer_to("remind")["why"]["code"] == "too_soon", "nobody else is waited for"
    friend.say("remind")
    assert next_talk(host)["lines"][0]["kind"] == "reminder"
    monkeypatch.setattr(channel, "REMIND_AFTER", 60)
    assert friend.answer_to("remind")["type"] in ("talk", "refused")


# -------------------------------------------------------------------- clocks


def test_time_runs_while_one_is_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    host, friend, _ = friends(house, clock=600)
    begun = host.shown["table"]["since"]
    monkeypatch.setattr(time, "time", lambda: begun + 100.0)
    host.reply()
    assert friend.see_at(1)["table"]["clock"] == {"each": 600, "spent": [100, 0]}
    refused = host.answer_to("bot", seat=1, strength="random")
    assert refused["why"]["code"] == "is_here"
    monkeypatch.setattr(time, "time", lambda: begun + 701.0)
    host.say("bot", seat=1, strength="random")
    host.see(lambda scene: scene["table"]["seats"][1]["who"] == "bot")
    friend.say("back", seat=1)
    friend.see(lambda scene: scene["table"]["seats"][1]["who"] == "person")


def test_what_an_answer_took_is_not_told_before_all_have_answered(house: House) -> None:
    host = house.connect(set_up(house.post, "rock_paper_scissors", ("me", "friend"), clock=900))
    friend = house.connect(everyone(host.token, host.shown)[1])
    table = next(iter(house.web.registry._open.values()))
    table.waiting = replace(table.waiting, since=table.waiting.since - 50)
    host.reply()
    assert friend.see_at(1)["table"]["clock"]["spent"] == [0, 0]
    friend.reply()
    spent = host.see_at(2)["table"]["clock"]["spent"]
    assert all(each >= 50 for each in spent)


def test_a_clock_says_when_time_is_up() -> None:
    now = int(time.time())
    clock = Pace(False, 60, (0, 30))
    assert not clock.out_of_time(0, Waiting(now - 40, (0, 1), (0, 1)))
    assert clock.out_of_time(1, Waiting(now - 40, (0, 1), (0, 1)))
    assert not clock.out_of_time(1, Waiting(now - 40, (0,), (0,)))
    assert not replace(clock, lobby=True).out_of_time(1, Waiting(now - 400, (1,), (1,)))
    assert pace.pace_of(clock.text(), 2) == clock
    with pytest.raises(ValueError, match="each seat"):
        pace.pace_of(clock.text(), 3)


@pytest.mark.parametrize("more", [{"clock": -1}, {"clock": 10**9}, {"clock": "1"}, {"lobby": 1}])
def test_odd_paces_are_answered(house: House, more: dict[str, object]) -> None:
    body = {"rules": "nim", "seats": [{"who": "me"}, {"who": "friend"}], **more}
    assert house.client.post("/api/tables", json=body).status_code == 400


# -------------------------------------------------------------------- invitations from outside


def test_an_invitation_says_its_game_and_a_seat_nothing(house: House) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "friend"), language="de"))
    links = everyone(host.token, host.shown)
    page = house.client.get(f"/t/{links[1]}").text
    assert '<meta property="og:title" content="Du bist eingeladen: Nim">' in page
    assert "Nim" in house.client.get(f"/watch/{links[None]}").text
    own = house.client.get(f"/t/{host.token}").text
    assert "Nim" not in own
    for text in (page, own):
        assert host.token not in text
        assert str(links[1]) not in text


def test_an_invitation_is_a_picture_for_a_camera(house: House) -> None:
    host = house.connect(set_up(house.post, "nim", ("me", "friend")))
    links = everyone(host.token, host.shown)
    answer = house.client.get(f"/api/qr/{links[1]}")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content.startswith(b"<svg")
    assert b"<script" not in answer.content
    assert answer.content != house.client.get(f"/api/qr/{links[None]}").content
    for token in (host.token, "A" * 32, "x"):
        assert house.client.get(f"/api/qr/{token}").status_code == 404
