"""Rankings of a few: nothing is sorted; who comes next is looked for again and again.

A key of 64 bits is kept for each that may take part. The next group are those with the highest of
the keys below that of the group before. So it takes no branch that nobody can foresee.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from lawspeaker import ir
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Bits
from lawspeaker.machines.middle.forms import Variable

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
        self.c = c
        self.members = members
        self._mask = c.long()
        self.tied = Bits(members.start, self._mask)
        self._keys = c.reserve(2 * len(members))
        self._last, self._best = c.long(), c.long()
        for number in range(len(members)):
            c.b.get(self._keys)
            c.b.long(_NOT_THERE)
            c.b.store(8 * number, "i64.store")
        c.b.long(_FIRST)
        c.b.set(self._last)

    def add(self, member: Variable, key: Variable, *, highest: bool) -> None:
        """The member in a local takes part, with the key in another."""
        b = self.c.b
        b.get(self._keys)
        b.get(member)
        b.const(self.members.start)
        b.op("i32.sub")
        b.const(3)
        b.op("i32.shl", "i32.add")
        if not highest:
            b.long(0)
        b.get(key)
        b.op("i64.extend_i32_s")
        if not highest:
            b.op("i64.sub")
        b.store(0, "i64.store")

    def following(self, none: Callable[[], None]) -> None:
        """Finds the next group; `none` is done with 1 on the stack if there is no more."""
        b, key = self.c.b, self.c.long()
        b.long(_NOT_THERE)
        b.set(self._best)
        for number in range(len(self.members)):
            self._key(number)
            b.set(key)
            b.get(key)
            b.long(_NOT_THERE)
            b.get(key)
            b.get(self._last)
            b.op("i64.lt_s", "select")
            b.set(key)
            b.get(key)
            b.get(self._best)
            b.get(key)
            b.get(self._best)
            b.op("i64.gt_s", "select")
            b.set(self._best)
        b.get(self._best)
        b.tee(self._last)
        b.long(_NOT_THERE)
        b.op("i64.eq")
        none()
        for number in range(len(self.members)):
            self._key(number)
            b.get(self._best)
            b.op("i64.eq", "i64.extend_i32_u")
            if number:
                b.long(number)
                b.op("i64.shl", "i64.or")
        b.set(self._mask)

    def _key(self, number: int) -> None:
        self.c.b.get(self._keys)
        self.c.b.load(8 * number, "i64.load")
