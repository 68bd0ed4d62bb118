"""Crops the drawing of a table to the parts that an example is about.

A part is what the table's layout shows as one: a board, a column of fields, a hand. Parts that are
near each other stay together, others are put one below the other. A drawing of which little would
be left out stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from typing import NamedTuple
from xml.etree import ElementTree as ET

from lawspeaker import ir
from lawspeaker.faces.web.drawing.svg import el
from lawspeaker.faces.web.drawing.things import place_thing
from lawspeaker.match.view import View
from lawspeaker.telling.arrangement import chosen, default_table
from lawspeaker.telling.labels import Labels

MARGIN = 24.0
"""Maximum space around a part, for its heading and its letters."""
BESIDE = 4.0
"""Space that is left to a part that is not shown."""
GAP = 12.0
LITTLE = 0.75
"""Fraction of a drawing above which it is not cropped."""
NEAR = 1.35
"""Parts stay together if both cover at least the inverse of this fraction of what they span."""
LARGE = 120
"""Number of places above which not the whole part is shown,"""
AROUND = 90.0
"""but so much around what the example is about."""
_STACKS = ("pile", "count")
_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_SIZE = re.compile(r'(<svg[^>]*?) width="\d+" height="\d+"')
_MOVE = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")
_NUMBER = re.compile(r"-?[\d.]+")
_SHAPES = ("rect", "circle", "ellipse", "path")

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Area(NamedTuple):
    """A rectangle of a drawing."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        return max(0.0, self.right - self.left) * max(0.0, self.bottom - self.top)

    def with_(self, *others: Area) -> Area:
        lefts, tops, rights, bottoms = zip(self, *others, strict=True)
        return Area(min(lefts), min(tops), max(rights), max(bottoms))

    def grown(self, by: float) -> Area:
        return Area(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def within(self, other: Area) -> Area:
        return Area(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )


@dataclass(frozen=True, slots=True)
class Subject:
    """A part of a table: the things that are drawn in it, and those that an example is about."""

    things: frozenset[str]
    about: frozenset[str]


@dataclass(slots=True)
class Measured:
    """Where things are in a drawing, except in the lines of players, and how large it is there."""

    whole: Area
    areas: dict[str, list[Area]] = field(default_factory=dict)
    scales: dict[str, float] = field(default_factory=dict)


def subjects(views: Sequence[View], about: Iterable[int], laid: Iterable[int]) -> list[Subject]:
    """Returns the parts of the table that show the places `about` in one of the views.

    Piles that are drawn from, and the like, are left out if there are others. If there is none, the
    parts are those with most of the places `laid`, and those that belong to them.
    """
    found = _showing(views, set(about))
    main = [each for each in found if each.shown.style not in _STACKS] or found
    if not main:
        others = [each for each in _showing(views, set(laid)) if each.shown.style not in _STACKS]
        most = max((len(each.subject.about) for each in others), default=0)
        near = {each.group for each in others if 2 * len(each.subject.about) > most}
        main = [each for each in others if each.group in near]
    return [each.subject for each in main]


class _Found(NamedTuple):
    """A part of the table, and the number of the column that it is in."""

    shown: ir.Show
    subject: Subject
    group: int


def _showing(views: Sequence[View], places: set[int]) -> list[_Found]:
    layout = views[0].layout
    program = layout.program
    found = []
    for shown, group in _parts(program.table or default_table(program)):
        there = {place for view in views for place in chosen(view, Labels(view), shown)}
        if own := places & there:
            things, those = (
                frozenset(place_thing(layout, place) for place in some) for some in (there, own)
            )
            found.append(_Found(shown, Subject(things, those), group))
    return found


def _parts(shown: ir.Show, group: int = 0) -> Iterator[tuple[ir.Show, int]]:
    """Yields the parts that show places, but for the lines of players; each with the id of the
    column in which it is."""
    if shown.shape == "players":
        return
    if shown.family is not None:
        yield shown, group or id(shown)
    for part in shown.parts:
        yield from _parts(part, id(shown) if shown.shape == "down" and not _has_parts(shown) else 0)


def _has_parts(shown: ir.Show) -> bool:
    return any(part.parts for part in shown.parts)


def cropped(svg: str, about: Sequence[Subject]) -> tuple[str, float]:
    """Returns a drawing with these parts alone, and how large things are in it (1: as usual)."""
    drawing = measured(svg)
    panels = [each for each in (_panel(drawing, one) for one in about) if each is not None]
    scales = [drawing.scales[thing] for one in about for thing in one.about & {*drawing.scales}]
    scale = min(scales, default=1.0)
    together = _joined(panels)
    if not together or sum(each.size for each in together) > LITTLE * drawing.whole.size:
        return svg, scale
    return _cut(svg, together), scale


def _panel(drawing: Measured, subject: Subject) -> Area | None:
    """Returns the area of a part, with its margin; None if it is not drawn by itself."""
    there = [area for thing in subject.things for area in drawing.areas.get(thing, ())]
    own = [area for thing in subject.about for area in drawing.areas.get(thing, ())]
    if not own:
        return None
    area = there[0].with_(*there)
    if len(there) > LARGE:
        area = own[0].with_(*own).grown(AROUND).within(area)
    others = [
        area
        for thing, areas in drawing.areas.items()
        if thing not in subject.things
        for area in areas
    ]
    left, top, right, bottom = area.grown(MARGIN)
    for other in others:
        if other.top < area.bottom and other.bottom > area.top:
            if other.right <= area.left + 1:
                left = max(left, other.right + BESIDE)
            elif other.left >= area.right - 1:
                right = min(right, other.left - BESIDE)
        elif other.left < area.right and other.right > area.left:
            if other.bottom <= area.top + 1:
                top = max(top, other.bottom + BESIDE)
            elif other.top >= area.bottom - 1:
                bottom = min(bottom, other.top - BESIDE)
    # A part that touches its neighbour has no margin there.
    return area.with_(Area(left, top, right, bottom)).within(drawing.whole)


def _joined(panels: list[Area]) -> list[Area]:
    """Joins areas that are near each other, from top to bottom."""
    found = list(panels)
    while True:
        pair = next(
            (
                (one, other)
                for one, other in combinations(found, 2)
                if one.with_(other).size <= NEAR * (one.size + other.size)
            ),
            None,
        )
        if pair is None:
            return sorted(found, key=lambda area: (area.top, area.left))
        found = [each for each in found if each not in pair] + [pair[0].with_(pair[1])]


def _cut(svg: str, areas: Sequence[Area]) -> str:
    """Returns a drawing that shows these areas, one below the other."""
    svg = _SIZE.sub(r"\1", svg, count=1)
    if len(areas) == 1:
        return _VIEW_BOX.sub(_view_box(areas[0]), svg, count=1)
    head, _, rest = svg.partition(">")
    body = rest.removesuffix("</svg>")
    width, y, parts = max(each.right - each.left for each in areas), 0.0, []
    for each in areas:
        wide, high = each.right - each.left, each.bottom - each.top
        inner = el("svg", body, x=(width - wide) / 2, y=y, width=wide, height=high, viewBox="-")
        parts.append(inner.replace('viewBox="-"', _view_box(each), 1))
        y += high + GAP
    whole = _VIEW_BOX.sub(f'viewBox="0 0 {width:.1f} {y - GAP:.1f}"', head, count=1)
    return f"{whole}>{''.join(parts)}</svg>"


def _view_box(area: Area) -> str:
    wide, high = area.right - area.left, area.bottom - area.top
    return f'viewBox="{area.left:.1f} {area.top:.1f} {wide:.1f} {high:.1f}"'


# ---------------------------------------------------------------- measuring


def measured(svg: str) -> Measured:
    """Finds the places in a drawing."""
    size = _VIEW_BOX.search(svg)
    assert size is not None
    drawing = Measured(Area(0, 0, float(size[1]), float(size[2])))
    _walk(ET.fromstring(svg), _SAME, drawing)
    return drawing


def _walk(element: ET.Element, matrix: Matrix, drawing: Measured) -> None:
    classes = (element.get("class") or "").split()
    if "strip" in classes:
        return
    matrix = _times(matrix, element.get("transform"))
    if "place" in classes:
        shapes = list(_shapes(element, matrix))
        if shapes:
            thing = element.get("data-thing", "")
            drawing.areas.setdefault(thing, []).append(shapes[0].with_(*shapes))
            drawing.scales[thing] = sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
    for child in element:
        _walk(child, matrix, drawing)


def _shapes(element: ET.Element, matrix: Matrix) -> Iterator[Area]:
    """Yields the areas of the shapes in a place, but for those of pieces and of other places."""
    for child in element:
        name = child.tag.rpartition("}")[2]
        inner = _times(matrix, child.get("transform"))
        if name in _SHAPES:
            yield _area(name, child.attrib, inner)
        elif name == "g" and not {"place", "piece"} & {*(child.get("class") or "").split()}:
            yield from _shapes(child, inner)


def _area(name: str, given: Mapping[str, str], matrix: Matrix) -> Area:
    if name == "path":
        numbers = [float(each) for each in _NUMBER.findall(given.get("d", ""))]
        xs, ys = numbers[::2], numbers[1::2]
    else:
        of = {key: float(given.get(key, 0)) for key in ("x", "y", "width", "height", "cx", "cy")}
        across = float(given.get("r", given.get("rx", 0)))
        down = float(given.get("r", given.get("ry", 0)))
        if name == "rect":
            xs, ys = [of["x"], of["x"] + of["width"]], [of["y"], of["y"] + of["height"]]
        else:
            xs, ys = [of["cx"] - across, of["cx"] + across], [of["cy"] - down, of["cy"] + down]
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (min(xs), max(xs)) for y in (min(ys), max(ys))]
    left_right = [a * x + c * y + e for x, y in corners]
    top_bottom = [b * x + d * y + f for x, y in corners]
    return Area(min(left_right), min(top_bottom), max(left_right), max(top_bottom))


def _times(matrix: Matrix, moves: str | None) -> Matrix:
    """Applies the `transform` of an element."""
    for name, text in _MOVE.findall(moves or ""):
        numbers = [float(each) for each in _NUMBER.findall(text)]
        a, b, c, d, e, f = matrix
        if name == "translate":
            x, y = (*numbers, 0.0)[:2]
            matrix = (a, b, c, d, a * x + c * y + e, b * x + d * y + f)
        elif name == "scale":
            x, y = numbers[0], numbers[-1]
            matrix = (a * x, b * x, c * y, d * y, e, f)
        # What is turned is turned in its place.
    return matrix
