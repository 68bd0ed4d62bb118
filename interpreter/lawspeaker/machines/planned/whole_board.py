"""Conditions asked of all places of a small grid at once.

A condition on a place that only asks what lies there, beside it, or along lines from it, becomes a
field (see `small_boards`): one word of bits instead of a loop with loops inside. Defined values are
followed into their definitions. A place that is told from another one (beside it, the last of a
walk from it) is known by the way that leads there: asked for the places where something holds, it
gives those from which the way leads to them.

Only what can never be a fault may be asked of places of which the rules do not ask it; everything
else is `Unfit`, and asked place by place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.ir.types import TRUTH, MaybeType, NothingType, PlaceType, PlayerType, plain
from lawspeaker.ir.walk import bound_slots, everything
from lawspeaker.machines.lower.fold import Unknown
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.fields import Field, Fields, Step
from lawspeaker.machines.planned.patterns import OWNER, held_place
from lawspeaker.machines.planned.places import Places
from lawspeaker.machines.planned.rewriting import Meanings

_FEW = 16
"""A condition is written out for each of so many members."""
_MOST_FIELDS = 300


class Unfit(Exception):
    """This has to be asked place by place."""


Way = Callable[[Field], Field]
"""From a field to the places from which a place in it is reached."""
AtLeast = Callable[[int], Field]
"""Where a number is at least so large."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place, by the way that leads there from the one with this number."""

    start: int
    way: Way


class _Scope:
    """What the slots of a clause or a defined value stand for."""

    __slots__ = ("names", "outermost")

    def __init__(
        self, names: dict[int, _Place | tuple[ir.Expr, _Scope]], outermost: bool = False
    ) -> None:
        self.names = names
        self.outermost = outermost

    def knowing(self, slot: int, meaning: _Place | tuple[ir.Expr, _Scope]) -> _Scope:
        return _Scope({**self.names, slot: meaning}, self.outermost)


class Everywhere:
    """Turns conditions on the places of one family into fields."""

    def __init__(self, known: Analyses, meanings: Meanings, places: Places) -> None:
        self.known = known
        self.meanings = meanings
        self.places = places
        self.fields = Fields(places)
        self._type = PlaceType(places.of.name, places.number)
        self._starts = 0
        self._start = 0
        self._bound: frozenset[int] = frozenset()
        self._inner: dict[tuple[int, int], tuple[ir.Expr, _Scope, _Scope]] = {}
        self._known: dict[tuple[int, int, int], tuple[ir.Expr, _Scope, Field]] = {}

    def field(self, slot: int, test: ir.Expr) -> Field | None:
        """The places for which a test of the place in a slot holds; None when it is unfit."""
        self._bound = bound_slots(test)
        try:
            return self._asked_of(slot, test, _Scope({}, outermost=True))
        except Unfit:
            return None

    def _asked_of(self, slot: int, test: ir.Expr | None, scope: _Scope) -> Field:
        """As `field`, for a slot that has nothing to do with the places asked of otherwise."""
        self._starts += 1
        before, self._start = self._start, self._starts
        try:
            return self._holds(test, scope.knowing(slot, _Place(self._start, lambda to: to)))
        finally:
            self._start = before

    # ------------------------------------------------------------ names

    def _meant(self, expr: ir.Expr, scope: _Scope) -> tuple[ir.Expr, _Scope]:
        """What a name stands for; a name of the code itself, and a place, stay what they are."""
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
        """The result of a defined value, and what its names stand for; the same each time."""
        function, key = self.known.program.functions[call.function], (id(call), id(scope))
        if key not in self._inner:
            inner = _Scope({slot: (value, scope) for slot, value in enumerate(call.arguments)})
            inner.names.update((slot, (value, inner)) for slot, value in function.lets)
            if self.known.can_fault.possible((call.arguments, function.lets)):
                raise Unfit  # it is one then, even where nobody needs it
            self._inner[key] = (call, scope, inner)
        return function.result, self._inner[key][2]

    def _constant(self, expr: ir.Expr, scope: _Scope) -> tuple[object] | None:
        """The value of an expression that has only one."""
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
        """The names an expression reads, each as it stands there."""
        free = self.known.depends.free(expr)
        found = (part for part in everything(expr) if isinstance(part, ir.Local))
        return [part for part in found if part.slot in free]

    def _step(self, node: ir.Beside | ir.Walk, scope: _Scope) -> Step:
        across, down = (self._constant(each, scope) for each in (node.across, node.down))
        ours = (
            node.family == self.places.number
            and self.known.program.families[node.family].grid != "grows"
        )
        match across, down:
            case (int(right),), (int(below),) if ours:
                return right, below
        raise Unfit

    def _player(self, expr: ir.Expr, scope: _Scope) -> ir.Expr:
        """A player who has nothing to do with the places, in the names of the code."""
        expr, scope = self._meant(expr, scope)
        match expr:
            case ir.Local(slot=slot) if scope.outermost and slot not in scope.names:
                return expr
            case ir.Const() | ir.MarkerValue(indices=()):
                return expr
            case ir.Neighbour(player=player) if _sure(player):
                return replace(expr, player=self._player(player, scope))
        raise Unfit

    # ------------------------------------------------------------ conditions

    def _holds(self, expr: ir.Expr | None, scope: _Scope) -> Field:
        """Where a condition holds."""
        if expr is None:
            return self.fields.everywhere
        expr, scope = self._meant(expr, scope)
        key = (id(expr), id(scope), self._start)
        if key not in self._known:
            self._known[key] = (expr, scope, self._worked_out(expr, scope))
        return self._known[key][2]

    def _worked_out(self, expr: ir.Expr, scope: _Scope) -> Field:
        fields = self.fields
        if len(fields) > _MOST_FIELDS:
            raise Unfit
        fixed = self._fixed(expr, scope)
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
                broken: ir.Expr = ir.Not(TRUTH, condition)
                if binder.where is not None:
                    broken = ir.And(TRUTH, binder.where, broken)
                return fields.other(self._exists(binder, broken, binder.source, scope, scope))
            case ir.Compare(operator="=", left=left, right=right):
                return self._equal(left, right, scope)
            case ir.Compare(operator=sign, left=left, right=right):
                return self._compared(sign, left, right, scope)
        raise Unfit

    def _fixed(self, expr: ir.Expr, scope: _Scope) -> Field | None:
        """A condition that does not depend on the situation, and on one place at most."""
        if not self.known.depends.fixed(expr):
            return None
        given: dict[int, object] = {}
        place: ir.Local | None = None
        for part in self._read(expr):
            known = self._constant(part, scope)
            if known is not None:
                given[part.slot] = known[0]
            elif (place is not None and place != part) or part.type != self._type:
                return None
            else:
                place = part
        try:
            passing = [
                bool(self.known.folder.worth(expr, {**given, place.slot: each} if place else given))
                for each in (self.places.places if place else (0,))
            ]
        except Unknown:
            return None
        if place is None:
            return self.fields.everywhere if passing[0] else self.fields.nowhere
        bits = sum(holds << at for at, holds in enumerate(passing))
        return self._way(place, scope)(self.fields.fixed(bits))

    def _by_case(
        self, expr: ir.Conditional, scope: _Scope, asked: Callable[[ir.Expr], Field]
    ) -> Field:
        """What is asked of a value, asked of both that it may be."""
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
        """Where there is a member of a source for which a condition holds."""
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
                by, who = _asked_of_piece(where, binder.slot)
                return self._way(place, source_scope)(self._held(by, self._player(who, scope)))
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
        """Whether places are around each other by steps on our board."""
        return family == self.places.number and not self.places.of.lines

    # ------------------------------------------------------------ comparisons

    def _equal(self, left: ir.Expr, right: ir.Expr, scope: _Scope) -> Field:
        fields = self.fields
        for one, two in ((left, right), (right, left)):
            of, known = plain(one.type), self._constant(two, scope)
            if isinstance(of, PlaceType) and known is not None:
                way = self._way(one, scope)
                if known[0] is None:
                    return fields.other(way(fields.everywhere))
                assert isinstance(known[0], int)
                return way(fields.fixed(1 << (known[0] - self.places.first)))
            if isinstance(of, PlayerType):
                try:
                    who = self._player(two, scope)
                except Unfit:
                    continue
                return self._shows(one, scope, who)
        if isinstance(plain(left.type), PlayerType) and isinstance(plain(right.type), PlayerType):
            each = [ir.Const(PlayerType(), seat) for seat in (*self.known.folder.seats, None)]
            both = (
                fields.all(self._shows(left, scope, who), self._shows(right, scope, who))
                for who in each
            )
            return fields.either(*both)
        return self._compared("=", left, right, scope)

    def _shows(self, expr: ir.Expr, scope: _Scope, who: ir.Expr) -> Field:
        """Where an expression gives a player, or nothing."""
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
        """A number against one that is known."""
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
        """Where two numbers, neither below zero, add up to so much."""
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

    # ------------------------------------------------------------ sets and ways

    def _some(self, several: ir.Expr, scope: _Scope) -> Field:
        """Where a set is not empty."""
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
        """The way to a place of the family, or to nothing."""
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
        raise Unfit

    def _step_from(self, start: Way, step: Step) -> Way:
        return lambda to: start(self.fields.before(step, to))

    def _end(self, several: ir.Expr, scope: _Scope, last: bool) -> Way:
        """The way to the first or last member of a set."""
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
        """Its step, the way to where it starts, and what it goes through."""
        binder, key = walk.binder, (id(walk), id(scope), 0)
        if not _sure(binder.source):
            raise Unfit
        step, start = self._step(walk, scope), self._way(binder.source, scope)
        if key not in self._known:
            through = self._asked_of(binder.slot, binder.where, scope)
            self._known[key] = (walk, scope, through)
        return step, start, self._known[key][2]


_TURNED = str.maketrans("<>", "><")


def _sure(expr: ir.Expr) -> bool:
    """Whether an expression is never nothing."""
    return not isinstance(expr.type, MaybeType | NothingType)


def _asked_of_piece(where: ir.Expr, slot: int) -> tuple[int, ir.Expr]:
    """For a condition `owner of piece is somebody`, or a state of it: by what, and who."""
    match where:
        case ir.Compare(operator="=", left=left, right=right):
            for one, two in ((left, right), (right, left)):
                match one:
                    case (
                        ir.OwnerOf(of=ir.Local(slot=of))
                        | ir.PieceState(of=ir.Local(slot=of), indices=())
                    ) if of == slot and _sure(two):
                        return (OWNER if isinstance(one, ir.OwnerOf) else one.state), two
    raise Unfit
