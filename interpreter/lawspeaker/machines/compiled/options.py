"""What a player may choose: code that goes through the options of a question, in order.

An alternative has parts; its options are the product of what the parts may be, in the order
listed, the last part running fastest. A guard is asked as soon as the parts it needs are bound. A
part that is a set runs through the subsets of the members that pass, by size and then in the order
listed. Of pieces that nobody can tell apart the first stands for all.

An option is written down as the number of the alternative and its parts: a word for a value, and
three for a set, which are the address of a list and a mask of the members chosen, the highest bit
for the first (all bits: the whole list).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.cost import MOST_OPTIONS, Listing, PartCost
from lawspeaker.ir.open_parts import is_counted, open_parts
from lawspeaker.ir.walk import slots_read
from lawspeaker.machines.compiled import (
    binders,
    lists,
    locations,
    members,
    static_options,
    subsets,
    value_calls,
)
from lawspeaker.machines.compiled.binary import I32, Function
from lawspeaker.machines.compiled.equal_pieces import (
    Distinct,
    come_sorted,
    like_the_one_before,
    type_told_apart,
)
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.hoisting import Hoisting
from lawspeaker.machines.compiled.kept_sets import Chosen
from lawspeaker.machines.compiled.plan import MASK_BITS
from lawspeaker.machines.compiled.stack import Stack
from lawspeaker.machines.compiled.static_options import Beforehand, Mark
from lawspeaker.machines.compiled.subset_tables import Run
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.guards import GuardPlan
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Expr, Variable, word

_SET_WORDS = 3


def offsets(alternative: ir.Alternative) -> list[int]:
    """Where the parts of an option are, in bytes from its beginning."""
    found, at = [], 4
    for part in alternative.parts:
        found.append(at)
        at += 4 * (_SET_WORDS if part.several else 1)
    return found


def stride(ask: ir.Ask) -> int:
    """How many words an option has."""
    return 1 + max(
        (
            sum(_SET_WORDS if part.several else 1 for part in alternative.parts)
            for alternative in ask.alternatives
        ),
        default=0,
    )


Complete = Callable[[], None]
Counting = Callable[[Expr], None]
"""Does the same given 1, and nothing given 0."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is asked of the subsets of a part, how many members they may have, and what each is paid
    with."""

    guards: list[ir.Expr]
    limits: Sequence[ir.Expr]
    way: int


class Options:
    """The options of one question, in the code of a clause. `plans` says when the guards of each
    alternative are asked. `costs` is what its parts are paid with while they are looked through,
    where that is not paid for at once. `begun`: looking through the first is paid for."""

    def __init__(
        self,
        c: Code,
        ask: ir.Ask,
        plans: Sequence[GuardPlan],
        costs: Listing | None,
        *,
        begun: bool = True,
    ) -> None:
        self.c = c
        self.ask = ask
        self.plans = plans
        self.costs = costs
        self.begun = begun
        self.stride = 4 * stride(ask)
        self.at = c.local()
        self._writes = False
        self._few = most_options(c, ask) <= MOST_OPTIONS
        self._fit()

    def _fit(self) -> None:
        """Whether there are too many is looked at now and then, so there is room for some more."""
        parts = [part for each in self.ask.alternatives for part in each.parts]
        run = max((self.c.unit.bounds.members(part.binder.source) for part in parts), default=0)
        sizes = self.c.plan.sizes
        if not sizes.together and self.stride * (MOST_OPTIONS + run) > sizes.options:
            raise self.c.unit.too_large("a question in them has too many parts")

    @property
    def has_sets(self) -> bool:
        """Whether an option speaks of a set."""
        return any(part.several for each in self.ask.alternatives for part in each.parts)

    # ------------------------------------------------------------ going through them

    def write_down(self, start: Variable) -> None:
        """Writes all options down, from the end of those found so far on."""
        b = self.c.b
        b.get(start)
        b.set(self.at)
        for number, alternative in enumerate(self.ask.alternatives):
            self._writes = True
            self.search(number, alternative, Writer(self, number, alternative))

    def write_only(self, start: Variable, run: Run) -> None:
        """Writes down the option that was chosen of a run, where somebody may look at it."""
        c, b = self.c, self.c.b
        [alternative] = self.ask.alternatives
        if c.unit.watching:
            b.get(start)
            b.set(self.at)
            [part] = alternative.parts
            c.slots[part.set_slot] = run.chosen
            Writer(self, 0, alternative)()
        elif not self.ask.must:
            b.get(start)
            b.const(0)
            b.store()

    def search(self, number: int, alternative: ir.Alternative, complete: Complete) -> None:
        """Does `complete` for each way to choose an alternative; the parts are in their slots."""
        b = self.c.b
        guards, limits = self._guards(number, alternative), self.plans[number].limits
        hoisting = Hoisting(self.c, alternative)
        costs = None if self.costs is None else self.costs[number]

        def from_part(at: int, guards: list[list[ir.Expr]]) -> None:
            if at == len(alternative.parts):
                complete()
                if not at:
                    self._check_number(self.ask.span)
                return
            cost = None if costs is None else costs[at]
            if cost is not None:
                self._pay(alternative.parts[at], cost, first=not at and self.begun)
            guards = [[hoisting.settled(guard, at) for guard in some] for some in guards]
            part = alternative.parts[at]
            last = at == len(alternative.parts) - 1
            then: Complete = lambda: from_part(at + 1, guards)  # noqa: E731
            counting = None
            if last and isinstance(complete, Writer | Mark):
                counting = complete.counting
            if part.several:
                own = [
                    hoisting.settled(guard.condition, at) for guard in alternative.member_guards[at]
                ]
                found = Found(guards[at + 1], limits[at], 0 if cost is None else cost.way)
                self._sets(part, own, found, then, counting)
            else:
                later = [part.binder for part in alternative.parts[at + 1 :]]
                later_guards = [guard for some in guards[at + 1 :] for guard in some]
                weight = value_calls.written_weight(self.c.unit, *later, *later_guards)
                self._members(part, guards[at + 1], then, 20 + weight, counting)
            if last:
                self._check_number(part.binder.span)

        with b.block() as refused:
            for condition in guards[0]:
                self.c.unless(condition, refused)
            from_part(0, guards)

    def _guards(self, number: int, alternative: ir.Alternative) -> list[list[ir.Expr]]:
        """The guards to ask before the first part is chosen, after it, after the second …"""
        return [
            [alternative.guards[guard].condition for guard in some]
            for some in self.plans[number].asked
        ]

    def _pay(self, part: ir.Part, cost: PartCost, *, first: bool) -> None:
        """Pays for looking through a part. Of the first one only the pieces are left to pay for."""
        c, span, look = self.c, part.binder.span, 0 if first else cost.look
        if cost.piece:
            c.pay_for_each(members.size(c, part.binder.source), cost.piece, span, look)
        else:
            c.pay(look, span)

    def _members(
        self,
        part: ir.Part,
        guards: list[ir.Expr],
        then: Complete,
        weight: int,
        counting: Counting | None,
    ) -> None:
        """The guards are asked as if they belonged to the condition of the part."""
        c, b = self.c, self.c.b
        where = part.binder.where
        for guard in guards:
            where = guard if where is None else ir.And(guard.type, where, guard)
        binder = replace(part.binder, where=where)
        told_apart = Distinct(c, binder)
        told_apart.begin()

        def passed() -> None:
            with b.block() as refused:
                told_apart.unless_new(c.slot(binder.slot), lambda: b.br(refused))
                then()

        if told_apart.type is not None:
            counting = None
        binders.found(c, binder, passed, None, weight, counting=counting)

    def _sets(
        self,
        part: ir.Part,
        own: list[ir.Expr],
        found: Found,
        then: Complete,
        counting: Counting | None,
    ) -> None:
        """Through the subsets of the members that pass."""
        c, b, guards = self.c, self.c.b, found.guards
        before, listed, low, high = (c.local() for _ in range(4))
        b.get(c.unit.top)
        b.set(before)
        passing = _passing(part, own)
        fixed = binders.fixed_list(c, passing)
        if fixed is None:
            _push_kept(c, passing)
        else:
            b.push(fixed)
        b.set(listed)
        self._limits(part, listed, low, high)
        self._restrict(part, found, (listed, low, high))
        if _are_few(c, part):
            self._small_sets(part, guards, then, Run(c, listed, low, high), counting)
        elif counting is not None and come_sorted(c, passing):
            # There may be many, but mostly there are few.
            b.get(listed)
            b.load()
            b.const(subsets.SMALL)
            b.op("i32.le_s")
            with b.if_():
                equal = like_the_one_before(c, listed)
                run = Run(c, listed, low, high, equal)
                self._small_sets(part, guards, then, run, counting)
                b.else_()
                self._large_sets(part, guards, then, (listed, low, high))
        else:
            self._large_sets(part, guards, then, (listed, low, high))
        b.get(before)
        b.set(c.unit.top)

    def _large_sets(
        self,
        part: ir.Part,
        guards: list[ir.Expr],
        then: Complete,
        given: tuple[Variable, Variable, Variable],
    ) -> None:
        """Through the subsets of many members."""
        c, b, binder = self.c, self.c.b, part.binder
        listed, low, high = given
        room = c.unit.bounds.members(binder.source)
        control = c.reserve(subsets.words(room))
        for each in (control, listed, low, high):
            b.get(each)
        b.const(room)
        b.call(subsets.begin(c.unit, type_told_apart(c, binder)))
        count = c.local()
        by_mask = room <= MASK_BITS
        outer = c.slots.get(part.set_slot)
        chosen = Chosen(listed, c.long())
        # The slot itself is left alone: what is tried out here may not be what is chosen.
        tried = c.local()
        c.slots[part.set_slot] = chosen if by_mask else tried
        b.const(0)
        b.set(count)
        with b.block() as done, b.loop() as again:
            b.get(control)
            b.call(subsets.following_mask(c.unit) if by_mask else subsets.following(c.unit))
            b.op("i32.eqz")
            b.br_if(done)
            b.get(count)
            b.const(1)
            b.op("i32.add")
            b.tee(count)
            b.const(MOST_OPTIONS)
            b.op("i32.gt_s")
            c.fault_if(messages.TOO_MANY_OPTIONS, binder.span)
            f = b.f
            search = subsets.Search(control)
            if by_mask:
                f.set(chosen.mask, search.mask)
            else:
                f.set(tried, search.result())
            with b.block() as refused:
                for guard in guards:
                    c.unless(guard, refused)
                then()
            b.br(again)
        del c.slots[part.set_slot]
        if outer is not None:
            c.slots[part.set_slot] = outer

    def _small_sets(
        self,
        part: ir.Part,
        guards: list[ir.Expr],
        then: Complete,
        run: Run,
        counting: Counting | None,
    ) -> None:
        """Through the subsets of few members."""
        c, b = self.c, self.c.b
        outer = c.slots.get(part.set_slot)
        c.slots[part.set_slot] = run.chosen

        def passed() -> None:
            if counting is not None and (guards or run.equal is not None):
                run.stands_for_itself()
                first_of_equals = b.pop()
                if not guards:
                    counting(first_of_equals)
                    return
                if (holds := c.straight(binders.all_of(guards))) is not None:
                    counting(first_of_equals & holds)
                    return
            with b.block() as refused:
                if run.equal is not None:
                    run.stands_for_itself()
                    b.op("i32.eqz")
                    b.br_if(refused)
                for guard in guards:
                    c.unless(guard, refused)
                then()

        run.each(passed)
        del c.slots[part.set_slot]
        if outer is not None:
            c.slots[part.set_slot] = outer

    def beforehand(self) -> Beforehand | None:
        """The options as a choice among those known beforehand, if they are: then they need not be
        written down. Otherwise nothing is written."""
        c, mark = self.c, self.c.f.mark()
        if not static_options.may_be(c, self.ask):
            return None
        found = Beforehand(c, self.ask, self.stride)
        self._writes = False
        with c.scoped():
            for number, alternative in enumerate(self.ask.alternatives):
                self.search(number, alternative, Mark(found, number, alternative))
        if found.works:
            return found
        mark.undo()
        return None

    def run(self) -> Run | None:
        """The options as a run of few subsets, if that is all they are: then they need not be
        written down. Otherwise nothing is written."""
        c, ask = self.c, self.ask
        if len(ask.alternatives) != 1 or len(ask.alternatives[0].parts) != 1:
            return None
        [alternative] = ask.alternatives
        [part] = alternative.parts
        if not part.several or not _are_few(c, part) or 0 in alternative.ready:
            return None
        mark, hoisting = c.f.mark(), Hoisting(c, alternative)
        listed, low, high = (c.local() for _ in range(3))
        own = [hoisting.settled(guard.condition, 0) for guard in alternative.member_guards[0]]
        [plan] = self.plans
        fixed = None if any(plan.asked) else binders.fixed_list(c, _passing(part, own))
        if fixed is None:
            mark.undo()
            return None
        c.f.set(listed, fixed)
        self._limits(part, listed, low, high)
        way = 0 if self.costs is None else self.costs[0][0].way
        self._restrict(part, Found([], plan.limits[0], way), (listed, low, high))
        return Run(c, listed, low, high)

    def _restrict(
        self, part: ir.Part, found: Found, given: tuple[Variable, Variable, Variable]
    ) -> None:
        """Where guards say how many members may be chosen, no larger sets are tried. All sets there
        are then are paid for."""
        c, b = self.c, self.c.b
        listed, low, high = given
        for most in found.limits:
            allowed = c.local()
            c.b.push(c.scoped_value(most))
            b.tee(allowed)
            b.get(high)
            b.get(allowed)
            b.get(high)
            b.op("i32.lt_s", "select")
            b.set(high)
        if found.way:
            ways = subsets.ways(c.unit)(word(listed), low, high)
            c.pay_for_each(ways, found.way, part.binder.span)

    def _limits(self, part: ir.Part, listed: Variable, low: Variable, high: Variable) -> None:
        """How many members have to be, and may be, chosen."""
        c, b = self.c, self.c.b
        b.const(0)
        b.set(low)
        if part.least is not None:
            c.b.push(c.scoped_present(part.least))
            b.tee(low)
            b.const(0)
            b.get(low)
            b.const(0)
            b.op("i32.gt_s", "select")
            b.set(low)
        b.get(listed)
        b.load()
        b.set(high)
        if part.most is not None:
            most = c.local()
            c.b.push(c.scoped_present(part.most))
            b.tee(most)
            b.get(high)
            b.get(most)
            b.get(high)
            b.op("i32.lt_s", "select")
            b.set(high)

    def _check_number(self, span: Span) -> None:
        """There may be too many options, those of all who are asked together: looked at after each
        run of the last part."""
        if not self._writes or self._few:
            return
        c, b = self.c, self.c.b
        b.get(self.at)
        b.const(c.plan.options)
        b.op("i32.sub")
        b.const(MOST_OPTIONS * self.stride)
        b.op("i32.gt_u")
        c.fault_if(messages.TOO_MANY_OPTIONS, span)

    def hidden(self) -> None:
        """Whether what is offered may depend on what not everyone can see."""
        c, b = self.c, self.c.b
        chosen = {part.binder.slot for alt in self.ask.alternatives for part in alt.parts}
        private = [
            place
            for place in self.ask.private
            if is_counted(c.program.families, place) and chosen.isdisjoint(slots_read(place))
        ]
        if len(private) < len(self.ask.private):
            b.const(1)
            return
        b.const(0)
        for place in private:
            b.push(locations.is_empty_in(locations.family_of(c, place.type), c.present(place)))
            b.op("i32.eqz", "i32.or")

    def unforced(self) -> None:
        """Whether not everyone can see that there is no more than one answer, if there is not."""
        c, b = self.c, self.c.b
        self.hidden()
        for place, least, most in open_parts(c.program.families, self.ask):
            b.push(locations.count_in(locations.family_of(c, place.type), c.present(place)))
            c.b.push(c.scoped_present(least))
            b.op("i32.gt_s")
            c.b.push(c.scoped_present(most))
            b.const(0)
            b.op("i32.gt_s", "i32.and", "i32.or")


def _passing(part: ir.Part, own: list[ir.Expr]) -> ir.Binder:
    """A part that is a set, with the guards of its members as part of its condition."""
    where = part.binder.where
    for condition in own:
        where = condition if where is None else ir.And(condition.type, where, condition)
    return replace(part.binder, where=where)


def _are_few(c: Code, part: ir.Part) -> bool:
    """Whether all subsets of what a part may be stand in a table."""
    room = c.unit.bounds.members(part.binder.source)
    return room <= subsets.SMALL and type_told_apart(c, part.binder) is None


def most_options(c: Code, ask: ir.Ask) -> int:
    """No more options than this can a question ever have."""
    bounds, total = c.unit.bounds, 0
    for alternative in ask.alternatives:
        number = 1
        for part in alternative.parts:
            room = bounds.members(part.binder.source)
            number *= 2 ** min(room, MASK_BITS) if part.several else room
        total += number
    return total if ask.each is None else total * c.layout.players


class Writer:
    """Writes an option down: where the options are, and how far."""

    def __init__(self, options: Options, number: int, alternative: ir.Alternative) -> None:
        self.c = options.c
        self.options = options
        self.number = number
        self.alternative = alternative

    def __call__(self) -> None:
        self._write()
        self.c.f.add(self.options.at, self.options.stride)

    def counting(self, holds: Expr) -> None:
        """Writes it down in any case, and goes on to the next if that is 1 and not 0."""
        holds = self.c.f.let("holds", holds)
        self._write()
        self.c.f.add(self.options.at, holds * self.options.stride)

    def _write(self) -> None:
        c, b, at = self.c, self.c.b, self.options.at
        b.get(at)
        b.const(self.number)
        b.store()
        for part, offset in zip(self.alternative.parts, offsets(self.alternative), strict=True):
            b.get(at)
            if not part.several:
                b.get(c.slot(part.binder.slot))
                b.store(offset)
                continue
            kept = c.slots.get(part.set_slot)
            if isinstance(kept, Chosen):
                b.get(kept.listed)
            else:
                b.get(c.slot(part.set_slot))
                b.call(lists.keep(c.unit))
            b.store(offset)
            b.get(at)
            if isinstance(kept, Chosen):
                b.get(kept.mask)
            else:
                b.long(-1)
            b.store(offset + 4, "i64.store")


def _push_kept(c: Code, binder: ir.Binder) -> None:
    """Writes down all that a binder finds, among the sets that options speak of."""
    b, at, end, slot = c.b, c.local(), c.local(), c.slot(binder.slot)
    room = c.unit.bounds.members(binder.source)
    b.get(c.unit.kept)
    b.tee(at)
    b.tee(end)
    b.const(4 * (room + 1))
    b.op("i32.add")
    b.const(c.plan.sets_end)
    b.op("i32.gt_u")
    c.fault_if(messages.NO_ROOM, binder.span)

    def add() -> None:
        b.get(end)
        b.get(slot)
        b.store(4)
        b.get(end)
        b.const(4)
        b.op("i32.add")
        b.set(end)

    binders.found(c, binder, add)
    b.get(at)
    b.get(end)
    b.get(at)
    b.op("i32.sub")
    b.const(2)
    b.op("i32.shr_u")
    b.store()
    b.get(end)
    b.const(4)
    b.op("i32.add")
    b.set(c.unit.kept)
    b.get(at)


def possible(c: Code, expr: ir.Possible) -> None:
    """Whether the question with which a clause begins has anything to choose from."""
    clause = c.program.clauses[expr.clause]
    for parameter, argument in enumerate(expr.arguments):
        c.b.push(c.value(argument, clause.slots[parameter].type))
    c.b.call(_possible(c.unit, clause))


def _possible(unit: Unit, clause: ir.Clause) -> Function:
    ask = clause.opening_question
    assert ask is not None

    def write(b: Stack) -> None:
        c = Code(unit, b, clause.index)
        for parameter in range(clause.parameters):
            c.slots[parameter] = b.given[parameter]
        before = c.local()
        b.get(unit.top)
        b.set(before)
        for each in takewhile(lambda each: each is not ask, clause.body):
            assert isinstance(each, ir.SetLocal)
            c.b.push(c.value(each.value, clause.slots[each.slot].type))
            b.set(c.slot(each.slot))
        with b.block(I32) as answered:
            with b.block() as there:
                plans = unit.operation(clause.index, ask, Kind.ASK).guards
                costs = unit.costs.opening(clause.index)
                for number, alternative in enumerate(ask.alternatives):
                    options = Options(c, ask, plans, costs, begun=False)
                    options.search(number, alternative, lambda: b.br(there))
                b.const(0)
                b.br(answered)
            b.const(1)
        b.get(before)
        b.set(unit.top)

    return unit.made(("possible", clause.id), clause.parameters, 1, write)
