"""What was answered: parts of an entry, replies of several players, and notes of both.

The replies of several players are a list of words, for each reply: how many words it has, the
seat, the alternative, whether it was asked for, and the values, lists written out in full.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled import chosen_sets, lists
from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.compiled.clauses import ClauseCode
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.journal_code import KINDS, header, seen, viewers
from lawspeaker.machines.compiled.kept_sets import Listed
from lawspeaker.machines.compiled.options import offsets
from lawspeaker.machines.compiled.stack import Stack
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Variable, word

HEAD = 16
"""The bytes of a reply before its values."""


class Telling:
    """Notes of what was answered to one question, at one operation.

    `entry`, `seat` and `alternative` are the locals in which the answer is.
    """

    def __init__(
        self, c: ClauseCode, deed: ir.Ask, entry: Variable, seat: Variable, alternative: Variable
    ) -> None:
        self.c = c
        self.b = c.b
        self.deed = deed
        self.entry = entry
        self.seat = seat
        self.alternative = alternative
        self.kind = c.local()

    def note_entry(self, asked: Variable, number: int, alternative: ir.Alternative | None) -> None:
        """Notes what was chosen, or could only be chosen. That there was nothing to choose is
        nothing that was done."""
        c, b = self.c, self.b
        if not c.unit.stepping:
            return
        known, words, at = c.long(), c.local(), c.local()
        self._kind(lambda: b.get(asked))
        if alternative is None:
            b.get(asked)
        else:
            b.const(1)
        with b.if_():
            b.long(viewers(c.layout.everyone))
            b.set(known)
            b.const(3)
            b.set(words)
            parts = (
                []
                if alternative is None
                else list(zip(alternative.parts, offsets(alternative), strict=True))
            )
            for part, offset in parts:
                push_part(c, part, self.entry, offset)
                b.set(at)
                self._measure(part, at, known, words)
            self._head(number, known, words, at)
            for part, offset in parts:
                b.get(at)
                push_part(c, part, self.entry, offset)
                if part.several:
                    b.call(lists.write_down(c.unit))
                    b.set(at)
                else:
                    b.store()
                    past_word(b, at)

    def _measure(self, part: ir.Part, value: Variable, known: Variable, words: Variable) -> None:
        """Adds a value to the words of a note, and leaves out who does not see it."""
        c, b, piece = self.c, self.b, self.c.local()
        b.get(words)
        if part.several:
            b.get(value)
            b.load()
            b.op("i32.add")
        b.const(1)
        b.op("i32.add")
        b.set(words)
        if not isinstance(part.binder.type, PieceType):
            return

        def look() -> None:
            b.get(known)
            b.get(piece)
            c.plan.where.load(b)
            seen(c).load(b)
            b.op("i64.and")
            b.set(known)

        if part.several:
            Listed(value).each(c.f, piece, look)
        else:
            c.f.set(piece, value)
            look()

    def _head(self, number: int, known: Variable, words: Variable, at: Variable) -> None:
        """Begins a note of a choice; `at` is where its values go."""
        c, b = self.c, self.b
        b.get(self.kind)
        b.const(self.deed.clause)
        b.get(self.seat)
        b.get(words)
        b.get(known)
        b.long(1)
        b.get(self.seat)
        b.op("i64.extend_i32_u", "i64.shl", "i64.or")
        b.call(header(c.unit))
        b.set(at)
        for offset, told in enumerate((c.clause, self.deed.at, number)):
            b.get(at)
            b.const(told)
            b.store(4 * offset)
        b.get(at)
        b.const(12)
        b.op("i32.add")
        b.set(at)

    def _kind(self, asked: Callable[[], None]) -> None:
        """What kind of note it is to be."""
        b = self.b
        b.const(KINDS.index("choose"))
        b.const(KINDS.index("forced"))
        asked()
        b.op("select")
        b.set(self.kind)

    def note_replies(self) -> None:
        """Notes all replies, in the order of the players."""
        c, b, deed = self.c, self.b, self.deed
        if not c.unit.stepping:
            return
        index = c.local()
        b.const(0)
        b.set(index)
        with b.block() as done, b.loop() as again:
            b.get(c.slot(deed.replies_slot))
            b.get(index)
            b.call(reply_at(c.unit))
            b.tee(self.entry)
            b.op("i32.eqz")
            b.br_if(done)
            b.get(index)
            b.const(1)
            b.op("i32.add")
            b.set(index)
            self._kind(self._was_asked)
            b.get(self.entry)
            b.load(4)
            b.set(self.seat)
            b.get(self.entry)
            b.load(8)
            b.set(self.alternative)
            for number, alternative in enumerate(deed.alternatives):
                self._is(number)
                with b.if_():
                    self._note_reply(number, alternative)
            self._is(-1)
            self._was_asked()
            b.op("i32.and")
            with b.if_():
                self._note_reply(-1, None)
            b.br(again)

    def _was_asked(self) -> None:
        self.b.get(self.entry)
        self.b.load(12)

    def _note_reply(self, number: int, alternative: ir.Alternative | None) -> None:
        c, b = self.c, self.b
        known, words, at, cursor = c.long(), c.local(), c.local(), c.local()
        b.long(viewers(c.layout.everyone))
        b.set(known)
        b.const(3)
        b.set(words)
        b.get(self.entry)
        b.const(HEAD)
        b.op("i32.add")
        b.set(cursor)
        for part in alternative.parts if alternative is not None else ():
            if part.several:
                self._measure(part, cursor, known, words)
                past_list(b, cursor)
            else:
                value = c.local()
                b.get(cursor)
                b.load()
                b.set(value)
                self._measure(part, value, known, words)
                past_word(b, cursor)
        self._head(number, known, words, at)
        b.get(at)
        b.get(self.entry)
        b.const(HEAD)
        b.op("i32.add")
        b.get(words)
        b.const(3)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shl")
        b.copy()

    def _is(self, number: int) -> None:
        self.b.get(self.alternative)
        self.b.const(number)
        self.b.op("i32.eq")


def push_part(c: Code, part: ir.Part, entry: Variable, offset: int) -> None:
    """The value of a part of an entry; a set as a list."""
    c.b.get(entry)
    c.b.load(offset)
    if part.several:
        c.b.get(entry)
        c.b.load(offset + 4, "i64.load")
        c.b.call(chosen_sets.opened(c.unit))


def take_part(c: ClauseCode, part: ir.Part, entry: Variable, offset: int) -> None:
    """Puts a part of an entry into its slot."""
    if not part.several:
        push_part(c, part, entry, offset)
        c.assign(part.binder.slot)
        return
    buffer = c.buffers[part.set_slot]
    c.b.get(entry)
    c.b.load(offset)
    c.b.get(entry)
    c.b.load(offset + 4, "i64.load")
    c.b.get(buffer)
    c.b.call(chosen_sets.copied(c.unit))
    c.b.get(buffer)
    c.b.set(c.slot(part.set_slot))


def past_word(b: Stack, at: Variable) -> None:
    b.get(at)
    b.const(4)
    b.op("i32.add")
    b.set(at)


def past_list(b: Stack, at: Variable) -> None:
    b.get(at)
    b.get(at)
    b.load()
    b.const(1)
    b.op("i32.add")
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.set(at)


def reply_at(unit: Unit) -> Function:
    """(replies, number from 0) -> the reply, or 0 when there are no more"""

    def build(f: Body, replies: Variable, number: Variable) -> None:
        at = f.let("at", replies + 4)
        end = f.let("end", at + (word(replies) << 2))
        with f.while_(at.below(end)):
            with f.if_(number == 0):
                f.return_(at)
            f.add(number, -1)
            f.add(at, word(at) << 2)
        f.return_(0)

    return unit.built(("reply_at",), 2, 1, build)


def append_reply(unit: Unit, ask: ir.Ask, key: str) -> Function:
    """(where, seat, whether asked, entry) -> the next place after the reply"""

    def write(b: Stack) -> None:
        c = Code(unit, b, unit.program.main)
        at = c.local()
        for offset, given in ((4, 1), (12, 2)):
            b.get(b.given[0])
            b.get(b.given[given])
            b.store(offset)
        b.get(b.given[0])
        b.get(b.given[3])
        b.load()
        b.store(8)
        b.get(b.given[0])
        b.const(HEAD)
        b.op("i32.add")
        b.set(at)
        for number, alternative in enumerate(ask.alternatives):
            if not alternative.parts:
                continue
            b.get(b.given[3])
            b.load()
            b.const(number)
            b.op("i32.eq")
            with b.if_():
                for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                    if part.several:
                        b.get(b.given[3])
                        b.load(offset)
                        b.get(b.given[3])
                        b.load(offset + 4, "i64.load")
                        b.get(at)
                        b.call(chosen_sets.copied(unit))
                        past_list(b, at)
                    else:
                        b.get(at)
                        push_part(c, part, b.given[3], offset)
                        b.store()
                        past_word(b, at)
        b.get(b.given[0])
        b.get(at)
        b.get(b.given[0])
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.store()
        b.get(at)

    return unit.made(("append_reply", key), 4, 1, write)
