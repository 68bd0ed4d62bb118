"""Prints a lowered program as text.

    turn: heap@0, amount@1, stone@2; 94 steps
      0 ask  must marker_value[active]  → 2, 2
          take: heap@0 in domain[heap], amount@1 in domain[amount]
            2 enough: compare[<=](amount@1, count(stone@2 in contents(heap@0)))
      1 jump  → 2  live 0 1
      2 effect  …  → 3  live 0 1

After the slots comes the cost of the clause. A line is an operation: its number, its kind, its
successors, the live slots before it, and the cost of each repetition. Below a question are its
alternatives, with the cost of enumerating a part where that is not charged at once, and each guard
after the number of parts after which it is evaluated, or `limit` if no larger sets are enumerated,
`implied` if it always holds, and `again` if it binds a slot that is read later. An expression is
printed as a tree, `compare[=](score_of(red), 0)`, with constants in square brackets; `heap@0` is
the slot 0, named heap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.cost import PartCost
from lawspeaker.machines.lower.guards import GuardPlan
from lawspeaker.machines.lower.operations import Kind, Lowered, Operation

_HIDDEN = {True: ("span", "at"), False: ("span", "type")}
"""Fields that are not printed, of statements and of expressions."""


def listing_of(lowered: Lowered, clause: int) -> str:
    """Prints the operations of a clause."""
    return "\n".join(Printer(lowered).clause(clause)) + "\n"


class Printer:
    """Printer of clauses, operations and nodes of one program."""

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.program = lowered.program

    def clause(self, number: int) -> Iterator[str]:
        whole = self.program.clauses[number]
        slots = [f"{slot.name}@{at}" for at, slot in enumerate(whole.slots)]
        steps = self.lowered.entry[number]
        yield f"{whole.id}: {', '.join(slots) or 'no slots'}; {_steps(steps)}"
        for operation in self.lowered.code[number]:
            yield self._operation(operation)
            if operation.kind in (Kind.ASK, Kind.ASK_ALL) and isinstance(
                operation.statement, ir.Ask
            ):
                yield from self._alternatives(operation.statement, operation)

    def _operation(self, operation: Operation) -> str:
        exits = ", ".join(map(str, operation.exits))
        live = " ".join(map(str, sorted(operation.live)))
        parts = (
            f"{operation.at:3} {operation.kind}",
            self._does(operation),
            f"→ {exits}" if exits else "",
            f"live {live}" if live else "",
            f"each {_steps(operation.cost)}" if operation.cost else "",
        )
        return "  ".join(part for part in parts if part)

    def _does(self, operation: Operation) -> str:
        match operation.kind, operation.statement:
            case (Kind.BRANCH, ir.If(condition=expr)) | (
                Kind.UNTIL,
                ir.RepeatUntil(condition=expr),
            ):
                return self.node(expr)
            case Kind.LIST, ir.ForEach(binder=binder):
                return self.node(binder.source)
            case Kind.LIST, ir.Rank(binder=binder, key=key, highest=highest):
                order = "highest" if highest else "lowest"
                return f"{self.node(binder)} by {order} {self.node(key)}"
            case Kind.NEXT, ir.ForEach(binder=binder):
                where = "" if binder.where is None else f" where {self.node(binder.where)}"
                return f"{binder.name}@{binder.slot}{where}"
            case Kind.COUNT, ir.Repeat(times=expr) | ir.RepeatUntil(most=expr):
                return self.node(expr)
            case Kind.COUNT, ir.Draw(count=count):
                return "1" if count is None else self.node(count)
            case Kind.ASK, ir.Ask(who=who) if who is not None:
                return f"{_must(operation.statement)} {self.node(who)}"
            case Kind.ASK_ALL, ir.Ask(each=each) if each is not None:
                return f"{_must(operation.statement)} {self.node(each)}"
            case Kind.AGAIN | Kind.NEXT | Kind.REPLY | Kind.JUMP | Kind.LEAVE, _:
                return ""
            case Kind.END, ir.EndGame(winners=None):
                return self.program.goal.value
        return self.node(operation.statement)

    def _alternatives(self, ask: ir.Ask, operation: Operation) -> Iterator[str]:
        listing = operation.listing
        for number, alternative in enumerate(ask.alternatives):
            told = [self._part(part) for part in alternative.parts]
            if listing is not None:
                costs = map(_part_cost, listing[number])
                told = [f"{part} ({cost})" for part, cost in zip(told, costs, strict=True)]
            parts = ", ".join(told)
            yield f"      {': '.join(each for each in (alternative.label, parts) if each)}"
            for part, guards in zip(alternative.parts, alternative.member_guards, strict=True):
                for guard in guards:
                    yield f"        {part.binder.name} {guard.name}: {self.node(guard.condition)}"
            for at, guard in enumerate(alternative.guards):
                when = _when(operation.guards[number], at, alternative.ready[at])
                yield f"        {when} {guard.name}: {self.node(guard.condition)}"

    def _part(self, part: ir.Part) -> str:
        told = self.node(part.binder)
        if not part.several:
            return told
        least = "0" if part.least is None else self.node(part.least)
        most = "all" if part.most is None else self.node(part.most)
        return f"{part.set_name}@{part.set_slot}, {least} to {most} of {told}"

    def node(self, node: Any) -> str:
        """Prints an expression, a binder or a statement."""
        match node:
            case ir.Local(slot=slot, name=name):
                return f"{name}@{slot}"
            case ir.Const(type=of, value=value):
                return self._value(of, value)
            case ir.Binder(slot=slot, name=name, source=source, where=where):
                found = f"{name}@{slot} in {self.node(source)}"
                return found if where is None else f"{found} where {self.node(where)}"
        fixed, inner = [], []
        for field in fields(node):
            part = getattr(node, field.name)
            if (
                field.name in _HIDDEN[isinstance(node, ir.Statement)]
                or part is None
                or part is False
            ):
                continue
            if isinstance(part, ir.Expr | ir.Binder):
                inner.append(self.node(part))
            elif isinstance(part, tuple):
                inner += [self.node(each) for each in part if isinstance(each, ir.Expr)]
            elif isinstance(part, bool):
                fixed.append(field.name)
            elif isinstance(part, int):
                fixed.append(self._named(node, field.name, part))
            else:
                fixed.append(str(part))
        name = "".join(f"_{c.lower()}" if c.isupper() else c for c in type(node).__name__)
        brackets = f"[{' '.join(fixed)}]" if fixed else ""
        return f"{name[1:]}{brackets}({', '.join(inner)})" if inner else f"{name[1:]}{brackets}"

    def _named(self, node: Any, field: str, number: int) -> str:
        """Returns the name of a number of the program."""
        program = self.program
        match field, node:
            case "marker", _:
                return program.markers[number].name
            case "position", _ if not isinstance(node, ir.PlaceIndex):
                return program.positions[number].name
            case "family", _:
                return program.families[number].name
            case "function", _:
                return program.functions[number].name
            case "clause", _:
                return program.clauses[number].id
            case "choice", _:
                return program.choices[number].id
            case "piece", _:
                return program.pieces[number].name
            case "word_set", _:
                return program.word_sets[number].name
            case "column", ir.WordColumn():
                return program.word_sets[node.word_set].columns[number].name
            case "column", ir.KindColumn():
                return program.pieces[node.piece].columns[number].name
            case "state", ir.PieceState() | ir.SetState():
                return program.pieces[node.piece].states[number].name
        return str(number)

    def _value(self, of: ir.Type, value: ir.Constant) -> str:
        of = of.of if isinstance(of, ir.MaybeType) else of
        match of, value:
            case _, None:
                return "nothing"
            case _, bool():
                return "yes" if value else "no"
            case ir.PlayerType(), int(number):
                return self.program.player_names[number]
            case ir.WordType(index=index), int(number):
                return self.program.word_sets[index].words[number]
            case ir.KindType(index=index), int(number):
                return self.program.pieces[index].kinds[number].name
        return str(value)


def _steps(number: int) -> str:
    return "1 step" if number == 1 else f"{number} steps"


def _part_cost(cost: PartCost) -> str:
    each = ((cost.piece, "a piece"), (cost.way, "a set"))
    return ", ".join([_steps(cost.look), *(f"{steps} {of}" for steps, of in each if steps)])


def _when(plan: GuardPlan, guard: int, ready: int) -> str:
    """Prints after which part a guard is evaluated, or why it is skipped; and whether it is
    evaluated again."""
    again = " again" if guard in plan.again else ""
    if guard in plan.asked[ready]:
        return f"{ready}{again}"
    return f"{'limit' if ready and plan.limits[ready - 1] else 'implied'}{again}"


def _must(statement: ir.Statement | None) -> str:
    return "must" if isinstance(statement, ir.Ask) and statement.must else "may"
