"""What an expression depends on: which slots of its frame, and whether the situation.

A binder binds its slot within its condition and value, so the slot is not free there. What a
`there is` found may be read further right in the same condition; there the slot counts as free,
which only makes the answer here more careful than it need be.

An expression that depends on neither can be worked out once and for all. One that depends on
slots only gives the same value for the same slots, whatever the situation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from lawspeaker import ir
from lawspeaker.base.trees import APART, ByNode
from lawspeaker.ir.types import MaybeType, PieceType, PlaceType, SetType
from lawspeaker.ir.walk import children, everything, slots_read


@dataclass(frozen=True, slots=True)
class AttributeOfFirst(ir.Expr):
    """The attribute of the first piece in a place; `otherwise` when the place is empty.

    Made by `simplify`; `attribute` is a fixed attribute of what is called `slot` in it alone.
    """

    place: ir.Expr
    slot: int
    attribute: ir.Expr = field(metadata=APART)
    otherwise: ir.Expr


@dataclass(frozen=True, slots=True)
class SizeOf(ir.Expr):
    """How many members a set has. Made by `simplify` of a count without a condition."""

    set: ir.Expr


@dataclass(frozen=True, slots=True)
class TakenRun(ir.Expr):
    """The places from (not with) a start, step by step, as long as they are not empty.

    Made by `machine.runs` of a walk that asks for nothing else, and so needs no slot.
    """

    family: int
    start: ir.Expr
    across: ir.Expr
    down: ir.Expr


@dataclass(frozen=True, slots=True)
class Paid(ir.Expr):
    """A set that is going to be gone through, paid for when it is worked out: so many steps for
    each member. Made by `metering`; since the budget may not be enough, it can be a fault."""

    set: ir.Expr
    each: int


@dataclass(frozen=True, slots=True)
class PaidValue(ir.Expr):
    """A value that is paid for when it is worked out, and can be a fault for the same reason."""

    value: ir.Expr
    cost: int


@dataclass(frozen=True, slots=True)
class SupposedTogether(ir.SupposingDone):
    """Several conditions as they would be if a clause were done. Made by `sharing`: those in `more`
    are asked after the first, each if those before hold, and paid for with the clause."""

    more: tuple[PaidValue, ...]


_SITUATION = (
    Paid,
    PaidValue,
    AttributeOfFirst,
    TakenRun,
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
    # Combinations are many: they are gone through, and never kept for later.
    ir.Subsets,
    ir.PathLength,  # since it pays while it is worked out
)
_NO_SLOTS: frozenset[int] = frozenset()


class Dependence:
    """Answers for the expressions of one program, each worked out once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._free: ByNode[frozenset[int]] = ByNode()
        self._fixed: ByNode[bool] = ByNode()
        self._fixed_functions: dict[int, bool] = {}
        self._reads: ByNode[Counter[int]] = ByNode()

    def free(self, node: Any) -> frozenset[int]:
        """The slots an expression (or a tuple of them, or None) reads from outside."""
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
                    # What the binders before it have taken is known to a binder.
                    slots |= self.free(part.source) - before
                    before.add(part.slot)
                    slots |= self.free(part.where) - before
                else:
                    slots |= self.free(part).difference(bound)
            known = self._free[node] = frozenset(slots)
        return known

    def reads(self, node: Any) -> Counter[int]:
        """How often each slot is read in a node or a block."""
        known = self._reads.get(node)
        if known is None:
            known = self._reads[node] = Counter(slots_read(node))
        return known

    def fixed(self, node: Any) -> bool:
        """Whether the value depends on slots only, not on the situation."""
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
        """The families of places on whose contents alone, with the states that everyone sees of
        them, and on its arguments the value of a function depends; None if on more."""
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
                if isinstance(of, PlaceType):
                    found.add(of.index)
                elif not isinstance(of, SetType):
                    return None
            elif isinstance(node, ir.PieceState):
                if self.program.pieces[node.piece].states[node.state].seen_by != "everyone":
                    return None
            elif isinstance(node, _SITUATION) or _all_pieces(node):
                return None
        return frozenset(found)


def _all_pieces(node: Any) -> bool:
    """Whether it stands for pieces wherever they lie."""
    return isinstance(node, ir.Domain) and isinstance(node.of, PieceType)


def loops_inside(node: Any) -> bool:
    """Whether working an expression out may take a loop."""
    return any(isinstance(part, ir.Binder | ir.CallFunction) for part in everything(node))


def plain_attribute(expr: ir.Expr) -> TypeGuard[ir.KindOf | ir.OwnerOf | ir.KindColumn]:
    """Whether an expression is an attribute that never changes, and for which it is enough to know
    of what."""
    if isinstance(expr, ir.KindColumn):
        return not expr.indices
    return isinstance(expr, ir.KindOf | ir.OwnerOf)


def plain_local(expr: ir.Expr) -> TypeGuard[ir.Local]:
    """Whether an expression is a slot that surely holds something."""
    return isinstance(expr, ir.Local) and not isinstance(expr.type, MaybeType)
