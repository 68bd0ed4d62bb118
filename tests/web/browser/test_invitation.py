"""Two people in two browsers: invited, ready, talking."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.browser.screens import Screen

Visit = Callable[..., Screen]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]


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


def invitations(screen: Screen) -> list[str]:
    """The invitations that a host's screen was told of."""
    told = [json.loads(text) for text in screen.told]
    links = next(each["table"]["links"]["seats"] for each in told if "table" in each)
    return [links[seat] for seat in sorted(links)]


def test_whoever_comes_too_late_is_told_where_he_looks(
    visit: Visit, table: Callable[..., str]
) -> None:
    host = visit(table("nim", "me", "friend", lobby=True, clock=600, language="de"))
    host.page.wait_for_selector(".lobby .card")
    (link,) = invitations(host)
    first, late = (visit(link, locale="it-IT") for _ in range(2))
    late.page.fill("#curtain input", "Ben")
    assert late.page.inner_text("#curtain .main") != ""
    assert late.page.evaluate("document.documentElement.lang") == "it"
    assert "10 minuti" in late.page.inner_text("#curtain")
    late.page.select_option("#curtain select", "fr")
    late.page.wait_for_selector("html[lang=fr]")
    assert late.page.input_value("#curtain input") == "Ben"
    first.page.click("#curtain .main")
    first.page.wait_for_selector(".lobby .card")
    late.page.click("#curtain .main")
    late.page.wait_for_selector("#curtain a.button")
    assert late.page.locator("#curtain input").count() == 0
    seat = first.page.url
    first.page.wait_for_function("() => localStorage['lawspeaker.key']")
    first.page.goto(host.page.url.split("/t/")[0] + link)  # with the invitation once more
    first.page.wait_for_url(seat)
    other = visit(link, locale="de-DE")
    other.page.wait_for_function(
        "() => document.querySelector('h2').textContent.includes('benutzt')"
    )
    for each in (first, other):
        assert all("410" in error for error in each.errors)
        each.errors.clear()  # that it is gone is what the page is there to say


@pytest.mark.parametrize("window", [(1280, 860), (390, 780)])
def test_the_button_of_an_invitation_does_not_move(
    visit: Visit, table: Callable[..., str], window: tuple[int, int]
) -> None:
    host = visit(table("walhalla+card_selling", "me", "friend", "friend"))
    host.page.wait_for_selector("body[data-state]")
    wide, high = window
    page = visit(invitations(host)[0], viewport={"width": wide, "height": high}).page
    held: list[Any] = []

    def hold(route: Any) -> None:  # Playwright takes no method of a built-in type
        held.append(route)

    page.route(re.compile("/api/(brief|rules|games)"), hold)
    page.reload()
    page.wait_for_selector("#curtain .main")
    before = page.locator("#curtain .main").bounding_box()
    assert page.inner_text("#curtain .brief") == ""
    for each in held:
        each.continue_()
    page.wait_for_selector("#curtain .brief:not(:empty)")
    page.wait_for_selector("#curtain .agreement details")
    assert page.locator("#curtain .main").bounding_box() == before


def test_names_change_on_all_screens_at_once(visit: Visit, table: Callable[..., str]) -> None:
    for _ in range(40):  # luck says who begins
        host = visit(table("stowaways", "me", "friend", "friend"))
        host.page.wait_for_selector("body[data-state]")
        if host.state == "asked":
            break
    before = host.page.inner_text("#question .options")
    friend = visit(invitations(host)[0])
    friend.page.fill("#curtain input", "Tom")
    friend.page.click("#curtain .main")
    friend.wait("waiting")
    host.page.wait_for_function(
        "() => document.querySelector('#question .options').innerText.includes('Tom')"
    )
    drawn = "() => [...document.querySelectorAll('svg [data-player]')].map((e) => e.textContent)"
    assert any(each.startswith("T") for each in host.page.evaluate(drawn))
    host.page.evaluate("document.querySelector('#seats').open = true")
    host.page.once("dialog", lambda dialog: dialog.dismiss())
    host.page.click("#people li:nth-child(2) button.quiet")
    assert friend.page.evaluate("document.body.dataset.line") == "open"
    host.page.once("dialog", lambda dialog: dialog.accept())
    host.page.click("#people li:nth-child(2) button.quiet")
    friend.page.wait_for_selector("body[data-line=freed]")
    host.page.wait_for_function(
        "(before) => document.querySelector('#question .options').innerText === before", arg=before
    )
    assert friend.page.locator("#note:visible").count() == 0


def test_several_at_one_screen_see_no_curtain_before_the_game_begins(
    visit: Visit, table: Callable[..., str]
) -> None:
    host = visit(table("walhalla", "me", "me", "friend", lobby=True))
    page = host.page
    page.wait_for_selector(".lobby .card")
    assert page.locator("#curtain:visible").count() == 0
    assert not page.title().startswith("●")
    assert page.locator("#table .piece").count() == 0
    page.click(".lobby .card .tip button")
    page.wait_for_selector("body:not(.in-lobby) #table .piece", state="attached")


def test_a_table_is_discreet_if_that_is_chosen_and_says_so(visit: Visit) -> None:
    page = visit("/#kuhn_poker").page
    page.wait_for_selector(".seats .player >> nth=1")
    assert page.locator(".discretion").count() == 0
    screen = visit("/#pedlars")
    page = screen.page
    page.wait_for_selector(".seats .player >> nth=1")
    page.check(".discretion input")
    page.select_option(".seats ol select >> nth=1", "friend")
    page.select_option(".seats .pace select", "600")
    assert page.is_checked(".discretion input")
    page.click(".start")
    page.wait_for_selector(".lobby .term >> nth=1")
    assert "Questions are discreet" in page.inner_text(".lobby")
    assert "10 minutes" in page.inner_text(".lobby")
    guest = visit(invitations(screen)[0]).page
    guest.wait_for_selector("#curtain .term >> nth=1")
    assert "Questions are discreet" in guest.inner_text("#curtain")


def test_clocks_are_seen_where_one_looks(visit: Visit, table: Callable[..., str]) -> None:
    page = visit(table("nim", "me", "friend", clock=600)).page
    page.wait_for_selector("#question .clock:not([hidden])")
    assert page.inner_text("#question .clock").endswith(" left")
    late = visit(table("nim", "friend", "me", clock=1)).page
    late.wait_for_selector("#strip .out-of-time:not([hidden])")
    late.evaluate("document.querySelector('#seats').open = true")
    assert late.inner_text("#people li:nth-child(1) .out-of-time") == "out of time"


def test_what_cannot_be_taken_back_names_no_rule_that_does_not_say_why(
    visit: Visit, table: Callable[..., str]
) -> None:
    screen = visit(table("nim", "me", "random"))
    screen.wait("asked")
    at = screen.at
    screen.answer(0)
    assert screen.wait_for_news(at) == "asked"
    screen.page.click("#undo")
    screen.page.wait_for_selector("#note .sentence")
    assert screen.page.locator("#note .where").count() == 0
