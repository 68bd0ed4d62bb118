"""The texts of the books, and the editions that are checked against them.

The texts are not part of this repository. They are looked for in the folder named in
LAWSPEAKER_TEXTS, or else in shared/sources beside the checkout.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from lawspeaker import ir, load
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.books import books
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import open_name
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.fingerprint import normalised
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.books.outline import Sentence, Text
from tests.repo.checkout import ROOT, text_of

EDITIONS = {
    "walhalla": "de",
    "walhalla+german_attacke": "de_attacke",
    "walhalla+italian": "it",
    "walhalla+french": "fr",
}


def folder() -> Path:
    """The folder with the texts; the test is skipped where there is none."""
    named = os.environ.get("LAWSPEAKER_TEXTS")
    found = Path(named) if named else ROOT.parent / "shared" / "sources"
    if not found.is_dir():
        pytest.skip(
            f"the texts of the books are not in {found.name}/: "
            "name their folder in LAWSPEAKER_TEXTS to hold the rules against them"
        )
    return found


def verbatim_copies(sentences: Iterable[Sentence], among: Iterable[Path]) -> list[str]:
    """Where files of the repository repeat one of these sentences word for word."""
    wanted = {f" {normalised(each.text)} ": each.line for each in sentences}
    found = []
    for file in among:
        content = f" {normalised(text_of(file) or '')} "
        lines = [line for words, line in wanted.items() if words in content]
        found += [f"{file.as_posix()}: line {line} of the text" for line in lines]
    return found


@cache
def program(name: str) -> ir.Program:
    return load(name).program


def file_of(name: str, source: str) -> str:
    return next(each.details["file"] for each in program(name).sources if each.id == source)


def text(name: str, source: str) -> Text:
    """The text of a source of a game, taken apart."""
    file = folder() / file_of(name, source)
    if not file.is_file():
        pytest.skip(f"the text {file.name} is not among the texts")
    return split(SourceFile(file.name, file.read_text(encoding="utf-8")))


@cache
def lock(name: str, source: str) -> Lock:
    """The lock of a source of a game."""
    diagnostics = Diagnostics()
    opened = open_name(name, diagnostics)
    assert opened is not None
    found = {book.id: book.lock for book in books(name, opened, Library(), diagnostics)}[source]
    assert found is not None, f"{source} has no lock"
    return found
