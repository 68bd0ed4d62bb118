"""What the interpreter itself says, in every language it speaks.

Names of pieces, places and choices come from the rule files; here are only the words around them:
a few words any game needs (`pass`, `none`), how events are told, and what is said at the table.

Each language has a folder of TOML files. The key of a phrase is the way to it through the tables of
its file: `won` under `[story]` is `story.won`. All languages have the same keys in the same order,
and the same placeholders in braces. What depends on a number says so there, first for one and then
for any other: `{count} {count:reply|replies}`. Whole sentences that differ have keys of their own,
`one` and `many`. Spaces are typed plain there; those at which no line may break
are set when a language is read (`base/typography.py`), which is when its first phrase is asked for.
A language that is not here is answered in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from lawspeaker.base.typography import numeral, typeset

LANGUAGES = ("en", "de", "it", "fr")
PARTS = "play web layout stage place compare find mix show secrets lab book align new".split()
WORDS = ("none", "nothing", "pass", "yes", "no")
"""Words that stand for themselves in choices and values of any game."""


@cache
def phrases(language: str) -> Mapping[str, str]:
    """All phrases of a language by their keys."""
    return {key: text for part in PARTS for key, text in phrases_of(part, language).items()}


@cache
def phrases_of(part: str, language: str) -> Mapping[str, str]:
    """The phrases of one file of a language."""
    import tomllib

    text = (files(__package__) / language / f"{part}.toml").read_text(encoding="utf-8")
    found = _flat(tomllib.loads(text))
    return {key: typeset(phrase, language) for key, phrase in found}


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, found in table.items():
        if isinstance(found, str):
            yield above + name, found
        else:
            yield from _flat(found, f"{above}{name}.")


def word(thing: str, language: str) -> str | None:
    """One of the words any game needs, in a language; None if it is no such word."""
    return phrase(f"word.{thing}", language) if thing in WORDS else None


def phrase(key: str, language: str, **values: object) -> str:
    """A phrase in a language, its placeholders filled."""
    spoken = language if language in LANGUAGES else "en"
    text = phrases(spoken)[key]
    if "|" in text:
        text = _FORMS.sub(lambda form: _form(form, values, spoken), text)
    if not values:
        return text
    return text.format(**{name: _figure(value) for name, value in values.items()})


def _figure(value: object) -> object:
    """A value as it is read: numbers below nought with a minus sign."""
    return numeral(value) if isinstance(value, int | float) and value < 0 else value


_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")
"""What depends on a number; pages in a browser read it in the same way (`words.js`)."""


def _form(form: re.Match[str], values: Mapping[str, object], language: str) -> str:
    """The form of a word that goes with a number; in French nought is singular, too."""
    name, one, many = form.groups()
    return one if str(values.get(name)) in (("0", "1") if language == "fr" else ("1",)) else many
