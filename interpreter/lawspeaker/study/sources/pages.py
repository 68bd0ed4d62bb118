"""Joins pages into a text, removing headers, footers and hyphenation.

A line at the top or bottom of a page is removed if it is only a page number, or occurs on at
least three pages and on half of them, ignoring digits. Words that are hyphenated at the end of a
line are joined: `Wikin-` and `ger` become one word, `Nord-` and `Süd` keep their hyphen, and so
do words followed by `und`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

DEPTH = 2
"""Number of lines at the top and bottom of a page that may repeat."""
LEAST = 3
_PAGE = re.compile(r"\W*(?:\w{1,6}\.?\s+)?\d{1,3}(?:\s*(?:/|of|von|di|sur|de)\s*\d{1,3})?\W*")
_DIVIDED = re.compile(r"([^\W\d_])[-\u00ad‐][ \t]*\n[ \t]*(?=([^\W\d_])(\w*))")
_AND = frozenset("und oder bzw and or et ou e o ed od".split())


def plain(pages: Sequence[Sequence[str]]) -> str:
    """The text of all pages; a sentence may continue on the next page."""
    kept = [_without_margins(page, _repeated(pages)) for page in pages]
    text = ""
    for page in kept:
        body = "\n".join(page).strip("\n")
        if not body:
            continue
        goes_on = text[-1:] not in ".!?:" and body[:1].islower()
        text += ("\n" if goes_on else "\n\n" if text else "") + body
    return joined(text) + "\n"


def joined(text: str) -> str:
    """Removes hyphenation at the ends of lines."""

    def join(found: re.Match[str]) -> str:
        first, word = found[2], found[2] + found[3]
        if word.lower() in _AND:
            return f"{found[1]}- "
        return f"{found[1]}-" if first.isupper() else found[1]

    return _DIVIDED.sub(join, text).replace("\u00ad", "")


def _repeated(pages: Sequence[Sequence[str]]) -> set[str]:
    found = Counter(
        key for page in pages for key in {_key(page[at]) for at in _margins(page)} if key
    )
    return {key for key, count in found.items() if count >= max(LEAST, len(pages) / 2)}


def _margins(page: Sequence[str]) -> list[int]:
    filled = [at for at, line in enumerate(page) if line.strip()]
    return [*dict.fromkeys((*filled[:DEPTH], *filled[-DEPTH:]))]


def _without_margins(page: Sequence[str], repeated: set[str]) -> list[str]:
    margins = _margins(page)
    outer = {margins[0], margins[-1]} if margins else set()
    return [
        line
        for at, line in enumerate(page)
        if at not in margins
        or not (_key(line) in repeated or (at in outer and _is_number(line, page)))
    ]


def _is_number(line: str, page: Sequence[str]) -> bool:
    """Whether a line is a page number, and not the only content of the page."""
    bare = line.replace("#", "").strip()
    words = [each for each in re.split(r"\W+", bare) if each and not each.isdigit()]
    named = all(each.lower() in _NAMES for each in words)
    return bool(_PAGE.fullmatch(bare)) and named and sum(bool(each.strip()) for each in page) > 1


_NAMES = frozenset("seite page pagina p s pag of von di sur de".split())


def _key(line: str) -> str:
    return " ".join(re.sub(r"[\d#*]+", " ", line).lower().split())
