"""Generates code for draws and picks: resolved by the seed, or by the host at chance nodes."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile import effects, locations, picks
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.compiled.runtime import shuffling
from lawspeaker.machines.compiled.runtime.journal_code import note, seen
from lawspeaker.machines.compiled.runtime.plan import NONE
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Label, Number, Variable, word

CHANCE = 3
"""Value of `pending` at a chance node."""


def draw(c: ClauseCode, statement: ir.Draw) -> None:
    """Draws one piece after the other; at a chance node it may wait for the host before each."""
    f, unit = c.f, c.unit
    left, place, piece = c.slot(statement.loop_slot), f.variable("place"), f.variable("piece")
    family = locations.family_of(c, statement.source.type)
    point = c.new_point() if unit.purpose.stepping else 0
    one = statement.count is None and not unit.purpose.stepping

    def begin() -> None:
        f.set(left, 1 if statement.count is None else c.scoped_present(statement.count))

    with f.block() as done:
        with f.block() as missing:
            if unit.purpose.stepping:
                f.leave(missing, c.target.above(point))
                c.here(begin)
            else:
                begin()
            with f.loop():
                with f.block() as taken:
                    if unit.purpose.stepping:
                        _take_answer(c, piece, taken)
                    if not one:
                        f.leave(done, left <= 0)
                    cost = unit.operation(c.clause, statement, Kind.DRAW).cost
                    c.pay(cost, statement.span, cost)
                    f.set(place, c.present(statement.source))
                    if statement.otherwise is None:
                        nothing = locations.is_empty_in(family, place)
                        c.fault_when(nothing, messages.NOTHING_LEFT, statement.span)
                    else:
                        f.leave(missing, locations.is_empty_in(family, place))
                    if unit.purpose.stepping:
                        with f.if_(unit.ask_chance):
                            with f.if_(shuffling.is_open(unit, family, statement.below)(place)):
                                ask_luck(c, point)
                            # All candidates look the same: take the first.
                            f.set(
                                piece,
                                shuffling.first_of_pool(unit, f, family, statement.below, place),
                            )
                            f.leave(taken)
                    f.set(piece, shuffling.draw(unit, family, statement.below)(place))
                to = f.let("to", c.present(statement.to))
                origin = None if unit.purpose.stepping else place
                effects.put(c, statement, _drawn_type(c, statement), piece, to, lambda: origin)
                f.set(c.slot(statement.slot), piece)
                if one:
                    f.leave(done)
                else:
                    f.add(left, -1)
        if statement.otherwise is not None:
            c.block(statement.otherwise)


def _drawn_type(c: ClauseCode, statement: ir.Draw) -> ir.PieceType:
    number = locations.family_of(c, statement.source.type).of.holds
    return ir.PieceType(c.program.pieces[number].name, number)


def _take_answer(c: ClauseCode, taken: Variable, settled: Label) -> None:
    """Takes the host's outcome if the function is resumed at this chance node."""

    def take() -> None:
        c.f.set(taken, word(c.plan.reply))
        c.f.leave(settled)

    c.when_answered(take)


def ask_luck(c: ClauseCode, point: int) -> None:
    c.f.set(word(c.plan.pending), CHANCE)
    c.wait(point)


def pick(c: ClauseCode, statement: ir.Pick) -> None:
    """Picks one of several things; at a chance node it may wait for the host."""
    f, unit, slot = c.f, c.unit, c.slot(statement.binder.slot)
    point = c.new_point() if unit.purpose.stepping else 0
    with f.block() as settled, c.scoped():
        if unit.purpose.stepping:
            _take_answer(c, slot, settled)
            with f.if_(unit.ask_chance), f.if_(picks.is_open(c, statement)):
                ask_luck(c, point)
        f.set(slot, picks.picked(c, statement))
    f.add(word(c.plan.picks[c.clause]), 1)
    if unit.purpose.stepping:
        place: Number = NONE
        known: Number = c.layout.everyone
        if isinstance(statement.binder.type, ir.PieceType):
            place = c.plan.where[slot]
            known = seen(c)[place]
        note(c, "chance", c.clause, NONE, known, (c.clause, statement.at, place, slot))
