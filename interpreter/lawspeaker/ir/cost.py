"""Cost model: static bounds of the steps that the budget between two decisions counts.

The cost of an expression is an upper bound, known before a game begins and valid in any position: a
step for each evaluated node, and for iterating over a set `LOOP` steps, and for each possible
member `MEMBER` steps and the cost of its body. A statement, and an iteration of a loop, is `DEED`
steps more. So the cost is independent of optimisations, and every back end with this model stops
the same rules in the same clause, or none.

Costs are charged in advance:

* A clause, when it begins: everything that it does once. Of branches and alternatives, the most
  expensive. A small clause (see `SMALL`) is charged to its caller.
* A loop, for every iteration what its body does once. `for each` charges all iterations when its
  members are listed, the other loops at each iteration.
* A change of the table costs `CHANGE` steps, since it is recorded and announced. If several pieces
  are moved or drawn, each is charged when it is moved.
* A question enumerates the candidates of its parts. If that can be much (see `FLAT`), a part is
  charged whenever it is enumerated, which is once for each choice of the parts before it. Pieces
  in a place are charged by their actual number. A part that is a set is charged for all subsets
  (`ways`).

Bounds can be far from the truth, and nested loops multiply them. So expensive items are not charged
in advance (`HEAVY`, `HEAVY_REGION`, `HEAVY_PART`): a loop inside an expression is charged when its
source is evaluated, for each actual member (`Paid`), and so is one over a range of unknown length;
so is a test whether a question has an answer; and in such expensive parts, each expensive guard
when it is evaluated (`PaidValue`).

The cost of a definition is computed once: definitions that use each other repeatedly take no
exponential time here, but a large number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.bounds import LONGEST, Bounds
from lawspeaker.ir.dependence import Paid, PaidValue
from lawspeaker.ir.subsets import subset_count
from lawspeaker.ir.walk import children, everything

Sizes = tuple[tuple[int, int], ...]
"""The greatest sizes of sets given to a definition, by slot."""
MOST_STEPS = 50_000_000
"""The budget between two decisions. The reference machine takes 1 to 3 seconds for it at the worst;
the costs below are such that no node is much slower than others."""
DEED = 5
"""The steps of a statement, and of an iteration of a loop."""
LOOP = 6
MEMBER = 3
"""The steps of iterating over a set in an expression, and of each of its members."""
ROUND = 5
TRY = 30
"""The steps of each edge in a round of the shortest-path search, and of each step tried by the
longest-path search."""
CHANGE = 1_000
"""The steps of a change of the table."""
TOLD = 100
"""The steps of each member of an announced set."""
PICKED = 30
"""The steps of each member of a set of which one is picked at random."""
FLAT = 10_000
"""A question that costs at most this is charged at once."""
HEAVY = 200_000
"""A loop that can cost more than this is charged when it is evaluated."""
HEAVY_REGION = HEAVY_PART = 20_000
"""The same limit for a region, and for a part of a question, whose bounds are further from the
truth."""
DEAR = 1_000
"""A guard of such a part that costs more than this is charged when it is evaluated."""
SMALL = 3_000
"""A clause that costs at most this is charged to its caller."""
ENDLESS = 2**31 - 1
"""Costs are capped here."""
_SCANNED = 64
"""A step compares so many members with a thing."""


@dataclass(frozen=True, slots=True)
class PartCost:
    """The cost of enumerating a part of an alternative: each time; also for each piece, if its
    source is a place; and for each subset, if it is a set."""

    look: int
    piece: int = 0
    way: int = 0


Listing = tuple[tuple[PartCost, ...], ...]
"""The costs of the parts, for each alternative of a question."""


class Costs:
    """The costs of the expressions and statements of one program, within some bounds."""

    def __init__(self, program: ir.Program, bounds: Bounds) -> None:
        self.program = program
        self.bounds = bounds
        self._known: dict[tuple[object, ...], tuple[object, int]] = {}
        self._functions: dict[tuple[int, Sizes], int] = {}
        self._possible: dict[int, int] = {}
        self._clauses: dict[int, int] = {}
        self._listings: ByNode[Listing] = ByNode()

    # ------------------------------------------------------------ expressions

    def of(self, node: Any) -> int:
        """Returns the cost of evaluating an expression, a tuple of them, or None."""
        if node is None or isinstance(node, ir.Const | ir.Local):
            return 0
        if isinstance(node, PaidValue):
            return 1
        if isinstance(node, tuple):
            return _capped(sum(map(self.of, node)))
        key = (id(node), self.bounds.context)
        if key not in self._known:
            self._known[key] = (node, _capped(1 + self._itself(node)))
        return self._known[key][1]

    def _itself(self, expr: ir.Expr) -> int:
        match expr:
            case ir.Walk(binder=binder, across=across, down=down):
                steps = self.bounds.members(expr) + 1
                return self.of((binder.source, across, down)) + steps * (
                    MEMBER + self.of(binder.where)
                )
            case ir.Region():
                return self._region(expr)
            case ir.Border(of=several):
                each = MEMBER * self.bounds.members(several)
                return self.of(several) + each + self.bounds.members(expr)
            case ir.Every(binder=binder, condition=value):
                return self.through(binder, value)
            case ir.SumOf(binder=binder, value=value) | ir.Collect(binder=binder, value=value):
                return self.through(binder, value)
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self.of(condition) + max(self.of(then), self.of(otherwise))
            case ir.Extreme(binder=binder, value=value, otherwise=otherwise):
                return self.through(binder, value) + self.of(otherwise)
            case ir.PathLength(start=start, goal=goal, binder=binder, otherwise=otherwise):
                ends = sum(self.bounds.members(each) for each in (start, goal) if each is not None)
                asked = self.through(binder, expr.value) + self.of((otherwise, start, goal))
                nodes = self.bounds.things(self.program.networks[expr.network].joins)
                return asked + ends + nodes + self.tries(expr)
            case ir.Count(binder=ir.Binder(source=source, where=None)):
                return self.of(source)
            case (
                ir.Exists(binder=binder)
                | ir.Count(binder=binder)
                | ir.Filter(binder=binder)
                | ir.The(binder=binder)
            ):
                return self.through(binder)
            case ir.Includes(set=several, item=item):
                return self.of((several, item)) + self._scanned(several)
            case ir.Combine(left=left, right=right):
                one, two = self.bounds.members(left), self.bounds.members(right)
                return self.of((left, right)) + one + two + one * two // _SCANNED
            case ir.ItemOf(place=place, at=at):
                return self.of((place, at)) + self._scanned(place)
            case ir.Subsets(least=least, most=most, source=source):
                return self.of((least, most, source)) + self.bounds.members(source)
            case ir.Range() | ir.ListOf() | ir.Occupied() | ir.OpenPlaces():
                return self.of(tuple(children(expr))) + self.bounds.members(expr)
            case ir.Supposing():
                return self.of(tuple(children(expr))) + self._in_place(expr.place.type)
            case ir.Appearances(position=number):
                kept, words = self.program.positions[number].last, self.bounds.words(number)
                return words + kept * (1 + words // _SCANNED)
            case ir.SupposingDone(clause=number):
                return CHANGE + self.of(tuple(children(expr))) + self.supposed(number)
            case ir.CallFunction(function=number, arguments=arguments):
                return self.of(arguments) + self.function(number, self._sizes(arguments))
            case ir.Possible(clause=number, arguments=arguments):
                return self.of(arguments) + self._opening(number)
        return self.of(tuple(children(expr)))

    def through(self, binder: ir.Binder, value: Any = None) -> int:
        """Returns the cost of testing each member, and of evaluating a value for it; if the loop is
        charged at evaluation, only the rest."""
        if isinstance(binder.source, Paid) or self.heavy(binder, value):
            return LOOP + self.of(binder.source)
        return LOOP + self._all_of(binder, self.of_each(binder, value))

    def heavy(self, binder: ir.Binder, value: Any = None) -> int:
        """Returns the cost per member of a loop that is charged at evaluation; else 0."""
        each = self.of_each(binder, value)
        if isinstance(binder.source, ir.Range) and self.bounds.members(binder.source) >= LONGEST:
            return each  # its length is unknown, and seldom the maximum
        return each if self._all_of(binder, each) > HEAVY else 0

    def tries(self, expr: ir.PathLength) -> int:
        """Returns the cost of trying paths in advance: 0, since it is charged at evaluation,
        `ROUND` for each edge in a round of the shortest-path search, and `TRY` for each step tried
        by the longest-path search."""
        return 0

    def _region(self, expr: ir.Region) -> int:
        start = self.of(expr.standing.source)
        if isinstance(expr.step.source, PaidValue) or self.heavy_step(expr):
            return 1 + start
        return start + self.bounds.members(expr) * self._step(expr.step)

    def heavy_step(self, expr: ir.Region) -> int:
        """Returns the cost per member of a region that is charged at evaluation; else 0."""
        each = self._step(expr.step)
        return each if self.bounds.members(expr) * each > HEAVY_REGION else 0

    def _step(self, step: ir.Binder) -> int:
        """Returns the cost of following all steps from one place, and of testing them."""
        return _capped(1 + self._all_of(step, self.of_each(step, None)))

    def of_each(self, binder: ir.Binder, value: Any) -> int:
        """Returns the cost of testing and evaluating each member of a loop."""
        source = binder.source.set if isinstance(binder.source, Paid) else binder.source
        if not isinstance(source, ir.Subsets):
            return MEMBER + self.of(binder.where) + self.of(value)
        largest = self.bounds.largest(source)
        with self.bounds.having(binder.slot, largest):
            return MEMBER + largest + self.of(binder.where) + self.of(value)

    def _all_of(self, binder: ir.Binder, each: int) -> int:
        return self.of(binder.source) + self.bounds.members(binder.source) * each

    def function(self, number: int, sizes: Sizes = ()) -> int:
        """Returns the cost of a definition, without its arguments; `sizes` are those of sets given
        to it, if they are smaller than the bound of their type."""
        key = number, sizes
        if key not in self._functions:
            self._functions[key] = ENDLESS  # recursion is refused elsewhere
            function = self.program.functions[number]
            with self.bounds.inside(function.lets, sizes):
                lets = sum(1 + self.of(value) for _, value in function.lets)
                self._functions[key] = _capped(lets + self.of(function.result))
        return self._functions[key]

    def _sizes(self, arguments: tuple[ir.Expr, ...]) -> Sizes:
        """Returns the sets among some arguments that are smaller than the bound of their type, with
        their greatest size rounded up to a power of two, so that few specialisations exist."""
        found = []
        for at, each in enumerate(arguments):
            if isinstance(each.type, ir.SetType):
                members = self.bounds.members(each)
                size = 1 << max(0, members - 1).bit_length()
                if size < self.bounds.of_set(each.type):
                    found.append((at, size))
        return tuple(found)

    def _scanned(self, several: ir.Expr) -> int:
        of = ir.plain(several.type)
        most = self._in_place(of) if isinstance(of, ir.PlaceType) else self.bounds.members(several)
        return 1 + most // _SCANNED

    def _in_place(self, of: ir.Type) -> int:
        """Returns the most pieces in a place."""
        of = ir.plain(of)
        return self.bounds.held(of.index) if isinstance(of, ir.PlaceType) else 0

    def opening(self, number: int) -> Listing | None:
        """Returns the costs of the parts of the opening question of a clause, when testing whether
        it has an answer; None if that is charged in advance."""
        clause = self.program.clauses[number]
        assert clause.opening_question is not None
        with self.inside(clause):
            heavy = self._all_options(clause.opening_question) > HEAVY
            return self.parts(clause.opening_question) if heavy else None

    def _opening(self, number: int) -> int:
        """Returns the cost in advance of testing whether the question of a clause has an answer."""
        if number not in self._possible:
            self._possible[number] = ENDLESS  # ends the recursion
            clause = self.program.clauses[number]
            ask = clause.opening_question
            assert ask is not None
            before = tuple(takewhile(lambda each: each is not ask, clause.body))
            with self.inside(clause):
                whole = self._all_options(ask)
                asked = whole if whole <= HEAVY else self._before_parts(ask)
                self._possible[number] = _capped(self.once(before) + asked)
        return self._possible[number]

    # ------------------------------------------------------------ statements

    def inside(self, clause: ir.Clause) -> AbstractContextManager[None]:
        """Sets the clause whose slots are used."""
        return self.bounds.inside(_named_sets(clause))

    def clause(self, number: int) -> int:
        """Returns the cost of a clause when it begins; computes its callees first."""
        waiting = [number]
        while waiting:
            at, known = waiting[-1], self._clauses
            clause = self.program.clauses[at]
            if at not in known:
                known[at] = ENDLESS  # recursion is refused elsewhere
                statements = everything(clause.body)
                done = {
                    statement.clause for statement in statements if isinstance(statement, ir.Do)
                }
                waiting += sorted(done - known.keys())
                continue
            waiting.pop()
            if known[at] == ENDLESS:
                with self.inside(clause):
                    known[at] = _capped(1 + self.once(clause.body))
        return self._clauses[number]

    def _entry(self, number: int) -> int:
        """Returns the part of a clause's cost that is charged to the caller."""
        cost = self.clause(number)
        return cost if cost <= SMALL else 0

    def supposed(self, number: int) -> int:
        """Returns the cost in advance of a hypothetical execution."""
        return self._entry(number)

    def once(self, block: ir.Block) -> int:
        """Returns the cost of the statements of a block, each executed once."""
        return _capped(sum(map(self._once, block)))

    def _once(self, statement: ir.Statement) -> int:
        """Returns the cost of a statement without the iterations of a loop, and without what is
        charged per piece."""
        match statement:
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                known = self.bounds.values(condition)
                if known is not None:
                    return max(self.once(then if each else otherwise) for each in known)
                return DEED + self.of(condition) + max(self.once(then), self.once(otherwise))
            case ir.ForEach(binder=binder):
                return DEED + self.of(binder.source)
            case ir.Repeat(times=times):
                return DEED + self.of(times)
            case ir.RepeatUntil(most=most):
                return DEED + self.of(most)
            case ir.Rank(binder=binder, key=key):
                return DEED + self.through(binder, key)
            case ir.Score(who=who, points=points) if isinstance(who.type, ir.SetType):
                each = CHANGE + self.of(points)
                return self.of(who) + self.bounds.members(who) * each
            case ir.Move(what=what, to=to) if isinstance(what.type, ir.SetType):
                return DEED + self.of((what, to))
            case ir.MoveSome(binder=binder, most=most, to=to):
                return DEED + self.through(binder) + self.of(most) + self.of(to)
            case ir.Draw(count=count, otherwise=otherwise):
                one = self._drawn(statement) if count is None else DEED + self.of(count)
                return one + self.once(otherwise or ())
            case ir.Shuffle(place=place):
                return CHANGE + self.of(place) + self._in_place(place.type)
            case ir.Tell(what=what) if isinstance(what.type, ir.SetType):
                told = min(self.bounds.members(what), ir.MOST_TOLD)
                return CHANGE + self.of(tuple(children(statement))) + told * TOLD
            case ir.Pick(binder=binder):
                return CHANGE + self.through(binder) + PICKED * self.bounds.members(binder.source)
            case ir.Do(clause=number, arguments=arguments):
                return DEED + self.of(arguments) + self._entry(number)
            case ir.Finish():
                return 0
            case ir.Remember(position=number):
                return CHANGE + self.bounds.words(number)
            case ir.SetLocal(value=value):
                return DEED + self.of(value)
            case ir.Ask():
                return self._question(statement)
        return CHANGE + self.of(tuple(children(statement)))

    def each(self, statement: ir.Statement) -> int:
        """Returns the cost of each iteration of a loop, each piece drawn, or each of several pieces
        moved; 0 for a statement executed once."""
        match statement:
            case ir.ForEach(binder=binder, body=body):
                return _capped(DEED + self.of(binder.where) + self.once(body))
            case ir.Repeat(body=body) | ir.Rank(body=body):
                return _capped(DEED + self.once(body))
            case ir.RepeatUntil(condition=condition, body=body):
                return _capped(DEED + self.once(body) + self.of(condition))
            case ir.Draw(count=count) if count is not None:
                return self._drawn(statement)
            case ir.Move(what=what) if isinstance(what.type, ir.SetType):
                return CHANGE
            case ir.MoveSome():
                return CHANGE
        return 0

    def _drawn(self, statement: ir.Draw) -> int:
        """Returns the cost of drawing a piece: any of those in the place may be it."""
        return _capped(
            CHANGE
            + self.of((statement.source, statement.to))
            + self._in_place(statement.source.type)
        )

    # ------------------------------------------------------------ questions

    def listing(self, ask: ir.Ask) -> Listing | None:
        """Returns the costs of enumerating the parts of a question; None, if the question is
        charged at once."""
        return None if self._all_options(ask) <= FLAT else self.parts(ask)

    def _question(self, ask: ir.Ask) -> int:
        """Returns the cost of asking a question, and of the bodies."""
        parts = self.parts(ask)
        total = self._all_options(ask)
        if total > FLAT:
            total = self._before_parts(ask) + sum(alt[0].look for alt in parts if alt)
        asked = DEED + total + self.of(ask.private) + self.of(ask.who)
        for alternative in ask.alternatives:
            with self.chosen(alternative):
                asked += sum(self.of(guard.condition) for guard in alternative.guards)
        bodies = [self.once(each.body) for each in ask.alternatives]
        done = DEED + max([*bodies, self.once(ask.otherwise or ())])
        if ask.each is None:
            return asked + done
        return self._all_of(ask.each, self.of_each(ask.each, None) + asked + done)

    def dear(self, alternative: ir.Alternative, at: int) -> bool:
        """Returns whether enumerating a part can cost so much that its expensive guards are charged
        at evaluation."""
        cost = list(self._costs_of_parts(alternative))[at]
        members = self.bounds.members(alternative.parts[at].binder.source)
        return cost.look + members * cost.piece > HEAVY_PART

    def _before_parts(self, ask: ir.Ask) -> int:
        """Returns the cost of the guards before anything is chosen."""
        return sum(1 + self._asked(alt, 0) for alt in ask.alternatives)

    def _asked(self, alternative: ir.Alternative, parts: int) -> int:
        """Returns the cost of the guards evaluated as soon as so many parts are chosen."""
        guards = zip(alternative.guards, alternative.ready, strict=True)
        with self.chosen(alternative):
            return sum(self.of(guard.condition) for guard, ready in guards if ready == parts)

    @contextmanager
    def chosen(self, alternative: ir.Alternative) -> Iterator[None]:
        """Limits the sets of an alternative to the sizes that may be chosen."""
        with ExitStack() as stack:
            for part in alternative.parts:
                if part.several:
                    most = self.bounds.members(part.binder.source)
                    if part.most is not None:
                        most = min(most, max(0, self.bounds.number(part.most)[1]))
                    stack.enter_context(self.bounds.having(part.set_slot, most))
            yield

    def parts(self, ask: ir.Ask) -> Listing:
        """Returns the cost of enumerating each part of a question."""
        known = self._listings.get(ask)
        if known is None:
            known = tuple(tuple(self._costs_of_parts(alt)) for alt in ask.alternatives)
            self._listings[ask] = known
        return known

    def _costs_of_parts(self, alternative: ir.Alternative) -> Iterable[PartCost]:
        for at, part in enumerate(alternative.parts):
            asked, source = 1 + self._asked(alternative, at + 1), part.binder.source
            each, limits, way = asked, 0, 0
            if part.several:
                each = 1 + self.of(
                    tuple(guard.condition for guard in alternative.member_guards[at])
                )
                limits = self.of(part.least) + self.of(part.most)
                way = _capped(asked + self.bounds.members(source))
            each += self.of(part.binder.where)
            look = 1 + self.of(source) + limits
            if isinstance(source, ir.Contents):
                yield PartCost(_capped(look), _capped(each), way)
            else:
                yield PartCost(_capped(look + self.bounds.members(source) * each), 0, way)

    def _all_options(self, ask: ir.Ask) -> int:
        """Returns the cost of a question if every candidate passes."""
        total = self._before_parts(ask)
        for alternative, costs in zip(ask.alternatives, self.parts(ask), strict=True):
            number = 1
            for part, cost in zip(alternative.parts, costs, strict=True):
                members = self.bounds.members(part.binder.source)
                total += number * (cost.look + members * cost.piece)
                if part.several:
                    members = subset_count(members, 0, members)
                    total += number * members * cost.way
                number = _capped(number * members)
        return _capped(total)


def _named_sets(clause: ir.Clause) -> list[tuple[int, ir.Expr]]:
    """Returns the sets assigned to a slot in one place, and nowhere else."""
    given: Counter[int] = Counter()
    named: list[tuple[int, ir.Expr]] = []
    for statement in everything(clause.body):
        if isinstance(statement, ir.SetLocal):
            given[statement.slot] += 1
            named.append((statement.slot, statement.value))
        elif isinstance(statement, ir.Do):
            given.update(ours for _, ours in statement.returns)
    return [(slot, value) for slot, value in named if given[slot] == 1]


def _capped(cost: int) -> int:
    return min(cost, ENDLESS)
