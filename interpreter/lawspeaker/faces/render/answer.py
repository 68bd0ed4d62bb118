"""Renders the answer to a question: one sentence, then the matching rules and why they match."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.padding import Padding

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined, quotation
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.compare import CompareOptions, alone, block, brief, titles, words
from lawspeaker.study.compare.answering import MOST, Answer, ScoredMatch
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.kinds import SPEAKS
from lawspeaker.study.compare.merging import gathered
from lawspeaker.study.compare.points import CLAUSE_SORTS
from lawspeaker.study.compare.rows import Cell, Row


def text(
    answer: Answer,
    comparison: Comparison,
    view: CompareOptions,
    width: int = 80,
    only: int | None = None,
) -> Group:
    """Renders the answer; with `only`, that of a single edition, by number."""
    language = comparison.table.language
    told = [each for each in answer.found if only is None or _row(each).cells[only].there]
    shown = [each for each in answer.told if each in told] or told[:1]
    parts: list[RenderableType] = []
    if shown:
        parts.append(Prose(sentence(shown[0], comparison, only), style="bold"))
    for each in shown:
        parts.append(_block(each, comparison, view, only))
        if each.words:
            found = joined([_found_by(*pair) for pair in each.words], language)
            line = colon(phrase("asked.found_by", language), found, language)
            parts.append(Padding(Prose(line, style="dim"), (0, 0, 0, 5)))
    further = [each for each in told if each not in shown]
    if further:
        names = dict.fromkeys(_row(each).title.rstrip(".") for each in further[: 2 * MOST])
        line = colon(phrase("asked.further", language), joined(names, language), language)
        parts += [Prose(), Prose(line)]
    if answer.unknown and shown:
        before, behind = quotation(language)
        named = joined((f"{before}{each}{behind}" for each in answer.unknown), language)
        parts += [Prose(), Prose(phrase("asked.unknown", language, words=named))]
    if comparison.table.terms.each:
        parts += [Prose(), words(comparison, width)]
    return Group(*parts)


def sentence(found: ScoredMatch, comparison: Comparison, only: int | None = None) -> str:
    """Formats the answer as one sentence: what is played, by edition if they differ.

    The stance of a book that does not state it is added in brackets.
    """
    language = comparison.table.language
    row, names = _row(found), titles(comparison.table.columns)
    stands_alone = row.sort in CLAUSE_SORTS and row.sort != "choice"
    about = "" if stands_alone else row.title.rstrip(".")
    if only is not None:
        cell = row.cells[only]
        told = _plays(cell, [brief(cell, language)] if _falls_short(cell) else [])
        return _sentence(
            colon(names[only], colon(about, told, language) if about else told, language)
        )
    groups: dict[str, list[int]] = {}
    for at, cell in enumerate(row.cells):
        groups.setdefault(cell.does or cell.text, []).append(at)
    every = [
        _plays(
            row.cells[own[0]],
            [
                colon(names[at], brief(row.cells[at], language), language)
                for at in own
                if _falls_short(row.cells[at])
            ],
        )
        for own in groups.values()
    ]
    if len(every) == 1:
        return _sentence(colon(about, every[0], language) if about else every[0])
    said = (
        colon(joined((names[at] for at in own), language), told, language)
        for own, told in zip(groups.values(), every, strict=True)
    )
    return _sentence(". ".join((about, "; ".join(said))) if about else "; ".join(said))


def _plays(cell: Cell, doing: list[str]) -> str:
    """Formats what is played, with the stances of books that do not state it."""
    plays = shortened(cell.does or cell.text).rstrip(".")
    return f"{plays} ({'; '.join(doing)})" if doing else plays


def _falls_short(cell: Cell) -> bool:
    """Whether the book does not plainly state it, and the cell does not say that already."""
    return bool(cell.there and cell.standing and cell.standing not in SPEAKS and cell.does)


def _sentence(told: str) -> str:
    return told if told.endswith((".", "…")) else f"{told}."


def _row(found: ScoredMatch) -> Row:
    """Returns the matching row, merged with the rest of its difference if it is its main row."""
    return found.each if isinstance(found.each, Row) else gathered(found.each)


def _block(
    found: ScoredMatch, comparison: Comparison, view: CompareOptions, only: int | None
) -> RenderableType:
    columns, language = comparison.table.columns, comparison.table.language
    if only is not None:
        row = _row(found)
        row = replace(row, kind="", cells=(replace(row.cells[only], kind=""),))
        return alone(row, (columns[only],), language, view)
    if isinstance(found.each, Row):
        return alone(found.each, columns, language, view)
    return block(found.each, columns, language, view)


def _found_by(word: str, by: str) -> str:
    return f"{word} → {by}" if by else word
