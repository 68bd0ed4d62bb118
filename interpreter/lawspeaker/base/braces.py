"""Placeholders in braces in player-facing text: parsing them and substituting values.

    How much of {amount} do you pay?      How much of 3 do you pay?
    Pay {amount | coin | coins}.          Pay 1 coin. Pay 3 coins.
    {column | a | b | c}{row}             a1, c2
    {honest | True! | A lie!}             True!
    Go {work | to}.                       Go to the market.
    Lose {cards | 0 = nothing}.           Lose the ace. Lose nothing.

The words after `|` depend on the kind of value:

- number, two words: the number, then its singular or plural. French uses the singular for 0 too.
- number, three words or more: they replace the number; the first stands for 1, the second for 2.
- boolean, two words: they replace yes and no; one of them may be empty.
- thing, one word: the grammatical form of its name, as in `market: market | to = to the market`.
- `0 = text`: replaces zero, or a value that is empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from lawspeaker.base.typography import MINUS

BAR = re.compile(r"\|(?![^{}]*\})")
"""Separates a name from its forms; ignores bars inside braces."""
_BRACES = re.compile(r"\{([^{}]*)\}")
_NOUGHT = re.compile(r"0\s*=\s*")
_ONE = {"fr": (0, 1)}


@dataclass(frozen=True, slots=True)
class Truth:
    """A boolean value, and its text (`yes` or `no`) if the placeholder gives no words."""

    so: bool
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Named:
    """A thing whose name is inflected on demand: `told(form)`, with the bare name for an empty
    form. `empty` is true if there is no thing."""

    told: Callable[[str], str]
    empty: bool = False

    def __str__(self) -> str:
        return self.told("")


Filling = str | Truth | Named


@dataclass(frozen=True, slots=True)
class Brace:
    """A parsed placeholder: its name, its words, and its offsets in the text. `nought` is the text
    that replaces zero or an empty value."""

    name: str
    words: tuple[str, ...]
    start: int
    end: int
    nought: str | None = None

    @property
    def form(self) -> str:
        """The grammatical form in which to insert a name; empty for its bare name."""
        return self.words[0] if len(self.words) == 1 else ""

    def told(self, value: Filling, language: str) -> str:
        if self.nought is not None and (value.empty if isinstance(value, Named) else value == "0"):
            return self.nought
        if isinstance(value, Truth):
            return self.words[0 if value.so else 1] if len(self.words) == 2 else value.text
        if isinstance(value, Named):
            return value.told(self.form)
        if len(self.words) < 2:
            return value
        if len(self.words) > 2:
            return self.counted_off(value)
        number = value.lstrip("-" + MINUS)
        one = number.isdecimal() and int(number) in _ONE.get(language, (1,))
        return f"{value} {self.words[0 if one else 1]}"

    def counted_off(self, value: str) -> str:
        """The word that replaces a number, if there is one for it."""
        fits = value.isdecimal() and 1 <= int(value) <= len(self.words)
        return self.words[int(value) - 1] if fits else value


@lru_cache(4096)
def in_braces(text: str) -> tuple[Brace, ...]:
    """Parses all placeholders of a text. Cached: a board of many cells repeats the same texts."""
    found: list[Brace] = []
    for match in _BRACES.finditer(text):
        name, *words = (part.strip() for part in match[1].split("|"))
        nought = next((each for each in words if _NOUGHT.match(each)), None)
        if nought is not None:
            words.remove(nought)
            nought = _NOUGHT.sub("", nought, count=1)
        found.append(Brace(name, tuple(words), *match.span(), nought))
    return tuple(found)


def unpaired(text: str) -> int | None:
    """The offset of an unbalanced brace, if any."""
    if "{" not in text and "}" not in text:
        return None
    left = _BRACES.sub(lambda pair: " " * len(pair[0]), text)
    return next((at for at, sign in enumerate(left) if sign in "{}"), None)


def bare(text: str) -> str:
    """A name without its forms."""
    return BAR.split(text, 1)[0].strip()


def without_forms(text: str) -> str:
    """A text whose placeholders ask for no grammatical form."""
    parts: list[str] = []
    at = 0
    for brace in in_braces(text):
        if brace.form:
            nought = "" if brace.nought is None else f" | 0 = {brace.nought}"
            parts += [text[at : brace.start], f"{{{brace.name}{nought}}}"]
            at = brace.end
    return "".join((*parts, text[at:]))


def names_in(text: str) -> set[str]:
    """The names in the placeholders of a text."""
    return {brace.name for brace in in_braces(text)}


def filled(text: str, value: Callable[[str], Filling | None], language: str) -> str:
    """A text with its placeholders replaced; a name without a value stays as it is written."""
    if "{" not in text:
        return text
    parts: list[str] = []
    at = 0
    for brace in in_braces(text):
        found = value(brace.name)
        parts.append(text[at : brace.start])
        parts.append(
            text[brace.start : brace.end] if found is None else brace.told(found, language)
        )
        at = brace.end
    return "".join((*parts, text[at:]))
