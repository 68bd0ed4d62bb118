"""Völuspá and its modules against their compendium: nothing open, nothing wrong, nothing copied.

The compendium tells of the base game and of all modules. The base game alone leaves to the modules
what is theirs; with all of them there is nothing left to leave.
"""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.meaning.overlay.citations import in_full
from lawspeaker.outside.loading import open_name, read_variants
from lawspeaker.study.sources.changes import cited_by
from lawspeaker.study.sources.coverage import (
    CoverageResult,
    Reference,
    check_coverage,
    ids,
    references,
)
from lawspeaker.text.books.fingerprint import PRINT, heading_key, normalised
from lawspeaker.text.books.lock import written
from tests.repo.checkout import files
from tests.sources.books import lock, program, text, verbatim_copies

SOURCE = "komp"
BASE = "voluspa"
ALL = "voluspa+saga_of_edda+order_of_the_gods+lightning+drakkar"
MIX = "voluspa+master_of_ravens"
OWN = ("voluspa/", "scenarios/voluspa")
LEAST_WORDS = 5
"""Fewer words in a row may be a figure, a name or a heading."""


def of_variants() -> list[Reference]:
    diagnostics = Diagnostics()
    opened = open_name(BASE, diagnostics)
    assert opened is not None
    found = in_full(read_variants(BASE, diagnostics), opened.book, diagnostics)
    assert not len(diagnostics)
    return [one for each in found for one in cited_by(each)]


def coverage_of(name: str) -> CoverageResult:
    book, known = text(name, SOURCE), lock(BASE, SOURCE)
    return check_coverage(program(name), SOURCE, book, known.marks, None, of_variants(), known)


@pytest.mark.parametrize("name", [BASE, MIX, ALL])
def test_nothing_is_left_open(name: str) -> None:
    found = coverage_of(name)
    assert not found.faults
    assert not [f"{found.file}:{each.line} {each.print}" for each in found.open]


def test_the_lock_is_that_of_the_text() -> None:
    known = lock(BASE, SOURCE)
    assert written(text(BASE, SOURCE), known.marks) == known.file.text


@pytest.mark.full
def test_whose_sentences_they_are() -> None:
    base, whole = coverage_of(BASE), coverage_of(ALL)
    assert base.cited + base.elsewhere == whole.cited
    assert whole.elsewhere == 0
    assert whole.cited + sum(whole.listed.values()) == whole.sentences


@pytest.mark.parametrize("name", [BASE, ALL])
def test_every_rule_is_cited(name: str) -> None:
    """Needs no text: each clause, guard and kind of tile says where the compendium has it."""
    cited = {each.id for each in references(program(name))}
    assert not [id for id in ids(program(name)) if id not in cited]
    assert "pieces.tile" in cited


@pytest.mark.parametrize("name", [BASE, ALL])
def test_every_stated_rule_names_its_sentence(name: str) -> None:
    for each in references(program(name)):
        prints = (each.citation.print or "").split()
        assert prints or each.citation.stance != "states", each
        assert all(PRINT.fullmatch(print) for print in prints), each


def test_every_tile_cites_its_own_section() -> None:
    """What a variant adds to the box is counted in the heading of its section."""
    kinds = [kind.name for piece in program(ALL).pieces for kind in piece.kinds]
    cited = {each.id: each.citation for each in references(program(ALL))}
    further = [kind for kind in kinds if f"pieces.tile.kinds.{kind}" in cited]
    assert len(further) == 10
    for kind in further:
        name = program(ALL).names[kind]["de"]
        assert heading_key(cited[f"pieces.tile.kinds.{kind}"].section) == heading_key(name)


def test_no_sentence_of_the_book_is_copied() -> None:
    sentences = text(ALL, SOURCE).sentences
    long = [each for each in sentences if len(normalised(each.text).split()) >= LEAST_WORDS]
    own = [file for file in files() if any(part in file.as_posix() for part in OWN)]
    assert not verbatim_copies(long, own)
