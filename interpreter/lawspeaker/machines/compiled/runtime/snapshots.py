"""Saves and restores the regions of memory that a write set covers.

Regions consist of words of 64 bits; those that lie close together are one. Short ones are copied
word by word, since a copy of memory is a call; but not on a GPU, where `native/shared_memory` moves
arrays and follows only copies of memory across several of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.machines.compiled.runtime.plan import LONG, PlaceMemory, Plan
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Expr, Variable, const, long_at
from lawspeaker.machines.planned.supposed import WriteSet

Region = tuple[int, int]
"""The addresses of the begin and the end."""
Regions = tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot that several hypothetical executions share: its regions, the memory set aside for
    it, and whether it is taken already."""

    regions: Regions
    aside: Variable
    taken: Variable


_GAP = 32
"""Regions with so few bytes between them are copied together."""
_SHORT = 32
"""A region of at most so many bytes is copied word by word."""


def regions(plan: Plan, written: WriteSet) -> Regions:
    """Returns the regions of memory that a write set covers, in order."""
    found: list[Region] = []
    words = ((start & -LONG, -(-end // LONG) * LONG) for start, end in _parts(plan, written))
    for start, end in sorted(words):
        if found and start <= found[-1][1] + _GAP:
            found[-1] = found[-1][0], max(end, found[-1][1])
        elif start < end:
            found.append((start, end))
    return tuple(found)


def size(regions: Regions) -> int:
    """Returns the bytes of several regions."""
    return sum(end - start for start, end in regions)


def within(regions: Regions, others: Regions) -> bool:
    """Returns whether regions are parts of others."""
    return all(any(a <= start and end <= b for a, b in others) for start, end in regions)


def save(unit: Unit, f: Body, regions: Regions, aside: Expr) -> None:
    """Copies regions to memory set aside."""
    for (start, end), at in _beside(regions, regions):
        _copy(unit, f, aside + at, const(start), end - start)


def restore(unit: Unit, f: Body, regions: Regions, snapshot: Snapshot) -> None:
    """Copies regions back from a snapshot of these and perhaps others."""
    for (start, end), at in _beside(regions, snapshot.regions):
        _copy(unit, f, const(start), snapshot.aside + at, end - start)


def _beside(regions: Regions, saved: Regions) -> Iterator[tuple[Region, int]]:
    """Yields each region with its offset in the memory set aside."""
    for start, end in regions:
        at = 0
        for first, last in saved:
            if first <= start and end <= last:
                yield (start, end), at + start - first
            at += last - first


def _copy(unit: Unit, f: Body, to: Expr, source: Expr, size: int) -> None:
    if size > _SHORT or unit.plan.sizes.together:
        f.copy(to, source, size)
        return
    for at in range(0, size, LONG):
        f.set(long_at(to, at), long_at(source, at))


def _parts(plan: Plan, written: WriteSet) -> Iterator[Region]:
    layout = plan.layout
    for marker in written.markers:
        first = plan.markers + 4 * layout.marker_at[marker]
        yield first, first + 4 * layout.entries_of(plan.program.markers[marker])
    for piece, state in written.states:
        column, own = plan.first_column(piece, state), layout.pieces_of[piece]
        entries = layout.entries_of(plan.program.pieces[piece].states[state])
        if own:
            first = column.address(own[0])
            yield first, first + column.width * entries * len(own)
    if written.scoring:
        yield plan.scores, plan.scores + 4 * layout.players
    touched = written.moved | {piece for piece, _ in written.states}
    for piece in written.moved:
        own = layout.pieces_of[piece]
        for column in (plan.where, plan.below, plan.above) if own else ():
            yield column.address(own[0]), column.address(own[-1] + 1)
    for family in plan.families:
        if family.of.holds in touched:
            yield family.own
        if family.of.holds in written.moved and family.size:
            yield from _places(family)
    if plan.purpose.watching:
        yield from _counters(plan, written)
    if any(family.loose is not None for family in plan.families):
        yield plan.waiting.base, plan.heads.base


def _places(family: PlaceMemory) -> Iterator[Region]:
    """Yields the entries of a family in the arrays of places."""
    columns = [family.masks] if family.masked else [family.top, family.bottom, family.count]
    for column in (*columns, family.shuffles, family.under, family.loose):
        if column is not None:
            yield column.address(family.first), column.address(family.first + family.size)


def _counters(plan: Plan, written: WriteSet) -> Iterator[Region]:
    """Yields the counters of a watched game."""
    yield plan.changes, plan.changes + 4
    for clause in written.called:
        yield plan.times + 4 * clause, plan.times + 4 * clause + 4
    for clause in written.scoring:
        row = 4 * max(1, plan.layout.players)
        yield plan.points + row * clause, plan.points + row * (clause + 1)
