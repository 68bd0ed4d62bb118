"""Conditions that are settled before the things they are asked of are gone through.

Part of a guard often does not depend on the part of an option that is bound last. What of it is
short is worked out once, before the loop, and read in it.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.types import MaybeType, SetType
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.compiled.function import Code


class Hoisting:
    """For the guards of one alternative."""

    def __init__(self, c: Code, alternative: ir.Alternative) -> None:
        self.c = c
        self.parts = alternative.parts
        self._unsure = _unsure(alternative)

    def settled(self, guard: ir.Expr, part: int) -> ir.Expr:
        """A guard of a part, with what does not depend on it or a later one worked out."""
        match guard:
            case ir.And() | ir.Or():
                left, right = self.settled(guard.left, part), self.settled(guard.right, part)
                if left is guard.left and right is guard.right:
                    return guard
                return replace(guard, left=left, right=right)
            case ir.Not():
                operand = self.settled(guard.operand, part)
                return guard if operand is guard.operand else replace(guard, operand=operand)
            case ir.Compare() if not self._apart(guard, part):
                left, right = (self._worked_out(each, part) for each in (guard.left, guard.right))
                if left is guard.left and right is guard.right:
                    return guard
                return replace(guard, left=left, right=right)
        return self._worked_out(guard, part)

    def _worked_out(self, expr: ir.Expr, part: int) -> ir.Expr:
        c = self.c
        plain = c.folder.constant(c.meant(expr)) is not None or isinstance(expr, ir.Local)
        if plain or isinstance(expr.type, SetType) or not self._apart(expr, part):
            return expr
        value = c.straight(expr)
        if value is None:
            return expr
        slot = c.unit.new_slot()
        c.f.set(c.slot(slot), value)
        return ir.Local(expr.type, slot, "settled", span=expr.span)

    def _apart(self, expr: ir.Expr, part: int) -> bool:
        """Whether something depends neither on a part or a later one, nor on other conditions."""
        read = frozenset(slots_read(expr))
        later = {slot for each in self.parts[part:] for slot in (each.binder.slot, each.set_slot)}
        return read.isdisjoint(later) and read.isdisjoint(self._unsure)


def _unsure(alternative: ir.Alternative) -> set[int]:
    """The names that stand for something only where some condition holds."""
    members = [guard for some in alternative.member_guards for guard in some]
    found: set[int] = set()
    for guard in (*alternative.guards, *members):
        found |= bound_slots(guard.condition)
        found |= {
            node.slot
            for node in everything(guard.condition)
            if isinstance(node, ir.Local) and isinstance(node.type, MaybeType)
        }
    return found
