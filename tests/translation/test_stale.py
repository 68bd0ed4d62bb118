"""A stale translation is shown with a mark, wherever texts are shown; a fresh one is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.base.typography import STALE
from lawspeaker.faces.cli import app
from lawspeaker.faces.play.answers import helping
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_bundle, load, load_rulesets
from lawspeaker.text.translation.files import fingerprint
from lawspeaker.text.translation.places import translated
from tests.language.games import GOOD

MEANING = "Die Regeln haben sich geändert, seit das übersetzt wurde."
STALE_NAME = f"Haufen{STALE}"


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(GOOD / "in_one_language", tmp_path / "pebbles")
    monkeypatch.chdir(tmp_path)
    for path, old, new in (
        ("pebbles/game.yaml", "How many of {left} do", "How many of the {left} do"),
        ("pebbles/game.yaml", "Only what lies there", "No more than lies there"),
        ("pebbles/languages/de.yaml", "heap @103a36:", "heap @103a36?:"),
    ):
        text = Path(path).read_text(encoding="utf-8")
        assert text.count(old) == 1
        Path(path).write_text(text.replace(old, new), encoding="utf-8")


def test_questions_mark_stale_texts() -> None:
    match = load("pebbles").start(players=2, seed=1)
    assert match.decision is not None
    assert match.decision.prompt_in("de") == f"Wie viele von 9 nimmst du?{STALE}"
    assert match.decision.prompt_in("en") == "How many of the 9 do you take?"
    assert match.decision.options[0].name("de") == "1 nehmen"


def test_the_form_in_which_a_thing_is_told_is_no_word_to_translate() -> None:
    told = ("names", "told.go")
    assert translated(told, "goes {work | to} for {points | coin | coins}") == (
        "goes {work} for {points | coin | coins}"
    )
    assert translated(told, "takes {cards | the | 0 = nothing}") == "takes {cards | 0 = nothing}"
    assert translated(("names", "go"), "go {work | to} | form = gone") == "go {work}"
    before, after = (fingerprint(translated(told, f"goes {{work | {to}}}")) for to in ("a", "to"))
    assert before == after


def test_help_marks_stale_texts() -> None:
    match = load("pebbles").start(players=2, seed=1)
    assert (STALE, MEANING) in helping(match.program, "de").rows
    assert STALE not in dict(helping(match.program, "en").rows)


def show_text(language: str, *form: str) -> str:
    answer = CliRunner().invoke(app, ["show", "pebbles", "--lang", language, *form])
    assert answer.exit_code == 0, answer.output
    page = Path("page.html")
    return page.read_text(encoding="utf-8") if page.exists() else answer.stdout


@pytest.mark.parametrize("form", [("--width", "200"), ("--markdown",), ("--html", "page.html")])
def test_show_marks_stale_texts(form: tuple[str, ...]) -> None:
    found = show_text("de", *form)
    assert f"Nur was da liegt, kann man nehmen.{STALE}" in found
    assert STALE_NAME in found
    assert f"Kiesel man nehmen darf.{STALE}" not in found
    assert f"{STALE} {MEANING}" in found, "what the mark means stands at the end"
    assert STALE not in show_text("en", *form)


def test_a_log_speaks_the_languages_of_its_rules_wherever_it_is_read() -> None:
    game = load("pebbles")
    log = game.start(players=2, seed=1).record((), game.files)
    assert [file.name for file in log.bundle] == ["game.yaml", "languages/de.yaml"]
    program = compile_bundle(log.bundle, Diagnostics(), "game.log")
    assert program is not None
    assert program.names["pebble"]["de"] == "Stein"
    assert program.names == game.program.names
    assert json.loads(log.text())["bundle"][1]["name"] == "languages/de.yaml"


def test_a_telling_carries_its_translations() -> None:
    found = load_rulesets(["pebbles"], Diagnostics(), Library())
    assert found is not None
    assert found[0].files == load("pebbles").files


def test_translations_do_not_change_what_a_game_is() -> None:
    files = load("pebbles").files
    fewer = tuple(file for file in files if not file.name.startswith("languages/"))
    other = (*fewer, RuleFile("languages/de.yaml", files[1].text.replace("Stein", "Kiesel")))
    programs = [compile_bundle(each, Diagnostics()) for each in (files, other)]
    assert programs[0] is not None
    assert programs[1] is not None
    assert programs[0].digest == programs[1].digest
    assert programs[0].names != programs[1].names
