"""Builds the summaries of a book: the rules on one page, and a reference card."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker import ir
from lawspeaker.base.typography import capital, colon
from lawspeaker.faces.render.book.components import Components
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.book.tree import Chapter, Rule, Summary, SummaryLine, Table
from lawspeaker.ir.walk import everything

DEEPEST = 2
MOST_KINDS = 16
"""Maximum number of kinds on a card that stays readable."""


def crib(rules: BookRules, chapters: list[Chapter]) -> Summary:
    """Builds the one-page summary: the main sentences of each chapter, and its numbers.

    Rules that ask or score have depth 0, all others 1: a page that overflows drops the latter.
    """
    parts = []
    for chapter in chapters:
        steps: list[SummaryLine] = []
        for block in chapter.blocks:
            if isinstance(block, Rule):
                clause = rules.by_id[block.id]
                if clause.role != "value":
                    steps.append(SummaryLine(block.says, 0 if _matters(clause) else 1))
            elif isinstance(block, Table) and not block.total:
                steps += _numbers(block, rules.language)
        if steps:
            parts.append((chapter.title, tuple(steps)))
    return Summary(rules.phrase("crib"), tuple(parts))


def _matters(clause: ir.Clause) -> bool:
    return any(isinstance(each, ir.Ask | ir.Score) for each in everything(clause.body))


def _numbers(table: Table, language: str) -> Iterator[SummaryLine]:
    for name, *values in table.rows:
        told = values[0] if len(set(values)) == 1 else " / ".join(values)
        yield SummaryLine(colon(name, told, language))


def card(rules: BookRules, components: Components) -> Summary:
    """Builds the reference card: the course of play as a call tree of rules, and the effects of
    kinds."""
    course = tuple(_course(rules))
    statements: dict[str, list[str]] = {}
    for (piece, kind), clause in components.does.items():
        statements.setdefault(rules.said(clause.says), []).append(components.called(kind, piece))
    kinds = tuple(
        SummaryLine(colon(", ".join(names), says, rules.language))
        for says, names in statements.items()
    )
    parts = [(rules.phrase("course"), course)]
    if 0 < len(kinds) <= MOST_KINDS:
        parts.append((rules.phrase("reference"), kinds))
    return Summary(rules.phrase("card"), tuple(parts))


def _course(rules: BookRules) -> Iterator[SummaryLine]:
    seen = {rules.program.main}

    def under(clause: ir.Clause, depth: int) -> Iterator[SummaryLine]:
        for node in everything(clause.body):
            if not isinstance(node, ir.Do) or node.clause in seen:
                continue
            seen.add(node.clause)
            done = rules.program.clauses[node.clause]
            if done.in_book:
                yield SummaryLine(capital(rules.said(done.title) or rules.called(done)), depth)
            if depth < DEEPEST:
                yield from under(done, depth + 1 if done.in_book else depth)

    yield from under(rules.program.clauses[rules.program.main], 0)
