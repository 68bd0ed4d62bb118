"""Traversal, rewriting and slot queries of IR nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lawspeaker import ir
from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.base.trees import Walker

MOST_WALKED = 100_000
"""The most nodes in the cache of traversals."""
_WALKER = Walker(ir.Expr, ir.Binder, ir.Statement, ir.Guard, ir.Part, ir.Alternative)


def children(node: object) -> list[Any]:
    """Returns the direct children of a node, or the nodes in a tuple."""
    return _WALKER.children(node)


def everything(node: object) -> Iterator[Any]:
    """Yields a node, or the nodes in a tuple, and all descendants, in preorder."""
    return _WALKER.everything(node)


def nodes(code: object) -> tuple[Any, ...]:
    """Returns `everything`, cached, for code that is visited repeatedly, as during typing."""
    known = _walked.get(Itself(code))
    if known is None:
        known = tuple(everything(code))
        _walked.keep(Itself(code), known, len(known) + 1)
    return known


_walked: Remembered[Itself, tuple[Any, ...]] = Remembered(MOST_WALKED)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Returns a node with changed children; the same node if nothing changes."""
    return _WALKER.rebuilt(node, change)


def code_of(program: ir.Program) -> tuple[object, ...]:
    """Returns all code of a program, for traversal."""
    return (
        *(clause.body for clause in program.clauses),
        *((function.lets, function.result) for function in program.functions),
        *(always.condition for always in program.always),
    )


def clauses_used(program: ir.Program, code: object) -> Iterator[int]:
    """Yields the clauses that some code calls, tries, or takes a value from, as often as it
    does."""
    for node in everything(code):
        match node:
            case (
                ir.Do(clause=number) | ir.Possible(clause=number) | ir.SupposingDone(clause=number)
            ):
                yield number
            case ir.CallFunction(function=number):
                yield program.functions[number].clause
            case ir.ChoiceValue(choice=number) | ir.ChoiceItem(choice=number):
                yield program.choices[number].clause


def replaced(node: Any, meanings: Mapping[int, ir.Expr]) -> Any:
    """Substitutes expressions for slots."""
    if isinstance(node, ir.Local):
        return meanings.get(node.slot, node)
    return rebuilt(node, lambda part: replaced(part, meanings))


def slots_read(node: object) -> Iterator[int]:
    """Yields the slot of every `Local` inside, once per read."""
    return (each.slot for each in everything(node) if isinstance(each, ir.Local))


def names_in(node: object) -> list[ir.Local]:
    """Returns the free names of some code, each once and in order; only those that stand for one
    thing."""
    inside = bound_slots(node)
    found: dict[int, ir.Local] = {}
    for each in everything(node):
        if isinstance(each, ir.Local) and each.slot not in inside and each.slot not in found:
            found[each.slot] = each
    return [each for each in found.values() if each.name and not isinstance(each.type, ir.SetType)]


def bound_slots(node: object) -> frozenset[int]:
    """Returns the slots that binders inside bind."""
    return frozenset(each.slot for each in everything(node) if isinstance(each, ir.Binder))


def highest_slot(node: object) -> int:
    """Returns the highest slot that is read or bound, -1 without any."""
    slots = (each.slot for each in everything(node) if isinstance(each, ir.Binder | ir.Local))
    return max(slots, default=-1)


def is_broken(node: object) -> bool:
    """Returns whether something inside has a reported error, and so has no type."""
    return any(
        each.type == ir.BROKEN for each in everything(node) if isinstance(each, ir.Expr | ir.Binder)
    )


def guards_of(program: ir.Program) -> dict[str, ir.Guard]:
    """Returns all guards of a program by id; one that is in several questions once."""
    return dict(each_guard(program))


def each_guard(program: ir.Program) -> Iterator[tuple[str, ir.Guard]]:
    """Yields every guard with its id, once per question."""
    for clause in program.clauses:
        for guard in everything(clause.body):
            if isinstance(guard, ir.Guard):
                yield f"{program.clauses[guard.clause].id}.{guard.name}", guard
