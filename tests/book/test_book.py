"""Rulebooks: what is in them, both ways of writing them, and that no example is false."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lawspeaker.base.braces import filled
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES, phrases
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.book import Book, ExampleScenario, book_of, page, pdf
from lawspeaker.faces.render.book.components import Components
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.book.pictures import MOST_DRAWN, Pieces
from lawspeaker.faces.render.book.pictures import table as table_picture
from lawspeaker.faces.render.book.setting_up import arrangements, tables_set_up
from lawspeaker.faces.render.book.tree import (
    Chapter,
    Example,
    Figures,
    Gallery,
    Item,
    Picture,
    Rule,
    Table,
)
from lawspeaker.faces.render.book.typst import sheets
from lawspeaker.outside.examples import examples
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import layout_for
from tests.repo.checkout import ROOT

Run = Callable[..., Any]
SMALL = "mill_wheel"
LARGE = (
    *("walhalla", "walhalla+italian", "walhalla+french"),
    *("voluspa", "voluspa+drakkar+hel+freya", "chess"),
)
SHORTEST = 9
"""Shorter pieces of a phrase may well be words of the other language."""

GAME = """\
lawspeaker: 1
game: stones
title: Stones
about: Two take stones.
players: {from: 2, to: 2, called: [ann, ben]}
files: [more.yaml]
pieces:
  stone: {count: 5, starts in: box}
places:
  box:  {holds: stone, seen by: everyone}
  heap: {holds: stone, seen by: everyone}
  bag:  {of each: player, holds: stone, seen by: everyone}
rules:
  game:
    says: Stones are heaped, and Ann takes some.
    rule: |
      do setup
      do taking
  setup:
    chapter: The beginning
    says: Three stones are heaped.
    rule: |
      move 3 stones in box to heap
"""
MORE = """\
rules:
  least:
    in the book: false
    says: So many are left at least.
    define: least
    as: 2
  taking:
    chapter: Taking
    says: Ann takes a stone or two, or rests.
    asks: How many?
    guards:
      enough: Some stones stay.
    rule: |
      ann must choose one of
        rest
        one
          then:
            move a stone in heap to bag of ann
            ann scores 1
        two
          where enough: count of stones in heap - 2 >= least
          then:
            move 2 stones in heap to bag of ann
            ann scores 2
"""
SCENARIO = """\
scenario: One stone is taken
game: stones
players: 2
example: A stone is taken
situation: {heap: 3 stones}
do: taking
steps:
  - refuses: {two: enough}
    answer: one
then: {heap: 2 stones}
"""


@cache
def make_book(name: str, language: str, sources: bool = False) -> Book:
    game = load(name)
    diagnostics = Diagnostics()
    shown = [
        ExampleScenario(each.scenario.example[language], each.about, each.course)
        for each in examples(name, game.program, diagnostics)
        if language in each.scenario.example
    ]
    assert not diagnostics.has_errors
    base = load(name.partition("+")[0]).program
    return book_of(game, base, language, shown, sources=sources)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder that holds a game with an example."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAWSPEAKER_PATH", raising=False)
    (tmp_path / "stones" / "scenarios").mkdir(parents=True)
    (tmp_path / "stones" / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "stones" / "more.yaml").write_text(MORE, encoding="utf-8")
    (tmp_path / "stones" / "scenarios" / "one.yaml").write_text(SCENARIO, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def chapter(book: Book, title: str) -> Chapter:
    return next(each for each in book.chapters if each.title == title)


def stones(folder: Path) -> Book:
    library = Library(here=folder, path=())
    game = load("./stones", library)
    shown = [
        ExampleScenario(each.scenario.example[""], each.about, each.course)
        for each in examples("./stones", game.program, Diagnostics(), library)
    ]
    return book_of(game, game.program, "en", shown)


# ---------------------------------------------------------------- the tree


def test_chapters_rules_and_what_is_left_out(run: Run, tmp_path: Path) -> None:
    book = stones(tmp_path)
    assert [each.title for each in book.chapters] == [
        *("The game at a glance", "What is in the box", "The beginning", "Taking"),
        "A game added up",
    ]
    taking = chapter(book, "Taking")
    (rule,) = [each for each in taking.blocks if isinstance(each, Rule)]
    assert rule.says == "Ann takes a stone or two, or rests."
    assert [each.says for each in rule.under] == ["Some stones stay."]
    (setup,) = [each for each in chapter(book, "The beginning").blocks if isinstance(each, Figures)]
    assert [each.caption for each in setup.each] == ["2 players"]


LAID_OUT = """\
lawspeaker: 1
game: laid
title: Laid
players: {from: 2, to: 4, called: [ann, ben, cleo, dan]}
pieces:
  stone: {of each: player, count: 2, starts in: box}
places:
  box:  {of each: player, holds: stone, seen by: everyone}
  cell: {grid: 3 by 3, holds: stone, seen by: everyone}
rules:
  game:
    says: The stones are laid out, and the game is over.
    rule: |
      do setup
      do ending
  setup:
    says: A stone lies in the middle; with four players it lies in the corner.
    rule: |
      if player_count = 4: move a stone in box of ann to cell(1, 1)
      else: move a stone in box of ann to cell(2, 2)
  ending:
    says: Then it is over.
    rule: finish
table:
  down:
    - {place: cell, as: grid}
    - players:
        - {place: box, as: count}
"""


def area(picture: Picture) -> float:
    return picture.width * picture.height


def test_only_setups_that_differ_are_drawn_and_but_for_one_in_part(tmp_path: Path) -> None:
    (tmp_path / "laid.yaml").write_text(LAID_OUT, encoding="utf-8")
    game = load("./laid.yaml", Library(here=tmp_path, path=()))
    book = book_of(game, game.program, "en", [])
    drawn = [block for each in book.chapters for block in each.blocks if isinstance(block, Figures)]
    (whole,), others = (each.each for each in drawn[:2])
    assert whole.caption == "4 players"
    assert [each.caption for each in others] == ["2 players", "3 players"]
    assert all(area(each.picture) < area(whole.picture) / 2 for each in others)
    same = LAID_OUT.replace("player_count = 4", "player_count = 5")
    (tmp_path / "laid.yaml").write_text(same, encoding="utf-8")
    program = load("./laid.yaml", Library(here=tmp_path, path=())).program
    (alike,) = Components(BookRules(layout_for(program, 4), program, "de")).setup_in_brief()
    assert [each.caption for each in alike.each] == ["2–4 Spieler"]


def test_the_box_tells_what_is_set_up(run: Run, tmp_path: Path) -> None:
    (box,) = chapter(stones(tmp_path), "What is in the box").blocks
    assert isinstance(box, Gallery)
    assert [(item.name, item.count, item.text) for item in box.items] == [
        ("Stone", "3", "2 more lie ready for the course of the game")
    ]


@pytest.mark.parametrize(
    "name, piece, pictures",
    [
        (
            "stowaways",
            "uniform",
            ["uniform", "cook", "purser", "mate", "surgeon"],
        ),  # the back first
        ("mill_wheel", "crate", ["rye", "honey", "wool"]),
        ("mill_wheel", "pawn", ["pawn"] * 4),  # one of each player
        ("nim", "stone", ["stone"]),
    ],
)
def test_the_box_draws_whatever_looks_different(name: str, piece: str, pictures: list[str]) -> None:
    program = load(name).program
    (number,) = [at for at, each in enumerate(program.pieces) if each.name == piece]
    found = Pieces(layout_for(program, program.most), "en").of_type(number)
    assert [each.says for each in found] == pictures
    assert len(set(found)) == len(found)


def test_of_many_kinds_the_box_draws_a_few_from_all_over() -> None:
    program = load("hearts").program
    back, *fronts = Pieces(layout_for(program, program.most), "en").of_type(0)
    assert back.says == "card"
    assert 6 <= len(fronts) <= MOST_DRAWN
    suits = {each.says.rpartition(" ")[2] for each in fronts}
    assert suits == {"clubs", "diamonds", "spades", "hearts"}


@pytest.mark.full
def test_many_pictures_stand_in_rows_and_few_beside_their_text() -> None:
    one = table_picture(load("pig").start(players=2, seed=1).view(None), "en", "")
    few, many = (Item((replace(one, width=60),) * count, "Thing", "9") for count in (2, 7))
    narrow = Item((replace(one, width=20),) * 4, "Thing", "9")
    book = replace(
        make_book(SMALL, "en"),
        chapters=(Chapter("box", "", (Gallery("", (few, many, few, narrow)),)),),
    )
    rows = re.findall(r'<li class="item( crowded)?">', page(book))
    assert rows == ["", " crowded", "", ""]
    assert pdf(book).startswith(b"%PDF-")


ASKING = """\
      do placing
  placing:
    says: Ann puts another one there, or not.
    asks: Another?
    rule: |
      ann may add
        then: move a stone in box to heap
"""
DOES = "do setup\n      do taking"
MANY = GAME.replace("to: 2", "to: 3").replace("ben]", "ben, cleo]")
SETUPS = {
    "a turn begins with a question": (GAME, MORE, 3),
    "a turn begins with a deed": (
        GAME,
        MORE.replace("      ann must", "      move a stone in heap to box\n      ann must"),
        3,
    ),
    "each number of players": (MANY.replace("3 stones", "(count of players) + 1 stones"), MORE, 4),
    "a question while setting up": (GAME + ASKING, MORE, 3),
    "in rounds": (
        GAME.replace(DOES, f"repeat 2 times:\n      {DOES}".replace("\n", "\n  ")),
        MORE,
        3,
    ),
}


@pytest.mark.parametrize("game, more, heaped", SETUPS.values(), ids=SETUPS)
def test_a_set_up_ends_before_the_first_turn(
    run: Run, tmp_path: Path, game: str, more: str, heaped: int
) -> None:
    (tmp_path / "stones" / "game.yaml").write_text(game, encoding="utf-8")
    (tmp_path / "stones" / "more.yaml").write_text(more, encoding="utf-8")
    program = load("./stones", Library(here=tmp_path, path=())).program
    *_, last = tables_set_up(program)
    heap = last.machine.layout.places_by_text()["heap"]
    assert len(last.state.contents[heap]) == heaped


def test_the_box_tells_what_each_number_of_players_sets_up() -> None:
    (box,) = chapter(make_book("stowaways", "en"), "What is in the box").blocks
    assert isinstance(box, Gallery)
    (text,) = [item.text for item in box.items if item.name == "Biscuit"]
    numbers = "20 (2 players), 29 (3 players), 38 (4 players)"
    assert text == f"set up at the start: {numbers}; the others lie ready"


@pytest.mark.full
@pytest.mark.parametrize(
    "variant, otherwise",
    [
        ("skalds", []),  # more cards in the draw pile
        ("full_hands", [3, 4]),
        ("long_peninsulas", [3, 4]),
        ("head_start", [3, 4]),  # points to begin with
    ],
)
def test_a_supplement_draws_the_table_where_it_is_set_up_otherwise(
    variant: str, otherwise: list[int]
) -> None:
    usual = arrangements(load("walhalla").program)
    now = arrangements(load(f"walhalla+{variant}").program)
    assert [players for players in now if now[players] != usual[players]] == otherwise


def test_an_example_is_told_with_what_is_refused(run: Run, tmp_path: Path) -> None:
    (shown,) = [e for e in chapter(stones(tmp_path), "Taking").blocks if isinstance(e, Example)]
    assert shown.title == "A stone is taken"
    assert (shown.told[0].text, shown.told[0].refused) == ("two", "Some stones stay.")
    assert (shown.told[1].who, shown.told[1].text) == ("ann", "one")
    assert shown.after is not None
    assert shown.before.picture.svg != shown.after.picture.svg


def test_points_add_up(run: Run, tmp_path: Path) -> None:
    sheet = chapter(stones(tmp_path), "A game added up").blocks[-1]
    assert isinstance(sheet, Table)
    for column in range(1, 3):
        rows = (row[column] for row in sheet.rows)
        assert sum(int(cell) for cell in rows if cell != "–") == int(sheet.total[column])


@pytest.mark.full
def test_where_nobody_scores_by_chance_nothing_is_added_up() -> None:
    """The games of Pedlars that are tried end without a point; such a sheet would be empty."""
    assert "A game added up" not in [each.title for each in make_book("pedlars", "en").chapters]


@pytest.mark.full
def test_what_is_said_of_a_kind_is_what_it_does() -> None:
    (men,) = [b for b in chapter(make_book("chess", "en"), "The pieces, one by one").blocks
              if isinstance(b, Gallery)]  # fmt: skip
    (queen,) = [each for each in men.items if each.name == "Queen"]
    assert "a queen along all of them" in queen.text


FRUIT = """\
lawspeaker: 1
game: fruit
about: {en: Fruit is picked., de: Obst wird gepflückt.}
players: {from: 2, to: 2, called: [ann, ben]}
language: en
languages: [en, de]
words:
  season: [summer, autumn]
pieces:
  fruit:
    has: {worth: number, ripe: season, sour: truth, weight: {at each: season, is: number}}
    starts in: sack
    kinds:
      cherry: {count: 3, worth: 2, ripe: summer, sour: true, weight: {summer: 1, autumn: 3}}
      autumn_pear: {count: 3, worth: 0, ripe: autumn, sour: false, weight: {}}
places:
  sack:  {holds: fruit, seen by: nobody}
  apron: {of each: player, holds: fruit, seen by: everyone}
rules:
  game:
    says: {en: Ann draws one., de: Ann zieht eine.}
    rule: |
      draw fruit from sack to apron of ann
names:
  ann: {en: Ann, de: Anna}
  ben: {en: Ben, de: Benno}
  fruit: {en: fruit, de: Frucht}
  sack: {en: sack, de: Sack}
  apron: {en: apron, de: Schürze}
  cherry: {en: cherry, de: Kirsche}
  autumn_pear: {en: autumn pear, de: Herbst Birne}
  season: {en: season, de: Jahreszeit}
  summer: {en: summer, de: Sommer}
  autumn: {en: autumn, de: Herbst}
"""


POINTS = "  worth: {en: points, de: Punkte}\n"
REST = "Sour: yes. Weight: summer 1, autumn 3."


def kinds_of_fruit(folder: Path, language: str, more: str = "") -> dict[str, str]:
    (folder / "fruit.yaml").write_text(FRUIT + more, encoding="utf-8")
    program = load("./fruit.yaml", Library(here=folder, path=())).program
    rules = BookRules(layout_for(program, program.most), program, language)
    (fruit,) = Components(rules).reference()
    return {each.name: each.text for each in fruit.items}


def test_what_a_kind_has_is_told_beside_it_in_the_words_of_the_language(tmp_path: Path) -> None:
    told = kinds_of_fruit(tmp_path, "de", POINTS)
    assert told["Kirsche"].startswith("Punkte: 2.")


@pytest.mark.parametrize(
    "more, told",
    [
        ("", f"Worth: 2. Ripe: summer. {REST}"),
        ('symbols:\n  fruit: {badge: "{worth}"}\n', f"Ripe: summer. {REST}"),
        (POINTS + 'symbols:\n  fruit: {badge: "{worth}"}\n', f"Points: 2. Ripe: summer. {REST}"),
        ("symbols:\n  summer: {colour: red}\n", f"Worth: 2. {REST}"),
        ("symbols:\n  summer: {colour: red}\n  fruit: {colour: blue}\n",
         f"Worth: 2. Ripe: summer. {REST}"),
    ],
    ids=["drawn nowhere", "in a corner", "in a corner, with a word", "by colour", "hidden colour"],
)  # fmt: skip
def test_what_a_drawing_shows_is_told_if_there_is_a_word_for_it(
    tmp_path: Path, more: str, told: str
) -> None:
    """Neither 0, no and nothing are told, nor what a name says."""
    assert kinds_of_fruit(tmp_path, "en", more) == {"Cherry": told, "Autumn pear": ""}


def test_a_clause_is_not_called_what_is_chosen_in_it() -> None:
    card = make_book("othello", "en").card
    assert card is not None
    told = [step.text for _, steps in card.parts for step in steps]
    assert told
    assert not [each for each in told if "{" in each]


TWO_THINGS = "Who takes two gets 2 points; a lone stone brings 1. Resting brings none."


def test_no_rule_is_cut_where_it_is_taken_for_the_whole(run: Run, tmp_path: Path) -> None:
    """A clause without a name is told in full, on the card and where points are added up."""
    said = MORE.replace("Ann takes a stone or two, or rests.", TWO_THINGS)
    (tmp_path / "stones" / "more.yaml").write_text(said, encoding="utf-8")
    book = stones(tmp_path)
    assert book.card is not None
    assert book.crib is not None
    for summary in (book.card, book.crib):
        assert TWO_THINGS in [step.text for _, steps in summary.parts for step in steps]
    sheet = chapter(book, "A game added up").blocks[-1]
    assert isinstance(sheet, Table)
    assert [row[0] for row in sheet.rows] == [TWO_THINGS]


def test_a_clause_is_not_called_what_a_thing_is() -> None:
    """The surveyors turn tiles, too."""
    program = load("surveyors").program
    rules = BookRules(layout_for(program, program.most), program, "de")
    turn = rules.by_id["turn"]
    assert program.names["turn"]["de"] == "Drehung"
    assert rules.called(turn) == turn.says["de"]


@pytest.mark.full
def test_words_of_every_day_are_not_in_the_index() -> None:
    terms = [each.word for each in make_book("chess", "fr").index]
    assert "Dame" in terms
    assert "Est" not in terms, "it is where the sun rises, and what something is"


def test_numbers_for_some_are_told_for_all_numbers_of_players() -> None:
    crib = make_book("stowaways", "en").crib
    assert crib is not None
    told = [step.text for _, steps in crib.parts for step in steps]
    assert "With how many uniforms a player comes on board: 3 / 2 / 2" in told
    assert "How many biscuits the cook takes: 3" in told


@pytest.mark.full
def test_a_move_is_told_once() -> None:
    told = [
        (line.who, line.text)
        for each in make_book("chess", "en").chapters
        for block in each.blocks
        if isinstance(block, Example) and block.title == "Taking a pawn in passing"
        for line in block.told
    ]
    assert told == [
        ("Black", "pawn, d7 → d5"),
        ("Black", "loses a pawn"),
        ("White", "pawn, e5 → d6"),
    ]


@pytest.mark.full
def test_sources_are_in_the_margin_on_demand() -> None:
    def notes(book: Book) -> int:
        rules = (each for one in book.chapters for each in one.blocks if isinstance(each, Rule))
        return sum(len(each.notes) for each in rules)

    assert notes(make_book("walhalla", "de")) == 0
    assert notes(make_book("walhalla", "de", sources=True)) > 20


@pytest.mark.full
def test_what_a_variant_changes_is_marked() -> None:
    marks = {
        block.mark
        for each in make_book("walhalla+italian", "en").chapters
        for block in each.blocks
        if isinstance(block, Rule)
    }
    assert len(marks) > 1


# ---------------------------------------------------------------- as it is written


def english(language: str) -> list[str]:
    """What our phrases say in English and not in a language, around what is filled in."""
    return [
        piece.strip()
        for key, said in phrases("en").items()
        if key.startswith(("book.", "story.", "compare.players"))
        for piece in filled(said, lambda _: "\n", "en").split("\n")
        if len(piece.strip()) >= SHORTEST and piece.strip() not in phrases(language)[key]
    ]


def words(book: Book) -> str:
    """All that a page says, as one line."""
    bare = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page(book), flags=re.DOTALL)
    return " ".join(unescape(bare).split())


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_no_english_is_left_in_other_languages(language: str) -> None:
    program = load(SMALL).program
    said = words(make_book(SMALL, language))
    assert not [each for each in english(language) if each in said]
    for clause in program.clauses:
        if clause.in_book and clause.says["en"] != clause.says[language]:
            assert clause.says["en"] not in said


def test_english_would_be_noticed() -> None:
    said = words(make_book(SMALL, "en"))
    assert len([each for each in english("de") if each in said]) > 5


def test_by_night_pictures_are_as_dark_as_the_table() -> None:
    """Every colour that the table has by night, the book has for the same things; what these are is
    still written on its pictures."""
    static = ROOT / "interpreter" / "lawspeaker" / "faces"
    table = (static / "web" / "static" / "css" / "table.css").read_text(encoding="utf-8")
    book = (static / "render" / "book" / "book.css").read_text(encoding="utf-8")
    night = table.partition('[data-theme="dark"] svg.table {')[2].partition("\n}")[0]
    fills = re.findall(r"& (.*?) \{ (?:fill|stroke|stop-color): (#\w{6}); \}", night)
    chosen = [(what, colour) for what, colour in fills if "#ground-" in what or "[fill" in what]
    assert len(chosen) >= 9
    for what, colour in chosen:
        assert re.search(rf"{re.escape(what)} \{{\s*[a-z-]+: light-dark\(#\w+, {colour}\)", book)
    drawn = table_picture(load("pig").start(players=2, seed=1).view(None), "en", "").svg
    assert 'class="table"' in drawn.partition(">")[0]


def test_a_page_leads_where_it_says() -> None:
    written = page(make_book(SMALL, "de"))
    ids = re.findall(r'\sid="([^"]+)"', written)
    assert set(re.findall(r'href="#([^"]+)"', written)) <= set(ids)
    assert len(re.findall("<svg", written)) > 5


def test_a_pdf_is_the_same_twice() -> None:
    book = make_book(SMALL, "de")
    found = pdf(book)
    assert found.startswith(b"%PDF-")
    assert found == pdf(book)


@pytest.mark.full
def test_an_index_that_names_one_page_only_is_left_out() -> None:
    typst = pytest.importorskip("typst")

    def headings(book: Book) -> str:
        return str(typst.query(sheets(book), "heading", ignore_system_fonts=True))

    book = make_book("stowaways", "en")
    assert book.index
    rules = chapter(book, "The rules")
    assert '"Index"' not in headings(replace(book, chapters=(rules,)))
    long = replace(
        rules,
        blocks=tuple(
            replace(each, says=each.says * 9) if isinstance(each, Rule) else each
            for each in rules.blocks
        ),
    )
    assert '"Index"' in headings(replace(book, chapters=(long,)))


@pytest.mark.nightly
@pytest.mark.parametrize("name", LARGE)
def test_large_books_in_all_languages(name: str) -> None:
    for language in load(name).program.languages:
        book = make_book(name, language, sources=True)
        assert pdf(book).startswith(b"%PDF-")
        if language != "en":
            said = words(book)
            assert not [each for each in english(language) if each in said]


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize("form", ["pdf", "html"])
def test_the_command_writes_a_book(run: Run, tmp_path: Path, form: str) -> None:
    answer = run("book", "./stones", f"--{form}", f"rules.{form}")
    assert answer.exit_code == 0, answer.output
    assert "Stones: rules." in answer.output
    assert (tmp_path / f"rules.{form}").stat().st_size > 1000


def test_without_typst_there_is_advice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    answer = run("book", "./stones", "--pdf", "rules.pdf")
    assert answer.exit_code == 1
    assert "pip install 'lawspeaker[book]'" in answer.output


def test_no_book_contradicts_its_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stones" / "scenarios" / "one.yaml"
    file.write_text(SCENARIO.replace("heap: 2 stones", "heap: 1 stone"), encoding="utf-8")
    answer = run("book", "./stones", "--html", "rules.html")
    assert answer.exit_code == 1
    assert "stones/scenarios/one.yaml:10:" in answer.output
    assert not (tmp_path / "rules.html").exists()


def test_an_example_without_a_heading_in_the_language_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stones" / "scenarios" / "one.yaml"
    file.write_text(SCENARIO.replace("A stone is taken", "{de: Ein Stein}"), encoding="utf-8")
    answer = run("book", "./stones", "--html", "rules.html")
    assert answer.exit_code == 0, answer.output
    assert "no heading in `en`: stones/scenarios/one.yaml" in " ".join(answer.output.split())


@pytest.mark.parametrize(
    "arguments, says",
    [
        ((), "--pdf FILE or --html FILE"),
        (("--pdf", "a.pdf", "--html", "a.html"), "--pdf FILE or --html FILE"),
        (("--html", "a.html", "--lang", "xx"), "speaks en"),
        (("--html", "a.html", "--supplement"), "has no variant"),
    ],
)
def test_wrong_calls(run: Run, arguments: tuple[str, ...], says: str) -> None:
    answer = run("book", "./stones", *arguments)
    assert answer.exit_code == 2
    assert says in " ".join(answer.output.replace("│", " ").split())
