"""Rules with one thing broken, clause by clause.

A mutant is a program that differs from another in one place: a statement left out, a guard left
out or turned round, a number or a named choice changed, a condition negated, a comparison moved
by one, the best taken for the worst, rounding the other way, an alternative not offered. `broken`
gives them all, each with the clause it is in and a word about what was done to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import (
    TRUTH,
    KindType,
    MaybeType,
    NumberType,
    PlayerType,
    SetType,
    TruthType,
    WordType,
)

Change = tuple[str, Any]
"""What was done, and what became of the node."""

_PARTS = (ir.Expr, ir.Binder, ir.Statement, ir.Alternative, ir.Part, ir.Guard)
_LEFT_ALONE = frozenset({"type", "span", "says", "cites", "private"})
_NEXT_DOOR = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
_OTHER_WAY = {
    "+": "-",
    "-": "+",
    "*": "+",
    "smaller": "larger",
    "larger": "smaller",
    "difference": "-",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    clause: str
    what: str
    program: ir.Program

    @property
    def name(self) -> str:
        return f"{self.clause}: {self.what}"


def broken(program: ir.Program) -> Iterator[Mutant]:
    """All mutants of a program. Two in a clause that would have the same name are numbered."""
    counts: dict[str, int] = {}
    for mutant in _all(program):
        count = counts[mutant.name] = counts.get(mutant.name, 0) + 1
        yield mutant if count == 1 else replace(mutant, what=f"{mutant.what} #{count}")


def _all(program: ir.Program) -> Iterator[Mutant]:
    ids = [clause.id for clause in program.clauses]
    sizes = _Sizes(program)
    for number, clause in enumerate(program.clauses):
        for what, body in _block(clause.body, sizes):
            changed = _with(program.clauses, number, replace(clause, body=body))
            yield Mutant(clause.id, what, replace(program, clauses=changed))
        if clause.role == "window":
            yield Mutant(clause.id, "never opens", _without_window(program, clause.index))
    for number, function in enumerate(program.functions):
        for what, changed_function in _function(function, sizes):
            functions = _with(program.functions, number, changed_function)
            yield Mutant(ids[function.clause], what, replace(program, functions=functions))
    for number, choice in enumerate(program.choices):
        for what, values in _choice(choice, program):
            choices = _with(program.choices, number, replace(choice, values=values))
            yield Mutant(choice.id, what, replace(program, choices=choices))
    for number, always in enumerate(program.always):
        for what, condition in _changes(always.condition, sizes):
            invariants = _with(program.always, number, replace(always, condition=condition))
            yield Mutant(ids[always.clause], what, replace(program, always=invariants))


def _with(items: tuple[Any, ...], number: int, item: Any) -> tuple[Any, ...]:
    return (*items[:number], item, *items[number + 1 :])


def _without_window(program: ir.Program, window: int) -> ir.Program:
    def closed(block: Any) -> Any:
        if isinstance(block, tuple):
            kept = [s for s in block if not (isinstance(s, ir.Ask) and s.clause == window)]
            return tuple(closed(each) for each in kept)
        if isinstance(block, ir.Statement | ir.Alternative):
            names = [f.name for f in fields(block) if isinstance(getattr(block, f.name), tuple)]
            return replace(block, **{name: closed(getattr(block, name)) for name in names})
        return block

    clauses = tuple(replace(each, body=closed(each.body)) for each in program.clauses)
    return replace(program, clauses=clauses)


def _function(function: ir.Function, sizes: _Sizes) -> Iterator[tuple[str, ir.Function]]:
    for number, (slot, value) in enumerate(function.lets):
        for what, changed in _changes(value, sizes):
            lets = _with(function.lets, number, (slot, changed))
            yield what, replace(function, lets=lets)
    for what, changed in _changes(function.result, sizes):
        yield what, replace(function, result=changed)
    yield "gives something else", replace(function, result=_something_else(function.result))


def _something_else(result: ir.Expr) -> ir.Expr:
    """A number one too high, the opposite of a truth, no member of a set, no thing, any word."""
    of = result.type
    match of:
        case NumberType():
            return ir.Arithmetic(of, "+", result, ir.Const(of, 1), span=result.span)
        case TruthType():
            return _not(result)
        case SetType():
            return ir.ListOf(of, (), span=result.span)
        case MaybeType():
            return ir.Const(of, None, span=result.span)
    return ir.Const(of, 0, span=result.span)


def _choice(choice: ir.Choice, program: ir.Program) -> Iterator[tuple[str, Any]]:
    if choice.one_of:
        for other in choice.one_of:
            if other != choice.values[0]:
                assert isinstance(other, int)
                assert isinstance(choice.type, WordType)
                word = program.word_sets[choice.type.index].words[other]
                yield f"is {word}", (other,) * len(choice.values)
        return
    for value in dict.fromkeys(choice.values):
        items = value if isinstance(value, tuple) else (value,)
        for number, item in enumerate(items):
            assert isinstance(item, int)
            for step in (1, -1):
                changed = _with(items, number, item + step)
                whole = changed if isinstance(value, tuple) else changed[0]
                what = f"item {number + 1} of {list(items)} becomes {item + step}"
                yield what, tuple(whole if each == value else each for each in choice.values)


# ---------------------------------------------------------------- anywhere in a node


class _Sizes:
    """How many things there are of a type, to take another one."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def __call__(self, of: Any) -> int:
        match of:
            case WordType(index=index):
                return len(self.program.word_sets[index].words)
            case KindType(index=index):
                return len(self.program.pieces[index].kinds)
            case PlayerType():
                return self.program.most
        return 0


def _changes(node: Any, sizes: _Sizes) -> Iterator[Change]:
    """Every way to change one thing in a node."""
    yield from _own(node, sizes)
    for field in fields(node):
        if field.name in _LEFT_ALONE:
            continue
        part = getattr(node, field.name)
        if isinstance(part, _PARTS):
            for what, changed in _changes(part, sizes):
                yield what, replace(node, **{field.name: changed})
        elif isinstance(part, tuple) and part and field.name not in ("guards", "member_guards"):
            inside = _block if isinstance(part[0], ir.Statement) else _items
            for what, changed in inside(part, sizes):
                yield what, replace(node, **{field.name: changed})


def _items(items: tuple[Any, ...], sizes: _Sizes) -> Iterator[Change]:
    for number, item in enumerate(items):
        if isinstance(item, _PARTS):
            for what, changed in _changes(item, sizes):
                yield what, _with(items, number, changed)


def _block(block: ir.Block, sizes: _Sizes) -> Iterator[Change]:
    for number, statement in enumerate(block):
        if not _gives_a_name(statement):
            what = f"skips `{_line(statement)}`"
            yield what, block[:number] + block[number + 1 :]
        for what, changed in _changes(statement, sizes):
            yield what, _with(block, number, changed)


def _gives_a_name(statement: ir.Statement) -> bool:
    """Whether later lines speak of what this one names: without it, no checker lets them pass."""
    return isinstance(statement, ir.SetLocal) and " becomes " not in _line(statement)


def _line(node: Any) -> str:
    """The first line of what stands in the file."""
    return " ".join(node.span.text.strip().partition("\n")[0].split())


def _own(node: Any, sizes: _Sizes) -> Iterator[Change]:
    """What can be changed about a node itself."""
    for maker in (_own_value, _own_condition, _own_deed):
        yield from maker(node, sizes)


def _own_value(node: Any, sizes: _Sizes) -> Iterator[Change]:
    match node:
        case ir.Const(type=TruthType(), value=value):
            yield f"{value} becomes {not value}", replace(node, value=not value)
        case ir.Const(type=NumberType(), value=int(value)):
            yield f"{value} becomes {value + 1}", replace(node, value=value + 1)
            if value > 0:
                yield f"{value} becomes {value - 1}", replace(node, value=value - 1)
        case ir.Const(value=int(value)) if (size := sizes(node.type)) > 1:
            yield f"another for `{_line(node)}`", replace(node, value=(value + 1) % size)
        case ir.Arithmetic(operator=operator) if operator in _OTHER_WAY:
            other = _OTHER_WAY[operator]
            yield f"`{_line(node)}` with {other}", replace(node, operator=other)
        case ir.Divide(up=up):
            yield f"rounded {'down' if up else 'up'}", replace(node, up=not up)
        case ir.Extreme(highest=highest) | ir.Rank(highest=highest):
            yield f"{'lowest' if highest else 'highest'} first", replace(node, highest=not highest)
        case ir.Conditional(then=then, otherwise=otherwise):
            yield "then and else exchanged", replace(node, then=otherwise, otherwise=then)
        case ir.Neighbour(step=step):
            yield "the other neighbour", replace(node, step=-step)
        case ir.ListOf(items=items) if len(items) > 1:
            yield "the list backwards", replace(node, items=items[::-1])
        case ir.Binder(where=where) if where is not None:
            yield f"any `{_line(node)}`", replace(node, where=None)


def _own_condition(node: Any, sizes: _Sizes) -> Iterator[Change]:
    match node:
        case ir.Compare(operator="=") | ir.IsEmpty() | ir.Every() | ir.Exists() | ir.Playing():
            yield f"not `{_line(node)}`", _not(node)
        case ir.Compare(operator=operator):
            for other in _NEXT_DOOR[operator]:
                yield f"`{_line(node)}` with {other}", replace(node, operator=other)
        case ir.And(left=left, right=right):
            yield f"only `{_line(left)}`", left
            yield f"only `{_line(right)}`", right
            yield f"or in `{_line(node)}`", ir.Or(TRUTH, left, right, span=node.span)
        case ir.Or(left=left, right=right):
            yield f"only `{_line(left)}`", left
            yield f"only `{_line(right)}`", right
            yield f"and in `{_line(node)}`", ir.And(TRUTH, left, right, span=node.span)
        case ir.Not(operand=operand):
            yield f"without not: `{_line(node)}`", operand


def _own_deed(node: Any, sizes: _Sizes) -> Iterator[Change]:
    match node:
        case ir.If(condition=condition):
            yield f"if not `{_line(condition)}`", replace(node, condition=_not(condition))
        case ir.Score(loses=loses):
            yield "takes the points away", replace(node, loses=not loses)
        case ir.MoveSome(most=most, exactly=False) if most is not None:
            yield "exactly so many", replace(node, exactly=True)
        case ir.Draw(otherwise=otherwise) if otherwise is not None:
            yield "cannot run out", replace(node, otherwise=None)
        case ir.Rank():
            yield from _places_and_tiers(node)
        case ir.Ask():
            yield "may" if node.must else "must", replace(node, must=not node.must)
            if node.otherwise is not None:
                yield "without otherwise", replace(node, otherwise=None)
            for number, each in enumerate(node.alternatives):
                rest = node.alternatives[:number] + node.alternatives[number + 1 :]
                yield f"never offers {each.label}", replace(node, alternatives=rest)
        case ir.Alternative():
            yield from _guards(node, sizes)


def _places_and_tiers(node: ir.Rank) -> Iterator[Change]:
    """`place` counts the better players, `tier` the better groups."""
    for ours, other, name in (
        (node.place_slot, node.tier_slot, "tier for place"),
        (node.tier_slot, node.place_slot, "place for tier"),
    ):
        body = _slots_changed(node.body, {ours: other})
        if body != node.body:
            yield name, replace(node, body=body)


def _slots_changed(node: Any, change: dict[int, int]) -> Any:
    if isinstance(node, tuple):
        return tuple(_slots_changed(each, change) for each in node)
    if isinstance(node, ir.Local):
        return replace(node, slot=change.get(node.slot, node.slot))
    if not isinstance(node, _PARTS):
        return node
    parts = {f.name: getattr(node, f.name) for f in fields(node) if f.name not in _LEFT_ALONE}
    changed = {
        name: _slots_changed(part, change)
        for name, part in parts.items()
        if isinstance(part, (tuple, *_PARTS))
    }
    return replace(node, **changed)


def _guards(node: ir.Alternative, sizes: _Sizes) -> Iterator[Change]:
    for number, guard in enumerate(node.guards):
        rest = node.guards[:number] + node.guards[number + 1 :]
        ready = node.ready[:number] + node.ready[number + 1 :]
        yield f"without guard {guard.name}", replace(node, guards=rest, ready=ready)
        for what, changed in _guard(guard, sizes):
            yield what, replace(node, guards=_with(node.guards, number, changed))
    for part, guards in enumerate(node.member_guards):
        for number, guard in enumerate(guards):
            rest = guards[:number] + guards[number + 1 :]
            less = _with(node.member_guards, part, rest)
            yield f"without guard {guard.name}", replace(node, member_guards=less)
            for what, changed in _guard(guard, sizes):
                own = _with(node.member_guards, part, _with(guards, number, changed))
                yield what, replace(node, member_guards=own)


def _guard(guard: ir.Guard, sizes: _Sizes) -> Iterator[Change]:
    negated = replace(guard, condition=_not(guard.condition))
    yield f"guard {guard.name} turned round", negated
    for what, condition in _changes(guard.condition, sizes):
        yield f"guard {guard.name}: {what}", replace(guard, condition=condition)


def _not(condition: ir.Expr) -> ir.Expr:
    return ir.Not(TRUTH, condition, span=condition.span)
