"""Code that asks: one player, or several at once.

A question works out its options, goes on by itself where there is nothing to decide that not
everyone could see, and else lets the luck of the seat choose, or waits for the host. Either way an
answer is an *entry*: the number of an alternative (-1 for none) and a word for each part.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lawspeaker import ir
from lawspeaker.ir.types import SetType
from lawspeaker.machines.compiled import playout_start, random_players, search, watching
from lawspeaker.machines.compiled.binary import I32
from lawspeaker.machines.compiled.clauses import ClauseCode
from lawspeaker.machines.compiled.journal_code import note
from lawspeaker.machines.compiled.kept_sets import Listed
from lawspeaker.machines.compiled.options import Options, offsets
from lawspeaker.machines.compiled.plan import NONE
from lawspeaker.machines.compiled.replies import (
    HEAD,
    Telling,
    append_reply,
    past_list,
    past_word,
    reply_at,
    take_part,
)
from lawspeaker.machines.compiled.stack import Label
from lawspeaker.machines.compiled.static_options import Beforehand
from lawspeaker.machines.compiled.subset_tables import Run, goes_through
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Variable, word

CHOICE, TOGETHER = 1, 2
"""What `pending` says when players are asked."""


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
        kind = Kind.ASK if deed.each is None else Kind.ASK_ALL
        operation = c.unit.operation(c.clause, deed, kind)
        self.options = Options(c, deed, operation.guards, operation.listing)
        self.run: Run | None = None
        self.known: Beforehand | None = None
        self.start, self.count, self.seat = (c.local() for _ in range(3))
        self.entry, self.alternative, self.asked = (c.local() for _ in range(3))
        self.telling = Telling(c, deed, self.entry, self.seat, self.alternative)

    # ------------------------------------------------------------ one player

    def ask_one(self) -> None:
        c, b, deed = self.c, self.b, self.deed
        assert deed.who is not None
        point = c.new_point()
        with b.block() as decided:
            self._skip_if_beyond(point, decided)
            with b.block() as answered:
                self._take_answer(answered, lambda: None)
                self._count_window()
                with b.block() as asking:
                    self._write_down()
                    self._settle(asking, decided)
                c.b.push(c.seat(deed.who))
                b.set(self.seat)
                self._choose_or(self.entry, lambda: self._wait_for_one(point))
            if c.unit.stepping:
                c.b.push(c.seat(deed.who))
                b.set(self.seat)
            b.const(1)
            b.set(self.asked)
            self._load_alternative()
        self._bodies(self._bind_entry, noting=c.unit.stepping)

    def _skip_if_beyond(self, point: int, decided: Label) -> None:
        """The way leads into one of the bodies."""
        if not self.c.waits:
            return
        self.b.get(self.c.target)
        self.b.const(point)
        self.b.op("i32.gt_u")
        self.b.br_if(decided)

    def _take_answer(self, answered: Label, more: Callable[[], None]) -> None:
        """Takes the answer of the host, if this is where it was waited for."""
        c, b = self.c, self.b
        if not c.waits:
            return

        def take() -> None:
            b.const(c.plan.reply)
            b.set(self.entry)
            more()
            b.br(answered)

        c.when_answered(take)

    def _count_window(self) -> None:
        """A window that is opened counts as often as it is."""
        if self.deed.clause != self.c.clause:
            self.c.f.add(word(self.c.plan.times + 4 * self.deed.clause), 1)

    def _write_down(self, *, anew: bool = True) -> None:
        """Writes the options down and counts them; or only counts them, where that is enough."""
        c, b, unit = self.c, self.b, self.c.unit
        if anew:
            b.const(c.plan.options)
            b.set(self.start)
            if self._count_only():
                return
            self._list_all()
        else:
            b.get(unit.found)
            b.set(self.start)
            with c.scoped():
                self.options.write_down(self.start)
            b.get(self.options.at)
            b.set(unit.found)
        b.get(self.options.at)
        b.get(self.start)
        b.op("i32.sub")
        b.const(self.options.stride)
        b.op("i32.div_u")
        b.set(self.count)

    def _count_only(self) -> bool:
        """Counts the options if they need not be written down to choose one."""
        c = self.c
        if c.waits or c.unit.stepping:
            return False
        self.known = self.options.beforehand()
        if self.known is not None:
            self.known.count()
        elif self._goes_through():
            self.run = self.options.run()
            if self.run is not None:
                self.run.count()
        if self.known is None and self.run is None:
            return False
        self.b.set(self.count)
        return True

    def _list_all(self) -> None:
        """Writes the options of one player down."""
        c, b = self.c, self.b
        if self.options.has_sets:
            b.const(c.plan.sets)
            b.set(c.unit.kept)
        with c.scoped():
            self.options.write_down(self.start)

    def _goes_through(self) -> bool:
        """Whether sets that are chosen here are gone through, and no more."""
        c = self.c
        slots = {part.set_slot for each in self.deed.alternatives for part in each.parts}
        return all(goes_through(c.shapes, c.own, slot, self.deed) for slot in slots)

    def _settle(self, asking: Label, decided: Label) -> None:
        """Goes to `asking` if somebody has to be asked; else the alternative is settled."""
        c, b, deed = self.c, self.b, self.deed
        b.const(0)
        b.set(self.asked)
        b.get(self.count)
        b.op("i32.eqz")
        with b.if_():
            if deed.must and deed.otherwise is None:
                c.fault(messages.STUCK, deed.span)
            elif deed.must and deed.each is None and c.unit.stepping:
                self.options.hidden()
                with b.if_():
                    self._note_nothing()
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
        self.options.unforced()
        b.br_if(asking)
        if deed.who is not None:
            c.b.push(c.seat(deed.who))
            b.set(self.seat)
        self._take(lambda: b.const(0), self.entry)
        self._load_alternative()
        b.br(decided)

    def _choose_or(self, entry: Variable, wait: Callable[[], None]) -> None:
        """Lets the luck of the seat choose an entry, or the tree of a search, or waits."""
        c, b = self.c, self.b
        chosen, offered = c.local(), c.local()
        if c.unit.stepping:
            b.get(c.unit.free)
            b.op("i32.eqz")
            with b.if_():
                wait()
        b.get(self.count)
        if not self.deed.must:
            b.const(1)
            b.op("i32.add")
        b.set(offered)
        if c.unit.watching:
            watching.choice(c, self.deed, self.seat, offered)
        if c.unit.searches:
            self._search(offered)
        else:
            b.get(self.seat)
            b.get(offered)
            b.call(random_players.choose(c.unit))
        b.set(chosen)
        self._take(lambda: b.get(chosen), entry)
        if not self.deed.must and self.known is None:
            b.get(chosen)
            b.get(self.count)
            b.op("i32.eq")
            with b.if_():
                b.const(c.plan.constant((-1).to_bytes(4, "little", signed=True)))
                b.set(entry)
        if c.unit.watching:
            watching.used(c, self.deed, self.seat, entry)

    def _take(self, number: Callable[[], None], entry: Variable) -> None:
        """Puts where the option with a number is into a local."""
        b = self.b
        if self.known is not None:
            self.known.take(number)
            if self.c.unit.watching:
                self.known.point_to(entry)
            return
        b.get(self.start)
        if self.run is not None:
            self.run.take(number)
            self.options.write_only(self.start, self.run)
        else:
            number()
            b.const(self.options.stride)
            b.op("i32.mul", "i32.add")
        b.set(entry)

    def _search(self, offered: Variable) -> None:
        """The number of the option that luck or the tree of a search chooses."""
        c, b = self.c, self.b
        b.get(c.unit.free)
        with b.if_(I32):
            b.get(self.seat)
            b.get(offered)
            b.call(random_players.choose(c.unit))
            b.else_()
            if self.run is not None or self.known is not None:
                self.options.costs = None  # they are paid for
                self._list_all()
            for given in (self.seat, self.start, offered):
                b.get(given)
            at = (c.clause, self.deed.at)
            b.call(search.decide(c.unit, self.deed, at, self.options.stride))

    def _wait_for_one(self, point: int) -> None:
        c, b = self.c, self.b
        for at, told in ((c.plan.pending, CHOICE), (c.plan.asked_count, 1)):
            b.const(0)
            b.const(told)
            b.store(at)
        for offset, given in enumerate((self.seat, self.start, self.count)):
            b.const(0)
            b.get(given)
            b.store(c.plan.asked + 4 * offset)
        c.wait(point)

    def _load_alternative(self) -> None:
        if self.deed.must and len(self.deed.alternatives) == 1:
            self.b.const(0)
        elif self.known is not None:
            self.known.alternative()
        else:
            self.b.get(self.entry)
            self.b.load()
        self.b.set(self.alternative)

    # ------------------------------------------------------------ what is done then

    def _bodies(self, bind: Callable[[ir.Alternative], None], *, noting: bool) -> None:
        """Does what belongs to the alternative chosen."""
        c, b, deed = self.c, self.b, self.deed
        with b.block() as done:
            for number, alternative in enumerate(deed.alternatives):
                c.chosen(partial(self._is, number), c.points(alternative.body))
                with b.if_():
                    c.here(partial(self._take_up, number, alternative, bind, noting))
                    c.block(alternative.body)
                    b.br(done)
            if noting:
                c.here(partial(self.telling.note_entry, self.asked, -1, None))
            if deed.must and deed.each is not None and deed.private:
                c.here(self._note_nothing)
            c.block(deed.otherwise or ())

    def _note_nothing(self) -> None:
        """There is nothing to choose, as everyone learns now."""
        note(self.c, "cannot", self.deed.clause, NONE, self.c.layout.everyone)

    def _take_up(
        self,
        number: int,
        alternative: ir.Alternative,
        bind: Callable[[ir.Alternative], None],
        noting: bool,
    ) -> None:
        """Gives the parts of an alternative what was chosen."""
        if noting:
            self.telling.note_entry(self.asked, number, alternative)
        bind(alternative)
        for guard in self.options.plans[number].again:
            self.c.b.push(self.c.scoped_value(alternative.guards[guard].condition))
            self.b.op("drop")

    def _is(self, number: int) -> None:
        self.b.get(self.alternative)
        self.b.const(number)
        self.b.op("i32.eq")

    def _bind_entry(self, alternative: ir.Alternative) -> None:
        if self.run is not None:
            [part] = alternative.parts
            self.c.slots[part.set_slot] = self.run.chosen
            return
        if self.known is not None:
            number = self.deed.alternatives.index(alternative)
            for at, part in enumerate(alternative.parts):
                self.known.part(number, at)
                self.c.assign(part.binder.slot)
            return
        for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
            take_part(self.c, part, self.entry, offset)

    # ------------------------------------------------------------ several players

    def ask_several(self, each: ir.Binder) -> None:
        c, b, deed = self.c, self.b, self.deed
        replies, index = c.slot(deed.replies_slot), c.slot(deed.index_slot)
        point = c.new_point()
        with b.block() as decided:
            self._skip_if_beyond(point, decided)
            with b.block() as answered:
                self._take_answer(answered, self._keep_replies)
                self._count_window()
                self._ask_each(each, point)
            self.telling.note_replies()
            if c.waits:
                b.const(0)
            else:
                b.get(replies)
                b.const(4)
                b.op("i32.add")
            b.set(index)

        def following() -> None:
            if c.waits:
                self._number(replies, index, done)
            else:
                self._at(replies, index, done)
            b.get(self.entry)
            b.load(4)
            b.set(c.slot(each.slot))
            b.get(self.entry)
            b.load(8)
            b.set(self.alternative)

        with b.block() as done, b.loop() as again:
            c.here(following)
            self._bodies(self._bind_reply, noting=False)
            b.br(again)
        c.clear(deed.replies_slot)
        c.clear(deed.index_slot)

    def _number(self, replies: Variable, index: Variable, none: Label) -> None:
        """The next reply, by its number: that can be saved."""
        b = self.b
        b.get(replies)
        b.get(index)
        b.call(reply_at(self.c.unit))
        b.tee(self.entry)
        b.op("i32.eqz")
        b.br_if(none)
        b.get(index)
        b.const(1)
        b.op("i32.add")
        b.set(index)

    def _at(self, replies: Variable, index: Variable, none: Label) -> None:
        """The next reply, by where it is."""
        b = self.b
        b.get(index)
        b.tee(self.entry)
        b.get(replies)
        b.get(replies)
        b.load()
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.op("i32.gt_u")
        b.br_if(none)
        b.get(self.entry)
        b.get(self.entry)
        b.load()
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(index)

    def _keep_replies(self) -> None:
        self.b.const(self.c.plan.reply)
        self.c.assign(self.deed.replies_slot)

    def _ask_each(self, each: ir.Binder, point: int) -> None:
        """Asks one after the other; the replies of all are written down, or it waits."""
        c, b, deed = self.c, self.b, self.deed
        slot, buffer = c.slot(each.slot), c.buffers[deed.replies_slot]
        seats, out, going, chosen = (c.local() for _ in range(4))
        b.const(0)
        b.const(0)
        b.store(c.plan.asked_count)
        b.get(buffer)
        b.const(4)
        b.op("i32.add")
        b.set(out)
        # Either all replies are chosen inside or none.
        if c.unit.stepping:
            b.get(c.unit.free)
            b.const(c.layout.players)
            b.op("i32.ge_s")
        else:
            b.const(1)
        b.set(going)
        if c.unit.searches:
            playout_start.begin_several(c.unit, c.f)
        b.const(c.plan.options)
        b.set(c.unit.found)
        b.const(c.plan.sets)
        b.set(c.unit.kept)
        c.b.push(c.value(ir.Filter(SetType(each.type), each, span=deed.span)))
        b.set(seats)
        b.const(0)
        b.set(chosen)
        ask_one = partial(self._ask_one_of_several, slot, out, going, chosen)
        Listed(seats).each(c.f, slot, ask_one)
        b.get(chosen)
        with b.if_():
            random_players.refill(c.unit, c.f)
        if c.unit.searches:
            playout_start.end_several(c.unit, c.f)
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
            self._wait_for_several(seats, buffer, out, point)

    def _ask_one_of_several(
        self, slot: Variable, out: Variable, going: Variable, chosen: Variable
    ) -> None:
        """Settles or chooses the reply of the player in a slot, or notes that he is asked. The
        budget is not full again before all have chosen."""
        c, b, left = self.c, self.b, self.c.long()
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
                b.get(c.unit.left)
                b.set(left)
                self._choose_or(self.entry, lambda: b.op("unreachable"))
                b.get(left)
                b.set(c.unit.left)
                b.const(1)
                b.set(chosen)
                self._load_alternative()
            b.get(self.alternative)
            b.const(0)
            b.op("i32.lt_s")
            with b.if_():
                b.const(c.plan.constant((-1).to_bytes(4, "little", signed=True)))
                b.set(self.entry)
            b.get(out)
            for given in (self.seat, self.asked, self.entry):
                b.get(given)
            b.call(append_reply(c.unit, self.deed, f"{c.clause}.{self.deed.at}"))
            b.set(out)

    def _wait_for_several(
        self, seats: Variable, buffer: Variable, out: Variable, point: int
    ) -> None:
        """Tells the host which replies are settled, keeps who takes part, and waits."""
        c, b = self.c, self.b
        b.const(c.plan.settled_replies)
        b.get(buffer)
        b.get(out)
        b.get(buffer)
        b.op("i32.sub")
        b.copy()
        b.get(seats)
        c.assign(self.deed.replies_slot)
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
        b.const(HEAD)
        b.op("i32.add")
        b.set(at)
        for part in alternative.parts:
            b.get(at)
            if part.several:
                if c.waits:
                    c.assign(part.set_slot)
                else:
                    b.set(c.slot(part.set_slot))
                past_list(b, at)
            else:
                b.load()
                c.assign(part.binder.slot)
                past_word(b, at)
