"""Typographic rules of each language: no-break spaces, apostrophes, quotation marks, lists.

Authors type plain spaces. In French a space precedes `:`, `;`, `!`, `?` and `%` and stands inside
quotation marks, and no line may break there; in no language may a line break between a number and
its `%`, or between `§` and its number. `typeset` turns these into no-break spaces when a text is
read, narrow ones where printers use them, so that terminals, pages and data have the same text. It
also turns the typewriter apostrophe into the typographic one in languages that elide: `l'île`
becomes `l’île`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

NO_BREAK = "\u00a0"
NARROW = "\u202f"
MINUS = "\u2212"
STALE = "°"
"""The mark behind a translation whose original has changed since."""
_FRENCH = re.compile(r" (?=[;!?](?![\w=]))| (?=[:»%])|(?<=«) ")
_ELISION = re.compile(r"(?<=\w)'(?=[\w{«“`])")
_ELIDING = ("fr", "it")
_PERCENT = re.compile(r"(?<=[\d}]) (?=%)")
_SECTION = re.compile(r"(?<=§) (?=\d)")
_SPACES = re.compile(r"[ \t\n]+")
_COLONS = {"fr": f"{NO_BREAK}: "}
_SEMICOLONS = {"fr": f"{NARROW}; "}
_AND = {"de": "und", "fr": "et", "it": "e"}
_OR = {"de": "oder", "fr": "ou", "it": "o"}
_INNER = {"de": ("‚", "‘"), "it": ("“", "”"), "fr": ("“", "”")}
_OPENING, _CLOSING, _EITHER = "„«", "»”", '“"'
_QUOTATION = {"de": ("„", "“"), "it": ("«", "»"), "fr": (f"«{NO_BREAK}", f"{NO_BREAK}»")}


@lru_cache(maxsize=10_000)
def typeset(text: str, language: str) -> str:
    """A text with the no-break spaces and apostrophes of its language."""
    if "§" in text:
        text = _SECTION.sub(NO_BREAK, text)
    if "'" in text and language in _ELIDING:
        text = _ELISION.sub("’", text)
    if language == "fr":
        return _FRENCH.sub(lambda at: NARROW if text[at.end()] in ";!?" else NO_BREAK, text)
    return _PERCENT.sub(NO_BREAK, text) if "%" in text else text


def colon(what: str, text: str, language: str) -> str:
    """Joins a label and a text as `what: text`, spaced as in the language."""
    return f"{what}{_COLONS.get(language, ': ')}{text}"


def enumerated(names: Iterable[str], language: str, *, either: bool = False) -> str:
    """Joins names as a list in prose: commas, and `and` before the last; `or` if they are
    alternatives."""
    *others, last = tuple(names) or ("",)
    word = _OR.get(language, "or") if either else _AND.get(language, "and")
    return f"{', '.join(others)} {word} {last}" if others else last


def numeral(number: float) -> str:
    """Formats a number for people: negative ones with a minus sign, not a hyphen."""
    return str(number).replace("-", MINUS)


def signed(number: int) -> str:
    """Formats a difference: always with a sign."""
    return f"{number:+}".replace("-", MINUS)


def joined(texts: Iterable[str], language: str) -> str:
    """Joins texts with semicolons."""
    return _SEMICOLONS.get(language, "; ").join(texts)


def capital(text: str) -> str:
    """A text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def quotation(language: str) -> tuple[str, str]:
    """The opening and closing quotation marks of a language."""
    return _QUOTATION.get(language, ("“", "”"))


def quoted_inside(texts: Iterable[str], language: str) -> Iterator[str]:
    """Replaces any quotation marks in a quoted text, given in pieces, by the inner ones of its
    language."""
    before, behind = _INNER.get(language, ("‘", "’"))
    is_open = False
    for text in texts:
        signs: list[str] = []
        for sign in text:
            if sign in _OPENING or sign in _CLOSING or sign in _EITHER:
                is_open = sign in _OPENING or (sign in _EITHER and not is_open)
                sign = before if is_open else behind
            signs.append(sign)
        yield "".join(signs)


def flat(text: str) -> str:
    """Collapses runs of white space into single spaces; no-break spaces stay."""
    return _SPACES.sub(" ", text).strip(" \n\t")
