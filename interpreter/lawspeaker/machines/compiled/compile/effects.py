"""Generates code for effects: markers, states, scores, moves, shuffles and announcements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

from lawspeaker import ir
from lawspeaker.ir.walk import children, names_in
from lawspeaker.machines.compiled.compile import locations, masks, members
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.masks import whole_mask
from lawspeaker.machines.compiled.compile.set_forms import Listed
from lawspeaker.machines.compiled.runtime import hashes, shuffling, watching
from lawspeaker.machines.compiled.runtime.journal_code import (
    SOME,
    begun,
    note,
    seen,
    sights,
)
from lawspeaker.machines.compiled.runtime.moving import lay, lift, mark_holder, take_out
from lawspeaker.machines.compiled.runtime.plan import NONE, Column, PlaceMemory
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import (
    I64,
    Expr,
    Number,
    Variable,
    const,
    greater,
    lesser,
    long,
    not_,
    word,
)
from lawspeaker.machines.planned.sets import Masked


def set_marker(c: Code, deed: ir.SetMarker) -> None:
    """Assigns to an entry of a marker."""
    f, marker, first = c.f, c.program.markers[deed.marker], c.layout.marker_at[deed.marker]
    shown = f.let("shown", c.value(deed.value, marker.type))
    _within(c, shown, marker.type, marker.name, deed)
    column = Column(c.plan.markers + 4 * first, 4, "state.markers")
    if not deed.indices:
        watching.changed(c, column[const(0)] != shown)
        f.set(column[const(0)], shown)
        known = c.layout.viewers(marker.seen_by, None)
        note(c, "marker", c.clause, NONE, known, (deed.marker, NONE, shown))
        return
    domains = c.layout.domains(marker.indices)
    entry = f.let("entry", locations.entry_at(c, deed.indices, domains, marker.name, deed.span))
    watching.changed(c, column[entry] != shown)
    f.set(column[entry], shown)
    if c.unit.purpose.stepping:
        _note_entry(c, deed, domains, entry, shown)


def _note_entry(
    c: Code,
    deed: ir.SetMarker,
    domains: Sequence[Sequence[int]],
    entry: Variable,
    shown: Variable,
) -> None:
    """Writes the change of one entry of an indexed marker to the journal."""
    marker, first = c.program.markers[deed.marker], c.layout.marker_at[deed.marker]
    owners = [each.owner for each in c.layout.markers[first : first + prod(map(len, domains))]]
    whose: Number = NONE
    if marker.per_player:
        seats = [NONE if owner is None else owner for owner in owners]
        whose = entry if len(domains) == 1 else c.plan.table(seats)[entry]
    known = sights(c, [c.layout.viewers(marker.seen_by, each) for each in owners])[entry]
    note(c, "marker", c.clause, whose, known, (deed.marker, entry, shown))


def _within(c: Code, number: Variable, of: ir.Type, name: str, deed: ir.Statement) -> None:
    """Faults if a number is outside the range of the variable it is assigned to."""
    if isinstance(of, ir.NumberType) and of.listed:
        message = messages.another_number(name, of.low, of.high)
        c.fault_when((number < of.low) | (number > of.high), message, deed.span)


def set_state(c: Code, deed: ir.SetState) -> None:
    """Assigns to a state of a piece, and updates bitboards and hashes."""
    f, state = c.f, c.program.pieces[deed.piece].states[deed.state]
    column = c.plan.first_column(deed.piece, deed.state)
    number: Number = c.layout.first_entry[deed.piece][deed.state]
    piece = at = f.let("piece", c.present(deed.of))
    if deed.indices:
        domains = c.layout.domains(state.indices)
        entry = f.let("entry", locations.entry_at(c, deed.indices, domains, state.name, deed.span))
        at = f.let("at", piece + entry * len(c.layout.pieces_of[deed.piece]))
        number = entry + number
    shown = f.let("shown", c.value(deed.value, state.type))
    _within(c, shown, state.type, state.name, deed)
    _change_holder(c, deed, piece, shown)
    watching.changed(c, column[at] != shown)
    _change_hash(c, deed, piece)
    f.set(column[at], shown)
    _change_hash(c, deed, piece)
    if c.unit.purpose.stepping:
        known = seen(c)[c.plan.where[piece]]
        note(c, "state", c.clause, NONE, known, (deed.piece, number, piece, shown))


def _change_holder(c: Code, deed: ir.SetState, piece: Variable, shown: Variable) -> None:
    """Updates the bitboards of holders, if the state defines who holds a place."""
    f = c.f
    for family in c.plan.families:
        held = family.held.get(deed.state)
        if held is None or family.of.holds != deed.piece:
            continue
        place = f.let("place", c.plan.where[piece])
        with f.if_((place - family.first).below(family.size)):
            before = f.let("before", c.plan.first_column(deed.piece, deed.state)[piece])
            mark_holder(f, family, held, before, place, taken=False)
            mark_holder(f, family, held, shown, place, taken=True)


def _change_hash(c: Code, deed: ir.SetState, piece: Variable) -> None:
    """Toggles the piece in the incremental hash of the family it lies in."""
    for family in c.plan.families:
        if family.hash and family.of.holds == deed.piece:
            place = c.f.let("place", c.plan.where[piece])
            with c.f.if_((place - family.first).below(family.size)):
                hashes.change(c.unit, c.f, family, piece, place)


def score(c: Code, deed: ir.Score) -> None:
    """Gives points to a player or to each of several."""
    seat, known = c.local(), c.folder.constant(deed.who)

    def give() -> None:
        _give(c, deed, seat)

    if not isinstance(deed.who.type, ir.SetType):
        c.f.set(seat, c.seat(deed.who))
        give()
    elif known is not None:
        members.each_known(c, known[0], seat, give)
    else:
        members.kept(c, deed.who).each(c.f, seat, give)


def _give(c: Code, deed: ir.Score, seat: Variable) -> None:
    f, score = c.f, Column(c.plan.scores, 4, "state.scores")[seat]
    c.fault_if_absent(seat, deed.span)
    points = c.scoped_present(deed.points).to_long(signed=True)
    gain = f.let("gain", 0 - points if deed.loses else points)
    total = f.let("total", score.to_long(signed=True) + gain)
    c.fault_if_beyond(total, messages.SCORE_BEYOND, deed.span)
    f.set(score, total.to_word())
    if c.unit.purpose.watching:
        watching.given(c, seat, gain)
        watching.changed(c, gain != 0)
    if c.unit.purpose.stepping:
        data: list[Number] = [seat, gain.to_word(), total.to_word(), deed.at, *_named(c, deed)]
        note(c, "score", c.clause, seat, c.layout.everyone, data)


def _named(c: Code, deed: ir.Statement) -> Iterator[Expr]:
    """Yields the values of the names in a statement; after a piece also its place."""
    for each in names_in(deed):
        yield c.value(each)
        if isinstance(each.type, ir.PieceType):
            yield c.plan.where[c.value(each)]


# ---------------------------------------------------------------- moves


def put(
    c: Code,
    deed: ir.Move | ir.MoveSome | ir.Draw,
    what: ir.Type,
    piece: Variable,
    place: Variable,
    origin: Callable[[], Variable | None] = lambda: None,
) -> None:
    """Moves a piece to a place. `origin` removes it from its old place and returns that place;
    otherwise it is removed here. A piece that the family cannot hold is a fault."""
    f, family = c.f, locations.family_of(c, deed.to.type)
    of = ir.PieceType(c.program.pieces[family.of.holds].name, family.of.holds)
    what = ir.plain(what)
    if of != (ir.plain(what.of) if isinstance(what, ir.SetType) else what):
        c.fault(messages.no_place_for_it(family.of.name), deed.span)
        return
    before = origin()
    if before is None:
        before = f.let("origin", lift(c.unit, of)(piece))
    room = _room(c, family)
    if room is not None:
        if room == 1:
            full = not_(locations.is_empty_in(family, place))
        else:
            full = locations.count_in(family, place) >= room
        c.fault_when(full, messages.full(family.of.name), deed.span)
    f.do(lay(c.unit, family, under=deed.under), piece, place)
    watching.changed(c)
    if c.unit.purpose.stepping:
        known = seen(c)[before] | seen(c)[place]
        data = (piece, before, place, int(deed.under), int(isinstance(deed, ir.Draw)))
        note(c, "move", c.clause, NONE, known, data)


def _room(c: Code, family: PlaceMemory) -> int | None:
    """Returns the capacity of a place, or None if all pieces fit."""
    room = family.of.room
    return None if room is None or room >= len(c.layout.pieces_of[family.of.holds]) else room


def _pay_for_each(c: Code, deed: ir.Move | ir.MoveSome, number: Expr) -> None:
    """Charges the cost of a move for each piece."""
    c.pay_for_each(number, c.unit.operation(c.clause, deed, Kind.EFFECT).cost, deed.span)


def move(c: Code, deed: ir.Move) -> None:
    """Moves a piece, or a list of pieces in order."""
    f = c.f
    if not isinstance(deed.what.type, ir.SetType):
        piece = f.let("piece", c.present(deed.what))
        place = f.let("place", c.present(deed.to))
        put(c, deed, deed.what.type, piece, place)
        return
    place = f.let("place", c.present(deed.to))
    pieces = Listed(f.let("pieces", c.value(deed.what)))
    _pay_for_each(c, deed, pieces.size())
    piece = c.local()
    pieces.each(f, piece, partial(put, c, deed, deed.what.type, piece, place))


def move_some(c: Code, deed: ir.MoveSome) -> None:
    """Moves pieces that a binder finds, by the cheapest applicable method."""
    mask = whole_mask(c, deed.binder)
    if deed.most is not None and c.folder.constant(deed.most) == (1,):
        _move_first(c, deed) if mask is None else _move_one(c, deed, mask)
    elif mask is None:
        _move_listed(c, deed)
    elif _moves_at_once(c, deed):
        _move_at_once(c, deed, mask)
    else:
        _move_masked(c, deed, mask)


def _move_first(c: Code, deed: ir.MoveSome) -> None:
    """Moves the first piece found, without searching for the others unless that may fault."""
    f, binder = c.f, deed.binder
    found = ir.Filter(ir.SetType(binder.type), binder, span=deed.span)
    first = ir.EndOf(ir.MaybeType(binder.type), found, last=False, span=deed.span)
    piece = f.let("piece", c.value(first))
    if deed.exactly:
        c.fault_when(piece < 0, messages.too_few(binder.name), deed.span)
    place = f.let("place", c.present(deed.to))
    with f.if_(piece >= 0):
        cost = c.unit.operation(c.clause, deed, Kind.EFFECT).cost
        c.pay(cost, deed.span, cost)
        put(c, deed, binder.type, piece, place)


def _move_listed(c: Code, deed: ir.MoveSome) -> None:
    f, binder = c.f, deed.binder
    at = f.let("pieces", c.value(ir.Filter(ir.SetType(binder.type), binder, span=deed.span)))
    left, place = _left_to_move(c, deed, word(at))
    with f.down_to_0(left):
        f.add(at, 4)
        piece = f.let("piece", word(at))
        put(c, deed, binder.type, piece, place)


def _move_masked(c: Code, deed: ir.MoveSome, mask: Masked) -> None:
    f, bits = c.f, c.f.let("bits", masks.bits(c, mask).only)
    left, place = _left_to_move(c, deed, bits.count_bits())
    with f.down_to_0(left):
        piece = _taken_lowest(c, mask.first, bits)
        put(c, deed, deed.binder.type, piece, place)


def _left_to_move(c: Code, deed: ir.MoveSome, found: Expr) -> tuple[Variable, Variable]:
    """Computes how many of the pieces found are moved, charges for them, and evaluates the
    destination."""
    f, left = c.f, c.f.let("left", found)
    if deed.most is not None:
        most = f.let("most", c.present(deed.most))
        f.set(most, greater(0, most))
        if deed.exactly:
            c.fault_when(left < most, messages.too_few(deed.binder.name), deed.span)
        f.set(left, lesser(most, left))
    place = f.let("place", c.present(deed.to))
    _pay_for_each(c, deed, left)
    return left, place


def _taken_lowest(c: Code, first: int, bits: Variable) -> Variable:
    """Removes the lowest piece from a mask and returns it."""
    piece = c.f.let("piece", bits.lowest_bit() + first)
    c.f.set(bits, bits & bits - 1)
    return piece


def _moves_at_once(c: Code, deed: ir.MoveSome) -> bool:
    """Returns whether both places are plain masks, without bitboards or hashes, and with room for
    all."""
    source = deed.binder.source
    if c.unit.purpose.stepping or not isinstance(source, ir.Contents):
        return False
    if c.unit.can_fault.possible(source.place):
        return False
    of, to = locations.family_of(c, source.place.type), locations.family_of(c, deed.to.type)
    kept = any(family.occupied or family.hash or family.condition_bits for family in (of, to))
    plain_masks = of.masked and to.masked and not kept
    return plain_masks and of.of.holds == to.of.holds and _room(c, to) is None


def _move_at_once(c: Code, deed: ir.MoveSome, mask: Masked) -> None:
    """Moves several pieces by mask operations; only the place of each piece is stored one by
    one."""
    f, source = c.f, deed.binder.source
    assert isinstance(source, ir.Contents)
    found = f.let("found", masks.bits(c, mask).only)
    bits = f.let("bits", found)
    left, place = _left_to_move(c, deed, bits.count_bits())
    with f.down_to_0(left):
        f.set(c.plan.where[_taken_lowest(c, mask.first, bits)], place)
    moved = f.let("moved", found ^ bits)
    watching.changed(c, moved != 0)
    origin = f.let("origin", c.present(source.place))
    before = locations.family_of(c, source.place.type).masks[origin]
    f.set(before, before ^ moved)
    after = locations.family_of(c, deed.to.type).masks[place]
    f.set(after, after | moved)


def _move_one(c: Code, deed: ir.MoveSome, mask: Masked) -> None:
    """Moves the lowest piece of a mask."""
    f, binder = c.f, deed.binder
    bits = f.let("bits", masks.bits(c, mask).only)
    if deed.exactly:
        c.fault_when(bits == 0, messages.too_few(binder.name), deed.span)
    place = f.let("place", c.present(deed.to))
    with f.if_(bits != 0):
        cost = c.unit.operation(c.clause, deed, Kind.EFFECT).cost
        c.pay(cost, deed.span, cost)
        piece = f.let("piece", bits.lowest_bit() + mask.first)
        put(c, deed, binder.type, piece, place, partial(_taken_out, c, binder, piece))


def _taken_out(c: Code, binder: ir.Binder, piece: Variable) -> Variable | None:
    """Removes a piece from the place it was found in and returns that place; None if it is not
    named."""
    if not isinstance(binder.source, ir.Contents):
        return None
    if c.unit.can_fault.possible(binder.source.place):
        return None
    origin = c.f.let("origin", c.present(binder.source.place))
    family = locations.family_of(c, binder.source.place.type)
    c.f.do(take_out(c.unit, family), piece, origin)
    return origin


def needs_room(c: Code, deed: ir.Statement) -> bool:
    """Returns whether a statement may allocate a list in the arena."""
    if isinstance(deed, ir.MoveSome) and whole_mask(c, deed.binder) is None:
        return True
    return any(
        c.unit.rooms.binder(part) if isinstance(part, ir.Binder) else c.takes_room(part)
        for part in children(deed)
    )


def shuffle(c: Code, deed: ir.Shuffle) -> None:
    place = c.f.let("place", c.present(deed.place))
    c.f.do(shuffling.shuffle(c.unit, locations.family_of(c, deed.place.type)), place)
    watching.changed(c)
    note(c, "shuffle", c.clause, NONE, c.layout.everyone, (place,))


# ---------------------------------------------------------------- announcements


def tell(c: Code, deed: ir.Tell) -> None:
    """Evaluates what is announced; only a module with a journal records it."""
    watching.changed(c)
    seat, known = _told(c, deed)
    told = c.f.let("told", c.value(deed.what))
    if isinstance(deed.what.type, ir.SetType):
        _tell_members(c, deed, seat, known, told)
    else:
        note(c, "tell", c.clause, seat, known, (deed.at, told))


def _told(c: Code, deed: ir.Tell) -> tuple[Number, Number]:
    """Returns the seat that is told, if it is one player, and the bit set of all who are told."""
    f = c.f
    if deed.who is None:
        return NONE, c.layout.everyone
    if not isinstance(deed.who.type, ir.SetType):
        seat = f.let("seat", c.seat(deed.who))
        return seat, long(1) << seat
    seat, known = c.local(), f.let("known", 0, I64)

    def add() -> None:
        c.fault_if_absent(seat, deed.span)
        f.set(known, known | long(1) << seat)

    Listed(c.value(deed.who)).each(f, seat, add)
    return SOME, known


def _tell_members(c: Code, deed: ir.Tell, seat: Number, known: Number, listed: Variable) -> None:
    """Announces a set as a list of its members."""
    f, count = c.f, c.f.let("count", word(listed))
    c.fault_when(count > ir.MOST_TOLD, messages.TOLD_TOO_MUCH, deed.span)
    if c.unit.purpose.stepping:
        at = f.let("note", begun(c.unit, "tell", c.clause, seat, known, count + 1))
        f.set(word(at), deed.at)
        f.copy(at + 4, listed + 4, count << 2)
