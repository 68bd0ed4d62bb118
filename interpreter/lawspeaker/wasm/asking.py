"""Code that asks: one player, or several at once.

A question works out its options, goes on by itself where there is nothing to decide that not
everyone could see, and else lets the luck of the seat choose, or waits for the host. Either way an
answer is an *entry*: the number of an alternative (-1 for none) and a word for each part.

The replies of several players are a list of words, for each reply: how many words it has, the
seat, the alternative, whether it was asked for, and the values, lists written out in full.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.types import PieceType, SetType
from lawspeaker.wasm import members, players, subsets
from lawspeaker.wasm.binary import Function, Label
from lawspeaker.wasm.clauses import ClauseCode
from lawspeaker.wasm.code import Code
from lawspeaker.wasm.notes import KINDS, header, seen
from lawspeaker.wasm.options import Options, offsets
from lawspeaker.wasm.unit import Unit

CHOICE, TOGETHER = 1, 2
"""What `pending` says when players are asked."""
_STUCK = "has to be answered, but there is nothing to choose"
_HEAD = 16
"""The bytes of a reply before its values."""


def ask(c: ClauseCode, deed: ir.Ask) -> None:
    question = Question(c, deed)
    if deed.each is None:
        question.ask_one()
    else:
        question.ask_several(deed.each)


class Question:
    def __init__(self, c: ClauseCode, deed: ir.Ask) -> None:
        self.c = c
        self.b = c.b
        self.deed = deed
        self.options = Options(c, deed)
        self.start, self.count, self.seat = (c.local() for _ in range(3))
        self.entry, self.alternative, self.asked = (c.local() for _ in range(3))
        self.pc = c.pc

    # ------------------------------------------------------------ one player

    def ask_one(self) -> None:
        c, b, deed = self.c, self.b, self.deed
        assert deed.who is not None
        point = c.new_point()
        c.pc += 1
        with b.block() as decided:
            self._skip_if_beyond(point, decided)
            with b.block() as answered:
                self._take_answer(answered, lambda: None)
                self._count_window()
                with b.block() as asking:
                    self._write_down()
                    self._settle(asking, decided)
                c.seat(deed.who)
                b.set(self.seat)
                self._choose_or(self.entry, lambda: self._wait_for_one(point))
            if c.unit.stepping:
                c.seat(deed.who)
                b.set(self.seat)
            b.const(1)
            b.set(self.asked)
            self._load_alternative()
        self._bodies(self._bind_entry, self._note_entry)

    def _skip_if_beyond(self, point: int, decided: Label) -> None:
        """The way leads into one of the bodies."""
        self.b.get(self.c.target)
        self.b.const(point)
        self.b.op("i32.gt_u")
        self.b.br_if(decided)

    def _take_answer(self, answered: Label, more: Callable[[], None]) -> None:
        """Takes the answer of the host, if this is where it was waited for."""
        c, b = self.c, self.b
        b.get(c.target)
        with b.if_():
            c.arrived()
            b.get(c.unit.again)
            b.op("i32.eqz")
            with b.if_():
                b.const(c.plan.reply)
                b.set(self.entry)
                more()
                b.br(answered)
            b.const(0)
            b.set(c.unit.again)

    def _count_window(self) -> None:
        """A window that is opened counts as often as it is."""
        c, b = self.c, self.b
        if self.deed.clause != c.clause:
            at = c.plan.times + 4 * self.deed.clause
            b.const(0)
            b.const(0)
            b.load(at)
            b.const(1)
            b.op("i32.add")
            b.store(at)

    def _write_down(self, *, anew: bool = True) -> None:
        """Writes the options down and counts them."""
        c, b, unit = self.c, self.b, self.c.unit
        if anew:
            b.const(c.plan.options)
            b.set(unit.found)
            b.const(c.plan.sets)
            b.set(unit.kept)
        b.get(unit.found)
        b.set(self.start)
        with c.scoped():
            self.options.write_down(self.start)
        b.get(unit.found)
        b.get(self.start)
        b.op("i32.sub")
        b.const(self.options.stride)
        b.op("i32.div_u")
        b.set(self.count)

    def _settle(self, asking: Label, decided: Label) -> None:
        """Goes to `asking` if somebody has to be asked; else the alternative is settled."""
        c, b, deed = self.c, self.b, self.deed
        b.const(0)
        b.set(self.asked)
        b.get(self.count)
        b.op("i32.eqz")
        with b.if_():
            if deed.must and deed.otherwise is None:
                c.fault(_STUCK, deed.span)
            elif not deed.must:
                b.get(c.unit.discreet)
                with b.if_():
                    self.options.hidden()
                    b.br_if(asking)
            b.const(-1)
            b.set(self.alternative)
            b.br(decided)
        if not deed.must:
            b.br(asking)
            return
        b.get(self.count)
        b.const(1)
        b.op("i32.ne")
        b.br_if(asking)
        self.options.hidden()
        b.br_if(asking)
        b.get(self.start)
        b.set(self.entry)
        self._load_alternative()
        b.br(decided)

    def _choose_or(self, entry: int, wait: Callable[[], None]) -> None:
        """Lets the luck of the seat choose an entry, or waits."""
        c, b = self.c, self.b
        b.get(c.unit.free)
        b.op("i32.eqz")
        with b.if_():
            wait()
        chosen = c.local()
        b.get(self.seat)
        b.get(self.count)
        if not self.deed.must:
            b.const(1)
            b.op("i32.add")
        b.call(players.choose(c.unit))
        b.tee(chosen)
        b.const(self.options.stride)
        b.op("i32.mul")
        b.get(self.start)
        b.op("i32.add")
        b.set(entry)
        if not self.deed.must:
            b.get(chosen)
            b.get(self.count)
            b.op("i32.eq")
            with b.if_():
                b.const(c.plan.constant((-1).to_bytes(4, "little", signed=True)))
                b.set(entry)

    def _wait_for_one(self, point: int) -> None:
        c, b = self.c, self.b
        for at, push in (
            (c.plan.pending, lambda: b.const(CHOICE)),
            (c.plan.asked_count, lambda: b.const(1)),
            (c.plan.asked, lambda: b.get(self.seat)),
            (c.plan.asked + 4, lambda: b.get(self.start)),
            (c.plan.asked + 8, lambda: b.get(self.count)),
        ):
            b.const(0)
            push()
            b.store(at)
        c.wait(point)

    def _load_alternative(self) -> None:
        self.b.get(self.entry)
        self.b.load()
        self.b.set(self.alternative)

    # ------------------------------------------------------------ what is done then

    def _bodies(
        self,
        bind: Callable[[ir.Alternative], None],
        note: Callable[[int, ir.Alternative | None], None] | None,
    ) -> None:
        """Does what belongs to the alternative chosen."""
        c, b, deed = self.c, self.b, self.deed
        with b.block() as done:
            for number, alternative in enumerate(deed.alternatives):
                inside = c.shapes.points(alternative.body)
                c.chosen(lambda number=number: self._is(number), inside)  # type: ignore[misc]
                with b.if_():
                    b.get(c.target)
                    b.op("i32.eqz")
                    with b.if_():
                        if note is not None:
                            note(number, alternative)
                        bind(alternative)
                        for guard in self.options.again(alternative, c.clause):
                            c.scoped_value(guard)
                            b.op("drop")
                    c.block(alternative.body)
                    b.br(done)
                c.pc += 1
            if note is not None and c.unit.stepping:
                b.get(c.target)
                b.op("i32.eqz")
                with b.if_():
                    note(-1, None)
            c.block(deed.otherwise or ())

    def _is(self, number: int) -> None:
        self.b.get(self.alternative)
        self.b.const(number)
        self.b.op("i32.eq")

    def _bind_entry(self, alternative: ir.Alternative) -> None:
        for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
            push_part(self.c, part, self.entry, offset)
            self.c.assign(part.set_slot if part.several else part.binder.slot)

    # ------------------------------------------------------------ several players

    def ask_several(self, each: ir.Binder) -> None:
        c, b, deed = self.c, self.b, self.deed
        replies, index = c.slot(deed.replies_slot), c.slot(deed.index_slot)
        point = c.new_point()
        c.pc += 2
        with b.block() as decided:
            self._skip_if_beyond(point, decided)
            with b.block() as answered:
                self._take_answer(answered, self._keep_replies)
                self._count_window()
                self._ask_each(each, point)
            self._note_replies()
            b.const(0)
            b.set(index)
        with b.block() as done, b.loop() as again:
            b.get(c.target)
            b.op("i32.eqz")
            with b.if_():
                b.get(replies)
                b.get(index)
                b.call(reply_at(c.unit))
                b.tee(self.entry)
                b.op("i32.eqz")
                b.br_if(done)
                b.get(self.entry)
                b.load(4)
                b.set(c.slot(each.slot))
                b.get(self.entry)
                b.load(8)
                b.set(self.alternative)
                b.get(index)
                b.const(1)
                b.op("i32.add")
                b.set(index)
            self._bodies(self._bind_reply, None)
            b.br(again)
        c.pc += 1
        c.clear(deed.replies_slot)
        c.clear(deed.index_slot)

    def _keep_replies(self) -> None:
        self.b.const(self.c.plan.reply)
        self.c.assign(self.deed.replies_slot)

    def _ask_each(self, each: ir.Binder, point: int) -> None:
        c, b, deed = self.c, self.b, self.deed
        slot, buffer = c.slot(each.slot), c.buffers[deed.replies_slot]
        seats, out, going = c.local(), c.local(), c.local()
        write = append_reply(c.unit, deed, f"{c.clause}.{self.pc}")
        b.const(0)
        b.const(0)
        b.store(c.plan.asked_count)
        b.get(buffer)
        b.const(4)
        b.op("i32.add")
        b.set(out)
        # Either all replies are chosen inside or none.
        b.get(c.unit.free)
        b.const(c.layout.players)
        b.op("i32.ge_s")
        b.set(going)
        b.const(c.plan.options)
        b.set(c.unit.found)
        b.const(c.plan.sets)
        b.set(c.unit.kept)
        c.value(ir.Filter(SetType(each.type), each, span=deed.span))
        b.set(seats)

        def reply() -> None:
            b.get(out)
            for given in (self.seat, self.asked, self.entry):
                b.get(given)
            b.call(write)
            b.set(out)

        def one() -> None:
            b.get(slot)
            b.set(self.seat)
            with b.block() as following:
                with b.block() as decided:
                    with b.block() as asking:
                        self._write_down(anew=False)
                        self._settle(asking, decided)
                    b.const(1)
                    b.set(self.asked)
                    b.get(going)
                    b.op("i32.eqz")
                    with b.if_():
                        self._note_asked()
                        b.br(following)
                    self._choose_or(self.entry, lambda: b.op("unreachable"))
                    self._load_alternative()
                b.get(self.alternative)
                b.const(0)
                b.op("i32.lt_s")
                with b.if_():
                    b.const(c.plan.constant((-1).to_bytes(4, "little", signed=True)))
                    b.set(self.entry)
                reply()

        b.get(seats)
        members.each_listed(c, slot, one)
        b.get(buffer)
        b.get(out)
        b.get(buffer)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.const(1)
        b.op("i32.sub")
        b.store()
        b.get(buffer)
        b.set(c.slot(deed.replies_slot))
        b.const(0)
        b.load(c.plan.asked_count)
        with b.if_():
            b.const(c.plan.settled_replies)
            b.get(buffer)
            b.get(out)
            b.get(buffer)
            b.op("i32.sub")
            b.copy()
            b.get(seats)
            c.assign(deed.replies_slot)
            b.const(0)
            b.const(TOGETHER)
            b.store(c.plan.pending)
            c.wait(point)

    def _note_asked(self) -> None:
        """Notes for the host that this seat is asked, and what."""
        c, b, at = self.c, self.b, self.c.local()
        b.const(0)
        b.load(c.plan.asked_count)
        b.const(4)
        b.op("i32.shl")
        b.set(at)
        for offset, given in enumerate((self.seat, self.start, self.count)):
            b.get(at)
            b.get(given)
            b.store(c.plan.asked + 4 * offset)
        b.const(0)
        b.const(0)
        b.load(c.plan.asked_count)
        b.const(1)
        b.op("i32.add")
        b.store(c.plan.asked_count)

    def _bind_reply(self, alternative: ir.Alternative) -> None:
        c, b, at = self.c, self.b, self.c.local()
        b.get(self.entry)
        b.const(_HEAD)
        b.op("i32.add")
        b.set(at)
        for part in alternative.parts:
            b.get(at)
            if part.several:
                c.assign(part.set_slot)
                _past_list(b, at)
            else:
                b.load()
                c.assign(part.binder.slot)
                _past_word(b, at)

    # ------------------------------------------------------------ notes

    def _note_entry(self, number: int, alternative: ir.Alternative | None) -> None:
        """Notes what was chosen, if it was asked for."""
        c, b = self.c, self.b
        if not c.unit.stepping:
            return
        known, words, at = c.local(), c.local(), c.local()
        b.get(self.asked)
        with b.if_():
            b.const(c.layout.everyone)
            b.set(known)
            b.const(3)
            b.set(words)
            parts = [] if alternative is None else list(
                zip(alternative.parts, offsets(alternative), strict=True)
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
                    b.call(write_list(c.unit))
                    b.set(at)
                else:
                    b.store()
                    _past_word(b, at)

    def _measure(self, part: ir.Part, value: int, known: int, words: int) -> None:
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
            b.op("i32.and")
            b.set(known)

        b.get(value)
        if part.several:
            members.each_listed(c, piece, look)
        else:
            b.set(piece)
            look()

    def _head(self, number: int, known: int, words: int, at: int) -> None:
        """Begins a note of a choice; `at` is where its values go."""
        c, b = self.c, self.b
        b.const(KINDS.index("choose"))
        b.const(self.deed.clause)
        b.get(self.seat)
        b.get(known)
        b.const(1)
        b.get(self.seat)
        b.op("i32.shl", "i32.or")
        b.get(words)
        b.call(header(c.unit))
        b.set(at)
        for offset, word in enumerate((c.clause, self.pc, number)):
            b.get(at)
            b.const(word)
            b.store(4 * offset)
        b.get(at)
        b.const(12)
        b.op("i32.add")
        b.set(at)

    def _note_replies(self) -> None:
        """Notes all replies that were asked for, in the order of the players."""
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
            b.get(self.entry)
            b.load(12)
            b.op("i32.eqz")
            b.br_if(again)
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
            with b.if_():
                self._note_reply(-1, None)
            b.br(again)

    def _note_reply(self, number: int, alternative: ir.Alternative | None) -> None:
        c, b = self.c, self.b
        known, words, at, cursor = (c.local() for _ in range(4))
        b.const(c.layout.everyone)
        b.set(known)
        b.const(3)
        b.set(words)
        b.get(self.entry)
        b.const(_HEAD)
        b.op("i32.add")
        b.set(cursor)
        for part in alternative.parts if alternative is not None else ():
            if part.several:
                self._measure(part, cursor, known, words)
                _past_list(b, cursor)
            else:
                value = c.local()
                b.get(cursor)
                b.load()
                b.set(value)
                self._measure(part, value, known, words)
                _past_word(b, cursor)
        self._head(number, known, words, at)
        b.get(at)
        b.get(self.entry)
        b.const(_HEAD)
        b.op("i32.add")
        b.get(words)
        b.const(3)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shl")
        b.copy()


def push_part(c: Code, part: ir.Part, entry: int, offset: int) -> None:
    """The value of a part of an entry; a set as a list."""
    c.b.get(entry)
    c.b.load(offset)
    if part.several:
        c.b.get(entry)
        c.b.load(offset + 4, "i64.load")
        c.b.call(subsets.opened(c.unit))


def _past_word(b: Function, at: int) -> None:
    b.get(at)
    b.const(4)
    b.op("i32.add")
    b.set(at)


def _past_list(b: Function, at: int) -> None:
    b.get(at)
    b.get(at)
    b.load()
    b.const(1)
    b.op("i32.add")
    b.const(2)
    b.op("i32.shl", "i32.add")
    b.set(at)


def write_list(unit: Unit) -> Function:
    """(where, list) -> the next place after the copy"""

    def write(b: Function) -> None:
        size = b.local()
        b.get(1)
        b.load()
        b.const(1)
        b.op("i32.add")
        b.const(2)
        b.op("i32.shl")
        b.set(size)
        b.get(0)
        b.get(1)
        b.get(size)
        b.copy()
        b.get(0)
        b.get(size)
        b.op("i32.add")

    return unit.made(("write_list",), 2, 1, write)


def reply_at(unit: Unit) -> Function:
    """(replies, number from 0) -> the reply, or 0 when there are no more"""

    def write(b: Function) -> None:
        at, end = b.local(), b.local()
        b.get(0)
        b.const(4)
        b.op("i32.add")
        b.tee(at)
        b.get(0)
        b.load()
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(end)
        with b.loop() as again:
            b.get(at)
            b.get(end)
            b.op("i32.ge_u")
            with b.if_():
                b.const(0)
                b.op("return")
            b.get(1)
            with b.if_():
                b.get(1)
                b.const(1)
                b.op("i32.sub")
                b.set(1)
                b.get(at)
                b.get(at)
                b.load()
                b.const(2)
                b.op("i32.shl", "i32.add")
                b.set(at)
                b.br(again)
        b.get(at)

    return unit.made(("reply_at",), 2, 1, write)


def append_reply(unit: Unit, ask: ir.Ask, key: str) -> Function:
    """(where, seat, whether asked, entry) -> the next place after the reply"""

    def write(b: Function) -> None:
        c = Code(unit, b, unit.program.main)
        at = c.local()
        for offset, given in ((4, 1), (12, 2)):
            b.get(0)
            b.get(given)
            b.store(offset)
        b.get(0)
        b.get(3)
        b.load()
        b.store(8)
        b.get(0)
        b.const(_HEAD)
        b.op("i32.add")
        b.set(at)
        for number, alternative in enumerate(ask.alternatives):
            if not alternative.parts:
                continue
            b.get(3)
            b.load()
            b.const(number)
            b.op("i32.eq")
            with b.if_():
                for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                    b.get(at)
                    push_part(c, part, 3, offset)
                    if part.several:
                        b.call(write_list(unit))
                        b.set(at)
                    else:
                        b.store()
                        _past_word(b, at)
        b.get(0)
        b.get(at)
        b.get(0)
        b.op("i32.sub")
        b.const(2)
        b.op("i32.shr_u")
        b.store()
        b.get(at)

    return unit.made(("append_reply", key), 4, 1, write)
