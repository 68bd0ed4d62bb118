"""What the interpreter itself says, in every language it speaks.

Names of pieces, places and choices come from the rule files; here are only the words around them:
a few words any game needs (`pass`, `none`), how events are told, and what is said at the table.
Three modules for each language: for playing, for comparing and for showing rules. All languages
have the same keys and the same placeholders in braces. A language that is not here is answered in
English.
"""

from __future__ import annotations

from collections.abc import Mapping

from lawspeaker.base.phrases import (
    compared_de,
    compared_en,
    compared_fr,
    compared_it,
    de,
    en,
    fr,
    it,
    shown_de,
    shown_en,
    shown_fr,
    shown_it,
)

PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {**en.PHRASES, **compared_en.PHRASES, **shown_en.PHRASES},
    "de": {**de.PHRASES, **compared_de.PHRASES, **shown_de.PHRASES},
    "it": {**it.PHRASES, **compared_it.PHRASES, **shown_it.PHRASES},
    "fr": {**fr.PHRASES, **compared_fr.PHRASES, **shown_fr.PHRASES},
}
WORDS = ("none", "nothing", "pass", "yes", "no")
"""Words that stand for themselves in choices and values of any game."""


def word(thing: str, language: str) -> str | None:
    """One of the words any game needs, in a language; None if it is no such word."""
    return phrase(f"word.{thing}", language) if thing in WORDS else None


def phrase(key: str, language: str, **values: object) -> str:
    """A phrase in a language, its placeholders filled."""
    english = PHRASES["en"]
    text = PHRASES.get(language, english).get(key, english[key])
    return text.format(**values) if values else text
