"""Renders players' belongings as text: a line for each player, or, if that is too wide, a
column."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, numeral
from lawspeaker.faces.render.blocks import Block, below, beside, block, ink, padded
from lawspeaker.faces.render.signs import Signs
from lawspeaker.match.view import View
from lawspeaker.telling.unset import UNSET, unset

MARK = "●"
WIDEST_HEADER = 10
GAP = 2

CellOf = Callable[[ir.Show, int], Text]
"""Draws a place of a player in one line."""


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    cells: list[Text]
    right: bool

    @property
    def width(self) -> int:
        return max((cell.cell_len for cell in self.cells), default=0)


def players_block(
    view: View, signs: Signs, shown: ir.Show, width: int, cell: CellOf, out: frozenset[int]
) -> Block:
    """Renders the players' belongings; `out` are the seats that are out of play."""
    found = [_column(view, signs, part, cell) for part in shown.parts]
    columns = [each for each in found if any(text.plain for text in each.cells)]
    names = [_name(view, signs, seat, seat in out) for seat in view.layout.seats]
    lines = _lines(names, columns)
    return lines if lines.width <= width else _turned(view, signs, columns, out)


def _column(view: View, signs: Signs, shown: ir.Show, cell: CellOf) -> _Column:
    layout = view.layout
    language = signs.language
    if shown.shape == "score":
        title = shown.title or phrase("word.points", language)
        cells = [ink(numeral(points), "bold") for points in view.points]
        return _Column(title, cells, True)
    if shown.marker is not None:
        marker = layout.program.markers[shown.marker]
        title = layout.marker_name(shown.marker, language, shown.title)
        at = layout.marker_at[shown.marker]
        if not marker.per_player:
            found = None if at in unset(view) else view.markers[at]
            cells = [
                Text(MARK if found is not None and found[0] == seat else "")
                for seat in layout.seats
            ]
            return _Column(title, cells, False)
        texts = [_entries(view, signs, shown.marker, seat) for seat in layout.seats]
        return _Column(title, texts, not marker.indices[1:])
    assert shown.family is not None
    title = layout.called(shown.title, "", language) if shown.title else signs.family(shown.family)
    places = layout.places_of[shown.family]
    return _Column(title, [cell(shown, place) for place in places], shown.style == "count")


def _entries(view: View, signs: Signs, marker: int, seat: int) -> Text:
    """Formats the values of a marker for a player; several entries each get a label."""
    layout = view.layout
    told = []
    for at, entry in layout.entries(marker):
        if entry.owner == seat:
            found = view.markers[at]
            value = Text("?") if found is None else signs.value(entry.type, found[0], True)
            value = Text(UNSET) if at in unset(view) else value
            which = layout.index_names(entry, signs.language)
            told.append(Text(f"{which} ") + value if which else value)
    return Text(", ").join(told)


def _name(view: View, signs: Signs, seat: int, out: bool) -> Text:
    name = signs.layout.name(ir.PLAYER, seat, signs.language)
    shown = signs.chip(seat) + Text(f" {name}")
    side = signs.layout.named_side(seat)
    more = [] if side is None else [signs.layout.holder_name(seat, signs.language)]
    more += [phrase("word.you", signs.language)] * (seat == view.seat)
    more += [phrase("word.out", signs.language)] * out
    if more:
        shown.append(f" ({', '.join(more)})", style="dim")
    return shown


def _lines(names: list[Text], columns: list[_Column]) -> Block:
    """Renders a line for each player below the titles."""
    titles = [
        textwrap.wrap(each.title, max(WIDEST_HEADER, each.width), break_long_words=False)
        for each in columns
    ]
    height = max((len(title) for title in titles), default=0)
    blocks = [Block((*[Text()] * height, *names))]
    for column, title in zip(columns, titles, strict=True):
        wide = max(column.width, *(len(line) for line in title))
        head = [ink(line, "dim") for line in [""] * (height - len(title)) + title]
        cells = [*head, *column.cells]
        if column.right:
            cells = [Text(" " * (wide - cell.cell_len)) + cell for cell in cells]
        elif column.width <= 1:
            cells = [Text(" " * ((wide - cell.cell_len) // 2)) + cell for cell in cells]
        blocks.append(Block(tuple(padded(cell, wide) for cell in cells)))
    return beside(blocks, GAP)


def _turned(view: View, signs: Signs, columns: list[_Column], out: frozenset[int]) -> Block:
    """Renders a column for each player; long values are listed below."""
    short = [each for each in columns if each.width <= 4]
    titles = Block((Text(), *(ink(each.title, "dim") for each in short)))
    seats = []
    for seat in view.layout.seats:
        cells = [each.cells[seat] for each in short]
        wide = max(3, *(cell.cell_len for cell in cells), 0)
        lines = [signs.chip(seat), *cells]
        seats.append(Block(tuple(Text(" " * (wide - line.cell_len)) + line for line in lines)))
    found = [beside([titles, *seats], GAP)]
    for each in columns:
        if each in short:
            continue
        for seat in view.layout.seats:
            if each.cells[seat].plain:
                told = ink(colon(f" {each.title}", "", signs.language), "dim")
                found.append(block(signs.chip(seat) + told + each.cells[seat]))
    gone = phrase("word.out", signs.language)
    found += [block(signs.chip(seat) + ink(f" {gone}", "dim")) for seat in sorted(out)]
    return below(found)
