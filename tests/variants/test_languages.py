"""`--lang` picks the language of names and questions wherever a game is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.base.typography import flat
from lawspeaker.faces.cli import app
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from tests.tiers import sample

QUESTIONS = {
    "en": ("board: bow + middle", "On which seats do your vikings board?"),
    "de": ("an Bord: Bug + Mitte", "Auf welche Plätze gehen deine Wikinger an Bord?"),
    "it": ("imbarcare: prua + centro", "Su quali spazi salgono i tuoi vichinghi?"),
    "fr": (
        "embarquer\N{NO-BREAK SPACE}: proue + milieu",
        "Sur quelles places montent tes vikings\N{NARROW NO-BREAK SPACE}?",
    ),
}
NAMES = {"en": "headland 9", "de": "Landspitze 9", "it": "testa 9", "fr": "pointe 9"}
LANGUAGES = list(QUESTIONS)


@pytest.fixture(autouse=True)
def own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")


def run_command(*words: str) -> str:
    answer = CliRunner().invoke(app, list(words), input="quit\n")
    assert answer.exit_code == 0, answer.output
    return str(answer.stdout)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_played_in_each(language: str) -> None:
    """The question as it is asked at the table, and the options as they are offered there."""
    seats = ("--seats", "human,random,random", "--players", "3", "--seed", "4")
    text = run_command("play", "walhalla", *seats, "--lang", language)
    option, question = QUESTIONS[language]
    assert question in text
    assert option in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_shown_in_each(language: str) -> None:
    text = run_command("show", "walhalla+french", "--lang", language)
    assert NAMES[language].casefold() in text.casefold()
    assert QUESTIONS[language][1] in flat(text)
    assert not [name for other, name in NAMES.items() if other != language and name in text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tellings_are_compared_in_each(language: str) -> None:
    text = run_command(
        "compare", "walhalla", "walhalla+french", "--lang", language, "--only", "play"
    )
    assert NAMES[language].casefold() in text.casefold()


@pytest.mark.parametrize("variant", sample(Library().variants("walhalla"), test=4))
def test_every_question_of_every_variant_is_asked_in_each(variant: str) -> None:
    program = load(f"walhalla+{variant}").program
    assert set(program.languages) == set(LANGUAGES)
    for clause in program.clauses:
        assert not clause.asks or set(clause.asks) >= set(LANGUAGES), clause.id
        assert clause.says.get("en"), clause.id
