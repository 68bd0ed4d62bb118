"""Generates the search for the options of a question, in their order.

An alternative has parts; its options are the product of the candidates of the parts, in the order
listed, the last part varying fastest. A guard is evaluated as soon as the parts it needs are bound.
A part that is a set enumerates the subsets of the members that pass, by size and then in the order
listed. Of indistinguishable pieces the first stands for all.

An option is stored as the number of the alternative and its parts: a word for a value, and three
for a set, which are the address of a list and a mask of the members chosen, the highest bit for the
first (all bits: the whole list).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import takewhile
from math import prod
from operator import or_

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.cost import Listing, PartCost
from lawspeaker.ir.open_parts import is_answered_in_words, is_counted, open_parts
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.walk import slots_read
from lawspeaker.machines.compiled.compile import binders, combinations, locations, members
from lawspeaker.machines.compiled.compile.binders import Counting
from lawspeaker.machines.compiled.compile.equal_pieces import (
    Distinct,
    like_the_one_before,
)
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Chosen
from lawspeaker.machines.compiled.compile.static_options import Beforehand, Mark
from lawspeaker.machines.compiled.compile.subset_tables import Run
from lawspeaker.machines.compiled.compile.supposing import once
from lawspeaker.machines.compiled.runtime import lists, subsets
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.question import Question, offsets
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.guards import GuardPlan
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.lower.paths import conditions, paths
from lawspeaker.machines.lower.sharing import shared
from lawspeaker.machines.middle.forms import (
    I64,
    Expr,
    Function,
    Variable,
    const,
    greater,
    lesser,
    long_at,
    not_,
    word,
)
from lawspeaker.machines.planned.places import MASK_BITS
from lawspeaker.machines.planned.questions import PER_OPTION, SMALL, Subsets, with_tests
from lawspeaker.machines.planned.sets import as_one

MOST_WRITTEN_OUT = 64
"""At most so many options are unrolled."""

Complete = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Found:
    """The guards of the subsets of a part, limits of their size, and the cost of each subset."""

    guards: list[ir.Expr]
    limits: Sequence[ir.Expr]
    way: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """State of the search for a path: the number of the alternative that may end now, whether any
    option has reached that length, and the extra cost of testing ends over going on."""

    wanted: Variable
    reached: Variable
    more: Variable


class Options:
    """Generator of the options of one question. `plans` says when the guards of each alternative
    are evaluated. `costs`: the costs of its parts that are charged during the search, unless they
    are charged at once. `begun`: the search of the first part is charged already."""

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
        self.stride = Question(c.clause, ask).stride
        self.at = c.local()
        self._writes = False
        self._known: Beforehand | None = None
        self._few = most_options(c, ask) <= MOST_OPTIONS
        self._fit()

    def _fit(self) -> None:
        """Checks that the options fit into memory. Their number is tested only after each run of
        the last part, so the region has room for one more run."""
        parts = [part for each in self.ask.alternatives for part in each.parts]
        run = max((self.c.unit.bounds.members(part.binder.source) for part in parts), default=0)
        sizes = self.c.plan.sizes
        if not sizes.together and self.stride * (MOST_OPTIONS + run) > sizes.options:
            raise self.c.unit.too_large("a question in them has too many parts")

    @property
    def has_sets(self) -> bool:
        """Whether an option has a part that is a set."""
        return any(part.several for each in self.ask.alternatives for part in each.parts)

    # ------------------------------------------------------------ enumeration

    def write_down(self, start: Variable) -> None:
        """Stores all options from `start` on."""
        self.c.f.set(self.at, start)
        self._writes = True
        self.search_all(lambda number, alternative: Writer(self, number, alternative))

    def write_only(self, start: Variable, run: Run) -> None:
        """Stores the chosen option of a run, if it may be read later."""
        c, f = self.c, self.c.f
        [alternative] = self.ask.alternatives
        if c.unit.purpose.watching:
            f.set(self.at, start)
            [part] = alternative.parts
            c.slots[part.set_slot] = run.chosen
            Writer(self, 0, alternative)()
        elif not self.ask.must:
            f.set(word(start), 0)

    def search_all(self, complete: Callable[[int, ir.Alternative], Complete]) -> None:
        """Emits `complete` of each alternative for each of its options."""
        alternatives = self.ask.alternatives
        with once(self.c, self.ask):
            for numbers in paths(alternatives, self.plans, self.costs):
                ends = [complete(number, alternatives[number]) for number in numbers]
                if len(numbers) == 1:
                    self.search(numbers, ends)
                else:
                    self._search_path(numbers, ends)

    def _search_path(self, numbers: range, ends: Sequence[Complete]) -> None:
        """Searches paths by length, the shortest first, as long as any path of a length exists. The
        cost is that of trying all lengths, since longer ones are searched in vain."""
        f, left = self.c.f, self.c.unit.left
        path = Lengths(f.let("wanted", numbers[0]), f.variable("reached"), f.variable("more", I64))
        with f.loop() as found:
            f.set(path.reached, 0)
            f.set(path.more, 0)
            before = f.let("before", left)
            self.search(numbers, ends, path)
            f.add(path.wanted, 1)
            f.leave(found, path.wanted > numbers[-1])
            with f.if_(not_(path.reached)):
                others = (const(numbers[-1] + 1) - path.wanted).to_long()
                rest = f.let("rest", left - others * (before - left - path.more))
                with f.if_(rest >= 0):
                    f.set(left, rest)
                    f.leave(found)

    def search(self, numbers: range, ends: Sequence[Complete], path: Lengths | None = None) -> None:
        """Emits the matching element of `ends` for each option; the parts are in their slots. The
        alternatives of a path share the code of the longest."""
        c, f, longest = self.c, self.c.f, self.ask.alternatives[numbers[-1]]
        parts, limits = longest.parts, self.plans[numbers[-1]].limits
        guards = self._guards(numbers[-1])

        def settled(several: Sequence[ir.Expr], at: int) -> list[ir.Expr]:
            left, before = c.unit.hoisting.settled(several, longest, at, c.names)
            for slot, value in before:
                f.set(c.slot(slot), c.value(value))
            return left

        def from_part(at: int, guards: list[list[ir.Expr]]) -> None:
            if at == len(parts):
                ends[-1]()
                if not at:
                    self._check_number(self.ask.span)
                return
            shorter = at - len(parts) - 1 + len(numbers)
            if path is None or shorter < 0:
                look_through(at, guards)
                return
            with f.if_(path.wanted == numbers[shorter]):
                f.set(path.reached, 1)
                self._end_early(numbers[shorter], len(guards[at]), ends[shorter])
            with f.else_():
                look_through(at, guards)

        def look_through(at: int, guards: list[list[ir.Expr]]) -> None:
            self._pay_for(numbers, at, path)
            guards = [settled(some, at) for some in guards]
            part, complete = parts[at], ends[-1]
            last = at == len(parts) - 1
            then: Complete = lambda: from_part(at + 1, guards)  # noqa: E731
            counting = None
            if last and isinstance(complete, Writer | Mark):
                counting = complete.counting
            if part.several:
                own = settled([each.condition for each in longest.member_guards[at]], at)
                found = Found(guards[at + 1], limits[at], self._cost(numbers[-1], at).way)
                self._sets(part, own, found, then, counting)
            else:
                later = [part.binder for part in parts[at + 1 :]]
                later_guards = [guard for some in guards[at + 1 :] for guard in some]
                weight = PER_OPTION + c.unit.rooms.weight_of((*later, *later_guards))
                many = prod(c.unit.bounds.members(each.source) for each in (part.binder, *later))
                if later and many > MOST_WRITTEN_OUT:  # inner parts would be unrolled as well
                    weight *= many
                self._members(part, guards[at + 1], then, weight, counting)
            if last or path is not None:
                self._check_number(part.binder.span)

        with f.block() as refused:
            for condition in guards[0]:
                c.unless(condition, refused)
            from_part(0, guards)

    def _end_early(self, number: int, asked: int, complete: Complete) -> None:
        """Ends a path before the longest one: tests the guards of its alternative alone, after the
        `asked` shared ones."""
        with self.c.f.block() as refused:
            for condition in self._guards(number)[-1][asked:]:
                self.c.unless(condition, refused)
            complete()

    def _guards(self, number: int) -> list[list[ir.Expr]]:
        """Returns the guards to test before the first part is chosen, after it, after the second
        …"""
        return conditions(self.ask.alternatives[number], self.plans[number])

    def _cost(self, number: int, at: int) -> PartCost:
        """Returns the cost of the search of a part of an alternative."""
        return PartCost(0) if self.costs is None else self.costs[number][at]

    def _pay_for(self, numbers: range, at: int, path: Lengths | None) -> None:
        """Charges for the search of a part. The last part of a path has a price of its own."""
        f, part = self.c.f, self.ask.alternatives[numbers[-1]].parts[at]
        ending = at - len(self.ask.alternatives[numbers[-1]].parts) + len(numbers)
        going_on, first = self._cost(numbers[-1], at), not at and self.begun
        last = going_on if ending < 0 else self._cost(numbers[ending], at)
        if path is None or last == going_on:
            self._pay(part, going_on, first=first)
            return
        with f.if_(path.wanted == numbers[ending]):
            self._pay(part, last, first=first)
            if not first:
                f.add(path.more, last.look - going_on.look)
        with f.else_():
            self._pay(part, going_on, first=first)

    def _pay(self, part: ir.Part, cost: PartCost, *, first: bool) -> None:
        """Charges for the search of a part. Of the first one only the pieces are left to charge."""
        c, span, look = self.c, part.binder.span, 0 if first else cost.look
        if cost.piece:
            c.pay_for_each(members.size(c, part.binder.source), cost.piece, span, look)
        else:
            c.pay(look, span, look)

    def _members(
        self,
        part: ir.Part,
        guards: list[ir.Expr],
        then: Complete,
        weight: int,
        counting: Counting | None,
    ) -> None:
        """Emits `then` for each candidate of a part; the guards are tested with the part's
        condition."""
        c, f = self.c, self.c.f
        binder = with_tests(part.binder, shared(guards, c.folder.constant))
        told_apart = Distinct(c, binder)
        told_apart.begin()

        def passed() -> None:
            with f.block() as refused:
                told_apart.unless_new(c.slot(binder.slot), refused)
                then()

        if told_apart.type is not None:
            counting = None
        if self._known is not None:
            binders.each_of_few(c, binder, self._known.members(part), passed, counting)
            return
        whole = self.begun  # otherwise only existence matters
        binders.found(c, binder, passed, None, weight, counting=counting, to_the_end=whole)

    def _sets(
        self,
        part: ir.Part,
        own: list[ir.Expr],
        found: Found,
        then: Complete,
        counting: Counting | None,
    ) -> None:
        """Iterates over the subsets of the members that pass."""
        c, f, guards = self.c, self.c.f, found.guards
        before = f.let("top", c.unit.top)
        passing = with_tests(part.binder, own)
        fixed = binders.fixed_list(c, passing)
        listed = f.let("listed", _kept_list(c, passing) if fixed is None else fixed)
        low, high = self._limits(part, listed)
        self._restrict(part, found, (listed, low, high))
        if c.unit.questions.are_few(part):
            self._small_sets(part, guards, then, Run(c, listed, low, high), counting)
        elif counting is not None and c.unit.questions.come_sorted(passing, c.names):
            # Usually there are few members, so that case has a fast path.
            with f.if_(word(listed) <= SMALL):
                equal = like_the_one_before(c, listed)
                run = Run(c, listed, low, high, equal)
                self._small_sets(part, guards, then, run, counting)
            with f.else_():
                self._large_sets(part, guards, then, (listed, low, high))
        else:
            self._large_sets(part, guards, then, (listed, low, high))
        f.set(c.unit.top, before)

    def _large_sets(
        self,
        part: ir.Part,
        guards: list[ir.Expr],
        then: Complete,
        given: tuple[Variable, Variable, Variable],
    ) -> None:
        """Iterates over the subsets of many members."""
        c, f, binder = self.c, self.c.f, part.binder
        room, count = c.unit.bounds.members(binder.source), f.let("count", 0)

        def tried() -> None:
            f.add(count, 1)
            c.fault_when(count > MOST_OPTIONS, messages.TOO_MANY_OPTIONS, binder.span)
            with f.block() as refused:
                for guard in guards:
                    c.unless(guard, refused)
                then()

        told_apart = c.unit.questions.told_apart(binder)
        combinations.of_sizes(c, room, given, part.set_slot, tried, told_apart)

    def _small_sets(
        self,
        part: ir.Part,
        guards: list[ir.Expr],
        then: Complete,
        run: Run,
        counting: Counting | None,
    ) -> None:
        """Iterates over the subsets of few members."""
        c, f = self.c, self.c.f

        def passed() -> None:
            if counting is not None and (guards or run.equal is not None):
                if not guards:
                    counting(run.stands_for_itself())
                    return
                if (holds := c.straight(as_one(guards))) is not None:
                    counting(run.stands_for_itself() & holds)
                    return
            with f.block() as refused:
                if run.equal is not None:
                    f.leave(refused, not_(run.stands_for_itself()))
                for guard in guards:
                    c.unless(guard, refused)
                then()

        with c.keeping(part.set_slot, run.chosen):
            run.each(passed)

    def beforehand(self) -> Beforehand:
        """Returns the options as a bit set over options known at compile time; they are not
        stored."""
        found = self._known = Beforehand(self.c, self.ask, self.stride)
        with self.c.scoped():
            for number, alternative in enumerate(self.ask.alternatives):
                self.search(range(number, number + 1), [Mark(found, number, alternative)])
        self._known = None
        return found

    def run(self, plan: Subsets) -> Run:
        """Returns the options as a run of the table of small subsets; they are not stored."""
        c, [alternative], [asked] = self.c, self.ask.alternatives, self.plans
        [part] = alternative.parts
        listed = c.f.let("listed", binders.listed(c, plan.binder, plan.members))
        low, high = self._limits(part, listed)
        way = 0 if self.costs is None else self.costs[0][0].way
        self._restrict(part, Found([], asked.limits[0], way), (listed, low, high))
        return Run(c, listed, low, high)

    def _restrict(
        self, part: ir.Part, found: Found, given: tuple[Variable, Variable, Variable]
    ) -> None:
        """Lowers the greatest subset size by the limits of guards, and charges for all remaining
        subsets."""
        c, f = self.c, self.c.f
        listed, low, high = given
        for most in found.limits:
            f.set(high, lesser(f.let("most", c.scoped_value(most)), high))
        if found.way:
            ways = subsets.ways(c.unit)(word(listed), low, high)
            c.pay_for_each(ways, found.way, part.binder.span)

    def _limits(self, part: ir.Part, listed: Variable) -> tuple[Variable, Variable]:
        """Returns the least and the greatest number of members to choose."""
        c, f = self.c, self.c.f
        low = f.let("low", 0)
        if part.least is not None:
            f.set(low, greater(0, f.let("least", c.scoped_present(part.least))))
        high = f.let("high", word(listed))
        if part.most is not None:
            most = f.let("most", c.scoped_present(part.most))
            f.set(high, lesser(greater(0, most), high))
        return low, high

    def _check_number(self, span: Span) -> None:
        """Faults if there are too many options, counting those of all who are asked together;
        tested after each run of the last part."""
        if not self._writes or self._few:
            return
        written = self.at - self.c.plan.options
        too_many = written.above(MOST_OPTIONS * self.stride)
        self.c.fault_when(too_many, messages.TOO_MANY_OPTIONS, span)

    def hidden(self) -> Expr:
        """Returns whether the options may depend on hidden information."""
        c = self.c
        chosen = {part.binder.slot for alt in self.ask.alternatives for part in alt.parts}
        private = [
            place
            for place in self.ask.private
            if is_counted(c.program.families, place) and chosen.isdisjoint(slots_read(place))
        ]
        if len(private) < len(self.ask.private):
            return const(1)

        def is_taken(place: ir.Expr) -> Expr:
            return not_(locations.is_empty_in(locations.family_of(c, place.type), c.present(place)))

        taken = c.f.in_order(*(partial(is_taken, place) for place in private))
        return reduce(or_, taken, const(0))

    def unforced(self) -> Expr:
        """Returns whether not everyone can see that there is at most one answer."""
        c = self.c

        def is_open(place: ir.Expr, least: ir.Expr, most: ir.Expr) -> Expr:
            family = locations.family_of(c, place.type)
            count, low, high = c.f.in_order(
                lambda: locations.count_in(family, c.present(place)),
                lambda: c.scoped_present(least),
                lambda: c.scoped_present(most),
            )
            return (count > low) & (high > 0)

        if is_answered_in_words(self.ask):
            return const(1)
        parts = open_parts(c.program.families, self.ask)
        return reduce(or_, c.f.in_order(self.hidden, *(partial(is_open, *each) for each in parts)))


def most_options(c: Code, ask: ir.Ask) -> int:
    """Returns an upper bound of the number of options of a question."""
    bounds, total = c.unit.bounds, 0
    for alternative in ask.alternatives:
        number = 1
        for part in alternative.parts:
            room = bounds.members(part.binder.source)
            number *= 2 ** min(room, MASK_BITS) if part.several else room
        total += number
    return total if ask.each is None else total * c.layout.players


class Writer:
    """Stores an option at the end of the list."""

    def __init__(self, options: Options, number: int, alternative: ir.Alternative) -> None:
        self.c = options.c
        self.options = options
        self.number = number
        self.alternative = alternative

    def __call__(self) -> None:
        self._write()
        self.c.f.add(self.options.at, self.options.stride)

    def counting(self, holds: Expr) -> None:
        """Stores the option unconditionally, and advances the end only if `holds` is 1."""
        holds = self.c.f.let("holds", holds)
        self._write()
        self.c.f.add(self.options.at, holds * self.options.stride)

    def _write(self) -> None:
        c, f, at = self.c, self.c.f, self.options.at
        f.set(word(at), self.number)
        for part, offset in zip(self.alternative.parts, offsets(self.alternative), strict=True):
            if not part.several:
                f.set(word(at, offset), c.slot(part.binder.slot))
                continue
            kept = c.slots.get(part.set_slot)
            if isinstance(kept, Chosen):
                f.set(word(at, offset), kept.listed)
                f.set(long_at(at, offset + 4), kept.mask)
            else:
                f.set(word(at, offset), lists.keep(c.unit)(c.slot(part.set_slot)))
                f.set(long_at(at, offset + 4), -1)


def _kept_list(c: Code, binder: ir.Binder) -> Expr:
    """Materialises all that a binder finds in the region for sets of options."""
    f, slot, kept = c.f, c.slot(binder.slot), c.unit.kept
    room = c.unit.bounds.members(binder.source)
    at = f.let("at", kept)
    end = f.let("end", at)
    no_room = (at + 4 * (room + 1)).above(c.plan.sets_end)
    c.fault_when(no_room, messages.NO_ROOM, binder.span)

    def add() -> None:
        f.add(end, 4)
        f.set(word(end), slot)

    binders.found(c, binder, add)
    f.set(word(at), (end - at) >> 2)
    f.set(kept, end + 4)
    return at


def possible(c: Code, expr: ir.Possible) -> Expr:
    """Returns whether the question that opens a clause has any option."""
    clause = c.program.clauses[expr.clause]
    arguments = c.arguments(expr.arguments, clause.slots)
    return c.f.let("possible", _possible(c.unit, clause)(*arguments))


def _possible(unit: Unit, clause: ir.Clause) -> Function:
    ask = clause.opening_question
    assert ask is not None

    def write(f: OperandBody) -> None:
        c = Code(unit, f, clause.index)
        c.slots.update(enumerate(f.parameters))
        before = f.let("top", unit.top)
        for each in takewhile(lambda each: each is not ask, clause.body):
            assert isinstance(each, ir.SetLocal)
            f.set(c.slot(each.slot), c.value(each.value, clause.slots[each.slot].type))
        answer = f.let("possible", 1)
        with f.block() as there:
            plans = unit.operation(clause.index, ask, Kind.ASK).guards
            costs = unit.costs.opening(clause.index)
            options = Options(c, ask, plans, costs, begun=False)
            options.search_all(lambda number, alternative: lambda: f.leave(there))
            f.set(answer, 0)
        f.set(unit.top, before)
        f.return_(answer)

    return unit.made(unit.key("possible", clause), clause.parameters, 1, write)
