"""The flow of a clause: conditions, loops, rankings, other clauses, questions, the end.

What changes the situation is in `effects`; how operations are laid out, in `assembler`. Loops pay
from the step budget, so straight code need not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import SetType
from lawspeaker.machines.reference import asking, effects
from lawspeaker.machines.reference.assembler import (
    PAUSE,
    SWITCH,
    Assembler,
    Code,
    Label,
    Op,
    Writers,
)
from lawspeaker.machines.reference.binders import found_by, pay
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.state import Frame, State

TOO_LONG = "takes too many steps"


def do(asm: Assembler, deed: ir.Do) -> None:
    target = asm.ev.program.clauses[deed.clause]
    arguments = [asm.ev.compile(argument) for argument in deed.arguments]
    pad: Slots = [None] * (len(target.slots) - len(arguments))
    number = deed.clause

    def make(at: int) -> Op:
        asm.code.calls[at] = number
        asm.code.returns[at] = deed.returns
        asm.code.after[at] = asm.goto(at + 1)

        def do(s: State, f: Slots) -> int:
            s.stack[-1].pc = at
            slots = [argument(s, f) for argument in arguments]
            slots += pad
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

        if not arguments:
            return do_without
        first = arguments[0]
        return do_with_one if len(arguments) == 1 else do

    writes = [slot for _, slot in deed.returns]
    asm.emit(make, reads=deed.arguments, writes=writes)


def finish(asm: Assembler, deed: ir.Finish) -> None:
    asm.jump(asm.end)


def end_game(asm: Assembler, deed: ir.EndGame) -> None:
    several = deed.winners is not None and isinstance(deed.winners.type, SetType)
    winners = None if deed.winners is None else asm.ev.compile(deed.winners)
    clause, everyone, players = asm.number, asm.layout.everyone, asm.layout.players
    absent = asm.fault("this player does not take part", deed)

    def make(at: int) -> Op:
        def end_game(s: State, f: Slots) -> int:
            if winners is None:
                won = most_points(s)
            else:
                named = winners(s, f)
                won = tuple(named) if several else (named,)
                if any(seat >= players for seat in won):
                    raise absent()
            end(s, clause, "over", won, everyone)
            return PAUSE

        return end_game

    asm.emit(make, reads=[deed.winners], exits=())


def branch(asm: Assembler, condition: ir.Expr, otherwise: Label) -> None:
    holds = asm.ev.compile(condition)

    def make(at: int) -> Op:
        then, other = asm.goto(at + 1), asm.goto(otherwise.at)
        return lambda s, f: then if holds(s, f) else other

    asm.emit(make, reads=[condition], exits=(None, otherwise))


def if_(asm: Assembler, deed: ir.If) -> None:
    known = asm.ev.constant(deed.condition)
    if known is not None:
        asm.block(deed.then if known[0] else deed.otherwise)
        return
    otherwise, done = Label(), Label()
    branch(asm, deed.condition, otherwise)
    asm.block(deed.then)
    if deed.otherwise:
        asm.jump(done)
    asm.place(otherwise)
    asm.block(deed.otherwise)
    asm.place(done)


def _list_then(asm: Assembler, slot: int, index: int, members: Eval, reads: Sequence[Any]) -> None:
    """Lists the members of a loop, to be taken from the first on."""

    def make(at: int) -> Op:
        following = asm.goto(at + 1)

        def begin(s: State, f: Slots) -> int:
            f[slot] = members(s, f)
            f[index] = 0
            return following

        return begin

    asm.emit(make, reads=reads, writes=[slot, index])


def for_each(asm: Assembler, deed: ir.ForEach) -> None:
    binder = deed.binder
    members = pay(asm.ev.compile(binder.source), asm.fault(TOO_LONG, deed))
    where = None if binder.where is None else asm.ev.compile(binder.where)
    slot, listed, index = binder.slot, deed.list_slot, deed.index_slot
    _list_then(asm, listed, index, members, [binder.source])
    again, done = Label(), Label()
    asm.place(again)

    def make(at: int) -> Op:
        body, finished = asm.goto(at + 1), asm.goto(done.at)

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

    asm.emit(
        make,
        reads=[] if binder.where is None else [ir.Filter(binder.type, binder)],
        slots=[listed, index],
        writes=[slot],
        exits=(None, done),
    )
    asm.block(deed.body)
    asm.jump(again)
    asm.place(done)


def repeat(asm: Assembler, deed: ir.Repeat) -> None:
    times, left = asm.ev.present(deed.times), deed.left_slot
    asm.emit(lambda at: _assign(left, times, asm.goto(at + 1)), reads=[deed.times], writes=[left])
    again, done = Label(), Label()
    asm.place(again)
    asm.emit(
        lambda at: _count_down(
            left, asm.goto(at + 1), asm.goto(done.at), asm.fault(TOO_LONG, deed)
        ),
        slots=[left],
        writes=[],
        exits=(None, done),
    )
    asm.block(deed.body)
    asm.jump(again)
    asm.place(done)


def repeat_until(asm: Assembler, deed: ir.RepeatUntil) -> None:
    most, left = asm.ev.present(deed.most), deed.left_slot
    asm.emit(lambda at: _assign(left, most, asm.goto(at + 1)), reads=[deed.most], writes=[left])
    again, done = Label(), Label()
    capped = asm.fault("this was repeated as often as it may be, and is not done", deed)
    too_long = asm.fault(TOO_LONG, deed)
    asm.place(again)

    def make(at: int) -> Op:
        following = asm.goto(at + 1)

        def once_more(s: State, f: Slots) -> int:
            if f[left] <= 0:
                raise capped()
            s.left -= 1
            if s.left < 0:
                raise too_long()
            f[left] -= 1
            return following

        return once_more

    asm.emit(make, slots=[left])
    asm.block(deed.body)
    negated = ir.Not(deed.condition.type, deed.condition, span=deed.condition.span)
    branch(asm, negated, done)
    asm.jump(again)
    asm.place(done)


def rank(asm: Assembler, deed: ir.Rank) -> None:
    found, key = found_by(asm.ev, deed.binder), asm.ev.present(deed.key)
    slot, highest = deed.binder.slot, deed.highest

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

    reads = [ir.Collect(deed.binder.type, deed.binder, deed.key)]
    _list_then(asm, deed.list_slot, deed.index_slot, groups, reads)
    again, done = Label(), Label()
    asm.place(again)
    listed, index = deed.list_slot, deed.index_slot
    tied, place_slot, tier = deed.tied_slot, deed.place_slot, deed.tier_slot

    def make(at: int) -> Op:
        body, finished = asm.goto(at + 1), asm.goto(done.at)

        def following(s: State, f: Slots) -> int:
            number = f[index]
            if number == len(f[listed]):
                f[listed] = f[index] = None
                return finished
            f[tied], f[place_slot] = f[listed][number]
            f[tier] = f[index] = number + 1
            return body

        return following

    asm.emit(make, slots=[listed, index], writes=[tied, place_slot, tier], exits=(None, done))
    asm.block(deed.body)
    asm.jump(again)
    asm.place(done)


def _assign(slot: int, value: Eval, following: int) -> Op:
    def assign(s: State, f: Slots) -> int:
        f[slot] = value(s, f)
        return following

    return assign


def _count_down(slot: int, body: int, done: int, too_long: Callable[[], RuleFault]) -> Op:
    def count_down(s: State, f: Slots) -> int:
        left = f[slot]
        if left <= 0:
            f[slot] = None
            return done
        s.left -= 1
        if s.left < 0:
            raise too_long()
        f[slot] = left - 1
        return body

    return count_down


# ---------------------------------------------------------------- all of it


def most_points(s: State) -> tuple[int, ...]:
    best = max(s.scores)
    return tuple(seat for seat, score in enumerate(s.scores) if score == best)


def end(s: State, clause: int, how: str, winners: tuple[int, ...], known: int) -> None:
    s.ended = how
    s.winners = winners
    s.stack.clear()
    s.journal.append(("end", clause, None, winners, known))


WRITERS: Writers = {
    ir.SetLocal: effects.set_local,
    ir.SetMarker: effects.set_marker,
    ir.SetState: effects.set_state,
    ir.Score: effects.score,
    ir.Move: effects.move,
    ir.MoveSome: effects.move_some,
    ir.Draw: effects.draw,
    ir.Shuffle: effects.shuffle,
    ir.Pick: effects.pick,
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


def assemble(ev: Evaluator) -> list[Code]:
    """The code of all clauses, by their number."""
    program = ev.program
    codes: list[Code] = []
    returned: dict[int, set[int]] = {}
    for clause in program.clauses:
        for call in _calls(clause.body):
            returned.setdefault(call.clause, set()).update(theirs for theirs, _ in call.returns)
    for clause in program.clauses:
        wanted = frozenset(returned.get(clause.index, ()))
        writer = Assembler(ev, clause, WRITERS, codes, wanted)
        codes.append(writer.assemble(_leave(ev, codes, clause.index)))
    return codes


def _calls(block: Any) -> list[ir.Do]:
    """All calls inside a block."""
    found: list[ir.Do] = []
    for deed in block:
        match deed:
            case ir.Do():
                found.append(deed)
            case ir.If():
                found += _calls(deed.then) + _calls(deed.otherwise)
            case ir.ForEach() | ir.Repeat() | ir.RepeatUntil() | ir.Rank():
                found += _calls(deed.body)
            case ir.Draw():
                found += _calls(deed.otherwise or ())
            case ir.Ask():
                found += _calls(deed.otherwise or ())
                for alternative in deed.alternatives:
                    found += _calls(alternative.body)
    return found


def _leave(ev: Evaluator, codes: list[Code], clause: int) -> Op:
    """The end of a clause: back to the one that did it, or the end of the game."""
    main, everyone = ev.program.main, ev.layout.everyone

    def leave(s: State, f: Slots) -> int:
        s.stack.pop()
        if not s.stack:
            if clause == main:
                end(s, clause, "over", most_points(s), everyone)
            else:
                end(s, clause, "stopped", (), everyone)
            return PAUSE
        frame = s.stack[-1]
        code, at = codes[frame.clause], frame.pc
        for theirs, ours in code.returns[at]:
            frame.slots[ours] = f[theirs]
        frame.pc = code.after[at]
        return SWITCH

    return leave
