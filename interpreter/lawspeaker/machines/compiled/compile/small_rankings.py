"""Rankings of a few: nothing is sorted; who comes next is looked for again and again.

A key of 64 bits is kept for each that may take part. The next group are those with the highest of
the keys below that of the group before. So it takes no branch that nobody can foresee.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.kept_sets import Bits
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.compiled.runtime.plan import LONG
from lawspeaker.machines.middle.forms import I64, Label, Variable, greater, long_at, select

MOST = 8
"""Among so many, at most, it is quicker than to sort."""
_NOT_THERE = -(2**63)
_FIRST = 2**63 - 1


def members(c: Code, deed: ir.Rank) -> range | None:
    """Those who may take part, if they are few and follow each other."""
    known = c.folder.constant(deed.binder.source)
    if known is None or not 0 < len(known[0]) <= MOST:
        return None
    seats = [int(each) for each in known[0]]
    if any(b != a + 1 for a, b in pairwise(seats)):
        return None
    return range(seats[0], seats[-1] + 1)


class SmallRanking:
    """The keys of those who take part, and the group whose turn it is: `tied`."""

    def __init__(self, c: Code, members: range) -> None:
        f = self.f = c.f
        self.members = members
        self._mask = f.variable("tied", I64)
        self.tied = Bits(members.start, wide.Words(self._mask))
        keys = c.reserve(2 * len(members))
        self._keys = [long_at(keys, LONG * number) for number in range(len(members))]
        self._first_key = keys
        for each in self._keys:
            f.set(each, _NOT_THERE)
        self._last = f.let("last", _FIRST, I64)

    def add(self, member: Variable, key: Variable, *, highest: bool) -> None:
        """A member takes part with a key."""
        wide = key.to_long(signed=True)
        place = long_at(self._first_key + ((member - self.members.start) << 3))
        self.f.set(place, wide if highest else 0 - wide)

    def following(self, none: Label) -> None:
        """Finds the next group; leaves if there is no more."""
        f, best = self.f, self.f.let("best", _NOT_THERE, I64)
        for each in self._keys:
            key = f.let("key", each)
            f.set(key, select(key < self._last, key, _NOT_THERE))
            f.set(best, greater(key, best))
        f.set(self._last, best)
        f.leave(none, best == _NOT_THERE)
        tied = ((key == best).to_long() << at for at, key in enumerate(self._keys))
        f.set(self._mask, reduce(or_, tied))
