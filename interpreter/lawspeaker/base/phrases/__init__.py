"""The interpreter's own messages in every supported language.

Rule files supply the names of pieces, places and choices; this package supplies the words around
them: words that any game needs (`pass`, `none`), descriptions of events, and texts of the table.

Each language has a folder of TOML files. The key of a phrase is its path through the tables of its
file: `won` under `[story]` is `story.won`. All languages have the same keys in the same order, and
the same placeholders in braces. Plurals are written in the phrase, singular first: `{count}
{count:reply|replies}`. Whole sentences that differ have keys of their own, `one` and `many`. The
files contain plain spaces; no-break spaces are inserted when a language is loaded
(`base/typography.py`), which happens when its first phrase is requested. An unsupported language
falls back to English.
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
"""Words that are their own keys, in choices and values of any game."""


@cache
def phrases(language: str) -> Mapping[str, str]:
    """All phrases of a language by their keys."""
    return {key: text for part in PARTS for key, text in phrases_of(part, language).items()}


@cache
def phrases_of(part: str, language: str) -> Mapping[str, str]:
    """The phrases in one TOML file of a language."""
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
    """One of the `WORDS` in a language; None for any other word."""
    return phrase(f"word.{thing}", language) if thing in WORDS else None


def phrase(key: str, language: str, **values: object) -> str:
    """A phrase in a language, with its placeholders filled."""
    spoken = language if language in LANGUAGES else "en"
    text = phrases(spoken)[key]
    if "|" in text:
        text = _FORMS.sub(lambda form: _form(form, values, spoken), text)
    if not values:
        return text
    return text.format(**{name: _figure(value) for name, value in values.items()})


def _figure(value: object) -> object:
    """Formats a number for people: negative ones with a minus sign."""
    return numeral(value) if isinstance(value, int | float) and value < 0 else value


_FORMS = re.compile(r"\{(\w+):([^{}|]*)\|([^{}|]*)\}")
"""A plural placeholder; the browser's `words.js` parses the same syntax."""


def _form(form: re.Match[str], values: Mapping[str, object], language: str) -> str:
    """Chooses singular or plural by a number; in French 0 is singular, too."""
    name, one, many = form.groups()
    return one if str(values.get(name)) in (("0", "1") if language == "fr" else ("1",)) else many
