"""Encodes a seat's observation, and an option, as rows of words for learning programs.

The row equals the one that `players/rl/observing.py` makes of a view. It contains the places that
the seat sees, markers shown to it, and the number of pieces where it may count them: nothing the
seat may not know. It describes the present table, not what the seat was shown earlier and could
remember. Pieces of the same looks are sorted by place and states, so that their identity does not
show.

An option is the clause that asks, the number of the alternative, and its parts, each as 1 more than
its number: players are counted from the seat that is asked, and a piece is encoded by its looks, if
the seat sees it. A set is encoded by its size and its first few members.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.ir.types import PieceType, PlayerType, Type, plain
from lawspeaker.machines.compiled.playouts.feature_words import counts, is_in, sees
from lawspeaker.machines.compiled.runtime import turns
from lawspeaker.machines.compiled.runtime.journal_code import viewers
from lawspeaker.machines.compiled.runtime.plan import sentinel
from lawspeaker.machines.compiled.runtime.question import offsets
from lawspeaker.machines.compiled.runtime.replies import part_of
from lawspeaker.machines.compiled.runtime.turn_layout import MEMBERS
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Load,
    Variable,
    const,
    long,
    not_,
    select,
    word,
)

UNKNOWN = -(2**31)


@routine("observe")
def observe(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat): stores its observation"""
    plan, layout, room = unit.plan, unit.layout, unit.plan.turns
    f.clear(room.row, 4 * room.states_at)
    f.clear(room.filled, 4 * len(layout.alike))
    asking = f.let("asking", _is_asked(unit, f, seat))
    clauses = [each.ask.clause + 1 for each in turns.questions(unit)] or [0]
    question = plan.table(clauses)[word(room.question)]
    f.set(_entry(unit, 0), select(asking, question, 0))
    for step in range(layout.players):
        other = f.let("other", seat + step)
        f.set(other, select(other >= layout.players, other - layout.players, other))
        told = room.seats_at + 3 * step
        f.set(_entry(unit, told), word(other << 2, plan.scores))
        f.set(_entry(unit, told + 1), _is_asked(unit, f, other))
        f.set(_entry(unit, told + 2), int(step == 0))
    _markers(unit, f, seat)
    at = f.let("at", room.row + 4 * room.states_at)
    with f.while_(at.below(room.row + 4 * room.counts_at)):
        f.set(word(at), UNKNOWN)
        f.add(at, 4)
    for number in range(len(unit.program.pieces)):
        pieces = layout.pieces_of[number]
        if pieces:
            with f.each_number("piece", pieces[0], pieces[-1] + 1) as piece:
                f.do(_look_at(unit, number), piece, seat)
    for number, place in enumerate(room.counted, room.counts_at):
        f.do(_count(unit), place, room.row + 4 * number, seat)


def _entry(unit: Unit, at: int) -> Load:
    return word(unit.plan.turns.row + 4 * at)


def _is_asked(unit: Unit, f: Body, seat: Expr) -> Expr:
    """Returns whether a seat is among those who are asked: 1 or 0."""
    found = f.let("found", 0)
    at = f.let("one", unit.plan.asked)
    end = f.let("end", unit.plan.asked + word(unit.plan.asked_count) * turns.ASKED)
    with f.while_(at.below(end)):
        f.set(found, found | (word(at) == seat))
        f.add(at, turns.ASKED)
    return found


def _markers(unit: Unit, f: Body, seat: Variable) -> None:
    layout, plan, room = unit.layout, unit.plan, unit.plan.turns
    for at, marker in enumerate(unit.program.markers):
        for place, entry in layout.entries(at):
            value = f.let("value", word(plan.markers + 4 * place))
            known = long(viewers(layout.viewers(entry.seen_by, entry.owner)))
            told = _told(unit, f, marker.type, value, seat)
            shown = select(is_in(known, seat), told, UNKNOWN)
            f.set(_entry(unit, room.markers_at + place), shown)


def _told(unit: Unit, f: Body, of: Type, value: Variable, seat: Variable) -> Expr:
    """Encodes a value as the seat may know it; a piece only by its looks."""
    nothing = value == sentinel(of)
    if not isinstance(plain(of), PieceType):
        return select(nothing, UNKNOWN, value)
    return select(nothing, UNKNOWN, _looks(unit)(value, seat))


@routine("looks of", returns=I32)
def _looks(unit: Unit, f: Body, piece: Variable, seat: Variable) -> None:
    """(piece or none, seat) -> the first piece that looks like it, if the seat sees it; else -1"""
    alike = unit.layout.alike
    with f.if_(piece < 0):
        f.return_(-1)
    with f.if_(not_(sees(unit, unit.plan.where[piece], seat))):
        f.return_(-1)
    f.return_(unit.table(("turns", "alike"), lambda: _first(alike))[piece])


def _first(alike: Sequence[int]) -> list[int]:
    """Returns for each piece the first one that looks the same."""
    found: dict[int, int] = {}
    return [found.setdefault(look, piece) for piece, look in enumerate(alike)]


# ---------------------------------------------------------------- pieces


def _columns(unit: Unit, of: int) -> list[int]:
    """Returns the addresses of the columns of a piece type: places, then states; as if piece 0 had
    an entry."""
    room, layout = unit.plan.turns, unit.layout
    states = [room.states_at + at for at in layout.state_at[of]]
    return [room.row + 4 * at for at in (room.places_at, *states)]


@routine("look at")
def _look_at(unit: Unit, of: int, f: Body, piece: Variable, seat: Variable) -> None:
    """(piece, seat): stores its place and states if the seat sees it, sorted among those that look
    the same"""
    plan, layout, room = unit.plan, unit.layout, unit.plan.turns
    columns = _columns(unit, of)
    place = f.let("place", plan.where[piece])
    with f.if_(not_(sees(unit, place, seat))):
        f.return_()
    first = f.let("first", unit.table(("turns", "alike"), lambda: _first(layout.alike))[piece])
    filled = word(first << 2, room.filled)
    at = f.let("at", (first + filled) << 2)
    f.add(filled, 1)
    f.set(word(at, columns[0]), place + 1)
    states = zip(columns[1:], plan.states[of], layout.states[of], strict=True)
    for column, state, entry in states:
        value = f.let("value", state[piece])
        f.set(word(at, column), _told(unit, f, entry.type, value, seat))
    lowest = f.let("lowest", first << 2)
    with f.while_(at.above(lowest)):
        with f.if_(not_(_before(unit, of)(at))):
            f.return_()
        for column in columns:
            held = f.let("held", word(at, column))
            f.set(word(at, column), word(at - 4, column))
            f.set(word(at - 4, column), held)
        f.add(at, -4)


@routine("before", returns=I32)
def _before(unit: Unit, of: int, f: Body, at: Variable) -> None:
    """(byte offset from the entry of piece 0) -> whether an entry sorts before its predecessor"""
    for column in _columns(unit, of):
        one, other = f.let("one", word(at, column)), f.let("other", word(at - 4, column))
        with f.if_(one != other):
            f.return_(one < other)
    f.return_(0)


@routine("count for")
def _count(unit: Unit, f: Body, place: Variable, to: Variable, seat: Variable) -> None:
    """(place, output address, seat): the number of pieces in a place that the seat may count, but
    not see"""
    plan = unit.plan
    f.set(word(to), 0)
    with f.if_(sees(unit, place, seat) | not_(counts(unit, place, seat))):
        f.return_()
    for family in plan.families:
        if family.size and not family.of.grid:
            with f.if_((place - family.first).below(family.size)):
                if family.masked:
                    f.set(word(to), family.masks[place].count_bits().to_word())
                else:
                    f.set(word(to), family.count[place])


# ---------------------------------------------------------------- options


@routine("option")
def option(unit: Unit, f: Body, number: Variable) -> None:
    """(number): stores an option of the asked player"""
    plan, room = unit.plan, unit.plan.turns
    f.set(unit.top, plan.arena)
    f.clear(room.option, 4 * room.width)
    who = f.let("who", turns.who(unit))
    seat, first, count = (f.let(name, word(who, 4 * at)) for at, name in enumerate(_WHO))
    for at, question in enumerate(turns.questions(unit)):
        with f.if_(word(room.question) == at):
            f.set(word(room.option), question.ask.clause + 1)
            with f.if_(number.below(count)):
                f.do(_tell(unit, at), first + number * question.stride, seat)


_WHO = ("seat", "first", "count")


@routine("tell")
def _tell(unit: Unit, number: int, f: Body, entry: Variable, seat: Variable) -> None:
    """(entry, seat): encodes an option of a question"""
    room = unit.plan.turns
    f.set(word(room.option + 4), word(entry) + 1)
    for at, alternative in enumerate(turns.questions(unit)[number].ask.alternatives):
        if not alternative.parts:
            continue
        with f.if_(word(entry) == at):
            to = room.option + 8
            for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                value = f.let("value", part_of(unit, part, entry, offset))
                of = part.binder.type
                if not part.several:
                    f.set(word(to), _part(unit, f, of, value, seat))
                    to += 4
                    continue
                f.set(word(to), word(value) + 1)
                out = f.let("out", to + 4)
                to += 4 * (1 + MEMBERS)
                with f.each_listed("member", value) as member, f.if_(out.below(to)):
                    f.set(word(out), _part(unit, f, of, member, seat))
                    f.add(out, 4)


def _part(unit: Unit, f: Body, of: Type, value: Variable, seat: Variable) -> Expr:
    """Encodes a value as one more than its number, 0 for nothing."""
    match plain(of):
        case PieceType():
            return _looks(unit)(value, seat) + 1
        case PlayerType():
            behind = f.let("behind", value - seat)
            players = max(1, unit.layout.players)
            counted = select(behind < 0, behind + players, behind)
            return select(value < 0, const(0), counted + 1)
    return select(value == sentinel(of), const(0), value + 1)
