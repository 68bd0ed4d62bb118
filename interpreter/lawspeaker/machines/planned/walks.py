"""The pass that plans how walks are gone through: `InField`, `InRun`, `ToTheEdge` or `Stepwise`.

    squares north of start while empty        InField: the nearest that is taken is the lowest bit
    tiles to the right while there is one     InRun: bits in a row, on a board too large for words
    squares north of start where worth < 3    ToTheEdge: a table tells how far it leads at most
    squares from start, across and upwards    Stepwise: nothing is known of where it leads

How long a walk of the first two sorts is takes a few operations, and no step.

Walks from one place in different directions never meet, and none comes back to where it began. So
a line through a place, put together from both sides of it, needs no look for members that are
there already (`apart`). And a set that is what one walk passes, or nothing, needs no list: it is
told by where it begins and how long it is (`is_line`).
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
"""Grids of up to so many places have a table of how far it is to the edge."""
_BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0))


@dataclass(frozen=True, slots=True)
class InField:
    """A walk that leads on as long as places are in a field of one word."""

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
    """A walk step by step, at most as far as a table says."""

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
        """How a walk is gone through."""
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
        """The step of a walk, if it is known beforehand."""
        meant, constant = self.known.rewriting.meant, self.known.folder.constant
        match [constant(meant(each, names.meanings)) for each in (walk.across, walk.down)]:
            case [(int(across),), (int(down),)]:
                return across, down
        return None

    # ------------------------------------------------------------ lines

    def apart(self, union: ir.Combine, names: Names) -> list[ir.Expr] | None:
        """The parts of a line; None when a member may be in two of them."""
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
        """Whether a set is what one walk passes, or nothing at all; `lets`: what names stand for in
        the defined value that it is the result of."""
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
    """Whether two walks from one place may meet: they go the same way, or one goes nowhere."""
    if (0, 0) in (one, two):
        return True
    crossed = one[0] * two[1] - one[1] * two[0]
    return crossed == 0 and one[0] * two[0] + one[1] * two[1] > 0
