"""Nothing hidden is on the wire: what a screen is told depends on what its seat may know alone.

Two kinds of tests. In the first, everything that a seat cannot see is redrawn at random, and the
scene made from that other world must be the one that was sent. In the second, two real games go
differently only where a seat cannot see it, and every text it was sent must be the same.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import lawspeaker
from lawspeaker.faces.web import tables
from lawspeaker.faces.web.scene import scene
from lawspeaker.faces.web.store import Store
from lawspeaker.match.match import Match, RuleFault, imagine
from tests.web.conftest import House
from tests.web.visitors import Message, Screen, everyone, play_on, set_up

LARGE = "walhalla"
"""Its scenes take longer to draw, so only every third is looked at."""
TOLD = ("log", "result")
"""What is told of replies and points of the past: an imagined world has none."""


def without_past(drawn: Message) -> str:
    return json.dumps({key: drawn[key] for key in drawn if key not in TOLD}, sort_keys=True)


def whole_game(house: House, rules: str, seats: int, most: int) -> dict[int | None, Screen]:
    """People in all seats and an onlooker play, each taking some option."""
    host = set_up(house.post, rules, ["me", *["friend"] * (seats - 1)])
    first = house.connect(host)
    tokens = everyone(host, first.shown)
    screens = {seat: house.connect(token) for seat, token in tokens.items()}
    for at in range(most):
        for screen in screens.values():
            screen.see_at(at)
        asked = [screen for screen in screens.values() if screen.asked]
        if not asked:
            break
        screen = asked[at % len(asked)]
        screen.reply((5 * at) % len(screen.options))
    return screens


def played_again(store: Store, rules: str, seats: int) -> list[Match]:
    """The matches of the only table there is, after 0, 1, 2 … replies."""
    kept = store.table(1)
    assert kept is not None
    match = lawspeaker.load(rules).start(seats, kept.seed)
    found = [match.copy()]
    for reply in store.replies(1):
        match.choose(reply.choice, seat=reply.seat)
        found.append(match.copy())
    return found


@pytest.mark.parametrize(
    "rules, seats, most",
    [
        ("kuhn_poker", 2, 20),
        ("little_whist", 4, 9),
        pytest.param(LARGE, 3, 10, marks=pytest.mark.full),
    ],
)
def test_a_screen_shows_what_its_seat_may_know_and_nothing_else(
    house: House, rules: str, seats: int, most: int
) -> None:
    screens = whole_game(house, rules, seats, most)
    matches = played_again(house.web.registry.store, rules, seats)
    checked = 0
    for seat, screen in screens.items():
        for text in screen.texts:
            message = json.loads(text)
            if message["type"] != "scene":
                continue
            assert message["seat"] == seat
            if rules == LARGE and message["at"] % 3:
                continue
            match = matches[message["at"]]
            sent = scene(match, seat, "en", message["since"])
            assert message["scene"] == json.loads(json.dumps(sent))
            if (world := redrawn(match, seat, luck=message["at"])) is not None:
                assert without_past(scene(world, seat, "en")) == without_past(sent)
                checked += 1
    assert checked > 3 * seats


def redrawn(match: Match, seat: int | None, luck: int) -> Match | None:
    """A world in which all is otherwise that a seat cannot see; what it saw happen is the same."""
    view = match.view(seat)
    try:
        world = imagine(view, 1000 + luck)
    except RuleFault:
        return None
    world._events = view.events
    return world


def hands(seed: int) -> tuple[str, str]:
    """What the two seats of Kuhn poker are dealt."""
    match = lawspeaker.load("kuhn_poker").start(2, seed)
    one, two = (json.dumps(match.view(seat).to_json()["places"]) for seat in range(2))
    return one, two


def told_to_the_first(house: House, seed: int) -> list[Message]:
    """All that the first player is sent up to and with the other's turn.

    Only who plays all seats at one screen may choose the seed; the first player's screen is sent
    the same there as anywhere.
    """
    screen = house.connect(set_up(house.post, "kuhn_poker", ("me", "me"), seed=seed))
    screen.say("face", seat=0)
    screen.see(lambda shown: shown["seat"] == 0)
    screen.reply(0)
    assert screen.shown["curtain"] == 1
    messages = [json.loads(text) for text in screen.texts]
    for each in messages:
        del each["table"]["links"]
    return messages


class Clock:
    """A clock on the wall that is a second later whenever somebody looks at it: what is told of
    the time is the same in two games only if the clock was looked at as often, and at the same
    moments of the game."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def time(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.full
def test_the_cards_of_others_change_nothing_on_a_screen(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds: dict[str, dict[str, list[Message]]] = {}
    for seed in range(12):
        own, others = hands(seed)
        monkeypatch.setattr(tables, "time", Clock())
        worlds.setdefault(own, {})[others] = told_to_the_first(house, seed)
    compared = 0
    for same in worlds.values():
        first, *rest = same.values()
        for other in rest:
            assert other == first
            compared += 1
    assert compared >= 2, "there were worlds that differ only in what the seat cannot see"


@pytest.mark.parametrize("rules", ["rock_paper_scissors"])
def test_a_secret_choice_is_not_told_before_all_have_chosen(house: House, rules: str) -> None:
    """The other's choice makes no difference to what is sent until the own one is given."""

    def told(choice: int) -> list[Any]:
        host = set_up(house.post, rules, ("me", "friend"))
        screen = house.connect(host)
        other = house.connect(everyone(host, screen.shown)[1])
        onlooker = house.connect(str(everyone(host, screen.shown)[None]))
        for each in (screen, other):
            each.see(lambda shown: shown["table"]["watchers"] == 1)
        other.reply(choice)
        return [
            (each.see_at(1)["at"], each.shown["since"], json.dumps(each.shown["scene"]))
            for each in (screen, onlooker)
        ]

    assert told(0) == told(1) == told(2)


def test_the_seed_is_told_when_the_game_is_over_and_no_earlier(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "friend"))
    screen = house.connect(host)
    friend = house.connect(everyone(host, screen.shown)[1])
    while not screen.shown["table"]["finished"]:
        assert all("seed" not in json.loads(text).get("table", {}) for text in screen.texts)
        asked = next(each for each in (screen, friend) if each.asked)
        at = asked.reply()["at"]
        for each in (screen, friend):
            each.see_at(at)
    assert screen.shown["table"]["seed"].isdecimal()


def test_the_log_is_closed_to_players_until_the_game_is_over(house: House) -> None:
    host = set_up(house.post, "nim", ("me", "friend"))
    tokens = everyone(host, house.connect(host).shown)
    for token in (*tokens.values(), house.connect(tokens[1]).token):
        for answer in (
            house.client.get(f"/api/log/{token}"),
            house.client.post(f"/api/branch/{token}", json={"after": 0}),
        ):
            assert answer.status_code in (403, 404)
            assert answer.json()["error"]["code"] in ("not_open", "not_found")


def test_a_link_looks_back_with_its_own_eyes_only(house: House) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    tokens = everyone(host, house.connect(host).shown)
    friend = house.connect(tokens[1]).token
    own = house.get(f"/api/scene/{friend}?after=0")
    assert own["seat"] == 1
    onlooker = house.get(f"/api/scene/{tokens[None]}?after=0")
    assert onlooker["seat"] is None
    assert onlooker["scene"] != own["scene"]
    for seat in ("0", "7", "-1", "x", ""):
        answer = house.client.get(f"/api/scene/{friend}?after=0&seat={seat}")
        assert answer.status_code == 403
    answer = house.client.get(f"/api/scene/{friend}?after=99")
    assert answer.status_code == 400


def test_once_a_game_is_over_it_can_be_seen_with_all_eyes(house: House) -> None:
    host = set_up(house.post, "kuhn_poker", ("me", "friend"))
    first = house.connect(host)
    tokens = everyone(host, first.shown)
    screens = {0: first, 1: house.connect(tokens[1])}
    play_on(screens)
    for token in (host, screens[1].token, tokens[None]):
        seen = [house.get(f"/api/scene/{token}?after=0&seat={seat}")["seat"] for seat in (0, 1)]
        assert seen == [0, 1]
        assert house.client.get(f"/api/scene/{token}?after=0&seat=2").status_code == 403
