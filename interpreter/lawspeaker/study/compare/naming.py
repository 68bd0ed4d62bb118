"""Resolves a difference by what a user types: a title, an id, part of one, or words of its
sentences.

An exact title or id of any row wins. Otherwise word prefixes are matched, first in ids, then in
titles, sentences and names in every language, then in cited headings, ignoring case and accents.
Last comes a full search, including inflected forms. Of several matches, those that change play
are preferred; if more than one is left, all are listed instead of guessing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from lawspeaker.base.diagnostics import nearest
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import quotation
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.compare.searching import Search
from lawspeaker.text.books.fingerprint import folded

_MOST_NAMED = 6
_Words: TypeAlias = Callable[[Row], set[str]]


class NoSuchDifference(Exception):
    """No or several differences match; the message lists some, in the language of the
    comparison.
    """


def named(wanted: str, comparison: Comparison) -> Difference:
    """Resolves a name; raises NoSuchDifference."""
    differences, language = comparison.differences, comparison.table.language
    exact = [each for each in differences if wanted in {row.id for row in each.rows}]
    exact = exact or [each for each in differences if folded(wanted) == folded(each.title)]
    found = exact or _by_words(wanted, differences, _words_of_ids)
    found = found or _by_words(wanted, differences, _words_said)
    found = found or _by_words(wanted, differences, _words_of_headings)
    found = found or _by_search(wanted, comparison)
    if len(found) > 1:
        found = [each for each in found if each.changes_play] or found
    if len(found) == 1:
        return found[0]
    if found:
        several = _titles(found, language)
        raise NoSuchDifference(phrase("mix.several", language, wanted=wanted, several=several))
    near = nearest(wanted, [row.id for each in differences for row in each.rows])
    if near is not None:
        raise NoSuchDifference(phrase("mix.nearest", language, wanted=wanted, nearest=near))
    known = _titles([each for each in differences if each.changes_play] or differences, language)
    raise NoSuchDifference(phrase("mix.unknown", language, wanted=wanted, known=known))


def _titles(differences: Sequence[Difference], language: str) -> str:
    before, behind = quotation(language)
    return ", ".join(f"{before}{each.title}{behind}" for each in differences[:_MOST_NAMED])


def _by_search(wanted: str, comparison: Comparison) -> list[Difference]:
    """Best search results, preferring those that change play."""
    terms = comparison.table.terms
    search = Search(wanted, terms)
    if not search.words:
        return []
    ranks = [(search.rank_of(each.rows, terms), each) for each in comparison.differences]
    fitting = [(rank, each) for rank, each in ranks if rank is not None]
    fitting = [found for found in fitting if found[1].changes_play] or fitting
    best = min((rank for rank, _ in fitting), default=None)
    return [each for rank, each in fitting if rank == best]


def _by_words(wanted: str, differences: Iterable[Difference], words_of: _Words) -> list[Difference]:
    words = folded(wanted).split()
    return [
        each
        for each in differences
        if words and any(_all_begin(words, words_of(row)) for row in each.rows)
    ]


def _all_begin(wanted: Iterable[str], words: set[str]) -> bool:
    return all(any(word.startswith(each) for word in words) for each in wanted)


def _words_of_ids(row: Row) -> set[str]:
    return {*folded(row.id).split()}


def _words_said(row: Row) -> set[str]:
    """The words of the title and of all sentences in any language."""
    said = [row.title]
    for cell in row.cells:
        if cell.point is not None:
            words = cell.point.words
            told = words.get("says", {}) if isinstance(words, dict) else {}
            said += (*cell.point.title.values(), *told.values())
    return {word for text in said for word in folded(text).split()}


def _words_of_headings(row: Row) -> set[str]:
    """The words of all cited headings."""
    cites = (cite for cell in row.cells for cite in cell.cites)
    return {word for cite in cites for word in folded(cite.section).split()}
