"""Finds the places that explain an outcome: the four in a row that won, the line that scored.

A rule says `if there is a slope where length of cell along slope >= 4: player wins`. The event log
records that it held, but not for which cells. So a reply is replayed, and at each score, end of the
game or question, the condition or the sum that led there is evaluated again in the state of that
time:

- `there is`: each witness of the condition is an answer of its own, a **group**; for regions, the
  shortest path to the nearest witness;
- things counted, summed, walked along or found by `for every` belong to the group;
- `and`: both operands; `or`: the first that holds; `if`: the branch taken;
- a place passed to a defined value belongs to what that value has counted;
- a name stands for the expression it was assigned from, evaluated in the state of that time;
- `not`, and numbers that had to be small, have no witnesses.

For scores and the end, the condition may be in a calling clause; for a question, only in the asking
clause. The last condition counts, and nothing before the last question.

Only expressions that everyone could evaluate are used, those marked `evident` (see
`meaning/secrets`). Where the control flow is not public, earlier conditions are dropped, since a
missing line would disclose it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.dependence import Paid, PaidValue, SizeOf
from lawspeaker.ir.walk import slots_read
from lawspeaker.machines.lower.operations import Kind, Operation
from lawspeaker.machines.reference.assembler import PAUSE
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Eval, Slots
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.match.decision import Option
from lawspeaker.match.events import Viewer, seen_by
from lawspeaker.match.match import Match
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State

Group = tuple[int, ...]
"""Places that count together, in the order in which they were found."""
Groups = list[Group]

MOST = 8
"""The maximal number of groups to show; more would be unreadable."""
MOST_PLACES = 64
FEWEST = 2
"""The least number of places in a group: a single one is named by the event itself."""
MOST_STEPS = 20_000
"""The step budget for collecting witnesses; beyond it nothing is shown."""
DEEPEST = 8
"""The maximal number of nested names that are expanded."""


class ShownEvidence(NamedTuple):
    """The places that explain a score, the end or a question. `stays`: they are shown until
    something else happens; those of a score only while it is shown."""

    groups: Groups
    stays: bool


Evidence = dict[int, list[ShownEvidence]]
"""The explanations, by the number of an event."""


def evidence(match: Match, reply: int, viewer: Viewer) -> Evidence:
    """The places that explain the events of a reply (counted from 0), for a viewer. Keys are events
    that the viewer sees; a question belongs to the last one before it. Empty if the match has not
    kept the state before the reply."""
    found: Evidence = {}
    for number, shown in _evidence(match, reply).items():
        seen = (
            event.number
            for event in reversed(match.events_of(reply))
            if event.number <= number and seen_by(match.machine, event, viewer) is not None
        )
        last = next(seen, None)
        if last is not None:
            found.setdefault(last, []).extend(shown)
    return found


def _evidence(match: Match, reply: int) -> Evidence:
    """The same for all events. Cached for the last reply, which every screen requests."""
    given, known = match.replies[reply], _last.get(match)
    if known is None or known[0] is not given:
        known = _last[match] = (given, _found(match, reply))
    return known[1]


_last: WeakKeyDictionary[Match, tuple[Option, Evidence]] = WeakKeyDictionary()


def _found(match: Match, reply: int) -> Evidence:
    state = match.before(reply)
    if state is None:
        return {}
    events, given = match.events_of(reply), match.replies[reply]
    looking = _Looking(match.machine, len(state.journal))
    try:
        looking.answer(state, given.setting.seat, given.reply)
    except RuleFault:
        return {}
    return {events[at].number: shown for at, shown in looking.found.items() if at < len(events)}


class _Scope(NamedTuple):
    """The environment of an expression: state, slots, and the expressions that slots were assigned
    from."""

    state: State
    slots: Slots
    made_of: Mapping[int, _Asked]

    def copy(self) -> _Scope:
        return self._replace(slots=self.slots.copy())


class _Asked(NamedTuple):
    """A condition, sum or assigned expression in its environment; `depth` counts nested
    assignments."""

    expr: ir.Expr
    scope: _Scope
    depth: int


class _Looking(Machine):
    """An instrumented machine that records what led to scores, the end and questions. It shares all
    tables of a compiled one, and plays identically."""

    def __init__(self, machine: Machine, first: int) -> None:
        vars(self).update(vars(machine))
        self._gathering = _Gathering(machine)
        self.found: Evidence = {}
        self._first = first
        self._because: list[_Asked | None] = []
        """By frame: the last condition in it, if it is evident."""
        self._own: list[bool] = []
        """By frame: whether that condition is in the clause itself."""
        self._made_of: list[dict[int, _Asked]] = []
        """By frame: the evident expressions that its slots were assigned from."""
        self._stood: State | None = None

    def _run(self, state: State) -> None:
        codes, stack = self.codes, state.stack
        self._because, self._own, self._made_of = [], [], []
        pc = 0
        while pc != PAUSE:
            self._follow(len(stack))
            frame = stack[-1]
            code, slots, pc = codes[frame.clause], frame.slots, frame.pc
            while pc >= 0:
                self._look(state, code.operations[pc], slots)
                pc = code.ops[pc](state, slots)

    def _follow(self, depth: int) -> None:
        """Adjusts to pushed and popped frames; a called clause inherits what led to the call."""
        del self._because[depth:], self._own[depth:], self._made_of[depth:]
        while len(self._because) < depth:
            self._because.append(self._because[-1] if self._because else None)
            self._own.append(False)
            self._made_of.append({})

    def _look(self, state: State, operation: Operation, slots: Slots) -> None:
        match operation.statement:
            case ir.If(condition=condition) as statement if operation.kind is Kind.BRANCH:
                self._because[-1] = self._asked(state, statement, condition, slots)
                self._own[-1] = True
            case ir.ForEach() | ir.Repeat() | ir.RepeatUntil() | ir.Rank() as statement:
                if not statement.evident:
                    self._because[-1] = None
            case ir.SetLocal(slot=slot, value=value) as statement:
                made_of = self._asked(state, statement, value, slots)
                self._made_of[-1].pop(slot, None)
                if made_of is not None and made_of.depth <= DEEPEST:
                    self._made_of[-1][slot] = made_of
            case ir.Do(returns=returns):
                for _, slot in returns:
                    self._made_of[-1].pop(slot, None)
            case ir.Score(points=points) as statement:
                counted = self._groups(self._asked(state, statement, points, slots))
                self._note(state, counted or self._groups(self._because[-1]), 0, stays=False)
            case ir.EndGame():
                self._note(state, self._groups(self._because[-1]), 0, stays=True)
            case ir.Ask() if operation.kind in (Kind.ASK, Kind.ASK_ALL):
                if self._own[-1]:
                    self._note(state, self._groups(self._because[-1]), -1, stays=True)
                self._because = [None for _ in self._because]

    def _note(self, state: State, groups: Groups, offset: int, *, stays: bool) -> None:
        at = len(state.journal) - self._first + offset
        if groups and at >= 0:
            self.found.setdefault(at, []).append(ShownEvidence(groups, stays))

    def _asked(
        self, state: State, statement: ir.Statement, expr: ir.Expr, slots: Slots
    ) -> _Asked | None:
        if not statement.evident:
            return None
        # Every change of the state is in the journal.
        if self._stood is None or len(self._stood.journal) != len(state.journal):
            self._stood = state.copy()
        names = self._made_of[-1]
        made_of = {slot: names[slot] for slot in slots_read(expr) if slot in names}
        depth = 1 + max((each.depth for each in made_of.values()), default=0)
        return _Asked(expr, _Scope(self._stood, slots.copy(), made_of), depth)

    def _groups(self, asked: _Asked | None) -> Groups:
        if asked is None:
            return []
        try:
            found = self._gathering.asked(asked)
        except (RuleFault, _TooMuch):
            return []
        kept = [group[:MOST_PLACES] for group in dict.fromkeys(found) if len(group) >= FEWEST]
        return [each for each in kept if not any(set(each) < set(other) for other in kept)][:MOST]


class _TooMuch(Exception):
    """The step budget is exhausted."""


class _Gathering:
    """Evaluates expressions and collects the places they are about, on one step budget per
    reply."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.budget = machine.budget
        self.steps = MOST_STEPS

    def asked(self, asked: _Asked) -> Groups:
        holds = bool(self.value(asked.expr, asked.scope.copy()))
        return self.of(asked.expr, asked.scope.copy(), holds)

    def of(self, expr: ir.Expr, scope: _Scope, holds: bool) -> Groups:
        """The groups of an expression; of a condition, those that make it true (`holds`) or
        false."""
        self.step()
        match expr:
            case PaidValue(value=inner):
                return self.of(inner, scope, holds)
            case ir.Local(slot=slot) if slot in scope.made_of:
                inner, behind, _ = scope.made_of[slot]
                return self.of(inner, behind.copy(), holds)
            case ir.Not(operand=inner):
                return self.of(inner, scope, not holds)
            case ir.And(left=left, right=right) if holds and self.value(left, scope):
                return _together(self.of(left, scope, True), self.of(right, scope, True))
            case ir.Or(left=left, right=right) if holds:
                return self.of(left if self.value(left, scope.copy()) else right, scope, True)
            case ir.Exists(binder=binder) if holds:
                return self.each(binder, scope)
            case ir.Every(binder=binder, condition=condition) if holds:
                return self.all(binder, condition, scope)
            case ir.Compare() if isinstance(ir.plain(expr.left.type), ir.NumberType):
                return self.compared(expr, scope, holds)
            case ir.Conditional(condition=condition):
                taken = expr.then if self.value(condition, scope) else expr.otherwise
                return self.of(taken, scope, holds)
            case ir.Arithmetic(left=left, right=right):
                return _together(self.of(left, scope, True), self.of(right, scope, True))
            case ir.CallFunction():
                return self.called(expr, scope, holds)
            case ir.Count(binder=binder) | ir.SumOf(binder=binder):
                return self.all(binder, getattr(expr, "value", None), scope)
            case SizeOf(set=counted):
                return self.members(counted, scope)
            case ir.Includes(set=among, item=item) if holds:
                region = self.region(among, scope)
                if region is not None:
                    return [self.nearest(*region, [self.value(item, scope)])[1]]
        return []

    def compared(self, expr: ir.Compare, scope: _Scope, holds: bool) -> Groups:
        """The groups of the side of a comparison that had to be large."""
        if expr.operator == "=":
            sides = [expr.left, expr.right] if holds else []
        else:
            sides = [expr.left if (expr.operator in (">", ">=")) == holds else expr.right]
        found: Groups = []
        for side in sides:
            found = _together(found, self.of(side, scope, True))
        return found

    def each(self, binder: ir.Binder, scope: _Scope) -> Groups:
        """One or more groups per witness; of a region, for the nearest witness."""
        of = binder.type
        members = {each: self.places(of, each, scope) for each in self.found(binder, scope)}
        region = self.region(binder.source, scope)
        if region is not None and members:
            members = dict([self.nearest(*region, members)])
        found: Groups = []
        for member, own in members.items():
            scope.slots[binder.slot] = member
            inner = [] if binder.where is None else self.of(binder.where, scope.copy(), True)
            found += [_merged(own, group) for group in inner] or ([own] if own else [])
            if len(found) > MOST * MOST:
                break
        return found

    def all(self, binder: ir.Binder, value: ir.Expr | None, scope: _Scope) -> Groups:
        """All things found, as one group; with a numeric value, those where it is not zero."""
        whole: Group = ()
        for member in self.found(binder, scope):
            scope.slots[binder.slot] = member
            if value is None:
                whole = _merged(whole, self.places(binder.type, member, scope))
                continue
            number = isinstance(ir.plain(value.type), ir.NumberType)
            if number and not self.value(value, scope.copy()):
                continue
            inner = self.of(value, scope.copy(), True)
            for group in [self.places(binder.type, member, scope), *inner]:
                whole = _merged(whole, group)
        return [whole] if whole else []

    def members(self, expr: ir.Expr, scope: _Scope) -> Groups:
        """The members of a set."""
        whole: Group = ()
        of = expr.type
        if isinstance(of, ir.SetType):
            for member in self.in_order(of.of, self.value(expr, scope), scope):
                whole = _merged(whole, self.places(of.of, member, scope))
        return [whole] if whole else []

    def called(self, expr: ir.CallFunction, scope: _Scope, holds: bool) -> Groups:
        """The groups of a defined value, merged with the places passed to it."""
        result, inside = self.inside(expr, scope)
        found = self.of(result, inside, holds)
        asked: Group = ()
        for at, each in enumerate(expr.arguments):
            asked = _merged(asked, self.places(each.type, inside.slots[at], scope))
        return [_merged(asked, group) for group in found]

    def inside(self, expr: ir.CallFunction, scope: _Scope) -> tuple[ir.Expr, _Scope]:
        """The result expression of a defined value, and its environment."""
        function = self.machine.evaluator.program.functions[expr.function]
        slots: Slots = [None] * len(function.slots)
        for at, each in enumerate(expr.arguments):
            slots[at] = self.value(each, scope)
        made_of: dict[int, _Asked] = {}
        inside = _Scope(scope.state, slots, made_of)
        for slot, value in function.lets:
            slots[slot] = self.value(value, inside)
            made_of[slot] = _Asked(value, inside, 0)
        return function.result, inside

    # ------------------------------------------------------------ regions

    def region(self, expr: ir.Expr, scope: _Scope) -> tuple[ir.Region, _Scope] | None:
        """The region that a set is, through names and defined values, with its environment."""
        while True:
            self.step()
            match expr:
                case ir.Region():
                    return expr, scope.copy()
                case Paid(set=inner) | PaidValue(value=inner):
                    expr = inner
                case ir.Local(slot=slot) if slot in scope.made_of:
                    expr, scope, _ = scope.made_of[slot]
                case ir.CallFunction():
                    expr, scope = self.inside(expr, scope.copy())
                case _:
                    return None

    def nearest(
        self, region: ir.Region, scope: _Scope, wanted: Iterable[Value]
    ) -> tuple[Value, Group]:
        """Breadth-first search for the nearest of some members of a region, and the path."""
        here, there = region.standing, region.step
        wanted = frozenset(wanted)
        start = self.in_order(here.type, self.value(here.source, scope), scope)
        reached: dict[Value, Group] = {each: self.places(here.type, each, scope) for each in start}
        waiting = list(reached)
        for standing in waiting:  # grows during the loop
            if standing in wanted:
                return standing, reached[standing]
            scope.slots[here.slot] = standing
            for following in self.found(there, scope):
                if following not in reached:
                    own = self.places(there.type, following, scope)
                    reached[following] = reached[standing] + own
                    waiting.append(following)
        raise AssertionError("a member of a region is reached")

    # ------------------------------------------------------------ values and places

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise _TooMuch

    def found(self, binder: ir.Binder, scope: _Scope) -> Sequence[Value]:
        kept = _compiled(self.machine)
        if binder not in kept:
            kept[binder] = found_by(self.machine.evaluator, binder)
        return self.in_order(binder.type, self.paid(kept[binder], scope), scope)

    def value(self, expr: ir.Expr, scope: _Scope) -> Value:
        kept = _compiled(self.machine)
        if expr not in kept:
            kept[expr] = self.machine.evaluator.compile(expr)
        return self.paid(kept[expr], scope)

    def paid(self, code: Eval, scope: _Scope) -> Value:
        self.step()
        scope.state.left = self.budget
        found = code(scope.state, scope.slots)
        self.budget = scope.state.left
        return found

    def in_order(self, of: ir.Type, members: Iterable[Value], scope: _Scope) -> Sequence[Value]:
        """Sorts pieces by location: their own order would tell identical ones apart."""
        found = list(members)
        if isinstance(ir.plain(of), ir.PieceType):
            found.sort(key=scope.state.where.__getitem__)
        return found

    def places(self, of: ir.Type, value: Value, scope: _Scope) -> Group:
        """The place of a thing, if that is public."""
        of = ir.plain(of)
        if value is None:
            return ()
        if isinstance(of, ir.PieceType):
            value = scope.state.where[value]
        elif not isinstance(of, ir.PlaceType):
            return ()
        layout = self.machine.layout
        family = layout.program.families[layout.place_family[value]]
        return (value,) if family.seen_by == "everyone" else ()


@lru_cache(maxsize=32)
def _compiled(machine: Machine) -> ByNode[Eval]:
    return ByNode()


def _merged(one: Iterable[int], other: Iterable[int]) -> Group:
    return tuple(dict.fromkeys((*one, *other)))


def _together(one: Groups, other: Groups) -> Groups:
    """Combines groups that count only together; several on both sides stay separate."""
    if not one or not other:
        return one or other
    if len(one) == 1:
        return [_merged(one[0], each) for each in other]
    if len(other) == 1:
        return [_merged(each, other[0]) for each in one]
    return [*one, *other]
