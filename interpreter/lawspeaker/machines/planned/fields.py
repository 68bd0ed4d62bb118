"""Fields: where on a small grid something holds, a bit for each place, worked out for all at once.

A field is put together of others, and written as code without a loop afterwards. Putting together
keeps equal fields one, and uses that a place has at most one place a step further, and at most one
at the end of a walk: what is asked of that place twice is asked of it once, of both fields' common
part. So rules that ask step by step (is there a last one, what lies beyond it, whose is it) come
down to what a careful hand would write.

A step is a shift of the whole word, and leaves out the places from which it would lead off the
board. A walk goes from all its ends at once back to where it may have begun, in steps of 1, 2, 4 …
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from lawspeaker import ir
from lawspeaker.machines.middle.forms import Expr
from lawspeaker.machines.planned.places import Places

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

    def __init__(self, places: Places) -> None:
        self.places = places
        self.whole = (1 << places.size) - 1
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
            (wide, high), (across, down) = self.places.grid, step
            self._on_board[step] = sum(
                1 << offset
                for offset in range(self.places.size)
                if 0 <= offset // high % wide + across < wide and 0 <= offset % high + down < high
            )
        return self._on_board[step]

    def farthest(self, step: Step) -> int:
        """The most steps that can be made one after the other."""
        wide, high = self.places.grid
        sizes = zip((wide, high), step, strict=True)
        return min((size - 1) // abs(by) for size, by in sizes if by)

    def stride(self, step: Step) -> int:
        return step[0] * self.places.grid[1] + step[1]

    def reached_from(self, step: Step, places: _Bits) -> _Bits:
        """The places from which a step leads to one of some others."""
        return shifted(places, self.stride(step)) & self.on_board(step)

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


def shifted(bits: _Bits, stride: int) -> _Bits:
    """Brings the bits of places so much further to where they are reached from."""
    return bits >> stride if stride >= 0 else bits << -stride
