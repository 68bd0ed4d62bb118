"""No-break spaces stand where a language wants them, in all that is said and shown."""

from __future__ import annotations

import re

import pytest

import lawspeaker
from lawspeaker.base.braces import filled
from lawspeaker.base.phrases import LANGUAGES, phrase, phrases
from lawspeaker.base.typography import (
    NARROW,
    NO_BREAK,
    colon,
    flat,
    joined,
    numeral,
    quoted_inside,
    signed,
    typeset,
)

BREAKABLE = re.compile(r" [:;!?»%](?!\w)|« ")
"""Where French would let a line break before a sign."""


@pytest.mark.parametrize(
    "typed, language, told",
    [
        ("Trois : non ; oui !", "fr", f"Trois{NO_BREAK}: non{NARROW}; oui{NARROW}!"),
        ("« Quoi ? »", "fr", f"«{NO_BREAK}Quoi{NARROW}?{NO_BREAK}»"),
        ("95 % des parties", "fr", f"95{NO_BREAK}% des parties"),
        ("in 95 % der Partien", "de", f"in 95{NO_BREAK}% der Partien"),
        ("{share} % of games", "en", f"{{share}}{NO_BREAK}% of games"),
        ("one : two", "en", "one : two"),
        ("a != b", "fr", "a != b"),
        ("déjà là: rien", "fr", "déjà là: rien"),
        ("l'île, d'{good}", "fr", "l’île, d’{good}"),
        ("un'uniforme, l’isola", "it", "un’uniforme, l’isola"),
        ("'Ann' and Ben's", "en", "'Ann' and Ben's"),
        ("l'un, 'l'autre'", "fr", "l’un, 'l’autre'"),
        ("Landing § 17", "en", f"Landing §{NO_BREAK}17"),
    ],
)
def test_spaces_are_set_as_a_language_has_them(typed: str, language: str, told: str) -> None:
    assert typeset(typed, language) == told
    assert typeset(told, language) == told, "once set, a text stays as it is"


def test_punctuation_follows_the_language() -> None:
    assert colon("name", "text", "en") == "name: text"
    assert colon("nom", "texte", "fr") == f"nom{NO_BREAK}: texte"
    assert joined(["un", "deux"], "fr") == f"un{NARROW}; deux"
    assert flat("a  b\n c" + NO_BREAK + ": d ") == f"a b c{NO_BREAK}: d"


def test_no_phrase_lets_a_line_break_before_its_sign() -> None:
    assert not [each for each in phrases("fr").values() if BREAKABLE.search(each)]
    for language in LANGUAGES:
        assert not [each for each in phrases(language).values() if re.search(r"[\d}] %", each)]


@pytest.mark.parametrize("language", ["fr", "it"])
def test_there_is_one_apostrophe(language: str) -> None:
    """In what the program says, and in what a game that types both is called and says."""
    game = lawspeaker.load("walhalla").program
    texts = [*game.names.values(), *(each.says for each in game.clauses)]
    told = [*phrases(language).values(), *(each.get(language, "") for each in texts)]
    assert any("’" in each for each in told)
    assert not [each for each in told if re.search(r"\w'\w", each)]


@pytest.mark.parametrize(
    "language, told",
    [
        ("en", "‘Hunt’ and ‘war’ or ‘peace’, it's"),
        ("de", "‚Hunt‘ and ‚war‘ or ‚peace‘, it's"),
        ("it", "“Hunt” and “war” or “peace”, it's"),
        ("fr", "“Hunt” and “war” or “peace”, it's"),
    ],
)
def test_quotation_marks_inside_others_are_inner_ones(language: str, told: str) -> None:
    pieces = ('„Hunt“ and "wa', "r\" or «peace», it's")
    assert "".join(quoted_inside(pieces, language)) == told


def test_what_is_below_nought_has_a_minus_sign() -> None:
    assert [numeral(-3), numeral(0), numeral(-1.5)] == ["\u22123", "0", "\u22121.5"]
    assert [signed(-3), signed(3)] == ["\u22123", "+3"]
    assert "\u22123" in phrase("web.stage.takes_lead", "en", name="Ann", points=-3)
    assert filled("{n | coin | coins}", {"n": numeral(-1)}.get, "en") == "\u22121 coin"
