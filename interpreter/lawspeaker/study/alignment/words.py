"""Tokenises sentences for the aligner.

    “Ziehe dann zwei neue Karten.”  ->  ziehe dann #2 neue karten

Numbers are normalised to their value, in digits or as a word of German, English, French or
Italian. A number word that is also an article (`ein`, `une`) is a word. Long words are truncated
to a stem. A German compound also yields its last part, if that is a word of the book.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from lawspeaker.base.numerals import VALUES
from lawspeaker.text.books.fingerprint import folded

NUMBER = "#"
STEM = 6
"""Length of a stem in letters."""
LEAST_PART = 5

COMMON = {
    "de": "der die das und ist wird werden nicht ein eine einen auf mit dem den zu von".split(),
    "en": "the and is are of to in a you not with if may that on your for he it".split(),
    "fr": "le la les et est des un une du dans il en sur pour que qui ne pas au".split(),
    "it": "il la le gli e un una di che si del della per non in con sono dei ogni".split(),
}
"""Function words for language detection."""
_TOKEN = re.compile(r"\d+|[^\W\d_]+")


def language_of(text: str) -> str:
    """Detects the language of a text by function words; empty if unknown."""
    found = Counter(_TOKEN.findall(text.lower()))
    counts = {each: sum(found[word] for word in words) for each, words in COMMON.items()}
    best = max(counts, key=lambda each: counts[each])
    return best if counts[best] else ""


def tokens(text: str, language: str = "") -> list[str]:
    """The folded words of a sentence, and its numbers as `#7`."""
    known = VALUES.get(language, {})
    found = []
    for word in folded(_apart(text)).split():
        if word.isdigit() or word in known:
            found.append(f"{NUMBER}{int(word) if word.isdigit() else known[word]}")
        else:
            found += [each for each in _TOKEN.findall(word) if not each.isdigit()]
            found += [f"{NUMBER}{int(each)}" for each in _TOKEN.findall(word) if each.isdigit()]
    return found


def _apart(text: str) -> str:
    """Replaces signs between words by spaces."""
    return re.sub(r"[×*]", " ", text.replace("ß", "ss"))


def stems(sentences: Iterable[Sequence[str]], language: str = "") -> list[list[str]]:
    """Truncates words to stems; compounds also yield their last part."""
    told = [list(each) for each in sentences]
    known = {word for each in told for word in each if len(word) >= LEAST_PART}
    return [[stem for word in each for stem in _stems(word, known, language)] for each in told]


def _stems(word: str, known: set[str], language: str) -> list[str]:
    if word.startswith(NUMBER):
        return [word]
    found = [word[:STEM]]
    if language == "de":
        parts = (word[at:] for at in range(3, len(word) - LEAST_PART + 1))
        part = next((each for each in parts if each in known), None)
        if part is not None:
            found.append(part[:STEM])
    return found
