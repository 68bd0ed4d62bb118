"""Estimates which expressions are short straight-line code, to evaluate them speculatively.

    card is king and owner of card is player      two table reads, two comparisons, one `and`
    there is a card in hand of player             a mask is not 0
    if square is empty then 0 else 3              a select
    liberties of point is empty                   a call: not straight

Such an expression is evaluated whether it is needed or not: a mispredicted branch costs as much as
forty operations. That must not be observable, so an expression that can fault or charges the budget
is never straight (`harmless`). The estimate affects only speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import fits, worked
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.definitions import (
    ConstantName,
    Definitions,
    Narrowed,
    Opened,
    Valued,
)
from lawspeaker.machines.planned.fields import (
    At,
    Field,
    Fixed,
    HeldPlaces,
    Passed,
    TabledField,
    Walked,
    Whether,
    inside,
)
from lawspeaker.machines.planned.patterns import held_place
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import ByField, ByTable, Mask, Masked, Sets

SHORT = 40
"""The most operations of a speculative evaluation."""
NEVER = 1 << 20
"""The length of an expression that branches, loops or calls."""
_PASSED, _WALKED = 14, 30


class Straight:
    """Estimates the lengths of the expressions of one program; cached."""

    def __init__(self, known: Analyses, sets: Sets, definitions: Definitions) -> None:
        self.known = known
        self.sets = sets
        self.definitions = definitions
        self._lengths: dict[tuple[object, ...], tuple[object, int]] = {}

    def is_short(self, expr: ir.Expr, names: Names) -> bool:
        """Returns whether an expression may be evaluated speculatively, and is short."""
        return self.length(expr, names) <= SHORT and not self.known.harmless.possible(expr)

    def length(self, expr: ir.Expr, names: Names) -> int:
        """Estimates the operations of an expression; `NEVER` if it is not straight-line code."""
        expr = self.known.rewriting.meant(expr, names.meanings)
        free = sorted(self.known.depends.free(expr).intersection(names.meanings))
        meanings = [names.meanings[slot] for slot in free]
        kept = names.clause, names.bits, names.lines
        key = (id(expr), *kept, *zip(free, map(id, meanings), strict=True))
        if key not in self._lengths:
            self._lengths[key] = (expr, meanings), min(NEVER, self._itself(expr, names))
        return self._lengths[key][1]

    def _all(self, several: Iterable[ir.Expr], names: Names, more: int = 0) -> int:
        return more + sum(self.length(each, names) + 2 for each in several)

    def _itself(self, expr: ir.Expr, names: Names) -> int:
        folder = self.known.folder
        if folder.constant(expr) is not None:
            return 1
        if not isinstance(expr, ir.Local) and self.known.depends.fixed(expr):
            found = folder.table((expr,))
            if found is not None and not any(isinstance(s.type, ir.MaybeType) for s in found[0]):
                return self._all(found[0], names, 2)
        way = _LENGTHS.get(type(expr))
        return NEVER if way is None else way(self, expr, names)

    # ------------------------------------------------------------ leaves

    def _local(self, expr: ir.Local, names: Names) -> int:
        return NEVER if isinstance(expr.type, ir.SetType) else 1

    def _entry(self, expr: ir.MarkerValue | ir.PieceState | ir.PlaceAt, names: Names) -> int:
        of = (expr.of,) if isinstance(expr, ir.PieceState) else ()
        return self._all((*of, *expr.indices), names, 2)

    def _column(self, expr: ir.KindColumn | ir.WordColumn, names: Names) -> int:
        if not expr.indices:
            return self._attribute(expr, names)
        return self._all((expr.of, *expr.indices), names, 4)

    def _attribute(self, expr: ir.Expr, names: Names) -> int:
        found = self.known.folder.attribute(expr)
        return NEVER if found is None else self.length(found[1], names) + 3

    def _of(self, expr: ir.NumberOf | ir.ScoreOf | ir.PlaceOf, names: Names) -> int:
        of = expr.player if isinstance(expr, ir.ScoreOf) else expr.of
        return self.length(of, names) + (5 if isinstance(expr, ir.PlaceOf) else 2)

    def _top_of(self, expr: ir.TopOf, names: Names) -> int:
        kept = self._kept(expr.place)
        if kept.masked:
            return self.length(expr.place, names) + 7
        loose = kept.shuffled and kept.of.arranged != "heap"
        return NEVER if loose else self.length(expr.place, names) + 2

    def _kept(self, place: ir.Expr) -> PlacesPlan:
        of = ir.plain(place.type)
        assert isinstance(of, ir.PlaceType)
        return self.known.places[of.index]

    # ------------------------------------------------------------ numbers and conditions

    def _not(self, expr: ir.Not, names: Names) -> int:
        return self.length(expr.operand, names) + 1

    def _both(self, expr: ir.And | ir.Or, names: Names) -> int:
        settled = isinstance(expr, ir.Or)
        for one, other in ((expr.left, expr.right), (expr.right, expr.left)):
            meant = self.known.rewriting.meant(one, names.meanings)
            known = self.known.folder.constant(meant)
            if known is not None:
                return self.length(other, names) if bool(known[0]) is not settled else 1
        if not is_apart(expr.left, expr.right):
            return NEVER
        return self._all((expr.left, expr.right), names)

    def _compare(self, expr: ir.Compare, names: Names) -> int:
        one, two = expr.left, expr.right
        if isinstance(one.type, ir.SetType) or isinstance(two.type, ir.SetType):
            return NEVER
        for held, who in ((one, two), (two, one)):
            found = held_place(self.known.program, held)
            kept = () if found is None else self._kept(found[0]).holders
            if found is not None and isinstance(who.type, ir.PlayerType) and found[1] in kept:
                return self._all((found[0], who), names, 6)
        return self.length(one, names) + self.length(two, names) + 1

    def _arithmetic(self, expr: ir.Arithmetic, names: Names) -> int:
        both = (expr.left, expr.right)
        if expr.operator in ("smaller", "larger"):
            return self._all(both, names, 4)
        ends = (self.known.bounds.number(each) for each in both)
        if expr.operator == "remainder" or not fits(worked(expr.operator, *ends)):
            return NEVER
        return self._all(both, names, 4 if expr.operator == "difference" else -3)

    def _conditional(self, expr: ir.Conditional, names: Names) -> int:
        condition = self.known.rewriting.meant(expr.condition, names.meanings)
        known = self.known.folder.constant(condition)
        if known is not None:
            return self.length(expr.then if known[0] else expr.otherwise, names)
        match expr:
            case ir.Conditional(
                condition=ir.Exists(binder=ir.Binder(source=ir.Contents()) as binder),
                then=then,
                otherwise=ir.Const(),
            ) if self.known.depends.fixed(then):
                if self.known.depends.free(then) == {binder.slot}:
                    found = self.sets.whole(binder, names)
                    return NEVER if found is None else self.bits(found, names) + 4
        apart = is_apart(expr.condition, expr.then) and is_apart(expr.condition, expr.otherwise)
        if not apart or isinstance(expr.type, ir.SetType):
            return NEVER
        return self._all((condition, expr.then, expr.otherwise), names, -5)

    # ------------------------------------------------------------ sets

    def bits(self, plan: Masked, names: Names) -> int:
        """Returns the length of a bit-set plan."""
        if isinstance(plan, Mask):
            table = plan.by.slots if isinstance(plan.by, ByTable) else ()
            compared = plan.by is not None and not isinstance(plan.by, ByTable)
            return NEVER if compared else self._all((plan.place, *table), names, 2)
        steps = [step for step in plan.by if isinstance(step, ByField) and step.cost is None]
        named = plan.source is None or isinstance(plan.source, ir.Local)
        if len(steps) < len(plan.by) or plan.paid is not None or not named:
            return NEVER
        fields = {part for root in (plan.start, *(s.field for s in steps)) for part in inside(root)}
        operations = sum(self._field(part, names) for part in fields) + len(steps)
        table = () if plan.table is None else plan.table.slots
        return self._all(table, names, operations) * plan.places.words

    def _field(self, field: Field, names: Names) -> int:
        match field:
            case Fixed():
                return 1
            case HeldPlaces(who=who):
                maybe = isinstance(who.type, ir.MaybeType)
                return NEVER if maybe else self.length(who, names) + 2
            case At(place):
                return self.length(place, names) + 3
            case TabledField(given):
                return self._all((by.value for by in given), names, 2)
            case Whether(condition):
                return self.length(condition, names)
            case Passed():
                return _PASSED
            case Walked():
                return _WALKED
        return 2

    def _exists(self, expr: ir.Exists, names: Names) -> int:
        found = self.sets.whole(expr.binder, names)
        if found is not None:
            return self.bits(found, names) + 4
        source = expr.binder.source
        if expr.binder.where is None and isinstance(source, ir.Contents):
            return self.length(source.place, names) + 4
        return NEVER

    def _count(self, expr: ir.Count, names: Names) -> int:
        if expr.binder.where is None:
            return self._size(expr.binder.source, names)
        found = self.sets.whole(expr.binder, names)
        return NEVER if found is None else self.bits(found, names) + 1

    def _is_empty(self, expr: ir.IsEmpty, names: Names) -> int:
        return self._size(expr.set, names)

    def _size(self, several: ir.Expr, names: Names) -> int:
        """Returns the length of a set's size, or of the test whether it has any member."""
        several = self.known.rewriting.meant(several, names.meanings)
        if self.known.folder.constant(several) is not None:
            return 1
        match several:
            case ir.Contents(place=place):
                return self.length(place, names) + 3
            case ir.Local():
                return 3
            case ir.Filter(binder=binder):
                return self._exists(ir.Exists(binder.type, binder), names)
            case ir.CallFunction():
                plan = self.definitions.asked(several, names)
                if isinstance(plan, Opened):
                    return self._before(several, plan, names, self._size(plan.result, plan.names))
        return NEVER

    def _end_of(self, expr: ir.EndOf, names: Names) -> int:
        several = expr.set
        return 5 if isinstance(several, ir.Local) and several.slot in names.lines else NEVER

    def _includes(self, expr: ir.Includes, names: Names) -> int:
        match expr.set:
            case ir.Contents(place=place):
                return self._all((place, expr.item), names, 1)
            case ir.Local(slot=slot) if slot in names.bits:
                return self.length(expr.item, names) + 4
        return NEVER

    # ------------------------------------------------------------ definitions

    def _call(self, expr: ir.CallFunction, names: Names) -> int:
        plan = self.definitions.asked(expr, names)
        if not isinstance(plan, Opened):
            return NEVER
        return self._before(expr, plan, names, self.length(plan.result, plan.names))

    def _before(self, call: ir.CallFunction, plan: Opened, names: Names, result: int) -> int:
        """Returns the length of an inlined definition, including its arguments and local names."""
        given = (each for each in call.arguments if not isinstance(each.type, ir.SetType))
        found = self._all(given, names, result)
        for let in plan.lets:
            match let:
                case Narrowed(found=bits):
                    found += self.bits(bits, plan.names)
                case ConstantName(value=value) | Valued(value=value):
                    found += self.length(value, plan.names)
                case _:
                    found += NEVER
        return found


def is_apart(condition: ir.Expr, other: ir.Expr) -> bool:
    """Returns whether `other` can be evaluated without knowing that a condition holds: it reads no
    name that the condition binds, or that may be nothing unless the condition holds."""
    unsure = {
        part.slot
        for part in everything(condition)
        if isinstance(part, ir.Local) and isinstance(part.type, ir.MaybeType)
    }
    unsure |= bound_slots(condition)
    return unsure.isdisjoint(slots_read(other))


_LENGTHS: dict[type[ir.Expr], Callable[[Straight, Any, Names], int]] = {
    ir.Local: Straight._local,
    ir.MarkerValue: Straight._entry,
    ir.PieceState: Straight._entry,
    ir.PlaceAt: Straight._entry,
    ir.KindColumn: Straight._column,
    ir.WordColumn: Straight._column,
    ir.KindOf: Straight._attribute,
    ir.OwnerOf: Straight._attribute,
    ir.PlaceIndex: Straight._attribute,
    ir.Neighbour: Straight._attribute,
    ir.Playing: Straight._attribute,
    ir.SideOf: Straight._attribute,
    ir.NumberOf: Straight._of,
    ir.ScoreOf: Straight._of,
    ir.PlaceOf: Straight._of,
    ir.TopOf: Straight._top_of,
    ir.Not: Straight._not,
    ir.And: Straight._both,
    ir.Or: Straight._both,
    ir.Compare: Straight._compare,
    ir.Arithmetic: Straight._arithmetic,
    ir.Conditional: Straight._conditional,
    ir.Exists: Straight._exists,
    ir.Count: Straight._count,
    ir.IsEmpty: Straight._is_empty,
    ir.Includes: Straight._includes,
    ir.EndOf: Straight._end_of,
    ir.CallFunction: Straight._call,
}
"""Estimators of possibly straight expressions; all others have loops, calls or branches."""
