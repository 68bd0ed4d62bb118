"""Planning pass for finding the members of a set.

    every card in hand of player: card is king      Mask: the hand is a mask, the kings are another
    a point where point is empty                    Board: all empty points are a word of bits
    a row where first of row is column              Table: a precomputed list for each column
    one of the three colours                        Unrolled: the body is generated three times
    a card in pile where worth of card > 3          Loop: one after the other

A binder iterates over a set and tests each member. The first tests can often be evaluated for all
members at once: constant ones by a precomputed table, those on places of a small board as a field
(see `whole_board`), a comparison with an attribute by one mask for each value. The remaining tests
(`rest`) are applied to each member that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import Paid, PaidValue
from lawspeaker.ir.walk import bound_slots, everything, rebuilt, slots_read
from lawspeaker.machines.lower.guards import implied
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.fields import Field, Fields, inside
from lawspeaker.machines.planned.patterns import conjuncts
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.whole_board import Everywhere
from lawspeaker.position.layout import Value

AT_ONCE = 4
"""Up to so few members are tested one by one rather than looked up in a table."""
_FEW, _MOST_WRITTEN = 8, 2500
"""Limits of unrolling: the number of members, and of nodes in all."""
Tests = tuple[ir.Expr, ...]
Settled = tuple[tuple[int, ir.Expr], ...]
"""Slots, and the expressions hoisted into them before a region grows."""


@dataclass(frozen=True, slots=True)
class ByTable:
    """A precomputed mask for each value of some slots."""

    slots: list[ir.Local]
    domains: list[range]
    masks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ByValue:
    """The members whose attribute equals an expression evaluated once; the attributes by member."""

    values: tuple[Value, ...]
    wanted: ir.Expr
    of: ir.Type


@dataclass(frozen=True, slots=True)
class ByField:
    """The places in a field; `cost`: the price for each place tested."""

    field: Field
    cost: PaidValue | None


@dataclass(frozen=True, slots=True)
class Mask:
    """Pieces in a heap, which is a mask: bit n is number `first` + n."""

    first: int
    place: ir.Expr
    by: ByTable | ByValue | None
    rest: Tests


@dataclass(frozen=True, slots=True)
class Board:
    """Places of a board as bits: those in a field, narrowed further. `source`: also intersect with
    a set that is found as bits; else the candidates are constant. `in_order`: the costs of tests
    are charged during the iteration, since it may end early, or since later tests are charged,
    too."""

    places: PlacesPlan
    members: int
    source: ir.Expr | None
    paid: Paid | None
    fields: Fields = field(repr=False)
    start: Field
    table: ByTable | None
    by: tuple[ByField | ByValue, ...]
    rest: Tests
    in_order: bool

    @property
    def first(self) -> int:
        return self.places.first


@dataclass(frozen=True, slots=True)
class MemberTable:
    """A precomputed list of members for each value of some slots."""

    slots: list[ir.Local]
    domains: list[range]
    entries: list[tuple[Value, ...]]
    rest: Tests


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A few constant members, for which the body is unrolled."""

    members: tuple[Value, ...]
    rest: Tests


@dataclass(frozen=True, slots=True)
class Loop:
    """Iterates over the source."""

    source: ir.Expr
    rest: Tests


@dataclass(frozen=True, slots=True)
class Flood:
    """A region computed by flood fill over a field; `paid`: the price for each place reached."""

    places: PlacesPlan
    fields: Fields = field(repr=False)
    over: Field
    around: ir.Around
    paid: PaidValue | None
    settled: Settled = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """A region found by search, one member after the other."""

    condition: ir.Expr
    settled: Settled


Masked = Mask | Board
Found = Mask | Board | MemberTable | Unrolled | Loop


@dataclass(frozen=True, slots=True)
class Use:
    """The use of each member: its code size in nodes; whether it can be emitted branch-free for all
    candidates, with 1 for those that pass and 0 for the others; and whether the iteration always
    runs to its end, so that tests can be charged together."""

    weight: int = 0
    counts: bool = False
    to_the_end: bool = False


def few(members: Sequence[Value], weight: int) -> bool:
    """Returns whether to unroll a body of so many nodes over these members."""
    return 0 < len(members) <= _FEW and len(members) * weight <= _MOST_WRITTEN


class Sets:
    """Plans the sets of one program. A plan is cached by binder and naming context; no code is
    emitted."""

    def __init__(self, known: Analyses) -> None:
        self.known = known
        self._tests: dict[tuple[object, ...], tuple[ir.Binder, Tests]] = {}
        self._bits: dict[tuple[object, ...], tuple[object, Masked | None]] = {}
        self._asking: dict[tuple[object, ...], Everywhere] = {}
        self._settling: dict[tuple[object, ...], tuple[object, tuple[ir.Expr, Settled]]] = {}

    def found(self, binder: ir.Binder, names: Names, use: Use) -> Found:
        """Plans the iteration over the members of a binder."""
        bits = self.bits(binder, names, pays=True)
        if bits is not None:
            if isinstance(bits, Board) and any(map(_is_paid, bits.by)):
                return replace(bits, in_order=not (use.to_the_end and _is_free(bits.rest)))
            return bits
        source, tests = self.source(binder, names), self.tests(binder, names)
        known = self.known.folder.constant(source)
        at_once = use.counts and known is not None and len(known[0]) <= AT_ONCE
        table = None if at_once else self._table(binder, names)
        if table is not None:
            return table
        if known is not None and few(known[0], use.weight):
            return Unrolled(known[0], tests)
        return Loop(source, tests)

    def whole(self, binder: ir.Binder, names: Names) -> Masked | None:
        """Returns a plan for all members as bits; None if members need further tests."""
        bits = self.bits(binder, names)
        return bits if bits is not None and not bits.rest else None

    def listed(self, binder: ir.Binder, names: Names) -> MemberTable | None:
        """Returns the precomputed lists of all members, if there are any."""
        known = self.known.folder.constant(self.source(binder, names))
        if known is not None and not self.tests(binder, names):
            return MemberTable([], [], [known[0]], ())
        table = self._table(binder, names)
        return table if table is not None and not table.rest else None

    def source(self, binder: ir.Binder, names: Names) -> ir.Expr:
        """Returns the source of a binder, with names substituted."""
        return self.known.rewriting.meant(binder.source, names.meanings)

    def cost(self, plan: Found, binder: ir.Binder) -> int:
        """Estimates the operations to find all members: a unit for each mask that is read or
        narrowed, and the nodes of the tests applied to each member."""
        rooms, most = self.known.rooms, self.known.bounds.members(binder.source)
        each = 1 + rooms.weight_of(plan.rest)
        match plan:
            case Mask(by=by):
                return 1 + (by is not None) + min(most, 64) * each
            case Board(members=members, table=table, by=steps):
                fields = (step.field for step in steps if isinstance(step, ByField))
                number = len({part for each in (plan.start, *fields) for part in inside(each)})
                return 1 + (table is not None) + number + len(steps) + members * each
            case MemberTable(entries=entries):
                return 1 + max(map(len, entries), default=0) * each
            case Unrolled(members=known):
                return len(known) * rooms.weight_of(plan.rest)
        return rooms.weight_of(binder.source) + most * (1 + each)

    # ------------------------------------------------------------ tests

    def tests(self, binder: ir.Binder, names: Names) -> Tests:
        """Returns the conjuncts of a binder's condition, without those implied by its source;
        definitions that are conjunctions are expanded."""
        key = (id(binder), names.clause)
        if key not in self._tests:
            self._tests[key] = binder, self._asked(binder, names.clause)
        return self._tests[key][1]

    def _asked(self, binder: ir.Binder, clause: int) -> Tests:
        tests = [test for each in conjuncts(binder.where) for test in self._taken_apart(each)]
        left = [
            test
            for test in tests
            if not implied(binder.source, binder.slot, self.known.rewriting.as_written(test))
            or self.leaves_names(test, tests, clause)
        ]
        return tuple(self._fixed_first(left, clause))

    def _fixed_first(self, tests: list[ir.Expr], clause: int) -> list[ir.Expr]:
        """Moves constant tests to the front, so that the members that pass them can be precomputed.
        The order is observable only if a test may fault or binds a name."""
        fixed, can_fault = self.known.depends.fixed, self.known.can_fault
        if all(map(fixed, tests)) or not any(map(fixed, tests)):
            return tests
        if any(
            can_fault.possible(test) or self.leaves_names(test, tests, clause) for test in tests
        ):
            return tests
        return sorted(tests, key=lambda test: not fixed(test))

    def _taken_apart(self, test: ir.Expr) -> list[ir.Expr]:
        written_out = self.known.rewriting.as_written(test)
        if written_out is not test and isinstance(written_out, ir.And):
            return [part for each in conjuncts(written_out) for part in self._taken_apart(each)]
        return [test]

    def leaves_names(self, test: ir.Expr, tests: Sequence[ir.Expr], clause: int) -> bool:
        """Returns whether a test binds a name that is read elsewhere."""
        bound = bound_slots(test)
        if not bound:
            return False
        program, reads = self.known.program, self.known.depends.reads
        own, around = reads(test), Counter(slots_read(tuple(tests)))
        frame = reads(program.clauses[clause].body)
        values = [each for each in program.functions if each.clause == clause]
        for slot in bound:
            elsewhere = sum(reads(each.result)[slot] + reads(each.lets)[slot] for each in values)
            if max(around[slot], frame[slot] + elsewhere) > own[slot]:
                return True
        return False

    def _table(self, binder: ir.Binder, names: Names) -> MemberTable | None:
        """Returns a table of the members that pass the first tests, for a constant source and
        constant tests."""
        tests = self.tests(binder, names)
        known = self.known.folder.constant(self.source(binder, names))
        if known is None or not tests:
            return None
        found = self.known.folder.passing(list(tests), binder.slot, known[0])
        if found is None:
            return None
        count, slots, domains, entries = found
        return MemberTable(slots, domains, entries, tests[count:])

    # ------------------------------------------------------------ bits

    def bits(self, binder: ir.Binder, names: Names, *, pays: bool = False) -> Masked | None:
        """Returns the members as bits, as far as the first tests allow; or None. `pays`: also where
        tests have a cost."""
        key = (pays, *self._key(binder, names))
        if key not in self._bits:
            kept = binder, tuple(names.meanings.values())
            self._bits[key] = kept, self._as_bits(binder, names, pays)
        return self._bits[key][1]

    def _as_bits(self, binder: ir.Binder, names: Names, pays: bool) -> Masked | None:
        if isinstance(binder.source, ir.Contents):
            of = ir.plain(binder.source.place.type)
            assert isinstance(of, ir.PlaceType)
            places = self.known.places[of.index]
            return self._pieces(binder, places, names) if places.masked else None
        return self._places(binder, names, pays)

    def _pieces(self, binder: ir.Binder, places: PlacesPlan, names: Names) -> Mask:
        tests, source = self.tests(binder, names), binder.source
        assert isinstance(source, ir.Contents)
        pieces = self.known.layout.pieces_of[places.of.holds]
        table, passed = self._masks(binder, tests, pieces)
        compared = self._compared(binder, tests, pieces) if table is None else None
        rest = tests[passed or int(compared is not None) :]
        return Mask(places.first_piece, source.place, table or compared, rest)

    def _masks(
        self, binder: ir.Binder, tests: Tests, members: tuple[int, ...]
    ) -> tuple[ByTable | None, int]:
        """Returns the members that pass the first tests, and how many of those are constant."""
        found = self.known.folder.passing(list(tests), binder.slot, members)
        if found is None:
            return None, 0
        count, slots, domains, entries = found
        masks = (sum(1 << (member - members[0]) for member in entry) for entry in entries)
        return ByTable(slots, domains, tuple(masks)), count

    def _compared(
        self, binder: ir.Binder, tests: Tests, members: tuple[int, ...]
    ) -> ByValue | None:
        """Plans a first test `attribute of member = something`."""
        match tests[:1]:
            case [ir.Compare(operator="=", left=left, right=right)]:
                pairs = ((left, right), (right, left))
            case _:
                return None
        for one, two in pairs:
            found = self.known.folder.attribute(one)
            if (
                found is not None
                and isinstance(found[1], ir.Local)
                and found[1].slot == binder.slot
                and binder.slot not in self.known.depends.free(two)
                and not any(
                    isinstance(part, ir.Binder | ir.CallFunction) for part in everything(two)
                )
            ):
                return ByValue(tuple(found[0][member] for member in members), two, one.type)
        return None

    def everywhere(self, places: PlacesPlan, names: Names) -> Everywhere:
        """Returns the field builder for a clause and naming context; cached."""
        meanings = tuple(sorted((slot, id(each)) for slot, each in names.meanings.items()))
        key = places.number, names.clause, meanings
        if key not in self._asking:
            self._asking[key] = Everywhere(self.known, dict(names.meanings), places)
        return self._asking[key]

    def _places(self, binder: ir.Binder, names: Names, pays: bool) -> Board | None:
        tests, source = self.tests(binder, names), self.source(binder, names)
        paid = source if isinstance(source, Paid) else None
        known = self.known.folder.constant(source if paid is None else paid.set)
        of = ir.plain(binder.type)
        if not isinstance(of, ir.PlaceType):
            return None
        places, found_as_bits = self.known.places[of.index], None
        if known is not None:
            members = known[0]
        elif self.is_bits(source, names):
            members, found_as_bits = places.places, source
        else:
            return None
        if not places.indexed or list(members) != sorted(members):
            return None
        table, passed = self._masks(binder, tests, places.places)
        everywhere = self.everywhere(places, names)
        start = everywhere.fields.fixed(sum(1 << (each - places.first) for each in members))
        steps: list[ByField | ByValue] = []
        asked = 0
        for test in tests[passed:]:
            cost = test if isinstance(test, PaidValue) and pays else None
            inner = test if cost is None else cost.value
            found = None
            if not self.leaves_names(inner, tests, names.clause):
                found = everywhere.field(binder.slot, inner)
            if found is not None and not steps and cost is None:
                start = everywhere.fields.all(start, found)
            elif found is not None:
                steps.append(ByField(found, cost))
            elif (step := self._compared(binder, (test,), places.places)) is not None and (
                _is_at_hand(step.wanted, binder.slot)
            ):
                steps.append(step)
            else:
                break
            asked += 1
        if not asked and found_as_bits is None:
            return None
        rest, fields = tests[passed + asked :], everywhere.fields
        narrowing = tuple(steps)
        return Board(
            places, len(members), found_as_bits, paid, fields, start, table, narrowing, rest, False
        )

    def is_bits(self, several: ir.Expr, names: Names) -> bool:
        """Returns whether a set of places is found as bits: a region, a border, or a name for
        either."""
        if isinstance(several, ir.Local):
            return several.slot in names.bits
        return isinstance(several, ir.Region | ir.Border)

    def region(self, region: ir.Region, names: Names) -> Flood | Searched:
        """Plans a region. Parts of its condition that do not depend on where a step leads may be
        hoisted."""
        plan = self.flood(region, names)
        if plan is not None:
            return plan
        condition, settled = self._settled(region.step, names)
        if isinstance(region.step.type, ir.PlaceType):
            step = replace(region.step, where=condition)
            plan = self.flood(replace(region, step=step), names)
        return Searched(condition, settled) if plan is None else replace(plan, settled=settled)

    def _settled(self, step: ir.Binder, names: Names) -> tuple[ir.Expr, Settled]:
        """Splits the condition of a step into a loop condition and hoisted expressions."""
        known, found = self.known, list[tuple[int, ir.Expr]]()
        inner = bound_slots(step.where) | {step.slot}

        def settled(node: Any) -> Any:
            if not isinstance(node, ir.Expr) or isinstance(node, ir.Local | ir.Const):
                return node
            if bound_slots(node) or not inner.isdisjoint(known.depends.free(node)):
                return rebuilt(node, settled)
            meant = known.rewriting.meant(node, names.meanings)
            if known.folder.constant(meant) is not None or isinstance(node.type, ir.SetType):
                return node
            if known.can_fault.possible(node):
                return node
            found.append((known.rewriting.new_slot(), node))
            return ir.Local(node.type, found[-1][0], "settled", span=node.span)

        key = self._key(step, names)
        if key not in self._settling:
            condition: ir.Expr = settled(step.where)
            kept = step, tuple(names.meanings.values())
            self._settling[key] = kept, (condition, tuple(found))
        return self._settling[key][1]

    def _key(self, binder: ir.Binder, names: Names) -> tuple[object, ...]:
        """Returns a cache key for a binder and the meanings of the names it reads."""
        free = sorted(self.known.depends.free(binder).intersection(names.meanings))
        meanings = [(slot, id(names.meanings[slot])) for slot in free]
        return (id(binder), names.clause, names.bits, *meanings)

    def flood(self, region: ir.Region, names: Names) -> Flood | None:
        """Plans a flood fill, if a region leads to all neighbours of its places where a condition
        holds that can be evaluated for all places at once."""
        standing, step = region.standing, region.step
        paid = step.source if isinstance(step.source, PaidValue) else None
        around = step.source if paid is None else paid.value
        if not isinstance(step.type, ir.PlaceType) or not isinstance(around, ir.Around):
            return None
        places = self.known.places[step.type.index]
        if not places.indexed or places.of.lines or self.known.can_fault.possible(step.where):
            return None
        if not isinstance(around.of, ir.Local) or around.of.slot != standing.slot:
            return None
        assert step.where is not None
        everywhere = self.everywhere(places, names)
        over = everywhere.field(step.slot, step.where)
        return None if over is None else Flood(places, everywhere.fields, over, around, paid)


def _is_paid(step: ByField | ByValue) -> bool:
    return isinstance(step, ByField) and step.cost is not None


def _is_free(tests: Tests) -> bool:
    """Returns whether evaluating tests charges nothing."""
    dear = (Paid, PaidValue, ir.SupposingDone, ir.CallFunction)
    return not any(isinstance(part, dear) for part in everything(tests))


def as_one(tests: Sequence[ir.Expr]) -> ir.Expr:
    """Joins conditions by `and`; the last one outermost, so that each may rely on those before."""
    whole = tests[0]
    for test in tests[1:]:
        whole = ir.And(test.type, whole, test, span=test.span)
    return whole


def _is_at_hand(expr: ir.Expr, slot: int) -> bool:
    """Returns whether an expression can be evaluated speculatively: it cannot fault, and does not
    depend on the member."""
    match expr:
        case ir.Local(slot=other):
            return other != slot and not isinstance(expr.type, ir.SetType)
        case ir.Const() | ir.MarkerValue(indices=()):
            return True
        case ir.Neighbour(player=player):
            return not isinstance(player.type, ir.MaybeType) and _is_at_hand(player, slot)
    return False
