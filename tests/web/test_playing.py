"""Playing at a table: replies, questions, links, reconnecting, onlookers, bots."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from lawspeaker.faces.web.settings import Settings
from tests.web.conftest import House
from tests.web.visitors import Screen, everyone, play_on, set_up


def seated(house: House, rules: str, seats: tuple[str, ...], **more: Any) -> dict[int, Screen]:
    """A table with a screen for each person."""
    host = set_up(house.post, rules, seats, **more)
    first = house.connect(host)
    tokens = everyone(host, first.shown)
    return {
        seat: first if token == host else house.connect(token)
        for seat, token in sorted(tokens.items(), key=str)
        if seat is not None
    }


def test_two_people_play_a_game_to_its_end(house: House) -> None:
    screens = seated(house, "kuhn_poker", ("me", "friend"))
    assert play_on(screens) >= 2
    for screen in screens.values():
        assert screen.shown["table"]["finished"]
        assert screen.shown["ask"] is None
        assert screen.shown["table"]["log"], "the log is open when the game is over"
        assert sum(screen.shown["scene"]["scores"]) == sum(screens[0].shown["scene"]["scores"])


def test_the_scene_after_a_reply_says_what_is_new_since(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    first = next(screen for screen in screens.values() if screen.asked)
    assert first.shown["since"] == 0
    shown = first.reply()
    assert (shown["at"], shown["since"]) == (1, 0)
    other = next(screen for screen in screens.values() if screen is not first)
    other.see_at(1)
    shown = other.reply()
    assert (shown["at"], shown["since"]) == (2, 1)
    assert [each["reply"] for each in shown["scene"]["log"]] == [2]


def test_a_reply_to_an_earlier_question_is_refused(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    first = next(screen for screen in screens.values() if screen.asked)
    asked = first.shown["ask"]
    first.reply()
    refused = first.answer_to("reply", number=0, ask=asked)
    assert refused["why"]["code"] == "not_asked"
    second = next(screen for screen in screens.values() if screen is not first)
    second.see_at(1)
    assert second.answer_to("reply", number=0, ask=0)["why"]["code"] == "stale"
    assert second.answer_to("reply", number=999, ask=1)["why"]["code"] == "illegal"
    assert second.reply()["at"] == 2, "the table goes on as if nothing had been said"


def test_sent_twice_it_counts_once(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    first = next(screen for screen in screens.values() if screen.asked)
    for _ in range(2):
        first.say("reply", number=0, ask=first.shown["ask"])
    first.hear_until(lambda message: message["type"] == "refused")
    assert first.see_at(1)["at"] == 1


def test_who_is_asked_together_may_answer_in_any_order(house: House) -> None:
    screens = seated(house, "rock_paper_scissors", ("me", "friend"))
    assert all(screen.asked for screen in screens.values())
    before = screens[0].shown["ask"]
    screens[1].reply(1)
    screens[0].see_at(1)
    assert screens[0].shown["ask"] == before, "it is still the same question"
    screens[0].say("reply", number=0, ask=before)
    assert screens[0].see_at(2)["at"] == 2


def test_a_link_leads_to_its_own_seat_only(house: House) -> None:
    host = set_up(house.post)
    shown = house.connect(host).shown
    assert shown["you"] == {"seats": [0], "host": True, "watch": False}
    tokens = everyone(host, shown)
    friend = house.connect(tokens[1]).shown
    assert friend["you"] == {"seats": [1], "host": False, "watch": False}
    assert "links" not in friend["table"]
    onlooker = house.connect(str(tokens[None])).shown
    assert onlooker["you"] == {"seats": [], "host": False, "watch": True}
    assert onlooker["seat"] is None
    assert onlooker["ask"] is None


def test_onlookers_cannot_play(house: House) -> None:
    host = set_up(house.post)
    screen = house.connect(host)
    onlooker = house.connect(str(everyone(host, screen.shown)[None]))
    for kind, fields in (
        ("reply", {"number": 0, "ask": 0}),
        ("whynot", {"text": "bet"}),
        ("undo", {}),
        ("undo", {"anyway": True}),
        ("agree", {}),
        ("decline", {}),
        ("bot", {"seat": 0, "strength": "random"}),
        ("back", {"seat": 0}),
        ("face", {"seat": 0}),
    ):
        assert onlooker.answer_to(kind, **fields)["type"] == "refused", kind
    assert onlooker.shown["at"] == 0
    assert onlooker.shown["seat"] is None


def test_who_comes_back_sees_the_table_as_it_is(house: House) -> None:
    screens = seated(house, "walhalla", ("me", "friend", "friend"))
    play_on(screens, 6)
    again = house.connect(screens[0].token)
    screens[0].see_at(6)
    assert again.shown["at"] == 6
    assert again.shown["since"] == 0
    assert again.shown["scene"]["question"] == screens[0].shown["scene"]["question"]


def test_who_is_here_is_shown(house: House) -> None:
    host = set_up(house.post)
    screen = house.connect(host)
    tokens = everyone(host, screen.shown)
    assert [each["here"] for each in screen.shown["table"]["seats"]] == [True, False]
    friend = house.connect(tokens[1])
    screen.see(lambda shown: shown["table"]["seats"][1]["here"])
    friend.line.session.close()  # type: ignore[attr-defined]
    screen.see(lambda shown: not shown["table"]["seats"][1]["here"])


def test_bots_answer_until_a_person_is_asked(house: House) -> None:
    host = set_up(house.post, "nim", ("random", "me"))
    screen = house.connect(host)
    screen.see(lambda shown: shown["ask"] is not None or shown["table"]["finished"])
    assert screen.shown["at"] % 2 == 1


def test_bots_alone_play_while_somebody_looks_on(house: House) -> None:
    host = set_up(house.post, "nim", ("random", "greedy"))
    screen = house.connect(host)
    assert screen.see(lambda shown: shown["table"]["finished"])["at"] > 0


@pytest.mark.full
def test_bots_whose_process_dies_get_another(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, thinkers=1), stack)
        screen = house.connect(set_up(house.post, "nim", ("me", "greedy")))
        screen.reply()
        screen.see(lambda shown: shown["at"] == 2)
        pool = house.web.registry.thinkers.pool()
        for process in list(pool._processes.values()):  # type: ignore[attr-defined]
            process.kill()
            process.join()
        screen.reply()
        screen.see(lambda shown: shown["at"] >= 4 or shown["table"]["finished"])
        assert house.web.registry.thinkers.pool() is not pool


def test_why_not_names_the_rule(house: House) -> None:
    host = set_up(house.post, "othello", ("me", "friend"))
    screen = house.connect(host)
    why = screen.answer_to("whynot", text="cell 1 1")
    assert why["type"] == "why"
    assert not why["offered"]
    assert why["sentence"]
    rule = screen.answer_to("rule")
    assert rule["clause"] == screen.shown["scene"]["question"]["clause"]
    assert screen.answer_to("rule", clause="nothing of the kind")["type"] == "refused"


def test_points_are_explained(house: House) -> None:
    screens = seated(house, "kuhn_poker", ("me", "friend"))
    play_on(screens)
    screen = screens[0]
    points = screen.answer_to("points", seat=1)
    assert points["total"] == screen.shown["scene"]["scores"][1]
    assert screen.answer_to("points", seat=7)["type"] == "refused"


def test_each_screen_speaks_its_own_language(house: House) -> None:
    screens = seated(house, "walhalla", ("me", "friend", "friend"), language="de")
    assert screens[0].shown["table"]["language"] == "de"
    screens[1].say("language", language="it")
    shown = screens[1].see(lambda scene: scene["table"]["language"] == "it")
    assert shown["since"] == 0
    assert screens[1].answer_to("language", language="xx")["type"] == "refused"
    screens[0].say("ping")
    assert screens[0].hear_until(lambda message: message["type"] == "pong")
    assert screens[0].shown["table"]["language"] == "de"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "{}",
        '{"type": "reply"}',
        '{"type": "reply", "number": -1, "ask": 0}',
        '{"type": "reply", "number": true, "ask": 0}',
        '{"type": "reply", "number": 1e3, "ask": 0}',
        '{"type": "reply", "number": NaN, "ask": 0}',
        '{"type": "reply", "number": 0, "ask": 0, "seat": 1}',
        '{"type": ["reply"]}',
        '{"type": "sudo"}',
        '{"type": "whynot", "text": 7}',
        '{"type": "shape", "shape": "round"}',
        "[" * 3000,
        '{"type": "ping", "x": "' + "x" * 5000 + '"}',
    ],
)
def test_what_cannot_be_understood_is_answered_and_changes_nothing(house: House, text: str) -> None:
    host = set_up(house.post)
    screen = house.connect(host)
    screen.line.send(text)
    answer = screen.hear_until(lambda message: message["type"] == "error")
    assert answer["code"] in ("bad_message", "too_large")
    assert answer["message"]
    assert screen.answer_to("ping")["type"] == "pong"
    assert screen.shown["at"] == 0


def test_two_tables_side_by_side_do_not_meet(house: House) -> None:
    one, two = (seated(house, "nim", ("me", "friend")) for _ in range(2))
    play_on(one, 3)
    for screen in two.values():
        assert screen.answer_to("ping")["type"] == "pong"
        assert screen.shown["at"] == 0
    first = next(screen for screen in two.values() if screen.asked)
    assert first.reply()["at"] == 1
    texts = "".join(text for screen in two.values() for text in screen.texts)
    for screen in one.values():
        assert screen.token not in texts


def test_a_message_is_one_json_object_with_a_type(house: House) -> None:
    screens = seated(house, "nim", ("me", "friend"))
    play_on(screens, 2)
    for screen in screens.values():
        assert all(isinstance(json.loads(text)["type"], str) for text in screen.texts)


def test_a_fault_of_ours_ends_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = house.connect(set_up(house.post))
    (channel,) = house.web.channels.values()

    def broken(*_: Any) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(channel.table, "points", broken)
    answer = screen.answer_to("points", seat=0)
    assert (answer["type"], answer["code"]) == ("error", "our_fault")
    assert "secret" not in json.dumps(answer)
    assert screen.answer_to("ping")["type"] == "pong"
