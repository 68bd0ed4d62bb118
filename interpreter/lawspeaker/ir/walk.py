"""Walking over typed programs: what is inside a node, a node with other parts, and its slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lawspeaker import ir
from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.base.trees import Walker
from lawspeaker.ir.types import BROKEN, SetType

MOST_WALKED = 100_000
"""Of so many nodes it is known which they are."""
_WALKER = Walker(ir.Expr, ir.Binder, ir.Statement, ir.Guard, ir.Part, ir.Alternative)


def children(node: object) -> list[Any]:
    """The nodes directly inside a node, or in a tuple."""
    return _WALKER.children(node)


def everything(node: object) -> Iterator[Any]:
    """A node, or the nodes in a tuple, and all that is inside, each before its parts."""
    return _WALKER.everything(node)


def nodes(code: object) -> tuple[Any, ...]:
    """`everything` in code that is looked at again and again, as it is while somebody types."""
    known = _walked.get(Itself(code))
    if known is None:
        known = tuple(everything(code))
        _walked.keep(Itself(code), known, len(known) + 1)
    return known


_walked: Remembered[Itself, tuple[Any, ...]] = Remembered(MOST_WALKED)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node with each node directly inside it changed; itself, if all stay what they are."""
    return _WALKER.rebuilt(node, change)


def code_of(program: ir.Program) -> tuple[object, ...]:
    """All that is done, asked and worked out in a program, to be walked over."""
    return (
        *(clause.body for clause in program.clauses),
        *((function.lets, function.result) for function in program.functions),
        *(always.condition for always in program.always),
    )


def clauses_used(program: ir.Program, code: object) -> Iterator[int]:
    """The clauses that some code does, tries, or takes a value from, as often as it does."""
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
    """A node in which expressions stand for slots."""
    if isinstance(node, ir.Local):
        return meanings.get(node.slot, node)
    return rebuilt(node, lambda part: replaced(part, meanings))


def slots_read(node: object) -> Iterator[int]:
    """The slot of every `Local` inside, as often as it is read."""
    return (each.slot for each in everything(node) if isinstance(each, ir.Local))


def names_in(node: object) -> list[ir.Local]:
    """The names that some code reads from around it, each once and in their order; of those that
    stand for one thing."""
    inside = bound_slots(node)
    found: dict[int, ir.Local] = {}
    for each in everything(node):
        if isinstance(each, ir.Local) and each.slot not in inside and each.slot not in found:
            found[each.slot] = each
    return [each for each in found.values() if each.name and not isinstance(each.type, SetType)]


def bound_slots(node: object) -> frozenset[int]:
    """The slots that binders inside write."""
    return frozenset(each.slot for each in everything(node) if isinstance(each, ir.Binder))


def highest_slot(node: object) -> int:
    """The highest slot that is read or written by a binder, -1 without any."""
    slots = (each.slot for each in everything(node) if isinstance(each, ir.Binder | ir.Local))
    return max(slots, default=-1)


def is_broken(node: object) -> bool:
    """Whether something inside was complained about, and so has no type."""
    return any(
        each.type == BROKEN for each in everything(node) if isinstance(each, ir.Expr | ir.Binder)
    )


def guards_of(program: ir.Program) -> dict[str, ir.Guard]:
    """All guards of a program by their ids; one that stands in several questions once."""
    return dict(each_guard(program))


def each_guard(program: ir.Program) -> Iterator[tuple[str, ir.Guard]]:
    """Every guard with its id, as often as it stands in a question."""
    for clause in program.clauses:
        for guard in everything(clause.body):
            if isinstance(guard, ir.Guard):
                yield f"{program.clauses[guard.clause].id}.{guard.name}", guard
