"""Where a module looks: in which array, and how often in some games.

Everything has its room in the memory of a module (`Plan.rooms`). In which room a load or store
looks shows by its address, if that is known, and else by the name of its column. How often each is
looked at is counted by the module itself: a pass adds the counting, and some games are played with
that. Rounds of long loops are counted in the same games.
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
from lawspeaker.machines.native.calling import Calling
from lawspeaker.machines.native.meeting import long_loops
from lawspeaker.machines.native.unread import Stretch
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.position.fault import OutOfRoom, RuleFault
from lawspeaker.position.layout import Layout

_GAMES = 40
"""So many games show what is looked at most."""
_FEW, _ALIKE = 4, 0.03
"""Games go through loops equally often if there are some rounds, and no more than such a part of
them more or fewer than in others."""
_SCATTERED, _TOGETHER = 2, 1
"""What a look counts: neighbours who each look at another entry are served one by one, those who
look at the same at once."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen in some games. `looks`: how often they looked where. `alike`: whether all of
    them went through long loops about equally often."""

    looks: Mapping[Stretch, int]
    alike: bool


class Rooms:
    """Where everything lies that a game writes, but for options."""

    def __init__(self, plan: Plan) -> None:
        self.all = sorted(each for each in set(plan.rooms) if each[0] < each[1] <= plan.options)
        self._known = set(self.all)
        self.named: dict[str, list[Stretch]] = defaultdict(list)
        for name, stretch in plan.columns:
            self.named[name].append(stretch)
        self.nameless = self._known - {each for found in self.named.values() for each in found}

    def of(self, place: Load) -> Stretch | None:
        """The room of what is loaded or stored, if that shows: its address is known, or there is
        one array of its name."""
        if isinstance(place.address, Const):
            at = place.offset + int(place.address.value)
            return next(self.over(at, at + 1), None)
        named = self.named.get(place.column, ())
        if len(named) == 1 and named[0] in self._known and place.offset < named[0][1]:
            return named[0]
        return None

    def over(self, low: int, high: int) -> Iterator[Stretch]:
        """The rooms that lie in a stretch, or partly."""
        return (each for each in self.all if low < each[1] and each[0] < high)


def looked_at(statement: Statement) -> list[Load]:
    """What a statement reads and writes in memory, but for its bodies."""
    found = [each for each in expressions(statement) if isinstance(each, Load)]
    return [*found, statement.target] if isinstance(statement, Store) else found


def counted(layout: Layout, sizes: Sizes) -> Seen:
    """What is seen in games between random players."""
    rooms = len(Unit(layout, WATCHING, sizes).plan.rooms)
    more = replace(sizes, options=sizes.options + 16 * rooms)  # which lie behind all others
    compiled, module = formed(layout, WATCHING, more)
    rounds_at = compiled.plan.options + sizes.options
    loops = long_loops(module, Calling(module).deep)
    counting = _Counting(Rooms(compiled.plan), loops, rounds_at)
    for function in module.functions:
        function.body = counting.body(function.body)
    compiled.code = encoded(module, inlined=False)
    instance = Instance(compiled)
    rounds = [0]
    for number in range(_GAMES):
        with suppress(RuleFault, OutOfRoom):
            instance.play(0, number, 1)
        rounds.append(instance.word(rounds_at))
    each = [after - before for before, after in pairwise(rounds)]
    alike = fmean(each) >= _FEW and pstdev(each) <= _ALIKE * fmean(each)
    return Seen({room: instance.word(at) for room, at in counting.places.items()}, alike)


class _Counting:
    """Counts each look right before the statement that looks, and each round of some loops."""

    def __init__(self, rooms: Rooms, loops: Collection[Label], at: int) -> None:
        self._rooms, self._loops = rooms, loops
        self._rounds, self._at = word(at), at + 4
        self.places: dict[Stretch, int] = {}

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

    def _looks(self, statement: Statement) -> Mapping[Stretch, int]:
        found: dict[Stretch, int] = defaultdict(int)
        for each in looked_at(statement):
            room = self._rooms.of(each)
            if room is not None:
                known = isinstance(each.address, Const)
                found[room] += _TOGETHER if known else _SCATTERED
        return found
