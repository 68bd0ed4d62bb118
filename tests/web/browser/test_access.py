"""For everybody: nothing that axe-core finds, a game by keys, one by the accessibility tree."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest

from tests.tiers import NIGHTLY
from tests.web.browser.screens import PATIENCE, Screen
from tests.web.conftest import Served

Visit = Callable[..., Screen]
SetUp = Callable[..., str]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}


def found_by_axe(page: Any, state: str) -> list[str]:
    violations = axe.Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{state}: {each['id']} ({each['help']}): {node['html'][:160]}\n{node['failureSummary']}"
        for each in violations
        for node in each["nodes"]
    ]


def test_nothing_is_found_at_the_table(visit: Visit, table: SetUp) -> None:
    link = table("walhalla", "me", "random", "random", "random", seed=12)
    screen = visit(link, **DARK)
    page = screen.page
    screen.wait("asked")
    found = found_by_axe(page, "asked")
    screen.point(screen.things()[0])
    page.keyboard.press("?")
    screen.note()
    page.locator("#seats summary").click()
    found += found_by_axe(page, "picked, with the rule and the people")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector("body:not([data-redrawing])")
    page.click("#more")
    page.click("#night")
    page.click("#unfold-story")
    found += found_by_axe(page, "on a phone by day, story and menu unfolded")
    assert not found, "\n".join(found)


@pytest.mark.nightly
def test_by_night_rows_land_and_rulebook_are_dark(visit: Visit, table: SetUp) -> None:
    screen = visit(table("mill_wheel", "me", "random", seed=12), **DARK)
    page = screen.page
    screen.wait("asked")

    def styled(selector: str, style: str) -> str:
        return str(page.eval_on_selector(selector, f"each => getComputedStyle(each).{style}"))

    def light(colour: str) -> bool:
        return sum(map(int, re.findall(r"\d+", colour)[:3])) > 3 * 128

    assert not light(styled("svg .strip > rect", "fill"))
    assert light(styled("svg .strip text[data-player]", "fill"))
    assert not light(styled("svg .track > rect", "fill"))
    assert "brightness" in styled("svg .land", "filter")
    page.click("#book")
    page.wait_for_selector(".rulebook .rule")
    assert not light(styled(".rulebook", "backgroundColor"))
    found = found_by_axe(page, "the rulebook by night")
    assert not found, "\n".join(found)


def test_nothing_is_found_at_the_end_and_behind_the_curtain(visit: Visit, table: SetUp) -> None:
    screen = visit(table("tic_tac_toe", "me", "random", seed=3))
    at = ""
    while screen.wait_for_news(at) != "over":
        at = screen.at
        screen.page.keyboard.press("1")
    found = found_by_axe(screen.page, "over")
    behind = visit(table("kuhn_poker", "me", "me"))
    behind.page.wait_for_selector("#curtain button")
    found += found_by_axe(behind.page, "behind the curtain")
    assert not found, "\n".join(found)


def test_nothing_is_found_on_the_way_to_a_table(visit: Visit) -> None:
    page = visit("/").page
    page.wait_for_selector(".game", timeout=4 * PATIENCE)  # all games are read first
    found = found_by_axe(page, "games")
    page.click('a[href="#walhalla"]')
    page.wait_for_selector(".seats .player >> text=Black")
    found += found_by_axe(page, "setting up")
    page.click("#night")
    found += found_by_axe(page, "setting up by night")
    assert not found, "\n".join(found)


PAGES = {
    "/workshop?as=house&rules=nim": "svg.table",
    "/comparison?name=walhalla&name=walhalla%2Bno_exodus": "#rows article, #rows li, #rows section",
    "/lab?rules=nim": "#wish button",
    "/t/nothing": "h1",
}


@pytest.mark.nightly
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("how", [{}, DARK, PHONE], ids=["day", "night", "phone"])
def test_nothing_is_found_on_other_pages(visit: Visit, path: str, how: dict[str, Any]) -> None:
    screen = visit(path, **how)
    screen.page.wait_for_selector(PAGES[path], state="attached")  # on a phone behind a tab
    found = found_by_axe(screen.page, path)
    screen.errors.clear()  # the page that is not there was answered with 404
    assert not found, "\n".join(found)


def test_a_game_by_the_tree_that_is_read_aloud(visit: Visit, table: SetUp) -> None:
    """Only what assistive technology is told is used: roles and names."""
    screen = visit(table("tic_tac_toe", "me", "random", seed=3))
    page, at = screen.page, ""
    while screen.wait_for_news(at) != "over":
        at = screen.at
        region = page.get_by_role("region", name="The question")
        tree = region.aria_snapshot()
        assert "Which cell do you mark?" in tree
        offered = [line for line in tree.splitlines() if "- button" in line and "mark" in line]
        name = json.loads(offered[-1].partition("button ")[2].rstrip(":"))
        region.get_by_role("button", name=name, exact=True).press("Enter")
    tree = page.get_by_role("region", name="The question").aria_snapshot()
    assert "Winner" in tree or "Nobody" in tree
    assert "listitem" in page.get_by_role("region", name="What happened").aria_snapshot()


def test_many_answers_are_asked_in_parts_with_keys_for_all(visit: Visit, table: SetUp) -> None:
    """Ninety bids: how many dice first, then of which face; a game to its end by keys alone."""
    screen = visit(table("liars_dice", "me", "random", seed=12))
    page, at, parts = screen.page, "", 0
    screen.wait("asked")
    while screen.wait_for_news(at) != "over" and (NIGHTLY or int(screen.at) < 12):
        at = screen.at
        for _ in range(3):
            state = page.evaluate("[document.body.dataset.state, document.body.dataset.at]")
            if state != ["asked", at]:
                break
            keys = page.eval_on_selector_all(
                ".options button",
                "all => all.map((each) => each.getAttribute('aria-keyshortcuts'))",
            )
            assert None not in keys
            assert len(keys) <= 12
            parts += page.locator(".options .part").count() > 0
            page.keyboard.press(keys[0])
    assert parts


def test_it_can_be_installed(visit: Visit, quick: Served) -> None:
    page = visit("/").page
    href = page.get_attribute("link[rel=manifest]", "href")
    with urlopen(quick.url + str(href)) as answer:
        manifest = json.load(answer)
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        with urlopen(quick.url + icon["src"]) as answer:
            assert answer.headers["content-type"] == icon["type"]
