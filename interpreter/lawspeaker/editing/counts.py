"""Which choices say how many: pieces to move, draw or choose, or how often something is done.

Such a choice is a count itself, or the value of a name or an argument that is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker import ir
from lawspeaker.ir.walk import everything

Slot = tuple[int, int]
"""A slot of a clause, by their numbers."""


def counts(program: ir.Program) -> set[int]:
    """Returns the choices whose values are counts."""
    code = [(clause.index, tuple(everything(clause.body))) for clause in program.clauses]
    found: set[int] = set()
    slots: set[Slot] = set()
    known = -1
    while known != len(slots):
        known = len(slots)
        for clause, nodes in code:
            said = [each for node in nodes for each in _said_by(node, clause, slots)]
            while said:
                match said.pop():
                    case ir.ChoiceValue(choice=choice) | ir.ChoiceItem(choice=choice):
                        found.add(choice)
                    case ir.Local(slot=slot):
                        slots.add((clause, slot))
                    case ir.Conditional(then=then, otherwise=otherwise):
                        said += [then, otherwise]
    return found


def _said_by(node: object, clause: int, slots: set[Slot]) -> Iterator[ir.Expr | None]:
    """Yields the expressions in a node that are counts."""
    match node:
        case ir.MoveSome(most=most) | ir.RepeatUntil(most=most):
            yield most
        case ir.Draw(count=count):
            yield count
        case ir.Repeat(times=times):
            yield times
        case ir.Part(least=least, most=most):
            yield from (least, most)
        case ir.SetLocal(slot=slot, value=value) if (clause, slot) in slots:
            yield value
        case ir.Do(clause=done, arguments=arguments):
            yield from (each for at, each in enumerate(arguments) if (done, at) in slots)
