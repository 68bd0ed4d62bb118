"""Rankings of a few members, by repeated selection instead of sorting.

Each candidate has a key of 64 bits. The next group has the highest of the keys below that of the
group before. The search has no unpredictable branch.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Bits
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.compiled.runtime.plan import LONG
from lawspeaker.machines.middle.forms import I64, Label, Variable, greater, long_at, select

MOST = 8
"""Up to so many members, selection is faster than sorting."""
_NOT_THERE = -(2**63)
_FIRST = 2**63 - 1


def members(c: Code, statement: ir.Rank) -> range | None:
    """Returns the possible members, if they are few and consecutive."""
    known = c.folder.constant(statement.binder.source)
    if known is None or not 0 < len(known[0]) <= MOST:
        return None
    seats = [int(each) for each in known[0]]
    if any(b != a + 1 for a, b in pairwise(seats)):
        return None
    return range(seats[0], seats[-1] + 1)


class SmallRanking:
    """The keys of the members, and the current group: `tied`."""

    def __init__(self, c: Code, members: range) -> None:
        f = self.f = c.f
        self.members = members
        self._mask = f.variable("tied", I64)
        self.tied = Bits(members.start, wide.WideBits(self._mask))
        keys = c.reserve(2 * len(members))
        self._keys = [long_at(keys, LONG * number) for number in range(len(members))]
        self._first_key = keys
        for each in self._keys:
            f.set(each, _NOT_THERE)
        self._last = f.let("last", _FIRST, I64)

    def add(self, member: Variable, key: Variable, *, highest: bool) -> None:
        """Adds a member with a key."""
        wide = key.to_long(signed=True)
        place = long_at(self._first_key + ((member - self.members.start) << 3))
        self.f.set(place, wide if highest else 0 - wide)

    def following(self, none: Label) -> None:
        """Selects the next group; branches to `none` if there is no more."""
        f, best = self.f, self.f.let("best", _NOT_THERE, I64)
        for each in self._keys:
            key = f.let("key", each)
            f.set(key, select(key < self._last, key, _NOT_THERE))
            f.set(best, greater(key, best))
        f.set(self._last, best)
        f.leave(none, best == _NOT_THERE)
        tied = ((key == best).to_long() << at for at, key in enumerate(self._keys))
        f.set(self._mask, reduce(or_, tied))
