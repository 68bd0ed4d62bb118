"""Code for the flow of a clause: conditions, loops, rankings, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import PlaceType, SetType, plain
from lawspeaker.ir.walk import children
from lawspeaker.machines.compiled import (
    asking,
    chance,
    clause_calls,
    effects,
    lines,
    locations,
    members,
    past,
    ranking,
    small_rankings,
    standing,
    value_calls,
)
from lawspeaker.machines.compiled.clauses import ClauseCode
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Listed
from lawspeaker.machines.compiled.patterns import conjuncts
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Variable, word

OVER, STOPPED = 1, 2


def set_local(c: ClauseCode, deed: ir.SetLocal) -> None:
    of = c.own.slots[deed.slot].type
    if isinstance(of, SetType) or isinstance(deed.value.type, SetType):
        with c.scoped():
            c.b.push(c.value(deed.value, of))
            c.assign(deed.slot)
    else:
        c.b.push(c.scoped_value(deed.value, of))
        c.assign(deed.slot)


def plain_deed(write: Callable[[Code, Any], None]) -> Callable[[ClauseCode, Any], None]:
    """A statement that is one operation and never waits."""

    def written(c: ClauseCode, deed: ir.Statement) -> None:
        if effects.needs_room(c, deed):
            with c.scoped():
                write(c, deed)
        else:
            write(c, deed)

    return written


def finish(c: ClauseCode, deed: ir.Finish) -> None:
    c.b.br(c.end)


def end_game(c: ClauseCode, deed: ir.EndGame) -> None:
    b, won = c.b, c.local()
    if deed.winners is None:
        b.call(standing.by_goal(c.unit))
        b.set(won)
    elif isinstance(deed.winners.type, SetType):
        c.b.push(c.value(deed.winners))
        b.set(won)
    else:
        b.const(c.plan.scratch)
        b.const(1)
        b.store()
        b.const(c.plan.scratch)
        c.b.push(c.value(deed.winners))
        b.store(4)
        b.const(c.plan.scratch)
        b.set(won)
    if c.layout.players != len(c.program.player_names):
        seat = c.local()

        def check() -> None:
            b.get(seat)
            b.const(c.layout.players)
            b.op("i32.ge_s")
            c.fault_if(messages.ABSENT, deed.span)

        Listed(won).each(c.f, seat, check)
    b.get(won)
    if deed.winners is not None and c.program.sides:
        b.call(standing.together(c.unit))
    b.const(c.clause)
    b.const(OVER)
    b.call(ranking.end(c.unit))
    c.return_ended()


# ---------------------------------------------------------------- conditions and loops


def if_(c: ClauseCode, deed: ir.If) -> None:
    c.chosen(lambda: c.b.push(c.scoped_value(deed.condition)), c.points(deed.then))
    with c.b.if_():
        c.block(deed.then)
        if deed.otherwise:
            c.b.else_()
            c.block(deed.otherwise)


def _cost(c: ClauseCode, deed: ir.Statement, kind: Kind) -> int:
    """What each round of a loop is paid with."""
    return c.unit.operation(c.clause, deed, kind).cost


def for_each(c: ClauseCode, deed: ir.ForEach) -> None:
    b, binder = c.b, deed.binder
    if not c.points(deed.body):
        _for_each_at_once(c, deed)
        return
    slot, listed, index = c.slot(binder.slot), c.slot(deed.list_slot), c.slot(deed.index_slot)
    before = c.local()
    b.get(c.unit.top)
    b.set(before)
    b.get(c.target)
    b.op("i32.eqz")
    with b.if_():
        c.b.push(c.value(binder.source))
        b.set(listed)
        c.pay_for_each(word(listed), _cost(c, deed, Kind.LIST), deed.span)
        b.const(0)
        b.set(index)
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
    c.clear(deed.list_slot)
    c.clear(deed.index_slot)
    b.get(before)
    b.set(c.unit.top)


_STEADY = (ir.Domain, ir.Range, ir.PlayersFrom, ir.Around, ir.Local)


def _for_each_at_once(c: ClauseCode, deed: ir.ForEach) -> None:
    """A loop in which nothing waits."""
    b, binder = c.b, deed.binder
    slot = c.slot(binder.slot)

    known, cost = c.folder.constant(binder.source), _cost(c, deed, Kind.LIST)

    def body() -> None:
        with b.block() as following:
            if binder.where is not None:
                c.unless(binder.where, following)
            _steadily(c, deed.body)

    steady = known is not None or isinstance(binder.source, _STEADY)
    if known is None and isinstance(binder.source, ir.Range | ir.Around):
        steady = not c.unit.can_fault.possible(tuple(children(binder.source)))
    if known is not None:
        c.pay(len(known[0]) * cost, deed.span)
        weight = value_calls.written_weight(c.unit, binder.where, deed.body)
        if members.few(known[0], weight) and not c.shapes.points(deed.body):
            members.unrolled(c, known[0], binder.slot, binder.type, body)
            return
    with c.scoped():
        family = _asked_if_taken(c, deed)
        if family is not None and known is not None:
            members.each_taken(c, family, known[0], slot, body)
        elif steady or _is_heap(c, binder.source):
            if known is None:
                c.pay_for_each(members.size(c, binder.source), cost, deed.span)
            members.each(c, binder.source, slot, body)
        elif (line := lines.ray(c, binder.source)) is not None:
            c.pay_for_each(line.size(), cost, deed.span)
            line.each(c.f, slot, body)
        else:
            listed = Listed(c.f.let("listed", c.value(binder.source)))
            c.pay_for_each(listed.size(), cost, deed.span)
            listed.each(c.f, slot, body)


def _asked_if_taken(c: ClauseCode, deed: ir.ForEach) -> Family | None:
    """The family of places a loop goes through, if all it does is for those with a piece, and
    which these are is kept as a mask."""
    binder, of = deed.binder, plain(deed.binder.type)
    if not isinstance(of, PlaceType) or not c.plan.families[of.index].indexed:
        return None
    tests = conjuncts(binder.where)
    if not tests:
        match deed.body:
            case (ir.If(condition=condition, otherwise=()),):
                tests = conjuncts(condition)
            case _:
                return None
    match tests[0]:
        case (
            ir.Exists(binder=ir.Binder(source=ir.Contents(place=ir.Local(slot=slot))))
            | ir.Not(operand=ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=slot))))
        ):
            return c.plan.families[of.index] if slot == binder.slot else None
    return None


def _is_heap(c: ClauseCode, source: ir.Expr) -> bool:
    """Whether a source is gone through as a mask, which does not change meanwhile."""
    if not isinstance(source, ir.Contents):
        return False
    if c.unit.can_fault.possible(source.place):
        return False
    return locations.family_of(c, source.place.type).masked


def _steadily(c: ClauseCode, block: ir.Block) -> None:
    """Statements of a loop in which nothing waits: no way leads into them."""
    for deed in block:
        c.statement(deed)


def repeat(c: ClauseCode, deed: ir.Repeat) -> None:
    b, left = c.b, c.slot(deed.left_slot)
    inside = c.points(deed.body)
    _when_running(c, inside, lambda: _count_from(c, deed.times, left))

    def count_down() -> None:
        b.get(left)
        b.const(0)
        b.op("i32.le_s")
        b.br_if(done)
        c.pay(_cost(c, deed, Kind.AGAIN), deed.span)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)

    with b.block() as done, b.loop() as again:
        _when_running(c, inside, count_down)
        c.block(deed.body)
        b.br(again)
    c.clear(deed.left_slot)


def _count_from(c: ClauseCode, times: ir.Expr, left: Variable) -> None:
    c.b.push(c.scoped_present(times))
    c.b.set(left)


def _when_running(c: ClauseCode, inside: int, write: Callable[[], None]) -> None:
    """Done unless the way leads further in, where there are points inside."""
    if inside:
        c.here(write)
    else:
        write()


def repeat_until(c: ClauseCode, deed: ir.RepeatUntil) -> None:
    b, left = c.b, c.slot(deed.left_slot)
    inside = c.points(deed.body)
    _when_running(c, inside, lambda: _count_from(c, deed.most, left))

    def once_more() -> None:
        b.get(left)
        b.const(0)
        b.op("i32.le_s")
        c.fault_if(messages.NOT_DONE, deed.span)
        c.pay(_cost(c, deed, Kind.AGAIN), deed.span)
        b.get(left)
        b.const(1)
        b.op("i32.sub")
        b.set(left)

    with b.loop() as again:
        _when_running(c, inside, once_more)
        c.block(deed.body)
        c.unless(deed.condition, again)


def rank(c: ClauseCode, deed: ir.Rank) -> None:
    few = small_rankings.members(c, deed)
    if few is not None and not c.points(deed.body):
        _rank_few(c, deed, few)
        return
    b = c.b
    listed, index = c.slot(deed.list_slot), c.slot(deed.index_slot)
    tied, place, tier = (c.slot(s) for s in (deed.tied_slot, deed.place_slot, deed.tier_slot))
    inside = c.points(deed.body)
    before = c.local()
    b.get(c.unit.top)
    b.set(before)

    def begin() -> None:
        ranking.groups(c, deed)
        b.set(listed)
        b.const(0)
        b.set(index)

    _when_running(c, inside, begin)

    def following() -> None:
        b.get(listed)
        b.get(index)
        b.call(ranking.group(c.unit))
        b.tee(tied)
        b.op("i32.eqz")
        b.br_if(done)
        c.pay(_cost(c, deed, Kind.NEXT), deed.span)
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
    for slot in (deed.list_slot, deed.index_slot, deed.tied_slot):
        c.clear(slot)
    b.get(before)
    b.set(c.unit.top)


def _rank_few(c: ClauseCode, deed: ir.Rank, few: range) -> None:
    """A ranking of few in which nothing waits."""
    b = c.b
    place, tier, before = c.slot(deed.place_slot), c.slot(deed.tier_slot), c.local()
    b.get(c.unit.top)
    b.set(before)
    found, slot = small_rankings.SmallRanking(c, few), c.slot(deed.binder.slot)
    ranking.taking_part(c, deed, lambda key: found.add(slot, key, highest=deed.highest))
    outer = c.slots.get(deed.tied_slot)
    c.slots[deed.tied_slot] = found.tied
    next_place = c.local()
    b.const(1)
    b.set(next_place)
    b.const(0)
    b.set(tier)
    with b.block() as done, b.loop() as again:
        found.following(lambda: b.br_if(done))
        c.pay(_cost(c, deed, Kind.NEXT), deed.span)
        b.get(next_place)
        b.tee(place)
        b.get(found.tied.mask)
        b.op("i64.popcnt", "i32.wrap_i64", "i32.add")
        b.set(next_place)
        b.get(tier)
        b.const(1)
        b.op("i32.add")
        b.set(tier)
        _steadily(c, deed.body)
        b.br(again)
    del c.slots[deed.tied_slot]
    if outer is not None:
        c.slots[deed.tied_slot] = outer
    b.get(before)
    b.set(c.unit.top)


ClauseCode.writers = {
    ir.SetLocal: set_local,
    ir.SetMarker: plain_deed(effects.set_marker),
    ir.SetState: plain_deed(effects.set_state),
    ir.Score: plain_deed(effects.score),
    ir.Move: plain_deed(effects.move),
    ir.MoveSome: plain_deed(effects.move_some),
    ir.Draw: chance.draw,
    ir.Shuffle: plain_deed(effects.shuffle),
    ir.Remember: plain_deed(past.remember),
    ir.Pick: chance.pick,
    ir.Tell: plain_deed(effects.tell),
    ir.Do: clause_calls.do,
    ir.Finish: finish,
    ir.EndGame: end_game,
    ir.If: if_,
    ir.ForEach: for_each,
    ir.Repeat: repeat,
    ir.RepeatUntil: repeat_until,
    ir.Rank: rank,
    ir.Ask: asking.ask,
}
