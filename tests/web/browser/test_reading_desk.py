"""The reading desk in a real browser: by keys alone, on a wide page and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.tiers import sample
from tests.web.browser.screens import Screen
from tests.web.browser.test_access import found_by_axe
from tests.web.conftest import Served
from tests.web.test_desk import furnish

Visit = Callable[..., Screen]

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("browser")]
PATH = "/desk?rules=market%2Bitalian"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with two books, rules begun from the first, and an edition for the second."""
    place = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        folder = furnish(place / "here", patch)
    served = Served(place / "data", (str(folder), "--texts", str(folder / "books")))
    yield served
    served.close()


def texts(page: Any, selector: str) -> list[str]:
    found: list[str] = page.locator(selector).all_inner_texts()
    return found


@pytest.mark.nightly
def test_citing_by_keys_alone(visit: Visit, library: Served) -> None:
    page = visit(PATH, library, viewport={"width": 1366, "height": 768}).page
    page.wait_for_selector("#told:text-matches('pairs')")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.activeElement.id") == "sentence-0-0"

    # The next undecided sentence, a rule for it, a stance and a remark.
    page.keyboard.press("n")
    open_one = page.evaluate("document.activeElement.id")
    assert "open" in (page.get_attribute(f"#{open_one}", "class") or "")
    page.keyboard.press("Space")
    page.keyboard.press("r")
    page.keyboard.type("vorbereitung_3")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".point[aria-pressed=true]")
    page.keyboard.press("c")
    page.wait_for_selector(f"#{open_one}.cited")
    assert "draft=" in page.url
    page.keyboard.press("u")
    page.wait_for_selector(f"#{open_one}.open")

    # In the other book, what is suggested is taken.
    page.focus("#sentence-1-7")
    page.click("#sentence-1-7")
    page.keyboard.press("Space")
    assert page.locator(".sentence.partner").count() == 1
    page.keyboard.press("a")
    page.wait_for_selector("#sentence-1-7.cited")
    assert page.locator("#book-1 progress").get_attribute("value") == "1"

    # No rule, and a rule after all.
    page.keyboard.press("x")
    page.wait_for_selector("#book-1 .sentence.none")
    found = found_by_axe(page, "reading desk")
    assert not found, "\n".join(found)

    # A reload finds the draft as it was left.
    page.reload()
    page.wait_for_selector("#sentence-1-7.cited")


@pytest.mark.parametrize("language", sample(["de", "en", "it", "fr"], full=4))
def test_on_a_phone_in_every_language(visit: Visit, library: Served, language: str) -> None:
    size = {"width": 390, "height": 844}
    page = visit(f"{PATH}&language={language}", library, viewport=size, has_touch=True).page
    page.wait_for_selector("#told:text-matches('[0-9]')")
    assert page.locator("#book-1").is_hidden()
    page.tap("#switch button:nth-child(2)")
    page.wait_for_selector("#sentence-1-5")
    page.tap("#sentence-1-5")
    page.tap("#switch button:last-child")
    page.tap(".point >> nth=0")
    page.tap("#cite")
    page.tap("#switch button:nth-child(2)")
    page.wait_for_selector("#sentence-1-5.cited")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not [each for each in texts(page, "body") if "desk." in each]
    found = found_by_axe(page, f"reading desk in {language}")
    assert not found, "\n".join(found)


def test_without_rules_it_says_so(visit: Visit) -> None:
    page = visit("/desk").page
    page.wait_for_selector("#told:text-matches('workshop')")
    page.goto(page.url.replace("/desk", "/desk?rules=nim"))
    page.wait_for_selector("#told:text-matches('source')")


def test_the_workshop_leads_there(visit: Visit, library: Served) -> None:
    page = visit("/workshop?as=edit&rules=market%2Bitalian", library).page
    page.wait_for_selector("#problems .none")
    page.click("#desk")
    page.wait_for_selector(".sentence")
