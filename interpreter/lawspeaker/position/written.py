"""Validates and normalises texts that players write: a clue, a name, an answer.

A text is never executed, and cannot contain control sequences or markup: only letters and digits
of any alphabet, single spaces, and a few signs. It is normalised to NFC, with limited length. Two
texts are equal if they differ only in case, in the kind of apostrophe or in surrounding spaces.

A text that equals a name of a word of its set, in any language of the game, is that word, as any
other value of the rules. Any other text is a `Text`, its own value: the compiled machine maps it
to a number (`compiled/host/images`), and the state stores it as written.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.base.lettering import lone_surrogate, normalized, strange

LONGEST = 100
"""Maximum length in characters."""
SIGNS = "'’-.!?&"
_SPACES = re.compile(r"[ \t]+")


class Text(str):
    """A text that a player wrote and that is no word of its set."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and folded(str(self)) == folded(str(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(folded(str(self)))


@lru_cache(maxsize=5_000)
def folded(text: str) -> str:
    """Normalises a text for comparison."""
    plain = unicodedata.normalize("NFC", str.casefold(text).replace("’", "'"))
    return " ".join(plain.split())


def readable(raw: str) -> str | None:
    """Normalises typed text; None if it contains characters that are not allowed."""
    if len(raw) > LONGEST or lone_surrogate(raw):
        return None
    text = normalized(_SPACES.sub(" ", raw))
    allowed = all(each in SIGNS or each == " " or _is_letter(each) for each in text)
    return text if allowed and strange(text) is None else None


def fits(text: str, limits: ir.Written) -> bool:
    """Whether a text is within the limits on words and letters."""
    letters = sum(unicodedata.category(each)[0] in "LN" for each in text)
    fewest, most = limits.words
    least, longest = limits.letters
    return fewest <= len(text.split()) <= most and least <= letters <= longest


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM" or unicodedata.category(sign) == "Nd"
