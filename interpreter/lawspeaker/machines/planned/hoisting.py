"""Loop-invariant code motion for guards.

    a card where worth of card > worth of top of pile      the right side is evaluated once

Subexpressions of a guard that do not depend on the part of an option bound last are evaluated once
before the loop, if they are short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Settled
from lawspeaker.machines.planned.straight import Straight


class Hoisting:
    """Plans the guards of one program."""

    def __init__(self, known: Analyses, straight: Straight) -> None:
        self.known = known
        self.straight = straight
        self._unsure: ByNode[set[int]] = ByNode()

    def settled(
        self, guards: Sequence[ir.Expr], alternative: ir.Alternative, part: int, names: Names
    ) -> tuple[list[ir.Expr], Settled]:
        """Returns the guards of an alternative as used in the loop over a part, and the hoisted
        expressions: those that depend neither on that part nor on a later one."""
        parts = alternative.parts[part:]
        later = {slot for each in parts for slot in (each.binder.slot, each.set_slot)}
        if alternative not in self._unsure:
            self._unsure[alternative] = _unsure(alternative)
        settling = _Settling(self, names, later | self._unsure[alternative])
        left = [settling.left(guard) for guard in guards]
        return left, tuple(settling.found)


class _Settling:
    """Hoists subexpressions out of the guards of one loop."""

    def __init__(self, plans: Hoisting, names: Names, unknown: set[int]) -> None:
        self.known, self.straight = plans.known, plans.straight
        self.names = names
        self.unknown = unknown
        self.found: list[tuple[int, ir.Expr]] = []

    def left(self, guard: ir.Expr) -> ir.Expr:
        """Returns what remains of a guard in the loop."""
        match guard:
            case ir.And() | ir.Or():
                return self._of_both(guard, self.left(guard.left), self.left(guard.right))
            case ir.Not():
                operand = self.left(guard.operand)
                return guard if operand is guard.operand else replace(guard, operand=operand)
            case ir.Compare() if not self._apart(guard):
                left, right = self._worked_out(guard.left), self._worked_out(guard.right)
                return self._of_both(guard, left, right)
        return self._worked_out(guard)

    def _of_both(
        self, guard: ir.And | ir.Or | ir.Compare, left: ir.Expr, right: ir.Expr
    ) -> ir.Expr:
        if left is guard.left and right is guard.right:
            return guard
        return replace(guard, left=left, right=right)

    def _worked_out(self, expr: ir.Expr) -> ir.Expr:
        known = self.known
        meant = known.rewriting.meant(expr, self.names.meanings)
        plain = known.folder.constant(meant) is not None or isinstance(expr, ir.Local)
        if plain or isinstance(expr.type, ir.SetType) or not self._apart(expr):
            return expr
        if not self.straight.is_short(expr, self.names):
            return expr
        slot = known.rewriting.new_slot()
        self.found.append((slot, expr))
        return ir.Local(expr.type, slot, "settled", span=expr.span)

    def _apart(self, expr: ir.Expr) -> bool:
        """Returns whether an expression depends neither on the part or a later one, nor on other
        conditions."""
        return self.unknown.isdisjoint(slots_read(expr))


def _unsure(alternative: ir.Alternative) -> set[int]:
    """Returns the names that are bound only if some condition is true."""
    members = [guard for some in alternative.member_guards for guard in some]
    found: set[int] = set()
    for guard in (*alternative.guards, *members):
        found |= bound_slots(guard.condition)
        found |= {
            node.slot
            for node in everything(guard.condition)
            if isinstance(node, ir.Local) and isinstance(node.type, ir.MaybeType)
        }
    return found
