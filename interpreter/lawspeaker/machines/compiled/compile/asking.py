"""Generates code for questions to one player, or to several at once.

A question lists its options. If everyone can see that the answer is forced, it is taken at once.
Otherwise the RNG of the seat chooses, or the game waits for the host. The answer is always an
*entry*: the number of an alternative (-1 for none) and a word for each part.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.clauses import ClauseCode
from lawspeaker.machines.compiled.compile.options import Options
from lawspeaker.machines.compiled.compile.set_forms import Listed
from lawspeaker.machines.compiled.compile.static_options import Beforehand
from lawspeaker.machines.compiled.compile.subset_tables import Run
from lawspeaker.machines.compiled.playouts import playout_start, policy, search
from lawspeaker.machines.compiled.runtime import random_players, turns, watching
from lawspeaker.machines.compiled.runtime.journal_code import note
from lawspeaker.machines.compiled.runtime.plan import NONE
from lawspeaker.machines.compiled.runtime.question import Question, offsets
from lawspeaker.machines.compiled.runtime.replies import (
    ALTERNATIVE,
    ASKED,
    HEAD,
    SEAT,
    ReplyEntries,
    append_reply,
    reply_at,
    size_in_reply,
    take_part,
)
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Expr, Label, Variable, const, either, not_, word
from lawspeaker.machines.planned.questions import KnownOptions, Subsets

CHOICE, TOGETHER = 1, 2
"""Values of `pending` for a question to one player and to several."""


def ask(c: ClauseCode, statement: ir.Ask) -> None:
    """Generates a question."""
    question = QuestionCode(c, statement)
    if statement.each is None:
        question.ask_one()
    else:
        question.ask_several(statement.each)


class QuestionCode:
    """Code generator for one question."""

    def __init__(self, c: ClauseCode, statement: ir.Ask) -> None:
        f = c.f
        self.c = c
        self.f = f
        self.statement = statement
        kind = Kind.ASK if statement.each is None else Kind.ASK_ALL
        operation = c.unit.operation(c.clause, statement, kind)
        self.options = Options(c, statement, operation.guards, operation.listing)
        self.offered = c.unit.questions.offered(statement, operation.guards, c.names, waits=c.waits)
        self.run: Run | None = None
        self.known: Beforehand | None = None
        self.start, self.count, self.seat = map(f.variable, ("start", "count", "seat"))
        self.entry, self.alternative = f.variable("entry"), f.variable("alternative")
        self.asked = f.variable("asked")
        self.telling = ReplyEntries(c, statement, self.entry, self.seat, self.alternative)

    # ------------------------------------------------------------ one player

    def ask_one(self) -> None:
        """Generates a question to one player."""
        c, f, statement = self.c, self.f, self.statement
        assert statement.who is not None
        point = c.new_point()
        with f.block() as decided:
            self._skip_if_beyond(point, decided)
            with f.block() as answered:
                self._take_answer(answered, lambda: None)
                with f.block() as asking:
                    self._write_down()
                    self._settle(asking, decided)
                f.set(self.seat, c.seat(statement.who))
                self._choose_or(lambda: self._wait_for_one(point))
                if c.unit.purpose.in_turns:
                    f.set(c.unit.given, 0)
            if c.unit.purpose.stepping:
                f.set(self.seat, c.seat(statement.who))
            f.set(self.asked, 1)
            self._load_alternative()
        self._bodies(self._bind_entry, noting=c.unit.purpose.stepping)

    def _skip_if_beyond(self, point: int, decided: Label) -> None:
        """Branches to `decided` when resuming inside one of the bodies."""
        if self.c.waits:
            self.f.leave(decided, self.c.target.above(point))

    def _take_answer(self, answered: Label, more: Callable[[], None]) -> None:
        """Takes the host's answer if the function is resumed at this question."""
        c, f = self.c, self.f
        if not c.waits:
            return

        def take() -> None:
            f.set(self.entry, c.plan.reply)
            more()
            f.leave(answered)

        c.when_answered(take)

    def _write_down(self, *, anew: bool = True) -> None:
        """Lists the options and counts them, or only counts them where that is enough."""
        c, f, unit = self.c, self.f, self.c.unit
        if anew:
            f.set(self.start, c.plan.options)
            number = self._number_alone()
            if number is not None:
                f.set(self.count, number)
                return
            self._list_all()
        else:
            f.set(self.start, unit.found)
            with c.scoped():
                self.options.write_down(self.start)
            f.set(unit.found, self.options.at)
        f.set(self.count, (self.options.at - self.start) // self.options.stride)

    def _number_alone(self) -> Expr | None:
        """Returns the number of options if choosing one needs no list of them; else None."""
        match self.offered:
            case KnownOptions():
                self.known = self.options.beforehand()
                return self.known.count()
            case Subsets():
                self.run = self.options.run(self.offered)
                return self.run.count()
        return None

    def _list_all(self) -> None:
        """Lists the options of one player in memory."""
        c = self.c
        if self.options.has_sets:
            self.f.set(c.unit.kept, c.plan.sets)
        with c.scoped():
            self.options.write_down(self.start)

    def _settle(self, asking: Label, decided: Label) -> None:
        """Branches to `asking` if the player has to decide; else sets the alternative."""
        c, f, statement = self.c, self.f, self.statement
        f.set(self.asked, 0)
        with f.if_(self.count == 0):
            if statement.must and statement.otherwise is None:
                c.fault(messages.STUCK, statement.span)
            elif statement.must and statement.each is None and c.unit.purpose.stepping:
                with f.if_(self.options.hidden()):
                    self._note_nothing()
            elif not statement.must:
                with f.if_(c.unit.discreet):
                    f.leave(asking, self.options.hidden())
            f.set(self.alternative, -1)
            f.leave(decided)
        if not statement.must:
            f.leave(asking)
            return
        f.leave(asking, self.count != 1)
        f.leave(asking, self.options.unforced())
        if statement.who is not None:
            f.set(self.seat, c.seat(statement.who))
        self._take(const(0))
        self._load_alternative()
        f.leave(decided)

    def _choose_or(self, wait: Callable[[], None]) -> None:
        """Waits for the host, or lets the seat's RNG, a tree search or a policy choose an entry."""
        c, f = self.c, self.f
        if c.unit.purpose.waits:
            with f.if_(turns.has_to_wait(c.unit)):
                wait()
        offered = f.let("offered", self.count if self.statement.must else self.count + 1)
        by_luck = not (c.unit.purpose.searches or c.unit.purpose.guided or c.unit.purpose.in_turns)
        in_one = by_luck and c.unit.purpose.watching and c.plan.sizes.together
        if c.unit.purpose.watching and not in_one:
            watching.choice(c, self.statement, self.seat, offered)
        if c.unit.purpose.searches:
            with f.if_(c.unit.reach == 0):
                c.return_ended()
            if c.unit.purpose.guided:
                with f.if_(policy.is_enough(c.unit)(self.seat)):
                    c.return_ended()
        if c.unit.purpose.searches or c.unit.purpose.guided:
            chosen = self._thought_about(offered)
        elif in_one:
            chosen = f.let("chosen", watching.chosen(c, self.statement, self.seat, offered))
        else:
            choose = turns.choose if c.unit.purpose.in_turns else random_players.choose
            chosen = f.let("chosen", choose(c.unit)(self.seat, offered))
        self._take(chosen)
        if not self.statement.must and self.known is None:
            with f.if_(chosen == self.count):
                f.set(self.entry, self._none())
        if c.unit.purpose.watching:
            watching.used(c, self.statement, self.seat, self.entry)

    def _none(self) -> int:
        """Returns the address of the constant entry for "nothing chosen"."""
        return self.c.plan.constant((-1).to_bytes(4, "little", signed=True))

    def _take(self, number: Expr) -> None:
        """Sets the entry to the option with a number."""
        f = self.f
        if self.known is not None:
            self.known.take(number)
            if self.c.unit.purpose.watching:
                f.set(self.entry, self.known.entry())
        elif self.run is not None:
            if self.c.unit.purpose.watching:
                f.set(self.c.unit.kept, self.c.plan.sets)  # `watching` iterates over the chosen set
            self.run.take(number)
            self.options.write_only(self.start, self.run)
            f.set(self.entry, self.start)
        else:
            f.set(self.entry, self.start + number * self.options.stride)

    def _thought_about(self, offered: Variable) -> Variable:
        """Returns the number of the option chosen by the RNG, a tree search or a policy."""
        c, f, chosen = self.c, self.f, self.f.variable("chosen")
        with f.if_(self._left_to_luck()):
            f.set(chosen, random_players.choose(c.unit)(self.seat, offered))
        with f.else_():
            if self.run is not None or self.known is not None:
                self.options.costs = None  # already charged to the budget
                self._list_all()
            f.set(chosen, self._decided(offered))
        return chosen

    def _left_to_luck(self) -> Expr:
        """Returns whether the RNG makes this choice."""
        unit = self.c.unit
        if not unit.purpose.guided:
            return unit.free
        by_luck = not_(policy.plays(unit, self.seat))
        return by_luck & (unit.free != 0) if unit.purpose.searches else by_luck

    def _decided(self, offered: Variable) -> Expr:
        """Returns the option chosen by the search tree or, beyond it, by the policy."""
        c, unit, given = self.c, self.c.unit, (self.seat, self.start, offered)
        question = Question(c.clause, self.statement)
        if not unit.purpose.guided:
            return search.decide(unit, question)(*given)
        by_policy = policy.choose(unit, question)(*given)
        if not unit.purpose.searches:
            return by_policy
        by_tree = search.decide(unit, question)(*given)
        return either(unit.free, by_policy, by_tree)

    def _wait_for_one(self, point: int) -> None:
        c, f = self.c, self.f
        f.set(word(c.plan.pending), CHOICE)
        f.set(word(c.plan.asked_count), 1)
        self._tell_host(const(0))
        if c.unit.purpose.in_turns:
            turns.note_question(c.unit, f, c.clause, self.statement)
        c.wait(point)

    def _tell_host(self, at: Expr) -> None:
        """Stores the asked seat, its options and their number for the host, `at` bytes behind the
        first."""
        told: list[Expr] = [self.seat, self.start, self.count]
        if self.c.unit.purpose.in_turns:
            told.append(const(int(not self.statement.must)))
        for offset, given in enumerate(told):
            self.f.set(word(at, self.c.plan.asked + 4 * offset), given)

    def _load_alternative(self) -> None:
        if self.statement.must and len(self.statement.alternatives) == 1:
            alternative: Expr = const(0)
        elif self.known is not None:
            alternative = self.known.alternative()
        else:
            alternative = word(self.entry)
        self.f.set(self.alternative, alternative)

    # ------------------------------------------------------------ bodies

    def _bodies(self, bind: Callable[[ir.Alternative], None], *, noting: bool) -> None:
        """Executes the body of the chosen alternative."""
        c, f, statement = self.c, self.f, self.statement
        with f.block() as done:
            for number, alternative in enumerate(statement.alternatives):
                is_chosen = partial(self._is, number)
                with f.if_(c.chosen(is_chosen, c.points(alternative.body))):
                    c.here(partial(self._take_up, number, alternative, bind, noting))
                    c.block(alternative.body)
                    f.leave(done)
            if noting:
                c.here(partial(self.telling.note_entry, self.asked, -1, None))
            if statement.must and statement.each is not None and statement.private:
                c.here(self._note_nothing)
            c.block(statement.otherwise or ())

    def _is(self, number: int) -> Expr:
        return self.alternative == number

    def _note_nothing(self) -> None:
        """Writes the event "cannot choose" to the journal, visible to everyone."""
        note(self.c, "cannot", self.statement.clause, NONE, self.c.layout.everyone)

    def _take_up(
        self,
        number: int,
        alternative: ir.Alternative,
        bind: Callable[[ir.Alternative], None],
        noting: bool,
    ) -> None:
        """Binds the parts of the chosen alternative."""
        if noting:
            self.telling.note_entry(self.asked, number, alternative)
        if self.c.unit.purpose.watching and self.statement.clause != self.c.clause:
            # A window counts once per choice in it.
            self.f.add(word(self.c.plan.times + 4 * self.statement.clause), 1)
        bind(alternative)
        for guard in self.options.plans[number].again:
            self.c.scoped_value(alternative.guards[guard].condition)

    def _bind_entry(self, alternative: ir.Alternative) -> None:
        if self.run is not None:
            [part] = alternative.parts
            self.c.slots[part.set_slot] = self.run.chosen
            return
        if self.known is not None:
            number = self.statement.alternatives.index(alternative)
            for at, part in enumerate(alternative.parts):
                self.c.assign(part.binder.slot, self.known.part(number, at))
            return
        for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
            take_part(self.c, part, self.entry, offset)

    # ------------------------------------------------------------ several players

    def ask_several(self, each: ir.Binder) -> None:
        """Generates a question to several players at once, and the loop over their replies."""
        c, f, statement = self.c, self.f, self.statement
        replies, index = c.slot(statement.replies_slot), c.slot(statement.index_slot)
        point = c.new_point()
        with f.block() as decided:
            self._skip_if_beyond(point, decided)
            with f.block() as answered:
                self._take_answer(answered, self._keep_replies)
                self._ask_each(each, point)
            if statement.first:
                self._forget_others(replies)
            self.telling.note_replies()
            f.set(index, 0 if c.waits else replies + 4)
        with f.loop() as going:

            def following() -> None:
                if c.waits:
                    self._go_by_number(replies, index, going)
                else:
                    self._go_by_place(replies, index, going)
                f.set(c.slot(each.slot), word(self.entry, SEAT))
                f.set(self.alternative, word(self.entry, ALTERNATIVE))

            c.here(following)
            self._bodies(self._bind_reply, noting=False)
        c.clear(statement.replies_slot)
        c.clear(statement.index_slot)

    def _forget_others(self, replies: Variable) -> None:
        """Keeps only the first reply that chose an alternative, or an empty reply if none did."""
        f = self.f
        kept = f.let("kept", replies + 4)
        at = f.let("at", kept)
        end = f.let("end", at + (word(replies) << 2))
        with f.block() as found:
            with f.while_(at.below(end)):
                f.leave(found, word(at, ALTERNATIVE) != -1)
                f.add(at, word(at) << 2)
            f.set(at, kept)
            for offset, value in ((0, HEAD >> 2), (SEAT, 0), (ALTERNATIVE, -1), (ASKED, 0)):
                f.set(word(at, offset), value)
        f.copy(kept, at, word(at) << 2)
        f.set(word(replies), word(kept))

    def _go_by_number(self, replies: Variable, index: Variable, none: Label) -> None:
        """Advances to the next reply by index, which can be saved in a frame."""
        f = self.f
        f.set(self.entry, reply_at(self.c.unit)(replies, index))
        f.leave(none, self.entry == 0)
        f.add(index, 1)

    def _go_by_place(self, replies: Variable, index: Variable, none: Label) -> None:
        """Advances to the next reply by address."""
        f = self.f
        f.set(self.entry, index)
        f.leave(none, self.entry.above(replies + (word(replies) << 2)))
        f.set(index, self.entry + (word(self.entry) << 2))

    def _keep_replies(self) -> None:
        self.c.assign(self.statement.replies_slot, const(self.c.plan.reply))

    def _ask_each(self, each: ir.Binder, point: int) -> None:
        """Asks one player after the other; stores the replies of all, or waits for the host."""
        c, f, statement = self.c, self.f, self.statement
        slot, buffer = c.slot(each.slot), c.buffers[statement.replies_slot]
        f.set(word(c.plan.asked_count), 0)
        out = f.let("out", buffer + 4)
        # Either all replies are chosen inside or none.
        going = f.let("going", turns.goes_on(c.unit) if c.unit.purpose.waits else 1)
        if c.unit.purpose.searches:
            playout_start.begin_several(c.unit, f)
        f.set(c.unit.found, c.plan.options)
        f.set(c.unit.kept, c.plan.sets)
        asked = ir.Filter(ir.SetType(each.type), each, span=statement.span)
        seats, chosen = f.let("seats", c.value(asked)), f.let("chosen", 0)
        ask_one = partial(self._ask_one_of_several, slot, out, going, chosen)
        Listed(seats).each(f, slot, ask_one)
        with f.if_(chosen):
            random_players.refill(c.unit, f)
        if c.unit.purpose.in_turns:
            f.set(c.unit.given, 0)
        if c.unit.purpose.searches:
            playout_start.end_several(c.unit, f)
        f.set(word(buffer), ((out - buffer) >> 2) - 1)
        f.set(c.slot(statement.replies_slot), buffer)
        with f.if_(word(c.plan.asked_count)):
            self._wait_for_several(seats, buffer, out, point)

    def _ask_one_of_several(
        self, slot: Variable, out: Variable, going: Variable, chosen: Variable
    ) -> None:
        """Determines the reply of the player in a slot, or records that he is asked. The budget is
        refilled only after all have chosen."""
        c, f = self.c, self.f
        f.set(self.seat, slot)
        with f.block() as following:
            with f.block() as decided:
                with f.block() as asking:
                    self._write_down(anew=False)
                    self._settle(asking, decided)
                f.set(self.asked, 1)
                with f.if_(going == 0):
                    self._note_asked()
                    f.leave(following)
                left = f.let("left", c.unit.left)
                self._choose_or(f.stop)
                f.set(c.unit.left, left)
                f.set(chosen, 1)
                self._load_alternative()
            with f.if_(self.alternative < 0):
                f.set(self.entry, self._none())
            append = append_reply(c.unit, Question(c.clause, self.statement))
            f.set(out, append(out, self.seat, self.asked, self.entry))

    def _wait_for_several(
        self, seats: Variable, buffer: Variable, out: Variable, point: int
    ) -> None:
        """Passes the determined replies to the host, saves the participants, and waits."""
        c, f = self.c, self.f
        f.copy(c.plan.settled_replies, buffer, out - buffer)
        c.assign(self.statement.replies_slot, seats)
        f.set(word(c.plan.pending), TOGETHER)
        if c.unit.purpose.in_turns:
            turns.note_question(c.unit, f, c.clause, self.statement)
        c.wait(point)

    def _note_asked(self) -> None:
        """Records for the host that this seat is asked, too."""
        count = word(self.c.plan.asked_count)
        self._tell_host(self.f.let("at", count << 4))
        self.f.add(count, 1)

    def _bind_reply(self, alternative: ir.Alternative) -> None:
        c, f = self.c, self.f
        at = f.let("at", self.entry + HEAD)
        for part in alternative.parts:
            if not part.several:
                c.assign(part.binder.slot, word(at))
            elif c.waits:
                c.assign(part.set_slot, at)
            else:
                f.set(c.slot(part.set_slot), at)
            f.add(at, size_in_reply(part, at))
