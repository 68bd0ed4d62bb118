"""Draws networks as maps: nodes, connections, and the pieces on both.

A connection is a band between two nodes, in the colour of its own symbol, of a word it refers to,
or of the owner of its pieces. Its pieces stand in a row along it. Names are drawn last, so that no
piece hides them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot

from lawspeaker import ir
from lawspeaker.faces.web.drawing.appearance import Look
from lawspeaker.faces.web.drawing.areas import LABEL, AreaDrawing
from lawspeaker.faces.web.drawing.boxes import Box, scaled
from lawspeaker.faces.web.drawing.grounds import ink_on
from lawspeaker.faces.web.drawing.palette import NEUTRAL, PAPER, Shades
from lawspeaker.faces.web.drawing.shapes import UNIT
from lawspeaker.faces.web.drawing.svg import circle, moved, path, rect, text, text_width
from lawspeaker.match.view import View
from lawspeaker.telling.arrangement import count_is_visible
from lawspeaker.telling.maps import Map, Point, Road, map_of

LONGEST, SHORTEST = 132.0, 74.0
"""Longest and shortest length of a connection, depending on the available width."""
SMALLEST = 0.55
BAND = 15.0
"""Width of a connection."""
BEND = 0.22
"""Curvature of parallel connections between the same nodes, as a fraction of their length."""
NODE = 8.0
"""Radius of a node that is not a place."""
NAME = 13.0
MARGIN = 12.0
SEVERAL = 0.7
"""Scale of nodes that several places share."""
PIECE = 0.72
"""Scale of pieces on a connection."""


def draw_map(places: AreaDrawing, shown: ir.Show, found: list[int], width: float) -> Box:
    """Draws the map of a part of the layout, scaled to a width if possible."""
    return _Drawing(places, shown, map_of(places.view.layout, shown, found)).draw(width)


@dataclass(frozen=True, slots=True)
class _Curve:
    """A quadratic Bézier curve from node to node, with control point `by`."""

    start: Point
    by: Point
    end: Point

    @property
    def long(self) -> float:
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    def at(self, share: float) -> Point:
        rest = 1 - share
        x, y = (
            rest * rest * self.start[way] + 2 * rest * share * self.by[way]
            + share * share * self.end[way]
            for way in (0, 1)
        )  # fmt: skip
        return x, y

    @property
    def normal(self) -> Point:
        """The unit normal on its left."""
        long = self.long or 1.0
        return (self.start[1] - self.end[1]) / long, (self.end[0] - self.start[0]) / long

    def band(self, half: float) -> str:
        """Returns the outline of a band along the curve."""
        x, y = (half * each for each in self.normal)
        one, other = self.start, self.end
        return (
            f"M{one[0] + x:.1f} {one[1] + y:.1f} "
            f"Q{self.by[0] + x:.1f} {self.by[1] + y:.1f} {other[0] + x:.1f} {other[1] + y:.1f} "
            f"L{other[0] - x:.1f} {other[1] - y:.1f} "
            f"Q{self.by[0] - x:.1f} {self.by[1] - y:.1f} {one[0] - x:.1f} {one[1] - y:.1f} Z"
        )


class _Drawing:
    def __init__(self, places: AreaDrawing, shown: ir.Show, found: Map) -> None:
        self.places = places
        self.view: View = places.view
        self.shown = shown
        self.map = found
        self.nodes = self.sizes()

    def sizes(self) -> dict[int, Point]:
        """Returns the size of each node, so that its places fit side by side."""
        found = {}
        for node in self.map.points:
            sizes = [self.room(place) for place in self.map.places.get(node, ())]
            wide = sum(size[0] for size in sizes) or 2 * NODE
            found[node] = wide, max([2 * NODE, *(size[1] for size in sizes)])
        return found

    def room(self, place: int) -> Point:
        """Returns the size of a place at a node; an empty one among several is small."""
        several = bool(self.shown.others)
        if several and place not in self.view.contents:
            return NODE, 2 * NODE
        shown = replace(self.shown, family=self.view.layout.place_family[place])
        size = self.places.cell_size(shown)
        wide, high = self.places.field_size(shown, place, 3 * max(size))
        return (wide * SEVERAL, high * SEVERAL) if several else (wide, high)

    def draw(self, width: float) -> Box:
        across, down = self.map.size
        margin = MARGIN + max((size[1] / 2 for size in self.nodes.values()), default=0)
        broad = MARGIN + max((size[0] / 2 for size in self.nodes.values()), default=0)
        widest = max((text_width(self.name(n), NAME) for n in self.map.points), default=0) / 2
        edge = max(broad, widest + 4)
        least = SHORTEST + max((max(size) for size in self.nodes.values()), default=0) / 2
        step = min(max(LONGEST, least), max(least, (width - 2 * edge) / (across or 1)))
        points = {
            node: (edge + x * step, margin + y * step) for node, (x, y) in self.map.points.items()
        }
        curves = [(road, self.curve(road, points)) for road in self.map.roads]
        body = "".join(
            [
                *(self.road(road, curve) for road, curve in curves),
                *(self.node(node, point) for node, point in points.items()),
                *(self.named(node, point) for node, point in points.items()),
            ]
        )
        inner = Box(across * step + 2 * edge, down * step + 2 * margin + NAME, body)
        return scaled(inner, max(SMALLEST, width / inner.width)) if inner.width > width else inner

    # ------------------------------------------------------------ connections

    def curve(self, road: Road, points: dict[int, Point]) -> _Curve:
        start, end = points[road.one], points[road.other]
        straight = _Curve(start, start, end)
        away = 2 * BEND * road.bend * straight.long
        x, y = straight.normal
        by = (start[0] + end[0]) / 2 + away * x, (start[1] + end[1]) / 2 + away * y
        return _Curve(start, by, end)

    def road(self, road: Road, curve: _Curve) -> str:
        tones = self.tones(road)
        words = self.written(road)
        if road.place is None:
            line = path(
                f"M{_at(curve.start)} Q{_at(curve.by)} {_at(curve.end)}",
                fill="none", stroke=tones.main if tones is not NEUTRAL else ink_on(self.ground),
                stroke_width=3, stroke_opacity=0.75,
            )  # fmt: skip
            return line + (self.plate(words, curve.at(0.5), curve, False) if words else "")
        place = road.place
        band = path(
            curve.band(BAND / 2), class_="ground",
            fill=tones.main if tones is not NEUTRAL else PAPER,
            fill_opacity=0.9, stroke=tones.dark, stroke_width=1.2, stroke_opacity=0.9,
        )  # fmt: skip
        body = band + self.lying(place, curve)
        if words:
            body += self.plate(words, curve.at(0.5), curve, place in self.view.contents)
        return self.places.thing(place, body, words)

    @property
    def ground(self) -> str | None:
        return self.places.ground

    def tones(self, road: Road) -> Shades:
        """Returns the shades of a connection: of its pieces' owner, its own symbol, or a word it
        refers to."""
        layout, looks = self.view.layout, self.places.looks
        held = self.view.contents.get(road.place, ()) if road.place is not None else ()
        owners = {layout.piece_owner[piece] if piece >= 0 else None for piece in held}
        if len(owners) == 1 and (owner := owners.pop()) is not None:
            return looks.seat(owner)
        return looks.connection(road.of, road.value).tones

    def written(self, road: Road) -> str:
        """Returns the label of a connection: the one in the layout, or its badge."""
        if self.shown.labels and not self.map.places and road.place is not None:
            return self.places.words(self.shown, road.place)
        return self.places.looks.connection(road.of, road.value).badge

    def lying(self, place: int, curve: _Curve) -> str:
        """Draws the pieces along a connection; a number stands for those that do not fit."""
        held = self.view.contents.get(place, ())
        if not count_is_visible(self.view, place):
            return _plate("?", curve.at(0.5))
        if not held:
            return ""
        if self.places.is_pile(place):
            held = held[-1:]
        sizes = [self.size(piece, place) for piece in held]
        wide = max(size[0] for size in sizes)
        room = max(curve.long - 2 * max(map(max, self.nodes.values())) / 2, wide)
        most = max(1, int(room / (wide + 1)))
        seen = list(zip(held, sizes, strict=True))[:most]
        share = min((wide + 2) / (curve.long or 1), 1 / (len(seen) + 1))
        first = 0.5 - share * (len(seen) - 1) / 2
        parts = []
        for at, (piece, size) in enumerate(seen):
            x, y = curve.at(first + share * at)
            box = self.places.piece(piece, place, size)
            parts.append(moved(x - size[0] / 2, y - size[1] / 2, box.body))
        whole = len(self.view.contents.get(place, ()))
        if whole > len(seen):
            parts.append(_plate(str(whole), curve.at(first + share * (len(seen) - 1))))
        return "".join(parts)

    def size(self, piece: int, place: int) -> tuple[float, float]:
        wide, high = self.places.fitted(piece, place, UNIT, UNIT)
        return wide * PIECE, high * PIECE

    def plate(self, words: str, at: Point, curve: _Curve, beside: bool) -> str:
        """Draws the label of a connection, offset if there are pieces on it."""
        away = 21.0 if beside else 0.0
        x, y = curve.normal
        if y > 0:  # above, since names are below
            x, y = -x, -y
        return _plate(words, (at[0] + away * x, at[1] + away * y))

    # ------------------------------------------------------------ nodes

    def name(self, node: int) -> str:
        return self.view.layout.name(self.map.of, node, self.places.looks.language)

    def look(self, node: int) -> Look | None:
        return self.places.looks.value(self.map.of, node)

    def node(self, node: int, point: Point) -> str:
        (wide, high), look = self.nodes[node], self.look(node)
        tones = NEUTRAL if look is None else look.tones
        found = self.map.places.get(node, ())
        if not found:
            fill = PAPER if tones is NEUTRAL else tones.main
            return circle(*point, NODE, fill=fill, stroke=tones.dark, stroke_width=2.5)
        body = rect(
            -2, -2, wide + 4, high + 4, min(wide, high) / 2.6,
            fill=PAPER if tones is NEUTRAL else tones.pale, stroke=tones.dark, stroke_width=2,
        )  # fmt: skip
        x = 0.0
        for place in found:
            room, _ = self.room(place) if len(found) > 1 else (wide, high)
            words = self.places.words(self.shown, place) if place == found[0] else ""
            inner = rect(0, 0, room, high, 6, class_="ground clear", fill="#ffffff", fill_opacity=0)
            inner += self.places.contents(place, room, high)
            if words:
                inner += _plate(words, (room - 3, 3))
            body += moved(x, 0, self.places.thing(place, inner, words))
            x += room
        return moved(point[0] - wide / 2, point[1] - high / 2, body)

    def named(self, node: int, point: Point) -> str:
        """Draws the name of a node below it, outlined in the colour of the ground."""
        ink = ink_on(self.ground)
        dark = ink.startswith("#f")
        y = point[1] + self.nodes[node][1] / 2 + NAME + 1
        return text(
            self.name(node), point[0], y, NAME, fill=ink, anchor="middle", weight=600,
            paint_order="stroke", stroke="#22303a" if dark else "#f8f0dc", stroke_width=3,
            stroke_linejoin="round", pointer_events="none",
        )  # fmt: skip


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _plate(words: str, at: Point) -> str:
    wide = max(18.0, 8 + text_width(words, LABEL))
    return rect(at[0] - wide / 2, at[1] - 9, wide, 18, 9, fill=PAPER, stroke="#6b5f50") + text(
        words, at[0], at[1] + 4.2, LABEL, anchor="middle", weight=700
    )
