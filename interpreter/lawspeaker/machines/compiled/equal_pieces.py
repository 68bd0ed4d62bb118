"""Pieces that nobody can tell apart: of those the first stands for all."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled import subsets
from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Listed
from lawspeaker.machines.compiled.masks import mask_of
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Variable, word


def type_told_apart(c: Code, binder: ir.Binder) -> int | None:
    """The type of the pieces to choose from, when some of them may look the same."""
    if not isinstance(binder.type, PieceType):
        return None
    pieces = c.layout.pieces_of[binder.type.index]
    if len({c.layout.alike[piece] for piece in pieces}) == len(pieces):
        return None
    return binder.type.index


def come_sorted(c: Code, binder: ir.Binder) -> bool:
    """Whether pieces come from a heap in which those that look the same follow each other: that is
    so if they have a kind and an owner, but no states."""
    if not isinstance(binder.type, PieceType) or c.program.pieces[binder.type.index].states:
        return False
    return isinstance(binder.source, ir.Contents) and mask_of(c, binder) is not None


def like_the_one_before(c: Code, listed: Variable) -> Variable:
    """A mask of the members of a list of pieces that look like the one before. The highest bit
    stands for the first."""
    b, equal, bit = c.b, c.long(), c.long()
    piece, looks, last = c.local(), c.local(), c.local()
    b.long(0)
    b.set(equal)
    b.long(-1 << 63)
    b.set(bit)
    b.const(-1)
    b.set(last)

    def look() -> None:
        b.get(piece)
        c.plan.table(c.layout.alike).load(b)
        b.tee(looks)
        b.get(last)
        b.op("i32.eq", "i64.extend_i32_u")
        b.get(bit)
        b.op("i64.mul")
        b.get(equal)
        b.op("i64.or")
        b.set(equal)
        b.get(looks)
        b.set(last)
        b.get(bit)
        b.long(1)
        b.op("i64.shr_u")
        b.set(bit)

    Listed(listed).each(c.f, piece, look)
    return equal


class Distinct:
    """Leaves out pieces that look like one that was there before. Where they come sorted it is
    enough to look at the last one."""

    def __init__(self, c: Code, binder: ir.Binder) -> None:
        self.c = c
        self.type = type_told_apart(c, binder)
        self._sorted = come_sorted(c, binder)
        self._room = c.unit.bounds.members(binder.source)
        self._last = c.local()

    def begin(self) -> None:
        if self.type is None:
            return
        b = self.c.b
        if self._sorted:
            b.const(-1)
            b.set(self._last)
        else:
            at = self.c.reserve(self._room)
            b.get(at)
            b.const(0)
            b.store()
            b.get(at)
            b.set(self._last)

    def unless_new(self, piece: Variable, away: Callable[[], None]) -> None:
        """Goes away if the piece looks like one that was there before."""
        if self.type is None:
            return
        b, c = self.c.b, self.c
        if self._sorted:
            looks = c.local()
            b.get(piece)
            c.plan.table(c.layout.alike).load(b)
            b.tee(looks)
            b.get(self._last)
            b.op("i32.eq")
            with b.if_():
                away()
            b.get(looks)
            b.set(self._last)
            return
        b.get(self._last)
        b.get(piece)
        b.call(_noticed(c.unit, self.type))
        with b.if_():
            away()


def _noticed(unit: Unit, of: int) -> Function:
    """(list, piece) -> whether the list has one that looks the same; else it is added"""

    def build(f: Body, listed: Variable, piece: Variable) -> None:
        alike = subsets.look_alike(unit, of)
        with f.each_listed("other", listed) as other, f.if_(alike(other, piece)):
            f.return_(1)
        f.add(word(listed), 1)
        f.set(word(listed + (word(listed) << 2)), piece)
        f.return_(0)

    return unit.built(("noticed", of), 2, 1, build)
