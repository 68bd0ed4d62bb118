"""Whole games in real browsers, by clicks, and what comes over the wire meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.browser.screens import Screen

Visit = Callable[..., Screen]
SetUp = Callable[..., str]

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]


def test_two_people_play_voluspa(visit: Visit, table: SetUp) -> None:
    """In two browsers; neither is ever told what the other holds."""
    host = visit(table("voluspa", "me", "friend"))
    invitation = host.page.locator("#people [data-link^='/t/']").first.get_attribute("data-link")
    guest = visit(str(invitation))
    guest.page.fill("#curtain input", "Bob")
    guest.page.click("#curtain button")
    guest.page.wait_for_selector("body[data-state]")
    screens = {0: host, 1: guest}
    for turn in range(4000):
        asked = next((each for each in screens.values() if each.state == "asked"), None)
        if asked is not None:
            asked.answer(turn * 5)
        elif host.state == "over" and guest.state == "over":
            break
        else:
            host.page.wait_for_timeout(10)
    for screen in screens.values():
        screen.wait("over")
        assert screen.page.locator(".result li").count() == 2
    for seat, screen in screens.items():
        other = ("red", "blue")[1 - seat]
        held = [re.findall(rf'data-thing="([^"]*) in hand {other}"', text_of(m)) for m in
                screen.scenes]  # fmt: skip
        assert any(held)
        assert {thing for things in held for thing in things} == {"hidden tile"}


def text_of(message: dict[str, Any]) -> str:
    return str(message["scene"]["svg"])


def test_a_game_of_walhalla_with_bots(visit: Visit, table: SetUp) -> None:
    screen = visit(table("walhalla", "me", "random", "random", "random", seed=5))
    at, turn = "", 0
    while screen.wait_for_news(at) != "over":
        at = screen.at
        screen.answer(turn)
        turn += 1
    assert turn > 10
    assert screen.page.locator(".result li").count() == 4
    assert screen.page.locator(".result .winner").count() >= 1
    for message in screen.scenes:
        other = re.findall(r'data-thing="([^"]*) in hand (black|yellow|blue)"', text_of(message))
        assert {thing for thing, _ in other} <= {"hidden card"}
