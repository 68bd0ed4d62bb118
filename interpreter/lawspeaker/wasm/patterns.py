"""Shapes of conditions that are worth knowing: who holds a place, whether it is empty."""

from __future__ import annotations

from typing import Any

from lawspeaker import ir
from lawspeaker.types import PlaceType


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    if isinstance(expr, ir.And):
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [] if expr is None else [expr]


def is_holder(program: ir.Program, expr: ir.Expr, slot: int) -> bool:
    """Whether an expression is the owner of the piece in the place in a slot, or nothing."""
    match expr:
        case ir.CallFunction(function=number, arguments=[ir.Local(slot=given)]) if given == slot:
            function = program.functions[number]
            return not function.lets and is_holder(program, function.result, 0)
        case ir.Conditional(
            condition=ir.Exists(
                binder=ir.Binder(
                    slot=piece, source=ir.Contents(place=ir.Local(slot=here)), where=None
                )
            ),
            then=ir.OwnerOf(of=ir.Local(slot=owned)),
            otherwise=ir.Const(value=None),
        ):
            return here == slot and owned == piece
    return False


def indexed_families(program: ir.Program, nodes: list[Any]) -> set[int]:
    """The families of which it is asked, place by place, whether they are empty or who holds
    them."""
    found: set[int] = set()
    for binder in nodes:
        if not isinstance(binder, ir.Binder) or not isinstance(binder.type, PlaceType):
            continue
        for test in conjuncts(binder.where):
            while isinstance(test, ir.Not):
                test = test.operand
            match test:
                case ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=slot))):
                    if slot == binder.slot:
                        found.add(binder.type.index)
                case ir.Compare(operator="=", left=left, right=right):
                    if any(is_holder(program, each, binder.slot) for each in (left, right)):
                        found.add(binder.type.index)
    return found


