"""What players write: a clue, a name, an answer.

A text is never executed, and never holds what a terminal or a page could take for something else:
letters and digits of any alphabet, single spaces, and a few signs. It is put into one normal form
(NFC), and its length is limited. Two texts are equal if they differ only in capitals, in the sort
of an apostrophe or in spaces around them.

A text that is what a word of its set is called, in any language of the game, is that word, as any
other value of the rules. Only what the rules do not know is a `Text`, which is its own value: a
machine that knows numbers alone gets a number for it (`compiled/host/images`), and the state
has it as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.base.lettering import lone_surrogate, normalized, strange

LONGEST = 100
"""No text has more signs."""
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
    """A text in the form in which texts are compared."""
    plain = unicodedata.normalize("NFC", str.casefold(text).replace("’", "'"))
    return " ".join(plain.split())


def readable(raw: str) -> str | None:
    """What somebody typed as a text in its normal form; None if it holds signs that no text has."""
    if len(raw) > LONGEST or lone_surrogate(raw):
        return None
    text = normalized(_SPACES.sub(" ", raw))
    allowed = all(each in SIGNS or each == " " or _is_letter(each) for each in text)
    return text if allowed and strange(text) is None else None


def fits(text: str, limits: ir.Written) -> bool:
    """Whether a text has as many words and letters as it may."""
    letters = sum(unicodedata.category(each)[0] in "LN" for each in text)
    fewest, most = limits.words
    least, longest = limits.letters
    return fewest <= len(text.split()) <= most and least <= letters <= longest


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM" or unicodedata.category(sign) == "Nd"
