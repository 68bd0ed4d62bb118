"""What is told of a field beforehand holds whatever lies on the board.

A field is worked out for random boards, in the slowest way: place by place. It must lie between its
limits for each place that it is told from, and where all is known its limits are the field itself.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PlaceType, PlayerType
from lawspeaker.machines.planned.fields import (
    AllIfAny,
    At,
    Before,
    Complement,
    Field,
    Fields,
    Fixed,
    HeldPlaces,
    Intersection,
    OccupiedPlaces,
    Passed,
    Shapes,
    Step,
    TabledField,
    Walked,
)
from lawspeaker.machines.planned.passes import planned
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout

STEPS: list[Step] = [(0, 1), (1, 0), (-1, -1), (1, -1), (-1, 2)]
HERE, OTHER = (
    ir.Local(PlaceType("square", 1), 7, "here"),
    ir.Local(PlaceType("square", 1), 8, "there"),
)
WHO = ir.Local(PlayerType(), 9, "who")


@pytest.fixture(scope="module")
def places() -> PlacesPlan:
    program = load("othello").program
    known = planned(Layout(program, 2), PLAYING).analyses.places
    return next(each for each in known if each.indexed)


class Board:
    """A situation: what is taken, what the player holds, and where the names stand."""

    def __init__(self, luck: Random, fields: Fields) -> None:
        self.fields = fields
        self.taken = luck.getrandbits(fields.places.size) & luck.getrandbits(fields.places.size)
        self.held = self.taken & luck.getrandbits(fields.places.size)
        first = fields.places.first
        self.names: dict[ir.Expr, int] = {}
        for name in (HERE, OTHER):
            self.names[name] = first + luck.randrange(fields.places.size)

    def next(self, place: int, step: Step) -> int | None:
        wide, high = self.fields.places.grid
        column, row = divmod(place, high)
        column, row = column + step[0], row + step[1]
        return column * high + row if 0 <= column < wide and 0 <= row < high else None

    def has(self, field: Field, at: int) -> bool:
        """Whether a place is in a field, worked out as the field is described."""
        match field:
            case Fixed(bits):
                return bool(bits >> at & 1)
            case OccupiedPlaces():
                return bool(self.taken >> at & 1)
            case HeldPlaces():
                return bool(self.held >> at & 1)
            case At(place):
                return self.names[place] - self.fields.places.first == at
            case TabledField((by,), masks):
                number = self.names[by.value] - by.domain.start
                return bool(masks[number] >> at & 1)
            case Complement(of):
                return not self.has(of, at)
            case AllIfAny(of):
                return any(self.has(of, each) for each in range(self.fields.places.size))
            case Intersection(parts):
                return all(self.has(part, at) for part in parts)
            case Before(step, to):
                there = self.next(at, step)
                return there is not None and self.has(to, there)
            case Walked(step, through, to, passing):
                walk = self.walk(at, step, through)
                return any(self.has(to, each) for each in (walk if passing else walk[-1:]))
            case Passed(step, through, start):
                begun = [e for e in range(self.fields.places.size) if self.has(start, e)]
                return any(at in self.walk(each, step, through) for each in begun)
        raise AssertionError(field)

    def walk(self, at: int, step: Step, through: Field) -> list[int]:
        found: list[int] = []
        there = self.next(at, step)
        while there is not None and self.has(through, there):
            found.append(there)
            there = self.next(there, step)
        return found

    def bits(self, field: Field) -> int:
        return sum(1 << at for at in range(self.fields.places.size) if self.has(field, at))


def invented(luck: Random, fields: Fields, depth: int) -> Field:
    """Some field or other."""
    if not depth:
        return luck.choice(
            [
                fields.taken(),
                fields.held(-1, WHO),
                fields.at(HERE),
                fields.at(OTHER),
                fields.fixed(luck.getrandbits(fields.places.size)),
            ]
        )
    one, two = (invented(luck, fields, depth - 1) for _ in range(2))
    step = luck.choice(STEPS)
    made: list[Callable[[], Field]] = [
        lambda: fields.all(one, two),
        lambda: fields.either(one, two),
        lambda: fields.other(one),
        lambda: fields.some(one),
        lambda: fields.before(step, one),
        lambda: fields.chosen(fields.some(one), one, two),
        lambda: fields.walked(step, one, two),
        lambda: fields.walked(step, one, two, passing=True),
        lambda: fields.passed(step, one, fields.at(HERE)),
    ]
    return luck.choice(made)()


def test_a_field_lies_between_its_limits(places: PlacesPlan) -> None:
    luck = Random(37)
    for _ in range(60):
        fields = Fields(places)
        field = invented(luck, fields, luck.randrange(4))
        table = fields.as_looked(fields.at(HERE))
        assert table is not None
        [by] = table.given
        low, high = fields.limits(field, by)
        support = fields.support(field)
        for _ in range(2):
            board = Board(luck, fields)
            bits, number = board.bits(field), board.names[HERE] - places.first
            assert low[number] & ~bits == 0
            assert bits & ~high[number] == 0
            assert bits & ~board.bits(support) == 0


def test_what_depends_on_one_place_alone_is_a_table(places: PlacesPlan) -> None:
    fields = Fields(places)
    leaps = [fields.before(step, fields.at(HERE)) for step in ((1, 2), (-1, 2), (2, 1))]
    joined = fields.either(*leaps)
    assert isinstance(joined, TabledField)
    board = Board(Random(3), fields)
    for at in range(places.size):
        board.names[HERE] = places.first + at
        wanted = sum(
            1 << each for each in range(places.size) if any(board.has(leap, each) for leap in leaps)
        )
        assert board.bits(joined) == wanted


def test_fields_of_one_shape_differ_in_names_only(places: PlacesPlan) -> None:
    shapes, fields, others = Shapes(), Fields(places), Fields(places)

    def lines(of: Fields, place: ir.Expr, step: Step = (0, 1)) -> Field:
        return of.passed(step, of.other(of.taken()), of.at(place))

    first, names = shapes.shape(fields, lines(fields, HERE))
    assert names == [HERE]
    assert shapes.shape(others, lines(others, OTHER)) == (first, [OTHER])
    assert shapes.shape(fields, lines(fields, HERE, (1, 0)))[0] != first
    assert shapes.shape(fields, fields.whether(ir.Compare(NUMBER, "=", HERE, OTHER)))[1] == [
        HERE,
        OTHER,
    ]
