"""`lawspeaker mix` from the command line."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.compare import compare
from tests.compare.stall import market
from tests.tiers import sample

EDITIONS = {
    "northern": """\
sources: {north: {title: The Northern Book, language: en}}
changes:
  - {set: rounds, to: 1, kind: value, because: Winters are short., cites: {north: Turns}}
  - {set: thanks, to: 3, cites: {north: Thanks}}
""",
    "southern": """\
sources: {south: {title: The Southern Book, language: en}}
changes:
  - {set: rounds, to: 3, kind: value, cites: {south: Turns}}
  - {remove: farewell, cites: {south: Silence}}
""",
}


@pytest.fixture
def stall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    market(tmp_path, EDITIONS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["mix", "stall", *words])


def test_what_can_be_taken_is_listed(stall: Path) -> None:
    found = run()
    assert found.exit_code == 0
    words = " ".join(found.stdout.split())
    for each in ("How many rounds are played", "northern book", "southern book"):
        assert each in words
    assert "farewell" not in words
    assert "farewell" in run("--ids").stdout
    take = re.search(r"--take (.*)", words)
    assert take is not None
    assert run("--take", shlex.split(take[1])[0]).exit_code == 0


def test_readings_of_two_editions_are_written_and_play(stall: Path) -> None:
    found = run("--take", "north:rounds,southern:farewell", "--save", "Our Rules.yaml")
    assert found.exit_code == 0, found.output
    text = (stall / "Our Rules.yaml").read_text(encoding="utf-8")
    assert text.startswith("# lawspeaker mix stall --take=north:rounds,southern:farewell\n")
    assert "variant: our_rules\n" in text
    diagnostics = Diagnostics()
    library = Library(here=stall, path=())
    one, other = (
        load_ruleset(name, diagnostics, library) for name in ("stall", "stall+./Our Rules.yaml")
    )
    assert one is not None
    assert other is not None, "\n".join(map(str, diagnostics))
    rows = {row.id: row for row in compare([one, other]).table.rows}
    assert {*rows} == {"rounds", "farewell"}
    cell = rows["rounds"].cells[1]
    assert cell.text == "1"
    assert cell.because == "Winters are short."
    assert [(cite.source, cite.section) for cite in cell.cites] == [("north", "Turns")]


def test_an_edition_alone_is_all_of_it(stall: Path) -> None:
    found = run("--take", "southern")
    assert found.exit_code == 0
    assert "set: rounds" in found.stdout
    assert "remove: farewell" in found.stdout
    assert "How many rounds are played: as in southern book" in found.stderr


def test_a_reading_that_is_no_other_is_told(stall: Path) -> None:
    found = run("--take", "northern:farewell,southern:rounds")
    assert found.exit_code == 0
    assert "northern book plays as The Stall does; there is nothing to take" in found.stderr


@pytest.mark.parametrize(
    "take, message",
    [
        (
            "northern:rounds,southern:rounds",
            "“How many rounds are played” is taken from stall+northern",
        ),
        ("nothern:rounds", "stall has no edition `nothern`; did you mean 'northern'?"),
        ("spanish:rounds", "stall has no edition `spanish`; there are northern, southern"),
        ("northern:runds", "there is no difference `runds`; did you mean 'rounds'?"),
        ("stall:rounds", "nothing is named but the game itself"),
    ],
)
def test_what_is_wrong_is_told(take: str, message: str, stall: Path) -> None:
    found = run("--take", take)
    assert found.exit_code == 2
    assert message in found.stderr


@pytest.mark.parametrize(
    "language, take, message",
    [
        ("de", "nothern:rounds", "stall hat keine Ausgabe `nothern`; ist 'northern' gemeint?"),
        ("it", "spanish:rounds", "stall non ha un’edizione `spanish`; ci sono northern, southern"),
        ("fr", "book:rounds", "`book` peut désigner plusieurs éditions"),
    ],
)
def test_an_unknown_edition_is_told_in_the_language(
    language: str, take: str, message: str, stall: Path
) -> None:
    found = run("--take", take, "--lang", language)
    assert found.exit_code == 2
    assert message in found.stderr


@pytest.mark.full
@pytest.mark.parametrize(
    "language, take, what",
    sample(
        [
            ("fr", "italian:vendita", "Des vikings de la réserve générale contre cartes et points"),
            ("de", "italian:vendere", "Wikinger aus Asgard für Karten und Punkte"),
            ("de", "french:Gleichstände", "Gleichstand auf dem zweiten Platz"),
        ],
        test=3,
    ),
)
def test_headings_and_other_forms_of_words_will_do(language: str, take: str, what: str) -> None:
    found = CliRunner().invoke(app, ["mix", "walhalla", "--lang", language, "--take", take])
    assert found.exit_code == 0, found.stderr
    assert found.stderr.startswith(what)


def test_what_is_wrong_is_told_in_the_language_asked_for(stall: Path) -> None:
    found = run("--lang", "de", "--take", "northern:xyzzy")
    assert found.exit_code == 2
    assert "einen Unterschied `xyzzy` gibt es nicht; es gibt „" in found.stderr


def test_what_fills_in_and_what_was_not_taken_is_told(stall: Path) -> None:
    found = run("--take", "southern:rounds")
    assert "Whatever is not listed here is played by these rules: The Stall." in found.stderr
    assert "One further point is played otherwise" in found.stderr
    assert "further point" not in run("--take", "southern").stderr


def test_the_contract_says_what_every_book_says(stall: Path) -> None:
    run("--take", "north:rounds,southern:farewell", "--save", "ours.yaml")
    words = ["show", "stall+./ours.yaml", "--contract", "--width", "100"]
    text = CliRunner().invoke(app, words).stdout
    assert "Source: Turns [north]" in text
    for line in (
        "The Stall: as before [states: Course]",
        "northern book: as agreed here",
        "southern book: 3 [states: Turns]",
        "southern book: as agreed here",
    ):
        assert line in text
    page = CliRunner().invoke(app, [*words[:3], "--html", "agreed.html"])
    assert page.exit_code == 0
    assert "<dt>southern book</dt><dd>3 [states: Turns]</dd>" in (stall / "agreed.html").read_text(
        encoding="utf-8"
    )
