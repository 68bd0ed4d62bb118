"""Vectorises conditions: evaluates them for all places of a small grid at once.

A condition on a place that only depends on the pieces there, beside it, or along lines from it,
becomes a field (see `fields`): one word of bits instead of nested loops. Definitions are inlined. A
place derived from another one (beside it, the last of a walk from it) is represented by its inverse
image: a function from a field to the places from which the derived place is in it.

A place independent of the tested ones (where a man starts, while it is tested where he may go) is a
field of one place, and walks from it are fields, too. A condition independent of them is evaluated
once.

Only conditions that cannot fault may be evaluated for places that the rules do not test; everything
else is `Unfit`, and tested place by place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod
from operator import eq
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import bound_slots, everything, rebuilt, slots_read
from lawspeaker.machines.lower.fold import Unknown
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.fields import (
    Field,
    Fields,
    Step,
    TableIndex,
)
from lawspeaker.machines.planned.patterns import SHOWN, held_place, shown_of
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.planned.rewriting import Meanings

_FEW = 16
"""Conditions are unrolled over at most so many members."""
_MOST_FIELDS = 600
_MOST_COMBINED = 16
"""The most rows of a table over other variables."""
_WIDEST = 64
"""The most entries of a table over a number."""
_LONGEST_GIVEN = 60
"""Independent expressions of at most so many nodes may be evaluated speculatively."""


class Unfit(Exception):
    """Raised if a condition has to be tested place by place."""


Way = Callable[[Field], Field]
"""Inverse image: from a field to the places from which a derived place is in it."""
AtLeast = Callable[[int], Field]
"""Returns the field where a number is at least so large."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place derived from the tested one with this number."""

    start: int
    way: Way


@dataclass(frozen=True, slots=True)
class _Worth:
    """The values of an expression: a row for each value of the other variables, with a value for
    each place that the name may be; with one value, if there is no such name."""

    place: ir.Local | None
    given: tuple[TableIndex, ...]
    rows: list[list[Any]]


class _Scope:
    """The bindings of the slots of a clause or a definition."""

    __slots__ = ("names", "outermost")

    def __init__(
        self, names: dict[int, _Place | tuple[ir.Expr, _Scope]], outermost: bool = False
    ) -> None:
        self.names = names
        self.outermost = outermost

    def knowing(self, slot: int, meaning: _Place | tuple[ir.Expr, _Scope]) -> _Scope:
        return _Scope({**self.names, slot: meaning}, self.outermost)


class Everywhere:
    """Translates conditions on the places of one family into fields."""

    def __init__(self, known: Analyses, meanings: Meanings, places: PlacesPlan) -> None:
        self.known = known
        self.meanings = meanings
        self.places = places
        self.fields = Fields(places)
        self._type = ir.PlaceType(places.of.name, places.number)
        self._starts = self._before = 0
        self._start = 0
        self._bound: frozenset[int] = frozenset()
        self._outer: dict[tuple[int, frozenset[int]], tuple[int, _Scope]] = {}
        self._inner: dict[tuple[ir.Expr, int], tuple[_Scope, _Scope]] = {}
        self._known: dict[tuple[int, int, int], tuple[ir.Expr, _Scope, Field]] = {}
        self._told_before: dict[tuple[int, int], tuple[ir.Expr, _Scope, ir.Expr]] = {}
        self._shown_as: dict[tuple[object, ...], tuple[ir.Expr, ir.Expr]] = {}

    def field(self, slot: int, test: ir.Expr) -> Field | None:
        """Returns the places for which a test of the place in a slot holds; None if it is unfit."""
        self._bound = bound_slots(test)
        self._before = len(self.fields)
        key = slot, self._bound
        if key not in self._outer:
            self._starts += 1
            here = _Place(self._starts, lambda to: to)
            self._outer[key] = self._starts, _Scope({slot: here}, outermost=True)
        self._start, scope = self._outer[key]
        try:
            return self._holds(test, scope)
        except Unfit:
            return None

    def _asked_of(self, slot: int, test: ir.Expr | None, scope: _Scope) -> Field:
        """Like `field`, for a slot independent of the places tested otherwise."""
        self._starts += 1
        before, self._start = self._start, self._starts
        try:
            return self._holds(test, scope.knowing(slot, _Place(self._start, lambda to: to)))
        finally:
            self._start = before

    # ------------------------------------------------------------ names

    def _meant(self, expr: ir.Expr, scope: _Scope) -> tuple[ir.Expr, _Scope]:
        """Resolves a name and inlines calls; free names of the code, and places, stay as they
        are."""
        while True:
            if isinstance(expr, ir.CallFunction):
                if held_place(self.known.program, expr) is not None:
                    return expr, scope
                expr, scope = self._called(expr, scope)
            if not isinstance(expr, ir.Local):
                return expr, scope
            meaning = scope.names.get(expr.slot)
            if isinstance(meaning, tuple):
                expr, scope = meaning
            elif meaning is not None:
                return expr, scope
            elif scope.outermost and expr.slot not in self._bound:
                known = self.known.folder.constant(self.meanings.get(expr.slot))
                return (expr if known is None else ir.Const(expr.type, known[0])), scope
            else:
                raise Unfit

    def _called(self, call: ir.CallFunction, scope: _Scope) -> tuple[ir.Expr, _Scope]:
        """Returns the result of a definition and its scope; cached."""
        function, key = self.known.program.functions[call.function], (call, id(scope))
        if key not in self._inner:
            inner = _Scope({slot: (value, scope) for slot, value in enumerate(call.arguments)})
            inner.names.update((slot, (value, inner)) for slot, value in function.lets)
            if self._can_fault(*call.arguments, *(value for _, value in function.lets)):
                raise Unfit  # evaluation is strict: it faults even if unused
            self._inner[key] = (scope, inner)
        return function.result, self._inner[key][1]

    def _constant(self, expr: ir.Expr, scope: _Scope) -> tuple[object] | None:
        """Returns the value of a constant expression."""
        if isinstance(expr, ir.Const):
            return (expr.value,)
        if not self.known.depends.fixed(expr):
            return None
        given = {}
        for part in self._read(expr):
            meant, inner = self._meant(part, scope)
            known = None if isinstance(meant, ir.Local) else self._constant(meant, inner)
            if known is None:
                return None
            given[part.slot] = known[0]
        try:
            return (self.known.folder.worth(expr, given),)
        except Unknown:
            return None

    def _read(self, expr: ir.Expr) -> list[ir.Local]:
        """Returns the free names of an expression."""
        free = self.known.depends.free(expr)
        found = (part for part in everything(expr) if isinstance(part, ir.Local))
        return [part for part in found if part.slot in free]

    def _step(self, node: ir.Beside | ir.Walk, scope: _Scope) -> Step:
        across, down = (self._constant(each, scope) for each in (node.across, node.down))
        ours = (
            node.family == self.places.number and not self.known.program.families[node.family].grows
        )
        match across, down:
            case (int(right),), (int(below),) if ours:
                return right, below
        raise Unfit

    # ------------------------------------------------------------ independent values

    def _can_fault(self, *parts: ir.Expr) -> bool:
        return any(
            self.known.can_fault.possible(part) and self.known.harmless.possible(part)
            for part in parts
        )

    def _told(self, expr: ir.Expr, scope: _Scope) -> ir.Expr:
        """Rewrites an expression to free names of the code; unfit if it depends on the tested
        places."""
        key = (id(expr), id(scope))
        if key not in self._told_before:
            self._told_before[key] = expr, scope, self._in_names_of_code(expr, scope)
        return self._told_before[key][2]

    def _in_names_of_code(self, expr: ir.Expr, scope: _Scope) -> ir.Expr:
        if isinstance(expr, ir.Local):
            meaning = scope.names.get(expr.slot)
            if isinstance(meaning, tuple):
                return self._told(*meaning)
            if meaning is None and scope.outermost and expr.slot not in self._bound:
                return expr
            raise Unfit
        fresh = {slot: self.known.rewriting.new_slot() for slot in sorted(bound_slots(expr))}

        def told(node: Any) -> Any:
            if isinstance(node, ir.Local):
                known = node.slot in fresh
                return replace(node, slot=fresh[node.slot]) if known else self._told(node, scope)
            node = rebuilt(node, told)
            return replace(node, slot=fresh[node.slot]) if isinstance(node, ir.Binder) else node

        found: ir.Expr = told(expr)
        return found

    def _given(self, expr: ir.Expr, scope: _Scope) -> ir.Expr:
        """Returns an expression independent of the places, in names of the code; unfit if it is
        long, or can fault."""
        found, rooms = self._told(expr, scope), self.known.rooms
        if isinstance(found, ir.Local | ir.Const):
            return found
        dear = rooms.weight_of(found) > _LONGEST_GIVEN or rooms.loops(found)
        if dear or rooms.takes(found) or self._can_fault(found):
            raise Unfit
        return found

    def _given_place(self, expr: ir.Expr, scope: _Scope) -> Field:
        """Returns the field of a place independent of the tested ones; empty, if it is nothing."""
        fields, original = self.fields, (expr, scope)
        expr, scope = self._meant(expr, scope)
        match expr:
            case ir.Const(value=None):
                return fields.nowhere
            case ir.Const(value=int(place)) if place in self.places.places:
                return fields.fixed(1 << (place - self.places.first))
            case ir.Beside(of=of) if _sure(of):
                return fields.before(_back(self._step(expr, scope)), self._given_place(of, scope))
            case ir.EndOf(set=several, last=last):
                return self._given_end(several, scope, last)
            case ir.Conditional(condition=condition):
                asked = self._holds(condition, scope)
                if not fields.is_condition(asked):
                    raise Unfit
                then, otherwise = (
                    self._given_place(each, scope) for each in (expr.then, expr.otherwise)
                )
                return fields.chosen(asked, then, otherwise)
        found = self._given(*original)
        if ir.plain(found.type) != self._type:
            raise Unfit
        return fields.at(found)

    def _given_end(self, several: ir.Expr, scope: _Scope, last: bool) -> Field:
        """Returns the first or last member of a set independent of the tested places."""
        fields = self.fields
        several, scope = self._meant(several, scope)
        match several:
            case ir.Walk():
                step, start, through = self._given_walk(several, scope)
                if not last:
                    return fields.all(fields.before(_back(step), start), through)
                passed = fields.passed(step, through, start)
                return fields.all(passed, fields.other(fields.before(step, passed)))
            case ir.ListOf(items=()):
                return fields.nowhere
        raise Unfit

    def _given_walk(self, walk: ir.Walk, scope: _Scope) -> tuple[Step, Field, Field]:
        """Returns the step, the start, and the field that a walk passes through."""
        binder = walk.binder
        if not _sure(binder.source):
            raise Unfit
        step, start = self._step(walk, scope), self._given_place(binder.source, scope)
        return step, start, self._asked_of(binder.slot, binder.where, scope)

    def _given_set(self, several: ir.Expr, scope: _Scope) -> Field:
        """Returns a set of places independent of the tested ones."""
        fields, known = self.fields, self._constant(several, scope)
        if known is not None and isinstance(known[0], tuple):
            if not set(known[0]).issubset(self.places.places):
                raise Unfit
            return fields.fixed(sum(1 << (each - self.places.first) for each in known[0]))
        several, scope = self._meant(several, scope)
        match several:
            case ir.Walk():
                step, start, through = self._given_walk(several, scope)
                return fields.passed(step, through, start)
            case ir.Around(family=number, of=of) if self._is_ours(number) and _sure(of):
                start = self._given_place(of, scope)
                steps = self.places.of.steps(several.diagonal)
                return fields.either(*(fields.before(_back(step), start) for step in steps))
            case ir.Filter(binder=binder):
                passing = self._asked_of(binder.slot, binder.where, scope)
                return fields.all(self._given_set(binder.source, scope), passing)
            case ir.Combine(left=left, right=right, without=without):
                one, other = self._given_set(left, scope), self._given_set(right, scope)
                return (
                    fields.all(one, fields.other(other)) if without else fields.either(one, other)
                )
            case ir.ListOf(items=items):
                return fields.either(*(self._given_place(each, scope) for each in items))
        raise Unfit

    def _whether(self, expr: ir.Expr, scope: _Scope) -> Field | None:
        """Returns a condition independent of the places as a field; None for others, and for
        connectives, whose parts may be known or shared."""
        if isinstance(expr, ir.And | ir.Or | ir.Not):
            return None
        try:
            return self.fields.whether(self._given(expr, scope))
        except Unfit:
            return None

    # ------------------------------------------------------------ conditions

    def _holds(self, expr: ir.Expr | None, scope: _Scope) -> Field:
        """Returns the field where a condition is true."""
        if expr is None:
            return self.fields.everywhere
        expr, scope = self._meant(expr, scope)
        key = (id(expr), id(scope), self._start)
        if key not in self._known:
            self._known[key] = (expr, scope, self._worked_out(expr, scope))
        return self._known[key][2]

    def _worked_out(self, expr: ir.Expr, scope: _Scope) -> Field:
        fields = self.fields
        if len(fields) - self._before > _MOST_FIELDS:
            raise Unfit
        fixed = self._fixed(expr, scope) or self._whether(expr, scope)
        if fixed is not None:
            return fixed
        match expr:
            case ir.Not(operand=operand):
                return fields.other(self._holds(operand, scope))
            case ir.And(left=left, right=right):
                return fields.all(self._holds(left, scope), self._holds(right, scope))
            case ir.Or(left=left, right=right):
                return fields.either(self._holds(left, scope), self._holds(right, scope))
            case ir.Conditional():
                return self._by_case(expr, scope, lambda each: self._holds(each, scope))
            case ir.IsEmpty(set=several):
                return fields.other(self._some(several, scope))
            case ir.Exists(binder=binder):
                return self._exists(binder, binder.where, binder.source, scope, scope)
            case ir.Every(binder=binder, condition=condition):
                broken: ir.Expr = ir.Not(ir.TRUTH, condition)
                if binder.where is not None:
                    broken = ir.And(ir.TRUTH, binder.where, broken)
                return fields.other(self._exists(binder, broken, binder.source, scope, scope))
            case ir.Includes(set=several, item=item):
                return self._includes(several, item, scope)
            case ir.Compare(operator="=", left=left, right=right):
                return self._equal(left, right, scope)
            case ir.Compare(operator=sign, left=left, right=right):
                return self._compared(sign, left, right, scope)
        raise Unfit

    def _fixed(self, expr: ir.Expr, scope: _Scope) -> Field | None:
        """Evaluates a constant condition on at most one place, and on variables with few values."""
        worth = self._worth(expr, scope)
        if worth is None:
            return None
        if worth.place is None:
            [[holds]] = worth.rows
            return self.fields.everywhere if holds else self.fields.nowhere
        masks = [self._bits(row, bool) for row in worth.rows]
        # The last entries are for values outside the domain.
        masks += [0] * (prod(each.entries for each in worth.given) - len(masks))
        return self._way(worth.place, scope)(self.fields.looked(worth.given, masks))

    def _bits(self, row: Sequence[Any], holds: Callable[[Any], bool]) -> int:
        """Returns the places whose value satisfies a predicate."""
        return sum(1 << at for at, value in enumerate(row) if holds(value))

    def _worth(self, expr: ir.Expr, scope: _Scope) -> _Worth | None:
        """Returns the values of an expression for each place, and for all values of other
        variables; None if it depends on more."""
        if not self.known.depends.fixed(expr):
            return None
        known: dict[int, object] = {}
        place: ir.Local | None = None
        open_: list[tuple[int, TableIndex]] = []
        for part in self._read(expr):
            found = self._constant(part, scope)
            if found is not None:
                known[part.slot] = found[0]
            elif self._is_asked_of(part, scope):
                if (place is not None and place != part) or part.type != self._type:
                    return None
                place = part
            elif part.slot not in (slot for slot, _ in open_):
                domain = self.known.folder.domain(part.type)
                if domain is None:
                    return None
                open_.append(
                    (part.slot, TableIndex(self._given(part, scope), domain, clamped=True))
                )
        number = prod(len(by.domain) for _, by in open_)
        if number > _MOST_COMBINED or (place is None and open_):
            return None
        slots = [slot for slot, _ in open_]
        rows = self._rows(
            expr, known, place, dict(zip(slots, (by.domain for _, by in open_), strict=True))
        )
        return None if rows is None else _Worth(place, tuple(by for _, by in open_), rows)

    def _rows(
        self,
        expr: ir.Expr,
        known: dict[int, object],
        place: ir.Local | None,
        open_: dict[int, range],
    ) -> list[list[Any]] | None:
        """Evaluates a constant expression for each value of the open variables and each place;
        cached per program."""
        worth, slot = self.known.folder.worth, None if place is None else place.slot
        key = (id(expr), self.places.number, slot, *sorted(known.items()), *open_)
        if key not in self.known.rows:
            members: Sequence[int] = (0,) if slot is None else self.places.places
            rows: list[list[Any]] = []
            try:
                for values in product(*open_.values()):
                    given = known | dict(zip(open_, values, strict=True))
                    each = (given if slot is None else {**given, slot: e} for e in members)
                    rows.append([worth(expr, slots) for slots in each])
                self.known.rows[key] = expr, rows
            except Unknown:
                self.known.rows[key] = expr, None
        return self.known.rows[key][1]

    def _is_asked_of(self, expr: ir.Expr, scope: _Scope) -> bool:
        """Returns whether an expression depends on the tested places."""
        try:
            self._told(expr, scope)
        except Unfit:
            return True
        return False

    def _by_case(
        self, expr: ir.Conditional, scope: _Scope, asked: Callable[[ir.Expr], Field]
    ) -> Field:
        """Applies a test to both branches of a conditional."""
        condition = self._holds(expr.condition, scope)
        return self.fields.chosen(condition, asked(expr.then), asked(expr.otherwise))

    def _exists(
        self,
        binder: ir.Binder,
        where: ir.Expr | None,
        source: ir.Expr,
        source_scope: _Scope,
        scope: _Scope,
    ) -> Field:
        """Returns the field where a source has a member for which a condition holds."""
        fields = self.fields
        known = self._constant(source, source_scope)
        if known is not None:
            members = known[0]
            if not isinstance(members, tuple) or len(members) > _FEW:
                raise Unfit
            constants = (ir.Const(binder.type, member) for member in members)
            return fields.either(
                *(self._holds(where, scope.knowing(binder.slot, (c, scope))) for c in constants)
            )
        source, source_scope = self._meant(source, source_scope)
        match source:
            case ir.Conditional():
                return self._by_case(
                    source,
                    source_scope,
                    lambda each: self._exists(binder, where, each, source_scope, scope),
                )
            case _ if where is None:
                return self._some(source, source_scope)
            case ir.Contents(place=place) if _sure(place):
                way = self._way(place, source_scope)
                return self._of_piece(where, binder.slot, way, scope)
            case ir.Around(family=number, of=of) if self._is_ours(number) and _sure(of):
                found = []
                for step in self.places.of.steps(source.diagonal):
                    way = self._step_from(self._way(of, source_scope), step)
                    near = scope.knowing(binder.slot, _Place(self._start, way))
                    found.append(fields.all(way(fields.everywhere), self._holds(where, near)))
                return fields.either(*found)
            case ir.Walk():
                step, start, through = self._walk(source, source_scope)
                to = self._asked_of(binder.slot, where, scope)
                return start(fields.walked(step, through, to, passing=True))
        raise Unfit

    def _is_ours(self, family: int) -> bool:
        """Returns whether neighbours in a family are steps on this board."""
        return family == self.places.number and not self.places.of.lines

    def _of_piece(self, where: ir.Expr, slot: int, way: Way, scope: _Scope) -> Field:
        """Returns the field where there is a piece for which a condition holds. A place has at most
        one piece, so the parts of the condition can be tested separately."""
        fields = self.fields
        match where:
            case ir.And(left=left, right=right):
                return fields.all(*(self._of_piece(p, slot, way, scope) for p in (left, right)))
            case ir.Or(left=left, right=right):
                return fields.either(*(self._of_piece(p, slot, way, scope) for p in (left, right)))
            case ir.Not(operand=operand):
                holds = self._of_piece(operand, slot, way, scope)
                return fields.all(way(fields.taken()), fields.other(holds))
            case ir.Compare(operator="=", left=left, right=right):
                for one, two in ((left, right), (right, left)):
                    by = shown_of(one, slot)
                    if by is not None and _sure(two) and slot not in slots_read(two):
                        return way(self._held(by, self._given(two, scope)))
        if slot not in slots_read(where):
            return fields.all(way(fields.taken()), self._holds(where, scope))
        return self._by_what_it_shows(where, slot, way, scope)

    def _by_what_it_shows(self, where: ir.Expr, slot: int, way: Way, scope: _Scope) -> Field:
        """Splits a condition on a piece by the values of an attribute."""
        told = next(
            part
            for part in everything(where)
            if (isinstance(part, ir.Expr) and shown_of(part, slot) is not None)
            or (isinstance(part, ir.Local) and part.slot == slot)
        )
        by = shown_of(told, slot)
        if by is None:
            raise Unfit
        domain = self.known.folder.domain(told.type)
        if domain is None or len(domain) > _FEW:
            raise Unfit
        found = []
        for value in domain:
            shown = ir.Const(told.type, value)
            key = (id(where), by, value)
            if key not in self._shown_as:
                self._shown_as[key] = where, _with(where, told, shown)
            asked = self._of_piece(self._shown_as[key][1], slot, way, scope)
            found.append(self.fields.all(way(self._held(by, shown)), asked))
        return self.fields.either(*found)

    def _includes(self, several: ir.Expr, item: ir.Expr, scope: _Scope) -> Field:
        """Returns the field where something is a member of a set."""
        fields = self.fields
        if not isinstance(ir.plain(item.type), ir.PlaceType):
            known = self._constant(several, scope)
            if known is None or not isinstance(known[0], tuple) or len(known[0]) > _FEW:
                raise Unfit
            assert isinstance(several.type, ir.SetType)
            members = (ir.Const(several.type.of, member) for member in known[0])
            return fields.either(*(self._equal(item, member, scope) for member in members))
        try:
            found = self._given_set(several, scope)
        except Unfit:
            return self._leads_into(several, scope, self._given_place(item, scope))
        return self._way(item, scope)(found)

    def _leads_into(self, several: ir.Expr, scope: _Scope, to: Field) -> Field:
        """Returns the field where a set contains the one place of `to`."""
        fields = self.fields
        several, scope = self._meant(several, scope)
        match several:
            case ir.Conditional():
                return self._by_case(several, scope, lambda each: self._leads_into(each, scope, to))
            case ir.Walk():
                step, start, through = self._walk(several, scope)
                return start(fields.walked(step, through, to, passing=True))
            case ir.Around(family=number, of=of) if self._is_ours(number) and _sure(of):
                start = self._way(of, scope)
                steps = self.places.of.steps(several.diagonal)
                return fields.either(*(self._step_from(start, step)(to) for step in steps))
            case ir.Filter(binder=binder):
                inner = fields.all(to, self._asked_of(binder.slot, binder.where, scope))
                return self._leads_into(binder.source, scope, inner)
            case ir.Combine(left=left, right=right, without=without):
                one, other = (self._leads_into(each, scope, to) for each in (left, right))
                return (
                    fields.all(one, fields.other(other)) if without else fields.either(one, other)
                )
            case ir.ListOf(items=items):
                return fields.either(*(self._way(each, scope)(to) for each in items))
        raise Unfit

    # ------------------------------------------------------------ comparisons

    def _equal(self, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        for asked in (self._same_shown, self._same_place, self._same_value):
            try:
                return asked(left, right, scope)
            except Unfit:
                continue
        return self._compared("=", left, right, scope)

    def _same_place(self, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        """Returns the field where a derived place equals an independent one."""
        fields = self.fields
        if not all(isinstance(ir.plain(each.type), ir.PlaceType) for each in (left, right)):
            raise Unfit
        for one, two in ((left, right), (right, left)):
            try:
                given = self._given_place(two, scope)
            except Unfit:
                continue
            way = self._way(one, scope)
            same = way(given)
            if _sure(one) or _sure(two):
                return same
            neither = fields.all(
                fields.other(way(fields.everywhere)), fields.other(fields.some(given))
            )
            return fields.either(same, neither)
        raise Unfit

    def _same_value(self, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        return self._by_value("=", left, right, scope)

    def _by_value(self, sign: str, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        """Compares a constant attribute of the place with an independent value, by a table."""
        for one, two, turned in ((left, right, sign), (right, left, sign.translate(_TURNED))):
            meant, inner = self._meant(one, scope)
            numbers = isinstance(meant.type, ir.NumberType) and isinstance(two.type, ir.NumberType)
            if not numbers and (meant.type != two.type or not isinstance(two.type, ir.WordType)):
                continue
            worth = self._worth(meant, inner)
            if worth is None or worth.place is None:
                continue
            wanted = self._given(two, scope)
            values = {value for row in worth.rows for value in row}
            low, high = min(values), max(values)
            if high - low > _WIDEST:
                continue
            equal = turned == "="
            first = TableIndex(
                wanted, range(low, high + 1) if equal else range(low - 1, high + 2), not equal
            )
            masks = [
                self._bits(row, partial(_COMPARED[turned], value))
                for value in first.domain
                for row in worth.rows
            ]
            masks += [0] * len(worth.rows) * equal
            found = self.fields.looked((first, *worth.given), masks)
            return self._way(worth.place, inner)(found)
        raise Unfit

    def _same_shown(self, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        """Returns the field where a player, a kind, a word or a place derived from a place equals a
        constant."""
        fields = self.fields
        for one, two in ((left, right), (right, left)):
            of, known = ir.plain(one.type), self._constant(two, scope)
            if isinstance(of, ir.PlaceType) and known is not None:
                way = self._way(one, scope)
                if known[0] is None:
                    return fields.other(way(fields.everywhere))
                assert isinstance(known[0], int)
                return way(fields.fixed(1 << (known[0] - self.places.first)))
            if isinstance(of, SHOWN):
                try:
                    return self._shows(one, scope, self._given(two, scope))
                except Unfit:
                    continue
        if isinstance(ir.plain(left.type), ir.PlayerType) and isinstance(
            ir.plain(right.type), ir.PlayerType
        ):
            each = [ir.Const(ir.PlayerType(), seat) for seat in (*self.known.folder.seats, None)]
            both = (
                fields.all(self._shows(left, scope, who), self._shows(right, scope, who))
                for who in each
            )
            return fields.either(*both)
        raise Unfit

    def _shows(self, expr: ir.Expr, scope: _Scope, who: ir.Expr) -> Field:
        """Returns the field where an expression evaluates to a player, a kind or a word, or
        nothing."""
        expr, scope = self._meant(expr, scope)
        held = held_place(self.known.program, expr)
        if held is not None:
            place, by = held
            if not _sure(place):
                raise Unfit
            return self._way(place, scope)(self._held(by, who))
        match expr:
            case ir.Conditional():
                return self._by_case(expr, scope, lambda each: self._shows(each, scope, who))
            case ir.Const(value=value) if isinstance(who, ir.Const):
                return self.fields.everywhere if value == who.value else self.fields.nowhere
            case ir.Const(value=None) if _sure(who):
                return self.fields.nowhere
        raise Unfit

    def _held(self, by: int, who: ir.Expr) -> Field:
        if by not in self.places.holders:
            raise Unfit
        if isinstance(who, ir.Const) and who.value is None:
            return self.fields.other(self.fields.taken())
        return self.fields.held(by, who)

    def _compared(self, sign: str, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        """Compares a number with a constant or an independent one."""
        with suppress(Unfit):
            return self._by_value(sign, left, right, scope)
        known = self._constant(right, scope)
        if known is None:
            left, right, sign = right, left, sign.translate(_TURNED)
            known = self._constant(right, scope)
        if known is None or not isinstance(known[0], int):
            raise Unfit
        fields, at_least, number = self.fields, self._number_of(left, scope), known[0]
        match sign:
            case ">=":
                return at_least(number)
            case ">":
                return at_least(number + 1)
            case "<":
                return fields.other(at_least(number))
            case "<=":
                return fields.other(at_least(number + 1))
        return fields.all(at_least(number), fields.other(at_least(number + 1)))

    def _number_of(self, expr: ir.Expr, scope: _Scope) -> AtLeast:
        known = self._constant(expr, scope)
        if known is not None and isinstance(value := known[0], int):
            return lambda n: self.fields.everywhere if n <= value else self.fields.nowhere
        expr, scope = self._meant(expr, scope)
        match expr:
            case ir.Count(binder=ir.Binder(source=source, where=None)):
                return self._size(source, scope)
            case ir.Arithmetic(operator="+", left=left, right=right):
                one, two = self._number_of(left, scope), self._number_of(right, scope)
                return lambda n: self._sum(one, two, n)
        raise Unfit

    def _sum(self, one: AtLeast, two: AtLeast, number: int) -> Field:
        """Returns the field where two numbers, neither negative, add up to at least so much."""
        if number > 2 * _FEW:
            raise Unfit
        return self.fields.either(
            *(self.fields.all(one(part), two(number - part)) for part in range(max(0, number) + 1))
        )

    def _size(self, several: ir.Expr, scope: _Scope) -> AtLeast:
        fields = self.fields
        several, scope = self._meant(several, scope)
        match several:
            case ir.Conditional():
                return lambda n: self._by_case(several, scope, lambda s: self._size(s, scope)(n))
            case ir.ListOf(items=()):
                return lambda n: fields.nowhere if n > 0 else fields.everywhere
            case ir.Walk():
                step, start, through = self._walk(several, scope)

                def steps(number: int) -> Field:
                    if number <= 0:
                        return fields.everywhere
                    if step == (0, 0) or number > fields.farthest(step):
                        return fields.nowhere
                    line = through
                    for _ in range(number - 1):
                        line = fields.all(through, fields.before(step, line))
                    return start(fields.before(step, line))

                return steps
        raise Unfit

    # ------------------------------------------------------------ sets and inverse images

    def _some(self, several: ir.Expr, scope: _Scope) -> Field:
        """Returns the field where a set is not empty."""
        several, scope = self._meant(several, scope)
        match several:
            case ir.Contents(place=place) if _sure(place):
                return self._way(place, scope)(self.fields.taken())
            case ir.Filter(binder=binder):
                return self._exists(binder, binder.where, binder.source, scope, scope)
            case ir.Combine(left=left, right=right, without=False):
                return self.fields.either(self._some(left, scope), self._some(right, scope))
        return self._end(several, scope, last=True)(self.fields.everywhere)

    def _way(self, expr: ir.Expr, scope: _Scope) -> Way:
        """Returns the inverse image of an expression for a place of the family, or nothing."""
        expr, scope = self._meant(expr, scope)
        match expr:
            case ir.Local(slot=slot):
                place = scope.names.get(slot)
                if isinstance(place, _Place) and place.start == self._start:
                    return place.way
            case ir.Beside(of=of) if _sure(of):
                return self._step_from(self._way(of, scope), self._step(expr, scope))
            case ir.EndOf(set=several, last=last):
                return self._end(several, scope, last)
            case ir.Conditional():
                return lambda to: self._by_case(expr, scope, lambda e: self._way(e, scope)(to))
            case ir.Const(value=None):
                return lambda _: self.fields.nowhere
        given = self._given_place(expr, scope)
        return lambda to: self.fields.some(self.fields.all(given, to))

    def _step_from(self, start: Way, step: Step) -> Way:
        return lambda to: start(self.fields.before(step, to))

    def _end(self, several: ir.Expr, scope: _Scope, last: bool) -> Way:
        """Returns the inverse image of the first or last member of a set."""
        fields = self.fields
        several, scope = self._meant(several, scope)
        match several:
            case ir.Walk():
                step, start, through = self._walk(several, scope)
                if last:
                    return lambda to: start(fields.walked(step, through, to))
                return lambda to: start(fields.before(step, fields.all(through, to)))
            case ir.Conditional():
                return lambda to: self._by_case(
                    several, scope, lambda each: self._end(each, scope, last)(to)
                )
            case ir.ListOf(items=()):
                return lambda _: fields.nowhere
        raise Unfit

    def _walk(self, walk: ir.Walk, scope: _Scope) -> tuple[Step, Way, Field]:
        """Returns the step, the inverse image of the start, and the field that a walk passes
        through."""
        binder, key = walk.binder, (id(walk), id(scope), 0)
        if not _sure(binder.source):
            raise Unfit
        step, start = self._step(walk, scope), self._way(binder.source, scope)
        if key not in self._known:
            through = self._asked_of(binder.slot, binder.where, scope)
            self._known[key] = (walk, scope, through)
        return step, start, self._known[key][2]


_TURNED = str.maketrans("<>", "><")
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": eq,
    "<": lambda given, own: own < given,
    "<=": lambda given, own: own <= given,
    ">": lambda given, own: own > given,
    ">=": lambda given, own: own >= given,
}
"""Whether a place's own value compares so with a given one."""


def _sure(expr: ir.Expr) -> bool:
    """Returns whether an expression is never nothing."""
    return not isinstance(expr.type, ir.MaybeType | ir.NothingType)


def _back(step: Step) -> Step:
    return -step[0], -step[1]


def _with(expr: Any, part: ir.Expr, other: ir.Expr) -> Any:
    """Replaces a subexpression."""
    return other if expr == part else rebuilt(expr, lambda inner: _with(inner, part, other))
