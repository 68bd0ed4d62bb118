"""Renames a symbol at all its references.

The plural of a countable thing, and the open and occupied places of a board, are renamed with it.
Other symbols with the same spelling are not affected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lawspeaker.editing.fixes import Edit
from lawspeaker.editing.lexicon import Lexicon
from lawspeaker.editing.occurrences import Occurrence, Occurrences
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.text.parse import reserved_words

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
_WITH_DOTS = ("clause", "choice", "window")


class CannotRename(Exception):
    """Raised when a symbol cannot be renamed; the message is for the author."""


def can_be_renamed(found: Occurrence | None) -> bool:
    return found is not None and found.meaning.sort != "built-in"


def check_name(meaning: Meaning, new: str, lexicon: Lexicon) -> None:
    """Raises CannotRename if the new name is invalid or taken."""
    form = _ID if meaning.sort in _WITH_DOTS else _NAME
    if not form.fullmatch(new):
        raise CannotRename(f"`{new}` is no name: names are small letters (a to z), digits and `_`")
    if new in reserved_words():
        raise CannotRename(f"`{new}` is a word of the language itself")
    same = lexicon.find(Meaning(meaning.sort, new, meaning.of))
    if same is not None:
        raise CannotRename(f"there is already a {meaning.sort} `{new}`")


def renamed(
    meaning: Meaning, new: str, lexicon: Lexicon, everywhere: Iterable[Occurrences]
) -> list[Edit]:
    """Returns the edits that rename a symbol, without duplicates."""
    words = dict(_words(meaning, new, lexicon))
    found: dict[tuple[str, int], Edit] = {}
    for occurrences in everywhere:
        for each in occurrences.of(meaning):
            written = words.get(each.span.text)
            if written is not None:
                at = each.span.file.name, each.span.start
                found.setdefault(at, Edit(each.span, written))
    return list(found.values())


def _words(meaning: Meaning, new: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yields all spellings of a symbol, with their new ones."""
    old = meaning.name
    yield old, new
    many = next((many for many, one in lexicon.world.plurals.items() if one == old), None)
    if many == f"{old}s":
        # An irregular plural is declared explicitly, and stays.
        for before in ("", "open_", "occupied_"):
            yield f"{before}{many}", f"{before}{new}s"
