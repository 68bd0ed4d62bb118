"""Rules held against a text: what is found, what is missing, what does not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, schema
from lawspeaker.study.sources.coverage import CoverageResult, check_coverage
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.fingerprint import fingerprint
from lawspeaker.text.books.listing import read_listing
from lawspeaker.text.books.lock import Marks

BOOK = """# The Market

A merry day at the market.

## Selling

You must sell an egg. You may keep the hen.

## End

Most eggs win.
"""
FLAVOUR = fingerprint("A merry day at the market.")
SELL = fingerprint("You must sell an egg.")
KEEP = fingerprint("You may keep the hen.")
WIN = fingerprint("Most eggs win.")

GAME = """lawspeaker: 1
game: market
players: {from: 2, to: 2, called: [ann, ben]}
sources:
  book: {title: The Market, file: market.txt}
rules:
  game:
    says: Eggs are sold.
    cites: {book: %s}
    rule: |
      do ending
  ending:
    says: The end.
    cites: {book: %s}
    rule: |
      players scores 1
"""
SELLING = f"{{section: Selling, print: {SELL} {KEEP}}}"
ENDING = f"{{section: End, print: {WIN}}}"
LISTED = Marks({FLAVOUR: "flavour"})


def compiled(folder: Path, first: str, second: str) -> ir.Program:
    (folder / "market.yaml").write_text(GAME % (first, second), encoding="utf-8")
    diagnostics = Diagnostics()
    program = compile_name("market", diagnostics, Library(here=folder, path=()))
    assert program is not None, "\n".join(map(str, diagnostics))
    return program


def check_texts(folder: Path, first: str, second: str, listing: Marks = LISTED) -> CoverageResult:
    text = split(SourceFile("market.txt", BOOK))
    return check_coverage(compiled(folder, first, second), "book", text, listing)


def test_all_is_in_order(tmp_path: Path) -> None:
    found = check_texts(tmp_path, SELLING, ENDING)
    assert found.sound
    assert (found.sentences, found.cited, found.listed) == (4, 3, {"flavour": 1})
    assert not found.without
    assert not found.unmentioned


def test_a_sentence_without_a_rule(tmp_path: Path) -> None:
    found = check_texts(tmp_path, f"{{section: Selling, print: {SELL}}}", ENDING)
    assert not found.sound
    assert [(each.line, each.print) for each in found.open] == [(7, KEEP)]
    assert not check_texts(tmp_path, SELLING, ENDING, Marks()).sound, "not even flavour"


def test_rules_without_a_sentence(tmp_path: Path) -> None:
    ending = f"[{{section: End, stance: implies, print: {WIN}}}, {{stance: our_ruling}}]"
    found = check_texts(tmp_path, SELLING, ending)
    assert found.sound
    assert [(each.id, each.citation.stance) for each in found.without] == [
        ("ending", "implies"),
        ("ending", "our_ruling"),
    ]


def test_a_rule_that_does_not_mention_the_book(tmp_path: Path) -> None:
    program = compiled(tmp_path, SELLING, ENDING)
    other = split(SourceFile("other.txt", BOOK))
    assert check_coverage(program, "other", other, LISTED).unmentioned == ("game", "ending")


@pytest.mark.parametrize(
    "ending, code, message",
    [
        (f"{{section: The end, print: {WIN}}}", "unknown-heading", "no heading “The end”"),
        ("{section: End, print: 0123456789}", "unknown-print", "no sentence 0123456789"),
        ("{section: End, print: 01234}", "bad-print", "01234 is no print"),
        ("{section: End}", "no-print", "which sentence under “End”"),
        (f"{{section: Selling, print: {WIN}}}", "wrong-section", "stands under “End”, not under"),
    ],
)
def test_citations_that_do_not_hold(tmp_path: Path, ending: str, code: str, message: str) -> None:
    found = check_texts(tmp_path, SELLING, ending)
    assert not found.sound
    assert [(each.code, each.id) for each in found.faults] == [(code, "ending")]
    assert message in found.faults[0].message


def test_a_sentence_may_be_cited_under_a_heading_further_up(tmp_path: Path) -> None:
    assert check_texts(tmp_path, SELLING, f"{{section: The Market, print: {WIN}}}").sound


def test_what_is_listed_is_in_the_text_and_not_cited(tmp_path: Path) -> None:
    listing = Marks({FLAVOUR: "flavour", WIN: "legal", "0123456789": "table"})
    found = check_texts(tmp_path, SELLING, ENDING, listing)
    assert [each.code for each in found.faults] == ["cited-and-listed", "unknown-print"]
    assert found.faults[0].line == 11


def test_a_misread_heading(tmp_path: Path) -> None:
    listing = Marks({FLAVOUR: "flavour"}, misread={"Sales": "Selling"})
    assert check_texts(tmp_path, SELLING.replace("Selling", "Sales"), ENDING, listing).sound


# ---------------------------------------------------------------- the list of what is no rule


def read_marks(text: str) -> tuple[Marks | None, Diagnostics]:
    diagnostics = Diagnostics()
    return read_listing(SourceFile("book.yaml", text), schema("texts"), diagnostics), diagnostics


def test_reading_a_listing() -> None:
    found, diagnostics = read_marks(
        "lawspeaker: 1\ntext: book\nmisread headings: {End: EMD}\n"
        "no rules:\n  flavour: [aaaaaaaaaa, 1234567890]\n  legal: [bbbbbbbbbb]\n"
    )
    assert not len(diagnostics)
    assert found is not None
    assert found.misread == {"End": "EMD"}
    reasons = {"aaaaaaaaaa": "flavour", "1234567890": "flavour", "bbbbbbbbbb": "legal"}
    assert found.reasons == reasons


@pytest.mark.parametrize(
    "text, code",
    [
        ("lawspeaker: 1\ntext: book\nno rules: {boring: [aaaaaaaaaa]}\n", "unknown-key"),
        ("lawspeaker: 1\nno rules: {legal: [aaaaaaaaaa]}\n", "missing-key"),
        (
            "lawspeaker: 1\ntext: b\nno rules: {legal: [aaaaaaaaaa], box: [aaaaaaaaaa]}\n",
            "duplicate-name",
        ),
        ("lawspeaker: [\n", "yaml-syntax"),
    ],
)
def test_a_listing_with_a_fault(text: str, code: str) -> None:
    _, diagnostics = read_marks(text)
    assert [each.code for each in diagnostics] == [code]
