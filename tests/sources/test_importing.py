"""Books from files: what is written, what can be corrected, and what is complained of."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from benchmarks.aligning import PAIRS
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.importing import NotAdded, add, read
from lawspeaker.outside.library import Library
from lawspeaker.study.sources.layout import Word, lines, whole
from lawspeaker.study.sources.markup import markdown
from lawspeaker.study.sources.pages import joined, plain
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import read_lock
from lawspeaker.text.books.manuscript import manuscript, read_manuscript


@pytest.fixture
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_file(name: str, content: str) -> Path:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(content, encoding="utf-8")
    return Path(name)


def add_book(file: Path, anew: bool = False) -> str:
    found = add(file, Path("books"), "", anew, Library())
    return found.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(PAIRS.glob("*.md")), ids=lambda each: each.name)
def test_a_book_has_the_same_sentences_when_it_was_written(path: Path) -> None:
    book = split(SourceFile(path.name, path.read_text(encoding="utf-8")))
    again = split(SourceFile("again.txt", manuscript(book, "de")))
    assert [(each.text, each.print) for each in again.sentences] == [
        (each.text, each.print) for each in book.sentences
    ]
    assert [each.short for each in again.headings] == [each.short for each in book.headings]
    assert manuscript(again, "de") == manuscript(book, "de")


def test_a_corrected_text_counts(working_folder: Path) -> None:
    written = add_book(
        write_file("rules.txt", "# Landing\n\nA dragon lands. Near No. 3 nobody may land.\n")
    )
    assert "§2 Near No.\n§3 3 nobody may land." not in written
    mended = written.replace("§1 A dragon lands.", "§1 A dragon lands.\nIt comes from the sea.")
    write_file("books/rules.txt", mended)
    again = add_book(Path("books/rules.txt"))
    assert "§2 It comes from the sea.\n§3 Near No." in again
    lock = read_lock(SourceFile("l", Path("books/rules.lock").read_text()), Diagnostics())
    assert [each.print for each in lock.text.sentences] == [
        each.print for each in read(Path("books/rules.txt"), Library())[0].sentences
    ]


def test_a_corrected_text_is_not_overwritten(working_folder: Path) -> None:
    file = write_file("rules.md", "# Landing\n\nA dragon lands.\n")
    add_book(file)
    with pytest.raises(NotAdded, match="books/rules.txt is there already.*--anew"):
        add_book(file)
    assert "§1 A dragon lands." in add_book(file, anew=True)


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("rules.doc", "x", "rules.doc: a book is one of .txt"),
        ("rules.txt", "\n\n", "rules.txt: there is no sentence in this file"),
        (
            "rules.pdf",
            "no PDF",
            "rules.pdf: (this PDF cannot be read|reading a PDF needs pdfplumber)",
        ),
        (
            "rules.txt",
            "lawspeaker 1: book in de, x\n\n#\n§1 Eins.\n=======\n",
            r"rules.txt:3: this heading has no words.*\n.*rules.txt:5: two versions",
        ),
        ("rules.txt", "lawspeaker 1: book in Deutsch, x\n§1 Ja.\n", "rules.txt:1: `Deutsch`"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    working_folder: Path, name: str, content: str, message: str
) -> None:
    with pytest.raises(NotAdded, match=message):
        add_book(write_file(name, content))


def test_headers_page_numbers_and_divided_words_go() -> None:
    pages = [
        [
            "Rules of Eggs",
            "",
            "Each player gets three hand-",
            "carts. The Nord-",
            "Süd-Weg is",
            "- 1 -",
        ],
        ["Rules of Eggs", "", "closed in winter.", "", "2"],
        ["Rules of Eggs", "", "The Halb-", "und Viertel eggs count.", "Page 3 of 3"],
    ]
    found = plain(pages)
    assert found.startswith(
        "Each player gets three handcarts. The Nord-Süd-Weg is\nclosed in winter."
    )
    assert "Rules of Eggs" not in found
    assert "Halb- und Viertel" in found
    assert "Page" not in found
    assert "- 1 -" not in found
    assert joined("Wikin\u00adger") == "Wikinger"


def test_html_has_headings_lists_and_tables() -> None:
    html = """<html><head><title>x</title></head><body><h2>Eggs &amp; more</h2>
<p>An egg is <b>white</b>.</p><ul><li>One egg</li><li><p>Two eggs</p></li></ul>
<table><tr><td>Egg</td><td>3 points</td></tr></table><script>bad()</script></body></html>"""
    found = split(SourceFile("eggs.html", markdown(html)))
    assert [each.text for each in found.headings] == ["Eggs & more"]
    said = ["An egg is white.", "One egg", "Two eggs", "Egg", "3 points"]
    assert [each.text for each in found.sentences] == said
    assert [bool(each.item) for each in found.sentences[:3]] == [False, True, True]


def page(*rows: tuple[float, float, float, str]) -> list[Word]:
    """Words of rows: each row with its left edge, its height, the size of its letters, its text."""
    found = []
    for left, top, size, text in rows:
        at = left
        for word in text.split():
            found.append(Word(word, at, at + size * len(word) / 2, top, top + size, size))
            at += size * (len(word) / 2 + 0.3)
    return found


def test_columns_are_read_one_after_the_other() -> None:
    words = page(
        (50, 10, 20, "Eggs"),
        (10, 40, 10, "A game for people who like eggs and who have many of them"),
        (10, 60, 10, "Each player gets three"),
        (200, 60, 10, "Then an egg is sold"),
        (10, 72, 10, "eggs and a hen."),
        (200, 72, 10, "for two coins."),
        (10, 96, 10, "The hen lays."),
    )
    assert whole(lines([words]))[0] == [
        "# Eggs",
        "",
        "A game for people who like eggs and who have many of them",
        "",
        "Each player gets three",
        "eggs and a hen.",
        "",
        "The hen lays.",
        "",
        "Then an egg is sold",
        "for two coins.",
        "",
    ]


PDF = importlib.util.find_spec("pdfplumber") is not None and importlib.util.find_spec("typst")


@pytest.mark.skipif(not PDF, reason="pdfplumber or typst is not installed")
def test_a_pdf_in_columns(working_folder: Path) -> None:
    import typst

    write_file(
        "eggs.typ",
        "#set page(width: 300pt, height: 200pt)\n#text(size: 20pt)[Eggs]\n\n#columns(2)[Each "
        "player gets three eggs and one hen. He sells an egg for two coins.\n#colbreak()\nThe "
        "hen lays an egg on each turn. Whoever has ten eggs wins.]",
    )
    Path("eggs.pdf").write_bytes(typst.compile("eggs.typ"))
    text, language = read(Path("eggs.pdf"), Library())
    assert language == "en"
    assert [each.text for each in text.headings] == ["Eggs"]
    assert [each.text for each in text.sentences] == [
        "Each player gets three eggs and one hen.",
        "He sells an egg for two coins.",
        "The hen lays an egg on each turn.",
        "Whoever has ten eggs wins.",
    ]


def test_faults_of_a_manuscript_do_not_hide_its_sentences() -> None:
    found = read_manuscript(SourceFile("a.txt", "lawspeaker 1: book in en, x\n#\n§9 Eggs hatch.\n"))
    assert [each.text for each in found.text.sentences] == ["Eggs hatch."]
    assert [line for line, _ in found.faults] == [2]
