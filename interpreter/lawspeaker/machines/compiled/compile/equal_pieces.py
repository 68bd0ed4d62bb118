"""Removes duplicates among indistinguishable pieces: the first stands for all."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import subsets
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, I64, Label, Variable, long, word


def like_the_one_before(c: Code, listed: Variable) -> Variable:
    """Returns a mask of the pieces in a list that look like their predecessor. The highest bit
    stands for the first."""
    f, looks = c.f, c.plan.table(c.layout.alike)
    equal, bit = f.let("equal", 0, I64), f.let("bit", long(1 << 63))
    last = f.let("last", -1)
    with f.each_listed("piece", listed) as piece:
        own = f.let("looks", looks[piece])
        f.set(equal, equal | (own == last).to_long() * bit)
        f.set(last, own)
        f.set(bit, bit >> 1)
    return equal


class Distinct:
    """Skips pieces that look like an earlier one. Sorted pieces are compared with the last one
    only."""

    def __init__(self, c: Code, binder: ir.Binder) -> None:
        self.c = c
        self.type = c.unit.questions.told_apart(binder)
        self._sorted = c.unit.questions.come_sorted(binder, c.names)
        self._room = c.unit.bounds.members(binder.source)
        self._last = c.local()

    def begin(self) -> None:
        f = self.c.f
        if self.type is None:
            return
        if self._sorted:
            f.set(self._last, -1)
        else:
            f.set(self._last, self.c.reserve(self._room))
            f.set(word(self._last), 0)

    def unless_new(self, piece: Variable, away: Label) -> None:
        """Branches to `away` if the piece looks like an earlier one."""
        f, c = self.c.f, self.c
        if self.type is None:
            return
        if self._sorted:
            looks = f.let("looks", c.plan.table(c.layout.alike)[piece])
            f.leave(away, looks == self._last)
            f.set(self._last, looks)
        else:
            f.leave(away, _noticed(c.unit, self.type)(self._last, piece))


@routine("noticed", returns=I32)
def _noticed(unit: Unit, of: int, f: Body, listed: Variable, piece: Variable) -> None:
    """(list, piece) -> whether the list has a piece that looks the same; else the piece is
    appended"""
    alike = subsets.look_alike(unit, of)
    with f.each_listed("other", listed) as other, f.if_(alike(other, piece)):
        f.return_(1)
    f.add(word(listed), 1)
    f.set(word(listed + (word(listed) << 2)), piece)
    f.return_(0)
