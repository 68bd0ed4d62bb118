"""The meaning of statements that can be supposed: each is executed line by line on a state.

As in `meaning`, nothing is precomputed. Notes and who is told are left out, since a supposed
statement leaves no trace.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby, product
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.ir.types import SetType

if TYPE_CHECKING:
    from tests.meaning.meaning import Meaning


class Left(Exception):
    """The clause is left."""


def do_clause(inner: Meaning, clause: ir.Clause) -> None:
    """Does a clause in the situation and with the slots of `inner`."""
    with suppress(Left):
        block(inner, clause.body)


def block(m: Meaning, deeds: ir.Block) -> None:
    for deed in deeds:
        do(m, deed)


def do(m: Meaning, deed: ir.Statement) -> None:
    match deed:
        case ir.SetLocal(slot=slot, value=value):
            m.slots[slot] = m.value(value)
        case ir.SetMarker(marker=marker, indices=indices, value=value):
            shown = m.value(value)
            at = entry(m, m.program.markers[marker].indices, indices)
            m.state.markers[m.layout.marker_at[marker] + at] = shown
        case ir.SetState(piece=piece, state=state, of=of, indices=indices, value=value):
            which, at = m.present(of), m.layout.first_entry[piece][state]
            at += entry(m, m.program.pieces[piece].states[state].indices, indices)
            m.state.states[m.layout.state_at[piece][at] + which] = m.value(value)
        case ir.Score(who=who, points=points, loses=loses):
            seats = m.value(who) if isinstance(who.type, SetType) else (m.value(who),)
            for seat in seats:
                m.state.scores[seat] += -m.present(points) if loses else m.present(points)
        case ir.Move(what=what, to=to, under=under):
            several = isinstance(what.type, SetType)
            for piece in m.value(what) if several else (m.present(what),):
                move(m, piece, m.present(to), under)
        case ir.MoveSome(binder=binder, most=most, to=to, under=under):
            found = list(m.found(binder))
            for piece in found if most is None else found[: max(0, m.present(most))]:
                move(m, piece, m.present(to), under)
        case ir.Do(clause=number, arguments=arguments, returns=returns):
            slots = call_clause(m, number, arguments)
            for theirs, ours in returns:
                m.slots[ours] = slots[theirs]
        case ir.Finish():
            raise Left
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            block(m, then if m.value(condition) else otherwise)
        case ir.ForEach(binder=binder, body=body):
            for member in tuple(m.value(binder.source)):
                m.slots[binder.slot] = member
                if binder.where is None or m.value(binder.where):
                    block(m, body)
        case ir.Repeat(times=times, body=body):
            for _ in range(m.present(times)):
                block(m, body)
        case ir.RepeatUntil(condition=condition, body=body):
            block(m, body)
            while not m.value(condition):
                block(m, body)
        case ir.Rank(binder=binder, key=key, highest=highest):
            keyed = [(m.value(key), member) for member in m.found(binder)]
            keyed.sort(key=lambda one: -one[0] if highest else one[0])
            place = 1
            for tier, (_, group) in enumerate(groupby(keyed, lambda one: one[0]), start=1):
                tied = tuple(member for _, member in group)
                m.slots[deed.tied_slot], m.slots[deed.place_slot] = tied, place
                m.slots[deed.tier_slot] = tier
                block(m, deed.body)
                place += len(tied)
        case _:
            raise AssertionError(f"{type(deed).__name__} cannot be supposed")


def entry(m: Meaning, declared: tuple[ir.Index, ...], indices: tuple[ir.Expr, ...]) -> int:
    """Which of several entries is meant, counted through one by one."""
    wanted = tuple(m.present(each) for each in indices)
    return list(product(*m.layout.domains(declared))).index(wanted)


def call_clause(m: Meaning, number: int, arguments: tuple[ir.Expr, ...]) -> list[Any]:
    """Does another clause in the same situation; its slots afterwards."""
    clause = m.program.clauses[number]
    slots = [m.value(argument) for argument in arguments]
    slots += [None] * (len(clause.slots) - len(slots))
    do_clause(type(m)(m.layout, m.state, slots), clause)
    return slots


def move(m: Meaning, piece: int, place: int, under: bool) -> None:
    state, origin = m.state, m.state.where[piece]
    left = tuple(each for each in state.contents[origin] if each != piece)
    state.contents[origin] = left
    held = state.contents.get(place, ())
    now = (piece, *held) if under else (*held, piece)
    state.contents[place] = tuple(sorted(now)) if m.layout.heap[place] else now
    state.where[piece] = place
