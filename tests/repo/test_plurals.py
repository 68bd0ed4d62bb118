"""A word that goes with a number has two forms, in every language: `1 reply`, `2 replies`.

Every phrase is looked at: where a placeholder for a number is followed by a word, the phrase says
the singular, too, or it is named here why it need not.
"""

from __future__ import annotations

import re

import pytest

from lawspeaker.base.phrases import LANGUAGES, phrase, phrases

NUMBERS = (
    *("count", "games", "players", "number", "points", "replies", "positions", "further", "pairs"),
    *("answers", "files", "of", "done", "last", "asked", "offered", "came_up", "chosen", "longest"),
)
COUNTED = re.compile(rf"\{{({'|'.join(NUMBERS)})\}}[ \u00a0]([^\W\d_]+)")
FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")

UNCHANGING = {
    "en": {"more", "of", "in", "is", "to", "for", "by", "itself", "together", "later", "imagined"}
    | {"weighed"},
    "de": {
        *("Spieler", "mehr", "von", "in", "ist", "bis", "für", "nach", "aus", "im", "davon"),
        *("späteren", "gedachten", "weitere", "weiteren", "pro", "je", "an", "zu", "um", "liegen"),
        *("oder", "abgewogen", "zeigen", "dauert", "der", "widerspricht", "sagt", "schweigt"),
        "überlässt",
        "dieses",
    },
    "it": {
        *(
            "file",
            "su",
            "di",
            "in",
            "a",
            "per",
            "da",
            "tra",
            "e",
            "qui",
            "una",
            "la",
            "delle",
            "nella",
        ),
        *("si", "alla", "tace", "dice"),
    },
    "fr": {"fois", "sur", "de", "en", "à", "dans", "pour", "par", "au", "entre", "est", "selon"}
    | {"d", "des"},
}
"""Words that are the same with one, or do not go with the number."""
NEVER_ONE = {
    "review.correction": "hundreds of things are looked at",
    "review.length_by_players": "means, which have digits behind the point",
    "web.layout.hint_ahead": "a mean",
    "web.layout.hint_behind": "a mean",
    "gaps.none": "a book has many points",
}


def has_one(key: str) -> bool:
    """Whether one of them is told by a phrase of its own."""
    return key.rpartition(".")[2].startswith(("many", "one")) or key.endswith(("_many", "_one"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_are_counted_have_a_singular(language: str) -> None:
    missing = [
        f"{key}: {text}"
        for key, text in phrases(language).items()
        if key not in NEVER_ONE and not has_one(key)
        for _, word in COUNTED.findall(text)
        if word not in UNCHANGING[language]
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_differ_and_stand_with_a_number(language: str) -> None:
    found = {key: FORMS.findall(text) for key, text in phrases(language).items() if "|" in text}
    assert len(found) > 30, "a pattern that finds none would find nothing wrong"
    for key, forms in found.items():
        for name, one, many in forms:
            assert one != many, key
            assert f"{{{name}}}" in phrases(language)[key], f"{key} does not tell {name}"


@pytest.mark.parametrize(
    "language, none, one, several",
    [
        ("en", "0 replies", "1 reply", "2 replies"),
        ("de", "0 Antworten", "1 Antwort", "2 Antworten"),
        ("it", "0 risposte", "1 risposta", "2 risposte"),
        ("fr", "0 réponse", "1 réponse", "2 réponses"),
    ],
)
def test_the_form_follows_the_number(language: str, none: str, one: str, several: str) -> None:
    told = [phrase("web.published.replies", language, count=count) for count in (0, 1, 2)]
    assert told == [none, one, several]
    assert phrase("web.published.replies", language, count="1") == one
    many = phrase("web.published.replies", language, count="1,001")
    assert many == several.replace("2", "1,001")
