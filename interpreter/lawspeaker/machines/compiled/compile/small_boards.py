"""Generates branch-free bitboard expressions for fields (see `planned.fields`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, or_

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody as Function
from lawspeaker.machines.compiled.runtime.plan import LONG, Column
from lawspeaker.machines.compiled.runtime.wide import WideBits
from lawspeaker.machines.middle.forms import (
    I64,
    Expr,
    Variable,
    const,
    either,
    greater,
    lesser,
    long,
    long_at,
    not_,
    select,
)
from lawspeaker.machines.planned.fields import (
    AllIfAny,
    At,
    Before,
    Complement,
    Field,
    Fields,
    Fixed,
    HeldPlaces,
    Intersection,
    OccupiedPlaces,
    Passed,
    Step,
    TabledField,
    TableIndex,
    Walked,
    Whether,
    shifted,
)
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.planned.walks import InField

_LONG = 16
"""A field of so many operations is evaluated only where it matters."""
_CALLED = 48
"""A field of so many operations becomes a function, if it is used more than once."""
_WALKED, _PASSED = 16, 8
"""Operations of a walk from all places, and from a single one."""


def bits_of(c: Code, fields: Fields, field: Field) -> WideBits:
    """Evaluates a field to a bit set."""
    return Writer(c, fields, [field]).bits(field)


def ahead(family: PlacesPlan, fields: Fields, step: Step) -> list[int]:
    """Returns for each place the bit set of the places ahead of it."""
    on_board, stride = fields.on_board(step), fields.stride(step)
    found = []
    for offset in range(family.size):
        bits = 0
        while on_board >> offset & 1:
            offset += stride
            bits |= 1 << offset
        found.append(bits)
    return found


def entry_of(c: Code, masks: Sequence[int], words: int, number: Expr, first: int = 0) -> WideBits:
    """Returns the entry `number`, counted from `first`, of a constant table of bit sets."""
    if words == 1:
        return WideBits(Column(c.plan.words(list(masks)), LONG).from_number(first)[number])
    each = [mask >> wide.WORD * at & (1 << wide.WORD) - 1 for mask in masks for at in range(words)]
    table, number = Column(c.plan.words(each), LONG), c.f.let("entry", number - first)
    return wide.WideBits(*(table[number * words + at] for at in range(words)))


def length(c: Code, plan: InField, start: Variable) -> Expr:
    """Returns the length of a walk from a place. A table has the bits of all places ahead of each;
    removing the field leaves those that stop the walk."""
    f, fields, step = c.f, plan.fields, plan.step
    table = Column(c.plan.words(ahead(fields.places, fields, step)), LONG)
    line = f.let("ahead", table.from_number(fields.places.first)[start])
    stopping = f.let("stopping", line & bits_of(c, fields, fields.other(plan.through)).only)
    return (passed(stopping, fields.stride(step)) & line).count_bits()


def passed(stopping: Variable, stride: int) -> Expr:
    """Returns the bits before the first one that stops a walk."""
    if stride > 0:
        # The bits below the lowest one; all bits if there is none.
        return (stopping - 1) & ~stopping
    # The bits above the highest one, which is never bit 63: nothing lies before that.
    return long(-1) << 0 - stopping.leading_zeros()


def _plain(parts: Sequence[Field]) -> list[Field]:
    return [part.of if isinstance(part, Complement) else part for part in parts]


class Writer:
    """Generates fields; common subexpressions are stored in variables."""

    def __init__(
        self, c: Code, fields: Fields, roots: Sequence[Field], *, inside: Field | None = None
    ) -> None:
        """`inside`: the field whose own function is being generated."""
        self.c = c
        self._roots = roots
        self._inside = inside
        self.fields = fields
        self.family = c.plan.families[fields.places.number]
        self._uses: dict[Field, int] = {}
        self._words = fields.places.words
        self._kept: dict[Field, WideBits] = {}
        for field in roots:
            self._count(field)

    def _count(self, field: Field) -> None:
        self._uses[field] = self._uses.get(field, 0) + 1
        if self._uses[field] == 1:
            for part in self._needed(field):
                self._count(part)

    def _needed(self, field: Field) -> Sequence[Field]:
        """Returns the operands of a field."""
        match field:
            case Complement(of) | AllIfAny(of):
                return (of,)
            case Passed(_, through, start):
                return (through, *(() if isinstance(start, At) else (start,)))
            case Intersection(parts):
                return _plain(parts)
            case Before(_, to):
                return (to,)
            case Walked(step, through, to) if to is self.fields.everywhere:
                return (self.fields.before(step, through),)
            case Walked(through=through):
                return (through, *_plain(self._ends(field)))
        return ()

    def _ends(self, walk: Walked) -> tuple[Field, ...]:
        """Returns fields whose intersection is the set of ends of a walk."""
        if walk.passing:
            return (walk.through, walk.to)
        ahead = self.fields.before(walk.step, walk.through)
        return (walk.through, walk.to, self.fields.other(ahead))

    def bits(self, field: Field) -> WideBits:
        if field in self._kept:
            return self._kept[field]
        found = self._called(field)
        if found is None:
            found = self._worked_out(field)
        if self._uses.get(field, 2) > 1 and not isinstance(field, Fixed):
            found = self._kept[field] = wide.let(self.c.f, "field", found)
        return found

    def _called(self, field: Field) -> WideBits | None:
        """Evaluates an expensive, shared field by a call of its own function, which other code can
        call too; None if it is evaluated in place."""
        shared = self._uses.get(field, 2) > 1 or field in self._roots
        if field is self._inside or not shared or self._work(field, _CALLED) < _CALLED:
            return None
        c, fields = self.c, self.fields
        shape, names = c.unit.shapes.shape(fields, field)
        if any(isinstance(each.type, ir.SetType) for each in names):
            return None

        def write(f: Function) -> None:
            inner = Code(c.unit, f, c.clause)
            inner.slots.update(zip((name.slot for name in names), f.parameters, strict=True))
            found = Writer(inner, fields, [field], inside=field).bits(field)
            f.return_(*found.each)

        key = ("places", self.family.key, shape)
        function = c.unit.made(key, len(names), (I64,) * self._words, write)
        given = [c.slot(name.slot) for name in names]
        if self._words == 1:
            return WideBits(function(*given))
        found = [c.f.variable("word", I64) for _ in range(self._words)]
        c.f.do(function, *given, into=found)
        return WideBits(*found)

    def _work(self, field: Field, most: int) -> int:
        """Estimates the operations of a field; counts `most` at most."""
        if field in self._kept:
            return 0
        match field:
            case Walked(to=to) if to is not self.fields.everywhere:
                found = _WALKED
            case Passed():
                found = _PASSED
            case AllIfAny() | Complement():
                found = 0
            case _:
                found = 1
        for part in self._needed(field):
            if found >= most:
                break
            found += self._work(part, most - found)
        return found

    def _worked_out(self, field: Field) -> WideBits:
        fields = self.fields
        match field:
            case Fixed(bits):
                return wide.known(bits, self._words)
            case HeldPlaces(by, who):
                return self._held(by, who)
            case At(place):
                return self._one(place)
            case TabledField(given, masks):
                return self._looked(given, masks)
            case AllIfAny() | Whether():
                return wide.if_holds(self._holds(field), wide.known(fields.whole, self._words))
            case Complement(of):
                return self.bits(of) ^ fields.whole
            case Intersection(parts):
                return self._all_of(parts)
            case Passed(step, through, start):
                return self._passed(step, through, start)
            case Before(step, to):
                return fields.reached_from(step, self.bits(to))
            case Walked(step, through, to) if to is fields.everywhere:
                return self.bits(fields.before(step, through))
            case Walked():
                return self._walked(field)
        assert isinstance(field, OccupiedPlaces)
        return self._taken()

    # ------------------------------------------------------------ independent values

    def _one(self, place: ir.Expr) -> WideBits:
        number = self.c.value(place) - self.family.first
        if self._words > 1 or isinstance(place.type, ir.MaybeType):
            number = self.c.f.let("number", number)
        bit = wide.one(number, self._words)
        return wide.if_holds(number >= 0, bit) if isinstance(place.type, ir.MaybeType) else bit

    def _looked(self, given: tuple[TableIndex, ...], masks: tuple[int, ...]) -> WideBits:
        c = self.c
        number: Expr = const(0)
        for by in given:
            low, size = by.domain.start, len(by.domain)
            entry = c.value(by.value) - low
            known = isinstance(by.value.type, ir.PlaceType | ir.PlayerType)
            if not known:
                entry = c.f.let("entry", entry)
                if by.clamped:
                    entry = lesser(greater(entry, const(0)), const(size - 1))
                else:
                    entry = select(entry.below(size), entry, size)
            number = entry if by is given[0] else number * by.entries + entry
        return entry_of(c, masks, self._words, number)

    def _holds(self, field: Field) -> Expr:
        """Returns whether a field that is either all places or none is all of them."""
        c = self.c
        match field:
            case Whether(condition):
                return c.value(condition)
            case AllIfAny(of):
                return wide.some(self.bits(of))
            case Complement(of):
                return not_(self._holds(of))
            case Intersection(parts):
                return reduce(and_, map(self._holds, parts))
        assert isinstance(field, Fixed)
        return const(int(field.bits != 0))

    def _all_of(self, parts: tuple[Field, ...]) -> WideBits:
        """Intersects fields; expensive ones are skipped if a condition is false or no place is
        left."""
        conditions = [part for part in parts if self.fields.is_condition(part)]
        if conditions:
            rest = self.fields.all(*(part for part in parts if part not in conditions))
            holds = reduce(and_, map(self._holds, conditions))
            if self._work(rest, _LONG) < _LONG:
                return wide.if_holds(holds, self.bits(rest))
            return self._unless_none(holds, lambda: self.bits(rest))
        long_ones = [part for part in parts if self._work(part, _LONG) >= _LONG]
        short = [part for part in parts if part not in long_ones]
        support = self._support(long_ones)
        if not short or support is self.fields.everywhere:
            return self._all(parts)
        possible = wide.let(self.c.f, "possible", self._all((*short, support)))
        return self._unless_none(
            wide.some(possible), lambda: self._all(tuple(long_ones)) & possible
        )

    def _support(self, parts: Sequence[Field]) -> Field:
        """Returns a cheap superset of the places where expensive fields can hold."""
        found = self.fields.support(self.fields.all(*parts)) if parts else self.fields.everywhere
        return found if isinstance(found, TabledField) else self.fields.everywhere

    def _unless_none(self, holds: Expr, worked_out: Callable[[], WideBits]) -> WideBits:
        """Evaluates bits if a condition is true, else returns none. Variables stored meanwhile are
        forgotten afterwards."""
        f, kept = self.c.f, dict(self._kept)
        found = wide.let(f, "found", wide.known(0, self._words))
        with f.if_(holds):
            wide.set_to(f, found, worked_out())
        self._kept = kept
        return found

    def _passed(self, step: Step, through: Field, start: Field) -> WideBits:
        """Propagates from the start through `through` by doubling: in steps of 1, 2, 4, …
        places."""
        c, f, fields = self.c, self.c.f, self.fields
        stride, open_ = fields.stride(step), self.bits(through)
        sure = isinstance(start, At) and not isinstance(start.place.type, ir.MaybeType)
        if sure and isinstance(start, At) and self._words == 1:
            table = Column(c.plan.words(ahead(fields.places, fields, step)), LONG)
            line = f.let("ahead", table.from_number(self.family.first)[c.value(start.place)])
            stopping = f.let("stopping", line & ~open_.only)
            return WideBits(passed(stopping, stride) & line)
        back = (-step[0], -step[1])
        found = wide.let(f, "found", fields.reached_from(back, self.bits(start)) & open_)
        more = wide.let(f, "open", open_ & fields.on_board(back))
        reach, farthest = 1, fields.farthest(step)
        while reach < farthest:
            wide.set_to(f, found, found | shifted(found, -stride * reach) & more)
            if 2 * reach < farthest:
                wide.set_to(f, more, more & shifted(more, -stride * reach))
            reach *= 2
        return found

    # ------------------------------------------------------------ contents of the board

    def _taken(self) -> WideBits:
        return wide.WideBits(*(long_at(self.family.occupied + 8 * at) for at in range(self._words)))

    def _all(self, parts: tuple[Field, ...]) -> WideBits:
        """Intersects fields; complements come last, so that bits beyond the board do not matter."""
        kept = [self.bits(part) for part in parts if not isinstance(part, Complement)]
        left_out = [self.bits(part.of) for part in parts if isinstance(part, Complement)]
        if left_out:
            kept.append(reduce(or_, left_out) ^ (-1 if kept else self.fields.whole))
        return reduce(and_, kept)

    def _held(self, by: int, who: ir.Expr) -> WideBits:
        held, words = self.family.held[by], self._words
        seat = self.c.value(who)
        if words > 1 or isinstance(who.type, ir.MaybeType):
            seat = self.c.f.let("seat", seat)
        shown = [held[seat if words == 1 else seat * words + at] for at in range(words)]
        if not isinstance(who.type, ir.MaybeType):
            return WideBits(*shown)
        empty = (self._taken() ^ self.fields.whole).each
        pairs = zip(empty, shown, strict=True)
        return WideBits(*(either(seat < 0, none, some) for none, some in pairs))

    def _walked(self, field: Walked) -> WideBits:
        """Propagates backwards from the ends of a walk by doubling (steps of 1, 2, 4, … places),
        and one more step to where the walk begins."""
        f, fields, step = self.c.f, self.fields, field.step
        stride = fields.stride(step)
        found = wide.let(f, "found", self._all(self._ends(field)))
        open_ = wide.let(f, "open", self.bits(field.through) & fields.on_board(step))
        reach, farthest = 1, fields.farthest(step)
        while reach < farthest:
            wide.set_to(f, found, found | shifted(found, stride * reach) & open_)
            if 2 * reach < farthest:
                wide.set_to(f, open_, open_ & shifted(open_, stride * reach))
            reach *= 2
        return fields.reached_from(step, found)
