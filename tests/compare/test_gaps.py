"""`lawspeaker compare NAME` alone: what the book leaves open, and how it is played."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import read_variants, schema
from lawspeaker.study.compare.gaps import Gap, gaps
from lawspeaker.study.compare.rows import table
from tests.compare.stall import market, stall_rulesets
from tests.compare.test_patch import load_named

BOOK = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - cite: picking
    cites:
      new: [{section: Picking}, {stance: silent, note: Who begins is not said.},
            {stance: our_ruling, note: Ann begins.}]
  - {cite: round, cites: {new: {section: Rounds, stance: contradicts_itself, note: It says two.}}}
  - {cite: thanking, cites: {new: {section: Thanks, stance: says_otherwise}}}
  - {cite: farewell, cites: {new: {stance: silent}}}
  - {cite: game, cites: {new: Course}}
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["compare", *words])


def gaps_of(folder: Path, variants: dict[str, str], name: str) -> dict[str, Gap]:
    every = ["stall", *(f"stall+{each}" for each in variants)]
    found, *editions = stall_rulesets(
        folder, variants, name, *(each for each in every if each != name)
    )
    others = read_variants("stall", Diagnostics(), market(folder, variants))
    return {each.id: each for each in gaps(found, "en", others, "", editions).each}


def test_every_sort_of_gap_and_what_is_no_gap(tmp_path: Path) -> None:
    found = gaps_of(tmp_path, {"new": BOOK}, "stall+new")
    assert {id: gap.standing for id, gap in found.items()} == {
        "picking": "in_part",
        "round": "contradicts_itself",
        "thanking": "says_otherwise",
        "farewell": "silent",
    }
    assert found["picking"].said == ("Who begins is not said.",)
    assert found["picking"].ruled == ("Ann begins.",)
    assert found["round"].said == ("It says two.",)


def test_variants_that_play_it_otherwise_are_named(tmp_path: Path) -> None:
    quick = "changes: [{set: thanks, to: 2}, {cite: rounds, cites: {old: Course}}]\n"
    found = gaps_of(tmp_path, {"quick": quick}, "stall")
    assert [*found] == ["thanks"]
    assert found["thanks"].otherwise == (("quick", "quick book"),)
    also = {"quick": quick, "brief": quick}
    again = gaps_of(tmp_path, also, "stall+quick")["thanks"]
    assert [name for name, _ in again.otherwise] == ["stall"], "brief plays as quick does"


def test_why_an_edition_plays_it_so_is_told(tmp_path: Path) -> None:
    change = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - set: rounds
    to: 3
    because: Three are printed, where four are meant.
    cites: {new: {section: Course, stance: contradicts_itself}}
"""
    gap = gaps_of(tmp_path, {"new": change}, "stall+new")["rounds"]
    assert gap.said == ("Three are printed, where four are meant.",)
    house = change.replace("{new: {section: Course", "{old: {section: Course")
    house = house.removeprefix("sources: {new: {title: The New Book, language: en}}\n")
    found = stall_rulesets(tmp_path, {"own": house}, "stall+own", layer="house rule")
    ruled = {each.id: each for each in gaps(found[0], "en").each}
    assert ruled["rounds"].said == (), "the table's reasons are not about the book"


def test_a_gap_that_only_repeats_another_is_named_there(tmp_path: Path) -> None:
    change = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - cite: thanking
    cites: {new: [{section: The end, stance: our_ruling, note: Everyone is thanked.}]}
  - {cite: farewell, cites: {new: [{section: The end, stance: our_ruling}]}}
  - {cite: round, cites: {new: [{section: Course, stance: our_ruling}]}}
"""
    found = gaps_of(tmp_path, {"new": change}, "stall+new")
    assert {id: gap.also for id, gap in found.items()} == {
        "round": (),
        "thanking": ("Ann has the last word, for a point.",),
    }


@pytest.mark.full
def test_the_book_of_an_edition_is_its_own() -> None:
    """What the German book states and the French sheet leaves out is a gap of the second alone."""
    german, french = (
        {each.id for each in gaps(load_named(name), "en").each}
        for name in ("walhalla", "walhalla+french")
    )
    assert "tidying_cards" in french - german
    assert "setup.starter" in german & french


def test_what_no_source_tells_is_a_gap() -> None:
    found = {each.id: each for each in gaps(load_named("walhalla"), "en").each}
    for id in ("pieces.tile", "pieces.dragon"):
        assert found[id].standing == "in_part"
        assert found[id].ruled[0].startswith("No source says")
        assert "No source tells" not in found[id].played
    assert found["places.with_nothing"].standing == "our_ruling"
    assert "no_debts" not in found


@pytest.mark.full
def test_a_book_that_has_other_numbers_of_pieces_does_not_decide_them_alike() -> None:
    editions = [load_named(each) for each in ("walhalla", "walhalla+french")]
    found = {
        each.id: each for each in gaps(load_named("walhalla+italian"), "en", editions=editions).each
    }
    assert found["pieces.card"].standing == "contradicts_itself"
    assert not found["pieces.card"].decided


@pytest.mark.full
def test_a_name_in_one_language_is_no_word_of_a_book_in_another() -> None:
    names = ("walhalla", "walhalla+italian", "walhalla+french", "walhalla+german_attacke")
    found = table([load_named(each) for each in names], "en")
    row = next(each for each in found.rows if each.id == "names.attack.de")
    assert [each.does for each in row.cells] == ["Angriff", "attacco", "attaque", "Attacke"]


@pytest.mark.full
def test_in_the_terminal_and_as_data() -> None:
    found = run("voluspa", "--json")
    assert found.exit_code == 0, found.output
    data = json.loads(found.stdout)
    jsonschema.validate(data, schema("gaps"))
    assert data["sources"][0]["id"] == "komp"
    text, ids = (" ".join(run("voluspa", *words).stdout.split()) for words in ((), ("--ids",)))
    for each in data["gaps"]:
        assert f" {' '.join(each['title'].split())} " in text
        assert f" {each['id']} " in ids
        assert f" {each['id']} " not in text or "." not in each["id"]


@pytest.mark.full
def test_the_page_has_all_gaps(tmp_path: Path) -> None:
    data = json.loads(run("voluspa", "--json", "--lang", "fr").stdout)
    file = tmp_path / "gaps.html"
    assert run("voluspa", "--lang", "fr", "--html", str(file)).exit_code == 0
    page = unescape(file.read_text(encoding="utf-8"))
    assert page.count('<tbody class="difference"') == len(data["gaps"])
    for each in data["gaps"]:
        for text in (each["title"], each["played"], *each["said"], *each["ruled"]):
            assert text in page
    assert "src=" not in page, "it needs nothing from anywhere else"


def test_a_game_without_a_book_has_no_gaps() -> None:
    assert run("tic_tac_toe").stdout.startswith("This game cites no book")


@pytest.mark.parametrize(
    "words",
    [
        *("--witness", "--effect 2", "--changelog", "--texts x", "--only play"),
        *("--all", "--by kind", "--players 2", "--bots mc:5", "--patch x.yaml", "--save x"),
    ],
)
def test_what_needs_two_versions_is_refused(words: str) -> None:
    found = run("tic_tac_toe", *words.split())
    assert found.exit_code == 2
    assert f"{words.split(maxsplit=1)[0]} needs at least two versions of a game" in found.stderr


@pytest.mark.full
def test_gaps_are_found_by_a_word() -> None:
    every = json.loads(run("voluspa", "--json").stdout)
    found = json.loads(run("voluspa", "--find", "Zug", "--json").stdout)
    ids = [each["id"] for each in found["gaps"]]
    assert "turn" in ids
    assert 0 < found["points"] < every["points"]
    assert len(ids) < len(every["gaps"])
    told = run("voluspa", "--find", "xyzzy", "--lang", "de").stdout
    assert told.startswith("Von „xyzzy“ ist hier nirgends die Rede.")


@pytest.mark.full
def test_what_lies_in_the_box_is_what_is_played_with() -> None:
    """A kind more than the book's total, and a value inside some pieces that a book leaves open:
    what it says of all of them stays."""
    told = " ".join(run("walhalla+french").stdout.split())
    assert "7 in the box: headland 3" in told
    assert "Kinds and number of action cards says some of it" in told
    assert "How many there are of each is not said. The Walhalla card is named" in told
