"""Builds print sheets with every card and piece of a game, to cut out.

A card is 63 millimetres wide and everything else in proportion, each piece as often as the game has
it. The backs of hidden pieces can be printed on sheets of their own. As for a book there is one
document, written as HTML or, by Typst, as PDF.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any, cast

from lawspeaker.base.diagnostics import Failure
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import capital
from lawspeaker.faces.render.book.pictures import EDGE, Pieces
from lawspeaker.faces.render.book.pictures import boards as drawn_boards
from lawspeaker.faces.render.book.tree import Picture
from lawspeaker.faces.render.book.typst import MAIN, NoTypst
from lawspeaker.faces.render.page_frame import framed
from lawspeaker.faces.web.drawing.shapes import SIZES
from lawspeaker.match.game import Game
from lawspeaker.position.layout import Layout, layout_for

CARD = 63.0
"""Width of a card in millimetres."""
GAMES = 8
"""What is the same at the start of so many games is printed on the boards."""
MARGIN = 8
"""Margin of a page with a board, in millimetres."""
SCALE = CARD / (SIZES["card"][0] + 2 * EDGE)
BLEED = 3.0
"""How far the background of cards and tiles can go on beyond the cut, in millimetres."""
MOST_PRINTED = 2000
"""Maximum number of pieces."""


@dataclass(frozen=True, slots=True)
class SheetItem:
    """A drawing, its size in millimetres, and its number of copies."""

    picture: Picture
    width: float
    height: float
    times: int


@dataclass(frozen=True, slots=True)
class SheetPart:
    """The pieces of one type, or their backs."""

    title: str
    printed: tuple[SheetItem, ...]

    @property
    def count(self) -> int:
        return sum(each.times for each in self.printed)


@dataclass(frozen=True, slots=True)
class Sheet:
    title: str
    language: str
    note: str
    parts: tuple[SheetPart, ...]
    boards: tuple[SheetItem, ...] = ()
    """Boards at the scale of the pieces, each on a page of its own size."""


class TooMany(Failure):
    """Raised when a game has too many pieces; the message is for people."""


def sheet_of(
    game: Game, language: str, backs: bool = False, boards: bool = False, bleed: bool = False
) -> Sheet:
    """Builds the sheet for the maximum number of players; raises TooMany."""
    program = game.program
    layout = layout_for(program, program.most)
    not_too_many(game, layout)
    pieces = Pieces(layout, language, BLEED / SCALE if bleed else 0)
    parts: list[SheetPart] = []
    for number, piece in enumerate(program.pieces):
        own = Counter(pieces.each(number))
        if not own:
            continue
        name = capital(layout.called(piece.name, "piece", language))
        fronts = tuple(_printed(picture, times) for picture, times in own.items())
        parts.append(SheetPart(name, fronts))
        back = pieces.back(number) if backs else None
        if back is not None:
            named = phrase("book.backs", language, name=name)
            parts.append(SheetPart(named, (_printed(back, own.total()),)))
    title = dict(program.title).get(language) or program.name
    mats = boards_of(game, language) if boards else ()
    return Sheet(title, language, phrase("book.sheet", language), tuple(parts), mats)


def not_too_many(game: Game, layout: Layout) -> None:
    """Raises TooMany for a game with more pieces than are drawn."""
    count = sum(len(own) for own in layout.pieces_of)
    if count > MOST_PRINTED:
        raise TooMany(f"{game.name} has {count:,} pieces; at most {MOST_PRINTED:,} are printed")


def boards_of(game: Game, language: str) -> tuple[SheetItem, ...]:
    """Draws the boards of a game for the maximum number of players."""
    views = [game.start(game.program.most, seed).view(None) for seed in range(GAMES)]
    return tuple(_printed(each, 1) for each in drawn_boards(views, language))


def _printed(picture: Picture, times: int) -> SheetItem:
    return SheetItem(picture, picture.width * SCALE, picture.height * SCALE, times)


def sheet_page(sheet: Sheet) -> str:
    """Renders the sheet as HTML with sizes in millimetres."""
    style = files(__package__).joinpath("sheet.css").read_text(encoding="utf-8")
    printed = [*sheet.boards, *(each for part in sheet.parts for each in part.printed)]
    sizes = sorted({(each.width, each.height) for each in printed})
    names = {size: f"size-{at}" for at, size in enumerate(sizes)}
    style += "".join(
        f".{names[width, height]} {{ width: {width:.1f}mm; height: {height:.1f}mm; }}\n"
        for width, height in sizes
    )
    parts = "".join(
        f"<section><h2>{escape(part.title)} <small>{part.count}</small></h2>"
        + "".join(_cut(each, names) * each.times for each in part.printed)
        + "</section>\n"
        for part in sheet.parts
    )
    for at, each in enumerate(sheet.boards):
        wide, high = (size + 2 * MARGIN for size in (each.width, each.height))
        style += f"@page board-{at} {{ size: {wide:.1f}mm {high:.1f}mm; margin: {MARGIN}mm; }}\n"
        style += f".board-{at} {{ page: board-{at}; }}\n"
        parts += f'<section class="board-{at}">{_cut(each, names)}</section>\n'
    title = escape(sheet.title)
    body = f"<header><h1>{title}</h1><p>{escape(sheet.note)}</p></header>\n{parts}"
    return framed(title, sheet.language, body, style)


def _cut(each: SheetItem, names: dict[tuple[float, float], str]) -> str:
    label = escape(each.picture.says)
    kind = names[each.width, each.height]
    return f'<figure class="{kind}" role="img" aria-label="{label}">{each.picture.svg}</figure>'


def sheet_pdf(sheet: Sheet, marks: bool = False) -> bytes:
    """Renders the sheet as PDF, if wanted with crop marks around each piece.

    Raises NoTypst if Typst is not installed.
    """
    try:
        import typst
    except ImportError:
        raise NoTypst from None
    pictures: dict[str, str] = {}
    data = {
        "title": sheet.title,
        "language": sheet.language,
        "note": sheet.note,
        "parts": [
            {
                "title": part.title,
                "count": part.count,
                "printed": [_data(each, pictures) for each in part.printed],
            }
            for part in sheet.parts
        ],
        "boards": [_data(each, pictures) for each in sheet.boards],
        "margin": MARGIN,
        "marks": marks,
    }
    read = {
        MAIN: files(__package__).joinpath("sheet.typ").read_bytes(),
        "sheet.json": json.dumps(data, ensure_ascii=False).encode(),
        **{name: svg.encode() for svg, name in pictures.items()},
    }
    # The stubs know single files only; the compiler accepts several, by name.
    return typst.compile(cast("Any", read), format="pdf", ignore_system_fonts=True, timestamp=0)


def _data(each: SheetItem, pictures: dict[str, str]) -> dict[str, Any]:
    """Converts a drawing to data for Typst; its file is added to `pictures`."""
    return {
        "file": pictures.setdefault(each.picture.svg, f"p{len(pictures)}.svg"),
        "width": each.width,
        "height": each.height,
        "times": each.times,
        "bleed": each.picture.bleed * SCALE,
        "says": each.picture.says,
    }
