"""Questions in everyday words: the right rule among the first two, and a sentence to begin with.

The questions of questions.yaml were written before the search was tuned. `kept` were not looked at
while it was tuned: 28 of these 30 were answered rightly at first sight.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.answering import Index, stems
from lawspeaker.study.compare.rows import Row
from tests.tiers import sample

QUESTIONS = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text("utf-8"))
NAMES = [f"walhalla{each}" for each in ("", "+german_attacke", "+italian", "+french")]
FOUND_WRONG = {
    # In Italian a coast is called as what costs is said.
    "quanto costa il gioco",
}
PLAIN = {
    "de": {
        "Gleichstand zweiter Platz": "ties.second",
        "wer fängt an": "setup.starter",
        "Schild ohne Wikinger in Walhalla": "shield.without_heroes",
    },
    "en": {
        "sell two cards for one viking": "selling",
        "may I attack my own viking": "going_ashore.not_his_own",
    },
    "it": {
        "due carte per un vichingo": "selling",
        "quante carte Walhalla": "pieces.card.kinds.heroes.count",
        "passeggero": "boarding.guest",
        "scudo senza vichinghi": "shield.without_heroes",
    },
    "fr": {
        "bouclier contre attaque": "attack.shielded",
        "deux cartes pour un viking": "selling",
    },
}


@cache
def index(language: str) -> Index:
    found = load_rulesets(NAMES, Diagnostics())
    assert found is not None
    return Index(compare(found, language, everything=True))


def first_rows(question: str, language: str, many: int) -> set[str]:
    """The ids of the rows that are told first."""
    best = index(language).ask(question).found[:many]
    return {
        row.id
        for found in best
        for row in ((found.each,) if isinstance(found.each, Row) else found.each.rows)
    }


@pytest.mark.full
@pytest.mark.parametrize("part, most_missed", [("tuned", 1), ("kept", 3)])
def test_questions_find_their_rule_among_the_first_two(part: str, most_missed: int) -> None:
    asked = [
        (question, language, set(right))
        for language, own in QUESTIONS[part].items()
        for question, right in own.items()
    ]
    assert len(asked) == 30
    missed = [each for each in asked if not each[2] & first_rows(each[0], each[1], 2)]
    assert len(missed) <= most_missed, missed


@pytest.mark.parametrize("language", sample(LANGUAGES, test=3))
def test_a_question_that_nothing_speaks_of_finds_nothing(language: str) -> None:
    for question in QUESTIONS["nothing"][language]:
        assert bool(index(language).ask(question).found) == (question in FOUND_WRONG), question


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_questions_find_their_rule(language: str) -> None:
    for question, right in PLAIN[language].items():
        assert right in first_rows(question, language, 2), question


def test_endings_accents_numbers_and_misspellings() -> None:
    assert set(stems("landet", "de")) & set(stems("landen", "de"))
    assert set(stems("égalité", "fr")) & set(stems("egalite", "fr"))
    assert stems("two", "en") == stems("2", "en") == stems("due", "it")
    assert "exodus" in first_rows("heroes leaving Valhala", "en", 1)
    [compound, *_] = index("de").ask("Walhallakarte").found
    assert compound.each.id in ("cards.heroes", "pieces.card.kinds.heroes.count")


def test_the_answer_begins_with_a_sentence() -> None:
    def answer(*words: str) -> str:
        result = CliRunner().invoke(app, ["ask", *words])
        assert result.exit_code == 0
        return " ".join(result.output.split())

    assert answer("walhalla+italian", "sell", "card").startswith(
        "Italian translation, 2007: Each viking fetched from Asgard costs an action card and a "
        "point; it boards at once"
    )
    told = answer("walhalla", "tie", "second", "place")
    assert told.startswith("Tie for second place. German rules, 2006")
    assert "French crib sheet: each takes all the points." in told
    assert "found by: tie; second; place" in told
    missing = CliRunner().invoke(app, ["ask", "walhalla", "roll", "the", "dice"])
    assert missing.exit_code == 1
    assert "Nothing here speaks of" in missing.output
