"""Migrates rule files of older versions, where that needs the checker.

`text/format/renewing` migrates syntax, file by file. What a number in the layout of the table
stands for depends on the whole game: the checker finds those that counted from 0, and its fix is
applied. I/O module: it reads the other files of the game.
"""

from __future__ import annotations

import re
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.editing.fixes import Edit, fixes
from lawspeaker.meaning.check.table_layout import ADD_1
from lawspeaker.outside.library import GAME_FILE, Library
from lawspeaker.outside.loading import compile_name

_PERHAPS = re.compile(r"^table:(?:.*\n)*?.*\bat:(?:.|\n)*?\b0\b", re.M)


def migrated(path: Path, text: str, library: Library) -> str:
    """The text of a rule file of today; unchanged if it is one, or has other errors there."""
    if not _PERHAPS.search(text):
        return text
    whole = path.with_name(GAME_FILE)
    entry = (whole if whole.is_file() else path).resolve()
    diagnostics = Diagnostics()
    compile_name(str(entry), diagnostics, library)
    edits = [
        edit
        for each in diagnostics
        if each.hint == ADD_1
        for fix in fixes(each, None)
        for edit in fix.edits
        if edit.span.file.text == text
    ]
    return applied(text, edits)


def applied(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text
