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
    watching,
)
from lawspeaker.machines.compiled.clauses import ClauseCode
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Listed
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import word
from lawspeaker.machines.planned.patterns import conjuncts
from lawspeaker.machines.planned.sets import few

OVER, STOPPED = 1, 2


def set_local(c: ClauseCode, deed: ir.SetLocal) -> None:
    of = c.own.slots[deed.slot].type
    if isinstance(of, SetType) or isinstance(deed.value.type, SetType):
        with c.scoped():
            c.assign(deed.slot, c.value(deed.value, of))
    else:
        c.assign(deed.slot, c.scoped_value(deed.value, of))


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
    c.f.leave(c.end)


def end_game(c: ClauseCode, deed: ir.EndGame) -> None:
    f = c.f
    if deed.winners is None:
        won = f.let("won", standing.by_goal(c.unit)())
    elif isinstance(deed.winners.type, SetType):
        won = f.let("won", c.value(deed.winners))
    else:
        won = f.let("won", c.plan.winning.base)
        f.set(word(won), 1)
        f.set(word(won, 4), c.value(deed.winners))
    if c.layout.players != len(c.program.player_names):
        with f.each_listed("winner", won) as winner:
            c.fault_if_absent(winner, deed.span)
    if deed.winners is not None and c.program.sides:
        f.set(won, standing.together(c.unit)(won))
    f.do(ranking.end(c.unit), won, c.clause, OVER)
    watching.changed(c)
    c.return_ended()


# ---------------------------------------------------------------- conditions and loops


def if_(c: ClauseCode, deed: ir.If) -> None:
    f = c.f
    condition = c.chosen(lambda: c.scoped_value(deed.condition), c.points(deed.then))
    with f.if_(condition):
        c.block(deed.then)
    if deed.otherwise:
        with f.else_():
            c.block(deed.otherwise)


def _cost(c: ClauseCode, deed: ir.Statement, kind: Kind) -> int:
    """What each round of a loop is paid with."""
    return c.unit.operation(c.clause, deed, kind).cost


def for_each(c: ClauseCode, deed: ir.ForEach) -> None:
    f, binder = c.f, deed.binder
    if not c.points(deed.body):
        _for_each_at_once(c, deed)
        return
    slot, listed, index = c.slot(binder.slot), c.slot(deed.list_slot), c.slot(deed.index_slot)
    before = f.let("top", c.unit.top)
    with f.if_(c.target == 0):
        f.set(listed, c.value(binder.source))
        c.pay_for_each(word(listed), _cost(c, deed, Kind.LIST), deed.span)
        f.set(index, 0)
    with f.loop() as going:
        with f.if_(c.target == 0), f.loop() as looking:
            f.leave(going, index >= word(listed))
            f.add(index, 1)
            f.set(slot, word(listed + (index << 2)))
            if binder.where is None:
                f.leave(looking)
            else:
                c.when(binder.where, looking)
        c.block(deed.body)
    c.clear(deed.list_slot)
    c.clear(deed.index_slot)
    f.set(c.unit.top, before)


_STEADY = (ir.Domain, ir.Range, ir.PlayersFrom, ir.Around, ir.Local)


def _for_each_at_once(c: ClauseCode, deed: ir.ForEach) -> None:
    """A loop in which nothing waits."""
    f, binder, slot = c.f, deed.binder, c.slot(deed.binder.slot)
    known, cost = c.folder.constant(binder.source), _cost(c, deed, Kind.LIST)

    def body() -> None:
        with f.block() as following:
            if binder.where is not None:
                c.unless(binder.where, following)
            _steadily(c, deed.body)

    steady = known is not None or isinstance(binder.source, _STEADY)
    if known is None and isinstance(binder.source, ir.Range | ir.Around):
        steady = not c.unit.can_fault.possible(tuple(children(binder.source)))
    if known is not None:
        c.pay(len(known[0]) * cost, deed.span, cost)
        weight = c.unit.rooms.weight_of((binder.where, deed.body))
        if few(known[0], weight) and not c.unit.facts.points(deed.body):
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
            line.each(f, slot, body)
        else:
            listed = Listed(f.let("listed", c.value(binder.source)))
            c.pay_for_each(listed.size(), cost, deed.span)
            listed.each(f, slot, body)


def _is_one_word(family: Family) -> bool:
    return family.indexed and family.kept.words == 1


def _asked_if_taken(c: ClauseCode, deed: ir.ForEach) -> Family | None:
    """The family of places a loop goes through, if all it does is for those with a piece, and
    which these are is kept as a mask."""
    binder, of = deed.binder, plain(deed.binder.type)
    if not isinstance(of, PlaceType) or not _is_one_word(c.plan.families[of.index]):
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
    f, left = c.f, c.slot(deed.left_slot)
    inside = c.points(deed.body)
    _when_running(c, inside, lambda: f.set(left, c.scoped_present(deed.times)))
    with f.loop() as going:

        def count_down() -> None:
            f.leave(going, left <= 0)
            cost = _cost(c, deed, Kind.AGAIN)
            c.pay(cost, deed.span, cost)
            f.add(left, -1)

        _when_running(c, inside, count_down)
        c.block(deed.body)
    c.clear(deed.left_slot)


def _when_running(c: ClauseCode, inside: int, write: Callable[[], None]) -> None:
    """Done unless the way leads further in, where there are points inside."""
    if inside:
        c.here(write)
    else:
        write()


def repeat_until(c: ClauseCode, deed: ir.RepeatUntil) -> None:
    f, left = c.f, c.slot(deed.left_slot)
    inside = c.points(deed.body)
    _when_running(c, inside, lambda: f.set(left, c.scoped_present(deed.most)))

    def once_more() -> None:
        c.fault_when(left <= 0, messages.NOT_DONE, deed.span)
        cost = _cost(c, deed, Kind.AGAIN)
        c.pay(cost, deed.span, cost)
        f.add(left, -1)

    with f.loop() as going:
        _when_running(c, inside, once_more)
        c.block(deed.body)
        c.when(deed.condition, going)


def rank(c: ClauseCode, deed: ir.Rank) -> None:
    few = small_rankings.members(c, deed)
    if few is not None and not c.points(deed.body):
        _rank_few(c, deed, few)
        return
    f = c.f
    listed, index = c.slot(deed.list_slot), c.slot(deed.index_slot)
    tied, place, tier = (c.slot(s) for s in (deed.tied_slot, deed.place_slot, deed.tier_slot))
    inside = c.points(deed.body)
    before = f.let("top", c.unit.top)

    def begin() -> None:
        f.set(listed, ranking.groups(c, deed))
        f.set(index, 0)

    _when_running(c, inside, begin)
    with f.loop() as going:

        def following() -> None:
            f.set(tied, ranking.group(c.unit)(listed, index))
            f.leave(going, tied == 0)
            cost = _cost(c, deed, Kind.NEXT)
            c.pay(cost, deed.span, cost)
            f.set(place, word(tied))
            f.add(tied, 4)
            f.add(index, 1)
            f.set(tier, index)

        _when_running(c, inside, following)
        c.block(deed.body)
    for slot in (deed.list_slot, deed.index_slot, deed.tied_slot):
        c.clear(slot)
    f.set(c.unit.top, before)


def _rank_few(c: ClauseCode, deed: ir.Rank, few: range) -> None:
    """A ranking of few in which nothing waits."""
    f, place, tier = c.f, c.slot(deed.place_slot), c.slot(deed.tier_slot)
    before = f.let("top", c.unit.top)
    found, slot = small_rankings.SmallRanking(c, few), c.slot(deed.binder.slot)
    ranking.taking_part(c, deed, lambda key: found.add(slot, key, highest=deed.highest))
    outer = c.slots.get(deed.tied_slot)
    c.slots[deed.tied_slot] = found.tied
    next_place = f.let("place", 1)
    f.set(tier, 0)
    with f.loop() as going:
        found.following(going)
        cost = _cost(c, deed, Kind.NEXT)
        c.pay(cost, deed.span, cost)
        f.set(place, next_place)
        f.add(next_place, found.tied.size())
        f.add(tier, 1)
        _steadily(c, deed.body)
    del c.slots[deed.tied_slot]
    if outer is not None:
        c.slots[deed.tied_slot] = outer
    f.set(c.unit.top, before)


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
