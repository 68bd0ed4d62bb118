"""Operations that ask a question: to one player, or to several at once.

A question to one player is one operation: it enumerates the options, takes a forced answer if
everyone can see that it is, and else waits. A question to several is two: the first asks them all
and waits until every reply is in; the second takes the replies one by one, in the order of the
players, and executes each. If only the first active reply counts, the others are dropped, and
nobody is told of them.

A player who must choose but has no option is not asked, and thereby everyone learns it. If that
depends on hidden information it is an event of its own, `cannot`: the rule announces it.
"""

from __future__ import annotations

from itertools import islice

from lawspeaker import ir
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Operation
from lawspeaker.machines.reference.assembler import PAUSE, Assembler, Op
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Slots
from lawspeaker.machines.reference.questions import Question
from lawspeaker.position.state import PASS, Reply, State


def ask_one(asm: Assembler, statement: ir.Ask, op: Operation) -> Op:
    """Compiles a question to one player."""
    assert statement.who is not None
    at, bodies, none = op.at, op.exits, op.exits[-1]
    who = asm.ev.seat(statement.who)
    question = asm.code.questions[at] = Question(asm.ev, statement, asm.number, op)
    must, replies, hidden, bind = statement.must, question.replies, question.hidden, question.bind
    forced = question.forced
    stuck = asm.fault(messages.STUCK, statement)
    refuse = must and statement.otherwise is None
    cannot = ("cannot", statement.clause, None, (), asm.layout.everyone)

    def ask(s: State, f: Slots) -> int:
        found = replies(s, f.copy())
        if not found:
            if refuse:
                raise stuck()
            secret = hidden(s, f)
            if must and secret:
                s.journal.append(cannot)
            if must or not s.discreet or not secret:
                return none
        elif must and len(found) == 1 and forced(s, f):
            question.note(s, "forced", at, who(s, f), found[0])
            bind(s, f, found[0])
            return bodies[found[0][0]]
        seat = who(s, f)
        s.pending = ("choice", (seat,))
        s.offered = {seat: found}
        s.stack[-1].pc = at
        return PAUSE

    return ask


def ask_all(asm: Assembler, statement: ir.Ask, op: Operation) -> Op:
    """Asks all at once. Those who have nothing to decide have replied already."""
    each, at, (following,) = statement.each, op.at, op.exits
    assert each is not None
    question = asm.code.questions[at] = Question(asm.ev, statement, asm.number, op)
    members = found_by(asm.ev, each)
    slot, kept = each.slot, statement.replies_slot
    stuck = asm.fault(messages.STUCK, statement)

    def settled(s: State, f: Slots, found: list[Reply]) -> Reply | None:
        if not found:
            if statement.must and statement.otherwise is None:
                raise stuck()
            if statement.must or not s.discreet or not question.hidden(s, f):
                return PASS
        elif statement.must and len(found) == 1 and question.forced(s, f):
            return found[0]
        return None

    def ask(s: State, f: Slots) -> int:
        seats = members(s, f.copy())
        offered: dict[int, list[Reply]] = {}
        s.secret = {}
        listed: list[Reply] = []
        for seat in seats:
            scratch = f.copy()
            scratch[slot] = seat
            found = question.replies(s, scratch, listed)
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
        for seat in counting(s, f, statement):
            question.note(s, "forced", at, seat, s.secret[seat])
        gather(s, f, statement)
        return following

    return ask


def counting(s: State, f: Slots, statement: ir.Ask) -> tuple[int, ...]:
    """Returns the seats whose replies count, in the order asked, when all replies are in."""
    seats: tuple[int, ...] = f[statement.replies_slot]
    if not statement.first:
        return seats
    return tuple(islice((seat for seat in seats if s.secret[seat] != PASS), 1))


def gather(s: State, f: Slots, statement: ir.Ask) -> None:
    """Stores the replies that count in the slot. If the first active one counts and there is none,
    an empty one stands for it."""
    replies = tuple((seat, *s.secret[seat]) for seat in counting(s, f, statement))
    f[statement.replies_slot] = replies or (((0, *PASS),) if statement.first else ())
    f[statement.index_slot] = 0
    s.secret = {}


def take_reply(asm: Assembler, statement: ir.Ask, op: Operation) -> Op:
    """Iterates over the replies, player by player."""
    assert statement.each is not None
    question = asm.code.questions[op.at - 1]
    slot, kept, index = statement.each.slot, statement.replies_slot, statement.index_slot
    *bodies, finished = op.exits
    tells = statement.must and bool(statement.private)
    cannot = ("cannot", statement.clause, None, (), asm.layout.everyone)

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
        elif tells:
            s.journal.append(cannot)
        return bodies[alternative]

    return take
