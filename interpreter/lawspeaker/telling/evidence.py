"""Which places something was for: the four in a row that won, the line that scored, the mill.

A rule says `if there is a slope where length of cell along slope >= 4: player wins`. That it held
is an event; by which cells is not. So a reply is done once more, and where points are given, the
game ends or somebody is asked, the condition or the sum that led there is gone through once more
with everything as it stood then:

- of `there is`, each thing for which the condition holds is an answer of its own, a **group**;
- what was counted, added up, walked along or found `for every` belongs to the group;
- of `and` both sides do, of `or` the first that holds, of `if` the one that was taken;
- a place of which a defined value was asked belongs to what that value has counted;
- of `not`, and of numbers that had to be small, nothing can be shown.

What led to points or to the end may stand in the clause that did this one; what led to a question
only in the clause that asks. The last condition counts, and nothing before the last question.

Only what everyone could have worked out himself is gone through (see `_Open`): no condition that
looks into a place, at a marker or at an attribute which some cannot see; and, where a game hides
anything, none with a name that was made before it, since what that was made of is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.dependence import PaidValue, SizeOf
from lawspeaker.ir.types import NumberType, PieceType, PlaceType, SetType, Type, plain
from lawspeaker.ir.walk import everything
from lawspeaker.machines.lower.operations import Kind, Operation
from lawspeaker.machines.reference.assembler import PAUSE
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Eval, Slots
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State

Group = tuple[int, ...]
"""Places that count together, in the order in which they were found."""
Groups = list[Group]

MOST = 8
"""Of more groups than these nobody could follow what is drawn."""
MOST_PLACES = 64
FEWEST = 2
"""A single place shows no line; that points were for it, the event says itself."""


def evidence(match: Match, reply: int) -> dict[int, Groups]:
    """By the number of an event that a reply (counted from 0) brought about, the places it was for;
    of a question, under the last event before it. Nothing, if the match has not kept how things
    stood then. What the last one was for is asked by every screen, and kept."""
    given, known = match.replies[reply], _last.get(match)
    if known is None or known[0] is not given:
        known = _last[match] = (given, _evidence(match, reply))
    return known[1]


_last: WeakKeyDictionary[Match, tuple[Option, dict[int, Groups]]] = WeakKeyDictionary()


def _evidence(match: Match, reply: int) -> dict[int, Groups]:
    state = match.before(reply)
    if state is None:
        return {}
    events, given = match.events_of(reply), match.replies[reply]
    looking = _Looking(match.machine, len(state.journal))
    try:
        looking.answer(state, given.setting.seat, given.reply)
    except RuleFault:
        return {}
    return {events[at].number: groups for at, groups in looking.found.items() if at < len(events)}


class _Looking(Machine):
    """A machine that looks at what led to points, to the end and to questions; made of one that is
    ready, it plays the same."""

    def __init__(self, machine: Machine, first: int) -> None:
        vars(self).update(vars(machine))
        self._machine = machine
        self.found: dict[int, Groups] = {}
        self._first = first
        self._because: list[_Asked | None] = []
        """For each frame, the last condition in it, if everyone could have worked it out."""
        self._own: list[bool] = []
        """For each frame, whether that condition stands in the clause itself."""

    def _run(self, state: State) -> None:
        codes, stack = self.codes, state.stack
        self._because = [None for _ in stack]
        self._own = [False for _ in stack]
        pc = 0
        while pc != PAUSE:
            self._follow(len(stack))
            frame = stack[-1]
            code, slots, pc = codes[frame.clause], frame.slots, frame.pc
            while pc >= 0:
                self._look(state, frame.clause, code.operations[pc], slots)
                pc = code.ops[pc](state, slots)

    def _follow(self, depth: int) -> None:
        """Frames have come or gone; a clause that begins goes on with what led to it."""
        del self._because[depth:], self._own[depth:]
        while len(self._because) < depth:
            self._because.append(self._because[-1] if self._because else None)
            self._own.append(False)

    def _look(self, state: State, clause: int, operation: Operation, slots: Slots) -> None:
        deed, kind = operation.deed, operation.kind
        if kind is Kind.BRANCH and isinstance(deed, ir.If):
            self._because[-1] = self._asked(state, clause, deed.condition, slots)
            self._own[-1] = True
        elif isinstance(deed, ir.Score) and deed.reason_known:
            counted = self._groups(self._asked(state, clause, deed.points, slots))
            self._note(state, counted or self._groups(self._because[-1]), 0)
        elif kind is Kind.END:
            self._note(state, self._groups(self._because[-1]), 0)
        elif kind in (Kind.ASK, Kind.ASK_ALL):
            if self._own[-1]:
                self._note(state, self._groups(self._because[-1]), -1)
            self._because = [None for _ in self._because]

    def _note(self, state: State, groups: Groups, offset: int) -> None:
        at = len(state.journal) - self._first + offset
        if groups and at >= 0:
            self.found[at] = groups

    def _asked(self, state: State, clause: int, expr: ir.Expr, slots: Slots) -> _Asked | None:
        if not _open(self._machine).all_see(expr, self.program.clauses[clause].slots):
            return None
        return _Asked(expr, state.copy(), slots.copy())

    def _groups(self, asked: _Asked | None) -> Groups:
        if asked is None:
            return []
        gathering = _Gathering(self._machine, asked.state)
        try:
            holds = bool(gathering.value(asked.expr, asked.slots.copy()))
            found = gathering.of(asked.expr, asked.slots.copy(), holds)
        except RuleFault:
            return []
        kept = [group[:MOST_PLACES] for group in dict.fromkeys(found) if len(group) >= FEWEST]
        return [each for each in kept if not any(set(each) < set(other) for other in kept)][:MOST]


class _Asked(NamedTuple):
    """A condition or a sum, with how everything stood when it was worked out."""

    expr: ir.Expr
    state: State
    slots: Slots


class _Gathering:
    """Goes through an expression as it is worked out, and gathers the places it is about."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.machine = machine
        self.state = state
        state.left = machine.budget

    def of(self, expr: ir.Expr, slots: Slots, holds: bool) -> Groups:
        """The groups of an expression; of a condition, as far as it `holds` (or does not)."""
        match expr:
            case PaidValue(value=inner):
                return self.of(inner, slots, holds)
            case ir.Not(operand=inner):
                return self.of(inner, slots, not holds)
            case ir.And(left=left, right=right) if holds and self.value(left, slots):
                return _together(self.of(left, slots, True), self.of(right, slots, True))
            case ir.Or(left=left, right=right) if holds:
                return self.of(left if self.value(left, slots.copy()) else right, slots, True)
            case ir.Exists(binder=binder) if holds:
                return self.each(binder, slots)
            case ir.Every(binder=binder, condition=condition) if holds:
                return self.all(binder, condition, slots)
            case ir.Compare() if isinstance(plain(expr.left.type), NumberType):
                return self.compared(expr, slots, holds)
            case ir.Conditional(condition=condition):
                taken = expr.then if self.value(condition, slots) else expr.otherwise
                return self.of(taken, slots, holds)
            case ir.Arithmetic(left=left, right=right):
                return _together(self.of(left, slots, True), self.of(right, slots, True))
            case ir.CallFunction():
                return self.called(expr, slots, holds)
            case ir.Count(binder=binder) | ir.SumOf(binder=binder):
                return self.all(binder, getattr(expr, "value", None), slots)
            case SizeOf(set=counted):
                return self.members(counted, slots)
            case ir.Includes(set=among) if holds and isinstance(among, ir.Region):
                return self.members(among, slots)
        return []

    def compared(self, expr: ir.Compare, slots: Slots, holds: bool) -> Groups:
        """What had to be many."""
        if expr.operator == "=":
            sides = [expr.left, expr.right] if holds else []
        else:
            sides = [expr.left if (expr.operator in (">", ">=")) == holds else expr.right]
        found: Groups = []
        for side in sides:
            found = _together(found, self.of(side, slots, True))
        return found

    def each(self, binder: ir.Binder, slots: Slots) -> Groups:
        """A group or more for each thing that is found."""
        found: Groups = []
        for member in self.found(binder, slots):
            slots[binder.slot] = member
            inner = [] if binder.where is None else self.of(binder.where, slots.copy(), True)
            own = self.places(binder.type, member)
            found += [_merged(own, group) for group in inner] or ([own] if own else [])
            if len(found) > MOST * MOST:
                break
        return found

    def all(self, binder: ir.Binder, value: ir.Expr | None, slots: Slots) -> Groups:
        """All things that are found, together; those of which a number is asked, if it is one."""
        whole: Group = ()
        for member in self.found(binder, slots):
            slots[binder.slot] = member
            if value is None:
                whole = _merged(whole, self.places(binder.type, member))
                continue
            number = isinstance(plain(value.type), NumberType)
            if number and not self.value(value, slots.copy()):
                continue
            inner = self.of(value, slots.copy(), True)
            for group in [self.places(binder.type, member), *inner]:
                whole = _merged(whole, group)
        return [whole] if whole else []

    def members(self, expr: ir.Expr, slots: Slots) -> Groups:
        """The members of a set."""
        whole: Group = ()
        of = expr.type
        if isinstance(of, SetType):
            for member in self.value(expr, slots):
                whole = _merged(whole, self.places(of.of, member))
        return [whole] if whole else []

    def called(self, expr: ir.CallFunction, slots: Slots, holds: bool) -> Groups:
        """What a defined value has counted, with the places of which it was asked."""
        function = self.machine.evaluator.program.functions[expr.function]
        given = [self.value(each, slots) for each in expr.arguments]
        inside: Slots = [None] * len(function.slots)
        inside[: len(given)] = given
        for slot, value in function.lets:
            inside[slot] = self.value(value, inside)
        found = self.of(function.result, inside, holds)
        asked: Group = ()
        for each, value in zip(expr.arguments, given, strict=True):
            asked = _merged(asked, self.places(each.type, value))
        return [_merged(asked, group) for group in found]

    def found(self, binder: ir.Binder, slots: Slots) -> Sequence[Value]:
        kept = _compiled(self.machine)
        if binder not in kept:
            kept[binder] = found_by(self.machine.evaluator, binder)
        members: Sequence[Value] = kept[binder](self.state, slots)
        return members

    def value(self, expr: ir.Expr, slots: Slots) -> Value:
        kept = _compiled(self.machine)
        if expr not in kept:
            kept[expr] = self.machine.evaluator.compile(expr)
        return kept[expr](self.state, slots)

    def places(self, of: Type, value: Value) -> Group:
        """Where a thing is, if it is on the table for all to see."""
        of = plain(of)
        if value is None:
            return ()
        if isinstance(of, PieceType):
            value = self.state.where[value]
        elif not isinstance(of, PlaceType):
            return ()
        layout = self.machine.layout
        family = layout.program.families[layout.place_family[value]]
        return (value,) if family.seen_by == "everyone" else ()


class _Open:
    """Whether everyone could work something out: it looks at nothing that is hidden from some."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._hides = _hides(program)
        self._functions: dict[int, bool] = {}
        self._known: ByNode[bool] = ByNode()

    def all_see(self, expr: ir.Expr, slots: Sequence[ir.Slot]) -> bool:
        """Whether everyone could, of an expression in a clause or function with these slots."""
        if expr not in self._known:
            known = not self._hides or _stands_alone(expr)
            self._known[expr] = known and self._all_seen(expr, slots)
        return self._known[expr]

    def _all_seen(self, code: object, slots: Sequence[ir.Slot]) -> bool:
        return all(self._seen(node, slots) for node in everything(code))

    def _seen(self, node: Any, slots: Sequence[ir.Slot]) -> bool:
        program = self.program
        match node:
            case ir.SupposingDone() | ir.Possible() | ir.Appearances():
                return False
            case ir.Local(slot=slot):
                return not slots[slot].private
            case ir.MarkerValue(marker=number):
                return program.markers[number].seen_by == "everyone"
            case ir.PieceState(piece=piece, state=number):
                return program.pieces[piece].states[number].seen_by == "everyone"
            case ir.Contents(place=place) | ir.TopOf(place=place):
                return self._open_place(place.type)
            case ir.CallFunction(function=number):
                return self._function(number)
            case ir.ItemOf(place=place) if not isinstance(place.type, SetType):
                return self._open_place(place.type)
            case ir.Expr() if hasattr(node, "family"):
                return bool(program.families[node.family].seen_by == "everyone")
        return True

    def _open_place(self, of: Type) -> bool:
        of = plain(of)
        if not isinstance(of, PlaceType):
            return False
        return self.program.families[of.index].seen_by == "everyone"

    def _function(self, number: int) -> bool:
        if number not in self._functions:
            self._functions[number] = False  # no value is defined by itself
            function = self.program.functions[number]
            code = (*(value for _, value in function.lets), function.result)
            self._functions[number] = self._all_seen(code, function.slots)
        return self._functions[number]


def _hides(program: ir.Program) -> bool:
    """Whether there is anything that not everyone sees."""
    declared = (
        *(family.seen_by for family in program.families),
        *(marker.seen_by for marker in program.markers),
        *(state.seen_by for piece in program.pieces for state in piece.states),
    )
    return any(each != "everyone" for each in declared)


def _stands_alone(expr: ir.Expr) -> bool:
    """Whether all names in an expression are made in it."""
    nodes = list(everything(expr))
    own = {node.slot for node in nodes if isinstance(node, ir.Binder)}
    return all(node.slot in own for node in nodes if isinstance(node, ir.Local))


@lru_cache(maxsize=32)
def _open(machine: Machine) -> _Open:
    return _Open(machine.evaluator.program)


@lru_cache(maxsize=32)
def _compiled(machine: Machine) -> ByNode[Eval]:
    return ByNode()


def _merged(one: Iterable[int], other: Iterable[int]) -> Group:
    return tuple(dict.fromkeys((*one, *other)))


def _together(one: Groups, other: Groups) -> Groups:
    """Groups that count only together; of several on both sides, each on its own."""
    if not one or not other:
        return one or other
    if len(one) == 1:
        return [_merged(one[0], each) for each in other]
    if len(other) == 1:
        return [_merged(each, other[0]) for each in one]
    return [*one, *other]
