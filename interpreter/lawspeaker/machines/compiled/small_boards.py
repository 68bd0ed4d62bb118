"""Code for fields (see `planned.fields`): the bits of a word, worked out without a loop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_, or_

from lawspeaker import ir
from lawspeaker.ir.types import MaybeType, PlayerType
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.middle.forms import Expr, Variable, either, long, long_at
from lawspeaker.machines.planned.fields import (
    All,
    Before,
    Field,
    Fields,
    Fixed,
    Held,
    Other,
    Taken,
    Walked,
    shifted,
)


def bits_of(c: Code, fields: Fields, field: Field) -> Expr:
    """The bits of a field."""
    return _Writer(c, fields, field).bits(field)


def _plain(parts: Sequence[Field]) -> list[Field]:
    return [part.of if isinstance(part, Other) else part for part in parts]


class _Writer:
    """What is needed more than once has a name."""

    def __init__(self, c: Code, fields: Fields, field: Field) -> None:
        self.c = c
        self.fields = fields
        self.family = c.plan.families[fields.places.number]
        self._uses: dict[Field, int] = {}
        self._kept: dict[Field, Variable] = {}
        self._count(field)

    def _count(self, field: Field) -> None:
        self._uses[field] = self._uses.get(field, 0) + 1
        if self._uses[field] == 1:
            for part in self._needed(field):
                self._count(part)

    def _needed(self, field: Field) -> Sequence[Field]:
        """What has to be known to work a field out."""
        match field:
            case Other(of):
                return (of,)
            case All(parts):
                return _plain(parts)
            case Before(_, to):
                return (to,)
            case Walked(step, through, to) if to is self.fields.everywhere:
                return (self.fields.before(step, through),)
            case Walked(through=through):
                return (through, *_plain(self._ends(field)))
        return ()

    def _ends(self, walk: Walked) -> tuple[Field, ...]:
        """The fields to which all ends of a walk belong."""
        if walk.passing:
            return (walk.through, walk.to)
        ahead = self.fields.before(walk.step, walk.through)
        return (walk.through, walk.to, self.fields.other(ahead))

    def bits(self, field: Field) -> Expr:
        if field in self._kept:
            return self._kept[field]
        found = self._worked_out(field)
        if self._uses[field] > 1 and not isinstance(field, Fixed):
            found = self._kept[field] = self.c.f.let("field", found)
        return found

    def _worked_out(self, field: Field) -> Expr:
        fields = self.fields
        match field:
            case Fixed(bits):
                return long(bits)
            case Held(by, who):
                return self._held(by, who)
            case Other(of):
                return self.bits(of) ^ fields.whole
            case All(parts):
                return self._all(parts)
            case Before(step, to):
                return fields.reached_from(step, self.bits(to))
            case Walked(step, through, to) if to is fields.everywhere:
                return self.bits(fields.before(step, through))
            case Walked():
                return self._walked(field)
        assert isinstance(field, Taken)
        return self._taken()

    def _taken(self) -> Expr:
        return long_at(self.family.occupied)

    def _all(self, parts: tuple[Field, ...]) -> Expr:
        """What is left out comes last, so that the bits beyond the board do not matter."""
        kept = [self.bits(part) for part in parts if not isinstance(part, Other)]
        left_out = [self.bits(part.of) for part in parts if isinstance(part, Other)]
        if left_out:
            kept.append(reduce(or_, left_out) ^ (-1 if kept else self.fields.whole))
        return reduce(and_, kept)

    def _held(self, by: int, who: ir.Expr) -> Expr:
        held = self.family.held[by]
        seat = self.c.value(who, PlayerType())
        if not isinstance(who.type, MaybeType):
            return held[seat]
        seat = self.c.f.let("seat", seat)
        return either(seat < 0, self._taken() ^ self.fields.whole, held[seat])

    def _walked(self, field: Walked) -> Expr:
        """From the ends back, first through places next to each other, then through twice as
        many at a time; and one step more, to where the walk begins."""
        f, fields, step = self.c.f, self.fields, field.step
        stride = fields.stride(step)
        found = f.let("found", self._all(self._ends(field)))
        open_ = f.let("open", self.bits(field.through) & fields.on_board(step))
        reach, farthest = 1, fields.farthest(step)
        while reach < farthest:
            f.set(found, found | shifted(found, stride * reach) & open_)
            if 2 * reach < farthest:
                f.set(open_, open_ & shifted(open_, stride * reach))
            reach *= 2
        return fields.reached_from(step, found)
