"""Shared helpers of the commands about editions and their books: loading, and writing files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import fail, show_and_leave
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import Ruleset
from lawspeaker.study.compare.kinds import GROUPS

if TYPE_CHECKING:
    from lawspeaker.study.sources.quoting import BookTexts


NARROWEST = 40
"""Minimum width of a comparison in the terminal."""


def opened(names: Sequence[str], played: bool = False) -> list[Ruleset]:
    """Loads the editions; prints the errors and exits if one is invalid."""
    diagnostics = Diagnostics()
    found = load_rulesets(names, diagnostics, played=played)
    if found is None:
        show_and_leave(diagnostics.sorted())
    return found


def shelf_of(found: Sequence[Ruleset], folder: Path) -> BookTexts:
    """Loads the texts of books in a folder; exits naming the missing files if there is none."""
    from lawspeaker.outside.books import shelf
    from lawspeaker.outside.library import Library

    books = shelf(found, folder, Library())
    if not books.texts:
        files = (
            ", ".join(dict.fromkeys(books.missing.values())) or "no book of this game has a text"
        )
        fail(f"there is no text in {folder}: {files}", 2)
    return books


def groups_in(only: str) -> list[str]:
    """Parses the value of `--only`; exits for an unknown group."""
    groups = [each.strip() for each in only.split(",") if each.strip()]
    for each in groups:
        if not GROUPS.get(each):
            known = ", ".join(name for name, kinds in GROUPS.items() if kinds)
            raise typer.BadParameter(f"there are {known}, not {each}", param_hint="--only")
    return groups
