"""Code for what changes the situation: markers, states, scores, moves, shuffles; and telling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import prod

from lawspeaker import ir
from lawspeaker.ir.types import NumberType, PieceType, SetType, Type, plain
from lawspeaker.ir.walk import children, names_in
from lawspeaker.machines.compiled import locations, members, shuffling, watching
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.journal_code import (
    SOME,
    Word,
    begin,
    note,
    seen,
    sights,
    viewers,
)
from lawspeaker.machines.compiled.kept_sets import Listed
from lawspeaker.machines.compiled.masks import Mask, whole_mask
from lawspeaker.machines.compiled.moving import lay, lift, mark_holder, take_out
from lawspeaker.machines.compiled.plan import NONE, Family
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Expr, Variable, not_, word


def set_marker(c: Code, deed: ir.SetMarker) -> None:
    b, marker = c.b, c.program.markers[deed.marker]
    shown, entry = c.local(), c.local()
    c.b.push(c.value(deed.value, marker.type))
    b.set(shown)
    _within(c, shown, marker.type, marker.name, deed)
    at = c.plan.markers + 4 * c.layout.marker_at[deed.marker]
    domains = c.layout.domains(marker.indices)
    if not deed.indices:
        b.const(0)
    else:
        b.push(locations.entry_at(c, deed.indices, domains, marker.name, deed.span))
        b.tee(entry)
        b.const(2)
        b.op("i32.shl")
    b.get(shown)
    b.store(at)
    if not deed.indices:
        known = c.layout.viewers(marker.seen_by, None)
        note(c, "marker", c.clause, NONE, known, (deed.marker, NONE, lambda: b.get(shown)))
        return
    first = c.layout.marker_at[deed.marker]
    owners = [each.owner for each in c.layout.markers[first : first + prod(map(len, domains))]]
    sight = [c.layout.viewers(marker.seen_by, each) for each in owners]

    def which() -> None:
        b.get(entry)

    def who() -> None:
        which()
        sights(c, sight).load(b)

    def of() -> None:
        which()
        c.plan.table([NONE if each is None else each for each in owners]).load(b)

    owner = which if len(domains) == 1 else of
    whose = owner if marker.per_player else NONE
    note(c, "marker", c.clause, whose, who, (deed.marker, which, lambda: b.get(shown)))


def _within(c: Code, number: Variable, of: Type, name: str, deed: ir.Statement) -> None:
    """A number must stay in the range of what it is given to."""
    if not isinstance(of, NumberType) or not of.listed:
        return
    b = c.b
    b.get(number)
    b.const(of.low)
    b.op("i32.lt_s")
    b.get(number)
    b.const(of.high)
    b.op("i32.gt_s", "i32.or")
    message = messages.another_number(name, of.low, of.high)
    c.fault_if(message, deed.span)


def set_state(c: Code, deed: ir.SetState) -> None:
    b, piece, shown = c.b, c.local(), c.local()
    state = c.program.pieces[deed.piece].states[deed.state]
    column = c.plan.first_column(deed.piece, deed.state)
    first = c.layout.first_entry[deed.piece][deed.state]
    at, entry = piece, c.local()
    c.b.push(c.present(deed.of))
    b.set(piece)
    if deed.indices:
        at = c.local()
        domains = c.layout.domains(state.indices)
        b.get(piece)
        b.push(locations.entry_at(c, deed.indices, domains, state.name, deed.span))
        b.tee(entry)
        b.const(len(c.layout.pieces_of[deed.piece]))
        b.op("i32.mul", "i32.add")
        b.set(at)
    c.b.push(c.value(deed.value, state.type))
    b.set(shown)
    _within(c, shown, state.type, state.name, deed)
    _change_holder(c, deed, piece, shown)
    b.get(at)
    column.scale(b)
    b.get(shown)
    column.store(b)

    def which() -> None:
        b.get(entry)
        b.const(first)
        b.op("i32.add")

    def known() -> None:
        b.get(piece)
        c.plan.where.load(b)
        seen(c).load(b)

    number = which if deed.indices else first
    data = (deed.piece, number, lambda: b.get(piece), lambda: b.get(shown))
    note(c, "state", c.clause, NONE, known, data)


def _change_holder(c: Code, deed: ir.SetState, piece: Variable, shown: Variable) -> None:
    """Where the state tells who holds a place, somebody else may hold it now."""
    b, place, before = c.b, c.local(), c.local()
    for family in c.plan.families:
        base = family.held.get(deed.state)
        if base is None or family.of.holds != deed.piece:
            continue
        b.get(piece)
        c.plan.where.load(b)
        b.tee(place)
        b.const(family.first)
        b.op("i32.sub")
        b.const(family.size)
        b.op("i32.lt_u")
        with b.if_():
            b.get(piece)
            c.plan.first_column(deed.piece, deed.state).load(b)
            b.set(before)
            f = b.f
            at = place
            mark_holder(f, family, base, before, at, taken=False)
            mark_holder(f, family, base, shown, at, taken=True)


def score(c: Code, deed: ir.Score) -> None:
    b, seat = c.b, c.local()
    if not isinstance(deed.who.type, SetType):
        c.b.push(c.seat(deed.who))
        b.set(seat)
        _give(c, deed, seat)
        return
    known = c.folder.constant(deed.who)
    if known is not None:
        members.each_known(c, known[0], seat, lambda: _give(c, deed, seat))
        return
    if isinstance(deed.who, ir.Local):
        members.each(c, deed.who, seat, lambda: _give(c, deed, seat))
        return
    Listed(c.value(deed.who)).each(c.f, seat, lambda: _give(c, deed, seat))


def _give(c: Code, deed: ir.Score, seat: Variable) -> None:
    b, gain, total = c.b, c.long(), c.long()
    if c.layout.players != len(c.program.player_names):
        b.get(seat)
        b.const(c.layout.players)
        b.op("i32.ge_s")
        c.fault_if(messages.ABSENT, deed.span)
    if deed.loses:
        b.long(0)
    c.b.push(c.scoped_present(deed.points))
    b.op("i64.extend_i32_s")
    if deed.loses:
        b.op("i64.sub")
    b.set(gain)
    b.get(seat)
    b.const(2)
    b.op("i32.shl")
    b.load(c.plan.scores)
    b.op("i64.extend_i32_s")
    b.get(gain)
    b.op("i64.add")
    b.set(total)
    c.fault_if_beyond(total, messages.SCORE_BEYOND, deed.span)
    b.get(seat)
    b.const(2)
    b.op("i32.shl")
    b.get(total)
    b.op("i32.wrap_i64")
    b.store(c.plan.scores)
    if c.unit.watching:
        watching.given(c, seat, gain)

    def of() -> None:
        b.get(seat)

    def low(word: Variable) -> None:
        b.get(word)
        b.op("i32.wrap_i64")

    data = (of, lambda: low(gain), lambda: low(total), deed.at, *_named(c, deed))
    note(c, "score", c.clause, of, c.layout.everyone, data)


def _named(c: Code, deed: ir.Statement) -> Iterator[Word]:
    """What the names in a statement stand for, of a piece with the place in which it lies."""
    for each in names_in(deed):
        yield partial(_push, c, each)
        if isinstance(each.type, PieceType):
            yield partial(_place_of, c, each)


def _push(c: Code, named: ir.Local) -> None:
    c.b.push(c.value(named))


def _place_of(c: Code, piece: ir.Local) -> None:
    c.b.push(c.value(piece))
    c.plan.where.load(c.b)


# ---------------------------------------------------------------- moves


def put(
    c: Code,
    piece: Variable,
    place: Variable,
    to: ir.Expr,
    under: bool,
    deed: ir.Statement,
    origin: Variable | None = None,
) -> None:
    """Moves the piece in a local to the place in a local. Where it is said in which local the place
    is that it came from, it was lifted already."""
    b, family = c.b, locations.family_of(c, to.type)
    of = PieceType(c.program.pieces[family.of.holds].name, family.of.holds)
    if origin is None:
        origin = c.local()
        b.get(piece)
        b.call(lift(c.unit, of))
        b.set(origin)
    came_from = origin
    room = _room(c, family)
    if room is not None:
        if room == 1:
            full = not_(locations.is_empty_in(family, place))
        else:
            full = locations.count_in(family, place) >= room
        c.fault_when(full, messages.full(family.of.name), deed.span)
    b.get(piece)
    b.get(place)
    b.call(lay(c.unit, family, under))

    def known() -> None:
        b.get(came_from)
        seen(c).load(b)
        b.get(place)
        seen(c).load(b)
        b.op("i64.or")

    which = (lambda: b.get(piece), lambda: b.get(came_from), lambda: b.get(place))
    how = (int(under), int(isinstance(deed, ir.Draw)))
    note(c, "move", c.clause, NONE, known, (*which, *how))


def _room(c: Code, family: Family) -> int | None:
    """How many pieces a place has room for, if there are more of them."""
    room = family.of.room
    return None if room is None or room >= len(c.layout.pieces_of[family.of.holds]) else room


def wrong_type(c: Code, what: Type, to: ir.Expr, deed: ir.Statement) -> bool:
    """Whether the pieces do not belong into the place at all: then it is a fault."""
    family = locations.family_of(c, to.type)
    of = plain(what)
    if isinstance(of, SetType):
        of = plain(of.of)
    if isinstance(of, PieceType) and of.index == family.of.holds:
        return False
    c.fault(messages.no_place_for_it(family.of.name), deed.span)
    return True


def _pay_for_each(c: Code, deed: ir.Move | ir.MoveSome, number: Expr) -> None:
    """Pays for so many pieces."""
    c.pay_for_each(number, c.unit.operation(c.clause, deed, Kind.EFFECT).cost, deed.span)


def move(c: Code, deed: ir.Move) -> None:
    b, piece, place, pieces = c.b, c.local(), c.local(), c.local()
    if isinstance(deed.what.type, SetType):
        c.b.push(c.present(deed.to))
        b.set(place)
        c.b.push(c.value(deed.what))
        b.set(pieces)
        _pay_for_each(c, deed, word(pieces))

        def put_it() -> None:
            if not wrong_type(c, deed.what.type, deed.to, deed):
                put(c, piece, place, deed.to, deed.under, deed)

        Listed(pieces).each(c.f, piece, put_it)
        return
    c.b.push(c.present(deed.what))
    b.set(piece)
    c.b.push(c.present(deed.to))
    b.set(place)
    if not wrong_type(c, deed.what.type, deed.to, deed):
        put(c, piece, place, deed.to, deed.under, deed)


def move_some(c: Code, deed: ir.MoveSome) -> None:
    b, binder = c.b, deed.binder
    piece, place, pieces, left = c.local(), c.local(), c.local(), c.local()
    bits = c.long()
    mask = whole_mask(c, binder)
    if mask is not None and deed.most is not None and c.folder.constant(deed.most) == (1,):
        _move_one(c, deed, mask)
        return
    if mask is not None and _moves_at_once(c, deed):
        _move_at_once(c, deed, mask)
        return
    if mask is not None:
        b.push(mask.bits())
        b.tee(bits)
        b.op("i64.popcnt", "i32.wrap_i64")
    else:
        c.b.push(c.value(ir.Filter(SetType(binder.type), binder, span=deed.span)))
        b.tee(pieces)
        b.load()
    b.set(left)
    if deed.most is not None:
        _at_most(c, deed, left)
    c.b.push(c.present(deed.to))
    b.set(place)
    _pay_for_each(c, deed, left)

    with c.f.down_to_0(left):
        if mask is not None:
            _take_lowest(c, mask.first, bits, piece)
        else:
            c.f.add(pieces, 4)
            c.f.set(piece, word(pieces))
        if not wrong_type(c, binder.type, deed.to, deed):
            put(c, piece, place, deed.to, deed.under, deed)


def _take_lowest(c: Code, first: int, bits: Variable, piece: Variable) -> None:
    """The lowest piece of a mask is taken out of it."""
    c.f.set(piece, bits.lowest_bit() + first)
    c.f.set(bits, bits & bits - 1)


def _moves_at_once(c: Code, deed: ir.MoveSome) -> bool:
    """Whether both places are plain masks, of which nobody keeps a bitboard, with room for all."""
    source = deed.binder.source
    if c.unit.stepping or not isinstance(source, ir.Contents):
        return False
    if c.unit.can_fault.possible(source.place):
        return False
    of, to = locations.family_of(c, source.place.type), locations.family_of(c, deed.to.type)
    kept = any(family.occupied or family.condition_bits for family in (of, to))
    plain_masks = of.masked and to.masked and not kept
    return plain_masks and of.of.holds == to.of.holds and _room(c, to) is None


def _move_at_once(c: Code, deed: ir.MoveSome, mask: Mask) -> None:
    """Moves some pieces from one mask to another. Each is only told where it is now."""
    b, left, place, piece, origin = c.b, c.local(), c.local(), c.local(), c.local()
    found, bits = c.long(), c.long()
    assert isinstance(deed.binder.source, ir.Contents)
    b.push(mask.bits())
    b.tee(found)
    b.tee(bits)
    b.op("i64.popcnt", "i32.wrap_i64")
    b.set(left)
    if deed.most is not None:
        _at_most(c, deed, left)
    c.b.push(c.present(deed.to))
    b.set(place)
    _pay_for_each(c, deed, left)

    with c.f.down_to_0(left):
        _take_lowest(c, mask.first, bits, piece)
        c.f.set(c.plan.where[piece], place)
    c.b.push(c.present(deed.binder.source.place))
    b.set(origin)
    b.get(found)
    b.get(bits)
    b.op("i64.xor")
    b.set(found)
    for where, family_at, joined in (
        (origin, locations.family_of(c, deed.binder.source.place.type), "i64.xor"),
        (place, locations.family_of(c, deed.to.type), "i64.or"),
    ):
        b.get(where)
        b.const(3)
        b.op("i32.shl")
        b.get(where)
        b.const(3)
        b.op("i32.shl")
        b.load(family_at.mask, "i64.load")
        b.get(found)
        b.op(joined)
        b.store(family_at.mask, "i64.store")


def _move_one(c: Code, deed: ir.MoveSome, mask: Mask) -> None:
    """Moves the first of those found."""
    b, piece, place, bits = c.b, c.local(), c.local(), c.long()
    with b.block() as none:
        b.push(mask.bits())
        b.set(bits)
        if not deed.exactly:
            c.b.push(c.present(deed.to))
            b.set(place)
        b.get(bits)
        b.op("i64.eqz")
        if deed.exactly:
            c.fault_if(messages.too_few(deed.binder.name), deed.span)
            c.b.push(c.present(deed.to))
            b.set(place)
        else:
            b.br_if(none)
        c.pay(c.unit.operation(c.clause, deed, Kind.EFFECT).cost, deed.span)
        c.f.set(piece, bits.lowest_bit() + mask.first)
        if not wrong_type(c, deed.binder.type, deed.to, deed):
            put(c, piece, place, deed.to, deed.under, deed, _taken_out(c, deed.binder, piece))


def _taken_out(c: Code, binder: ir.Binder, piece: Variable) -> Variable | None:
    """Takes a piece out of the place it was looked for in. Returns the local that is in; None if
    nobody said which it is."""
    if not isinstance(binder.source, ir.Contents):
        return None
    if c.unit.can_fault.possible(binder.source.place):
        return None
    origin = c.local()
    c.b.push(c.present(binder.source.place))
    c.b.set(origin)
    c.b.get(piece)
    c.b.get(origin)
    c.b.call(take_out(c.unit, locations.family_of(c, binder.source.place.type)))
    return origin


def needs_room(c: Code, deed: ir.Statement) -> bool:
    """Whether doing something may need a list in the arena."""
    if isinstance(deed, ir.MoveSome) and whole_mask(c, deed.binder) is None:
        return True
    return any(
        c.unit.rooms.binder(part) if isinstance(part, ir.Binder) else c.takes_room(part)
        for part in children(deed)
    )


def _at_most(c: Code, deed: ir.MoveSome, left: Variable) -> None:
    """Of those found, only so many are moved."""
    b, most = c.b, c.local()
    assert deed.most is not None
    c.b.push(c.present(deed.most))
    b.tee(most)
    b.const(0)
    b.op("i32.lt_s")
    c.fault_if(messages.FEWER_THAN_NONE, deed.span)
    if deed.exactly:
        b.get(left)
        b.get(most)
        b.op("i32.lt_s")
        c.fault_if(messages.too_few(deed.binder.name), deed.span)
    b.get(left)
    b.get(most)
    b.get(left)
    b.get(most)
    b.op("i32.le_s", "select")
    b.set(left)


def shuffle(c: Code, deed: ir.Shuffle) -> None:
    b, place = c.b, c.local()
    c.b.push(c.present(deed.place))
    b.tee(place)
    b.call(shuffling.shuffle(c.unit, locations.family_of(c, deed.place.type)))
    note(c, "shuffle", c.clause, NONE, c.layout.everyone, (lambda: b.get(place),))


# ---------------------------------------------------------------- telling


def tell(c: Code, deed: ir.Tell) -> None:
    """Works out what is told; only a module that keeps a journal does anything with it."""
    b, known, told = c.b, c.long(), c.local()
    seat = _told(c, deed, known)
    c.b.push(c.value(deed.what))
    b.set(told)
    if isinstance(deed.what.type, SetType):
        _tell_members(c, deed, seat, known, told)
    else:
        note(c, "tell", c.clause, seat, lambda: b.get(known), (deed.at, lambda: b.get(told)))


def _told(c: Code, deed: ir.Tell, known: Variable) -> Word:
    """Leaves a bit for each who is told in a local; the seat, if it is one player."""
    b, seat = c.b, c.local()

    def of() -> None:
        b.get(seat)

    def bit() -> None:
        b.long(1)
        b.get(seat)
        b.op("i64.extend_i32_u", "i64.shl")

    if deed.who is None:
        b.long(viewers(c.layout.everyone))
        b.set(known)
        return NONE
    if not isinstance(deed.who.type, SetType):
        c.b.push(c.seat(deed.who))
        b.set(seat)
        bit()
        b.set(known)
        return of

    def add() -> None:
        if c.layout.players != len(c.program.player_names):
            b.get(seat)
            b.const(c.layout.players)
            b.op("i32.ge_s")
            c.fault_if(messages.ABSENT, deed.span)
        b.get(known)
        bit()
        b.op("i64.or")
        b.set(known)

    b.long(0)
    b.set(known)
    Listed(c.value(deed.who)).each(c.f, seat, add)
    return SOME


def _tell_members(c: Code, deed: ir.Tell, seat: Word, known: Variable, listed: Variable) -> None:
    """A set is told by its members, which lie in a list."""
    b, count, at = c.b, c.local(), c.local()
    b.get(listed)
    b.load()
    b.tee(count)
    b.const(ir.MOST_TOLD)
    b.op("i32.gt_s")
    c.fault_if(messages.TOLD_TOO_MUCH, deed.span)
    if not c.unit.stepping:
        return

    def words() -> None:
        b.get(count)
        b.const(1)
        b.op("i32.add")

    begin(c, "tell", c.clause, seat, lambda: b.get(known), words)
    b.set(at)
    b.get(at)
    b.const(deed.at)
    b.store()
    b.get(at)
    b.const(4)
    b.op("i32.add")
    b.get(listed)
    b.const(4)
    b.op("i32.add")
    b.get(count)
    b.const(2)
    b.op("i32.shl")
    b.copy()
