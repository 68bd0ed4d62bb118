"""Answers that are typed: words of one's own, refused by named rules, and seen by all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.web.browser.screens import Screen, set_up
from tests.web.conftest import ROOT, Served

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.full]

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that knows the word game."""
    games = tmp_path_factory.mktemp("games")
    (games / "hinted_words").mkdir()
    game = ROOT / "tests" / "language" / "good" / "hinted_words.yaml"
    shutil.copy(game, games / "hinted_words" / "game.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAWSPEAKER_PATH", str(games))
        running = Served(tmp_path_factory.mktemp("served"), ("--pace", "0"))
    yield running
    running.close()


def test_a_clue_is_typed(visit: Callable[..., Screen], served: Served) -> None:
    link = set_up(served, "hinted_words", ["me", "random", "random", "random"], seed=7)
    screen = visit(link, served, **PHONE)
    page = screen.page
    screen.wait("asked")
    field = page.get_by_label("clue", exact=True)
    assert not page.query_selector(".options")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for text, rule in (
        ("two words", "Clue: 1 word, 2 to 15 letters."),
        ("Trout", "The clue is none of the words on the table."),
        ("<b>x</b>", "A text has at most 100 signs"),
        ("x\u202ey", "Clue: 1 word, 2 to 15 letters."),
    ):
        field.fill(text)
        field.press("Enter")
        screen.wait("asked")
        page.get_by_text(rule).first.wait_for()
        field = page.get_by_label("clue", exact=True)
        assert field.input_value() == text  # it can be changed
        assert page.evaluate("document.activeElement.type") == "text"
    page.get_by_label("number", exact=True).select_option("2")
    field.fill("Light-house")
    field.press("Enter")
    screen.wait_for_news("0")
    page.get_by_text("Light-house").first.wait_for()
    log = page.request.get(served.url + "/api/log/" + link.rpartition("/")[2]).json()
    assert log["replies"][0]["choice"] == 'give "Light-house", 2'
