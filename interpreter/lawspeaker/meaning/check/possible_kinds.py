"""Narrows the kinds that a named piece can have, by the conditions it was chosen under.

The conditions of a binder and the guards on a choice are evaluated for each kind: `where card is
not joker` excludes one, `where cheap: cost of card <= 3` the expensive ones. A condition that
depends on more than the kind may hold.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.meaning.check.world import World

_ORDERS = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class PossibleKinds:
    """The conditions on the named pieces of one clause."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.taken: dict[int, ir.Binder] = {}
        """By slot: the binder of a thing."""
        self.guarded: dict[int, list[ir.Expr]] = {}
        """By slot: the conditions of guards on a chosen thing."""
        self.members: dict[int, int] = {}
        """By the slot of a chosen set: the slot of its members."""
        self.changed: set[int] = set()
        """Slots that are reassigned."""
        self.relied_on: set[int] = set()
        """Slots of played pieces whose possible kinds were narrowed."""

    def chosen(
        self,
        parts: Iterable[ir.Part],
        guards: Iterable[ir.Guard],
        members: Iterable[Iterable[ir.Guard]],
    ) -> None:
        """Records the guards on the things chosen in an answer."""
        whole = [guard.condition for guard in guards]
        for part, own in zip(parts, members, strict=True):
            self.guarded[part.binder.slot] = [*whole, *(guard.condition for guard in own)]
            if part.several:
                self.members[part.set_slot] = part.binder.slot

    def may_be(self, slot: int, piece: int, kind: int) -> bool:
        """Whether the piece in a slot can be of a kind."""
        if slot in self.changed:
            return True
        demands = list(self.guarded.get(slot, ()))
        taken = self.taken.get(slot)
        if taken is not None and taken.where is not None:
            demands.append(taken.where)
        if any(self.value(each, slot, piece, kind) is False for each in demands):
            return False
        match taken:
            case ir.Binder(source=ir.Local(slot=chosen)) if chosen in self.members:
                return self.may_be(self.members[chosen], piece, kind)
        return True

    def value(self, expr: ir.Expr, slot: int, piece: int, kind: int) -> ir.Constant | None:
        """The value of an expression for a kind; None if it depends on more than that."""

        def of(part: ir.Expr) -> ir.Constant | None:
            return self.value(part, slot, piece, kind)

        match expr:
            case ir.Const(value=value):
                return value
            case ir.KindOf(of=ir.Local(slot=at)) if at == slot:
                return kind
            case ir.KindColumn(column=column, of=ir.Local(slot=at), indices=()) if at == slot:
                return self.attribute(piece, kind, column)
            case ir.Not(operand=operand):
                known = of(operand)
                return None if known is None else not known
            case ir.And(left=left, right=right):
                return _decided(False, of(left), of(right))
            case ir.Or(left=left, right=right):
                return _decided(True, of(left), of(right))
            case ir.Compare(operator=order, left=left, right=right):
                one, other = of(left), of(right)
                return None if one is None or other is None else bool(_ORDERS[order](one, other))
        return None

    def attribute(self, piece: int, kind: int, column: int) -> ir.Constant | None:
        """An attribute of a kind, unless a choice decides it."""
        cells = (cell for filled in self.world.filled.values() for cell in filled)
        here = ("pieces", piece, kind, column)
        if any((cell.of, cell.index, cell.row, cell.column) == here for cell in cells):
            return None
        value = self.world.pieces[piece].kinds[kind].values[column]
        return None if isinstance(value, tuple) else value

    def told_apart(self, one: ir.Alternative, other: ir.Alternative) -> bool:
        """Whether two alternatives have no answer in common: one has more parts, or in some part
        they take pieces of different kinds."""
        if len(one.parts) != len(other.parts):
            return bool(one.parts and other.parts)
        return any(map(self.of_different_kinds, one.parts, other.parts))

    def of_different_kinds(self, one: ir.Part, other: ir.Part) -> bool:
        type = one.binder.type
        if not isinstance(type, ir.PieceType) or type != other.binder.type:
            return False
        if one.several or other.several:
            return False
        kinds = range(len(self.world.pieces[type.index].kinds))
        slots = one.binder.slot, other.binder.slot
        return not any(all(self.may_be(slot, type.index, kind) for slot in slots) for kind in kinds)


def _decided(by: bool, one: ir.Constant | None, other: ir.Constant | None) -> ir.Constant | None:
    """The value of `and` or `or`; one operand alone decides it if it is `by`."""
    if by in (one, other):
        return by
    return None if None in (one, other) else not by
