"""Parses what a player types as a choice or as a command.

Case, accents and signs such as `:` and `+` are ignored, except for a minus before a number; so are
letters and signs that a keyboard lacks, such as `ø` or `×`. A choice is matched by its number; by
its text, canonical or in the player's language; without its first word; by a prefix; or by words,
in any order, that no other choice has.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lawspeaker.base.phrases import phrase

COMMANDS = (
    "help",
    "rule",
    "why",
    "points",
    "rules",
    "table",
    "events",
    "undo",
    "skip",
    "stop",
    "save",
    "quit",
)
_WORD = re.compile(r"(?<![^\W_])-[0-9]+|[^\W_]+")
_TIMES = re.compile(r"(?<![^\W\d_])x(?![^\W\d_])", re.IGNORECASE)
"""An x that is not part of a word: it stands for a multiplication sign."""
_DASHES = str.maketrans("\N{MINUS SIGN}\N{EN DASH}", "--")
_PLAIN = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
"""Replacements of letters that have no decomposition."""
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
"""Transliterations used on keyboards without umlauts."""
ALIASES = {"?": "rule", "log": "events", "exit": "quit", "q": "quit", "h": "help"}


def words_of(text: str) -> list[str]:
    """Splits a text into normalized words for comparison."""
    bare = "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)
    )
    return _WORD.findall(bare.casefold().translate(_PLAIN).translate(_DASHES))


@dataclass(frozen=True, slots=True)
class TypedOption:
    """An option that can be typed: `shown` is its displayed text, `texts` its other accepted
    texts."""

    shown: str
    texts: tuple[str, ...]

    def says(self, text: str) -> bool:
        """Whether a text equals one of the choice's texts, ignoring case."""
        return any(text.strip().casefold() == own.casefold() for own in (self.shown, *self.texts))

    def forms(self) -> list[list[str]]:
        texts = dict.fromkeys((self.shown, *self.texts))
        spelled = dict.fromkeys(text.translate(_SPELLED) for text in texts)
        return [words_of(text) for text in {**texts, **spelled}]


def find(choices: Sequence[TypedOption], text: str) -> list[int]:
    """Returns the indices of the choices that a text can mean: one, none, or several."""
    return _found(choices, text) or _found(choices, _TIMES.sub(" ", text))


def _found(choices: Sequence[TypedOption], text: str) -> list[int]:
    typed = words_of(text)
    if not typed:
        return []
    said = [at for at, choice in enumerate(choices) if choice.says(text)]
    if said:
        return said
    forms = [choice.forms() for choice in choices]
    joined = " ".join(typed)

    def which(fits: object) -> list[int]:
        assert callable(fits)
        return [at for at, own in enumerate(forms) if any(fits(form) for form in own)]

    exact = which(lambda form: form == typed)
    same = exact or which(lambda form: _same(form, typed))
    common = _common([words_of(choice.shown) for choice in choices])
    bare = same or which(lambda form: _same(form[common:], typed) or _same(form[1:], typed))
    begins = bare or which(lambda form: " ".join(form).startswith(joined))
    if len(begins) == 1 or bare:
        return begins
    inside = which(lambda form: f" {joined} " in f" {' '.join(form)} ")
    if len(inside) == 1:
        return inside
    whole = which(lambda form: _holds(form, typed))
    return whole or begins or which(lambda form: _begin(typed, form))


LONGEST = 40
"""Longest word that is parsed as a number."""


class OutOfRange(NamedTuple):
    """A number outside the range of the choices, and that range."""

    number: int
    low: int
    high: int


def out_of_range(choices: Sequence[TypedOption], text: str) -> list[OutOfRange]:
    """Returns the out-of-range numbers of a text that otherwise matches some choices.

    Empty if several kinds of choices match.
    """
    typed = words_of(_TIMES.sub(" ", text))
    if any(len(word) > LONGEST for word in typed):
        return []
    said = [int(word) for word in _numbers(typed)]
    words = Counter(typed) - Counter(_numbers(typed))
    sorts: dict[tuple[str, ...], dict[int, list[int]]] = {}
    for at, choice in enumerate(choices):
        for form in choice.forms():
            numbers = _numbers(form)
            if len(numbers) == len(said) and not words - Counter(form):
                alike = tuple("" if word in numbers else word for word in form)
                sorts.setdefault(alike, {})[at] = [int(number) for number in numbers]
    # `1 coin` and `2 coins` are of one kind, which another form of them reveals.
    widest = [
        like for like in sorts.values() if not any(like.keys() < s.keys() for s in sorts.values())
    ]
    found = {
        tuple(
            OutOfRange(number, min(held), max(held))
            for number, held in zip(said, zip(*like.values(), strict=True), strict=True)
            if not min(held) <= number <= max(held) and min(held) < max(held)
        )
        for like in widest
    }
    return list(found.pop()) if len(found) == 1 else []


def option_by_number(choices: Sequence[TypedOption], number: str) -> int | None:
    """Returns the choice whose text is a given number: of `bid 2`, `bid 3` the second for 3."""
    forms = [words_of(choice.shown) for choice in choices]
    common = _common(forms)
    found = [at for at, form in enumerate(forms) if form[common:] == [number]]
    return found[0] if len(found) == 1 else None


def _common(forms: list[list[str]]) -> int:
    """Returns the number of words that all texts begin with."""
    together = zip(*forms, strict=False)
    return next((at for at, words in enumerate(together) if len(set(words)) > 1), 0)


def _numbers(words: list[str]) -> list[str]:
    return [word for word in words if word.lstrip("-").isdecimal()]


def _same(form: list[str], typed: list[str]) -> bool:
    """Whether two texts have the same words, and their numbers in the same order."""
    return Counter(form) == Counter(typed) and _numbers(form) == _numbers(typed)


def _holds(form: list[str], typed: list[str]) -> bool:
    """Whether a text contains all typed words, and their numbers in order."""
    left = iter(_numbers(form))
    in_order = all(number in left for number in _numbers(typed))
    return in_order and not Counter(typed) - Counter(form)


def _begin(typed: list[str], form: list[str]) -> bool:
    """Whether the typed words are prefixes of words of a text, in order."""
    at = 0
    for word in typed:
        while at < len(form) and not form[at].startswith(word):
            at += 1
        if at == len(form):
            return False
        at += 1
    return True


def command(text: str, language: str) -> tuple[str, str] | None:
    """Parses a line as a command and its argument; None if it is none."""
    line = text.strip()
    first, _, rest = line.partition(" ")
    if line.startswith("?"):
        first, rest = "?", line[1:]
    folded = "".join(words_of(first)) or first
    for name in COMMANDS:
        called = {name, *words_of(phrase(f"command.{name}", language))}
        if folded in called or ALIASES.get(folded) == name:
            return name, rest.strip()
    return None


def command_name(name: str, language: str) -> str:
    """Returns the name of a command in a language."""
    return phrase(f"command.{name}", language)
