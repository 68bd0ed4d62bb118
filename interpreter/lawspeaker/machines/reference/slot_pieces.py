"""Substitutes the pieces in the slots of a clause.

For each slot that may hold pieces there is a function that maps the pieces in its value: for a slot
of that type, for a set of them, for the groups of a ranking, and for the replies to a secret
question, whose values follow the parts of the alternative chosen.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.position.layout import Value

Exchange = Callable[[int], int]
Shape = Callable[[Value, Exchange], Value]


def shape_of(of: ir.Type) -> Shape | None:
    """Returns a function that maps the pieces in a value of a type; None if it has none."""
    if isinstance(of, ir.PieceType):
        return lambda value, exchange: None if value is None else exchange(value)
    if isinstance(of, ir.MaybeType):
        return shape_of(of.of)
    if isinstance(of, ir.SetType):
        inner = shape_of(of.of)
        if inner is None:
            return None
        each = inner

        def members(value: Value, exchange: Exchange) -> Value:
            return None if value is None else tuple([each(v, exchange) for v in value])

        return members
    return None


def reply_values(
    alternative: ir.Alternative, values: tuple[Value, ...], exchange: Exchange
) -> tuple[Value, ...]:
    """Maps the pieces in the values of a reply."""
    changed = []
    for part, value in zip(alternative.parts, values, strict=True):
        of = ir.SetType(part.binder.type) if part.several else part.binder.type
        shape = shape_of(of)
        changed.append(value if shape is None else shape(value, exchange))
    return tuple(changed)


def slot_shapes(clause: ir.Clause) -> dict[int, Shape]:
    """Returns by slot the function that maps its pieces."""
    found: dict[int, Shape] = {}
    for slot, declared in enumerate(clause.slots):
        shape = shape_of(declared.type)
        if shape is not None:
            found[slot] = shape
    for node in everything(clause.body):
        match node:
            case ir.Rank():
                shape = shape_of(ir.SetType(node.binder.type))
                if shape is not None:
                    found[node.list_slot] = _groups(shape)
            case ir.Ask() if node.each is not None:
                found[node.replies_slot] = _replies(node)
    return found


def _groups(members: Shape) -> Shape:
    def groups(value: Value, exchange: Exchange) -> Value:
        if value is None:
            return None
        return tuple([(members(group, exchange), place) for group, place in value])

    return groups


def _replies(ask: ir.Ask) -> Shape:
    """Maps the pieces in replies. Before all replies are in, the slot holds just the seats."""

    def replies(value: Value, exchange: Exchange) -> Value:
        if value is None or not value or isinstance(value[0], int):
            return value
        changed = []
        for seat, number, values in value:
            if number >= 0:
                values = reply_values(ask.alternatives[number], values, exchange)
            changed.append((seat, number, values))
        return tuple(changed)

    return replies
