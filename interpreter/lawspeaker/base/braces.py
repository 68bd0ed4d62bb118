"""What stands in braces in a text for people: a name, and its value takes the place of it.

    How much of {amount} do you pay?      How much of 3 do you pay?
    Pay {amount | coin | coins}.          Pay 1 coin. Pay 3 coins.
    {column | a | b | c}{row}             a1, c2
    {honest | True! | A lie!}             True!
    Go {work | to}.                       Go to the market.
    Lose {cards | 0 = nothing}.           Lose the ace. Lose nothing.

After a number two words may follow, of which one is told with it: the first where there is one, and
the second otherwise. In French the first goes with nought, too. Three words or more are told in
place of the number, the first for one, the second for two. Of a truth two words are told in place
of yes and no, the first if it is so; one of them may be missing. One word after the name of a thing
says in which form that is told: `market: market | to = to the market`. What is told instead of
nought, or where there is nothing, stands after `0 =`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from lawspeaker.base.typography import MINUS

BAR = re.compile(r"\|(?![^{}]*\})")
"""Parts a name from its forms; bars in braces are another matter."""
_BRACES = re.compile(r"\{([^{}]*)\}")
_NOUGHT = re.compile(r"0\s*=\s*")
_ONE = {"fr": (0, 1)}


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether something is so, and `yes` or `no` as it is told without words of its own."""

    so: bool
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Named:
    """A thing, told by its name in a form; by its bare name, if the form is empty. Where there is
    none, it is `empty`."""

    told: Callable[[str], str]
    empty: bool = False

    def __str__(self) -> str:
        return self.told("")


Filling = str | Truth | Named


@dataclass(frozen=True, slots=True)
class Brace:
    """A name in braces with its words, and from where to where it stands in the text; `nought` is
    told where there is nothing."""

    name: str
    words: tuple[str, ...]
    start: int
    end: int
    nought: str | None = None

    @property
    def form(self) -> str:
        """The form in which a thing is to be told; empty for its bare name."""
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
        """The word that stands for a number, if there is one."""
        fits = value.isdecimal() and 1 <= int(value) <= len(self.words)
        return self.words[int(value) - 1] if fits else value


@lru_cache(4096)
def in_braces(text: str) -> tuple[Brace, ...]:
    """What stands in braces; a board of many cells asks for the name of each."""
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
    """Where a brace stands that is never closed, or was never opened."""
    if "{" not in text and "}" not in text:
        return None
    left = _BRACES.sub(lambda pair: " " * len(pair[0]), text)
    return next((at for at, sign in enumerate(left) if sign in "{}"), None)


def bare(text: str) -> str:
    """A name without its forms."""
    return BAR.split(text, 1)[0].strip()


def without_forms(text: str) -> str:
    """A text that does not say in which forms the things are told in its braces."""
    parts: list[str] = []
    at = 0
    for brace in in_braces(text):
        if brace.form:
            nought = "" if brace.nought is None else f" | 0 = {brace.nought}"
            parts += [text[at : brace.start], f"{{{brace.name}{nought}}}"]
            at = brace.end
    return "".join((*parts, text[at:]))


def names_in(text: str) -> set[str]:
    """The names that stand in braces."""
    return {brace.name for brace in in_braces(text)}


def filled(text: str, value: Callable[[str], Filling | None], language: str) -> str:
    """A text with its values; a name that has none stays as it is written."""
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
