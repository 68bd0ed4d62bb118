"""Draws boards with places between their places: walls between squares or hexes, roads between
points.

Between two neighbours of a grid the strip lies across the line from one to the other; between two
points of a board with lines, along it. A piece on a strip fills it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, degrees, hypot, pi, sin

from lawspeaker import ir
from lawspeaker.faces.web.drawing.areas import HEX, LABEL, POINT, SMALLEST_GRID, AreaDrawing
from lawspeaker.faces.web.drawing.boxes import Box, scaled
from lawspeaker.faces.web.drawing.grounds import ink_on
from lawspeaker.faces.web.drawing.svg import el, moved, path, text
from lawspeaker.telling.arrangement import board, count_is_visible, grid
from lawspeaker.telling.maps import ends_of

Point = tuple[float, float]

STRIP = 13.0
"""Width of the gap between squares, in which the strips lie."""
LETTERS = 22.0


def draw_edged(places: AreaDrawing, shown: ir.Show, found: list[int], width: float) -> Box:
    """Draws a board with the places between its places, scaled to a width if possible."""
    if not found:
        return Box()
    inner = _Board(places, shown, found).draw()
    return scaled(inner, min(1.0, max(SMALLEST_GRID, width / inner.width)))


class _Board:
    def __init__(self, places: AreaDrawing, shown: ir.Show, found: list[int]) -> None:
        self.places = places
        self.shown = shown
        self.layout = places.view.layout
        assert shown.family is not None
        self.family = self.layout.program.families[shown.family]
        self.along = bool(self.family.lines) or shown.style == "board"
        self.size = places.cell_size(shown)
        self.centres = dict(self.laid(found))

    def laid(self, found: list[int]) -> Iterator[tuple[int, Point]]:
        """Yields the centre of each place."""
        wide, high = self.size
        if self.along:
            side = max(self.size) * 1.5
            for place, (x, y) in board(self.places.view, self.shown, found).places.items():
                yield place, ((x + 0.5) * side, (y + 0.5) * side)
            return
        lines = grid(self.places.view, self.shown, found)
        for y, down in enumerate(lines.downs):
            for x, over in enumerate(lines.overs):
                here = lines.at(down, over)
                if here is None:
                    continue
                if self.family.hexes:
                    step = max(self.size) + STRIP
                    yield here, ((x + y / 2 + 0.5) * step, (y * 3**0.5 / 2 + 0.58) * step)
                else:
                    yield (
                        here,
                        (
                            x * (wide + STRIP) + wide / 2 + LETTERS,
                            y * (high + STRIP) + high / 2,
                        ),
                    )

    def draw(self) -> Box:
        parts = [*map(self.cell, self.centres), *self.strips()]
        wide, high = self.cell_sides()
        width = max(x for x, _ in self.centres.values()) + wide / 2
        height = max(y for _, y in self.centres.values()) + high / 2
        if not self.along and not self.family.hexes:
            parts += self.letters(height)
            height += LETTERS
        return Box(width, height, "".join(parts))

    def cell_sides(self) -> Point:
        if self.family.hexes:
            wide = max(self.size)
            return wide, wide * 2 / 3**0.5
        side = max(self.size) + 2
        return (side, side) if self.along else self.size

    def cell(self, place: int) -> str:
        x, y = self.centres[place]
        wide, high = self.cell_sides()
        edge = HEX if self.family.hexes else POINT if self.along else ""
        body = self.places.cell(self.shown, place, wide, high, edge).body
        return moved(x - wide / 2, y - high / 2, body)

    # ------------------------------------------------------------ strips

    def strips(self) -> Iterator[str]:
        assert self.shown.joined is not None
        ends = ends_of(self.layout, self.shown.joined)
        for place in self.layout.places_of[self.shown.joined]:
            one, other = ends[self.layout.place_indices[place][0]]
            if one in self.centres and other in self.centres:
                yield self.strip(place, self.centres[one], self.centres[other])

    def strip(self, place: int, one: Point, other: Point) -> str:
        """Draws the strip between two places, rotated to its direction."""
        x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        away = hypot(other[0] - one[0], other[1] - one[1])
        turn = atan2(other[1] - one[1], other[0] - one[0])
        if self.along:
            long, broad = away - max(self.size) * 0.6, STRIP
        else:
            turn += pi / 2
            side = max(self.size) / 3**0.5 if self.family.hexes else self.side(one, other)
            long, broad = side, away - self.depth(one, other)
        ground = _turned(x, y, long, broad, turn)
        body = path(
            ground, class_="ground clear", fill="#ffffff", fill_opacity=0.14,
            stroke=ink_on(self.places.ground), stroke_opacity=0.22, stroke_width=0.8,
        )  # fmt: skip
        return self.places.thing(place, body + self.lying(place, (x, y), (long, broad), turn))

    def side(self, one: Point, other: Point) -> float:
        """Returns the length of the side that two squares share."""
        return self.size[1] if one[1] == other[1] else self.size[0]

    def depth(self, one: Point, other: Point) -> float:
        """Returns the distance between the centres of two neighbours, less the gap."""
        if self.family.hexes:
            return max(self.size)
        return self.size[0] if one[1] == other[1] else self.size[1]

    def lying(self, place: int, at: Point, size: Point, turn: float) -> str:
        held = self.places.view.contents.get(place, ())
        if not count_is_visible(self.places.view, place):
            return text("?", at[0], at[1] + 4, LABEL, anchor="middle")
        if not held:
            return ""
        long, broad = size
        share = long / len(held)
        level = degrees(turn) % 180
        upright = 45 < level < 135
        parts = []
        for number, piece in enumerate(held):
            shift = (number + 0.5) * share - long / 2
            x, y = at[0] + shift * cos(turn), at[1] + shift * sin(turn)
            straight = abs(level % 90) < 0.01
            if straight:
                wide, high = (broad, share) if upright else (share, broad)
                drawn = self.places.piece(piece, place, (wide - 2, high - 1)).body
                parts.append(moved(x - wide / 2 + 1, y - high / 2 + 0.5, drawn))
            else:
                drawn = self.places.piece(piece, place, (share - 2, broad - 1)).body
                parts.append(
                    el(
                        "g",
                        moved(1 - share / 2, 0.5 - broad / 2, drawn),
                        transform=f"translate({x:.1f} {y:.1f}) rotate({level:.1f})",
                    )
                )
        return "".join(parts)

    # ------------------------------------------------------------ labels

    def letters(self, height: float) -> list[str]:
        """Draws the row labels on the left and the column labels below."""
        language, ink = self.places.looks.language, ink_on(self.places.ground)
        lines = grid(self.places.view, self.shown, list(self.centres))
        assert self.shown.family is not None
        found = []
        for x, over in enumerate(lines.overs):
            words = self.layout.index_name(self.shown.family, lines.across, over, language)
            at = x * (self.size[0] + STRIP) + self.size[0] / 2 + LETTERS
            found.append(text(words, at, height + 15, LABEL, fill=ink, anchor="middle", weight=600))
        if len(lines.columns) == 1:
            for y, (down,) in enumerate(lines.downs):
                words = self.layout.index_name(self.shown.family, lines.columns[0], down, language)
                at = y * (self.size[1] + STRIP) + self.size[1] / 2 + 4
                found.append(text(words, 9, at, LABEL, fill=ink, anchor="middle", weight=600))
        return found


def _turned(x: float, y: float, long: float, broad: float, turn: float) -> str:
    """Returns the path of a rotated rectangle around a centre."""
    corners = []
    for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        along, across = a * long / 2, b * broad / 2
        corners.append(
            f"{x + along * cos(turn) - across * sin(turn):.1f} "
            f"{y + along * sin(turn) + across * cos(turn):.1f}"
        )
    return "M" + " L".join(corners) + " Z"
