"""Two people in two browsers: invited, ready, talking."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.web.browser.screens import Screen

Visit = Callable[..., Screen]

pytestmark = pytest.mark.xdist_group("browser")


def test_friends_meet_in_the_lobby_and_talk(visit: Visit, table: Callable[..., str]) -> None:
    host = visit(table("nim", "me", "friend", lobby=True, clock=600)).page
    host.click(".lobby li button")
    host.wait_for_function("() => document.querySelector('.qr')?.naturalWidth > 0")
    link = host.get_attribute(".inviting .large", "data-link")
    host.click(".inviting .close")
    friend = visit(link, viewport={"width": 390, "height": 780}).page
    friend.fill("#curtain input", "Ben")
    friend.click("#curtain .main")
    friend.click(".lobby .large")
    host.wait_for_selector(".lobby .is-ready")
    host.click(".lobby .large")
    host.wait_for_selector("body[data-state=asked]:not(.in-lobby)")
    host.click("#talk-open")
    host.fill("#talk-field", "<i>Well</i> met")
    host.keyboard.press("Enter")
    friend.wait_for_selector("#unread:not([hidden])")
    friend.click("#talk-open")
    assert "<i>Well</i> met" in friend.inner_text("#talk-lines")
    assert friend.locator(".clocks li").count() == 2
    friend.click("#signs button >> nth=0")
    host.wait_for_selector(".floating")


def test_any_bot_can_go_on_for_whoever_is_out_of_time(
    visit: Visit, table: Callable[..., str]
) -> None:
    screen = visit(table("nim", "friend", "me", clock=1))
    page = screen.page
    page.click("#talk-open")
    page.wait_for_selector(".clocks .out .stand-in")
    offered = page.eval_on_selector_all(".clocks option", "all => all.map((each) => each.value)")
    assert offered == [each["strength"] for each in screen.scenes[-1]["table"]["stand_ins"]]
    page.select_option(".clocks select", "greedy")
    ticked = """() => {
      window.list ??= document.querySelector(".clocks select");
      window.left ??= document.querySelector(".clocks .left").firstChild;
      return !window.left.isConnected || (window.left.data = "");
    }"""
    page.wait_for_function(ticked)  # the clocks go on,
    assert page.evaluate("window.list.isConnected")  # and the list stays open where it is
    page.click(".clocks .stand-in button")
    page.wait_for_selector(".clocks .stand-in", state="detached")
    told = [message["table"] for message in map(json.loads, screen.told) if "table" in message]
    assert told[-1]["seats"][0]["strength"] == "greedy"
