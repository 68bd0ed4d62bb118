"""Memory profiler: counts how often games access each array.

Every array is a region in the memory of a module (`Plan.rooms`). The region of a load or store
follows from its address, if that is constant, else from the name of its column. A pass instruments
the module with counters, which also count iterations of long loops; then some games are played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean, pstdev

from lawspeaker.machines.compiled import Instance, formed
from lawspeaker.machines.compiled.compile.compiler import encoded
from lawspeaker.machines.compiled.runtime.plan import Plan, Sizes
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.forms import (
    Const,
    Label,
    Load,
    Loop,
    Statement,
    Statements,
    Store,
    word,
)
from lawspeaker.machines.middle.walk import expressions, with_bodies
from lawspeaker.machines.native.call_graph import Calling
from lawspeaker.machines.native.dead_stores import MemoryRange
from lawspeaker.machines.native.sync_points import long_loops
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.layout import Layout

_GAMES = 40
"""The number of games profiled."""
_FEW, _ALIKE = 4, 0.03
"""Games are alike if they have at least so many iterations of long loops on average, with at most
this relative standard deviation."""
_SCATTERED, _TOGETHER = 2, 1
"""Weights of an access: neighbouring threads with different entries are served one by one, those
with the same entry at once."""


@dataclass(frozen=True, slots=True)
class MemoryProfile:
    """A profile of some games. `accesses`: their number by region. `alike`: whether all games
    iterate long loops about equally often."""

    accesses: Mapping[MemoryRange, int]
    alike: bool


class MemoryRegions:
    """The memory regions that a game writes, except for options."""

    def __init__(self, plan: Plan) -> None:
        self.all = sorted(each for each in set(plan.rooms) if each[0] < each[1] <= plan.options)
        self._known = set(self.all)
        self.named: dict[str, list[MemoryRange]] = defaultdict(list)
        for name, stretch in plan.columns:
            self.named[name].append(stretch)
        self.nameless = self._known - {each for found in self.named.values() for each in found}

    def of(self, place: Load) -> MemoryRange | None:
        """Returns the region of a load or store, if it is known: its address is constant, or there
        is one array of its name."""
        if isinstance(place.address, Const):
            at = place.offset + int(place.address.value)
            return next(self.over(at, at + 1), None)
        named = self.named.get(place.column, ())
        if len(named) == 1 and named[0] in self._known and place.offset < named[0][1]:
            return named[0]
        return None

    def over(self, low: int, high: int) -> Iterator[MemoryRange]:
        """Yields the regions that overlap an address range."""
        return (each for each in self.all if low < each[1] and each[0] < high)


def accesses_of(statement: Statement) -> list[Load]:
    """Returns the memory accesses of a statement, without its nested bodies."""
    found = [each for each in expressions(statement) if isinstance(each, Load)]
    return [*found, statement.target] if isinstance(statement, Store) else found


def profiled(layout: Layout, sizes: Sizes) -> MemoryProfile:
    """Profiles games between random players."""
    rooms = len(Unit(layout, WATCHING, sizes).plan.rooms)
    more = replace(sizes, options=sizes.options + 16 * rooms)  # options come last
    compiled, module = formed(layout, WATCHING, more)
    rounds_at = compiled.plan.options + sizes.options
    loops = long_loops(module, Calling(module).deep)
    counting = _Counting(MemoryRegions(compiled.plan), loops, rounds_at)
    for function in module.functions:
        function.body = counting.body(function.body)
    compiled.code = encoded(module, inlined=False)
    instance = Instance(compiled)
    rounds = [0]
    for number in range(_GAMES):
        with suppress(RuleFault, OutOfMemory):
            instance.play(0, number, 1)
        rounds.append(instance.word(rounds_at))
    each = [after - before for before, after in pairwise(rounds)]
    alike = fmean(each) >= _FEW and pstdev(each) <= _ALIKE * fmean(each)
    return MemoryProfile({room: instance.word(at) for room, at in counting.places.items()}, alike)


class _Counting:
    """Instruments each memory access, right before its statement, and each iteration of some
    loops."""

    def __init__(self, rooms: MemoryRegions, loops: Collection[Label], at: int) -> None:
        self._rooms, self._loops = rooms, loops
        self._rounds, self._at = word(at), at + 4
        self.places: dict[MemoryRange, int] = {}

    def body(self, body: Statements) -> Statements:
        found: Statements = []
        for each in body:
            for room, weight in self._looks(each).items():
                counter = word(self.places.setdefault(room, self._at + 4 * len(self.places)))
                found.append(Store(counter, counter + weight))
            found.append(self._round(with_bodies(each, self.body)))
        return found

    def _round(self, statement: Statement) -> Statement:
        if not isinstance(statement, Loop) or statement.label not in self._loops:
            return statement
        return Loop(statement.label, [Store(self._rounds, self._rounds + 1), *statement.body])

    def _looks(self, statement: Statement) -> Mapping[MemoryRange, int]:
        found: dict[MemoryRange, int] = defaultdict(int)
        for each in accesses_of(statement):
            room = self._rooms.of(each)
            if room is not None:
                known = isinstance(each.address, Const)
                found[room] += _TOGETHER if known else _SCATTERED
        return found
