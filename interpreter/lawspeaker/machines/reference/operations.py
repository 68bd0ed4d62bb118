"""Compiles control flow to closures: conditions, loops, rankings, calls, questions, the end.

Effects are in `effects`; lowering of statements to operations is in `machines/lower`. A clause
charges its cost when it is called, a loop for its iterations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind, Lowered, Operation
from lawspeaker.machines.reference import asking, effects
from lawspeaker.machines.reference.assembler import PAUSE, SWITCH, Assembler, ClauseClosures, Op
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.standing import by_goal, whole_sides
from lawspeaker.position.state import Frame, State


def do(asm: Assembler, statement: ir.Do, op: Operation) -> Op:
    """Compiles a call of another clause: pushes a frame."""
    target = asm.ev.program.clauses[statement.clause]
    arguments = [asm.ev.compile(argument) for argument in statement.arguments]
    pad: Slots = [None] * (len(target.slots) - len(arguments))
    number, at, cost = statement.clause, op.at, asm.due(statement.clause)
    told = messages.too_long(cost, target.span)
    too_long = partial(RuleFault, target.id, told, target.span)

    def do(s: State, f: Slots) -> int:
        s.stack[-1].pc = at
        slots = [argument(s, f) for argument in arguments]
        slots += pad
        s.left -= cost
        if s.left < 0:
            raise too_long()
        s.stack.append(Frame(number, 0, slots))
        return SWITCH

    def do_without(s: State, f: Slots) -> int:
        s.stack[-1].pc = at
        s.stack.append(Frame(number, 0, pad.copy()))
        return SWITCH

    def do_with_one(s: State, f: Slots) -> int:
        s.stack[-1].pc = at
        s.stack.append(Frame(number, 0, [first(s, f), *pad]))
        return SWITCH

    if cost or len(arguments) > 1:
        return do
    if not arguments:
        return do_without
    (first,) = arguments
    return do_with_one


def end_game(asm: Assembler, statement: ir.EndGame, op: Operation) -> Op:
    """Compiles the end of the game."""
    several = statement.winners is not None and isinstance(statement.winners.type, ir.SetType)
    winners = None if statement.winners is None else asm.ev.compile(statement.winners)
    clause, layout = asm.number, asm.layout
    everyone, players = layout.everyone, layout.players
    absent = asm.fault(messages.ABSENT, statement)

    def end_game(s: State, f: Slots) -> int:
        if winners is None:
            won = by_goal(layout, s.scores)
        else:
            named = winners(s, f)
            seats = tuple(named) if several else (named,)
            if any(seat >= players for seat in seats):
                raise absent()
            won = whole_sides(layout, seats)
        end(s, clause, "over", won, everyone)
        return PAUSE

    return end_game


def jump(asm: Assembler, statement: ir.Statement, op: Operation) -> Op:
    (target,) = op.exits
    return lambda s, f: target


def branch(asm: Assembler, statement: ir.If, op: Operation) -> Op:
    holds, (then, otherwise) = asm.ev.compile(statement.condition), op.exits
    return lambda s, f: then if holds(s, f) else otherwise


def until(asm: Assembler, statement: ir.RepeatUntil, op: Operation) -> Op:
    holds, (again, done) = asm.ev.compile(statement.condition), op.exits
    return lambda s, f: done if holds(s, f) else again


def _listing(slot: int, index: int, members: Eval, op: Operation) -> Op:
    """Lists the members of a loop, and starts at the first."""
    (following,) = op.exits

    def begin(s: State, f: Slots) -> int:
        f[slot] = members(s, f)
        f[index] = 0
        return following

    return begin


def list_members(asm: Assembler, statement: ir.ForEach, op: Operation) -> Op:
    """Compiles the listing of a loop's members, which charges all iterations."""
    members, pay = asm.ev.compile(statement.binder.source), asm.pay(op.cost, statement)

    def paid(s: State, f: Slots) -> Value:
        found = members(s, f)
        pay(s, len(found))
        return found

    return _listing(statement.list_slot, statement.index_slot, paid, op)


def next_member(asm: Assembler, statement: ir.ForEach, op: Operation) -> Op:
    """Compiles the step to the next member that meets the condition."""
    binder, (body, finished) = statement.binder, op.exits
    where = None if binder.where is None else asm.ev.compile(binder.where)
    slot, listed, index = binder.slot, statement.list_slot, statement.index_slot

    def following(s: State, f: Slots) -> int:
        things = f[listed]
        for at in range(f[index], len(things)):
            f[slot] = things[at]
            if where is None or where(s, f):
                f[index] = at + 1
                return body
        f[listed] = f[index] = None
        return finished

    return following


def list_groups(asm: Assembler, statement: ir.Rank, op: Operation) -> Op:
    """Compiles the groups of a ranking."""
    found, key = found_by(asm.ev, statement.binder), asm.ev.present(statement.key)
    slot, highest = statement.binder.slot, statement.highest

    def groups(s: State, f: Slots) -> Value:
        by_key: dict[int, list[Value]] = {}
        for member in found(s, f):
            f[slot] = member
            by_key.setdefault(key(s, f), []).append(member)
        place, ranked = 1, []
        for worth in sorted(by_key, reverse=highest):
            ranked.append((tuple(by_key[worth]), place))
            place += len(by_key[worth])
        return tuple(ranked)

    return _listing(statement.list_slot, statement.index_slot, groups, op)


def next_group(asm: Assembler, statement: ir.Rank, op: Operation) -> Op:
    """Compiles the step to the next group."""
    listed, index = statement.list_slot, statement.index_slot
    tied, place_slot, tier = statement.tied_slot, statement.place_slot, statement.tier_slot
    pay, (body, finished) = asm.pay(op.cost, statement), op.exits

    def following(s: State, f: Slots) -> int:
        number = f[index]
        if number == len(f[listed]):
            f[listed] = f[index] = None
            return finished
        pay(s, 1)
        f[tied], f[place_slot] = f[listed][number]
        f[tier] = f[index] = number + 1
        return body

    return following


def count_times(asm: Assembler, statement: ir.Repeat | ir.RepeatUntil, op: Operation) -> Op:
    times = asm.ev.present(statement.times if isinstance(statement, ir.Repeat) else statement.most)
    left, (following,) = statement.left_slot, op.exits

    def assign(s: State, f: Slots) -> int:
        f[left] = times(s, f)
        return following

    return assign


def count_down(asm: Assembler, statement: ir.Repeat, op: Operation) -> Op:
    """Compiles the test and decrement of a counted loop."""
    left, (body, done), pay = statement.left_slot, op.exits, asm.pay(op.cost, statement)

    def count_down(s: State, f: Slots) -> int:
        number = f[left]
        if number <= 0:
            f[left] = None
            return done
        pay(s, 1)
        f[left] = number - 1
        return body

    return count_down


def once_more(asm: Assembler, statement: ir.RepeatUntil, op: Operation) -> Op:
    """Compiles the decrement of a loop with a condition; running out is a fault."""
    left, (body,), pay = statement.left_slot, op.exits, asm.pay(op.cost, statement)
    capped = asm.fault(messages.NOT_DONE, statement)

    def once_more(s: State, f: Slots) -> int:
        if f[left] <= 0:
            raise capped()
        pay(s, 1)
        f[left] -= 1
        return body

    return once_more


# ---------------------------------------------------------------- assembly


def end(s: State, clause: int, how: str, winners: tuple[int, ...], known: int) -> None:
    s.ended = how
    s.winners = winners
    s.stack.clear()
    s.journal.append(("end", clause, None, winners, known))


Make = Callable[[Assembler, Any, Operation], Op]

MAKERS: dict[tuple[Kind, type[ir.Statement]], Make] = {
    (Kind.EFFECT, ir.SetLocal): effects.set_local,
    (Kind.EFFECT, ir.SetMarker): effects.set_marker,
    (Kind.EFFECT, ir.SetState): effects.set_state,
    (Kind.EFFECT, ir.Score): effects.score,
    (Kind.EFFECT, ir.Move): effects.move,
    (Kind.EFFECT, ir.Remember): effects.remember,
    (Kind.EFFECT, ir.MoveSome): effects.move_some,
    (Kind.EFFECT, ir.Shuffle): effects.shuffle,
    (Kind.EFFECT, ir.Tell): effects.tell,
    (Kind.COUNT, ir.Draw): effects.count_draws,
    (Kind.DRAW, ir.Draw): effects.draw,
    (Kind.PICK, ir.Pick): effects.pick,
    (Kind.CALL, ir.Do): do,
    (Kind.END, ir.EndGame): end_game,
    (Kind.BRANCH, ir.If): branch,
    (Kind.LIST, ir.ForEach): list_members,
    (Kind.NEXT, ir.ForEach): next_member,
    (Kind.LIST, ir.Rank): list_groups,
    (Kind.NEXT, ir.Rank): next_group,
    (Kind.COUNT, ir.Repeat): count_times,
    (Kind.AGAIN, ir.Repeat): count_down,
    (Kind.COUNT, ir.RepeatUntil): count_times,
    (Kind.AGAIN, ir.RepeatUntil): once_more,
    (Kind.UNTIL, ir.RepeatUntil): until,
    (Kind.ASK, ir.Ask): asking.ask_one,
    (Kind.ASK_ALL, ir.Ask): asking.ask_all,
    (Kind.REPLY, ir.Ask): asking.take_reply,
}


def assemble(ev: Evaluator, lowered: Lowered) -> list[ClauseClosures]:
    """Compiles all clauses; returns their code by number."""
    codes = [ClauseClosures(operations) for operations in lowered.code]
    for clause, code in zip(lowered.program.clauses, codes, strict=True):
        ev.clause = clause.index
        asm = Assembler(ev, clause, code, lowered.due)
        for op in code.operations:
            if op.statement is None:
                code.ops.append(_leave(ev, codes, clause.index))
            elif op.kind is Kind.JUMP:
                code.ops.append(jump(asm, op.statement, op))
            else:
                code.ops.append(MAKERS[op.kind, type(op.statement)](asm, op.statement, op))
    return codes


def _leave(ev: Evaluator, codes: list[ClauseClosures], clause: int) -> Op:
    """Compiles the end of a clause: returns to the caller, or ends the game."""
    main, layout, everyone = ev.program.main, ev.layout, ev.layout.everyone

    def leave(s: State, f: Slots) -> int:
        s.stack.pop()
        if not s.stack:
            if clause == main:
                end(s, clause, "over", by_goal(layout, s.scores), everyone)
            else:
                end(s, clause, "stopped", (), everyone)
            return PAUSE
        frame = s.stack[-1]
        call = codes[frame.clause].operations[frame.pc]
        assert isinstance(call.statement, ir.Do)
        for theirs, ours in call.statement.returns:
            frame.slots[ours] = f[theirs]
        (frame.pc,) = call.exits
        return SWITCH

    return leave
