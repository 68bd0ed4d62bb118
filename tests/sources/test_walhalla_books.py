"""The editions of Walhalla against their books: nothing open, nothing wrong, nothing copied."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compiled_with_books, open_name
from lawspeaker.study.sources.coverage import check_coverage, ids, references
from lawspeaker.text.books.fingerprint import PRINT, heading_key, normalised
from lawspeaker.text.books.lock import written
from tests.repo.checkout import files
from tests.sources.books import EDITIONS, lock, program, text, verbatim_copies
from tests.tiers import sample

LEAST_WORDS = 7
"""Fewer words in a row may be a figure, a name or a heading."""


@pytest.mark.parametrize("name", sample(EDITIONS, test=4))
@pytest.mark.parametrize("base", [False, True])
def test_nothing_is_left_open(name: str, base: bool) -> None:
    source = "de" if base else EDITIONS[name]
    known = lock(name, source)
    found = check_coverage(program(name), source, text(name, source), known.marks, lock=known)
    assert not found.faults
    assert not [f"{found.file}:{each.line} {each.print}" for each in found.open]


@pytest.mark.parametrize("variant", sample(Library().variants("walhalla"), test=9, full=4))
def test_no_variant_makes_a_book_look_wrong(variant: str) -> None:
    """What a module or a house rule takes out is answered, and what it cites holds."""
    name = f"walhalla+{variant}"
    opened = open_name(name, Diagnostics())
    assert opened is not None
    both = compiled_with_books(opened, Diagnostics())
    assert both is not None
    for source in both[0].sources:
        book, known = text(name, source.id), lock(name, source.id)
        assert check_coverage(both[0], source.id, book, known.marks, both[1], lock=known).sound


@pytest.mark.parametrize("name", EDITIONS)
def test_the_lock_is_that_of_the_text(name: str) -> None:
    known = lock(name, EDITIONS[name])
    assert written(text(name, EDITIONS[name]), known.marks) == known.file.text


@pytest.mark.parametrize("name", EDITIONS)
def test_the_lock_alone_knows_that_nothing_is_open(name: str) -> None:
    """Needs no texts."""
    known = lock(name, EDITIONS[name])
    assert check_coverage(program(name), EDITIONS[name], known.text, known.marks, lock=known).sound


@pytest.mark.parametrize("name", EDITIONS)
def test_every_rule_is_cited_by_its_edition(name: str) -> None:
    """Needs no texts: each clause, guard and piece says where the edition's book has it."""
    found = [each for each in references(program(name)) if each.citation.source == EDITIONS[name]]
    cited = {each.id for each in found}
    assert not [id for id in ids(program(name)) if id not in cited]
    assert {f"pieces.{piece.name}" for piece in program(name).pieces} <= cited


@pytest.mark.parametrize("name", EDITIONS)
def test_every_stated_rule_names_its_sentence(name: str) -> None:
    for each in references(program(name)):
        prints = (each.citation.print or "").split()
        assert prints or each.citation.stance != "states", each
        assert all(PRINT.fullmatch(print) for print in prints), each


def test_what_is_silent_or_ours_says_so_in_few_places() -> None:
    """The German base states nearly everything; the French sheet leaves the most open."""
    open_points = {
        name: sum(
            1
            for each in references(program(name))
            if each.citation.source == source and each.citation.stance in ("silent", "our_ruling")
        )
        for name, source in EDITIONS.items()
    }
    assert open_points["walhalla"] < open_points["walhalla+french"]


@pytest.mark.parametrize("name", EDITIONS)
def test_a_rule_that_is_played_where_its_book_is_silent_is_our_ruling(name: str) -> None:
    said: dict[str, set[str]] = {}
    for each in references(program(name)):
        if each.citation.source == EDITIONS[name]:
            said.setdefault(each.id, set()).add(each.citation.stance)
    assert not [id for id, stances in said.items() if stances == {"silent"}]


@pytest.mark.parametrize("name", EDITIONS)
def test_a_sentence_is_cited_under_one_heading_only(name: str) -> None:
    """Under the innermost, so that it has the same number wherever it is quoted."""
    where: dict[str, set[str]] = {}
    for each in references(program(name)):
        if each.citation.source == EDITIONS[name]:
            for mark in (each.citation.print or "").split():
                where.setdefault(mark, set()).add(each.citation.section)
    assert where
    assert not {mark: sections for mark, sections in where.items() if len(sections) > 1}


@pytest.mark.full
def test_no_sentence_of_the_books_is_copied() -> None:
    sentences = []
    for name, source in EDITIONS.items():
        book = text(name, source)
        headings = {heading_key(each.text) for each in book.headings}
        for each in book.sentences:
            words = normalised(each.text)
            if len(words.split()) >= LEAST_WORDS and words not in headings:
                sentences.append(each)
    assert not verbatim_copies(sentences, files())
