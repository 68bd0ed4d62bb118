"""Rewrites expressions into equal ones that are quicker to work out.

These rewritings are meant for the small defined values that rulebooks are full of:

* `if there is a PIECE in PLACE then ATTRIBUTE of PIECE else VALUE` needs no slot for the piece:
  it becomes `AttributeOfFirst`, one look into the place and one into a table.
* `count of PIECES in PLACE` and `there is a PIECE in PLACE`, where nobody asks which, need no
  slot either.
* A defined value without lets and without slots of its own is written out where it is used, its
  parameters replaced by the arguments, as long as none of this can be a fault (else it would
  matter when it is worked out, and of which clause it is a part) and no argument is then worked
  out twice (a look into a table is no work). One that depends on its arguments only is left
  alone: what it gives is remembered.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import AttributeOfFirst, Dependence, bound_slots, slots_read
from lawspeaker.machines.lower.faults import Faults

_ATTRIBUTES = (ir.KindOf, ir.OwnerOf, ir.KindColumn)


class Simplifier:
    """Rewrites the expressions of one program, each once."""

    def __init__(self, depends: Dependence, faults: Faults) -> None:
        self.program = depends.program
        self.depends = depends
        self.faults = faults
        self._bodies: dict[int, ir.Expr] = {}
        self._done: dict[int, Any] = {}
        self._kept: list[Any] = []

    def simple(self, node: Any) -> Any:
        """An equal expression (or binder) with the calls in it written out."""
        if node is None or isinstance(node, ir.Const | ir.Local):
            return node
        if id(node) not in self._done:
            result = self.written_out(_rebuilt(node, self.simple))
            self._done[id(node)] = self._done[id(result)] = result
            self._kept += [node, result]
        return self._done[id(node)]

    def written_out(self, node: Any) -> Any:
        """What becomes of a node whose parts are simple; a machine may have more ways."""
        if isinstance(node, ir.CallFunction):
            return self.inlined(node) or node
        return node

    def body(self, number: int) -> ir.Expr:
        """The result of a defined value, rewritten."""
        if number not in self._bodies:
            function = self.program.functions[number]
            whole = (*(value for _, value in function.lets), function.result)
            rewritten = self._rewrite(function.result, Counter(slots_read(whole)))
            self._bodies[number] = self.simple(rewritten)
        return self._bodies[number]

    def inlined(self, call: ir.CallFunction) -> ir.Expr | None:
        """A call written out, or None when it has to be called."""
        function = self.program.functions[call.function]
        if function.lets or self.depends.fixed_function(call.function):
            return None
        if self.faults.possible(call):
            return None
        body = self.body(call.function)
        if bound_slots(body):
            return None
        uses = Counter(slots_read(_without_attributes(body)))
        for parameter, argument in enumerate(call.arguments):
            if uses[parameter] > 1 and not _at_hand(argument):
                return None
        replaced: ir.Expr = _replaced(body, dict(enumerate(call.arguments)))
        return replaced

    def _rewrite(self, node: Any, read: Counter[int]) -> Any:
        match node:
            case ir.Conditional(condition=ir.Exists()):
                condition = _rebuilt(node.condition, lambda part: self._rewrite(part, read))
                node = replace(
                    node,
                    condition=condition,
                    then=self._rewrite(node.then, read),
                    otherwise=self._rewrite(node.otherwise, read),
                )
            case _:
                node = _rebuilt(node, lambda part: self._rewrite(part, read))
        match node:
            case ir.Conditional(
                condition=ir.Exists(
                    binder=ir.Binder(slot=slot, source=ir.Contents(place=place), where=None)
                ),
                then=then,
                otherwise=otherwise,
            ) if isinstance(then, _ATTRIBUTES):
                about = then.of
                alone = read[slot] == 1 and slot not in bound_slots(place)
                if isinstance(about, ir.Local) and about.slot == slot and alone:
                    return AttributeOfFirst(node.type, place, slot, then, otherwise, span=node.span)
        return node


def _at_hand(argument: ir.Expr) -> bool:
    """Whether an argument costs next to nothing, however often it is worked out."""
    while isinstance(argument, ir.WordColumn):
        argument = argument.of
    return isinstance(argument, ir.Local | ir.Const)


def _without_attributes(node: Any) -> tuple[Any, ...]:
    """The parts of an expression that read slots from outside."""
    if isinstance(node, AttributeOfFirst):
        return (*_without_attributes(node.place), *_without_attributes(node.otherwise))
    if isinstance(node, ir.Local):
        return (node,)
    found: list[Any] = []
    for part in _parts(node):
        found += _without_attributes(part)
    return tuple(found)


def _parts(node: Any) -> list[Any]:
    if isinstance(node, tuple):
        return list(node)
    if isinstance(node, ir.Expr | ir.Binder):
        return [getattr(node, field.name) for field in fields(node)]
    return []


def _replaced(node: Any, arguments: dict[int, ir.Expr]) -> Any:
    """An expression with its parameters replaced by arguments."""
    if isinstance(node, ir.Local):
        return arguments.get(node.slot, node)
    if isinstance(node, AttributeOfFirst):
        place = _replaced(node.place, arguments)
        otherwise = _replaced(node.otherwise, arguments)
        return replace(node, place=place, otherwise=otherwise)
    return _rebuilt(node, lambda part: _replaced(part, arguments))


def _rebuilt(node: Any, change: Any) -> Any:
    """The same node with its parts changed."""
    if isinstance(node, tuple):
        items = tuple([change(item) for item in node])
        return node if all(a is b for a, b in zip(items, node, strict=True)) else items
    if not isinstance(node, ir.Expr | ir.Binder):
        return node
    changes = {}
    for field in fields(node):
        part = getattr(node, field.name)
        if isinstance(part, ir.Expr | ir.Binder | tuple):
            changes[field.name] = change(part)
    if all(value is getattr(node, name) for name, value in changes.items()):
        return node
    return replace(node, **changes)
