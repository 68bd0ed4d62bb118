"""A comparison for the terminal: a headline, then difference by difference in rulebook order.

Readable at 80 columns and without colours: how a telling differs is always said in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.faces.render.words import books, joined, kind_name, stance_name
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.differences import Counts, Difference
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.kinds import (
    BOX,
    CONTRADICTION,
    OTHERWISE,
    PLAY,
    SILENCE,
    TERMS,
    WORDING,
)
from lawspeaker.study.compare.points import CLAUSE_SORTS
from lawspeaker.study.compare.rows import Cell, Column, Row

GROUPS = {
    "play": PLAY,
    "contradictions": (CONTRADICTION, OTHERWISE),
    "silences": (SILENCE,),
    "words": (TERMS, WORDING, BOX),
}


def headline(counts: Counts, language: str) -> str:
    """The comparison in one breath."""
    parts = [("play", counts.play), ("silences", counts.silences), ("words", counts.words)]
    if counts.contradictions:
        parts.append(("contradictions", counts.contradictions))
    if not any(count for _, count in parts):
        return phrase("compare.none", language)
    found = ", ".join(_many(what, count, language) for what, count in parts) + "."
    return found[0].upper() + found[1:]


def _many(what: str, count: int, language: str) -> str:
    how_many = {0: "none", 1: "one"}.get(count, "many")
    return phrase(f"compare.{what}.{how_many}", language, count=count)


def short_names(columns: Sequence[Column]) -> list[str]:
    """The names without what all have in common: `italian` for GAME+italian."""
    names: list[str] = []
    for column in columns:
        game, *variants = column.name.split("+")
        pieces = [PurePath(each).stem if "/" in each else each for each in variants]
        names.append("+".join(pieces) or PurePath(game).name)
    return names if len(set(names)) == len(names) else [column.name for column in columns]


def mark_of(cell: Cell, at: int) -> str:
    """A sign for how a telling stands to the first; a book that leaves a point open agrees with
    nobody."""
    if cell.plays_otherwise or not at:
        return "≠" if at else ""
    if cell.open and not cell.shared:
        return "○"
    return "~" if cell.kind else "="


def said(cell: Cell, language: str) -> str:
    """What the books of a telling say about a rule, and where; where alone, if the rest is what the
    cell says already."""
    if cell.point is None and cell.there:
        return ""  # a fact on the box, which says it all
    alike = f"compare.alike.{cell.standing}"
    if len(cell.stances) == 1 and alike in phrases("en") and cell.text == phrase(alike, language):
        return ", ".join(dict.fromkeys(each.section for each in cell.cites if each.section))
    if cell.cites or cell.point is None:
        return books(cell.cites, language) or ", ".join(
            stance_name(each, language) for each in cell.stances
        )
    return phrase("compare.uncited", language) if cell.point.sort in CLAUSE_SORTS else ""


def kinds_of(groups: Iterable[str]) -> tuple[str, ...]:
    """The kinds of differences that belong to some groups (play, silences, words …)."""
    return tuple(kind for group in groups for kind in GROUPS[group])


def remark_of(row: Row, at: int) -> str:
    """What is remarked on a cell, unless just that is remarked on the first."""
    remark = row.cells[at].remark
    return "" if at and remark == row.cells[0].remark else remark


def text(comparison: Comparison, findings: Findings | None = None, width: int = 80) -> Group:
    """The whole comparison."""
    findings = findings or Findings()
    parts: list[RenderableType] = [head(comparison)]
    names, language = short_names(comparison.table.columns), comparison.table.language
    belongs = {row.id: each for each in comparison.differences for row in each.rows}
    told: set[int] = set()
    for row in comparison.table.rows:
        difference = belongs.get(row.id)
        if difference is None:
            parts.append(_same_everywhere(row, names, language))
        elif difference.number not in told:
            told.add(difference.number)
            parts.append(block(difference, names, language))
            found = findings.of(difference.number)
            if found:
                from lawspeaker.faces.render.findings import about

                shown = about(found, findings.seats, names, language, width - 5)
                parts.append(Padding(shown, (0, 0, 0, 5)))
    if any(effect is not None for effect in findings.together):
        from lawspeaker.faces.render.findings import together

        parts += [Text(), together(findings, names, language)]
    return Group(*parts)


def several_books(comparison: Comparison) -> bool:
    """Whether what books do needs to be told apart: not all tellings are after the same ones."""
    return len({column.sources for column in comparison.table.columns}) > 1


def head(comparison: Comparison) -> RenderableType:
    """The headline, and which telling is which."""
    columns, language = comparison.table.columns, comparison.table.language
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for at, (name, column) in enumerate(zip(short_names(columns), columns, strict=True)):
        lines = [column.title]
        if column.sources:
            told = joined((title for _, title in column.sources), language)
            lines.append(phrase("compare.after", language, books=told))
        if at == 0:
            lines.append(phrase("compare.the_first", language))
        elif len(columns) > 2:
            lines.append(headline(comparison.counts_of(at), language))
        grid.add_row(Text(name, style="bold"), Text(joined(lines, language)))
    counted = Text(headline(comparison.counts, language), style="bold")
    parts: list[RenderableType] = [counted, Text(), grid]
    if comparison.differences:
        parts += [Text(), Text(phrase("compare.marked", language), style="dim")]
    if comparison.differences and several_books(comparison):
        parts.append(Text(phrase("compare.legend", language), style="dim"))
    return Group(*parts)


def block(difference: Difference, names: Sequence[str], language: str) -> RenderableType:
    """One difference: its number, its kind, and a line or two for each telling."""
    row = difference.row
    title = Text(f"{difference.number:>3}  ")
    title.append(row.id, style="bold")
    title.append(f"  {kind_name(row.kind, language)}", style="italic")
    lines: list[RenderableType] = [Text(), title]
    if row.title not in {cell.text for cell in row.cells}:
        lines.append(Padding(Text(shortened(row.title)), (0, 0, 0, 5)))
    lines.append(Padding(cells(row, names, language), (0, 0, 0, 3)))
    others = [each for each in difference.rows if each is not row]
    playing = [each for each in others if each.changes_play]
    if playing:
        lines += [
            Padding(Text(phrase("compare.together_with", language), style="dim"), (0, 0, 0, 5)),
            Padding(besides(playing, names, language), (0, 0, 0, 7)),
        ]
    called = [each.id for each in others if not each.changes_play]
    if called:
        told = phrase("compare.and", language, ids=", ".join(called))
        lines.append(Padding(Text(told, style="dim"), (0, 0, 0, 5)))
    return Group(*lines)


def besides(rows: Sequence[Row], names: Sequence[str], language: str) -> Grid:
    """What else belongs to a difference: each point with what is done there."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for row in rows:
        told: dict[str, list[str]] = {}
        for name, cell in zip(names[1:], row.cells[1:], strict=True):
            if cell.kind:
                told.setdefault(_instead(cell, row.cells[0], language), []).append(name)
        alone = len(names) == 2
        texts = [
            text if alone else phrase("compare.colon", language, what=", ".join(tellers), text=text)
            for text, tellers in told.items()
        ]
        grid.add_row(Text(row.id), Text("\n".join(texts)))
    return grid


def _instead(cell: Cell, first: Cell, language: str) -> str:
    """What is done, and what the first does there; that may be a part of it, or nothing."""
    text = shortened(cell.text)
    if not first.there or first.text in cell.text:
        return text
    rest = shortened(first.text)
    return phrase("compare.in_the_first", language, text=text.removesuffix("."), first=rest)


def cells(row: Row, names: Sequence[str], language: str) -> Grid:
    """What each telling does, and what its books say."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for at, (name, cell) in enumerate(zip(names, row.cells, strict=True)):
        line = Text(shortened(cell.text), style="" if cell.kind or not at else "dim")
        if not cell.shared and (told := said(cell, language)):
            line.append(f"  [{told}]", style="dim")
        if remark_of(row, at):
            line.append(f"\n{shortened(cell.remark)}", style="italic")
        grid.add_row(Text(f"{mark_of(cell, at) or ' '} {name}"), line)
    return grid


def _same_everywhere(row: Row, names: Sequence[str], language: str) -> RenderableType:
    """What is played alike, and in which no book says more or less than the first; that is not to
    say that it is stated in any."""
    line = Text("\n     ")
    line.append(row.id, style="bold")
    line.append(f"  {phrase('compare.same_everywhere', language)}", style="italic")
    return Group(line, Padding(cells(row, names, language), (0, 0, 0, 3)))
