"""Rewrites expressions into equivalent ones that are faster to evaluate.

The rewritings are meant for the small definitions that rulebooks are full of:

* `if there is a PIECE in PLACE then ATTRIBUTE of PIECE else VALUE` needs no slot for the piece:
  it becomes `AttributeOfFirst`, one access to the place and one to a table.
* `count of PIECES in PLACE` and `there is a PIECE in PLACE`, where the name is unused, need no
  slot either.
* A walk that goes on as long as places are occupied needs no slot for the current place.
* A definition without lets and without slots of its own is inlined, as long as none of this can
  fault (else evaluation time and the clause would be observable) and no argument is then evaluated
  twice (a table access does not count). One that depends on its arguments only is left alone: its
  results are cached. One that has grown long by inlining is called: else nested double uses would
  grow exponentially.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.dependence import AttributeOfFirst, Dependence, OccupiedRun, plain_attribute
from lawspeaker.ir.walk import bound_slots, everything, rebuilt, replaced, slots_read
from lawspeaker.machines.lower.faults import Faults

LONGEST = 300
MOST_WRITTEN = 20_000
"""Limits of inlining: the nodes of one definition, and of all inlined code."""


class Simplifier:
    """Rewriter of the expressions of one program; cached."""

    def __init__(self, depends: Dependence, faults: Faults) -> None:
        self.program = depends.program
        self.depends = depends
        self.faults = faults
        self._bodies: dict[int, ir.Expr] = {}
        self._done: ByNode[Any] = ByNode()
        self._sizes: dict[int, int] = {}
        self._room = MOST_WRITTEN

    def simple(self, node: Any) -> Any:
        """Returns an equivalent expression (or binder) with calls inlined."""
        if node is None or isinstance(node, ir.Const | ir.Local):
            return node
        if node not in self._done:
            result = self._rewritten(rebuilt(node, self.simple))
            self._done[node] = self._done[result] = result
        return self._done[node]

    def _rewritten(self, node: Any) -> Any:
        """Rewrites a node whose operands are simplified."""
        if isinstance(node, ir.CallFunction):
            node = self.inlined(node) or node
        return _taken_run(node) if isinstance(node, ir.Walk) else node

    def body(self, number: int) -> ir.Expr:
        """Returns the simplified result of a definition."""
        if number not in self._bodies:
            function = self.program.functions[number]
            whole = (*(value for _, value in function.lets), function.result)
            rewritten = self._rewrite(function.result, Counter(slots_read(whole)))
            self._bodies[number] = self.simple(rewritten)
        return self._bodies[number]

    def inlined(self, call: ir.CallFunction) -> ir.Expr | None:
        """Inlines a call; None if it has to be called."""
        function = self.program.functions[call.function]
        if function.lets or self.depends.fixed_function(call.function):
            return None
        if self.faults.possible(call):
            return None
        body = self.body(call.function)
        if self._stays(call.function, body):
            return None
        uses = self.depends.reads(body)
        for parameter, argument in enumerate(call.arguments):
            if uses[parameter] > 1 and not _at_hand(argument):
                return None
        result: ir.Expr = replaced(body, dict(enumerate(call.arguments)))
        return result

    def _stays(self, number: int, body: ir.Expr) -> bool:
        """Returns whether a body binds slots or is too long to be inlined; if not, reserves its
        size."""
        if number not in self._sizes:
            parts = list(islice(everything(body), LONGEST + 1))
            bound = any(isinstance(part, ir.Binder) for part in parts)
            self._sizes[number] = LONGEST + 1 if bound else len(parts)
        size = self._sizes[number]
        if size > LONGEST or size > self._room:
            return True
        self._room -= size
        return False

    def _rewrite(self, node: Any, read: Counter[int]) -> Any:
        node = rebuilt(node, lambda part: self._rewrite(part, read))
        match node:
            case ir.Conditional(
                condition=ir.Exists(
                    binder=ir.Binder(slot=slot, source=ir.Contents(place=place), where=None)
                ),
                then=then,
                otherwise=otherwise,
            ) if plain_attribute(then):
                about = then.of
                alone = read[slot] == 1 and slot not in bound_slots(place)
                if isinstance(about, ir.Local) and about.slot == slot and alone:
                    return AttributeOfFirst(node.type, place, slot, then, otherwise, span=node.span)
        return node


def _taken_run(walk: ir.Walk) -> ir.Expr:
    """Returns a walk without its binder, if it only tests whether each place is occupied."""
    start, slot = walk.binder.source, walk.binder.slot
    match walk.binder.where:
        case ir.Not(operand=ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=at)))) if at == slot:
            steps = (walk.across, walk.down)
            return OccupiedRun(walk.type, walk.family, start, *steps, span=walk.span)
    return walk


def _at_hand(argument: ir.Expr) -> bool:
    """Returns whether an argument is so cheap that it may be evaluated repeatedly."""
    while isinstance(argument, ir.WordColumn) and not argument.indices:
        argument = argument.of
    return isinstance(argument, ir.Local | ir.Const)
