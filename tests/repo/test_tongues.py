"""Whoever plays a game of this repository, or compares its editions, reads it in four languages.

The checker holds names and questions to the languages a game promises. Here the same is asked of
every sentence, title and reason, and of every game and variant there is: the translations beside
them are complete, none of them is stale, and they are as `lawspeaker translate` writes them.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES, phrases
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import schema
from lawspeaker.outside.translating import translated
from lawspeaker.outside.units import UnitFiles, units
from lawspeaker.text.translation.files import Translation, read_translation
from lawspeaker.text.translation.updating import address_text
from tests.library import game
from tests.repo.checkout import ROOT

LIBRARY = Library(ROOT, ())
OTHERS = [language for language in LANGUAGES if language != "en"]


@cache
def kept_units() -> dict[str, UnitFiles]:
    found = (each for name in ("rules", "variants") for each in units(name, LIBRARY))
    return {each.unit.called: each for each in found}


def translations(kept: UnitFiles) -> list[Translation]:
    found = (
        read_translation(SourceFile(name, text), schema("translation"), Diagnostics())
        for name, text in kept.unit.beside.items()
    )
    return [each for each in found if each is not None]


def test_every_game_and_variant_is_looked_at() -> None:
    names = {f"{game}+{each}" for game in LIBRARY.games() for each in LIBRARY.variants(game)}
    assert set(kept_units()) == names | set(LIBRARY.games())


@pytest.mark.full
def test_every_sentence_is_there_in_every_language() -> None:
    wrong = []
    for name in kept_units():
        for language in OTHERS:
            for found in translated(name, language, LIBRARY):
                result = found.result
                due = [address_text(each) for each in (*result.missing, *result.stale)]
                if due or found.before != result.text:
                    wrong.append(f"run: lawspeaker translate {name} --lang {language}: {due}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.full
def test_every_game_promises_every_language() -> None:
    """So that the checker asks for the names, too."""
    promised = {name: set(game(name).program.languages) for name in Library().games()}
    assert [name for name, found in promised.items() if found != set(LANGUAGES)] == []


def test_french_leaves_room_before_high_signs() -> None:
    wrong = []
    for name, kept in kept_units().items():
        french = [each for each in translations(kept) if each.language == "fr"]
        wrong += [] if french else [f"{name} has no French"]
        texts = (line.text for each in french for line in each.said if line.text is not None)
        wrong += [
            f"{text.span}: {text.value}"
            for text in texts
            if re.search(r"\w[;:?!](\s|$)", text.value)
        ]
    assert not wrong, "\n" + "\n".join(wrong)


FORMAL = re.compile(r"\b(vous|votre|vos|robots?|(?!assez\b|chez\b|nez\b)\w+ez)\b", re.IGNORECASE)


def test_french_says_tu_to_whoever_plays_and_bot_to_the_programs() -> None:
    """Pages, terminal and games are read side by side, and speak in one voice."""
    said = {key: text for key, text in phrases("fr").items() if FORMAL.search(text)}
    files = {
        name: FORMAL.findall(text)
        for kept in kept_units().values()
        for name, text in kept.unit.beside.items()
        if name.endswith("fr.yaml") and FORMAL.search(text)
    }
    assert (said, files) == ({}, {})
