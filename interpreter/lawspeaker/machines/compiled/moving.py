"""Functions that take a piece from where it is and lay it somewhere else.

`lift` takes it out, `lay` puts it on top of a place or under all that is in it. Heaps have no
order; where they are chains they are kept sorted. In a place with a loose middle the counts are
kept: what is laid under lies under the loose ones, what is laid on top lies above them, and what
is taken makes the part it came from smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawspeaker.ir.types import PieceType, Type
from lawspeaker.machines.compiled import condition_bits_code
from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.patterns import OWNER
from lawspeaker.machines.compiled.plan import NONE, Column, Family
from lawspeaker.machines.compiled.unit import Unit


def groups(unit: Unit, of: Type) -> list[list[Family]]:
    """The families that hold a type of piece; together those that are kept in the same way."""
    assert isinstance(of, PieceType), of
    found: dict[tuple[object, ...], list[Family]] = {}
    for family in unit.plan.families:
        if family.of.holds == of.index and family.size:
            key: tuple[object, ...] = (
                family.masked,
                family.mask if family.masked else family.top.base,
            )
            if (
                family.occupied
                or family.condition_bits
                or family.loose is not None
                or family.items is not None
            ):
                key = (*key, family.of.name)
            found.setdefault(key, []).append(family)
    return sorted(found.values(), key=len)


def by_family(
    unit: Unit, b: Function, of: Type, place: int, write: Callable[[Family], None]
) -> None:
    """Writes code for each way in which the place in a local may be kept."""
    _choose(b, place, groups(unit, of), write)


def _choose(
    b: Function, place: int, left: Sequence[list[Family]], write: Callable[[Family], None]
) -> None:
    if not left:
        return
    if len(left) == 1:
        write(left[0][0])
        return
    for at, family in enumerate(left[0]):
        b.get(place)
        b.const(family.first)
        b.op("i32.sub")
        b.const(family.size)
        b.op("i32.lt_u")
        if at:
            b.op("i32.or")
    with b.if_():
        write(left[0][0])
        b.else_()
        _choose(b, place, left[1:], write)


# ---------------------------------------------------------------- small steps


def put(b: Function, column: Column, at: int, value: Callable[[], None]) -> None:
    """Stores a value under the number in a local."""
    b.get(at)
    column.scale(b)
    value()
    column.store(b)


def take(b: Function, column: Column, at: int) -> None:
    b.get(at)
    column.load(b)


def bit_of(b: Function, family: Family, piece: int) -> None:
    b.long(1)
    b.get(piece)
    b.const(family.first_piece)
    b.op("i32.sub", "i64.extend_i32_u", "i64.shl")


def mark_occupied(b: Function, family: Family, place: int, taken: bool) -> None:
    """Keeps the bitboard of a family: a bit for each place in which there is something."""
    if not family.occupied:
        return
    if family.size <= 64:
        b.const(0)
        b.const(0)
        b.load(family.occupied, "i64.load")
        _place_bit(b, family, place)
        _join(b, taken)
        b.store(family.occupied, "i64.store")
        return  # it is one word: nothing to narrow
    word = b.local()
    b.get(place)
    b.const(family.first)
    b.op("i32.sub")
    b.const(6)
    b.op("i32.shr_u")
    b.const(3)
    b.op("i32.shl")
    b.tee(word)
    b.get(word)
    b.load(family.occupied, "i64.load")
    _place_bit(b, family, place)
    _join(b, taken)
    b.store(family.occupied, "i64.store")
    if taken:
        _widen(b, family, word)


def _widen(b: Function, family: Family, scaled: int) -> None:
    """Between which words of the bitboard anything was so far; it only grows."""
    at = b.local()
    b.get(scaled)
    b.const(3)
    b.op("i32.shr_u")
    b.set(at)
    for offset, sign in ((0, "i32.lt_s"), (4, "i32.gt_s")):
        b.const(0)
        b.get(at)
        b.const(0)
        b.load(family.spread + offset)
        b.get(at)
        b.const(0)
        b.load(family.spread + offset)
        b.op(sign, "select")
        b.store(family.spread + offset)


def _place_bit(b: Function, family: Family, place: int) -> None:
    b.long(1)
    b.get(place)
    b.const(family.first)
    b.op("i32.sub", "i64.extend_i32_u", "i64.shl")


def _join(b: Function, taken: bool) -> None:
    """Adds the bit on the stack to the mask below it, or takes it off."""
    if taken:
        b.op("i64.or")
    else:
        b.long(-1)
        b.op("i64.xor", "i64.and")


def mark_owned(
    unit: Unit, b: Function, family: Family, piece: int, place: int, taken: bool
) -> None:
    """Keeps which places are held by each player."""
    for by, base in family.held.items():
        who = b.local()
        b.get(piece)
        if by == OWNER:
            owners = [-1 if seat is None else seat for seat in unit.layout.piece_owner]
            unit.plan.table(owners).load(b)
        else:
            unit.plan.first_column(family.of.holds, by).load(b)
        b.set(who)
        mark_holder(b, family, base, who, place, taken)


def mark_holder(b: Function, family: Family, base: int, who: int, place: int, taken: bool) -> None:
    """Notes that a player holds a place, or no longer does."""
    at = b.local()
    b.get(who)
    b.const(3)
    b.op("i32.shl")
    b.tee(at)
    b.get(at)
    b.load(base, "i64.load")
    _place_bit(b, family, place)
    _join(b, taken)
    b.store(base, "i64.store")


# ---------------------------------------------------------------- lifting


def lift(unit: Unit, of: Type) -> Function:
    """(piece) -> the place it was taken from."""
    assert isinstance(of, PieceType), of

    def write(b: Function) -> None:
        origin = b.local()
        take(b, unit.plan.where, 0)
        b.set(origin)
        by_family(unit, b, of, origin, lambda family: lift_from(unit, b, family, 0, origin))
        b.get(origin)

    return unit.made(("lift", of.index), 1, 1, write)


def take_out(unit: Unit, family: Family) -> Function:
    """(piece, place of the family it is taken from)"""

    def write(b: Function) -> None:
        fix_place(b, family, 1)
        lift_from(unit, b, family, 0, 1)

    return unit.made(("take_out", family.of.name), 2, 0, write)


def fix_place(b: Function, family: Family, place: int) -> None:
    """Where a family has one place only it is that one: then addresses become fixed."""
    if family.size == 1:
        b.const(family.first)
        b.set(place)


def lift_from(unit: Unit, b: Function, family: Family, piece: int, origin: int) -> None:
    """Takes the piece in a local out of the place in another."""
    if not family.masked:
        _unchain(unit, b, family, piece, origin)
        return
    address, mask = b.local(), b.local(I64)
    b.get(origin)
    b.const(3)
    b.op("i32.shl")
    b.tee(address)
    b.get(address)
    b.load(family.mask, "i64.load")
    bit_of(b, family, piece)
    b.op("i64.xor")
    b.tee(mask)
    b.store(family.mask, "i64.store")
    if family.occupied:
        b.get(mask)
        b.op("i64.eqz")
        with b.if_():
            mark_occupied(b, family, origin, taken=False)
        mark_owned(unit, b, family, piece, origin, taken=False)
    condition_bits_code.renew(unit, b, family, origin)


def _unchain(unit: Unit, b: Function, family: Family, piece: int, origin: int) -> None:
    if family.loose is not None and family.under is not None:
        take(b, family.loose, origin)
        with b.if_():
            _count_loose(unit, b, family, piece, origin)
            put(b, unit.plan.waiting, piece, lambda: b.const(0))
    unlink(unit, b, family, piece, origin)


def loosen(unit: Unit, b: Function, family: Family, piece: int, origin: int) -> None:
    """A loose piece is about to leave: there is one less of them."""
    left, under = b.local(), family.under
    assert family.loose is not None
    assert under is not None
    take(b, family.loose, origin)
    b.const(1)
    b.op("i32.sub")
    b.set(left)
    put(b, family.loose, origin, lambda: b.get(left))
    put(b, unit.plan.waiting, piece, lambda: b.const(0))

    def under_them() -> None:
        # Where nothing is loose any more, nothing is said about what lies under it either.
        take(b, under, origin)
        b.const(0)
        b.get(left)
        b.op("select")

    put(b, under, origin, under_them)


def unlink(unit: Unit, b: Function, family: Family, piece: int, origin: int) -> None:
    """Takes a piece out of a chain."""
    plan = unit.plan
    below, above, count = b.local(), b.local(), b.local()
    take(b, plan.below, piece)
    b.set(below)
    take(b, plan.above, piece)
    b.set(above)
    _link(b, plan.above, family.bottom, origin, below, above)
    _link(b, plan.below, family.top, origin, above, below)
    take(b, family.count, origin)
    b.const(1)
    b.op("i32.sub")
    b.set(count)
    put(b, family.count, origin, lambda: b.get(count))
    if family.items is not None:
        b.get(above)
        b.const(0)
        b.op("i32.ge_s")
        with b.if_():
            b.get(origin)
            b.call(count_out(unit, family))
    if family.occupied:
        b.get(count)
        b.op("i32.eqz")
        with b.if_():
            mark_occupied(b, family, origin, taken=False)
        mark_owned(unit, b, family, piece, origin, taken=False)
    condition_bits_code.renew(unit, b, family, origin)


def _link(b: Function, side: Column, end: Column, place: int, neighbour: int, to: int) -> None:
    """What lies on one side of a neighbour, or at that end of the place, becomes `to`.

    Which of the two it is nobody can foresee, so the address is selected; ends are kept after
    sides, and as wide.
    """
    assert side.width == end.width
    b.get(place)
    end.scale(b)
    b.const(end.base - side.base)
    b.op("i32.add")
    b.get(neighbour)
    side.scale(b)
    b.get(neighbour)
    b.const(0)
    b.op("i32.lt_s", "select")
    b.get(to)
    side.store(b)


def _count_loose(unit: Unit, b: Function, family: Family, piece: int, origin: int) -> None:
    """A piece leaves a place with a loose middle: the part it lies in becomes smaller."""
    assert family.loose is not None
    assert family.under is not None
    at, each = b.local(), b.local()
    with b.block() as done:
        take(b, family.loose, origin)
        take(b, family.count, origin)
        b.op("i32.eq")
        with b.if_():
            # All of them are loose, so this one is.
            _less(b, family.loose, origin)
            b.br(done)
        take(b, family.bottom, origin)
        b.set(each)
        b.const(0)
        b.set(at)
        with b.block() as reached, b.loop() as again:
            b.get(each)
            b.get(piece)
            b.op("i32.eq")
            b.br_if(reached)
            take(b, unit.plan.above, each)
            b.set(each)
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.set(at)
            b.br(again)
        b.get(at)
        take(b, family.under, origin)
        b.op("i32.lt_s")
        with b.if_():
            _less(b, family.under, origin)
            b.br(done)
        b.get(at)
        take(b, family.under, origin)
        take(b, family.loose, origin)
        b.op("i32.add", "i32.lt_s")
        with b.if_():
            _less(b, family.loose, origin)
            take(b, family.loose, origin)
            b.op("i32.eqz")
            with b.if_():
                put(b, family.under, origin, lambda: b.const(0))


def _less(b: Function, column: Column, at: int) -> None:
    def one_less() -> None:
        take(b, column, at)
        b.const(1)
        b.op("i32.sub")

    put(b, column, at, one_less)


# ---------------------------------------------------------------- laying


def lay(unit: Unit, family: Family, under: bool) -> Function:
    """(lifted piece, place)"""

    def write(b: Function) -> None:
        put(b, unit.plan.where, 0, lambda: b.get(1))
        if family.masked:
            _set_bit(b, family, 0, 1)
        elif family.heap:
            _insert(unit, b, family)
        elif under:
            _chain_under(unit, b, family)
        else:
            _chain_on_top(unit, b, family)
        mark_owned(unit, b, family, 0, 1, taken=True)
        condition_bits_code.renew(unit, b, family, 1)

    return unit.made(("lay", family.of.name, under and not family.heap), 2, 0, write)


def _set_bit(b: Function, family: Family, piece: int, place: int) -> None:
    address = b.local()
    b.get(place)
    b.const(3)
    b.op("i32.shl")
    b.tee(address)
    b.get(address)
    b.load(family.mask, "i64.load")
    bit_of(b, family, piece)
    b.op("i64.or")
    b.store(family.mask, "i64.store")
    mark_occupied(b, family, place, taken=True)


def _grow(b: Function, family: Family, place: int) -> None:
    def one_more() -> None:
        take(b, family.count, place)
        b.const(1)
        b.op("i32.add")

    put(b, family.count, place, one_more)
    mark_occupied(b, family, place, taken=True)


def count_out(unit: Unit, family: Family) -> Function:
    """(place): writes down which piece is the first, the second and so on"""

    def write(b: Function) -> None:
        piece, at = b.local(), b.local()
        items = family.items
        assert items is not None
        take(b, family.bottom, 0)
        b.set(piece)
        b.get(0)
        b.const(family.room)
        b.op("i32.mul")
        b.set(at)
        with b.block() as done, b.loop() as again:
            b.get(piece)
            b.const(0)
            b.op("i32.lt_s")
            b.br_if(done)
            put(b, items, at, lambda: b.get(piece))
            take(b, unit.plan.above, piece)
            b.set(piece)
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.set(at)
            b.br(again)

    return unit.made(("count_out", family.of.name), 1, 0, write)


def _chain_on_top(unit: Unit, b: Function, family: Family) -> None:
    top = b.local()
    if family.items is not None:
        at = b.local()
        b.get(1)
        b.const(family.room)
        b.op("i32.mul")
        take(b, family.count, 1)
        b.op("i32.add")
        b.set(at)
        put(b, family.items, at, lambda: b.get(0))
    take(b, family.top, 1)
    b.set(top)
    put(b, unit.plan.below, 0, lambda: b.get(top))
    put(b, unit.plan.above, 0, lambda: b.const(NONE))
    _link(b, unit.plan.above, family.bottom, 1, top, 0)
    put(b, family.top, 1, lambda: b.get(0))
    _grow(b, family, 1)


def _chain_under(unit: Unit, b: Function, family: Family) -> None:
    bottom = b.local()
    take(b, family.bottom, 1)
    b.set(bottom)
    put(b, unit.plan.above, 0, lambda: b.get(bottom))
    put(b, unit.plan.below, 0, lambda: b.const(NONE))
    _link(b, unit.plan.below, family.top, 1, bottom, 0)
    put(b, family.bottom, 1, lambda: b.get(0))
    _grow(b, family, 1)
    if family.loose is not None and family.under is not None:
        below = family.under
        take(b, family.loose, 1)
        with b.if_():

            def one_more() -> None:
                take(b, below, 1)
                b.const(1)
                b.op("i32.add")

            put(b, below, 1, one_more)
    _count_out_again(unit, b, family, 1)


def _count_out_again(unit: Unit, b: Function, family: Family, place: int) -> None:
    if family.items is not None:
        b.get(place)
        b.call(count_out(unit, family))


def _insert(unit: Unit, b: Function, family: Family) -> None:
    """Into a chain that is kept sorted, looking from the top."""
    below = b.local()
    take(b, family.top, 1)
    b.set(below)
    with b.block() as found, b.loop() as again:
        b.get(below)
        b.get(0)
        b.op("i32.lt_s")
        b.br_if(found)
        take(b, unit.plan.below, below)
        b.set(below)
        b.br(again)
    _chain_after(unit, b, family, 0, 1, below)
    _grow(b, family, 1)
    _count_out_again(unit, b, family, 1)


def _chain_after(
    unit: Unit, b: Function, family: Family, piece: int, place: int, below: int
) -> None:
    """Links a piece into a chain right above another, or as the bottom."""
    above = b.local()
    b.get(below)
    b.const(0)
    b.op("i32.lt_s")
    with b.if_(I32):
        take(b, family.bottom, place)
        b.else_()
        take(b, unit.plan.above, below)
    b.set(above)
    put(b, unit.plan.below, piece, lambda: b.get(below))
    put(b, unit.plan.above, piece, lambda: b.get(above))
    _link(b, unit.plan.above, family.bottom, place, below, piece)
    _link(b, unit.plan.below, family.top, place, above, piece)


# ---------------------------------------------------------------- putting back


def remember(c: Code, of: Type, piece: int, origin: int, below: int) -> tuple[int, int]:
    """What must be known to put a piece back exactly where it was."""
    b, under, loose = c.b, c.local(), c.local()
    take(b, c.plan.below, piece)
    b.set(below)

    def write(family: Family) -> None:
        if not family.masked and family.loose is not None and family.under is not None:
            take(b, family.under, origin)
            b.set(under)
            take(b, family.loose, origin)
            b.set(loose)

    by_family(c.unit, b, of, origin, write)
    return under, loose


def put_back(c: Code, of: Type, piece: int, origin: int, below: int, kept: tuple[int, int]) -> None:
    """Puts a lifted piece back exactly where it was."""
    b = c.b
    under, loose = kept

    def write(family: Family) -> None:
        mark_owned(c.unit, b, family, piece, origin, taken=True)
        if family.masked:
            _set_bit(b, family, piece, origin)
            condition_bits_code.renew(c.unit, b, family, origin)
            return
        _chain_after(c.unit, b, family, piece, origin, below)
        _grow(b, family, origin)
        _count_out_again(c.unit, b, family, origin)
        condition_bits_code.renew(c.unit, b, family, origin)
        if family.loose is not None and family.under is not None:
            put(b, family.under, origin, lambda: b.get(under))
            put(b, family.loose, origin, lambda: b.get(loose))

    put(b, c.plan.where, piece, lambda: b.get(origin))
    by_family(c.unit, b, of, origin, write)
