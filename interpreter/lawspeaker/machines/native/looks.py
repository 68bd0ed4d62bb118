"""Where a module looks: in which array, and how often in some games.

Everything has its room in the memory of a module (`Plan.rooms`). In which room a load or store
looks shows by its address, if that is known, and else by the name of its column. How often each is
looked at is counted by the module itself: a pass adds the counting, and some games are played with
that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from lawspeaker.machines.compiled import Instance, formed
from lawspeaker.machines.compiled.compiler import encoded
from lawspeaker.machines.compiled.plan import Plan, Sizes
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.middle.forms import (
    Const,
    Load,
    Statement,
    Statements,
    Store,
    word,
)
from lawspeaker.machines.middle.walk import expressions, with_bodies
from lawspeaker.machines.native.unread import Stretch
from lawspeaker.position.fault import OutOfRoom, RuleFault
from lawspeaker.position.layout import Layout

_GAMES = 40
"""So many games show what is looked at most."""
_SCATTERED, _TOGETHER = 2, 1
"""What a look counts: neighbours who each look at another entry are served one by one, those who
look at the same at once."""


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


def counted(layout: Layout, sizes: Sizes) -> dict[Stretch, int]:
    """How often games between random players look where."""
    rooms = len(Unit(layout, False, True, sizes).plan.rooms)
    more = replace(sizes, options=sizes.options + 16 * rooms)  # which lie behind all others
    compiled, module = formed(layout, stepping=False, watching=True, sizes=more)
    counting = _Counting(Rooms(compiled.plan), compiled.plan.options + sizes.options)
    for function in module.functions:
        function.body = counting.body(function.body)
    compiled.code = encoded(module, inlined=False)
    instance = Instance(compiled)
    for number in range(_GAMES):
        with suppress(RuleFault, OutOfRoom):
            instance.play(0, number, 1)
    return {room: instance.word(at) for room, at in counting.places.items()}


class _Counting:
    """Counts each look right before the statement that looks."""

    def __init__(self, rooms: Rooms, at: int) -> None:
        self._rooms, self._at = rooms, at
        self.places: dict[Stretch, int] = {}

    def body(self, body: Statements) -> Statements:
        found: Statements = []
        for each in body:
            for room, weight in self._looks(each).items():
                counter = word(self.places.setdefault(room, self._at + 4 * len(self.places)))
                found.append(Store(counter, counter + weight))
            found.append(with_bodies(each, self.body))
        return found

    def _looks(self, statement: Statement) -> Mapping[Stretch, int]:
        found: dict[Stretch, int] = defaultdict(int)
        for each in looked_at(statement):
            room = self._rooms.of(each)
            if room is not None:
                known = isinstance(each.address, Const)
                found[room] += _TOGETHER if known else _SCATTERED
        return found
