"""Differences by what people call them: a title, an id, a part of one, or words of their sentences.

A title or an id of any of its rows names a difference outright. Otherwise words are looked for,
first in the ids, then in titles, sentences and names in every language; a word counts if one there
begins with it, capitals and accents aside. Where several differences are meant by that, those that
change play come first; if it is still more than one, all are named instead of guessing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.rows import Row
from lawspeaker.text.books.fingerprint import folded

_MOST_NAMED = 6
_Words: TypeAlias = Callable[[Row], set[str]]


class NoSuchDifference(Exception):
    """No difference is meant by what was said, or several are; the message names some."""


def named(wanted: str, differences: Sequence[Difference]) -> Difference:
    """The difference that is meant; raises NoSuchDifference."""
    exact = [each for each in differences if wanted in {row.id for row in each.rows}]
    exact = exact or [each for each in differences if folded(wanted) == folded(each.title)]
    found = exact or _by_words(wanted, differences, _words_of_ids)
    found = found or _by_words(wanted, differences, _words_said)
    if len(found) > 1:
        found = [each for each in found if each.changes_play] or found
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(f"“{each.title}”" for each in found[:_MOST_NAMED])
        raise NoSuchDifference(f"`{wanted}` may be any of {several}: name one of them")
    ids = [row.id for each in differences for row in each.rows]
    hint = did_you_mean(wanted, ids)
    if hint is None:
        known = [each for each in differences if each.changes_play] or differences
        hint = f"there are {', '.join(f'“{each.title}”' for each in known[:_MOST_NAMED])}"
    raise NoSuchDifference(f"there is no difference `{wanted}`; {hint}")


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
