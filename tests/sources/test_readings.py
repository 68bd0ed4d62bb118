"""What a book says of each point, the marks of those who read it, and the matrix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.sources.readings import readings
from lawspeaker.text.books.lock import Read, read_lock, written
from tests.sources.books import EDITIONS, lock

BOOK = "# Selling\n\nYou must sell an egg. You may keep the hen.\n\n# End\n\nMost eggs win.\n"
GAME = """lawspeaker: 1
game: market
players: {from: 2, to: 2, called: [ann, ben]}
sources: {book: {title: The Market, file: market.txt}}
rules:
  game:
    says: Eggs are sold.
    cites: Selling § 1-2
    rule: |
      do ending
  ending:
    says: The end.
    cites: [End § 1, {stance: our_ruling, note: Ties are shared.}]
    rule: |
      players scores 1
"""


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "market").mkdir()
    (tmp_path / "texts").mkdir()
    (tmp_path / "market" / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "texts" / "market.txt").write_text(BOOK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    marks = ("--mark", "read game = 2026-03-01", "--mark", "read ending = 2026-03-02")
    assert run_sources("--texts", "texts", "--write")[0] == 0
    code, output = run_sources("--texts", "texts", "--write", *marks)
    assert code == 0, output
    return tmp_path


HENS = """lawspeaker: 1
variant: hens
of: market
layer: module
title: Hens
changes:
  - replace: ending
    says: The hens go home.
    because: It is late.
    cites: {section: Selling § 2, stance: implies}
    rule: |
      players scores 2
  - add: roosting
    says: Hens roost.
    cites: {section: Selling § 2, stance: implies}
    after: ending
    rule: |
      players scores 1
"""
VOLUSPA = (
    "voluspa",
    "voluspa+hel",
    "voluspa+hermod",
    "voluspa+sea_serpent",
    "voluspa+hel+no_late_hel",
    "voluspa+saga_of_edda+order_of_the_gods+lightning+drakkar",
)
"""Together they have every point as it is where nobody changes it: all modules in one, and alone
those of which another module changes something."""


def run_sources(*options: str, name: str = "market") -> tuple[int, str]:
    result = CliRunner().invoke(app, ["sources", name, *options])
    return result.exit_code, result.output


def replace_text(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_was_read_is_said(market: Path) -> None:
    code, output = run_sources()
    assert code == 0
    assert "read beside the book: 2 of 2 points, 2026-03-01 to 2026-03-02" in output


@pytest.mark.parametrize(
    "file, old, new, told",
    [
        ("market/game.yaml", "players scores 1", "players scores 2", "its rule has changed since"),
        ("market/game.yaml", "The end.", "The very end.", "its rule has changed since"),
        ("market/game.yaml", "[End § 1,", "[{section: End § 1, stance: implies},", "what it cites"),
        ("texts/market.txt", "Most eggs win.", "Fewest eggs win.", "what it cites has changed"),
    ],
)
def test_what_has_changed_since_is_named(
    market: Path, file: str, old: str, new: str, told: str
) -> None:
    replace_text(market, file, old, new)
    code, output = run_sources("--texts", "texts", "--write")
    assert code == 1
    assert f"ending: was read on 2026-03-02; {told}" in output
    assert "game: was read" not in output
    sheet = run_sources("--suggest")[1]
    assert "read ending =" in sheet
    assert "read game =" not in sheet
    again = run_sources("--texts", "texts", "--write", "--mark", "read ending = 2026-04-01")
    assert again[0] == 0, again[1]


def test_layout_and_remarks_change_nothing(market: Path) -> None:
    replace_text(
        market, "market/game.yaml", "players scores 1", "players  scores 1  # a point each"
    )
    replace_text(market, "market/game.yaml", "Ties are shared.", "Equals share.")
    assert run_sources()[0] == 0


@pytest.mark.parametrize(
    "mark, answer",
    [
        ("read ending = yesterday", "`yesterday` is no day"),
        ("read endin = 2026-03-01", "`endin` is no point of this book"),
    ],
)
def test_marks_that_say_nothing(market: Path, mark: str, answer: str) -> None:
    code, output = run_sources("--texts", "texts", "--write", "--mark", mark)
    assert code == 2
    assert answer in output


def test_a_point_of_which_nothing_is_said(market: Path) -> None:
    replace_text(market, "market/game.yaml", "    cites: Selling § 1-2\n", "")
    code, output = run_sources()
    assert code == 1
    assert "game: what the book does about it is not said" in output
    assert "(not-said)" in output


@pytest.fixture
def hens(market: Path) -> Path:
    (market / "variants" / "market").mkdir(parents=True)
    (market / "variants" / "market" / "hens.yaml").write_text(HENS, encoding="utf-8")
    return market


def test_what_a_module_changes_is_not_asked_there(hens: Path) -> None:
    code, output = run_sources(name="market+hens")
    assert code == 0, output
    assert "read beside the book: 1 of 2 points" in output  # game is read, roosting is not
    marks = ("--texts", "texts", "--write", "--mark", "read ending = 2026-03-03")
    code, output = run_sources(*marks, name="market+hens")
    assert code == 2
    assert "`ending` is changed by hens" in output


def test_the_points_of_a_module_are_marked_in_the_book_of_the_game(hens: Path) -> None:
    marks = ("--texts", "texts", "--write", "--mark", "read roosting = 2026-03-03")
    assert "2 of 2 points, 2026-03-01 to 2026-03-03" in run_sources(*marks, name="market+hens")[1]
    assert run_sources()[0] == 0  # the game alone has no such point, and needs none
    replace_text(hens, "variants/market/hens.yaml", "Hens roost.", "Hens doze.")
    code, output = run_sources(name="market+hens")
    assert code == 1
    assert "roosting: was read on 2026-03-03; its rule has changed since" in output
    (hens / "variants" / "market" / "hens.yaml").unlink()
    code, output = run_sources()
    assert code == 1
    assert "roosting: was read on 2026-03-03, and is no point now" in output


def test_the_matrix_has_the_stance_of_each_book(market: Path) -> None:
    code, output = run_sources("--matrix")
    assert code == 0
    assert "  book  states End § 1; our_ruling  (read 2026-03-02)\n" in output
    assert "Ties are shared." in output
    game, ending = json.loads(run_sources("--matrix", "--json")[1])
    assert game["books"]["book"]["standing"] == "states"
    assert ending["books"]["book"]["standing"] == "in_part"
    assert [each["where"] for each in ending["books"]["book"]["cites"]] == ["End § 1", ""]


def test_what_a_change_cites_for_one_kind_does_not_hide_the_rest() -> None:
    told = load_ruleset("walhalla+italian", Diagnostics())
    assert told is not None
    said = {(each.stance, each.section) for each in readings(told)["pieces.card"].cites}
    assert ("states", "Carte Azione") in said
    assert ("contradicts_itself", "Contenuto") in said


def test_marks_outlive_the_lock_being_written_again() -> None:
    text = (
        "lawspeaker 1: written by `lawspeaker sources --write`, never by hand\ntext eggs.txt\n"
        "read market.closed = 2026-03-01 77aa01c3de e5f60718aa\n\n# Eggs\n1 1f0c9a2b7d\n"
    )
    found = read_lock(SourceFile("book.lock", text), Diagnostics())
    assert found.marks.read == {"market.closed": Read("2026-03-01", "77aa01c3de", "e5f60718aa")}
    assert written(found.text, found.marks) == text


@pytest.mark.parametrize("name", EDITIONS)
def test_every_point_of_walhalla_was_read_beside_its_book(name: str) -> None:
    """Needs no texts: the locks know what was read, and when it was."""
    told = load_ruleset(name, Diagnostics())
    assert told is not None
    marks = lock(name, EDITIONS[name]).marks.read
    now = {id: each.read(marks[id].date) for id, each in readings(told).items() if id in marks}
    assert not [id for id in readings(told) if id not in marks]
    assert not [id for id, mark in marks.items() if now.get(id) != mark]


@pytest.mark.full
def test_every_point_of_voluspa_was_read_beside_its_book() -> None:
    """Of the modules, too, whose points are marked in the lock of the game's book."""
    marks = lock("voluspa", "komp").marks.read
    now: dict[str, Read] = {}
    for name in VOLUSPA:
        told = load_ruleset(name, Diagnostics())
        assert told is not None
        asked = {id: each for id, each in readings(told).items() if not each.changed_by}
        assert not [id for id in asked if id not in marks]
        now |= {id: each.read(marks[id].date) for id, each in asked.items()}
    assert now == marks
