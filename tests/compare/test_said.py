"""All that any row of any comparison says is for people: no code, and no ids."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES, phrases
from lawspeaker.faces.render.contract import contract
from lawspeaker.faces.render.contract import text as contract_text
from lawspeaker.faces.render.mix import listed, remarks
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets, schema
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.mix import mix, whole
from lawspeaker.study.compare.points import CLAUSE_SORTS
from tests.base.test_typography import BREAKABLE
from tests.compare.stall import stall_rulesets as stalls
from tests.tiers import sample

CODE = re.compile(r"\w_\w|\b(?:en|de|it|fr): |[{}`]|\w\.\.|\b[a-z]+\.[a-z]+")
"""Ids, texts by language, places in braces, ranges, and ways through a file."""
SHORT = re.compile(r"\[\w+\]")
"""The short name of a book, as citations have it."""
EDITED = "walhalla"


def rulesets_of(game: str) -> list[Ruleset]:
    """A game with every variant that can be laid over it alone."""
    names = [game, *(f"{game}+{each}" for each in Library().variants(game))]
    return [told for each in names for told in load_rulesets([each], Diagnostics()) or ()]


GAMES = [
    pytest.param(game, marks=pytest.mark.xdist_group(f"rows of {game}"))
    for game in sample(("little_whist", "walhalla", "voluspa", "connect_four"), test=3)
]
"""The versions of a game are read once, by whoever goes through their rows."""


@pytest.fixture(scope="module", params=GAMES)
def versions(request: pytest.FixtureRequest) -> list[Ruleset]:
    return rulesets_of(request.param)


def row_texts(comparison: Comparison) -> set[str]:
    """Every text of every row, and each name of a version."""
    texts = {column.title for column in comparison.table.columns}
    for row in comparison.table.rows:
        texts |= {row.title, row.says}
        for cell in row.cells:
            texts |= {cell.text, cell.does, cell.remark, cell.because}
    return texts


@pytest.mark.parametrize("language", sample(LANGUAGES, test=4, full=4))
def test_no_row_says_anything_in_code(versions: list[Ruleset], language: str) -> None:
    texts = row_texts(compare(versions, language, everything=True))
    assert len(texts) > 50
    assert not [each for each in texts if CODE.search(each)]
    if language == "fr":
        assert not [each for each in texts if BREAKABLE.search(each)]


def test_rules_after_a_book_have_a_title_in_every_language(versions: list[Ruleset]) -> None:
    untitled = {
        row.id
        for row in compare(versions, everything=True).table.rows
        for cell in row.cells
        if cell.cites and row.sort in CLAUSE_SORTS and cell.point is not None
        if {*LANGUAGES} - {*cell.point.title}
    }
    assert not untitled


@pytest.fixture(scope="module")
def ours() -> tuple[list[Ruleset], list[Ruleset]]:
    """The editions of a game with books, and what is played by a mix of all that they do."""
    editions = load_rulesets(
        [f"{EDITED}{each}" for each in ("", "+italian", "+french")], Diagnostics()
    )
    assert editions is not None
    comparison = compare(editions)
    picks = {**whole(comparison, 1), **whole(comparison, 2)}
    made = mix(editions, comparison, picks, "ours")
    return editions, [editions[0], made.ruleset, *editions[1:]]


@pytest.mark.full
@pytest.mark.xdist_group(f"rows of {EDITED}")
@pytest.mark.parametrize("language", sample(LANGUAGES, full=2))
def test_no_contract_and_no_mix_says_anything_in_code(
    ours: tuple[list[Ruleset], list[Ruleset]], language: str
) -> None:
    """Only what one types to play it is left as it is."""
    editions, played = ours
    agreed = replace(contract(compare(played, language), played[1]), name="", digest="")
    comparison = compare(editions, language)
    made = mix(editions, comparison, whole(comparison, 2), "ours")
    out = StringIO()
    listing = listed(comparison).renderables[:-1]  # the last line is what one can type
    Console(file=out, width=200, color_system=None).print(*listing)
    for text in (contract_text(agreed), out.getvalue(), *remarks(made, comparison)):
        lines = [line for line in text.splitlines() if "____" not in line]
        assert lines
        assert not [line for line in lines if CODE.search(SHORT.sub("", line))]


def test_code_would_be_noticed() -> None:
    for text in ("sign: en: 9", "variabile (coast (is tile_end))", "sell {cards}", "1..5"):
        assert CODE.search(text)


def test_every_word_that_a_rule_file_can_have_is_told_in_every_language() -> None:
    """The words that a schema lists for how things are drawn and arranged."""
    game = schema("game")
    kinds, places = (
        game["$defs"],
        game["properties"]["places"]["additionalProperties"]["properties"],
    )
    symbols = game["properties"]["symbols"]["additionalProperties"]["properties"]
    listed = {
        "colour": kinds["colour"]["enum"],
        "picture": kinds["picture"]["else"]["enum"],
        "shape": symbols["shape"]["enum"],
        "as": kinds["show"]["properties"]["as"]["enum"],
        "ground": kinds["show"]["properties"]["ground"]["enum"],
        "whose": kinds["show"]["properties"]["whose"]["enum"],
        "arranged": places["arranged"]["enum"],
        "seen by": kinds["seers"]["anyOf"][0]["enum"],
    }
    for key, words in listed.items():
        told = {each.rpartition(".")[2] for each in phrases("en") if f".value.{key}." in each}
        assert {*words} <= told, key


def test_declarations_are_told_key_by_key(tmp_path: Path) -> None:
    changes = """\
  - add: places.shelf
    to: {of each: player, at: 1..3, holds: fruit, room: 2, arranged: row, seen by: owner,
         count seen by: nobody}
  - {add: markers.turn, to: {shows: player}}
  - {add: markers.ripe, to: {shows: truth, starts as: true}}
  - {add: symbols.shelf, to: {sign: {en: s, de: r}, colour: green, picture: tree,
      badge: "+{worth}"}}
  - {add: names.shelf, to: {en: shelf, de: Regal}}
  - {add: names.turn, to: {en: turn, de: Zug}}
  - {add: names.ripe, to: {en: ripe, de: reif}}
"""
    found = compare(stalls(tmp_path, {"more": f"changes:\n{changes}"}, "stall", "stall+more"), "en")
    told = {row.id: row.cells[1].does for row in found.table.rows}
    assert told["places.shelf"] == (
        "for each player, number 1 to 3, holds: fruit, room for 2, in a row, seen by: its owner, "
        "number seen by: nobody"
    )
    assert told["markers.turn"] == "marks a player"
    assert told["markers.ripe"] == "shows yes or no, at the start: yes"
    assert told["symbols.shelf"] == (
        "sign: s, colour: green, picture: tree, text in the corner: +worth"
    )
