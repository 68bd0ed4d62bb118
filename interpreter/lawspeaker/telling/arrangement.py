"""Resolves the table layout for a seat: which places a part shows, and in which order.

This is the part that all front ends share, text or graphics. Everything is computed from a `View`,
so nothing hidden can be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import dist

from lawspeaker import ir
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout, Value
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.maps import joined_at

LARGE_GRID = 400
"""Of a grid with more places, only the part around its pieces is drawn."""


def default_table(program: ir.Program) -> ir.Show:
    """The layout of a game that declares none: markers, all places on the table, what each player
    has, and what is in the viewer's own hands."""
    shared: list[ir.Show] = []
    own = [ir.Show("score")]
    for number, marker in enumerate(program.markers):
        (own if marker.per_player else shared).append(ir.Show("marker", marker=number))
    rest: list[ir.Show] = []
    hands: list[ir.Show] = []
    joined = between(program)
    for number, family in enumerate(program.families):
        if number in joined.values():
            continue
        at: tuple[None, ...] = (None,) * len(family.indices)
        alike = len(program.pieces[family.holds].kinds) == 1
        told_apart = family.seen_by in ("everyone", ir.OTHERS) and not alike
        if len(family.indices) == 1 and family.indices[0].type == ir.PLAYER:
            style = "hand" if told_apart else "count"
            own.append(ir.Show("place", None, (), number, at, style))
            if family.seen_by == "owner":
                hands.append(ir.Show("place", None, (), number, at, "hand", own=True))
        else:
            laid_out = told_apart and family.arranged != "pile"
            style = (("row" if laid_out else "pile"), "row", "grid")[min(len(family.indices), 2)]
            if number in joined or isinstance(joined_at(program, family), ir.WordType):
                style = "grid" if family.grid else "map"
            rest.append(ir.Show("place", None, (), number, at, style, joined=joined.get(number)))
    flows = [ir.Show("flow", parts=tuple(parts)) for parts in (shared, rest)]
    return ir.Show("down", parts=(*flows, ir.Show("players", parts=tuple(own)), *hands))


def between(program: ir.Program) -> dict[int, int]:
    """By family of places, the family at the connections between them, if any: between the squares
    of a board, or between places at connected words."""
    found: dict[int, int] = {}
    for number, family in enumerate(program.families):
        of = joined_at(program, family)
        if isinstance(of, ir.PlaceType) and program.families[of.index].grid:
            found.setdefault(of.index, number)
        elif isinstance(of, ir.WordType):
            nodes = (
                at
                for at, each in enumerate(program.families)
                if [column.type for column in each.indices] == [of]
            )
            if (node := next(nodes, None)) is not None:
                found.setdefault(node, number)
    return found


def boards(view: View, shown: ir.Show) -> list[tuple[int, ir.Show]]:
    """The boards of a part that has one per player, by seat: the viewer's own first, then in order
    of play. Empty if players do not have boards."""
    if shown.family is None or shown.own or shown.style not in ("grid", "board"):
        return []
    family = view.layout.program.families[shown.family]
    at = next((at for at, each in enumerate(family.indices) if each.type == ir.PLAYER), None)
    if family.grows or at is None or len(free(shown)) < 2 or at not in free(shown):
        return []
    seats = view.layout.seats
    first = view.seat or 0
    found = []
    for seat in (*seats[first:], *seats[:first]):
        allowed = shown.at[at]
        if allowed is None or seat in allowed:
            fixed = (*shown.at[:at], (seat,), *shown.at[at + 1 :])
            found.append((seat, replace(shown, at=fixed, title=None)))
    return found


def chosen(view: View, labels: Labels, shown: ir.Show) -> list[int]:
    """The places of a family that are to be drawn."""
    assert shown.family is not None
    layout = view.layout
    if layout.program.families[shown.family].grows:
        allowed: Sequence[int] = _allowed(layout, shown, _near(view, shown.family))
    else:
        allowed = _all_allowed(layout, shown)
    return [
        place
        for place in allowed
        if (not shown.own or layout.place_owner[place] == view.seat)
        and (shown.only is None or labels.value(shown.only, place))
    ]


@lru_cache(maxsize=1024)
def _all_allowed(layout: Layout, shown: ir.Show) -> Sequence[int]:
    """The places of a family whose indices the layout allows. Cached, since it is the same for
    all."""
    return _allowed(layout, shown, layout.places_of[shown.family or 0])


def _allowed(layout: Layout, shown: ir.Show, places: Sequence[int]) -> list[int]:
    columns = layout.program.families[shown.family or 0].indices
    limits = [
        (at, columns[at], allowed) for at, allowed in enumerate(shown.at) if allowed is not None
    ]
    return [
        place
        for place in places
        if all(
            plain_index(layout, column, layout.place_indices[place][at]) in allowed
            for at, column, allowed in limits
        )
    ]


def _near(view: View, family: int) -> list[int]:
    """The places of an unbounded grid that lie around its pieces."""
    layout = view.layout
    used = [
        layout.place_indices[place]
        for place in view.contents
        if layout.place_family[place] == family
    ] or [(0, 0)]
    columns, rows = ([index[way] for index in used] for way in (0, 1))
    found = [
        layout.place(family, (column, row))
        for column in range(min(columns) - 1, max(columns) + 2)
        for row in range(min(rows) - 1, max(rows) + 2)
    ]
    return [place for place in found if place is not None]


def plain_index(layout: Layout, column: ir.Column, index: Value) -> Value:
    """The displayed index of a place; for a place as an index, that place's own index."""
    of = column.type
    while isinstance(of, ir.PlaceType):
        family = layout.program.families[of.index]
        if len(family.indices) != 1:
            return index
        of, index = family.indices[0].type, layout.place_indices[index][0]
    return index


def free(shown: ir.Show) -> list[int]:
    """The positions of a place's indices that the layout does not fix."""
    fixed = [allowed is not None and len(allowed) == 1 for allowed in shown.at]
    return [at for at, each in enumerate(fixed) if not each] or list(range(len(fixed)))


def numbers(view: View, shown: ir.Show, place: int, language: str) -> str:
    """The indices that distinguish a place from the others drawn with it, as text."""
    assert shown.family is not None
    layout = view.layout
    columns = layout.program.families[shown.family].indices
    indices = layout.place_indices[place]
    return " ".join(layout.name(columns[at].type, indices[at], language) for at in free(shown))


def count_is_visible(view: View, place: int) -> bool:
    """Whether the viewer may know the number of pieces in a place."""
    layout, seat = view.layout, view.seat
    seen = layout.sees(layout.seen[place], seat)
    return seen or layout.sees(layout.count_seen[place], seat)


@dataclass(frozen=True, slots=True)
class Grid:
    """Places as a table: the horizontal index, the vertical ones, and the place at each
    crossing."""

    across: ir.Column
    overs: list[Value]
    columns: tuple[ir.Column, ...]
    downs: list[tuple[Value, ...]]
    places: dict[tuple[Value, ...], int]
    """Places by their vertical indices, then the horizontal one."""

    def at(self, down: tuple[Value, ...], over: Value) -> int | None:
        return self.places.get((*down, over))


def grid(view: View, shown: ir.Show, places: list[int]) -> Grid:
    """Arranges places as a table; of very many, only those around the pieces."""
    assert shown.family is not None
    layout = view.layout
    family = layout.program.families[shown.family]
    # A grid has a column and a row; of other places the last index runs across.
    open_ = free(shown)
    way = open_[-2] if family.grid and len(open_) > 1 else open_[-1]
    across = family.indices[way]
    rest = [at for at in open_ if at != way]
    columns = tuple(family.indices[at] for at in rest)
    by_index: dict[tuple[Value, ...], int] = {}
    for place in places:
        indices = layout.place_indices[place]
        by_index[*(indices[at] for at in rest), indices[way]] = place
    downs = list(dict.fromkeys(index[:-1] for index in by_index))
    overs = list(dict.fromkeys(index[-1] for index in by_index))
    if family.grid:  # omitted places leave a gap, so that neighbours stay neighbours
        overs = list(range(min(overs), max(overs) + 1)) if overs else []
        if len(rest) == 1 and downs:
            rows = [row for (row,) in downs]
            downs = [(row,) for row in range(min(rows), max(rows) + 1)]
    if family.from_below:
        downs.reverse()
    used = [index for index, place in by_index.items() if place in view.contents]
    if used and len(by_index) > LARGE_GRID:
        downs = _around(downs, [index[:-1] for index in used])
        overs = _around(overs, [index[-1] for index in used])
    return Grid(across, overs, columns, downs, by_index)


@dataclass(frozen=True, slots=True)
class Board:
    """Places at coordinates from the layout, column and row from 0, and the pairs joined by a
    line."""

    places: dict[int, tuple[int, int]]
    joined: list[tuple[int, int]]

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
        columns, rows = zip(*self.places.values(), strict=True)
        return max(columns) + 1, max(rows) + 1


def board(view: View, shown: ir.Show, places: list[int]) -> Board:
    """Places at the coordinates of the layout, with their connections; a grid determines its
    own."""
    assert shown.family is not None
    layout = view.layout
    family = layout.program.families[shown.family]
    if family.grid:
        return _crossings(view, grid(view, shown, places))
    open_ = next((at for at, allowed in enumerate(shown.at) if allowed is None), 0)
    by_index = {layout.place_indices[place][open_]: place for place in places}
    lying = {
        by_index[index]: (column, row)
        for row, line in enumerate(shown.rows)
        for column, index in enumerate(line)
        if index is not None and index in by_index
    }
    first = layout.places_of[shown.family][0]
    pairs = [(first + a, first + b) for line in family.lines for a, b in pairwise(line)]
    return Board(lying, [(a, b) for a, b in pairs if a in lying and b in lying])


def _crossings(view: View, found: Grid) -> Board:
    """The places of a grid, each joined to the next in its row and in its column."""
    indices = view.layout.place_indices
    by_position = {
        (x, y): place
        for y, down in enumerate(found.downs)
        for x, over in enumerate(found.overs)
        if (place := found.at(down, over)) is not None
    }
    pairs = [
        (place, by_position[beside])
        for (x, y), place in by_position.items()
        for beside in ((x + 1, y), (x, y + 1))
        if beside in by_position
    ]
    joined = [(a, b) for a, b in pairs if dist(indices[a], indices[b]) == 1]
    return Board({place: at for at, place in by_position.items()}, joined)


def _around(indices: list[Value], used: list[Value]) -> list[Value]:
    """The slice of a list from one before the first used item to one after the last."""
    at = [indices.index(each) for each in used]
    return indices[max(min(at) - 1, 0) : max(at) + 2]
