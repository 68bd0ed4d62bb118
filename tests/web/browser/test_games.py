"""Whole games in real browsers, by clicks, and what comes over the wire meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.tiers import NIGHTLY
from tests.web.browser.screens import Screen

Visit = Callable[..., Screen]
SetUp = Callable[..., str]

GUESTS = ("Bob", "Cleo", "Dan")
"""Nobody may be called as somebody else at the table is."""

pytestmark = pytest.mark.xdist_group("browser")


"""Whole games take minutes in several browsers, so only a nightly run plays them to their end."""


@pytest.mark.nightly
def test_two_people_play_voluspa(visit: Visit, table: SetUp) -> None:
    link = table("voluspa", "me", "friend")
    played_by_all(visit, link, ("red", "blue"), "tile", 4000)


@pytest.mark.full
def test_four_people_play_walhalla(visit: Visit, table: SetUp) -> None:
    link = table("walhalla", "me", "friend", "friend", "friend")
    names = ("red", "black", "yellow", "blue")
    played_by_all(visit, link, names, "card", 4000 if NIGHTLY else 16)


def played_by_all(visit: Visit, link: str, names: Sequence[str], held: str, replies: int) -> None:
    """All play in browsers of their own, a whole game if there are replies enough for it; nobody is
    ever told what others hold."""
    host = visit(link)
    host.page.wait_for_selector("#people [data-link^='/t/']")
    invitations = host.page.eval_on_selector_all(
        "#people [data-link^='/t/']", "all => all.map((each) => each.dataset.link)"
    )
    guests = zip(GUESTS, invitations[: len(names) - 1], strict=False)
    screens = [host, *(arrived(visit(each), name) for name, each in guests)]
    assert len(screens) == len(names)
    host.page.wait_for_selector("#seats:not([open])")  # what invited them is in nobody's way
    given = 0
    while given < replies and not all(each.state == "over" for each in screens):
        asked = next((each for each in screens if each.state == "asked"), None)
        if asked is None:
            host.page.wait_for_timeout(10)
            continue
        asked.answer(given * 5)
        given += 1
    for screen in screens if given < replies else ():
        screen.wait("over")
        assert screen.page.locator(".result li").count() == len(names)
        assert screen.page.locator(".result .winner").count() >= 1
    for seat, screen in enumerate(screens):
        others = "|".join(name for name in names if name != names[seat])
        pattern = rf'data-thing="([^"]*) in hand (?:{others})"'
        seen = {thing for each in screen.scenes for thing in re.findall(pattern, text_of(each))}
        assert seen == {f"hidden {held}"}


def arrived(guest: Screen, name: str) -> Screen:
    """Sits down where an invitation leads to."""
    guest.page.fill("#curtain input", name)
    guest.page.click("#curtain button")
    guest.page.wait_for_selector("body[data-state]")
    return guest


def text_of(message: dict[str, Any]) -> str:
    return str(message["scene"]["svg"])


def test_a_short_game_comes_to_its_end(visit: Visit, table: SetUp) -> None:
    screen = visit(table("little_whist", "me", "random", "random", "random", seed=5))
    at, turn = "", 0
    while screen.wait_for_news(at) != "over":
        at = screen.at
        screen.answer(turn)
        turn += 1
    assert screen.page.locator(".result > li").count() == 4
    assert screen.page.locator(".result .winner").count() >= 1


@pytest.mark.nightly
def test_a_game_of_walhalla_with_bots(visit: Visit, table: SetUp) -> None:
    screen = visit(table("walhalla", "me", "random", "random", "random", seed=5))
    at, turn = "", 0
    while screen.wait_for_news(at) != "over":
        at = screen.at
        screen.answer(turn)
        turn += 1
    assert turn > 10
    assert screen.page.locator(".result > li").count() == 4
    assert screen.page.locator(".result .winner").count() >= 1
    for message in screen.scenes:
        other = re.findall(r'data-thing="([^"]*) in hand (black|yellow|blue)"', text_of(message))
        assert {thing for thing, _ in other} <= {"hidden card"}


@pytest.mark.full
def test_the_same_again_keeps_the_seats_of_people(visit: Visit) -> None:
    """Also those for whom a bot has played to the end; and a table of a draft says so."""
    screen = visit("/")
    found = screen.page.evaluate(
        """async () => {
          const { afterwards, drafted } = await import("/static/js/end.js");
          const sent = [];
          window.fetch = async (path, { body }) => {
            sent.push(JSON.parse(body));
            return { ok: true, json: async () => ({ link: "#" }) };
          };
          const seat = (seat, who, person, more) => ({ seat, who, person, nick: "", ...more });
          const bot = { strength: "greedy" };
          const seats = [seat(0, "bot", true, { ...bot, nick: "Ann" }), seat(1, "bot", false, bot),
            seat(2, "bot", true, { ...bot, nick: "Cy" }), seat(3, "person", true)];
          const table = { rules: "hearts", seats, clock: { each: 0 } };
          const offered = () => {};
          const shown = afterwards({ table, you: { seats: [0] } }, { offered });
          shown.find((each) => each.matches("button.main")).click();
          await new Promise((done) => setTimeout(done));
          return [sent[0].seats, [drafted(table), drafted({ rules: "./mine" })]];
        }"""
    )
    assert found == [
        [
            {"who": "me", "name": "Ann"},
            {"who": "greedy"},
            {"who": "friend", "name": "Cy"},
            {"who": "friend"},
        ],
        [False, True],
    ]
