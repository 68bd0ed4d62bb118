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

from lawspeaker.compare.comparison import Comparison
from lawspeaker.compare.differences import Counts, Difference
from lawspeaker.compare.kinds import PLAY, SILENCE
from lawspeaker.compare.rows import Cell, Column, Row
from lawspeaker.compare.said import shortened

STANCES = {
    "states": "states",
    "implies": "implies",
    "silent": "silent",
    "says_otherwise": "says otherwise",
    "contradicts_itself": "contradicts itself",
    "our_ruling": "our ruling",
}
GROUPS = {"play": PLAY, "silences": (SILENCE,), "words": ("terms only", "wording only")}
UNCITED = "not cited"


def headline(counts: Counts) -> str:
    """The comparison in one breath."""
    if not any((counts.play, counts.silences, counts.words)):
        return "No differences."
    play = _many(counts.play, "difference changes play", "differences change play")
    silent = _many(counts.silences, "is a silence", "are silences")
    words = _many(counts.words, "is a matter of words", "are matters of words")
    return f"{play}, {silent}, {words}.".replace("0 ", "none ").capitalize()


def _many(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def short_names(columns: Sequence[Column]) -> list[str]:
    """The names without what all have in common: `italian` for GAME+italian."""
    names: list[str] = []
    for column in columns:
        game, *variants = column.name.split("+")
        pieces = [PurePath(each).stem if "/" in each else each for each in variants]
        names.append("+".join(pieces) or PurePath(game).name)
    return names if len(set(names)) == len(names) else [column.name for column in columns]


def stance_words(cell: Cell) -> str:
    """What the books do about the rule, in words."""
    if not cell.there:
        return ""
    return ", ".join(STANCES.get(each, each) for each in cell.stances) or UNCITED


def sections(cell: Cell) -> str:
    """The headings under which it stands, each once."""
    return "; ".join(dict.fromkeys(cite.section for cite in cell.cites if cite.section))


def text(comparison: Comparison, only: Iterable[str] = ()) -> Group:
    """The whole comparison; `only` are groups of kinds (play, silences, words) that are wanted."""
    wanted = {kind for group in only for kind in GROUPS[group]}
    parts: list[RenderableType] = [_head(comparison)]
    names = short_names(comparison.table.columns)
    in_difference = {row.id: each for each in comparison.differences for row in each.rows}
    told: set[int] = set()
    for row in comparison.table.rows:
        difference = in_difference.get(row.id)
        if difference is None:
            if not wanted:
                parts.append(_block(row, None, names))
            continue
        if difference.number in told or (wanted and difference.kind not in wanted):
            continue
        told.add(difference.number)
        parts += [_block(each, difference, names) for each in _in_order(difference)]
    return Group(*parts)


def _in_order(difference: Difference) -> list[Row]:
    """The row that stands for it first, then the others in rulebook order."""
    return [difference.row, *(row for row in difference.rows if row is not difference.row)]


def _head(comparison: Comparison) -> RenderableType:
    columns = comparison.table.columns
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    names = short_names(columns)
    for at, (name, column) in enumerate(zip(names, columns, strict=True)):
        books = ", ".join(f"{title} [{id}]" for id, title in column.sources)
        said = f"{column.title}; after {books}" if books else column.title
        if at == 0:
            said += " (the first)"
        elif len(columns) > 2:
            counts = comparison.counts_of(at)
            said += f": {counts.play} play, {counts.silences} silences, {counts.words} words"
        grid.add_row(Text(name, style="bold"), said)
    return Group(Text(headline(comparison.counts), style="bold"), Text(), grid)


def _block(row: Row, difference: Difference | None, names: Sequence[str]) -> RenderableType:
    first = difference is None or row is difference.row
    number = f"{difference.number:>3}" if difference is not None and first else "   "
    kind = row.kind or "the same everywhere"
    head = Text(f"{number}  ")
    head.append(row.id, style="bold")
    head.append(f"  ({kind if first else f'part of {difference.number}, {kind}'})" if difference
                else f"  ({kind})")
    lines: list[RenderableType] = [Text(), head] if first else [head]
    if row.title not in {cell.text for cell in row.cells}:
        lines.append(Padding(Text(shortened(row.title)), (0, 0, 0, 5)))
    lines.append(Padding(cells(row, names), (0, 0, 0, 5)))
    return Group(*lines)


def cells(row: Row, names: Sequence[str]) -> Grid:
    """A line for each telling: its name, what it does, what its books say, and where."""
    grid = Grid.grid(padding=(0, 2), expand=False)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=3)
    grid.add_column(ratio=2)
    for name, cell in zip(names, row.cells, strict=True):
        where = sections(cell)
        stance = f"{stance_words(cell)}: {where}" if where else stance_words(cell)
        mark = "≠ " if cell.kind else "  "
        style = "" if cell.kind or cell is row.cells[0] else "dim"
        grid.add_row(
            Text(mark + name, style=style), Text(shortened(cell.text), style=style), Text(stance, style="dim")
        )
    return grid
