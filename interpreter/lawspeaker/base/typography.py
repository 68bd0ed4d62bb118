"""Signs and the spaces beside them, as each language sets them.

Whoever writes a text types plain spaces. In French a space stands before `:`, `;`, `!`, `?`, `%`
and inside quotation marks, and no line may break there; in no language may one break between a
figure and its `%`, or between `§` and its number. Such spaces become no-break spaces when a text is
read (`typeset`), narrow ones where printers have them narrow, so that terminals, pages and data
have the same text. So does the typewriter's apostrophe become the printers' one in languages that
elide: `l'île` is told as `l’île`, whichever somebody types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

NO_BREAK = "\u00a0"
NARROW = "\u202f"
MINUS = "\u2212"
STALE = "°"
"""What stands behind a translation of something that has changed since."""
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
    """A text with no-break spaces where its language wants them, and its apostrophes."""
    if "§" in text:
        text = _SECTION.sub(NO_BREAK, text)
    if "'" in text and language in _ELIDING:
        text = _ELISION.sub("’", text)
    if language == "fr":
        return _FRENCH.sub(lambda at: NARROW if text[at.end()] in ";!?" else NO_BREAK, text)
    return _PERCENT.sub(NO_BREAK, text) if "%" in text else text


def colon(what: str, text: str, language: str) -> str:
    """Something, and what is said of it: `what: text`."""
    return f"{what}{_COLONS.get(language, ': ')}{text}"


def enumerated(names: Iterable[str], language: str, *, either: bool = False) -> str:
    """Some names as they are said: with commas between them, and a word before the last: and; or
    `or`, if they are alternatives."""
    *others, last = tuple(names) or ("",)
    word = _OR.get(language, "or") if either else _AND.get(language, "and")
    return f"{', '.join(others)} {word} {last}" if others else last


def numeral(number: float) -> str:
    """A number as people read it: what is below nought with a minus sign, not a hyphen."""
    return str(number).replace("-", MINUS)


def signed(number: int) -> str:
    """The same with a sign in any case: what is added, or taken away."""
    return f"{number:+}".replace("-", MINUS)


def joined(texts: Iterable[str], language: str) -> str:
    """Texts in a row, with semicolons between them."""
    return _SEMICOLONS.get(language, "; ").join(texts)


def capital(text: str) -> str:
    """A text that begins with a capital letter, as a heading does."""
    return text[:1].upper() + text[1:]


def quotation(language: str) -> tuple[str, str]:
    """What stands before and behind words that are quoted."""
    return _QUOTATION.get(language, ("“", "”"))


def quoted_inside(texts: Iterable[str], language: str) -> Iterator[str]:
    """The pieces of a text that is quoted, with inner quotation marks for those that stand in it,
    whichever they are."""
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
    """A text with one plain space wherever there were several, or a line ended; spaces at which no
    line may break stay."""
    return _SPACES.sub(" ", text).strip(" \n\t")
