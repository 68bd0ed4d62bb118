"""What the editor in the browser asks while somebody writes: answered by the language service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lawspeaker.outside.library import Library
from tests.web.conftest import House
from tests.web.test_workshop import Page, open_workshop

GAME = Library().read(Library().game("nim"))


class Writing:
    """Somebody who edits the rules of Nim; the | in a text is where the caret is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.text = GAME

    def write(self, old: str, new: str) -> None:
        assert self.text.count(old) == 1, old
        self.text = self.text.replace(old, new)

    def ask(self, kind: str, marked: str = "", **more: Any) -> dict[str, Any]:
        plain = marked.replace("|", "")
        assert self.text.count(plain) == 1 or not marked, plain
        at = {"at": len(self.text[: self.text.index(plain) + marked.index("|")])} if marked else {}
        file = {"name": "game.yaml", "text": self.text, "given": None}
        self.page.ask(kind, rules="nim", files=[file], file="game.yaml", **at, **more)
        return self.page.hear()

    def named(self, place: dict[str, Any]) -> str:
        return self.text[place["from"] : place["to"]]


@pytest.fixture
def writing(house: House) -> Iterator[Writing]:
    with open_workshop(house) as page:
        yield Writing(page)


def test_problems_come_with_ways_to_mend_them(writing: Writing) -> None:
    writing.write("do turn", "do trun")
    found = writing.ask("check")
    (problem,) = found["problems"]
    (fix,) = problem["fixes"]
    (edit,) = fix["edits"]
    assert (writing.named(edit), edit["text"], edit["file"]) == ("trun", "turn", "game.yaml")
    assert found["known"]
    assert not found["ok"]


def test_every_name_of_the_open_file_has_its_colour(writing: Writing) -> None:
    told = writing.ask("check")["colours"]
    sorts = {writing.text[told[at] : told[at + 1]]: told[at + 2] for at in range(0, len(told), 3)}
    assert sorts["turn"] == "clause"
    assert sorts["heap"] == "place"
    assert sorts["must"] == "keyword"


@pytest.mark.full
def test_what_fits_is_offered_also_of_what_was_just_declared(writing: Writing) -> None:
    writing.write("  turn:\n", "  tune:\n    says: Nothing happens.\n    rule: skip\n\n  turn:\n")
    assert writing.ask("check")["known"]
    writing.write("do turn", "do (tu")
    found = writing.ask("complete", "do (tu|")
    assert writing.named(found) == "tu"
    assert {"turn", "tune"} <= {each["text"] for each in found["items"]}


def test_a_word_is_explained_and_its_declaration_found(writing: Writing) -> None:
    found = writing.ask("hover", "do tu|rn")
    assert found["named"]
    assert "clause" in found["text"]
    assert writing.named(found) == "turn"
    place = writing.ask("define", "do tu|rn")["place"]
    assert writing.text[place["from"] - 3 : place["to"] + 1] == "\n  turn:"
    assert writing.ask("declare", clause="turn")["place"] == place
    assert writing.ask("declare", clause="turn.enough")["place"]["from"] > place["from"]
    assert writing.ask("declare", clause="nothing")["place"] is None


def test_places_are_counted_as_browsers_do(writing: Writing) -> None:
    writing.write("title:", "# 🎲🎲\ntitle:")
    file = {"name": "game.yaml", "text": writing.text, "given": None}
    at = len(writing.text[: writing.text.index("do turn") + 4]) + 2
    writing.page.ask("hover", rules="nim", files=[file], file="game.yaml", at=at)
    found = writing.page.hear()
    assert writing.text[found["from"] - 2 : found["to"] - 2] == "turn"


def test_a_name_is_changed_in_all_files_or_not_at_all(writing: Writing) -> None:
    found = writing.ask("rename", "do tu|rn", new="move_of_a_player")
    assert found["why"] == ""
    assert {"game.yaml", "languages/de.yaml"} <= {each["file"] for each in found["edits"]}
    named = writing.ask("refer", "do tu|rn")
    assert len(named["places"]) == len(found["edits"])
    found = writing.ask("rename", "do tu|rn", new="game")
    assert "already" in found["why"]
    assert found["edits"] == []


def test_layout_is_offered_where_it_is_not_in_order(writing: Writing) -> None:
    assert writing.ask("mend", "do tu|rn")["fixes"] == []
    writing.write("title:", "title:   ")
    (fix,) = writing.ask("mend", "do tu|rn")["fixes"]
    assert fix["edits"][0]["text"] == GAME


def test_translations_are_brought_up_to_date(writing: Writing) -> None:
    assert writing.ask("translate")["fixes"] == []
    old, new = "A heap has at least as many stones as are taken.", "Nobody takes what is not there."
    writing.write(old, new)
    stale = [each for each in writing.ask("check")["problems"] if each["untranslated"]]
    assert stale
    assert {each["code"] for each in stale} <= {"stale-translation", "missing-translation"}
    (fix,) = writing.ask("translate")["fixes"]
    assert {each["file"] for each in fix["edits"]} == {
        f"languages/{each}.yaml" for each in ("de", "it", "fr")
    }
    assert all(new in each["text"] for each in fix["edits"])
    # The same is offered at the place of the message.
    file = {"name": "game.yaml", "text": writing.text, "given": None}
    asked = {"file": stale[0]["file"], "at": stale[0]["from"]}
    writing.page.ask("mend", rules="nim", files=[file], **asked)
    assert fix in writing.page.hear()["fixes"]


def test_a_house_rule_has_the_translations_that_somebody_began(house: House) -> None:
    files = house.get("/api/workshop/start?as=house&rules=nim")["files"]
    with open_workshop(house) as page:
        asked = {"rules": "nim", "files": files, "file": "my_rule.yaml"}
        page.ask("translate", **asked)
        assert page.hear()["fixes"] == [], "nobody wanted one"
        page.ask("begin_file", **asked, kind="translation", called="de")
        (begun,) = page.hear()["files"]
        asked["files"] = [*files, begun]
        page.ask("check", **asked)
        (missing,) = page.hear()["problems"]
        page.ask("translate", **asked)
        assert page.hear()["fixes"] == [], "it is up to date"
        first, _, _ = begun["text"].partition("\nchanges:")
        short = {**begun, "text": first + "\n"}
        page.ask("check", **{**asked, "files": [*files, short]})
        (behind,) = page.hear()["problems"]
        page.ask("translate", **{**asked, "files": [*files, short]})
        ((fix,),) = (each["edits"] for each in page.hear()["fixes"])
    assert (missing["file"], missing["severity"]) == ("languages/my_rule.de.yaml", "warning")
    assert not missing["untranslated"], "bringing it up to date would change nothing"
    assert "write the texts behind them" in missing["hint"]
    assert behind["untranslated"]
    assert behind["hint"] == "", "there is a button for what a command would do"
    assert fix["text"] == begun["text"]


@pytest.mark.full
def test_a_file_that_is_not_there_is_refused(writing: Writing) -> None:
    writing.page.ask("hover", rules="nim", files=[], file="nothing.yaml", at=0)
    assert writing.page.hear()["code"] == "bad_message"
