"""The reading desk over the wire: texts, alignment, deeds, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from lawspeaker.faces.web.settings import Settings
from lawspeaker.outside.drafting import game_from
from lawspeaker.outside.importing import add
from lawspeaker.outside.library import Library
from tests.repo.checkout import ROOT
from tests.web.conftest import House

PAIRS = ROOT / "tests" / "sources" / "pairs"
EDITION = """\
lawspeaker: 1
variant: italian
of: market
layer: edition
title: Italian
sources:
  it: {title: Ambulanti, language: it, file: pedlars-it.txt}
changes: []
"""


def furnish(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two books, rules begun from the first, and an edition for the second."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    library = Library(folder, ())
    for name in ("pedlars-de", "pedlars-it"):
        add(PAIRS / f"{name}.md", Path("books"), "", False, library)
    game_from("market", Path("books/pedlars-de.txt"), Path("rules"), library)
    edition = folder / "variants" / "market" / "italian.yaml"
    edition.parent.mkdir(parents=True)
    edition.write_text(EDITION, "utf-8")
    return folder


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    folder = furnish(tmp_path / "here", monkeypatch)
    with ExitStack() as stack:
        library = Library(folder, ())
        texts = folder / "books"
        settings = Settings(tmp_path / "data", library=library, thinkers=1, texts=texts)
        yield House(settings, stack)


class Page:
    """An open page of the desk."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.texts = {
            name: house.client.get("/api/desk/text", params={"file": name}).text
            for name in ("pedlars-de.txt", "pedlars-it.txt")
        }
        self.files: list[dict[str, Any]] = []

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        with self.house.client.websocket_connect("ws://localhost/api/workshop") as session:
            draft = {"rules": "market+italian", "files": self.files, "texts": self.texts}
            session.send_text(json.dumps({"type": kind, "id": 1, **draft, **fields}))
            found: dict[str, Any] = json.loads(session.receive_text())
        for file in found.get("files", []):
            self.files = [each for each in self.files if each["name"] != file["name"]]
            self.files.append(file)
        return found


@pytest.mark.full
def test_a_sentence_is_cited_and_suggests_its_partner(desk: House) -> None:
    page = Page(desk)
    told = page.ask("desk")
    german, italian = told["books"]
    assert (german["id"], german["there"], italian["variant"]) == ("de", True, "italian.yaml")
    assert german["decided"] > 30
    assert italian["decided"] == 0

    links = page.ask("align", first="de", second="it", languages=["de", "it"])["links"]
    assert len(links) > 45
    (first,) = [
        each
        for each in page.ask("desk", links=links)["suggestions"]
        if each["point"] == "einpacken_2"
    ]
    place = first["places"][0]
    line = italian["lines"][place]
    assert "5" in line["text"]

    act = {"kind": "cite", "point": "einpacken_2", "book": "it", "prints": [line["print"]]}
    done = page.ask("desk", act=act, links=links)
    assert [each["name"] for each in done["files"]] == ["books/it.lock"]
    assert done["books"][1]["lines"][place]["cited"] == ["einpacken_2"]
    assert not [each for each in done["suggestions"] if each["point"] == "einpacken_2"]

    act |= {"stance": "implies", "note": "Only here."}
    done = page.ask("desk", act=act)
    assert [each["name"] for each in done["files"]] == ["books/it.lock", "italian.yaml"]
    assert "Only here." in done["files"][1]["text"]
    beside = ["books/it.lock"]
    home = page.ask("take_home", name="market+x", rules="", files=page.files, beside=beside)
    with zipfile.ZipFile(io.BytesIO(b64decode(home["content"]))) as archive:
        assert archive.namelist() == [
            *("variants/market/books/it.lock", "variants/market/italian.yaml")
        ]


@pytest.mark.full
def test_what_cannot_be_done_is_said(desk: House) -> None:
    page = Page(desk)
    act = {"kind": "cite", "point": "nothing", "book": "it", "prints": []}
    told = page.ask("desk", act=act)
    assert (told["why"], told["files"]) == ("point", [])
    assert told["books"]
    mistakes: tuple[dict[str, Any], ...] = (
        {"act": {"kind": "burn"}},
        {"act": []},
        {"act": {"kind": "cite", "prints": [1]}},
        {"links": [[["de", "it"], [[1], ["x"]], 1]]},
        {"links": [1]},
        {"texts": ["a"]},
        {"texts": {"a.txt": "x" * 260_000}},
    )
    for wrong in mistakes:
        told = page.ask("desk", **wrong)
        assert told["type"] == "stopped", wrong
        assert told["code"] in ("bad_message", "too_large")


@pytest.mark.full
def test_texts_are_those_of_the_folder_alone(desk: House, tmp_path: Path) -> None:
    def status(of: House, name: str) -> int:
        return int(of.client.get("/api/desk/text", params={"file": name}).status_code)

    assert status(desk, "pedlars-de.txt") == 200
    for name in ("../rules/market/game.yaml", "pedlars-de.lock", ".hidden.txt", "none.txt", ""):
        assert status(desk, name) == 404, name
    assert desk.client.get("/desk").status_code == 200
    with ExitStack() as stack:
        without = House(Settings(tmp_path / "other", thinkers=0), stack)
        assert status(without, "pedlars-de.txt") == 404
