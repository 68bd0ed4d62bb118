"""Text to program, in six steps a reader can follow by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawspeaker import check, ir, rulebook
from lawspeaker.diagnostics import Diagnostics
from lawspeaker.rulebook import Read
from lawspeaker.source import SourceFile


def compile_game(
    main: SourceFile, read: Read, game_schema: Mapping[str, Any], diagnostics: Diagnostics
) -> ir.Program | None:
    """The program of the game whose entry file this is; None when there are errors."""
    book = rulebook.gather(main, read, game_schema, diagnostics)
    if book is None:
        return None
    return check.program(book, diagnostics)
