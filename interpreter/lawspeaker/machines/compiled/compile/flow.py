"""Generates code for control flow: conditions, loops, rankings, the end of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.compiled.compile import (
    asking,
    chance,
    clause_calls,
    effects,
    loops,
    ranking,
    repetitions,
    small_rankings,
)
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import standing, watching
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import word

OVER, STOPPED = 1, 2


def set_local(c: ClauseCode, statement: ir.SetLocal) -> None:
    of = c.own.slots[statement.slot].type
    if isinstance(of, ir.SetType) or isinstance(statement.value.type, ir.SetType):
        with c.scoped():
            c.assign(statement.slot, c.value(statement.value, of))
    else:
        c.assign(statement.slot, c.scoped_value(statement.value, of))


def plain_statement(write: Callable[[Code, Any], None]) -> Callable[[ClauseCode, Any], None]:
    """Wraps the generator of a statement that never suspends, freeing arena memory if it needs
    any."""

    def written(c: ClauseCode, statement: ir.Statement) -> None:
        if effects.needs_room(c, statement):
            with c.scoped():
                write(c, statement)
        else:
            write(c, statement)

    return written


def finish(c: ClauseCode, statement: ir.Finish) -> None:
    c.f.leave(c.end)


def end_game(c: ClauseCode, statement: ir.EndGame) -> None:
    """Ends the game with the named winners, or by the goal."""
    f = c.f
    if statement.winners is None:
        won = f.let("won", standing.by_goal(c.unit)())
    elif isinstance(statement.winners.type, ir.SetType):
        won = f.let("won", c.value(statement.winners))
    else:
        won = f.let("won", c.plan.winning.base)
        f.set(word(won), 1)
        f.set(word(won, 4), c.value(statement.winners))
    if c.layout.players != len(c.program.player_names):
        with f.each_listed("winner", won) as winner:
            c.fault_if_absent(winner, statement.span)
    if statement.winners is not None and c.program.sides:
        f.set(won, standing.together(c.unit)(won))
    f.do(ranking.end(c.unit), won, c.clause, OVER)
    watching.changed(c)
    c.return_ended()


# ---------------------------------------------------------------- conditions and loops


def if_(c: ClauseCode, statement: ir.If) -> None:
    f = c.f
    condition = c.chosen(lambda: c.scoped_value(statement.condition), c.points(statement.then))
    with f.if_(condition):
        c.block(statement.then)
    if statement.otherwise:
        with f.else_():
            c.block(statement.otherwise)


def repeat(c: ClauseCode, statement: ir.Repeat) -> None:
    """Generates a loop with a count."""
    f, left = c.f, c.slot(statement.left_slot)
    inside = c.points(statement.body)
    _when_running(c, inside, lambda: f.set(left, c.scoped_present(statement.times)))
    with f.loop() as going:

        def count_down() -> None:
            f.leave(going, left <= 0)
            cost = c.cost(statement, Kind.AGAIN)
            c.pay(cost, statement.span, cost)
            f.add(left, -1)

        _when_running(c, inside, count_down)
        c.block(statement.body)
    c.clear(statement.left_slot)


def _when_running(c: ClauseCode, inside: int, write: Callable[[], None]) -> None:
    """Emits code that is skipped when resuming further in, if there are suspension points
    inside."""
    if inside:
        c.here(write)
    else:
        write()


def repeat_until(c: ClauseCode, statement: ir.RepeatUntil) -> None:
    """Generates a loop that ends on a condition; too many iterations are a fault."""
    f, left = c.f, c.slot(statement.left_slot)
    inside = c.points(statement.body)
    _when_running(c, inside, lambda: f.set(left, c.scoped_present(statement.most)))

    def once_more() -> None:
        c.fault_when(left <= 0, messages.NOT_DONE, statement.span)
        cost = c.cost(statement, Kind.AGAIN)
        c.pay(cost, statement.span, cost)
        f.add(left, -1)

    with f.loop() as going:
        _when_running(c, inside, once_more)
        c.block(statement.body)
        c.when(statement.condition, going)


def rank(c: ClauseCode, statement: ir.Rank) -> None:
    """Generates a loop over the groups of a ranking."""
    few = small_rankings.members(c, statement)
    if few is not None and not c.points(statement.body):
        _rank_few(c, statement, few)
        return
    f = c.f
    listed, index = c.slot(statement.list_slot), c.slot(statement.index_slot)
    tied, place, tier = (
        c.slot(s) for s in (statement.tied_slot, statement.place_slot, statement.tier_slot)
    )
    inside = c.points(statement.body)
    before = f.let("top", c.unit.top)

    def begin() -> None:
        f.set(listed, ranking.groups(c, statement))
        f.set(index, 0)

    _when_running(c, inside, begin)
    with f.loop() as going:

        def following() -> None:
            f.set(tied, ranking.group(c.unit)(listed, index))
            f.leave(going, tied == 0)
            cost = c.cost(statement, Kind.NEXT)
            c.pay(cost, statement.span, cost)
            f.set(place, word(tied))
            f.add(tied, 4)
            f.add(index, 1)
            f.set(tier, index)

        _when_running(c, inside, following)
        c.block(statement.body)
    for slot in (statement.list_slot, statement.index_slot, statement.tied_slot):
        c.clear(slot)
    f.set(c.unit.top, before)


def _rank_few(c: ClauseCode, statement: ir.Rank, few: range) -> None:
    """Ranks few members, without suspension points in the body."""
    f, place, tier = c.f, c.slot(statement.place_slot), c.slot(statement.tier_slot)
    before = f.let("top", c.unit.top)
    found, slot = small_rankings.SmallRanking(c, few), c.slot(statement.binder.slot)
    ranking.taking_part(c, statement, lambda key: found.add(slot, key, highest=statement.highest))
    next_place = f.let("place", 1)
    f.set(tier, 0)
    with c.keeping(statement.tied_slot, found.tied), f.loop() as going:
        found.following(going)
        cost = c.cost(statement, Kind.NEXT)
        c.pay(cost, statement.span, cost)
        f.set(place, next_place)
        f.add(next_place, found.tied.size())
        f.add(tier, 1)
        c.steadily(statement.body)
    f.set(c.unit.top, before)


ClauseCode.writers = {
    ir.SetLocal: set_local,
    ir.SetMarker: plain_statement(effects.set_marker),
    ir.SetState: plain_statement(effects.set_state),
    ir.Score: plain_statement(effects.score),
    ir.Move: plain_statement(effects.move),
    ir.MoveSome: plain_statement(effects.move_some),
    ir.Draw: chance.draw,
    ir.Shuffle: plain_statement(effects.shuffle),
    ir.Remember: plain_statement(repetitions.remember),
    ir.Pick: chance.pick,
    ir.Tell: plain_statement(effects.tell),
    ir.Do: clause_calls.do,
    ir.Finish: finish,
    ir.EndGame: end_game,
    ir.If: if_,
    ir.ForEach: loops.for_each,
    ir.Repeat: repeat,
    ir.RepeatUntil: repeat_until,
    ir.Rank: rank,
    ir.Ask: asking.ask,
}
