"""Adapts drawings of the browser for print.

Attributes for pointers and screen readers are removed, and texts use the fonts of the book, which
are the same on every machine. Classes are kept: the page has dark backgrounds at night (book.css).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.braces import in_braces
from lawspeaker.faces.render.book.cropping import Subject, cropped
from lawspeaker.faces.render.book.tree import Picture
from lawspeaker.faces.web.drawing import draw, draw_boards
from lawspeaker.faces.web.drawing.appearance import Look, Looks
from lawspeaker.faces.web.drawing.palette import NEUTRAL
from lawspeaker.faces.web.drawing.pictures import hrefs, own_pictures, used
from lawspeaker.faces.web.drawing.shapes import bleeding, drawn, size_of
from lawspeaker.faces.web.drawing.svg import el, moved
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout

LETTERS = "Libertinus Serif, Georgia, serif"
EDGE = 2.0
CUT = ("card", "tile")
"""The shapes whose background can be printed beyond the cut."""
MOST_DRAWN = 12
"""Number of different faces that are drawn for a type of piece."""
_POINTED_AT = re.compile(r'\s(?:data-[a-z-]+|aria-[a-z]+|role|tabindex)="[^"]*"')
_LENS = re.compile(r'<g class="lens"[^>]*>.*?</g>')
_SAID = re.compile(r"<title>[^<]*</title>")
_LETTERS = re.compile(r'font-family="[^"]*"')
_SIZE = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')


def table(view: View, language: str, says: str, shape: str = "wide") -> Picture:
    """Draws the table for a view; `shape` is wide or tall."""
    return picture(draw(view, language, shape), says)


def part_of_table(
    view: View, language: str, says: str, about: Sequence[Subject], shape: str
) -> tuple[Picture, float]:
    """Draws some parts of the table, and tells how large things are in the drawing."""
    svg, scale = cropped(draw(view, language, shape), about)
    return picture(svg, says), scale


def boards(views: Sequence[View], language: str) -> tuple[Picture, ...]:
    """Draws the boards of the table without pieces; the views are those of several games."""
    program = views[0].layout.program
    title = dict(program.title).get(language) or program.name
    return tuple(picture(each, title) for each in draw_boards(views, language))


def picture(svg: str, says: str) -> Picture:
    """Adapts an SVG of the browser for print."""
    svg = _LENS.sub("", svg)
    svg = _LETTERS.sub(f'font-family="{LETTERS}"', _SAID.sub("", _POINTED_AT.sub("", svg)))
    size = _SIZE.search(svg)
    assert size is not None
    return Picture(svg, float(size[1]), float(size[2]), says)


class Pieces:
    """Draws the pieces of a game one by one."""

    def __init__(self, layout: Layout, language: str, bleed: float = 0) -> None:
        """`bleed` is how far the background of cards and tiles goes on where they are cut."""
        self.layout = layout
        self.bleed = bleed
        self.looks = Looks(layout, language)

    def of_type(self, number: int) -> tuple[Picture, ...]:
        """Draws a type of piece: its back, if it has kinds that lie hidden, and each different face
        once.

        Of very many faces a sample is drawn.
        """
        several = len(self.layout.program.pieces[number].kinds) > 1
        back = self.back(number) if several else None
        firsts = {self.layout.alike[each]: each for each in reversed(self.layout.pieces_of[number])}
        own = sorted(firsts.values())
        few = own[:: -(-len(own) // MOST_DRAWN) or 1]
        fronts = dict.fromkeys(self._drawn(self.looks.piece(each)) for each in few)
        return (*fronts,) if back is None else (back, *fronts)

    def of_kind(self, number: int, kind: int) -> tuple[Picture, ...]:
        """Draws a kind of piece; if players have their own, that of the first player."""
        first = self._first(number, kind)
        return () if first is None else (self._drawn(self.looks.piece(first)),)

    def shows(self, number: int, kind: int, column: ir.Column, value: ir.Entries) -> bool:
        """Whether the drawing of a kind shows an attribute: as badge, on its sides, or by picture
        or colour."""
        piece, signs = self.layout.program.pieces[number], self.looks.signs
        symbols = (signs.symbol(piece.kinds[kind].name, piece.name), signs.symbol(piece.name))
        badge = next((each.badge for each in symbols if each is not None and each.badge), "")
        face = next((each.face for each in symbols if each is not None and each.face), ())
        texts = [badge, *(text for part in face for text in part.write.values())]
        if any(each.name == column.name for text in texts for each in in_braces(text)):
            return True
        if any(column.name in (part.attribute, part.times) for part in face):
            return True
        first = self._first(number, kind)
        if first is None:
            return False
        look = self.looks.piece(first)
        if column.indices:
            return bool(look.sides)
        own = self.looks.value(column.type, value)
        return own is not None and (
            own in look.fields
            or (own.picture is not None and own.picture == look.picture)
            or (own.tones is not NEUTRAL and own.tones in (look.tones, look.mark_tones))
        )

    def each(self, number: int) -> Iterator[Picture]:
        """Draws every single piece of a type."""
        return (self._drawn(self.looks.piece(piece)) for piece in self.layout.pieces_of[number])

    def back(self, number: int) -> Picture | None:
        """Draws the back of a type of piece that lies hidden somewhere; None if there is no such
        place."""
        hidden = self.layout.pieces_of[number] and self._lies_hidden(number)
        return self._drawn(self.looks.hidden(number)) if hidden else None

    def _first(self, number: int, kind: int) -> int | None:
        own = self.layout.pieces_of[number]
        return next((each for each in own if self.layout.piece_kind[each] == kind), None)

    def _lies_hidden(self, number: int) -> bool:
        families = self.layout.program.families
        return any(each.holds == number and each.seen_by != "everyone" for each in families)

    def _drawn(self, look: Look) -> Picture:
        width, height = size_of(look)
        over = self.bleed if look.shape in CUT else 0
        edge = EDGE + over
        body = bleeding(look, width, height, edge) if over else drawn(look, width, height)
        wide, high = width + 2 * edge, height + 2 * edge
        svg = el(
            "svg",
            el("defs", used(hrefs(body), own_pictures(self.layout.program))),
            moved(edge, edge, body),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {wide:g} {high:g}",
            font_family=LETTERS,
        )
        return replace(picture(svg, look.name), bleed=over)
