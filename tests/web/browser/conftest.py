"""A real browser, if there is one: Debian's Chromium, driven by Playwright.

Tests are skipped, and say why, where one of the two is missing. A page that logs an error, for
instance because it breaks the rules of its own server about scripts and styles, fails its test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.browser.browsers import ARGUMENTS, driver, found_browser
from tests.web.browser.screens import Screen, set_up
from tests.web.conftest import Served

HARMLESS = ("net::ERR_CONNECTION_REFUSED", "WebSocket connection to")
"""What a browser logs when a server is gone, which some tests want."""


ALL_AT_ONCE = "localStorage['lawspeaker.speed'] ??= 5; localStorage['lawspeaker.guide'] ??= 'off'"
"""Nobody looks on: nothing has to be waited for, and nobody to be told the rules."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = found_browser()
    if found is None:
        pytest.skip("no Chromium here (on Debian: apt-get install chromium)")
    browser = driver().chromium.launch(executable_path=found, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests, whose bots do not dawdle."""
    served = Served(tmp_path_factory.mktemp("served"), ("--pace", "0"))
    yield served
    served.close()


@pytest.fixture
def visit(chromium: Any, quick: Served) -> Iterator[Callable[..., Screen]]:
    """Opens an address of a server in a browser of its own, and watches what goes wrong."""
    opened: list[Screen] = []

    def open_page(path: str, served: Served = quick, **context: Any) -> Screen:
        more = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", **context}
        window = chromium.new_context(**more)
        window.add_init_script(ALL_AT_ONCE)
        screen = Screen(window, served.url + path)
        opened.append(screen)
        return screen

    yield open_page
    wrong = [
        error
        for screen in opened
        for error in screen.errors
        if not any(known in error for known in HARMLESS)
    ]
    for screen in opened:
        screen.context.close()
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def table(quick: Served) -> Callable[..., str]:
    """Sets up a table; gives the path of its host's link."""

    def make(rules: str, *seats: str, **more: Any) -> str:
        return set_up(quick, rules, seats, **more)

    return make
