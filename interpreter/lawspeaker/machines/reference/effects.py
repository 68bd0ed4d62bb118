"""Compiles effects to closures: markers, states, scores, moves, draws, shuffles, announcements.

Every change is written to the journal: the kind of event, the clause, the seat, plain data, and the
viewers who may know the details. A moved piece is known to whoever could see it at its origin or
can see it at its destination.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import names_in
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Operation
from lawspeaker.machines.reference import chance
from lawspeaker.machines.reference.assembler import PAUSE, Assembler, Op
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Eval, Slots
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.position.state import State, Value


def set_local(asm: Assembler, statement: ir.SetLocal, op: Operation) -> Op:
    value, slot = asm.ev.compile(statement.value), statement.slot
    (following,) = op.exits

    def set_local(s: State, f: Slots) -> int:
        f[slot] = value(s, f)
        return following

    return set_local


def set_marker(asm: Assembler, statement: ir.SetMarker, op: Operation) -> Op:
    """Compiles an assignment to a marker."""
    marker = asm.layout.program.markers[statement.marker]
    first = asm.layout.marker_at[statement.marker]
    value = within(asm, asm.ev.compile(statement.value), marker.type, marker.name, statement)
    number, clause, layout = statement.marker, asm.number, asm.layout
    (following,) = op.exits
    if not statement.indices:
        known = layout.viewers(marker.seen_by, None)

        def set_only(s: State, f: Slots) -> int:
            shown = s.markers[first] = value(s, f)
            s.journal.append(("marker", clause, None, (number, None, shown), known))
            return following

        return set_only
    domains = layout.domains(marker.indices)
    which = asm.ev.entry(marker.name, statement.indices, domains, statement.span)
    entries = layout.markers[first : first + prod(map(len, domains))]
    owned = [(each.owner, layout.viewers(marker.seen_by, each.owner)) for each in entries]

    def set_marker(s: State, f: Slots) -> int:
        shown = value(s, f)
        entry = which(s, f)
        seat, seen = owned[entry]
        s.markers[first + entry] = shown
        s.journal.append(("marker", clause, seat, (number, entry, shown), seen))
        return following

    return set_marker


def within(asm: Assembler, value: Eval, type: ir.Type, name: str, node: Any) -> Eval:
    """Checks that a number is in the range of the variable it is assigned to."""
    if not isinstance(type, ir.NumberType) or not type.listed:
        return value
    low, high = type.low, type.high
    outside = asm.fault(messages.another_number(name, low, high), node)

    def checked(s: State, f: Slots) -> Value:
        number = value(s, f)
        if not low <= number <= high:
            raise outside()
        return number

    return checked


def set_state(asm: Assembler, statement: ir.SetState, op: Operation) -> Op:
    """Compiles an assignment to a state of a piece."""
    layout = asm.layout
    state = layout.program.pieces[statement.piece].states[statement.state]
    first = layout.first_entry[statement.piece][statement.state]
    at = layout.state_at[statement.piece]
    of = asm.ev.present(statement.of)
    which: Eval = lambda s, f: 0  # noqa: E731
    if statement.indices:
        domains = layout.domains(state.indices)
        which = asm.ev.entry(state.name, statement.indices, domains, statement.span)
    value = within(asm, asm.ev.compile(statement.value), state.type, state.name, statement)
    seen, clause = layout.seen, asm.number
    (following,) = op.exits

    def set_state(s: State, f: Slots) -> int:
        piece = of(s, f)
        entry = first + which(s, f)
        shown = value(s, f)
        s.states[at[entry] + piece] = shown
        note = (statement.piece, entry, piece, shown)
        s.journal.append(("state", clause, None, note, seen[s.where[piece]]))
        return following

    return set_state


def score(asm: Assembler, statement: ir.Score, op: Operation) -> Op:
    """Compiles a change of scores; overflow is a fault."""
    several = isinstance(statement.who.type, ir.SetType)
    who = asm.ev.compile(statement.who) if several else asm.ev.seat(statement.who)
    points = asm.ev.present(statement.points)
    clause, everyone, players = asm.number, asm.layout.everyone, asm.layout.players
    sign, named = -1 if statement.loses else 1, _named(statement)
    beyond = asm.fault(messages.SCORE_BEYOND, statement)
    absent = asm.fault(messages.ABSENT, statement)

    def give(s: State, f: Slots, seat: int) -> None:
        gain = sign * points(s, f)
        if seat >= players:
            raise absent()
        total = s.scores[seat] + gain
        if not ir.SMALLEST <= total <= ir.LARGEST:
            raise beyond()
        s.scores[seat] = total
        note = (seat, gain, total, op.at, named(s, f))
        s.journal.append(("score", clause, seat, note, everyone))

    (following,) = op.exits

    def score(s: State, f: Slots) -> int:
        if several:
            for seat in who(s, f):
                give(s, f, seat)
        else:
            give(s, f, who(s, f))
        return following

    return score


def _named(statement: ir.Statement) -> Callable[[State, Slots], tuple[Value, ...]]:
    """Evaluates the names in a statement; a piece together with its place."""
    names = [(each.slot, isinstance(each.type, ir.PieceType)) for each in names_in(statement)]

    def named(s: State, f: Slots) -> tuple[Value, ...]:
        return tuple([(f[slot], s.where[f[slot]]) if piece else f[slot] for slot, piece in names])

    return named


def putter(
    asm: Assembler, to: ir.Expr, under: bool, node: Any
) -> Callable[[State, int, int], None]:
    """Returns a function that moves a piece to a place and records it."""
    layout, clause = asm.layout, asm.number
    target = ir.plain(to.type)
    assert isinstance(target, ir.PlaceType), target
    family = asm.ev.program.families[target.index]
    room, holds = family.room, family.holds
    types, seen = layout.piece_type, layout.seen
    heap, drawn = family.arranged == "heap", isinstance(node, ir.Draw)
    full = asm.fault(messages.full(family.name), node)
    wrong = asm.fault(messages.no_place_for_it(family.name), node)

    def put(s: State, piece: int, place: int) -> None:
        if types[piece] != holds:
            raise wrong()
        origin = lift(s, piece)
        contents = s.contents
        held = contents.get(place)
        if held is None:
            contents[place] = (piece,)
            s.where[piece] = place
        elif room is not None and len(held) >= room:
            raise full()
        elif heap and piece > held[-1]:
            contents[place] = (*held, piece)
            s.where[piece] = place
        else:
            lay(layout, s, piece, place, under)
        note = (piece, origin, place, under, drawn)
        s.journal.append(("move", clause, None, note, seen[origin] | seen[place]))

    return put


def move(asm: Assembler, statement: ir.Move, op: Operation) -> Op:
    """Compiles a move of a piece, or of a set of pieces in order."""
    put = putter(asm, statement.to, statement.under, statement)
    what, to = asm.ev.present(statement.what), asm.ev.present(statement.to)
    several, pay = isinstance(statement.what.type, ir.SetType), asm.pay(op.cost, statement)
    (following,) = op.exits

    def move_all(s: State, f: Slots) -> int:
        place, pieces = to(s, f), what(s, f)
        pay(s, len(pieces))
        for piece in pieces:
            put(s, piece, place)
        return following

    def move(s: State, f: Slots) -> int:
        put(s, what(s, f), to(s, f))
        return following

    return move_all if several else move


def move_some(asm: Assembler, statement: ir.MoveSome, op: Operation) -> Op:
    """Compiles a move of pieces that a binder finds."""
    put = putter(asm, statement.to, statement.under, statement)
    found = found_by(asm.ev, statement.binder)
    to = asm.ev.present(statement.to)
    most = None if statement.most is None else asm.ev.present(statement.most)
    exactly = statement.exactly
    few = asm.fault(messages.too_few(statement.binder.name), statement)
    pay, (following,) = asm.pay(op.cost, statement), op.exits

    def move_some(s: State, f: Slots) -> int:
        pieces = found(s, f)
        if most is not None:
            number = max(0, most(s, f))
            if exactly and len(pieces) < number:
                raise few()
            pieces = pieces[:number]
        place = to(s, f)
        pay(s, len(pieces))
        for piece in pieces:
            put(s, piece, place)
        return following

    return move_some


def count_draws(asm: Assembler, statement: ir.Draw, op: Operation) -> Op:
    count, left = (
        None if statement.count is None else asm.ev.present(statement.count),
        statement.loop_slot,
    )
    (following,) = op.exits

    def count_draws(s: State, f: Slots) -> int:
        f[left] = 1 if count is None else count(s, f)
        return following

    return count_draws


def draw(asm: Assembler, statement: ir.Draw, op: Operation) -> Op:
    """Loops until all pieces are drawn."""
    ev, at = asm.ev, op.at
    source, to = ev.present(statement.source), ev.present(statement.to)
    put = putter(asm, statement.to, statement.under, statement)
    slot, left = statement.slot, statement.loop_slot
    empty = asm.fault(messages.NOTHING_LEFT, statement)
    pay, (none, finished) = asm.pay(op.cost, statement), op.exits

    def take(s: State, f: Slots, piece: int) -> None:
        put(s, piece, to(s, f))
        f[slot] = piece
        f[left] -= 1

    source_type = ir.plain(statement.source.type)
    assert isinstance(source_type, ir.PlaceType), source_type
    number = ev.program.families[source_type.index].holds
    of = ir.PieceType(ev.program.pieces[number].name, number)
    stroke = asm.code.luck[at] = chance.Draw(asm.layout, source, take, of, statement.below)

    def draw(s: State, f: Slots) -> int:
        while f[left] > 0:
            pay(s, 1)
            place = source(s, f)
            held = s.contents.get(place)
            if held is None:
                if statement.otherwise is None:
                    raise empty()
                return none
            piece = stroke.drawn(s, place, held)
            if piece is None:
                s.pending = ("chance", ())
                s.stack[-1].pc = at
                return PAUSE
            take(s, f, piece)
        return finished

    return draw


def shuffle(asm: Assembler, statement: ir.Shuffle, op: Operation) -> Op:
    """Compiles a shuffle: the pieces become loose, and the count advances."""
    place, clause, heap = asm.ev.present(statement.place), asm.number, asm.layout.heap
    known = asm.layout.everyone
    (following,) = op.exits

    def shuffle(s: State, f: Slots) -> int:
        here = place(s, f)
        held = s.contents.get(here)
        # A completely loose place has no order that a shuffle could change (see `position/rng`).
        if held is None or s.loose.get(here) != (0, len(held)):
            s.shuffles[here] = s.shuffles.get(here, 0) + 1
            if held is not None and not heap[here]:
                s.contents[here] = tuple(sorted(held))
                s.loose[here] = (0, len(held))
        s.journal.append(("shuffle", clause, None, (here,), known))
        return following

    return shuffle


def remember(asm: Assembler, statement: ir.Remember, op: Operation) -> Op:
    recorded, number = asm.ev.recorded(statement.position), statement.position
    last, (following,) = recorded.position.last, op.exits

    def remember(s: State, f: Slots) -> int:
        s.past[number] = (*s.past[number], recorded.row(s))[-last:]
        return following

    return remember


def tell(asm: Assembler, statement: ir.Tell, op: Operation) -> Op:
    """Compiles an announcement."""
    told, what = _told(asm, statement), asm.ev.compile(statement.what)
    several = isinstance(statement.what.type, ir.SetType)
    many = asm.fault(messages.TOLD_TOO_MUCH, statement)
    clause, at, (following,) = asm.number, op.at, op.exits

    def tell(s: State, f: Slots) -> int:
        seat, known = told(s, f)
        value = what(s, f)
        if several:
            value = tuple(value)
            if len(value) > ir.MOST_TOLD:
                raise many()
        s.journal.append(("tell", clause, seat, (at, value), known))
        return following

    return tell


def _told(asm: Assembler, statement: ir.Tell) -> Callable[[State, Slots], tuple[int | None, int]]:
    """Returns who is told: the seat, if it is one player, and the bit set of viewers."""
    everyone, players = asm.layout.everyone, asm.layout.players
    if statement.who is None:
        return lambda s, f: (None, everyone)
    if not isinstance(statement.who.type, ir.SetType):
        who = asm.ev.seat(statement.who)

        def one(s: State, f: Slots) -> tuple[int, int]:
            seat = who(s, f)
            return seat, 1 << seat

        return one
    members = asm.ev.compile(statement.who)
    absent = asm.fault(messages.ABSENT, statement)

    def several(s: State, f: Slots) -> tuple[None, int]:
        known = 0
        for seat in members(s, f):
            if seat >= players:
                raise absent()
            known |= 1 << seat
        return None, known

    return several


def pick(asm: Assembler, statement: ir.Pick, op: Operation) -> Op:
    """Compiles a random pick; it may pause at a chance node."""
    found = found_by(asm.ev, statement.binder)
    clause = asm.number
    none = asm.fault(messages.nothing_to_pick(statement.binder.name), statement)
    at, (following,) = op.at, op.exits
    picked = asm.code.luck[at] = chance.Pick(asm.layout, statement.binder, found, clause, at)

    def pick(s: State, f: Slots) -> int:
        members = found(s, f)
        if not members:
            raise none()
        if s.ask_chance and len(picked.groups(s, members)) > 1:
            s.pending = ("chance", ())
            s.stack[-1].pc = at
            return PAUSE
        picked.settle(s, f, picked.chosen(s, members))
        return following

    return pick
