"""Sentences that are no rules, and stand in one book alone: what is in the box, what is done at the
table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import Marks, written
from tests.compare import dairy

WASH = "Wash your hands."
TURN = "Then it is the turn of your neighbour."


def rows(folder: Path, marked: Mapping[str, Mapping[str, str]], more: str = "") -> dict[str, Row]:
    """The rows of marked sentences; `marked` has reasons by book and sentence, and `more` stands at
    the end of the second book."""
    library = Library(dairy.set_up(folder), ())
    with (folder / "texts" / "new.txt").open("a", encoding="utf-8") as file:
        file.write(more)
    for where, name in (("rules", "old"), ("variants", "new")):
        book = SourceFile(f"{name}.txt", (folder / "texts" / f"{name}.txt").read_text("utf-8"))
        text = split(book)
        reasons = {
            each.print: marked[name][each.text]
            for each in text.sentences
            if each.text in marked.get(name, {})
        }
        lock = folder / where / "dairy" / "books" / f"{name}.lock"
        lock.write_text(written(text, Marks(reasons)), encoding="utf-8")
    found = [load_ruleset(name, Diagnostics(), library) for name in ("dairy", "dairy+new")]
    table = compare([each for each in found if each is not None], everything=True).table
    return {row.id: row for row in table.rows if row.id.startswith("box.marked")}


@pytest.mark.parametrize(
    "more, standing, text",
    [("", "silent", "is silent"), ("Nobody marked this.\n", "unread", "not read yet")],
)
def test_what_one_book_has_alone_is_a_difference(
    tmp_path: Path, more: str, standing: str, text: str
) -> None:
    [(id, row)] = rows(tmp_path, {"old": {WASH: "table"}}, more).items()
    assert id == "box.marked_table"
    assert row.title == "What is done at the table, with no effect on the game"
    assert row.kind == "box"
    first, second = row.cells
    assert (first.text, [cite.section for cite in first.cites]) == ("1 sentence", ["Ending"])
    assert (second.standing, second.text) == (standing, text)


@pytest.mark.parametrize("new, kind", [({TURN: "table"}, ""), ({}, "box")])
def test_books_in_one_language_have_the_same_sentences(
    tmp_path: Path, new: Mapping[str, str], kind: str
) -> None:
    found = rows(tmp_path, {"old": {TURN: "table"}, "new": new})
    assert found["box.marked_table"].cells[1].kind == kind


def test_other_marks_are_not_compared(tmp_path: Path) -> None:
    assert not rows(tmp_path, {"old": {WASH: "flavour"}})
