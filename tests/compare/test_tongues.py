"""A comparison in another language: nothing of ours or of the rules is left in English."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from rich.console import Console

from lawspeaker import ir
from lawspeaker.base.braces import filled
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES, phrases
from lawspeaker.faces.cli.finding import Asking, find_out
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render import contract
from lawspeaker.faces.render.compare_page import page
from lawspeaker.faces.render.words import books, figure
from lawspeaker.ir.walk import guards_of
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.findings import Findings
from tests.tiers import sample

OTHERS = [language for language in LANGUAGES if language != "en"]
SHORTEST = 9
"""Shorter pieces of a phrase may well be words of the other language."""


@pytest.fixture(scope="module")
def rulesets() -> list[Ruleset]:
    found = load_rulesets(["walhalla", "walhalla+french"], Diagnostics())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def house() -> list[Ruleset]:
    """One difference, so that it is found and weighed at once."""
    found = load_rulesets(["walhalla", "walhalla+empty_seats"], Diagnostics())
    assert found is not None
    return found


def comparison_text(comparison: Comparison, findings: Findings) -> str:
    out = io.StringIO()
    Console(file=out, width=400, no_color=True, force_terminal=False).print(
        shown.text(comparison, findings, 80)
    )
    return " ".join(out.getvalue().split())


def visible_text(page: str) -> str:
    """What a reader sees of a page: no tags, and no code, which is as in rule files."""
    seen = re.sub(r"<(style|script|pre)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", seen)).split())


def english(language: str, prefix: str) -> list[str]:
    """What our phrases say in English and not in a language, around what is filled in."""
    found: list[str] = []
    for key, text in phrases("en").items():
        if key.startswith(prefix):
            own = phrases(language)[key]
            pieces = (piece.strip() for piece in filled(text, lambda _: "\n", "en").split("\n"))
            found += [each for each in pieces if len(each) >= SHORTEST and each not in own]
    return found


def sentences(program: ir.Program, language: str) -> list[str]:
    """The sentences of clauses, guards and changes that are not the same in English."""
    texts = [clause.says for clause in program.clauses]
    texts += [guard.says for guard in guards_of(program).values()]
    texts += [change.because for change in program.changes]
    texts += [cite.note for clause in program.clauses for cite in clause.cites if cite.note]
    return [each["en"] for each in texts if each and each["en"] != each[language]]


@pytest.mark.full
def test_english_would_be_noticed(rulesets: list[Ruleset]) -> None:
    text = comparison_text(compare(rulesets, "en"), Findings())
    assert len([each for each in english("de", "compare.") if each in text]) > 5
    assert [each for each in sentences(rulesets[1].program, "de") if each in text]


@pytest.mark.full
@pytest.mark.parametrize("language", sample(OTHERS, test=3))
def test_the_terminal_and_the_page(rulesets: list[Ruleset], language: str) -> None:
    comparison = compare(rulesets, language)
    for text in (
        comparison_text(comparison, Findings()),
        visible_text(page(comparison, Findings())),
    ):
        left = [each for each in english(language, "compare.") if each in text]
        left += [
            each
            for telling in rulesets
            for each in sentences(telling.program, language)
            if each in text
        ]
        assert not left


@pytest.mark.full
@pytest.mark.parametrize("language", sample(OTHERS, full=3))
def test_positions_and_effects(house: list[Ruleset], language: str) -> None:
    comparison = compare(house, language)
    findings = find_out(house, comparison, Asking(True, 500, 4, (3,), "random", 1, Crew(1)))
    assert findings.each[0].explained is not None
    for text in (comparison_text(comparison, findings), visible_text(page(comparison, findings))):
        assert not [each for each in english(language, "compare.") if each in text]
        assert not [each for each in sentences(house[1].program, language) if each in text]
        assert phrases(language)["compare.winner"] in text


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_table_has_agreed_on(rulesets: list[Ruleset], language: str) -> None:
    agreed = contract.contract(compare(rulesets, language), rulesets[1])
    texts = (contract.text(agreed, 200), contract.markdown(agreed), contract.page(agreed))
    for text in texts:
        assert not [each for each in english(language, "contract.") if each in unescape(text)]
    assert f'<html lang="{language}">' in texts[2]


@pytest.mark.parametrize(
    "language, told",
    [("en", "12,345.6"), ("de", "12.345,6"), ("it", "12.345,6"), ("fr", "12\u202f345,6")],
)
def test_figures_have_the_signs_of_the_language(language: str, told: str) -> None:
    assert figure(12345.6, ",.1f", language) == told


def test_stances_are_told_once_for_all_their_sections() -> None:
    cites = [ir.Citation("book", section, "states") for section in ("Aufbau", "Ablauf")]
    assert books(cites, "de") == "sagt es: Aufbau, Ablauf"
    assert books(cites) == "states: Aufbau, Ablauf"
