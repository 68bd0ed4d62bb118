"""Generates iteration over sets, and operations on sets as a whole.

Sets are iterated without a list wherever possible. Binders with conditions are in `binders`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial, reduce
from itertools import pairwise
from operator import add
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import LONGEST, is_of_numbers
from lawspeaker.ir.dependence import Paid
from lawspeaker.machines.compiled.compile import (
    bitboards,
    grids,
    locations,
    neighbours,
    value_calls,
)
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Bits, KeptSet, Listed, PlaceBits, end_of
from lawspeaker.machines.compiled.runtime import lists, wide
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import (
    Expr,
    Variable,
    const,
    greater,
    long,
    long_at,
    not_,
    word,
)
from lawspeaker.machines.planned.arena import FOUND_ON_THE_WAY
from lawspeaker.position.layout import Value

Body = Callable[[], None]
COMPUTED = ir.CallFunction | ir.Combine
"""Sets for which a table of lists, if their members are constant, is better than iterating over
their parts."""
_RUN = 3
"""Consecutive constants, at least so many, become a counting loop instead of a list."""


# ---------------------------------------------------------------- iteration


def each(c: Code, source: ir.Expr, local: Variable, body: Body) -> None:
    """Emits the body for each member, which is in the local then."""
    source = c.meant(source)
    known = c.folder.constant(source)
    write = SOURCES.get(type(source))
    if known is not None:
        of = _type_of_members(source)
        each_known(c, _words(c, known[0], of), local, body)
    elif isinstance(source, COMPUTED) and (table := c.looked_up(source)) is not None:
        Listed(table).each(c.f, local, body)
    elif write is None:
        kept(c, source).each(c.f, local, body)
    else:
        write(c, source, local, body)


def _words(c: Code, members: tuple[Value, ...], of: ir.Type) -> tuple[int, ...]:
    """Encodes constant members; cached, since many questions may iterate over one large set."""
    known = c.unit.words
    if (members, of) not in known:
        known[members, of] = tuple(c.word(member, of) for member in members)
    return known[members, of]


@lru_cache(maxsize=256)
def _are_following(members: tuple[int, ...]) -> bool:
    return all(b == a + 1 for a, b in pairwise(members))


def kept(c: Code, source: ir.Expr) -> KeptSet:
    """Evaluates a set: in the representation of its name, if it has one, else as a list."""
    return c.kept(source) or Listed(c.value(source))


def whole(c: Code, source: ir.Expr) -> ir.Expr:
    """Prepares a set for an iteration that may end early. If its evaluation can fault, it is
    evaluated in full first, and a name for it is returned."""
    source = c.meant(source)
    if not isinstance(source, FOUND_ON_THE_WAY) or not c.unit.can_fault.possible(source):
        return source
    slot = c.unit.new_slot()
    c.f.set(c.slot(slot), c.value(source))
    return ir.Local(source.type, slot, "members", span=source.span)


def _type_of_members(several: ir.Expr) -> ir.Type:
    return several.type.of if isinstance(several.type, ir.SetType) else several.type


def each_known(c: Code, members: Sequence[int], local: Variable, body: Body) -> None:
    """Like `each`, for constant members."""
    f, following = c.f, _are_following(tuple(members))
    if members and following and len(members) >= _RUN:
        coming = f.let("coming", members[0])
        with f.while_(coming <= members[-1]):
            f.set(local, coming)
            f.add(coming, 1)
            body()
    elif len(members) == 1:
        f.set(local, members[0])
        body()
    elif members:
        Listed(const(c.plan.listing(tuple(members)))).each(f, local, body)


def unrolled(c: Code, members: Sequence[Value], slot: int, of: ir.Type, body: Body) -> None:
    """Unrolls the body over a few members, which are constants in it."""
    before = c.meanings.get(slot)
    for member in members:
        c.unit.count_work()
        c.meanings[slot] = ir.Const(of, member)
        c.f.set(c.slot(slot), c.known(member, of))
        body()
    del c.meanings[slot]
    if before is not None:
        c.meanings[slot] = before


def each_taken(
    c: Code, family: PlaceMemory, members: Sequence[int], local: Variable, body: Body
) -> None:
    """Iterates in order over those of some places that are occupied when their turn comes."""
    f = c.f
    ahead = f.let("ahead", long(sum(1 << (member - family.first) for member in members)))
    with f.loop() as loop:
        taken = f.let("taken", long_at(family.occupied) & ahead)
        f.leave(loop, taken == 0)
        f.set(local, taken.lowest_bit() + family.first)
        f.set(ahead, ahead & long(-2) << taken.lowest_bit())  # the bits above the lowest one
        body()


def _each_in_place(c: Code, source: ir.Contents, local: Variable, body: Body) -> None:
    f, family = c.f, locations.family_of(c, source.place.type)
    place = c.present(source.place)
    if family.masked:
        pieces = wide.WideBits(locations.mask_in(family, place))
        Bits(family.first_piece, pieces).each(f, local, body)
        return
    with f.each_in_chain(local, family.bottom[place], c.plan.above):
        body()


def _each_in_range(
    c: Code, source: ir.Range, local: Variable, body: Body, paid: Paid | None = None
) -> None:
    f, (low, _, count) = c.f, _range(c, source)
    if paid is not None:
        count = f.let("count", count)
        c.pay_for_each(count, paid.each, paid.span)
    left, number = f.let("left", count), f.let("number", low)
    with f.down_to_0(left):
        f.set(local, number)
        f.add(number, 1)
        body()


def _range(c: Code, source: ir.Range) -> tuple[Variable, Variable, Expr]:
    """Returns the first and the last number of a range, and its length; too long a range is a
    fault."""
    f, bounds = c.f, c.unit.bounds
    low, high = f.let("low", c.present(source.low)), f.let("high", c.present(source.high))
    if bounds.number(source.high)[1] - bounds.number(source.low)[0] < LONGEST:
        return low, high, greater(0, f.let("count", high - low + 1))
    further = f.let("further", high.to_long(signed=True) - low.to_long(signed=True))
    c.fault_when(further >= LONGEST, messages.TOO_WIDE, source.span)
    return low, high, greater(-1, further).to_word() + 1


def _each_player(
    c: Code, source: ir.PlayersFrom | ir.PlayersOf | ir.PartnersOf, local: Variable, body: Body
) -> None:
    found = c.folder.attribute(source)
    assert found is not None
    lists = [c.plan.listing(seats) for seats in found[0]]
    Listed(c.lookup(c.plan.table(lists), found[1])).each(c.f, local, body)


def _each_of_function(c: Code, source: ir.CallFunction, local: Variable, body: Body) -> None:
    opened = value_calls.opened(c, source)
    if opened is None:
        kept(c, source).each(c.f, local, body)
    else:
        each(*opened, local, body)


def _each_combined(c: Code, source: ir.Combine, local: Variable, body: Body) -> None:
    f, first = c.f, None
    if not source.without:
        kept(c, source).each(f, local, body)
        return
    # The left set is evaluated first if it can fault; otherwise it is iterated without a list.
    if c.unit.can_fault.possible(source.left):
        first = Listed(f.let("first", c.value(source.left)))
    gone = f.let("gone", c.value(source.right))

    def unless_gone() -> None:
        with f.if_(not_(lists.includes(c.unit)(gone, local))):
            body()

    if first is not None:
        first.each(f, local, unless_gone)
    else:
        each(c, source.left, local, unless_gone)


# ---------------------------------------------------------------- lists


def listed(c: Code, expr: ir.Expr) -> Expr:
    """Materialises a set as a list; returns its address."""
    f, bounds, parts = c.f, c.unit.bounds, [expr]
    different = limited = False
    match expr:
        case ir.Combine(left=left, right=right, without=False):
            apart = c.unit.walks.apart(expr, c.names)
            parts, different = apart or [left, right], apart is None
            most = bounds.members(left) + bounds.members(right)
            limited = is_of_numbers(expr.type) and most > LONGEST
        case ir.Collect(different=True):
            parts, different = [replace(expr, different=False)], True
    at, number, member = c.reserve(bounds.members(expr)), f.let("number", 0), c.local()

    def append() -> None:
        with f.block() as there:
            if different:
                f.set(word(at), number)
                f.leave(there, lists.includes(c.unit)(at, member))
            if limited:
                c.fault_when(number >= LONGEST, messages.TOO_MANY_NUMBERS, expr.span)
            f.add(number, 1)
            f.set(word(at + (number << 2)), member)

    for part in parts:
        each(c, part, member, append)
    f.set(word(at), number)
    f.set(c.unit.top, at + ((number + 1) << 2))  # frees the unused part
    return at


def list_of(c: Code, expr: ir.ListOf) -> Expr:
    f, at, of = c.f, c.reserve(len(expr.items)), _type_of_members(expr)
    f.set(word(at), len(expr.items))
    for number, item in enumerate(expr.items, start=1):
        f.set(word(at, 4 * number), c.value(item, of))
    return at


# ---------------------------------------------------------------- operations on sets


def size(c: Code, expr: ir.Expr) -> Expr:
    """Returns the number of members of a set."""
    expr = c.meant(expr)
    known = c.folder.constant(expr)
    if known is not None:
        return const(len(known[0]))
    match expr:
        case ir.Contents(place=place):
            return locations.count_in(locations.family_of(c, place.type), c.present(place))
        case ir.Filter(binder=binder):
            return c.value(ir.Count(ir.NUMBER, binder, span=expr.span))
        case ir.Range():
            return _range(c, expr)[2]
        case ir.PlayersFrom(start=start):
            _look_at(c, (start,))
            return const(c.layout.players)
        case ir.Walk():
            return grids.ray(c, expr).size()
        case ir.ListOf(items=items):
            _look_at(c, items)
            return const(len(items))
        case ir.Conditional():
            return _of_either(c, expr, size)
        case ir.Combine(without=False) if (parts := c.unit.walks.apart(expr, c.names)) is not None:
            return reduce(add, c.f.in_order(*(partial(size, c, part) for part in parts)))
        case ir.CallFunction() if (opened := value_calls.opened(c, expr)) is not None:
            return size(*opened)
        case (
            ir.Local() | ir.CallFunction() | ir.Combine(without=False) | ir.Collect(different=True)
        ):
            return kept(c, expr).size()
        case _ if type(expr) in SIZES:
            return SIZES[type(expr)](c, expr)
    number = c.f.let("number", 0)
    each(c, expr, c.local(), lambda: c.f.add(number, 1))
    return number


def _of_either(c: Code, expr: ir.Conditional, asked: Callable[[Code, ir.Expr], Expr]) -> Expr:
    """Applies an operation to the chosen branch of a conditional set."""
    f, answer = c.f, c.local()
    with f.if_(c.value(expr.condition)):
        f.set(answer, asked(c, expr.then))
    with f.else_():
        f.set(answer, asked(c, expr.otherwise))
    return answer


def _look_at(c: Code, items: Sequence[ir.Expr]) -> None:
    """Evaluates items only for their faults."""
    for item in items:
        if not isinstance(item, ir.Local | ir.Const):
            c.value(item)


def is_empty(c: Code, expr: ir.IsEmpty) -> Expr:
    return empty(c, expr.set)


def empty(c: Code, expr: ir.Expr) -> Expr:
    """Returns whether a set has no members."""
    expr = c.meant(expr)
    f, known = c.f, c.folder.constant(expr)
    if known is not None:
        return const(int(not known[0]))
    match expr:
        case ir.Contents(place=place):
            return locations.is_empty_in(locations.family_of(c, place.type), c.present(place))
        case ir.Filter() | ir.Collect() | ir.Combine() if c.unit.can_fault.possible(expr):
            return kept(c, expr).is_empty()
        case ir.Filter(binder=binder):
            return not_(c.value(ir.Exists(ir.TRUTH, binder, span=expr.span)))
        case ir.Conditional():
            return _of_either(c, expr, empty)
        case ir.CallFunction() if (opened := value_calls.opened(c, expr)) is not None:
            return empty(*opened)
        case ir.Local() | ir.CallFunction():
            return kept(c, expr).is_empty()
        case ir.Combine(left=left, right=right, without=False):
            both = f.let("empty", empty(c, left))
            with f.if_(both):
                f.set(both, empty(c, right))
            return both
    nobody = f.let("empty", 0)
    with f.block() as there:
        each(c, expr, c.local(), lambda: f.leave(there))
        f.set(nobody, 1)
    return nobody


def end_of_set(c: Code, expr: ir.EndOf) -> Expr:
    """Returns the first or last member, or nothing."""
    several = whole(c, expr.set)
    nothing = c.word(None, _type_of_members(several))
    if isinstance(several, ir.Local):
        return kept(c, several).end(c.f, nothing, last=expr.last)
    return end_of(c.f, partial(each, c, several), nothing, last=expr.last)


def includes(c: Code, expr: ir.Includes) -> Expr:
    """Returns whether a set contains a thing, without listing the set where possible."""
    f, several = c.f, expr.set
    if isinstance(several, ir.Contents):
        place = several.place
        here, there = c.f.in_order(
            lambda: c.lookup(c.plan.where, expr.item), lambda: c.present(place)
        )
        return here == there
    if isinstance(several, ir.Range):
        number = f.let("number", c.value(expr.item))
        low, high, _ = _range(c, several)
        return (low <= number) & (number <= high)
    item = f.let("item", c.value(expr.item, _type_of_members(several)))
    several, looks = c.meant(several), c
    if isinstance(several, ir.CallFunction):
        looks, several = value_calls.opened(c, several) or (c, several)
    found: Expr | None = None
    kept_as = looks.kept(several)
    if isinstance(kept_as, PlaceBits):
        found = wide.has(kept_as.mask, item - kept_as.first)
    elif (look_up := LOOKED_UP.get(type(several))) is not None:
        found = look_up(looks, several, item)
    if found is not None:
        perhaps = isinstance(expr.item.type, ir.MaybeType)
        return found & (item != c.word(None, expr.item.type)) if perhaps else found
    return f.let("there", lists.includes(c.unit)(looks.value(several, expr.set.type), item))


def paid(c: Code, expr: Paid) -> Expr:
    """Lists a set and charges for its members."""
    listed = Listed(c.f.let("listed", c.value(expr.set)))
    c.pay_for_each(listed.size(), expr.each, expr.span)
    return listed.at


def _each_paid(c: Code, source: Paid, local: Variable, body: Body) -> None:
    if isinstance(source.set, ir.Range):
        _each_in_range(c, source.set, local, body, source)
        return
    Listed(paid(c, source)).each(c.f, local, body)


SOURCES: dict[type[ir.Expr], Callable[[Code, Any, Variable, Body], None]] = {
    ir.Contents: _each_in_place,
    ir.Range: _each_in_range,
    ir.PlayersFrom: _each_player,
    ir.PlayersOf: _each_player,
    ir.PartnersOf: _each_player,
    ir.CallFunction: _each_of_function,
    ir.Combine: _each_combined,
    ir.Around: neighbours.each_around,
    ir.Occupied: bitboards.each_occupied,
    ir.OpenPlaces: bitboards.each_open,
    ir.Walk: grids.each_walked,
    Paid: _each_paid,
}

SIZES: dict[type[ir.Expr], Callable[[Code, Any], Expr]] = {}
"""Generators of the size of sets that is known without iterating."""
LOOKED_UP: dict[type[ir.Expr], Callable[[Code, Any, Variable], Expr]] = {}
"""Generators of membership tests. Both tables are filled by the modules that define more sets."""
