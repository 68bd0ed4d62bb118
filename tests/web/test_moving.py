"""A running table moves to corrected rules if everybody agrees and each reply so far fits them;
else it stays as it is, and says which reply does not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker.faces.web.settings import Settings
from lawspeaker.outside.library import Library
from tests.web.conftest import House
from tests.web.visitors import Message, Screen, everyone, set_up

ROOT = Path(__file__).resolve().parents[2]


class Offering:
    """A server with games in a folder, which their author corrects while they are played."""

    def __init__(self, settings: Settings, stack: ExitStack, folder: Path) -> None:
        self.folder = folder
        self.settings = replace(settings, library=Library(folder, ()))
        self.house = House(self.settings, stack)

    def offer(self, game: str) -> None:
        shutil.copytree(ROOT / "rules" / game, self.folder / game)

    def correct(self, game: str, old: str, new: str) -> None:
        file = self.folder / game / "game.yaml"
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    def seated(self, game: str) -> tuple[str, dict[int, Screen]]:
        """The host's token, and everybody's screens."""
        self.offer(game)
        host = set_up(self.house.post, game, ("me", "friend"))
        first = self.house.connect(host)
        return host, {0: first, 1: self.house.connect(everyone(host, first.shown)[1])}

    def move(self, host: str) -> Message:
        return self.house.post(f"/api/rules/{host}", {})


@pytest.fixture
def offering(settings: Settings, tmp_path: Path) -> Iterator[Offering]:
    with ExitStack() as stack:
        yield Offering(settings, stack, tmp_path / "games")


def next_note(screen: Screen) -> str:
    return str(screen.hear_until(lambda message: message["type"] == "note")["text"])


def asked_first(screens: dict[int, Screen]) -> tuple[Screen, Screen]:
    """Who is asked, and the other."""
    asked = next(each for each in screens.values() if each.asked)
    return asked, next(each for each in screens.values() if each is not asked)


def test_a_table_goes_on_by_corrected_rules(offering: Offering) -> None:
    host, screens = offering.seated("nim")
    asked, other = asked_first(screens)
    assert "already" in offering.move(host)["message"]
    asked.reply()
    other.see_at(1)
    offering.correct("nim", "title: Nim", "title: Fair Nim")
    offering.correct("nim", "right_neighbour of active wins", "active wins")
    assert offering.move(host)["done"]
    guest = screens[1]
    guest.see(lambda shown: shown["table"]["proposal"])
    assert guest.shown["table"]["proposal"]["kind"] == "rules"
    told = offering.house.get(f"/api/rules/{guest.token}")["points"]
    assert any("wins" in str(point) for point in told)
    guest.say("agree")
    for screen in screens.values():
        shown = screen.see(lambda shown: "Fair Nim" in shown["table"]["title"])
        assert shown["at"] == 1, "nothing is lost"
        assert shown["since"] == 0, "the screen starts anew"
    store = offering.house.web.registry.store
    kept = store.table(1)
    assert kept is not None
    assert "Fair Nim" in store.files(kept.digest)[0].text, "and so it is after a restart"


def test_a_reply_that_would_be_refused_is_named_and_nothing_changes(offering: Offering) -> None:
    host, screens = offering.seated("nim")
    for number in (0, 1):
        asked, other = asked_first(screens)
        asked.reply(number)
        other.see_at(number + 1)
    offering.correct("nim", "where enough: amount <= count", "where enough: 2 * amount <= count")
    found = offering.move(host)
    assert not found["done"]
    assert "answer 2" in found["message"]
    assert "2" in found["message"].split("answer 2")[1], "what was answered is said, too"
    assert "proposal" not in [key for key, value in screens[0].shown["table"].items() if value]
    asked, other = asked_first(screens)
    asked.reply()
    assert other.see_at(3)["table"]["title"] == "Nim"


def test_where_something_is_hidden_all_agree_before_anything_is_tried(offering: Offering) -> None:
    host, screens = offering.seated("kuhn_poker")
    asked, other = asked_first(screens)
    asked.reply()
    other.see_at(1)
    drawn = "draw card from deck to shown of first_player"
    offering.correct("kuhn_poker", "do opening", f"{drawn}\n      do opening")
    assert offering.house.client.post(f"/api/rules/{screens[1].token}", json={}).status_code == 403
    assert offering.move(host)["message"] == "The others are asked whether they agree."
    screens[1].see(lambda shown: shown["table"]["proposal"])
    screens[1].say("agree")
    both = {next_note(screen) for screen in screens.values()}
    assert len(both) == 1, "all are told the same"
    assert "luck" in both.pop()
    assert screens[0].see(lambda shown: not shown["table"]["proposal"])["at"] == 1


@pytest.mark.full
def test_the_table_of_a_draft_moves_to_a_corrected_draft(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(settings, stack)
        text = (ROOT / "rules/nim/game.yaml").read_text(encoding="utf-8")
        text = text.replace("languages: [en, de, it, fr]\nfiles: [names.yaml]\n", "")
        wish = {"rules": "", "seats": [{"who": "me"}, {"who": "me"}]}
        files = [{"name": "game.yaml", "text": text}]
        host = house.post("/api/workshop/table", {**wish, "files": files})["link"][3:]
        screen = house.connect(host)
        screen.look()
        screen.reply()
        bad = house.client.post(f"/api/rules/{host}", json={})
        assert bad.status_code == 400
        files = [{"name": "game.yaml", "text": text.replace("from a single heap", "from one heap")}]
        assert house.post(f"/api/rules/{host}", {"files": files})["done"]
        assert screen.see(lambda shown: shown["since"] == 0 and shown["at"] == 1)
