"""Draws networks as maps: positions of nodes, and the connections between them.

A map is laid out by the rules (`laid out`), or automatically, so that distances approximate path
lengths (stress majorization, Gansner and others 2004). Either way it is the same for every viewer
and throughout a game.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin

from lawspeaker import ir
from lawspeaker.position.layout import Layout

Point = tuple[float, float]

WORK = 400_000
"""The maximal number of node pairs visited to lay out a map."""
ROUNDS = 300
CLOSE = 0.45
"""The least distance between two nodes, in lengths of a connection."""


@dataclass(frozen=True, slots=True)
class Road:
    """A connection on a map: its word (`of`, `value`), the nodes it joins, the place at it if any,
    and the bend, from -1 to 1, that separates parallel connections."""

    of: ir.WordType
    value: int
    one: int
    other: int
    place: int | None
    bend: float


@dataclass(frozen=True, slots=True)
class Map:
    """`of` is the type at the nodes; `points` are their coordinates, from the upper left corner,
    with a connection about 1 long; `places` are the places at each node."""

    of: ir.WordType
    points: dict[int, Point]
    places: dict[int, tuple[int, ...]]
    roads: tuple[Road, ...]

    @property
    def size(self) -> Point:
        return (
            max((x for x, _ in self.points.values()), default=0.0),
            max((y for _, y in self.points.values()), default=0.0),
        )


def map_of(layout: Layout, shown: ir.Show, places: Sequence[int]) -> Map:
    """The map for a part of the table: of `places` at the nodes of a network, or at its
    connections."""
    program = layout.program
    own = open_word(program, shown)
    assert own is not None
    at = next(at for at, allowed in enumerate(shown.at) if allowed is None)
    by_word = {layout.place_indices[place][at]: place for place in places}
    network = program.word_sets[own.index].network
    if network is not None:
        joins = program.networks[network].joins
        assert isinstance(joins, ir.WordType)
        roads = _roads(layout, [(own, by_word)], only_places=True)
        return _laid_out(layout, joins, shown, {}, roads)
    if shown.joined is not None:
        (column,) = program.families[shown.joined].indices
        assert isinstance(column.type, ir.WordType)
        lanes = {layout.place_indices[each][0]: each for each in layout.places_of[shown.joined]}
        roads = _roads(layout, [(column.type, lanes)], only_places=True)
    else:
        roads = _roads(layout, [(each, {}) for each in networks_of(program, own)])
    families = [layout.places_of[family] for family in shown.others]
    there = [by_word, *({layout.place_indices[p][0]: p for p in each} for each in families)]
    nodes = {
        node: tuple(each[node] for each in there if node in each)
        for node in dict.fromkeys(node for each in there for node in each)
    }
    return _laid_out(layout, own, shown, nodes, roads)


def open_word(program: ir.Program, shown: ir.Show) -> ir.WordType | None:
    """The type of words that index the places of a part of the table."""
    columns = program.families[shown.family or 0].indices
    open_ = [c.type for c, allowed in zip(columns, shown.at, strict=True) if allowed is None]
    return open_[0] if len(open_) == 1 and isinstance(open_[0], ir.WordType) else None


def joined_at(program: ir.Program, family: ir.Family) -> ir.Type | None:
    """The type of things joined by the connections that a family of places is at, if it is."""
    if len(family.indices) != 1 or not isinstance(family.indices[0].type, ir.WordType):
        return None
    number = program.word_sets[family.indices[0].type.index].network
    return None if number is None else program.networks[number].joins


def ends_of(layout: Layout, family: int) -> tuple[tuple[int, ...], ...]:
    """The ends of each connection that a family of places is at: places on a board, and words
    otherwise."""
    program = layout.program
    (column,) = program.families[family].indices
    assert isinstance(column.type, ir.WordType)
    number = program.word_sets[column.type.index].network
    assert number is not None
    network = program.networks[number]
    first = layout.domain(network.joins)[0]
    return tuple(tuple(first + end for end in ends) for ends in network.ends)


def only_number(program: ir.Program, of: ir.WordType, value: int) -> int | None:
    """The single numeric attribute of a word, if there is exactly one."""
    words = program.word_sets[of.index]
    found = [
        each
        for column, each in zip(
            words.columns, words.rows[value] if words.rows else (), strict=False
        )
        if isinstance(column.type, ir.NumberType) and isinstance(each, int)
    ]
    return found[0] if len(found) == 1 else None


def networks_of(program: ir.Program, of: ir.WordType) -> list[ir.WordType]:
    """The sets of words that connect the words of a set."""
    return [
        ir.WordType(words.name, number)
        for number, words in enumerate(program.word_sets)
        if words.network is not None and program.networks[words.network].joins == of
    ]


def _roads(
    layout: Layout,
    networks: Sequence[tuple[ir.WordType, dict[int, int]]],
    only_places: bool = False,
) -> list[Road]:
    found = []
    for of, places in networks:
        number = layout.program.word_sets[of.index].network
        assert number is not None
        for value, (one, other) in enumerate(layout.program.networks[number].ends):
            place = places.get(value)
            if place is not None or not only_places:
                found.append(Road(of, value, one, other, place, 0.0))
    return _bent(found)


def _bent(roads: list[Road]) -> list[Road]:
    """Assigns bends, so that parallel connections are drawn apart."""
    pairs = [frozenset((road.one, road.other)) for road in roads]
    many, before = Counter(pairs), Counter[frozenset[int]]()
    found = []
    for road, pair in zip(roads, pairs, strict=True):
        count, at = many[pair], before[pair]
        before[pair] += 1
        bend = 0.0 if count == 1 else 2 * at / (count - 1) - 1
        away = bend if road.one == min(pair) else -bend
        found.append(Road(road.of, road.value, road.one, road.other, road.place, away))
    return found


def _laid_out(
    layout: Layout,
    of: ir.WordType,
    shown: ir.Show,
    places: dict[int, tuple[int, ...]],
    roads: list[Road],
) -> Map:
    written = {
        value: (float(x), float(y))
        for y, row in enumerate(shown.rows)
        for x, value in enumerate(row)
        if value is not None
    }
    joined = {(min(road.one, road.other), max(road.one, road.other)) for road in roads}
    count = len(layout.domain(of))
    points = written or dict(enumerate(arranged(count, tuple(sorted(joined)))))
    if places and not written:
        points = {value: point for value, point in points.items() if value in places}
    kept = tuple(road for road in roads if road.one in points and road.other in points)
    return Map(of, points, places, kept)


# ---------------------------------------------------------------- automatic layout


@lru_cache(maxsize=256)
def arranged(count: int, joined: tuple[tuple[int, int], ...]) -> tuple[Point, ...]:
    """Coordinates for a number of nodes, given their connections."""
    apart = _apart(count, joined)
    points = [
        (count / 6 * cos(2 * pi * at / count), count / 6 * sin(2 * pi * at / count))
        for at in range(count)
    ]
    for _ in range(min(ROUNDS, WORK // max(count * count, 1))):
        points = _majorized(points, apart)
    return _shifted(_spread(_turned(points)))


def _apart(count: int, joined: tuple[tuple[int, int], ...]) -> list[list[float]]:
    """Path lengths between all nodes; disconnected parts get a distance that puts them side by
    side."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for one, other in joined:
        beside[one].append(other)
        beside[other].append(one)
    far = max(2.0, count**0.5)
    found = []
    for start in range(count):
        away = {start: 0}
        queue = deque([start])
        while queue:
            node = queue.popleft()
            for each in beside[node]:
                if each not in away:
                    away[each] = away[node] + 1
                    queue.append(each)
        found.append([float(away.get(each, far)) for each in range(count)])
    return found


def _majorized(points: list[Point], apart: list[list[float]]) -> list[Point]:
    """One round: each node moves to the weighted mean of where the others want it."""
    found = []
    for here, (x, y) in enumerate(points):
        wide = high = weight = 0.0
        for there, (a, b) in enumerate(points):
            if here == there:
                continue
            ideal = apart[here][there]
            long = hypot(x - a, y - b) or 1e-9
            share = 1 / (ideal * ideal)
            wide += share * (a + ideal * (x - a) / long)
            high += share * (b + ideal * (y - b) / long)
            weight += share
        found.append((wide / weight, high / weight) if weight else (x, y))
    return found


def _turned(points: list[Point]) -> list[Point]:
    """Rotates the map so that its main axis is horizontal."""
    if not points:
        return points
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    moved = [(x - middle[0], y - middle[1]) for x, y in points]
    across = sum(x * x for x, _ in moved)
    down = sum(y * y for _, y in moved)
    both = sum(x * y for x, y in moved)
    turn = -atan2(2 * both, across - down) / 2
    return [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in moved]


def _spread(points: list[Point]) -> list[Point]:
    """Enlarges the map if two nodes are too close."""
    closest = min(
        (hypot(x - a, y - b) for at, (x, y) in enumerate(points) for a, b in points[:at]),
        default=CLOSE,
    )
    larger = min(2.0, max(1.0, CLOSE / max(closest, 0.05)))
    return [(x * larger, y * larger) for x, y in points]


def _shifted(points: list[Point]) -> tuple[Point, ...]:
    if not points:
        return ()
    left, top = min(x for x, _ in points), min(y for _, y in points)
    return tuple((round(x - left, 4), round(y - top, 4)) for x, y in points)
