"""Expands chosen subsets (a list and a mask) to lists of their own.

The highest bit stands for the first member. A mask of all bits is the whole list, however long.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime.lists import bytes_of
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Variable, long, word

_ALL = -1
_FIRST = 1 << 63


@routine("opened", returns=I32)
def opened(unit: Unit, f: Body, listed: Variable, mask: Long) -> None:
    """(list, mask) -> the list of the members chosen; the list itself if all are"""
    with f.if_(mask == _ALL):
        f.return_(listed)
    out = f.let("out", unit.kept)
    f.add(unit.kept, (mask.count_bits() + 1) << 2)
    f.do(copied(unit), listed, mask, out)
    f.return_(out)


@routine("copied")
def copied(unit: Unit, f: Body, listed: Variable, mask: Long, where: Variable) -> None:
    """(list, mask, address): stores the members chosen there"""
    with f.if_(mask == _ALL):
        f.copy(where, listed, bytes_of(listed))
        f.return_()
    f.set(word(where), mask.count_bits())
    with f.while_(mask != 0):
        first = f.let("first", mask.leading_zeros())
        f.add(where, 4)
        f.set(word(where), word(listed + (first << 2), 4))
        f.set(mask, mask ^ (long(_FIRST) >> first))
