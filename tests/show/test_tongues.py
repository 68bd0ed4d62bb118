"""The document of a game in another language: no words of ours are left in English."""

from __future__ import annotations

from html import unescape

import pytest

from lawspeaker.base.braces import filled
from lawspeaker.base.phrases import LANGUAGES, phrases
from lawspeaker.faces.render.show import document, markdown, page, text
from lawspeaker.outside.loading import load

OTHERS = [language for language in LANGUAGES if language != "en"]
NAME = "voluspa+drakkar"
SHORTEST = 9
"""Shorter pieces of a phrase may well be words of the other language."""


def english(language: str) -> list[str]:
    """What our phrases say in English and not in a language, around what is filled in."""
    return [
        piece.strip()
        for key, said in phrases("en").items()
        if key.startswith(("show.", "stance."))
        for piece in filled(said, lambda _: "\n", "en").split("\n")
        if len(piece.strip()) >= SHORTEST and piece.strip() not in phrases(language)[key]
    ]


def document_lines(language: str) -> list[str]:
    """The document in all its forms, as one line each."""
    found = document(load(NAME).program, NAME, language)
    forms = (text(found, 200), markdown(found), unescape(page(found)))
    return [" ".join(each.split()) for each in forms]


@pytest.mark.parametrize("language", OTHERS)
def test_all_around_the_rules_is_in_the_language(language: str) -> None:
    for form in document_lines(language):
        assert not [each for each in english(language) if each in form]


@pytest.mark.full
def test_english_would_be_noticed() -> None:
    for form in document_lines("en"):
        assert len([each for each in english("de") if each in form]) > 10
