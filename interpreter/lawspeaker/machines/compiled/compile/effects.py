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
from lawspeaker.machines.compiled.runtime.moving import lay, lift, log, mark_holder, take_out
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


def set_marker(c: Code, statement: ir.SetMarker) -> None:
    """Assigns to an entry of a marker."""
    f, marker, first = (
        c.f,
        c.program.markers[statement.marker],
        c.layout.marker_at[statement.marker],
    )
    shown = f.let("shown", c.value(statement.value, marker.type))
    _within(c, shown, marker.type, marker.name, statement)
    column = Column(c.plan.markers + 4 * first, 4, "state.markers")
    if not statement.indices:
        watching.changed(c, column[const(0)] != shown)
        f.set(column[const(0)], shown)
        known = c.layout.viewers(marker.seen_by, None)
        note(c, "marker", c.clause, NONE, known, (statement.marker, NONE, shown))
        return
    domains = c.layout.domains(marker.indices)
    entry = f.let(
        "entry", locations.entry_at(c, statement.indices, domains, marker.name, statement.span)
    )
    watching.changed(c, column[entry] != shown)
    f.set(column[entry], shown)
    if c.unit.purpose.stepping:
        _note_entry(c, statement, domains, entry, shown)


def _note_entry(
    c: Code,
    statement: ir.SetMarker,
    domains: Sequence[Sequence[int]],
    entry: Variable,
    shown: Variable,
) -> None:
    """Writes the change of one entry of an indexed marker to the journal."""
    marker, first = c.program.markers[statement.marker], c.layout.marker_at[statement.marker]
    owners = [each.owner for each in c.layout.markers[first : first + prod(map(len, domains))]]
    whose: Number = NONE
    if marker.per_player:
        seats = [NONE if owner is None else owner for owner in owners]
        whose = entry if len(domains) == 1 else c.plan.table(seats)[entry]
    known = sights(c, [c.layout.viewers(marker.seen_by, each) for each in owners])[entry]
    note(c, "marker", c.clause, whose, known, (statement.marker, entry, shown))


def _within(c: Code, number: Variable, of: ir.Type, name: str, statement: ir.Statement) -> None:
    """Faults if a number is outside the range of the variable it is assigned to."""
    if isinstance(of, ir.NumberType) and of.listed:
        message = messages.another_number(name, of.low, of.high)
        c.fault_when((number < of.low) | (number > of.high), message, statement.span)


def set_state(c: Code, statement: ir.SetState) -> None:
    """Assigns to a state of a piece, and updates bitboards and hashes."""
    f, state = c.f, c.program.pieces[statement.piece].states[statement.state]
    column = c.plan.first_column(statement.piece, statement.state)
    number: Number = c.layout.first_entry[statement.piece][statement.state]
    piece = at = f.let("piece", c.present(statement.of))
    if statement.indices:
        domains = c.layout.domains(state.indices)
        entry = f.let(
            "entry", locations.entry_at(c, statement.indices, domains, state.name, statement.span)
        )
        at = f.let("at", piece + entry * len(c.layout.pieces_of[statement.piece]))
        number = entry + number
    shown = f.let("shown", c.value(statement.value, state.type))
    _within(c, shown, state.type, state.name, statement)
    _change_holder(c, statement, piece, shown)
    watching.changed(c, column[at] != shown)
    _change_hash(c, statement, piece)
    f.set(column[at], shown)
    _change_hash(c, statement, piece)
    if c.unit.purpose.stepping:
        known = seen(c)[c.plan.where[piece]]
        note(c, "state", c.clause, NONE, known, (statement.piece, number, piece, shown))


def _change_holder(c: Code, statement: ir.SetState, piece: Variable, shown: Variable) -> None:
    """Updates the bitboards of holders, if the state defines who holds a place."""
    f = c.f
    for family in c.plan.families:
        held = family.held.get(statement.state)
        if held is None or family.of.holds != statement.piece:
            continue
        place = f.let("place", c.plan.where[piece])
        with f.if_((place - family.first).below(family.size)):
            before = f.let("before", c.plan.first_column(statement.piece, statement.state)[piece])
            mark_holder(f, family, held, before, place, taken=False)
            mark_holder(f, family, held, shown, place, taken=True)


def _change_hash(c: Code, statement: ir.SetState, piece: Variable) -> None:
    """Toggles the piece in the incremental hash of the family it lies in."""
    for family in c.plan.families:
        if family.hash and family.of.holds == statement.piece:
            place = c.f.let("place", c.plan.where[piece])
            with c.f.if_((place - family.first).below(family.size)):
                hashes.change(c.unit, c.f, family, piece, place)


def score(c: Code, statement: ir.Score) -> None:
    """Gives points to a player or to each of several."""
    seat, known = c.local(), c.folder.constant(statement.who)

    def give() -> None:
        _give(c, statement, seat)

    if not isinstance(statement.who.type, ir.SetType):
        c.f.set(seat, c.seat(statement.who))
        give()
    elif known is not None:
        members.each_known(c, known[0], seat, give)
    else:
        members.kept(c, statement.who).each(c.f, seat, give)


def _give(c: Code, statement: ir.Score, seat: Variable) -> None:
    f, score = c.f, Column(c.plan.scores, 4, "state.scores")[seat]
    c.fault_if_absent(seat, statement.span)
    points = c.scoped_present(statement.points).to_long(signed=True)
    gain = f.let("gain", 0 - points if statement.loses else points)
    total = f.let("total", score.to_long(signed=True) + gain)
    c.fault_if_beyond(total, messages.SCORE_BEYOND, statement.span)
    f.set(score, total.to_word())
    if c.unit.purpose.watching:
        watching.given(c, seat, gain)
        watching.changed(c, gain != 0)
    if c.unit.purpose.stepping:
        data: list[Number] = [
            seat,
            gain.to_word(),
            total.to_word(),
            statement.at,
            *_named(c, statement),
        ]
        note(c, "score", c.clause, seat, c.layout.everyone, data)


def _named(c: Code, statement: ir.Statement) -> Iterator[Expr]:
    """Yields the values of the names in a statement; after a piece also its place."""
    for each in names_in(statement):
        yield c.value(each)
        if isinstance(each.type, ir.PieceType):
            yield c.plan.where[c.value(each)]


# ---------------------------------------------------------------- moves


def put(
    c: Code,
    statement: ir.Move | ir.MoveSome | ir.Draw,
    what: ir.Type,
    piece: Variable,
    place: Variable,
    origin: Callable[[], Variable | None] = lambda: None,
) -> None:
    """Moves a piece to a place. `origin` removes it from its old place and returns that place;
    otherwise it is removed here. A piece that the family cannot hold is a fault."""
    f, family = c.f, locations.family_of(c, statement.to.type)
    of = ir.PieceType(c.program.pieces[family.of.holds].name, family.of.holds)
    what = ir.plain(what)
    if of != (ir.plain(what.of) if isinstance(what, ir.SetType) else what):
        c.fault(messages.no_place_for_it(family.of.name), statement.span)
        return
    if c.clause in c.unit.write_sets.logging:
        with f.if_(c.unit.log):
            c.fault_when(c.unit.log == c.unit.log_full, messages.NO_ROOM, statement.span)
            log(c.unit, f, piece)
    before = origin()
    if before is None:
        before = f.let("origin", lift(c.unit, of)(piece))
    room = _room(c, family)
    if room is not None:
        if room == 1:
            full = not_(locations.is_empty_in(family, place))
        else:
            full = locations.count_in(family, place) >= room
        c.fault_when(full, messages.full(family.of.name), statement.span)
    f.do(lay(c.unit, family, under=statement.under), piece, place)
    watching.changed(c)
    if c.unit.purpose.stepping:
        known = seen(c)[before] | seen(c)[place]
        data = (piece, before, place, int(statement.under), int(isinstance(statement, ir.Draw)))
        note(c, "move", c.clause, NONE, known, data)


def _room(c: Code, family: PlaceMemory) -> int | None:
    """Returns the capacity of a place, or None if all pieces fit."""
    room = family.of.room
    return None if room is None or room >= len(c.layout.pieces_of[family.of.holds]) else room


def _pay_for_each(c: Code, statement: ir.Move | ir.MoveSome, number: Expr) -> None:
    """Charges the cost of a move for each piece."""
    c.pay_for_each(number, c.unit.operation(c.clause, statement, Kind.EFFECT).cost, statement.span)


def move(c: Code, statement: ir.Move) -> None:
    """Moves a piece, or a list of pieces in order."""
    f = c.f
    if not isinstance(statement.what.type, ir.SetType):
        piece = f.let("piece", c.present(statement.what))
        place = f.let("place", c.present(statement.to))
        put(c, statement, statement.what.type, piece, place)
        return
    place = f.let("place", c.present(statement.to))
    pieces = Listed(f.let("pieces", c.value(statement.what)))
    _pay_for_each(c, statement, pieces.size())
    piece = c.local()
    pieces.each(f, piece, partial(put, c, statement, statement.what.type, piece, place))


def move_some(c: Code, statement: ir.MoveSome) -> None:
    """Moves pieces that a binder finds, by the cheapest applicable method."""
    mask = whole_mask(c, statement.binder)
    if statement.most is not None and c.folder.constant(statement.most) == (1,):
        _move_first(c, statement) if mask is None else _move_one(c, statement, mask)
    elif mask is None:
        _move_listed(c, statement)
    elif _moves_at_once(c, statement):
        _move_at_once(c, statement, mask)
    else:
        _move_masked(c, statement, mask)


def _move_first(c: Code, statement: ir.MoveSome) -> None:
    """Moves the first piece found, without searching for the others unless that may fault."""
    f, binder = c.f, statement.binder
    found = ir.Filter(ir.SetType(binder.type), binder, span=statement.span)
    first = ir.EndOf(ir.MaybeType(binder.type), found, last=False, span=statement.span)
    piece = f.let("piece", c.value(first))
    if statement.exactly:
        c.fault_when(piece < 0, messages.too_few(binder.name), statement.span)
    place = f.let("place", c.present(statement.to))
    with f.if_(piece >= 0):
        cost = c.unit.operation(c.clause, statement, Kind.EFFECT).cost
        c.pay(cost, statement.span, cost)
        put(c, statement, binder.type, piece, place)


def _move_listed(c: Code, statement: ir.MoveSome) -> None:
    f, binder = c.f, statement.binder
    at = f.let("pieces", c.value(ir.Filter(ir.SetType(binder.type), binder, span=statement.span)))
    left, place = _left_to_move(c, statement, word(at))
    with f.down_to_0(left):
        f.add(at, 4)
        piece = f.let("piece", word(at))
        put(c, statement, binder.type, piece, place)


def _move_masked(c: Code, statement: ir.MoveSome, mask: Masked) -> None:
    f, bits = c.f, c.f.let("bits", masks.bits(c, mask).only)
    left, place = _left_to_move(c, statement, bits.count_bits())
    with f.down_to_0(left):
        piece = _taken_lowest(c, mask.first, bits)
        put(c, statement, statement.binder.type, piece, place)


def _left_to_move(c: Code, statement: ir.MoveSome, found: Expr) -> tuple[Variable, Variable]:
    """Computes how many of the pieces found are moved, charges for them, and evaluates the
    destination."""
    f, left = c.f, c.f.let("left", found)
    if statement.most is not None:
        most = f.let("most", c.present(statement.most))
        f.set(most, greater(0, most))
        if statement.exactly:
            c.fault_when(left < most, messages.too_few(statement.binder.name), statement.span)
        f.set(left, lesser(most, left))
    place = f.let("place", c.present(statement.to))
    _pay_for_each(c, statement, left)
    return left, place


def _taken_lowest(c: Code, first: int, bits: Variable) -> Variable:
    """Removes the lowest piece from a mask and returns it."""
    piece = c.f.let("piece", bits.lowest_bit() + first)
    c.f.set(bits, bits & bits - 1)
    return piece


def _moves_at_once(c: Code, statement: ir.MoveSome) -> bool:
    """Returns whether both places are plain masks, without bitboards or hashes, and with room for
    all."""
    source = statement.binder.source
    if c.unit.purpose.stepping or not isinstance(source, ir.Contents):
        return False
    if c.clause in c.unit.write_sets.logging:
        return False
    if c.unit.can_fault.possible(source.place):
        return False
    of, to = locations.family_of(c, source.place.type), locations.family_of(c, statement.to.type)
    kept = any(family.occupied or family.hash or family.condition_bits for family in (of, to))
    plain_masks = of.masked and to.masked and not kept
    return plain_masks and of.of.holds == to.of.holds and _room(c, to) is None


def _move_at_once(c: Code, statement: ir.MoveSome, mask: Masked) -> None:
    """Moves several pieces by mask operations; only the place of each piece is stored one by
    one."""
    f, source = c.f, statement.binder.source
    assert isinstance(source, ir.Contents)
    found = f.let("found", masks.bits(c, mask).only)
    bits = f.let("bits", found)
    left, place = _left_to_move(c, statement, bits.count_bits())
    with f.down_to_0(left):
        f.set(c.plan.where[_taken_lowest(c, mask.first, bits)], place)
    moved = f.let("moved", found ^ bits)
    watching.changed(c, moved != 0)
    origin = f.let("origin", c.present(source.place))
    before = locations.family_of(c, source.place.type).masks[origin]
    f.set(before, before ^ moved)
    after = locations.family_of(c, statement.to.type).masks[place]
    f.set(after, after | moved)


def _move_one(c: Code, statement: ir.MoveSome, mask: Masked) -> None:
    """Moves the lowest piece of a mask."""
    f, binder = c.f, statement.binder
    bits = f.let("bits", masks.bits(c, mask).only)
    if statement.exactly:
        c.fault_when(bits == 0, messages.too_few(binder.name), statement.span)
    place = f.let("place", c.present(statement.to))
    with f.if_(bits != 0):
        cost = c.unit.operation(c.clause, statement, Kind.EFFECT).cost
        c.pay(cost, statement.span, cost)
        piece = f.let("piece", bits.lowest_bit() + mask.first)
        put(c, statement, binder.type, piece, place, partial(_taken_out, c, binder, piece))


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


def needs_room(c: Code, statement: ir.Statement) -> bool:
    """Returns whether a statement may allocate a list in the arena."""
    if isinstance(statement, ir.MoveSome) and whole_mask(c, statement.binder) is None:
        return True
    return any(
        c.unit.rooms.binder(part) if isinstance(part, ir.Binder) else c.takes_room(part)
        for part in children(statement)
    )


def shuffle(c: Code, statement: ir.Shuffle) -> None:
    place = c.f.let("place", c.present(statement.place))
    c.f.do(shuffling.shuffle(c.unit, locations.family_of(c, statement.place.type)), place)
    watching.changed(c)
    note(c, "shuffle", c.clause, NONE, c.layout.everyone, (place,))


# ---------------------------------------------------------------- announcements


def tell(c: Code, statement: ir.Tell) -> None:
    """Evaluates what is announced; only a module with a journal records it."""
    watching.changed(c)
    seat, known = _told(c, statement)
    told = c.f.let("told", c.value(statement.what))
    if isinstance(statement.what.type, ir.SetType):
        _tell_members(c, statement, seat, known, told)
    else:
        note(c, "tell", c.clause, seat, known, (statement.at, told))


def _told(c: Code, statement: ir.Tell) -> tuple[Number, Number]:
    """Returns the seat that is told, if it is one player, and the bit set of all who are told."""
    f = c.f
    if statement.who is None:
        return NONE, c.layout.everyone
    if not isinstance(statement.who.type, ir.SetType):
        seat = f.let("seat", c.seat(statement.who))
        return seat, long(1) << seat
    seat, known = c.local(), f.let("known", 0, I64)

    def add() -> None:
        c.fault_if_absent(seat, statement.span)
        f.set(known, known | long(1) << seat)

    Listed(c.value(statement.who)).each(f, seat, add)
    return SOME, known


def _tell_members(
    c: Code, statement: ir.Tell, seat: Number, known: Number, listed: Variable
) -> None:
    """Announces a set as a list of its members."""
    f, count = c.f, c.f.let("count", word(listed))
    c.fault_when(count > ir.MOST_TOLD, messages.TOLD_TOO_MUCH, statement.span)
    if c.unit.purpose.stepping:
        at = f.let("note", begun(c.unit, "tell", c.clause, seat, known, count + 1))
        f.set(word(at), statement.at)
        f.copy(at + 4, listed + 4, count << 2)
