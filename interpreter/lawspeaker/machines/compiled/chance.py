"""Code for draws and picks: settled by the seed, or left to luck where luck is asked."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled import effects, locations, picks, shuffling
from lawspeaker.machines.compiled.clauses import ClauseCode
from lawspeaker.machines.compiled.journal_code import note, seen, viewers
from lawspeaker.machines.compiled.plan import NONE
from lawspeaker.machines.compiled.stack import Label
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Variable, word

CHANCE = 3
"""What `pending` says when luck is asked."""


def draw(c: ClauseCode, deed: ir.Draw) -> None:
    """Draws one by one; where luck is asked, it may wait before each."""
    b, unit = c.b, c.unit
    left, drawn = c.slot(deed.loop_slot), c.slot(deed.slot)
    family = locations.family_of(c, deed.source.type)
    piece, place, to = c.local(), c.local(), c.local()
    point = c.new_point() if unit.stepping else 0
    with b.block() as done:
        with b.block() as missing:
            if unit.stepping:
                b.get(c.target)
                b.const(point)
                b.op("i32.gt_u")
                b.br_if(missing)

            def first() -> None:
                if deed.count is None:
                    b.const(1)
                else:
                    c.b.push(c.scoped_present(deed.count))
                b.set(left)

            if unit.stepping:
                c.here(first)
            else:
                first()
            one = deed.count is None and not unit.stepping
            with b.loop() as again:
                with b.block() as taken:
                    if unit.stepping:
                        _asked_piece(c, piece, taken)
                    if not one:
                        b.get(left)
                        b.const(0)
                        b.op("i32.le_s")
                        b.br_if(done)
                    c.pay(unit.operation(c.clause, deed, Kind.DRAW).cost, deed.span)
                    c.b.push(c.present(deed.source))
                    b.tee(place)
                    b.push(locations.is_empty_in(family, b.pop()))
                    if deed.otherwise is None:
                        c.fault_if(messages.NOTHING_LEFT, deed.span)
                    else:
                        b.br_if(missing)
                    if unit.stepping:
                        b.get(unit.ask_chance)
                        with b.if_():
                            b.get(place)
                            b.call(shuffling.is_open(unit, family))
                            with b.if_():
                                ask_luck(c, point)
                            _first_of_equals(c, deed, place, piece)
                            b.br(taken)
                    b.get(place)
                    b.call(shuffling.draw(unit, family, out=not unit.stepping))
                    b.set(piece)
                c.b.push(c.present(deed.to))
                b.set(to)
                if not effects.wrong_type(c, _drawn_type(c, deed), deed.to, deed):
                    origin = None if unit.stepping else place
                    effects.put(c, piece, to, deed.to, deed.under, deed, origin)
                b.get(piece)
                b.set(drawn)
                if one:
                    b.br(done)
                else:
                    b.get(left)
                    b.const(1)
                    b.op("i32.sub")
                    b.set(left)
                    b.br(again)
        if deed.otherwise is not None:
            c.block(deed.otherwise)


def _first_of_equals(c: ClauseCode, deed: ir.Draw, place: Variable, piece: Variable) -> None:
    """All that may come looks the same: the first of them is taken."""
    family = locations.family_of(c, deed.source.type)
    f = c.b.f
    first = shuffling.first_of_pool(c.unit, f, family, place)
    f.set(piece, first)


def _drawn_type(c: ClauseCode, deed: ir.Draw) -> PieceType:
    number = locations.family_of(c, deed.source.type).of.holds
    return PieceType(c.program.pieces[number].name, number)


def _asked_piece(c: ClauseCode, piece: Variable, taken: Label) -> None:
    """Luck was asked here, and has answered."""

    def take() -> None:
        c.b.const(0)
        c.b.load(c.plan.reply)
        c.b.set(piece)
        c.b.br(taken)

    c.when_answered(take)


def ask_luck(c: ClauseCode, point: int) -> None:
    c.b.const(0)
    c.b.const(CHANCE)
    c.b.store(c.plan.pending)
    c.wait(point)


def pick(c: ClauseCode, deed: ir.Pick) -> None:
    b, unit, slot = c.b, c.unit, c.slot(deed.binder.slot)
    point = c.new_point() if unit.stepping else 0
    with b.block() as settled, c.scoped():
        if unit.stepping:
            _asked_piece(c, slot, settled)
            b.get(unit.ask_chance)
            with b.if_():
                picks.picks_openly(c, deed)
                with b.if_():
                    ask_luck(c, point)
        picks.pick(c, deed)
        b.set(slot)
    c.f.add(word(c.plan.picks[c.clause]), 1)

    def place() -> None:
        b.get(slot)
        c.plan.where.load(b)

    def known() -> None:
        if pieces:
            place()
            seen(c).load(b)
        else:
            b.long(viewers(c.layout.everyone))

    pieces = isinstance(deed.binder.type, PieceType)
    data = (c.clause, deed.at, place if pieces else NONE, lambda: b.get(slot))
    note(c, "chance", c.clause, NONE, known, data)
