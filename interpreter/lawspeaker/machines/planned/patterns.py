"""Recognises idioms in conditions: the holder of a place, emptiness."""

from __future__ import annotations

from typing import Any

from lawspeaker import ir


def conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    if isinstance(expr, ir.And):
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [] if expr is None else [expr]


OWNER, KIND = -1, -2
"""Numbers, beside those of states, for the owner of a piece and its kind."""
SHOWN = (ir.PlayerType, ir.KindType, ir.WordType)
"""Types of piece attributes that are kept as masks of places: owner, kind, or word."""


def holder(program: ir.Program, expr: ir.Expr, slot: int) -> int | None:
    """Returns what an expression reads of the piece in the place in a slot: its owner, its kind, or
    the number of a state, and nothing if the place is empty. None for other expressions."""
    match expr:
        case ir.CallFunction(function=number, arguments=[ir.Local(slot=given)]) if given == slot:
            function = program.functions[number]
            return None if function.lets else holder(program, function.result, 0)
        case ir.Conditional(
            condition=ir.Exists(
                binder=ir.Binder(
                    slot=piece, source=ir.Contents(place=ir.Local(slot=here)), where=None
                )
            ),
            then=then,
            otherwise=ir.Const(value=None),
        ) if here == slot:
            match then:
                case ir.OwnerOf() | ir.KindOf() | ir.PieceState():
                    return shown_of(then, piece)
    return None


def shown_of(expr: ir.Expr, slot: int) -> int | None:
    """Returns what an expression reads of the piece in a slot: its owner, its kind, or a state."""
    match expr:
        case ir.OwnerOf(of=ir.Local(slot=of)) if of == slot:
            return OWNER
        case ir.KindOf(of=ir.Local(slot=of)) if of == slot:
            return KIND
        case ir.PieceState(state=state, of=ir.Local(slot=of), indices=()) if of == slot:
            return state
    return None


def held_place(program: ir.Program, expr: ir.Expr) -> tuple[ir.Expr, int] | None:
    """Returns the place whose holder an expression is, and the attribute that defines it."""
    match expr:
        case ir.CallFunction(function=number, arguments=[place]):
            function = program.functions[number]
            told = None if function.lets else holder(program, function.result, 0)
            return None if told is None else (place, told)
        case ir.Conditional(
            condition=ir.Exists(binder=ir.Binder(source=ir.Contents(place=ir.Local() as place)))
        ):
            told = holder(program, expr, place.slot)
            return None if told is None else (place, told)
    return None


def _asks_holder(program: ir.Program, test: ir.Expr, slot: int) -> bool:
    while isinstance(test, ir.Not):
        test = test.operand
    match test:
        case ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=here))):
            return here == slot
        case ir.Compare(operator="=", left=left, right=right):
            return any(holder(program, each, slot) is not None for each in (left, right))
    return False


def indexed_families(program: ir.Program, nodes: list[Any]) -> set[int]:
    """Returns the families whose places are tested one by one for emptiness or holder."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ir.Binder) and isinstance(node.type, ir.PlaceType):
            if _asks_of_member(program, node.slot, node.where):
                found.add(node.type.index)
        elif isinstance(node, ir.Alternative):
            for part in node.parts:
                of = part.binder.type
                conditions = [guard.condition for guard in node.guards]
                if isinstance(of, ir.PlaceType) and any(
                    _asks_of_member(program, part.binder.slot, each) for each in conditions
                ):
                    found.add(of.index)
    return found


def _asks_of_member(program: ir.Program, slot: int, condition: ir.Expr | None) -> bool:
    """Returns whether a condition tests the place in a slot for emptiness or holder."""
    for test in conjuncts(condition):
        if _asks_holder(program, test, slot):
            return True
        match test:
            case ir.CallFunction(function=number, arguments=arguments):
                function = program.functions[number]
                for parameter, argument in enumerate(arguments):
                    here = isinstance(argument, ir.Local) and argument.slot == slot
                    if here and _asks_of_member(program, parameter, function.result):
                        return True
    return False
