"""Encodes replies: parts of an entry, replies of several players, and journal entries of both.

The replies of several players are a list of words, for each reply: its size in words, the seat, the
alternative, whether it was asked for, and the values with inline lists.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.compiled.runtime import chosen_sets, lists
from lawspeaker.machines.compiled.runtime.journal_code import KINDS, header, seen, viewers
from lawspeaker.machines.compiled.runtime.question import Question, offsets
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Variable,
    const,
    long,
    long_at,
    select,
    word,
)

SEAT, ALTERNATIVE, ASKED, HEAD = 4, 8, 12, 16
"""Byte offsets in a reply; the values follow at `HEAD`."""


class ReplyEntries:
    """Journal entries of the replies to one question, at one operation.

    `entry`, `seat` and `alternative` are the locals that hold the reply.
    """

    def __init__(
        self,
        c: ClauseCode,
        statement: ir.Ask,
        entry: Variable,
        seat: Variable,
        alternative: Variable,
    ) -> None:
        self.c = c
        self.f = c.f
        self.statement = statement
        self.entry = entry
        self.seat = seat
        self.alternative = alternative

    def note_entry(self, asked: Variable, number: int, alternative: ir.Alternative | None) -> None:
        """Writes a chosen or forced reply to the journal. An empty list of options is not
        recorded."""
        c, f = self.c, self.f
        if not c.unit.purpose.stepping:
            return
        with f.if_(asked if alternative is None else const(1)):
            parts = (
                []
                if alternative is None
                else list(zip(alternative.parts, offsets(alternative), strict=True))
            )
            known, words = self._nothing_yet()
            for part, offset in parts:
                value = f.let("value", part_of(c.unit, part, self.entry, offset))
                self._measure(part, value, known, words)
            at = self._head(number, asked, known, words)
            for part, offset in parts:
                told = part_of(c.unit, part, self.entry, offset)
                if part.several:
                    f.set(at, lists.write_down(c.unit)(at, told))
                else:
                    f.set(word(at), told)
                    f.add(at, 4)

    def _nothing_yet(self) -> tuple[Variable, Variable]:
        """Returns variables for the viewers and the size of an entry, before its values are
        measured."""
        known = self.f.let("known", long(viewers(self.c.layout.everyone)))
        return known, self.f.let("words", 3)

    def _measure(self, part: ir.Part, value: Variable, known: Variable, words: Variable) -> None:
        """Adds a value to the size of an entry, and removes viewers who cannot see it."""
        c, f = self.c, self.f
        f.add(words, word(value) + 1 if part.several else 1)
        if not isinstance(part.binder.type, ir.PieceType):
            return
        if not part.several:
            f.set(known, known & seen(c)[c.plan.where[value]])
            return
        with f.each_listed("piece", value) as piece:
            f.set(known, known & seen(c)[c.plan.where[piece]])

    def _head(self, number: int, asked: Expr, known: Variable, words: Variable) -> Variable:
        """Writes the header of a choice; returns the address of its values."""
        c, f = self.c, self.f
        kind = select(asked, KINDS.index("choose"), KINDS.index("forced"))
        viewing = known | long(1) << self.seat
        at = f.let("note", header(c.unit)(kind, self.statement.clause, self.seat, words, viewing))
        for offset, told in enumerate((c.clause, self.statement.at, number)):
            f.set(word(at, 4 * offset), told)
        return f.let("at", at + 12)

    def note_replies(self) -> None:
        """Writes all replies to the journal, in the order of the players."""
        c, f, statement = self.c, self.f, self.statement
        if not c.unit.purpose.stepping:
            return
        index = f.let("index", 0)
        with f.loop() as noting:
            f.set(self.entry, reply_at(c.unit)(c.slot(statement.replies_slot), index))
            f.leave(noting, self.entry == 0)
            f.add(index, 1)
            f.set(self.seat, word(self.entry, SEAT))
            f.set(self.alternative, word(self.entry, ALTERNATIVE))
            for number, alternative in enumerate(statement.alternatives):
                with f.if_(self.alternative == number):
                    self._note_reply(number, alternative)
            with f.if_((self.alternative == -1) & word(self.entry, ASKED)):
                self._note_reply(-1, None)

    def _note_reply(self, number: int, alternative: ir.Alternative | None) -> None:
        f, (known, words) = self.f, self._nothing_yet()
        cursor = f.let("cursor", self.entry + HEAD)
        for part in alternative.parts if alternative is not None else ():
            value = cursor if part.several else f.let("value", word(cursor))
            self._measure(part, value, known, words)
            f.add(cursor, size_in_reply(part, cursor))
        at = self._head(number, word(self.entry, ASKED), known, words)
        f.copy(at, self.entry + HEAD, (words - 3) << 2)


def part_of(unit: Unit, part: ir.Part, entry: Expr, offset: int) -> Expr:
    """Returns the value of a part of an entry; a set as a list."""
    if not part.several:
        return word(entry, offset)
    return chosen_sets.opened(unit)(word(entry, offset), long_at(entry, offset + 4))


def take_part(c: ClauseCode, part: ir.Part, entry: Variable, offset: int) -> None:
    """Assigns a part of an entry to its slot."""
    if not part.several:
        c.assign(part.binder.slot, word(entry, offset))
        return
    buffer = c.buffers[part.set_slot]
    _copy_chosen(c.unit, c.f, entry, offset, buffer)
    c.f.set(c.slot(part.set_slot), buffer)


def _copy_chosen(unit: Unit, f: Body, entry: Expr, offset: int, to: Expr) -> None:
    """Stores the set in a part of an entry as a list."""
    f.do(chosen_sets.copied(unit), word(entry, offset), long_at(entry, offset + 4), to)


def size_in_reply(part: ir.Part, at: Expr) -> Expr:
    """Returns the bytes of a value in a reply."""
    return lists.bytes_of(at) if part.several else const(4)


@routine("reply_at", returns=I32)
def reply_at(unit: Unit, f: Body, replies: Variable, number: Variable) -> None:
    """(replies, number from 0) -> the reply, or 0 if there are no more"""
    at = f.let("at", replies + 4)
    end = f.let("end", at + (word(replies) << 2))
    with f.while_(at.below(end)):
        with f.if_(number == 0):
            f.return_(at)
        f.add(number, -1)
        f.add(at, word(at) << 2)
    f.return_(0)


@routine("append_reply", returns=I32)
def append_reply(
    unit: Unit,
    question: Question,
    f: Body,
    where: Variable,
    seat: Variable,
    asked: Variable,
    entry: Variable,
) -> None:
    """(address, seat, whether asked, entry) -> the address behind the reply"""
    for offset, value in ((SEAT, seat), (ASKED, asked), (ALTERNATIVE, word(entry))):
        f.set(word(where, offset), value)
    at = f.let("at", where + HEAD)
    for number, alternative in enumerate(question.ask.alternatives):
        if not alternative.parts:
            continue
        with f.if_(word(entry) == number):
            for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                if part.several:
                    _copy_chosen(unit, f, entry, offset, at)
                else:
                    f.set(word(at), word(entry, offset))
                f.add(at, size_in_reply(part, at))
    f.set(word(where), (at - where) >> 2)
    f.return_(at)
