"""Moves the hottest arrays into CUDA shared memory, interleaved by thread.

Local memory of a thread is interleaved, so neighbouring threads that access the same address are
served at once; with different entries of an array they are served one by one. Shared memory, with
the entries of neighbours side by side, serves all at once at any entry. But there is little of it.
So the arrays with the most accesses per byte are moved there, unless their address escapes.

Arrays in shared memory have addresses from `SHARED_BASE` on, `SHARED_SPACING` from each other, so
that no index leads from one to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawspeaker.machines.compiled.runtime.plan import LONG, Plan
from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import expressions, rebuilt, statements, with_bodies
from lawspeaker.machines.native.dead_stores import MemoryRange
from lawspeaker.machines.native.memory_profile import MemoryRegions, accesses_of

SHARED_BASE = 1 << 30
"""The first address of shared memory, beyond all others."""
SHARED_SPACING = 1 << 18
"""The distance between the addresses of two arrays."""
BEHIND = 1 << 17
"""The offset of the first entry of an array: entry 0 of an array that is numbered from another
number on would be before that."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array in shared memory: its offset, its bytes, and the bytes of an entry."""

    at: int
    size: int
    width: int


@dataclass(frozen=True, slots=True)
class SharedArrays:
    """The arrays in shared memory. `size`: of all together. `part`: their share of all accesses."""

    arrays: tuple[Array, ...] = ()
    size: int = 0
    part: float = 0.0


@dataclass(frozen=True, slots=True)
class SharedRegions:
    """The regions to move; `numbers`: the array that each becomes."""

    rooms: MemoryRegions
    shared: SharedArrays
    numbers: Mapping[MemoryRange, int]


def choose(
    module: Module, plan: Plan, accesses: Mapping[MemoryRange, int], room: int
) -> SharedRegions:
    """Chooses the regions with the most accesses per byte, as far as they fit."""
    rooms = MemoryRegions(plan)
    widths = _movable(module, plan, rooms)
    chosen: list[Array] = []
    numbers: dict[MemoryRange, int] = {}
    at = 0
    for each in sorted(widths, key=lambda each: accesses.get(each, 0) / _whole(each), reverse=True):
        if accesses.get(each, 0) and at + _whole(each) <= room:
            numbers[each] = len(chosen)
            chosen.append(Array(at, each[1] - each[0], widths[each]))
            at += _whole(each)
    part = sum(accesses[each] for each in numbers) / max(1, sum(accesses.values()))
    return SharedRegions(rooms, SharedArrays(tuple(chosen), at, part), numbers)


def move(module: Module, plan: Plan, choice: SharedRegions) -> None:
    """Redirects all accesses of the chosen regions."""
    moving = _Moving(choice, plan.options)
    for function in module.functions:
        function.body = moving.body(function.body)


def _whole(room: MemoryRange) -> int:
    """Returns the size of a region, rounded up to words of 64 bits."""
    return -(-(room[1] - room[0]) // LONG) * LONG


def _movable(module: Module, plan: Plan, rooms: MemoryRegions) -> dict[MemoryRange, int]:
    """Returns the regions that can be moved, and the bytes of their entries."""
    touched = _Touched(plan, rooms)
    for function in module.functions:
        for each in statements(function.body):
            touched.note(each)
    touched.taken |= {each.first for each in module.globals}
    return {
        room: min(widths)
        for room, widths in touched.widths.items()
        if len(widths) == 1
        and room not in touched.shut
        and not (room in touched.copied and LONG in widths)  # pointers are only word-aligned
        and not any(room[0] <= address < room[1] for address in touched.taken)
    }


class _Touched:
    """Escape analysis of regions. `widths`: the access sizes by column. `shut`: regions that may be
    accessed otherwise. `taken`: constants that may be addresses. `copied`: regions copied to a
    pointer."""

    def __init__(self, plan: Plan, rooms: MemoryRegions) -> None:
        self._rooms, self._first, self._tables = rooms, plan.arena, plan.options
        # The host reads the parts of a record.
        self._records = range(plan.records, plan.records + plan.sizes.records)
        self.widths: dict[MemoryRange, set[int]] = defaultdict(set)
        self.shut = {*rooms.over(self._records.start, self._records.stop)}
        self.taken: set[float] = set()
        self.copied: set[MemoryRange] = set()

    def note(self, statement: m.Statement) -> None:
        """Records the memory accesses of a statement."""
        for place in accesses_of(statement):
            self._look(place)
        if _filled(statement, self._tables) is not None:
            return
        read = _read(statement, self._rooms)
        if read is not None:
            self.copied.add(read[0])
        elif isinstance(statement, m.Copy | m.Clear):
            self._shut_copied(statement)
        parts = expressions(statement) if read is None else [statement.parts()[0]]
        self.taken |= {part.value for part in parts if isinstance(part, m.Const)}

    def _look(self, place: m.Load) -> None:
        room = self._rooms.of(place)
        if room is not None:
            self.widths[room].add(place.bytes)
            if room[0] - place.offset > BEHIND:
                self.shut.add(room)  # its entry 0 would be below the address range
        elif self._first <= place.offset < self._tables and place.offset not in self._records:
            # It might be any array of its name; without a name, any nameless one.
            named = self._rooms.named.get(place.column, [])
            self.shut |= {*(named if len(named) > 1 else self._rooms.nameless)}

    def _shut_copied(self, statement: m.Copy | m.Clear) -> None:
        """Excludes regions that are copied or cleared together with others."""
        *places, size = statement.parts()
        if isinstance(size, m.Const):
            for each in places:
                if isinstance(each, m.Const):
                    start = int(each.value)
                    self.shut |= {*self._rooms.over(start, start + int(size.value))}


def _filled(statement: m.Statement, tables: int) -> tuple[int, int, int] | None:
    """Returns destination, source and size of a copy from the tables, or a clear, if they are
    constant."""
    match statement:
        case m.Copy(
            to=m.Const(value=int() as to),
            source=m.Const(value=int() as source),
            size=m.Const(value=int() as size),
        ) if source >= tables:
            return to, source, size
        case m.Clear(at=m.Const(value=int() as to), size=m.Const(value=int() as size)):
            return to, 0, size
    return None


def _read(statement: m.Statement, rooms: MemoryRegions) -> tuple[MemoryRange, int] | None:
    """Returns the region from which a part is copied to a pointer, and the source address."""
    match statement:
        case m.Copy(
            to=to, source=m.Const(value=int() as source), size=m.Const(value=int() as size)
        ) if not isinstance(to, m.Const):
            for room in rooms.over(source, source + 1):
                if source + size <= room[1]:
                    return room, source
    return None


class _Moving:
    """Rewrites memory accesses to the new addresses."""

    def __init__(self, choice: SharedRegions, tables: int) -> None:
        self._rooms, self._numbers, self._tables = choice.rooms, choice.numbers, tables

    def body(self, body: m.Statements) -> m.Statements:
        return [each for statement in body for each in self._moved(statement)]

    def _moved(self, statement: m.Statement) -> Iterator[m.Statement]:
        filled, read = _filled(statement, self._tables), _read(statement, self._rooms)
        if filled is not None:
            to, source, size = filled
            for low, high, at in self._parts(to, to + size):
                if isinstance(statement, m.Copy):
                    yield m.Copy(m.const(at), m.const(source + low - to), m.const(high - low))
                else:
                    yield m.Clear(m.const(at), m.const(high - low))
        elif isinstance(statement, m.Copy) and read is not None and read[0] in self._numbers:
            yield m.Copy(
                self._change(statement.to), m.const(self._moved_address(*read)), statement.size
            )
        else:
            made = with_bodies(rebuilt(statement, self._change), self.body)
            yield (
                m.Store(self._place(made.target), made.value) if isinstance(made, m.Store) else made
            )

    def _change(self, expr: m.Expr) -> m.Expr:
        expr = rebuilt(expr, self._change)
        return self._place(expr) if isinstance(expr, m.Load) else expr

    def _place(self, place: m.Load) -> m.Load:
        room = self._rooms.of(place)
        if room is None or room not in self._numbers:
            return place
        offset = self._moved_address(room, place.offset)
        return m.Load(place.type, place.bytes, place.address, offset, place.column, place.signed)

    def _moved_address(self, room: MemoryRange, address: int) -> int:
        """Returns the new address of a byte of a region."""
        return SHARED_BASE + SHARED_SPACING * self._numbers[room] + BEHIND + address - room[0]

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Splits an address range by region, with the new address of each part."""
        for room in self._rooms.over(start, end):
            if room in self._numbers:
                low, high = max(room[0], start), min(room[1], end)
                if start < low:
                    yield start, low, start
                yield low, high, self._moved_address(room, low)
                start = high
        if start < end:
            yield start, end, start
