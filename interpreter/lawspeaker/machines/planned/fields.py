"""Fields: bitboards of the places of a small grid where a condition holds, as symbolic expressions.

A field is composed of others, and compiled to code without a loop. Construction uses hash-consing
(equal fields are one object), and the fact that a place has at most one place a step further, and
at most one at the end of a walk: conditions on the same further place are merged into one on both
fields' intersection. So rules that ask step by step (is there a last one, what lies beyond it,
whose is it) compile to what one would write by hand.

A step is a shift of the whole word, masked to the places from which it stays on the board. A walk
is propagated from all its ends at once back to its possible starts, by doubling: 1, 2, 4 … steps.

A place known at run time (where a man starts) is a field of one place (`At`). What depends on such
a place alone is precomputed for each possible place (`TabledField`), so the squares that a knight
reaches come from a table. For anything else there are bounds: the places surely in a field, and
those possibly in it (`Fields.limits`). So an expensive field is only evaluated where it can matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, Protocol, TypeVar

from lawspeaker import ir
from lawspeaker.ir.walk import bound_slots, everything, replaced
from lawspeaker.machines.planned.places import PlacesPlan

Step = tuple[int, int]
"""A step of so many columns and rows."""


class _Shifted(Protocol):
    """Protocol for bits that can be shifted and masked: an int, or the emitter's bit sets."""

    def __rshift__(self, by: int, /) -> Any: ...
    def __lshift__(self, by: int, /) -> Any: ...
    def __and__(self, other: int, /) -> Any: ...


_Bits = TypeVar("_Bits", bound=_Shifted)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Base class. Equal fields are identical objects: `Fields` makes them."""


@dataclass(frozen=True, slots=True, eq=False)
class Fixed(Field):
    """A constant set of places."""

    bits: int


@dataclass(frozen=True, slots=True, eq=False)
class OccupiedPlaces(Field):
    """The occupied places."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldPlaces(Field):
    """The places that a player holds according to `by` (see `patterns.holder`)."""

    by: int
    who: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class At(Field):
    """The place that an expression evaluates to; none, if that is nothing."""

    place: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class Whether(Field):
    """All places if a condition that does not depend on the place is true; else none."""

    condition: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class AllIfAny(Field):
    """All places if a field has any place; else none."""

    of: Field


@dataclass(frozen=True, slots=True)
class TableIndex:
    """An index of a table: an expression, its domain, and whether values outside are clamped.
    Otherwise such values have an entry of their own, the last."""

    value: ir.Expr
    domain: range
    clamped: bool = False

    @property
    def entries(self) -> int:
        return len(self.domain) + (not self.clamped)


@dataclass(frozen=True, slots=True, eq=False)
class TabledField(Field):
    """A precomputed field for each value of some expressions; the first varies slowest."""

    given: tuple[TableIndex, ...]
    masks: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Passed(Field):
    """The places that a walk passes, through some others and from a start of at most one place."""

    step: Step
    through: Field
    start: Field


@dataclass(frozen=True, slots=True, eq=False)
class Complement(Field):
    """The complement of a field."""

    of: Field


@dataclass(frozen=True, slots=True, eq=False)
class Intersection(Field):
    """The intersection of fields."""

    parts: tuple[Field, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Before(Field):
    """The places from which a step leads to a field."""

    step: Step
    to: Field


@dataclass(frozen=True, slots=True, eq=False)
class Walked(Field):
    """The places from which a walk through some others ends in a field or, if `passing`, passes
    it."""

    step: Step
    through: Field
    to: Field
    passing: bool


class Fields:
    """Factory of the fields of one family of places."""

    def __init__(self, places: PlacesPlan) -> None:
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
        """Returns the unique field with these parts (hash-consing)."""
        return self._made.setdefault((type(made), *key), made)

    # ------------------------------------------------------------ the board

    def on_board(self, step: Step) -> int:
        """Returns the places from which a step stays on the board."""
        if step not in self._on_board:
            (wide, high), (across, down) = self.places.grid, step
            self._on_board[step] = sum(
                1 << offset
                for offset in range(self.places.size)
                if 0 <= offset // high % wide + across < wide and 0 <= offset % high + down < high
            )
        return self._on_board[step]

    def farthest(self, step: Step) -> int:
        """Returns the most steps in a row."""
        wide, high = self.places.grid
        sizes = zip((wide, high), step, strict=True)
        return min((size - 1) // abs(by) for size, by in sizes if by)

    def stride(self, step: Step) -> int:
        return step[0] * self.places.grid[1] + step[1]

    def reached_from(self, step: Step, places: _Bits) -> _Bits:
        """Returns the places from which a step leads to one of `places`."""
        found: _Bits = shifted(places, self.stride(step)) & self.on_board(step)
        return found

    # ------------------------------------------------------------ construction

    def fixed(self, bits: int) -> Field:
        return self._one(Fixed(bits), bits)

    def taken(self) -> Field:
        return self._one(OccupiedPlaces())

    def held(self, by: int, who: ir.Expr) -> Field:
        return self._one(HeldPlaces(by, who), by, who)

    def at(self, place: ir.Expr) -> Field:
        return self._one(At(place), place)

    def whether(self, condition: ir.Expr) -> Field:
        return self._one(Whether(condition), condition)

    def some(self, field: Field) -> Field:
        """Returns all places if a field has any, simplified."""
        match field:
            case Fixed(bits):
                return self.everywhere if bits else self.nowhere
            case AllIfAny() | Whether() | Complement(AllIfAny() | Whether()):
                return field
            case At(place) if not isinstance(place.type, ir.MaybeType):
                return self.everywhere
            case TabledField(given, masks):
                return self.looked(given, [self.whole if each else 0 for each in masks])
        return self._one(AllIfAny(field), field)

    def is_condition(self, field: Field) -> bool:
        """Returns whether a field is always all places or none."""
        match field:
            case Whether() | AllIfAny():
                return True
            case Fixed(bits):
                return bits in (0, self.whole)
            case Complement(of):
                return self.is_condition(of)
            case Intersection(parts):
                return all(map(self.is_condition, parts))
        return False

    def looked(self, given: tuple[TableIndex, ...], masks: Sequence[int]) -> Field:
        if len(set(masks)) == 1:
            return self.fixed(masks[0])
        return self._one(TabledField(given, tuple(masks)), given, tuple(masks))

    def as_looked(self, field: Field) -> TabledField | None:
        """Returns a field that depends on table indices alone as a table; else None."""
        match field:
            case TabledField():
                return field
            case At(place):
                first, size = self.places.first, self.places.size
                by = TableIndex(place, range(first, first + size))
                return TabledField((by,), (*(1 << at for at in range(size)), 0))
        return None

    def passed(self, step: Step, through: Field, start: Field) -> Field:
        stays = step == (0, 0) or not self.on_board(step)
        if stays or self.nowhere in (through, start):
            return self.nowhere
        if through is self.everywhere and (table := self.as_looked(start)) is not None:
            return self.looked(table.given, [self._ahead(step, each) for each in table.masks])
        return self._one(Passed(step, through, start), step, through, start)

    def _ahead(self, step: Step, bits: int) -> int:
        """Returns all places ahead of some."""
        found = 0
        while bits := self.reached_from((-step[0], -step[1]), bits):
            found |= bits
        return found

    def other(self, field: Field) -> Field:
        match field:
            case Fixed(bits):
                return self.fixed(self.whole & ~bits)
            case Complement(of):
                return of
            case TabledField(given, masks):
                return self.looked(given, [self.whole & ~each for each in masks])
        return self._one(Complement(field), field)

    def either(self, *fields: Field) -> Field:
        return self.other(self.all(*map(self.other, fields)))

    def chosen(self, condition: Field, then: Field, otherwise: Field) -> Field:
        return self.either(self.all(condition, then), self.all(self.other(condition), otherwise))

    def before(self, step: Step, to: Field) -> Field:
        if step == (0, 0):
            return to
        if isinstance(to, Fixed):
            return self.fixed(self.reached_from(step, to.bits))
        if (table := self.as_looked(to)) is not None:
            masks = [self.reached_from(step, each) for each in table.masks]
            return self.looked(table.given, masks)
        return self._one(Before(step, to), step, to) if self.on_board(step) else self.nowhere

    def walked(self, step: Step, through: Field, to: Field, *, passing: bool = False) -> Field:
        """Returns the starts of walks; a zero step is no walk."""
        stays = step == (0, 0) or not self.on_board(step)
        if stays or self.nowhere in (through, to):
            return self.nowhere
        made = Walked(step, through, to, passing)
        return self._one(made, step, through, to, passing)

    def all(self, *fields: Field) -> Field:
        """Returns the intersection of fields, simplified."""
        parts: dict[Field, None] = {}
        bits = self.whole
        for field in fields:
            for part in field.parts if isinstance(field, Intersection) else (field,):
                if isinstance(part, Fixed):
                    bits &= part.bits
                else:
                    parts[part] = None
        tabled = self._tabled(parts, bits)
        if any(isinstance(part, TabledField) for part in tabled):
            bits = self.whole  # each table includes these bits
        joined = self._joined([part for part in tabled if not _goes_without(part, parts)])
        if any(isinstance(part, Fixed | Intersection) for part in joined):
            return self.all(self.fixed(bits), *joined)
        if bits == 0 or any(self.other(part) in joined for part in joined):
            return self.nowhere
        if bits != self.whole:
            joined.append(self.fixed(bits))
        if len(joined) > 1:
            return self._one(Intersection(tuple(joined)), *joined)
        return joined[0] if joined else self.everywhere

    def _tabled(self, parts: Iterable[Field], bits: int) -> list[Field]:
        """Merges the parts that depend on the same index into one table."""
        tables: dict[tuple[TableIndex, ...], list[TabledField | At]] = {}
        left: list[Field] = []
        for part in parts:
            table = self.as_looked(part)
            if table is None:
                left.append(part)
            else:
                assert isinstance(part, TabledField | At)
                tables.setdefault(table.given, []).append(part)
        for given, same in tables.items():
            if len(same) == 1 and (bits == self.whole or isinstance(same[0], At)):
                left += same
                continue
            tables_of = (self.as_looked(each) for each in same)
            rows = zip(*(table.masks for table in tables_of if table is not None), strict=True)
            left.append(self.looked(given, [reduce(and_, row, bits) for row in rows]))
        return left

    def _joined(self, parts: list[Field]) -> list[Field]:
        """Merges the conditions on the same further place."""
        found: dict[object, list[Field]] = {}
        for part in parts:
            found.setdefault(_further(part), []).append(part)
        joined: list[Field] = []
        for further, same in found.items():
            joined += same if further is None or len(same) == 1 else self._joined_one(same)
        return joined

    # ------------------------------------------------------------ bounds

    def limits(self, field: Field, by: TableIndex) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Returns lower and upper bounds of a field, for each entry of a table over `by`."""
        known = _Limits(self, by)
        low, high = known.of(field)
        return known.apart(low), known.apart(high)

    def support(self, field: Field) -> Field:
        """Returns an upper bound of a field, by the one place it depends on; all places, if there
        is not exactly one."""
        given = {by for each in inside(field) for by in self._given(each)}
        if len(given) != 1:
            return self.everywhere
        [by] = given
        return self.looked((by,), self.limits(field, by)[1])

    def _given(self, field: Field) -> Iterable[TableIndex]:
        if isinstance(field, At) or (isinstance(field, TabledField) and len(field.given) == 1):
            table = self.as_looked(field)
            assert table is not None
            if len(table.given[0].domain) == self.places.size:
                yield table.given[0]

    def _joined_one(self, same: list[Field]) -> list[Field]:
        wanted = [part for part in same if not isinstance(part, Complement)]
        refused = [part.of for part in same if isinstance(part, Complement)]
        if not wanted:
            return [self.other(self._led(refused[0], self.either(*map(_goal, refused))))]
        unwanted = [self.other(_goal(part)) for part in refused]
        return [self._led(wanted[0], self.all(*map(_goal, wanted), *unwanted))]

    def _led(self, like: Field, to: Field) -> Field:
        """Returns the places that lead to a field as `like` does to its own."""
        if isinstance(like, Before):
            return self.before(like.step, to)
        assert isinstance(like, Walked)
        return self.walked(like.step, like.through, to)


def _goes_without(part: Field, parts: Iterable[Field]) -> bool:
    """Returns whether an `AllIfAny` part is implied by another part."""
    if not isinstance(part, AllIfAny):
        return False
    for each in parts:
        match each:
            case Before(to=of) | Passed(start=of) if of is part.of:
                return True
        if each is part.of:
            return True
    return False


def _further(field: Field) -> object:
    """Returns a key for the further place that a field is about, if there is only one."""
    match field:
        case Complement(of):
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
    """Shifts bits to the places from which a stride leads to them."""
    found: _Bits = bits >> stride if stride >= 0 else bits << -stride
    return found


def needed(field: Field) -> tuple[Field, ...]:
    """Returns the operands of a field."""
    match field:
        case Complement(of) | AllIfAny(of) | Before(to=of):
            return (of,)
        case Intersection(parts):
            return parts
        case Walked(_, through, to):
            return (through, to)
        case Passed(_, through, start):
            return (through, start)
    return ()


def asked_by(field: Field) -> tuple[ir.Expr, ...]:
    """Returns the expressions that a field itself evaluates."""
    match field:
        case At(expr) | Whether(expr) | HeldPlaces(who=expr):
            return (expr,)
        case TabledField(given):
            return tuple(by.value for by in given)
    return ()


def inside(field: Field) -> Iterable[Field]:
    """Returns a field and its transitive operands, each once."""
    found = {field: None}
    waiting = [field]
    while waiting:
        for part in needed(waiting.pop()):
            if part not in found:
                found[part] = None
                waiting.append(part)
    return found


class Shapes:
    """Numbers fields up to renaming of variables: fields of the same shape share code."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}

    def shape(self, fields: Fields, field: Field) -> tuple[int, list[ir.Local]]:
        """Returns the number of a field's shape, and its free names in the order of use."""
        names: dict[int, ir.Local] = {}
        known: dict[Field, int] = {}

        def told(expr: ir.Expr) -> ir.Expr:
            bound = bound_slots(expr)
            for part in everything(expr):
                if isinstance(part, ir.Local) and part.slot not in bound:
                    wider = isinstance(part.type, ir.MaybeType)
                    if wider or part.slot not in names:
                        names[part.slot] = part
            order = list(names)
            own = {slot: ir.Local(names[slot].type, at, "") for at, slot in enumerate(order)}
            numbered: ir.Expr = replaced(expr, own)
            return numbered

        def numbered(field: Field) -> int:
            if field not in known:
                parts = tuple(map(numbered, needed(field)))
                own = tuple(map(told, asked_by(field)))
                rest = (
                    getattr(field, name, None)
                    for name in ("bits", "by", "step", "passing", "masks")
                )
                domains = [(by.domain, by.clamped) for by in getattr(field, "given", ())]
                key = (type(field), fields.places.number, parts, own, *rest, *domains)
                known[field] = self._numbers.setdefault(key, len(self._numbers))
            return known[field]

        return numbered(field), list(names.values())


class _Limits:
    """Computes bounds for all entries of a table at once, in integers with a lane of bits for each.

    A shift out of a lane is a step off the board, so it is masked out anyway.
    """

    def __init__(self, fields: Fields, by: TableIndex) -> None:
        self.fields = fields
        self.by = by
        self.size = fields.places.size
        self.each = sum(1 << self.size * at for at in range(by.entries))
        self.whole = self.each * fields.whole
        self._known: dict[Field, tuple[int, int]] = {}

    def apart(self, lanes: int) -> tuple[int, ...]:
        return tuple(lanes >> self.size * at & self.fields.whole for at in range(self.by.entries))

    def _together(self, masks: Iterable[int]) -> int:
        return sum(mask << self.size * at for at, mask in enumerate(masks))

    def of(self, field: Field) -> tuple[int, int]:
        if field not in self._known:
            self._known[field] = self._worked_out(field)
        return self._known[field]

    def _worked_out(self, field: Field) -> tuple[int, int]:
        whole = self.whole
        match field:
            case Fixed(bits):
                return self.each * bits, self.each * bits
            case At() | TabledField():
                table = self.fields.as_looked(field)
                assert table is not None
                if table.given == (self.by,):
                    exact = self._together(table.masks)
                    return exact, exact
                return self.each * reduce(and_, table.masks), self.each * reduce(or_, table.masks)
            case AllIfAny(of):
                low, high = self.of(of)
                return self._lanes_with(low), self._lanes_with(high)
            case Complement(of):
                low, high = self.of(of)
                return whole & ~high, whole & ~low
            case Intersection(parts):
                ends = [self.of(part) for part in parts]
                lows, highs = zip(*ends, strict=True)
                return reduce(and_, lows), reduce(and_, highs)
            case Before(step, to):
                low, high = self.of(to)
                return self._before(step, low), self._before(step, high)
            case Passed(step, through, start):
                (low, high), (least, most) = self.of(start), self.of(through)
                back = (-step[0], -step[1])
                surely, perhaps = self._before(back, low) & least, self._before(back, high) & most
                return self._grown(back, surely, least), self._grown(back, perhaps, most)
            case Walked(step, through, to, passing):
                (low, high), (least, most) = self.of(through), self.of(to)
                surely = low & least if passing else low & least & ~self._before(step, high)
                perhaps = high & most if passing else high & most & ~self._before(step, low)
                surely, perhaps = self._grown(step, surely, low), self._grown(step, perhaps, high)
                return self._before(step, surely), self._before(step, perhaps)
        return 0, whole  # contents of the board, and conditions

    def _lanes_with(self, lanes: int) -> int:
        return self._together(self.fields.whole if each else 0 for each in self.apart(lanes))

    def _before(self, step: Step, lanes: int) -> int:
        on_board = self.each * self.fields.on_board(step)
        return shifted(lanes, self.fields.stride(step)) & on_board

    def _grown(self, step: Step, ends: int, through: int) -> int:
        """Propagates back from `ends` through `through` until nothing is added."""
        while more := self._before(step, ends) & through & ~ends:
            ends |= more
        return ends
