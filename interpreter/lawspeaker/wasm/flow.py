"""Code for the flow of a clause: conditions, loops, rankings, other clauses, draws, the end.

`c.pc` counts the operations as the reference machine does, one or more for each statement, so that
a saved frame says the same to both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawspeaker import ir
from lawspeaker.types import PieceType, SetType
from lawspeaker.wasm import asking, calls, deeds, members, places, ranking, strokes
from lawspeaker.wasm.clauses import ENDS, ClauseCode, clause_function
from lawspeaker.wasm.code import TOO_LONG, Code
from lawspeaker.wasm.notes import note, seen
from lawspeaker.wasm.plan import NONE

CHANCE = 3
"""What `pending` says when luck is asked."""
OVER, STOPPED = 1, 2


def set_local(c: ClauseCode, deed: ir.SetLocal) -> None:
    of = c.own.slots[deed.slot].type
    if isinstance(of, SetType) or isinstance(deed.value.type, SetType):
        with c.scoped():
            c.value(deed.value, of)
            c.assign(deed.slot)
    else:
        c.scoped_value(deed.value, of)
        c.assign(deed.slot)
    c.pc += 1


def plain_deed(write: Callable[[Code, Any], None]) -> Callable[[ClauseCode, Any], None]:
    """A statement that is one operation and never waits."""

    def written(c: ClauseCode, deed: ir.Statement) -> None:
        if deeds.needs_room(c, deed):
            with c.scoped():
                write(c, deed)
        else:
            write(c, deed)
        c.pc += 1

    return written


# ---------------------------------------------------------------- other clauses


def do(c: ClauseCode, deed: ir.Do) -> None:
    b, unit, called = c.b, c.unit, c.program.clauses[deed.clause]
    waits, speaks = c.shapes.waits[deed.clause], _speaks(c, deed.clause)
    returned = c.shapes.returned[deed.clause]
    function = clause_function(unit, c.shapes, deed.clause)
    results = [c.local() for _ in returned]
    status, before = c.local(), c.local()
    point = c.new_point() if waits else 0
    b.get(unit.top)
    b.set(before)

    def call() -> None:
        _count_switch(c)
        _count_time(c, deed.clause)
        if waits:
            b.const(0)
        for parameter, argument in enumerate(deed.arguments):
            c.value(argument, called.slots[parameter].type)
        b.call(function)
        _keep(c, results, status if speaks else None)

    if waits:
        b.get(c.target)
        with b.if_():
            c.arrived()
            b.const(1)
            for _ in range(called.parameters):
                b.const(0)
            b.call(function)
            _keep(c, results, status)
            b.else_()
            call()
    else:
        call()
    if speaks:
        b.get(status)
        with b.if_():
            if waits and c.shapes.ends[deed.clause]:
                b.get(status)
                b.const(ENDS)
                b.op("i32.eq")
                with b.if_():
                    c.return_ended()
                c.wait(point)
            elif waits:
                c.wait(point)
            else:
                c.return_ended()
    for theirs, ours in deed.returns:
        b.get(results[returned.index(theirs)])
        c.assign(ours)
    b.get(before)
    b.set(unit.top)
    c.pc += 1


def _speaks(c: ClauseCode, clause: int) -> bool:
    return c.shapes.waits[clause] or c.shapes.ends[clause]


def _keep(c: ClauseCode, results: list[int], status: int | None) -> None:
    for result in reversed(results):
        c.b.set(result)
    if status is not None:
        c.b.set(status)


def _count_switch(c: ClauseCode) -> None:
    """Going to a clause and coming back are paid for from a budget of their own."""
    b, left = c.b, c.unit.switches
    b.get(left)
    b.const(2)
    b.op("i32.sub")
    b.set(left)
    b.get(left)
    b.const(0)
    b.op("i32.lt_s")
    c.fault_if(TOO_LONG, c.own.span)


def _count_time(c: ClauseCode, clause: int) -> None:
    """How often each clause is done."""
    b, at = c.b, c.plan.times + 4 * clause
    b.const(0)
    b.const(0)
    b.load(at)
    b.const(1)
    b.op("i32.add")
    b.store(at)


def finish(c: ClauseCode, deed: ir.Finish) -> None:
    c.b.br(c.end)
    c.pc += 1


def end_game(c: ClauseCode, deed: ir.EndGame) -> None:
    b, won = c.b, c.local()
    if deed.winners is None:
        b.call(ranking.most_points(c.unit))
        b.set(won)
    elif isinstance(deed.winners.type, SetType):
        c.value(deed.winners)
        b.set(won)
    else:
        b.const(c.plan.scratch)
        b.const(1)
        b.store()
        b.const(c.plan.scratch)
        c.value(deed.winners)
        b.store(4)
        b.const(c.plan.scratch)
        b.set(won)
    if c.layout.players != len(c.program.player_names):
        seat = c.local()

        def check() -> None:
            b.get(seat)
            b.const(c.layout.players)
            b.op("i32.ge_s")
            c.fault_if("this player does not take part", deed.span)

        b.get(won)
        members.each_listed(c, seat, check)
    b.get(won)
    b.const(c.clause)
    b.const(OVER)
    b.call(ranking.end(c.unit))
    c.return_ended()
    c.pc += 1


# ---------------------------------------------------------------- conditions and loops


def if_(c: ClauseCode, deed: ir.If) -> None:
    only = c.shapes.branch(deed)
    if only is not None:
        c.block(only)
        return
    c.chosen(lambda: c.scoped_value(deed.condition), c.shapes.points(deed.then))
    c.pc += 1
    with c.b.if_():
        c.block(deed.then)
        if deed.otherwise:
            c.pc += 1
            c.b.else_()
            c.block(deed.otherwise)


def for_each(c: ClauseCode, deed: ir.ForEach) -> None:
    b, binder = c.b, deed.binder
    if not c.shapes.points(deed.body):
        _for_each_at_once(c, deed)
        return
    slot, listed, index = c.slot(binder.slot), c.slot(deed.list_slot), c.slot(deed.index_slot)
    before = c.local()
    b.get(c.unit.top)
    b.set(before)
    b.get(c.target)
    b.op("i32.eqz")
    with b.if_():
        c.value(binder.source)
        b.set(listed)
        b.get(listed)
        b.load()
        c.pay(deed.span)
        b.const(0)
        b.set(index)
    c.pc += 2
    with b.block() as done, b.loop() as again:
        b.get(c.target)
        b.op("i32.eqz")
        with b.if_(), b.loop() as following:
            b.get(index)
            b.get(listed)
            b.load()
            b.op("i32.ge_s")
            b.br_if(done)
            b.get(index)
            b.const(1)
            b.op("i32.add")
            b.set(index)
            b.get(listed)
            b.get(index)
            b.const(2)
            b.op("i32.shl", "i32.add")
            b.load()
            b.set(slot)
            if binder.where is not None:
                c.unless(binder.where, following)
        c.block(deed.body)
        b.br(again)
    c.pc += 1
    c.clear(deed.list_slot)
    c.clear(deed.index_slot)
    b.get(before)
    b.set(c.unit.top)


_STEADY = (ir.Domain, ir.Range, ir.PlayersFrom, ir.Around, ir.Local)


def _for_each_at_once(c: ClauseCode, deed: ir.ForEach) -> None:
    """A loop in which nothing waits."""
    b, binder = c.b, deed.binder
    slot = c.slot(binder.slot)
    c.pc += 2

    known = c.folder.constant(binder.source)

    def body() -> None:
        if known is None:
            b.const(1)
            c.pay(deed.span)
        with b.block() as following:
            if binder.where is not None:
                c.unless(binder.where, following)
            _steadily(c, deed.body)

    steady = known is not None or isinstance(binder.source, _STEADY)
    if known is not None:
        b.const(len(known[0]))
        c.pay(deed.span)
        weight = calls.written_weight(c.unit, binder.where, deed.body)
        if members.few(known[0], weight):
            first = c.pc

            def once_more() -> None:
                c.pc = first
                body()

            members.unrolled(c, known[0], binder.slot, binder.type, once_more)
            c.pc += 1
            return
    with c.scoped():
        if steady or _is_heap(c, binder.source):
            members.each(c, binder.source, slot, body)
        else:
            c.value(binder.source)
            members.each_listed(c, slot, body)
    c.pc += 1


def _is_heap(c: ClauseCode, source: ir.Expr) -> bool:
    """Whether a source is gone through as a mask, which does not change meanwhile."""
    if not isinstance(source, ir.Contents):
        return False
    return places.family_of(c, source.place.type).masked


def _steadily(c: ClauseCode, block: ir.Block) -> None:
    """Statements of a loop in which nothing waits: no way leads into them."""
    for deed in block:
        c.statement(deed)


def repeat(c: ClauseCode, deed: ir.Repeat) -> None:
    b, left = c.b, c.slot(deed.left_slot)
    inside = c.shapes.points(deed.body)
    _when_running(c, inside, lambda: _count_from(c, deed.times, left))
    c.pc += 2

    def count_down() -> None:
        b.get(left)
        b.const(0)
        b.op("i32.le_s")
        b.br_if(done)
        b.const(1)
        c.pay(deed.span)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)

    with b.block() as done, b.loop() as again:
        _when_running(c, inside, count_down)
        c.block(deed.body)
        b.br(again)
    c.pc += 1
    c.clear(deed.left_slot)


def _count_from(c: ClauseCode, times: ir.Expr, left: int) -> None:
    c.scoped_present(times)
    c.b.set(left)


def _when_running(c: ClauseCode, inside: int, write: Callable[[], None]) -> None:
    """Done unless the way leads further in."""
    if not inside:
        write()
        return
    c.b.get(c.target)
    c.b.op("i32.eqz")
    with c.b.if_():
        write()


def repeat_until(c: ClauseCode, deed: ir.RepeatUntil) -> None:
    b, left = c.b, c.slot(deed.left_slot)
    inside = c.shapes.points(deed.body)
    _when_running(c, inside, lambda: _count_from(c, deed.most, left))
    c.pc += 2

    def once_more() -> None:
        b.get(left)
        b.const(0)
        b.op("i32.le_s")
        c.fault_if("this was repeated as often as it may be, and is not done", deed.span)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)

    with b.loop() as again:
        _when_running(c, inside, once_more)
        c.block(deed.body)
        c.pc += 2
        c.unless(deed.condition, again)


def rank(c: ClauseCode, deed: ir.Rank) -> None:
    b = c.b
    listed, index = c.slot(deed.list_slot), c.slot(deed.index_slot)
    tied, place, tier = (c.slot(s) for s in (deed.tied_slot, deed.place_slot, deed.tier_slot))
    inside = c.shapes.points(deed.body)
    before = c.local()
    b.get(c.unit.top)
    b.set(before)

    def begin() -> None:
        ranking.groups(c, deed)
        b.set(listed)
        b.const(0)
        b.set(index)

    _when_running(c, inside, begin)
    c.pc += 2

    def following() -> None:
        b.get(listed)
        b.get(index)
        b.call(ranking.group(c.unit))
        b.tee(tied)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(tied)
        b.load()
        b.set(place)
        b.get(tied)
        b.const(4)
        b.op("i32.add")
        b.set(tied)
        b.get(index)
        b.const(1)
        b.op("i32.add")
        b.tee(index)
        b.set(tier)

    with b.block() as done, b.loop() as again:
        _when_running(c, inside, following)
        c.block(deed.body)
        b.br(again)
    c.pc += 1
    for slot in (deed.list_slot, deed.index_slot, deed.tied_slot):
        c.clear(slot)
    b.get(before)
    b.set(c.unit.top)


# ---------------------------------------------------------------- luck


def draw(c: ClauseCode, deed: ir.Draw) -> None:
    """Draws one by one; where luck is asked, it may wait before each."""
    b, unit = c.b, c.unit
    left, drawn = c.slot(deed.loop_slot), c.slot(deed.slot)
    family = places.family_of(c, deed.source.type)
    piece, place, to = c.local(), c.local(), c.local()
    c.pc += 1
    point = c.new_point() if unit.stepping else 0
    c.pc += 1
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
                    c.scoped_present(deed.count)
                b.set(left)

            _when_running(c, int(unit.stepping), first)
            with b.loop() as again:
                with b.block() as taken:
                    if unit.stepping:
                        _asked_piece(c, piece, taken)
                    b.get(left)
                    b.const(0)
                    b.op("i32.le_s")
                    b.br_if(done)
                    c.present(deed.source)
                    b.tee(place)
                    places.is_empty_in(c, family)
                    if deed.otherwise is None:
                        c.fault_if("there is nothing left to draw", deed.span)
                    else:
                        b.br_if(missing)
                    if unit.stepping:
                        b.get(unit.ask_chance)
                        with b.if_():
                            b.get(place)
                            b.call(strokes.is_open(unit, family))
                            with b.if_():
                                ask_luck(c, point)
                            _first_of_equals(c, deed, place, piece)
                            b.br(taken)
                    b.get(place)
                    b.call(strokes.draw(unit, family))
                    b.set(piece)
                c.present(deed.to)
                b.set(to)
                if not deeds.wrong_type(c, _drawn_type(c, deed), deed.to, deed):
                    deeds.put(c, piece, to, deed.to, deed.under, deed)
                b.get(piece)
                b.set(drawn)
                b.get(left)
                b.const(1)
                b.op("i32.sub")
                b.set(left)
                b.br(again)
        if deed.otherwise is not None:
            c.block(deed.otherwise)


def _first_of_equals(c: ClauseCode, deed: ir.Draw, place: int, piece: int) -> None:
    """All that may come looks the same: the first of them is taken."""
    family = places.family_of(c, deed.source.type)
    if family.masked:
        c.b.get(place)
        places.first_in(c, family)
        c.b.set(piece)
    else:
        strokes.first_of_pool(c, family, place, piece)


def _drawn_type(c: ClauseCode, deed: ir.Draw) -> PieceType:
    number = places.family_of(c, deed.source.type).of.holds
    return PieceType(c.program.pieces[number].name, number)


def _asked_piece(c: ClauseCode, piece: int, taken: Any) -> None:
    """Luck was asked here, and has answered."""
    b = c.b
    b.get(c.target)
    with b.if_():
        c.arrived()
        b.get(c.unit.again)
        b.op("i32.eqz")
        with b.if_():
            b.const(0)
            b.load(c.plan.reply)
            b.set(piece)
            b.br(taken)
        b.const(0)
        b.set(c.unit.again)


def ask_luck(c: ClauseCode, point: int) -> None:
    c.b.const(0)
    c.b.const(CHANCE)
    c.b.store(c.plan.pending)
    c.wait(point)


def pick(c: ClauseCode, deed: ir.Pick) -> None:
    b, unit, slot = c.b, c.unit, c.slot(deed.binder.slot)
    point = c.new_point() if unit.stepping else 0
    at = c.plan.picks[c.clause]
    with b.block() as settled, c.scoped():
        if unit.stepping:
            _asked_piece(c, slot, settled)
            b.get(unit.ask_chance)
            with b.if_():
                strokes.picks_openly(c, deed)
                with b.if_():
                    ask_luck(c, point)
        strokes.pick(c, deed)
        b.set(slot)
    b.const(0)
    b.const(0)
    b.load(at)
    b.const(1)
    b.op("i32.add")
    b.store(at)

    def known() -> None:
        if isinstance(deed.binder.type, PieceType):
            b.get(slot)
            c.plan.where.load(b)
            seen(c).load(b)
        else:
            b.const(c.layout.everyone)

    note(c, "chance", c.clause, NONE, known, (c.clause, c.pc, lambda: b.get(slot)))
    c.pc += 1


ClauseCode.writers = {
    ir.SetLocal: set_local,
    ir.SetMarker: plain_deed(deeds.set_marker),
    ir.SetState: plain_deed(deeds.set_state),
    ir.Score: plain_deed(deeds.score),
    ir.Move: plain_deed(deeds.move),
    ir.MoveSome: plain_deed(deeds.move_some),
    ir.Draw: draw,
    ir.Shuffle: plain_deed(deeds.shuffle),
    ir.Pick: pick,
    ir.Do: do,
    ir.Finish: finish,
    ir.EndGame: end_game,
    ir.If: if_,
    ir.ForEach: for_each,
    ir.Repeat: repeat,
    ir.RepeatUntil: repeat_until,
    ir.Rank: rank,
    ir.Ask: asking.ask,
}
