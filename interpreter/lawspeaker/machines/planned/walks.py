"""Planning pass for walks: `InField`, `InRun`, `ToTheEdge` or `Stepwise`.

    squares north of start while empty        InField: the nearest occupied one is the lowest bit
    tiles to the right while there is one     InRun: a run of bits, on a board too large for words
    squares north of start where worth < 3    ToTheEdge: a table has the distance to the edge
    squares from start, across and upwards    Stepwise: the direction is not constant

The length of a walk of the first two sorts takes a few operations, without iterating.

Walks from one place in different directions are disjoint, and none returns to its start. So a line
through a place, the union of walks in two directions, needs no check for duplicates (`apart`). And
a set that is one walk, or empty, needs no list: start and length represent it (`is_line`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from lawspeaker import ir
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.condition_bits import Tops
from lawspeaker.machines.planned.definitions import Definitions
from lawspeaker.machines.planned.fields import Field, Fields, Step
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Sets

_LONGEST = 1 << 15
"""The largest grid that has a table of distances to the edge."""
_BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True)
class InField:
    """A walk that goes on as long as places are in a field of one word."""

    step: Step
    fields: Fields = field(repr=False)
    through: Field


@dataclass(frozen=True, slots=True)
class InRun:
    """A walk along columns or rows on a condition that is kept as bits."""

    step: Step
    tops: Tops = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToTheEdge:
    """A walk step by step, bounded by a table of distances."""

    step: Step


@dataclass(frozen=True, slots=True)
class Stepwise:
    """A walk step by step, by columns and rows."""


Walked = InField | InRun | ToTheEdge | Stepwise


class Walks:
    """Plans the walks of one program."""

    def __init__(self, known: Analyses, sets: Sets, definitions: Definitions) -> None:
        self.known = known
        self.sets = sets
        self.definitions = definitions

    def walked(self, walk: ir.Walk, names: Names) -> Walked:
        """Plans one walk."""
        step, places = self._step(walk, names), self.known.places[walk.family]
        if step is None:
            return Stepwise()
        if places.runs:
            tops = self.known.going.tops(walk)
            if tops in places.runs and tops is not None and step in _BESIDE:
                return InRun(step, tops)
        elif places.indexed and places.words == 1 and step != (0, 0) and walk.binder.where:
            everywhere = self.sets.everywhere(places, names)
            through = everywhere.field(walk.binder.slot, walk.binder.where)
            if through is not None:
                return InField(step, everywhere.fields, through)
        return ToTheEdge(step) if places.size <= _LONGEST else Stepwise()

    def _step(self, walk: ir.Walk, names: Names) -> Step | None:
        """Returns the step of a walk, if it is constant."""
        meant, constant = self.known.rewriting.meant, self.known.folder.constant
        match [constant(meant(each, names.meanings)) for each in (walk.across, walk.down)]:
            case [(int(across),), (int(down),)]:
                return across, down
        return None

    # ------------------------------------------------------------ lines

    def apart(self, union: ir.Combine, names: Names) -> list[ir.Expr] | None:
        """Returns the disjoint parts of a union; None if they may overlap."""
        starts: set[int] = set()
        steps: list[Step] = []
        found = 0
        parts = [self.known.rewriting.as_written(part) for part in _parts(union)]
        for part in parts:
            match part:
                case ir.Walk(binder=ir.Binder(source=ir.Local(slot=slot))):
                    starts.add(slot)
                    step = self._step(part, names)
                    if step is None:
                        return None
                    steps.append(step)
                case ir.ListOf(items=[ir.Local(slot=slot)]):
                    starts.add(slot)
                    found += 1
                case _:
                    return None
        if len(starts) != 1 or found > 1:
            return None
        meeting = any(_same_way(one, two) for one, two in combinations(steps, 2))
        return None if meeting else parts

    def is_line(self, several: ir.Expr, lets: Mapping[int, ir.Expr] | None = None) -> bool:
        """Returns whether a set is the places of one walk, or empty; `lets`: the local names of the
        definition it is the result of."""
        match several:
            case ir.Walk() | ir.ListOf(items=()):
                return True
            case ir.Local(slot=slot):
                let = (lets or {}).get(slot)
                return let is not None and isinstance(self.known.rewriting.as_written(let), ir.Walk)
            case ir.Conditional(then=then, otherwise=otherwise):
                return self.is_line(then, lets) and self.is_line(otherwise, lets)
            case ir.CallFunction(function=number):
                function = self.known.program.functions[number]
                opens = self.definitions.opens(number)
                return opens and self.is_line(function.result, dict(function.lets))
        return False


def _parts(union: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(union, ir.Combine) and not union.without:
        yield from _parts(union.left)
        yield from _parts(union.right)
    else:
        yield union


def _same_way(one: Step, two: Step) -> bool:
    """Returns whether two walks from one place may meet: they have the same direction, or one has
    none."""
    if (0, 0) in (one, two):
        return True
    crossed = one[0] * two[1] - one[1] * two[0]
    return crossed == 0 and one[0] * two[0] + one[1] * two[1] > 0
