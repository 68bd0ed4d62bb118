"""A home in a real browser: what was begun is found again, here and on another device."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.browser.screens import Screen

Visit = Callable[..., Screen]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]
HAS = "(text) => document.querySelector('textarea')?.value.includes(text)"


def written(page: Any, text: str) -> str:
    """Writes something below the rules that are open; gives the address the page has then."""
    page.wait_for_function("() => (document.querySelector('textarea')?.value.length ?? 0) > 20")
    page.click("textarea")
    page.keyboard.press("Control+End")
    page.keyboard.type(f"\n# {text}")
    page.wait_for_url("**draft=*")
    return str(page.url)


def test_nothing_that_was_written_is_lost(visit: Visit, table: Callable[..., str]) -> None:
    page = visit(table("nim", "me", "friend")).page
    page.wait_for_selector("body[data-state=asked]")
    page.goto(page.url.split("/t/")[0] + "/workshop?as=house&rules=nim")
    first = written(page, "the first")
    page.goto(first.split("?")[0] + "?as=house&rules=nim")
    second = written(page, "the second")
    assert first != second
    page.goto(first)
    page.wait_for_function(
        "() => document.querySelector('textarea')?.value.endsWith('# the first')"
    )
    page.goto(first.split("/workshop")[0] + "/home")
    page.wait_for_selector(".mine.yours")
    page.wait_for_selector(".draft-card >> nth=1")
    key = page.evaluate("localStorage.getItem('lawspeaker.key')")
    page.wait_for_function("() => !Object.keys(localStorage).some((name) => /draft/.test(name))")
    # On another device, which has a draft of its own already.
    other = visit("/workshop?as=house&rules=kuhn_poker").page
    written(other, "elsewhere")
    other.goto(f"{first.split('/workshop')[0]}/home#{key}")
    other.click("dialog .main")
    other.wait_for_selector(".draft-card >> nth=2")
    assert key not in other.url
    assert other.locator(".mine.yours").count() == 1


def test_the_next_game_is_set_up_as_the_last_one_was(
    visit: Visit, table: Callable[..., str]
) -> None:
    page = visit(table("rock_paper_scissors", "me", "greedy")).page
    for _ in range(40):
        page.wait_for_selector("body[data-state=asked], .result.ranks")
        if page.locator(".result.ranks").count():
            break
        page.keyboard.press("1")
    page.locator(".button[href*='#rock_paper_scissors']").click()
    page.wait_for_selector(".seats select")
    assert [each.input_value() for each in page.locator(".seats select").all()] == ["me", "greedy"]
    seats = [{"who": "me", "name": "Ann"}, {"who": "friend", "name": "Ben"}, {"who": "greedy"}]
    left = json.dumps({"game": "walhalla", "seats": seats})
    page.evaluate("(left) => sessionStorage.setItem('lawspeaker.again', left)", left)
    page.goto(page.url.split("#")[0] + "#walhalla%2Blong_peninsulas(5%2C%205%2C%208)")
    page.wait_for_selector(".changes:not([hidden]) li")
    assert page.locator(".seats ol select").count() == 3
    assert [each.input_value() for each in page.locator(".seats ol input").all()] == ["Ann", "Ben"]
    given = page.locator(".choice:has(input[value=long_peninsulas]) .parameter input").all()
    assert [each.input_value() for each in given] == ["5", "5", "8"]


def test_a_draft_is_handed_in_under_a_name_and_once(visit: Visit) -> None:
    page = visit("/workshop?as=house&rules=nim").page
    address = written(page, "to hand in")
    handed: list[dict[str, Any]] = []

    def home(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "publish": "all"})

    def library(route: Any) -> None:
        handed.append(route.request.post_data_json)
        page.locator("#dialog .main").evaluate("(button) => button.click()")
        route.fulfill(status=201, json={"link": "/workshop/x", "state": "shown"})

    page.route("**/api/home", home)
    page.route("**/api/library/drafts", library)
    page.goto(address.split("/workshop")[0] + "/home")
    page.click("text=Hand in for the library")
    for name in ("", "  ", "Larger heaps"):
        page.fill("#dialog input >> nth=0", name)
        page.click("#dialog .main")
    page.wait_for_selector("#note:not([hidden])")
    assert page.locator("#dialog[open]").count() == 0
    assert [each["name"] for each in handed] == ["Larger heaps"]


def test_a_table_that_has_not_begun_says_so_and_can_be_taken_off(
    visit: Visit, table: Callable[..., str]
) -> None:
    page = visit(table("nim", "me", "friend", lobby=True)).page
    page.wait_for_selector(".lobby .card")
    page.wait_for_function("() => localStorage['lawspeaker.key']")
    page.click(".lobby .large")
    page.wait_for_selector(".lobby .is-ready")
    page.goto(page.url.split("/t/")[0] + "/home")
    page.wait_for_selector(".card.mine")
    assert page.locator(".mine.yours").count() == 0
    assert "Not yet: " in page.inner_text(".mine .standing >> nth=0")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.click(".mine .out")
    assert page.locator(".card.mine").count() == 1
    page.once("dialog", lambda dialog: dialog.accept())
    page.click(".mine .out")
    page.wait_for_selector(".card.mine", state="detached")
