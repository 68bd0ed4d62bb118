"""Kinds from a spreadsheet: the same game as in YAML, and mistakes at their row and column."""

from __future__ import annotations

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.workshop import jobs, numbers
from lawspeaker.faces.web.workshop.drafts import files_in
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.text.spreadsheet import MOST_COLUMNS, MOST_ROWS

HEAD = """\
lawspeaker: 1
game: fair
title: {en: The fair, de: Der Markt}
players: {from: 2, to: 3}
FILES
words:
  sort: [ware, helper]
pieces:
  card:
    has: {sort: sort, old_price: number}
    starts in: deck
    in the box: 14
KINDS
places:
  deck: {holds: card, arranged: pile}
  stall: {of each: player, holds: card, seen by: everyone}
rules:
  game:
    says: {en: Everyone scores two prices., de: Alle erhalten die Preise zweier Karten.}
    rule: |
      shuffle deck
      for each player:
        draw 2 cards from deck to stall of player
        for each card in stall of player:
          player scores old_price of card
"""
CSV = """\
Kind;count;sort;Old price;name;name de;picture;text;text de\r
mule;6;helper;2;Mule;Maultier;horse;"Carries; and asks for less.";Trägt.\r
;;;;;;;;\r
silk;3;ware;6;Silk;Seide;flag;"Says ""fine"".";\r
old_tea;5;ware;3;Old tea;Alter Tee;leaf;;\r
"""
KINDS = """\
    kinds:
      mule: {count: 6, sort: helper, old_price: 2}
      silk: {count: 3, sort: ware, old_price: 6}
      old_tea: {count: 5, sort: ware, old_price: 3}
names:
  mule: {en: Mule, de: Maultier}
  silk: {en: Silk, de: Seide}
  old_tea: {en: Old tea, de: Alter Tee}
symbols:
  mule: {picture: horse, text: {en: Carries; and asks for less., de: Trägt.}}
  silk: {picture: flag, text: {en: Says "fine".}}
  old_tea: {picture: leaf}
"""
WITH = HEAD.replace("FILES", "files: [card.csv]").replace("KINDS\n", "")


def compiled(csv: str, game: str = WITH, name: str = "card.csv") -> tuple[ir.Program | None, str]:
    files = [RuleFile("game.yaml", game)]
    files += [RuleFile(name, csv)] if csv else []
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics)
    told = [
        f"{each.span.file.name}:{each.span.line}:{each.span.column} {each.code}: {each.message}"
        f"{' | ' + each.hint if each.hint else ''}"
        for each in diagnostics.sorted()
        if each.severity == "error"
    ]
    return program, "\n".join(told)


@pytest.mark.parametrize("csv", [CSV, CSV.replace("\r", ""), "\ufeff" + CSV.replace("\t", "")])
def test_a_spreadsheet_says_what_yaml_would(csv: str) -> None:
    found, wrong = compiled(csv)
    wanted, _ = compiled("", HEAD.replace("FILES\n", "").replace("KINDS\n", KINDS))
    assert wrong == ""
    assert found is not None
    assert wanted is not None
    assert found.pieces == wanted.pieces
    assert found.symbols == wanted.symbols
    assert {key: found.names[key] for key in ("mule", "silk", "old_tea")} == {
        key: wanted.names[key] for key in ("mule", "silk", "old_tea")
    }


def test_a_kind_can_be_called_by_its_name_alone() -> None:
    found, wrong = compiled("name,count,sort,old_price\nOld Tea,7,ware,1\nKäse,7,ware,2\n")
    assert wrong == ""
    assert found is not None
    assert [(each.name, each.count) for each in found.pieces[0].kinds] == [
        ("old_tea", 7),
        ("kase", 7),
    ]
    assert found.names["kase"] == {"en": "Käse"}


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("mule;6", "mule;six", "card.csv:2:6 bad-value: 'six' does not have the form"),
        ("silk;3;ware", "silk;3;wear", "card.csv:4:8 bad-value: `wear` is not a sort | did you"),
        ("old_tea;5", "Old Tea;5", "card.csv:5:1 bad-name: `Old Tea` cannot be the name of a kind"),
        ("old_tea;5", "silk;5", "card.csv:5:1 duplicate-name: `silk` has two rows"),
        ("old_tea;5", ";5", "card.csv:5:1 missing-key: row 5 has nothing in the column `kind`"),
        ("leaf;;\r", "leaf;;;more\r", "card.csv:5:43 unknown-key: row 5 has a cell in a column"),
        ("leaf", "lief", "card.csv:5:36 bad-value"),
        ("name;name de", "name;name", "card.csv:1:32 duplicate-name: two columns are called"),
        ("Kind;", "Id;", "card.csv:1:1"),
        ("Old price", "prise", "card.csv:1:17 unknown"),
        ('""fine"".";', '""fine"".', "card.csv:4:31 syntax: this quotation mark is never closed"),
        ('""fine"".";', '""fine"". "x;', "card.csv:4:48 syntax: behind a quotation mark"),
    ],
)
def test_mistakes_are_at_their_cell(old: str, new: str, told: str) -> None:
    assert old in CSV
    program, wrong = compiled(CSV.replace(old, new, 1))
    assert program is None
    assert told in wrong


@pytest.mark.parametrize(
    "game, csv, name, told",
    [
        (WITH, "kind,count\n", "card.csv", "this spreadsheet has no kinds"),
        (WITH.replace("card.csv", "cart.csv"), CSV, "cart.csv", "there is no piece `cart`"),
        (WITH.replace("card.csv", "x/card.csv"), CSV, "x/card.csv", "is called after a piece"),
        (WITH, "", "", "there is no card.csv"),
        (
            HEAD.replace("FILES", "files: [card.csv]").replace("KINDS\n", KINDS),
            CSV,
            "card.csv",
            "the kinds of `card` are in a spreadsheet, and here, too",
        ),
        (WITH, "kind\n" + "a\n" * (MOST_ROWS + 1), "card.csv", "at most 1,000 rows"),
        (WITH, "kind" + ",x" * MOST_COLUMNS + "\na\n", "card.csv", "and 60 columns"),
        (WITH, "kind\n" + "a" * 200_001, "card.csv", "at most 200,000 characters"),
        (HEAD.replace("FILES\n", "").replace("KINDS\n", ""), "", "", "'kinds' is missing"),
    ],
)
def test_spreadsheets_that_are_of_no_use(game: str, csv: str, name: str, told: str) -> None:
    program, wrong = compiled(csv, game, name)
    assert program is None
    assert told in wrong


def test_markup_in_a_cell_is_text() -> None:
    from lawspeaker.faces.render.book.sheet import sheet_of, sheet_page
    from lawspeaker.match.game import Game

    cards = WITH + "symbols:\n  card: {shape: card}\n"
    program, _ = compiled(CSV.replace("Trägt.", "<script>x</script>"), cards)
    assert program is not None
    page = sheet_page(sheet_of(Game(program, "fair"), "de"))
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_the_workshop_edits_a_spreadsheet() -> None:
    sent = [{"name": "game.yaml", "text": WITH}, {"name": "card.csv", "text": CSV}]
    files = files_in({"files": sent}, "files")
    (looked,) = jobs.checked(files, files, "card.csv")
    assert looked["ok"]
    assert list(jobs.tidied("card.csv", files[1].text)) == [{"text": files[1].text, "problems": []}]
    (offered,) = jobs.completed(files, files, "card.csv", 40)
    assert offered["items"] == []
    target = "pieces.card.kinds.mule.count"
    (found,) = numbers.set_number(files, files, "game.yaml", target, ("8",), True)
    assert [(each["file"], each["text"]) for each in found["edits"]] == [
        ("card.csv", "8"),
        ("game.yaml", "16"),
    ]
