"""Asking a question: to one player, or to several at once.

A question to one player is one operation: it works out the options, goes on by itself where
there is nothing to decide that not everyone could see, and else waits. A question to several is
two: the first asks them all and waits until every reply is in; the second takes the replies one
by one, in the order of the players, and does what each of them says.
"""

from __future__ import annotations

from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import bound_slots, slots_read
from lawspeaker.machines.reference.assembler import PAUSE, Assembler, Label, Op
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Slots
from lawspeaker.machines.reference.questions import Question
from lawspeaker.position.layout import PLACEHOLDER
from lawspeaker.position.state import PASS, Reply, State


def ask(asm: Assembler, deed: ir.Ask) -> None:
    question = Question(asm.ev, deed, asm.number)
    starts = [Label() for _ in deed.alternatives]
    otherwise, again, done = Label(), Label(), Label()
    own = {part.set_slot for alt in deed.alternatives for part in alt.parts if part.several}
    nodes: list[Any] = [deed.who, *deed.private]
    for alternative in deed.alternatives:
        for part in alternative.parts:
            nodes += [part.binder, part.least, part.most]
        conditions = (*alternative.guards, *sum(alternative.member_guards, ()))
        nodes += [guard.condition for guard in conditions]
    nodes = [node for node in nodes if node is not None]
    own = own.union(*(bound_slots(node) for node in nodes))
    if deed.each is not None:
        own.add(deed.each.slot)
    reads = (set(slots_read(tuple(nodes))) | _told(asm, deed)) - own
    if deed.each is None:
        asm.emit(
            lambda at: _ask_one(asm, at, deed, question, starts, otherwise),
            slots=reads,
            writes=own,
            exits=(*starts, otherwise),
        )
        after = done
    else:
        slots = [deed.replies_slot, deed.index_slot]
        asm.emit(
            lambda at: _ask_several(asm, at, deed, question, deed.each),
            reads=[deed.each],
            slots=reads,
            writes=slots,
        )
        asm.place(again)
        asm.emit(
            lambda at: _take_replies(asm, at, deed, question, starts, otherwise, done),
            slots=[*slots, *reads],
            writes=own,
            exits=(*starts, otherwise, done),
        )
        after = again
    for start, alternative in zip(starts, deed.alternatives, strict=True):
        asm.place(start)
        asm.block(alternative.body)
        asm.jump(after)
    asm.place(otherwise)
    asm.block(deed.otherwise or ())
    if deed.each is not None:
        asm.jump(after)
    asm.place(done)


def _told(asm: Assembler, deed: ir.Ask) -> set[int]:
    """The slots that the text of a question speaks of."""
    texts = asm.ev.program.clauses[deed.clause].asks.values()
    names = {name for text in texts for name in PLACEHOLDER.findall(text)}
    return {number for number, slot in enumerate(asm.clause.slots) if slot.name in names}


def _ask_one(
    asm: Assembler,
    at: int,
    deed: ir.Ask,
    question: Question,
    starts: list[Label],
    otherwise: Label,
) -> Op:
    assert deed.who is not None
    who = asm.ev.seat(deed.who)
    none = asm.goto(otherwise.at)
    bodies = [*(asm.goto(start.at) for start in starts), none]
    asm.code.questions[at] = question
    asm.code.bodies[at] = bodies
    must, replies, hidden, bind = deed.must, question.replies, question.hidden, question.bind
    stuck = asm.fault("has to be answered, but there is nothing to choose", deed)
    refuse = must and deed.otherwise is None

    def ask(s: State, f: Slots) -> int:
        found = replies(s, f.copy())
        if not found:
            if refuse:
                raise stuck()
            if must or not s.discreet or not hidden(s, f):
                return none
        elif must and len(found) == 1 and not hidden(s, f):
            bind(s, f, found[0])
            return bodies[found[0][0]]
        seat = who(s, f)
        s.pending = ("choice", (seat,))
        s.offered = {seat: found}
        s.stack[-1].pc = at
        return PAUSE

    return ask


def _ask_several(
    asm: Assembler, at: int, deed: ir.Ask, question: Question, each: ir.Binder | None
) -> Op:
    """Asks all at once. Those who have nothing to decide have replied already."""
    assert each is not None
    asm.code.questions[at] = question
    members = found_by(asm.ev, each)
    slot, kept = each.slot, deed.replies_slot
    stuck = asm.fault("has to be answered, but there is nothing to choose", deed)
    following = asm.goto(at + 1)

    def settled(s: State, f: Slots, found: list[Reply]) -> Reply | None:
        if not found:
            if deed.must and deed.otherwise is None:
                raise stuck()
            if deed.must or not s.discreet or not question.hidden(s, f):
                return PASS
        elif deed.must and len(found) == 1 and not question.hidden(s, f):
            return found[0]
        return None

    def ask(s: State, f: Slots) -> int:
        seats = members(s, f.copy())
        offered: dict[int, list[Reply]] = {}
        s.secret = {}
        for seat in seats:
            scratch = f.copy()
            scratch[slot] = seat
            found = question.replies(s, scratch)
            reply = settled(s, scratch, found)
            if reply is None:
                offered[seat] = found
            else:
                s.secret[seat] = reply
        f[kept] = tuple(seats)
        if offered:
            s.pending = ("together", tuple(offered))
            s.offered = offered
            s.stack[-1].pc = at
            return PAUSE
        gather(s, f, deed)
        return following

    return ask


def gather(s: State, f: Slots, deed: ir.Ask) -> None:
    """All replies are in: they are kept in the slot, in the order of the players asked."""
    f[deed.replies_slot] = tuple((seat, *s.secret[seat]) for seat in f[deed.replies_slot])
    f[deed.index_slot] = 0
    s.secret = {}


def _take_replies(
    asm: Assembler,
    at: int,
    deed: ir.Ask,
    question: Question,
    starts: list[Label],
    otherwise: Label,
    done: Label,
) -> Op:
    """Goes through the replies, player by player."""
    assert deed.each is not None
    slot, kept, index = deed.each.slot, deed.replies_slot, deed.index_slot
    finished = asm.goto(done.at)
    bodies = [*(asm.goto(start.at) for start in starts), asm.goto(otherwise.at)]

    def take(s: State, f: Slots) -> int:
        number = f[index]
        if number == len(f[kept]):
            f[kept] = f[index] = None
            return finished
        alternative: int
        f[slot], alternative, values = f[kept][number]
        f[index] = number + 1
        if alternative >= 0:
            question.bind(s, f, (alternative, values))
        return bodies[alternative]

    return take
