"""Dependence analysis: the free slots of an expression, and whether it reads the position.

A binder binds its slot within its condition and value, so the slot is not free there. The name
bound by a `there is` may be read further right in the same condition; there the slot counts as
free, which is conservative.

An expression that depends on neither is constant. One that depends on slots only gives the same
value for the same slots, in any position.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from lawspeaker import ir
from lawspeaker.base.trees import APART, ByNode
from lawspeaker.ir.walk import children, everything, slots_read


@dataclass(frozen=True, slots=True)
class AttributeOfFirst(ir.Expr):
    """The attribute of the first piece in a place; `otherwise` if the place is empty.

    Made by `simplify`; `attribute` is a constant attribute of `slot`, which is local to it.
    """

    place: ir.Expr
    slot: int
    attribute: ir.Expr = field(metadata=APART)
    otherwise: ir.Expr


@dataclass(frozen=True, slots=True)
class SizeOf(ir.Expr):
    """The size of a set. Made by `simplify` from a count without a condition."""

    set: ir.Expr


@dataclass(frozen=True, slots=True)
class OccupiedRun(ir.Expr):
    """The occupied places from (excluding) a start, step by step, up to the first empty one.

    Made by `simplify` from a walk that tests nothing else, and so needs no slot.
    """

    family: int
    start: ir.Expr
    across: ir.Expr
    down: ir.Expr


@dataclass(frozen=True, slots=True)
class Paid(ir.Expr):
    """A set that charges so many steps for each member when it is evaluated. Made by `metering`;
    since the budget may run out, it can fault."""

    set: ir.Expr
    each: int


@dataclass(frozen=True, slots=True)
class PaidValue(ir.Expr):
    """A value that charges its cost when it is evaluated, and can fault for the same reason."""

    value: ir.Expr
    cost: int


@dataclass(frozen=True, slots=True)
class SupposedTogether(ir.SupposingDone):
    """Several conditions after one hypothetical execution. Made by `sharing`: those in `more` are
    evaluated after the first, each if those before are true, and charged including the clause."""

    more: tuple[PaidValue, ...]


_SITUATION = (
    Paid,
    PaidValue,
    AttributeOfFirst,
    OccupiedRun,
    ir.MarkerValue,
    ir.ScoreOf,
    ir.PieceState,
    ir.PlaceOf,
    ir.Contents,
    ir.ItemOf,
    ir.TopOf,
    ir.Supposing,
    ir.SupposingDone,
    ir.Appearances,
    ir.Possible,
    ir.Occupied,
    ir.OpenPlaces,
    # Combinations are many: they are iterated over, and never cached.
    ir.Subsets,
    ir.PathLength,  # charges during evaluation
)
_NO_SLOTS: frozenset[int] = frozenset()


class Dependence:
    """The analysis for one program; cached."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._free: ByNode[frozenset[int]] = ByNode()
        self._fixed: ByNode[bool] = ByNode()
        self._fixed_functions: dict[int, bool] = {}
        self._reads: ByNode[Counter[int]] = ByNode()

    def free(self, node: Any) -> frozenset[int]:
        """Returns the free slots of an expression (or a tuple of them, or None)."""
        if node is None:
            return _NO_SLOTS
        if isinstance(node, ir.Local):
            return frozenset((node.slot,))
        known = self._free.get(node)
        if known is None:
            slots: set[int] = set()
            bound = [b.slot for b in children(node) if isinstance(b, ir.Binder)]
            before: set[int] = set()
            for part in children(node):
                if isinstance(part, ir.Binder):
                    # The slots of earlier binders are bound in later ones.
                    slots |= self.free(part.source) - before
                    before.add(part.slot)
                    slots |= self.free(part.where) - before
                else:
                    slots |= self.free(part).difference(bound)
            known = self._free[node] = frozenset(slots)
        return known

    def reads(self, node: Any) -> Counter[int]:
        """Counts the reads of each slot in a node or a block."""
        known = self._reads.get(node)
        if known is None:
            known = self._reads[node] = Counter(slots_read(node))
        return known

    def fixed(self, node: Any) -> bool:
        """Returns whether the value depends on slots only, not on the position."""
        known = self._fixed.get(node)
        if known is None:
            if isinstance(node, _SITUATION):
                known = False
            elif isinstance(node, ir.CallFunction):
                known = self.fixed_function(node.function) and all(map(self.fixed, node.arguments))
            else:
                known = all(self.fixed(part) for part in children(node))
            self._fixed[node] = known
        return known

    def fixed_function(self, number: int) -> bool:
        known = self._fixed_functions.get(number)
        if known is None:
            function = self.program.functions[number]
            known = self.fixed(function.result) and all(self.fixed(e) for _, e in function.lets)
            self._fixed_functions[number] = known
        return known

    def looked_into(self, number: int) -> frozenset[int] | None:
        """Returns the families of places on whose contents (with public states), and on its
        arguments, a function depends exclusively; None if on more."""
        function = self.program.functions[number]
        found: set[int] = set()
        for node in everything((*(value for _, value in function.lets), function.result)):
            if isinstance(node, ir.CallFunction):
                inner = self.looked_into(node.function)
                if inner is None:
                    return None
                found |= inner
            elif isinstance(node, ir.Contents | ir.ItemOf | ir.TopOf):
                of = node.place.type
                if isinstance(of, ir.PlaceType):
                    found.add(of.index)
                elif not isinstance(of, ir.SetType):
                    return None
            elif isinstance(node, ir.PieceState):
                if self.program.pieces[node.piece].states[node.state].seen_by != "everyone":
                    return None
            elif isinstance(node, _SITUATION) or _all_pieces(node):
                return None
        return frozenset(found)


def _all_pieces(node: Any) -> bool:
    """Returns whether a node stands for pieces regardless of place."""
    return isinstance(node, ir.Domain) and isinstance(node.of, ir.PieceType)


def plain_attribute(expr: ir.Expr) -> TypeGuard[ir.KindOf | ir.OwnerOf | ir.KindColumn]:
    """Returns whether an expression is a constant attribute without indices."""
    if isinstance(expr, ir.KindColumn):
        return not expr.indices
    return isinstance(expr, ir.KindOf | ir.OwnerOf)


def plain_local(expr: ir.Expr) -> TypeGuard[ir.Local]:
    """Returns whether an expression is a slot that is never nothing."""
    return isinstance(expr, ir.Local) and not isinstance(expr.type, ir.MaybeType)
