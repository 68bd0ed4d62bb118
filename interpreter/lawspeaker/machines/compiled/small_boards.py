"""Fields: where on a small grid something holds, a bit for each place, worked out for all at once.

A field is first put together of others, then written as code without a loop. Putting together
keeps equal fields one, and uses that a place has at most one place a step further, and at most one
at the end of a walk: what is asked of that place twice is asked of it once, of both fields' common
part. So rules that ask step by step (is there a last one, what lies beyond it, whose is it) come
down to what a careful hand would write.

A step is a shift of the whole word, and leaves out the places from which it would lead off the
board. A walk goes from all its ends at once back to where it may have begun, in steps of 1, 2, 4 …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TypeVar

from lawspeaker import ir
from lawspeaker.ir.types import MaybeType, PlayerType
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import Column, Family
from lawspeaker.machines.middle.forms import Expr, Variable, either, long, long_at

Step = tuple[int, int]
"""So many columns across and rows down."""
_Bits = TypeVar("_Bits", int, Expr)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Equal fields are the same one: `Fields` sees to that."""


@dataclass(frozen=True, slots=True, eq=False)
class Fixed(Field):
    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class Taken(Field):
    """The places that are not empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Held(Field):
    """The places of which `by` tells that a player holds them (see `patterns.holder`)."""

    by: int
    who: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class Other(Field):
    """All places but these."""

    of: Field


@dataclass(frozen=True, slots=True, eq=False)
class All(Field):
    """The places that are in all of these."""

    parts: tuple[Field, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Before(Field):
    """The places from which a step leads to one of these."""

    step: Step
    to: Field


@dataclass(frozen=True, slots=True, eq=False)
class Walked(Field):
    """The places from which a walk through some others leads to one of these: ends there, or, if
    `passing`, at least passes it."""

    step: Step
    through: Field
    to: Field
    passing: bool


class Fields:
    """The fields of one family of places."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.whole = (1 << family.size) - 1
        self.everywhere = Fixed(self.whole)
        self.nowhere = Fixed(0)
        self._made: dict[tuple[object, ...], Field] = {
            (Fixed, self.whole): self.everywhere,
            (Fixed, 0): self.nowhere,
        }
        self._on_board: dict[Step, int] = {}

    def __len__(self) -> int:
        return len(self._made)

    def _one(self, made: Field, *key: object) -> Field:
        """The field that was made before with the same parts, if there is one."""
        return self._made.setdefault((type(made), *key), made)

    # ------------------------------------------------------------ the board

    def on_board(self, step: Step) -> int:
        """The places from which a step does not lead off the board."""
        if step not in self._on_board:
            (wide, high), (across, down) = self.family.grid, step
            self._on_board[step] = sum(
                1 << offset
                for offset in range(self.family.size)
                if 0 <= offset // high % wide + across < wide and 0 <= offset % high + down < high
            )
        return self._on_board[step]

    def farthest(self, step: Step) -> int:
        """The most steps that can be made one after the other."""
        wide, high = self.family.grid
        sizes = zip((wide, high), step, strict=True)
        return min((size - 1) // abs(by) for size, by in sizes if by)

    def stride(self, step: Step) -> int:
        return step[0] * self.family.grid[1] + step[1]

    def reached_from(self, step: Step, places: _Bits) -> _Bits:
        """The places from which a step leads to one of some others."""
        return _shifted(places, self.stride(step)) & self.on_board(step)

    # ------------------------------------------------------------ putting together

    def fixed(self, bits: int) -> Field:
        return self._one(Fixed(bits), bits)

    def taken(self) -> Field:
        return self._one(Taken())

    def held(self, by: int, who: ir.Expr) -> Field:
        return self._one(Held(by, who), by, who)

    def other(self, field: Field) -> Field:
        match field:
            case Fixed(bits):
                return self.fixed(self.whole & ~bits)
            case Other(of):
                return of
        return self._one(Other(field), field)

    def either(self, *fields: Field) -> Field:
        return self.other(self.all(*map(self.other, fields)))

    def chosen(self, condition: Field, then: Field, otherwise: Field) -> Field:
        return self.either(self.all(condition, then), self.all(self.other(condition), otherwise))

    def before(self, step: Step, to: Field) -> Field:
        if step == (0, 0):
            return to
        if isinstance(to, Fixed):
            return self.fixed(self.reached_from(step, to.bits))
        return self._one(Before(step, to), step, to) if self.on_board(step) else self.nowhere

    def walked(self, step: Step, through: Field, to: Field, *, passing: bool = False) -> Field:
        """Nobody walks on the spot."""
        stays = step == (0, 0) or not self.on_board(step)
        if stays or self.nowhere in (through, to):
            return self.nowhere
        made = Walked(step, through, to, passing)
        return self._one(made, step, through, to, passing)

    def all(self, *fields: Field) -> Field:
        parts: dict[Field, None] = {}
        bits = self.whole
        for field in fields:
            for part in field.parts if isinstance(field, All) else (field,):
                if isinstance(part, Fixed):
                    bits &= part.bits
                else:
                    parts[part] = None
        joined = self._joined(list(parts))
        if any(isinstance(part, Fixed | All) for part in joined):
            return self.all(self.fixed(bits), *joined)
        if bits == 0 or any(self.other(part) in joined for part in joined):
            return self.nowhere
        if bits != self.whole:
            joined.append(self.fixed(bits))
        if len(joined) > 1:
            return self._one(All(tuple(joined)), *joined)
        return joined[0] if joined else self.everywhere

    def _joined(self, parts: list[Field]) -> list[Field]:
        """What is asked of one and the same further place, asked at once."""
        found: dict[object, list[Field]] = {}
        for part in parts:
            found.setdefault(_further(part), []).append(part)
        joined: list[Field] = []
        for further, same in found.items():
            joined += same if further is None or len(same) == 1 else self._joined_one(same)
        return joined

    def _joined_one(self, same: list[Field]) -> list[Field]:
        wanted = [part for part in same if not isinstance(part, Other)]
        refused = [part.of for part in same if isinstance(part, Other)]
        if not wanted:
            return [self.other(self._led(refused[0], self.either(*map(_goal, refused))))]
        unwanted = [self.other(_goal(part)) for part in refused]
        return [self._led(wanted[0], self.all(*map(_goal, wanted), *unwanted))]

    def _led(self, like: Field, to: Field) -> Field:
        """The places that lead to a field as another one does to its own."""
        if isinstance(like, Before):
            return self.before(like.step, to)
        assert isinstance(like, Walked)
        return self.walked(like.step, like.through, to)


def _further(field: Field) -> object:
    """Of which further place a field is about, if there is only one."""
    match field:
        case Other(of):
            return _further(of)
        case Before(step, _):
            return step
        case Walked(step, through, _, False):
            return step, through
    return None


def _goal(field: Field) -> Field:
    assert isinstance(field, Before | Walked)
    return field.to


def _shifted(bits: _Bits, stride: int) -> _Bits:
    """Brings the bits of places so much further to where they are reached from."""
    return bits >> stride if stride >= 0 else bits << -stride


# ---------------------------------------------------------------- code


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
                return self._held(fields.family.held[by], who)
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
        return long_at(self.fields.family.occupied)

    def _all(self, parts: tuple[Field, ...]) -> Expr:
        """What is left out comes last, so that the bits beyond the board do not matter."""
        kept = [self.bits(part) for part in parts if not isinstance(part, Other)]
        left_out = [self.bits(part.of) for part in parts if isinstance(part, Other)]
        if left_out:
            kept.append(reduce(or_, left_out) ^ (-1 if kept else self.fields.whole))
        return reduce(and_, kept)

    def _held(self, held: Column, who: ir.Expr) -> Expr:
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
            f.set(found, found | _shifted(found, stride * reach) & open_)
            if 2 * reach < farthest:
                f.set(open_, open_ & _shifted(open_, stride * reach))
            reach *= 2
        return fields.reached_from(step, found)
