"""Cards and pieces to print: each as often as the game has it, in the size of a card."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import typer

from lawspeaker.faces.cli.cards import cards
from lawspeaker.faces.cli.serve import _root
from lawspeaker.faces.render.book import sheet as sheets
from lawspeaker.faces.render.book.pictures import Pieces, table
from lawspeaker.faces.render.book.sheet import TooMany, sheet_of, sheet_page, sheet_pdf
from lawspeaker.faces.web.drawing.appearance import Looks
from lawspeaker.ir.types import WordType
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import layout_for
from tests.language.games import GOOD

FACES = ("jack", "queen", "king")


def test_every_piece_is_printed_as_often_as_there_is_one() -> None:
    game = load("hearts")
    sheet = sheet_of(game, "de", backs=True)
    fronts, backs = sheet.parts
    assert (fronts.count, len(fronts.printed), backs.count, len(backs.printed)) == (52, 52, 52, 1)
    assert all(each.width == pytest.approx(63) for each in fronts.printed)
    page = sheet_page(sheet)
    assert page.count("<figure") == 104
    assert 'lang="de"' in page


def test_a_game_has_pictures_of_its_own_on_its_cards() -> None:
    page = sheet_page(sheet_of(load("stowaways"), "en"))
    beard, mirror, crust = "#b5532b", "#dfe9ec", "#e3b567"
    assert [page.count(f'fill="{each}"') for each in (beard, mirror, crust)] == [3, 3, 40]


def test_a_pdf_is_made_and_is_the_same_again() -> None:
    pytest.importorskip("typst")
    sheet = sheet_of(load("kuhn_poker"), "en")
    made = sheet_pdf(sheet)
    assert made.startswith(b"%PDF")
    assert sheet_pdf(sheet) == made
    assert sheet_pdf(sheet, marks=True) not in (made, b"")


def test_a_factory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_PRINTED", 3)
    with pytest.raises(TooMany, match="at most 3"):
        sheet_of(load("nim"), "en")


def test_the_command_says_what_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards("kuhn_poker", html=tmp_path / "cards.html")
    assert "3 pieces" in capsys.readouterr().out
    with pytest.raises(typer.BadParameter):
        cards("kuhn_poker")


def test_boards_are_printed_on_pages_of_their_own() -> None:
    sheet = sheet_of(load("othello"), "en", boards=True)
    [board] = sheet.boards
    assert board.width == board.height > 8 * 20
    assert "@page board-0" in sheet_page(sheet)
    start = table(load("othello").start(2, seed=1).view(None), "en", "").svg
    assert start.count("<circle") >= board.picture.svg.count("<circle") + 4  # no discs lie on it
    mats = sheet_of(load(str(GOOD / "drafting.yaml")), "en", boards=True).boards
    assert [each.picture.svg.count("lens") for each in mats] == [0]  # nobody looks closer on paper
    assert not sheet_of(load("surveyors"), "en", boards=True).boards  # a table that grows


@pytest.mark.full
def test_what_is_laid_out_by_chance_is_not_printed_on_a_board() -> None:
    game = load("walhalla")
    whole = table(game.start(4, seed=1).view(None), "en", "")
    [board] = sheet_of(game, "en", boards=True).boards
    badge = ">+2<"  # of a village
    assert badge in whole.svg
    assert badge not in board.picture.svg


def test_images_come_with_a_list(tmp_path: Path) -> None:
    cards("leduc_poker", folder=tmp_path)
    rows = list(csv.DictReader((tmp_path / "pieces.csv").open(encoding="utf-8")))
    held = [row for row in rows if row["type"] == "card"]
    assert {row["name"]: row["copies"] for row in held} == dict.fromkeys(FACES, "2")
    assert [row["type"] for row in rows] == ["card"] * 3 + ["board"] * (len(rows) - 3)
    for row in held:
        assert (tmp_path / row["file"]).read_text(encoding="utf-8").startswith("<svg")
        assert (tmp_path / row["back"]).is_file()
        assert float(row["width_mm"]) == 63


def test_decks_of_tabletop_simulator_name_their_images(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    cards("leduc_poker", simulator=tmp_path, address="https://example.org/cards/")
    saved = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    deck, *boards = saved["ObjectStates"]
    assert all(each["Name"] == "Custom_Board" for each in boards)
    assert (deck["Name"], deck["Nickname"]) == ("Deck", "Card")
    assert deck["DeckIDs"] == [100, 100, 101, 101, 102, 102]
    assert [each["CardID"] for each in deck["ContainedObjects"]] == deck["DeckIDs"]
    sheet = deck["CustomDeck"]["1"]
    assert sheet["NumWidth"] * sheet["NumHeight"] > 3  # the last one is the hidden card
    for key in ("FaceURL", "BackURL"):
        base, file = sheet[key].rsplit("/", 1)
        assert base == "https://example.org/cards"
        assert (tmp_path / file).read_bytes().startswith(b"\x89PNG")


def test_an_address_without_decks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="--tabletop"):
        cards("nim", html=tmp_path / "a.html", address="https://example.org")


def test_crop_marks_are_of_a_pdf(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="--pdf"):
        cards("nim", html=tmp_path / "a.html", marks=True)
    pytest.importorskip("typst")
    cards("kuhn_poker", pdf=tmp_path / "cards.pdf", marks=True)
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("name", ["kuhn_poker", "nim"])
def test_bleed_adds_to_cards_and_leaves_them_as_large(name: str, tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match="--pdf"):
        cards(name, html=tmp_path / "a.html", bleed=True)
    cut, more = (sheet_of(load(name), "en", backs=True, bleed=each) for each in (False, True))
    pairs = [(a, b) for p, q in zip(cut.parts, more.parts, strict=True)
             for a, b in zip(p.printed, q.printed, strict=True)]  # fmt: skip
    for small, large in pairs:
        beyond = 6 if name == "kuhn_poker" else 0  # counters have no background
        assert large.width - small.width == pytest.approx(beyond, abs=0.01)
        assert large.height - small.height == pytest.approx(beyond, abs=0.01)
        inside = small.picture.svg.partition('<g transform="translate(2 2)">')[2]
        assert inside.removesuffix("</g></svg>") in large.picture.svg
    pytest.importorskip("typst")
    assert sheet_pdf(more, marks=True).startswith(b"%PDF")


def test_a_path_to_serve_is_a_game_or_a_folder_of_games(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "game.yaml").write_text("game: mine\n")
    assert _root(tmp_path / "mine") == _root(tmp_path) == tmp_path.resolve()
    with pytest.raises(typer.Exit):
        _root(tmp_path / "nowhere")


def test_a_tile_shows_all_that_it_has_of_one_set() -> None:
    program = load("walhalla").program
    number = next(at for at, piece in enumerate(program.pieces) if piece.name == "tile")
    layout = layout_for(program, program.most)
    looks, pieces = Looks(layout, "en"), Pieces(layout, "en")
    of = program.pieces[number].columns[0].type
    assert isinstance(of, WordType)
    for piece, picture in zip(layout.pieces_of[number], pieces.each(number), strict=True):
        first, second = looks.piece(piece).fields
        kind = program.pieces[number].kinds[layout.piece_kind[piece]]
        assert [first.name, second.name] == [layout.name(of, each, "en") for each in kind.values]
        for field in (first, second):
            assert field.tones.pale in picture.svg
            assert not field.badge or f">{field.badge}<" in picture.svg
