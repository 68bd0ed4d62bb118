"""Eliminates dead variables, and forwards values that are read once, right after they are set.

So `looks = alike[piece]` and then `if looks == last` become `if alike[piece] == last`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lawspeaker.machines.middle.forms import (
    Call,
    Const,
    Do,
    Either,
    Expr,
    Global,
    Load,
    Loop,
    Set,
    Statement,
    Statements,
    Variable,
)
from lawspeaker.machines.middle.walk import (
    expressions,
    looks,
    rebuilt,
    statements,
    with_bodies,
)


def forwarded(body: Statements) -> Statements:
    """Returns a body without dead assignments, and with single-use values forwarded to their
    use."""
    reads, sets = _counted(body)

    def needed(body: Statements) -> Statements:
        found: Statements = []
        for each in body:
            kept = _if_read(each, reads)
            if kept is None:
                continue
            last = found[-1] if found else None
            if isinstance(last, Set) and isinstance(last.target, Variable):
                name = last.target
                alone = name.number is None and reads[name] == sets[name] == 1
                if alone and _may_move(last.value, name, kept):
                    found[-1] = _replaced(kept, name, last.value)
                    continue
            found.append(kept)
        return [with_bodies(each, needed) for each in found]

    return needed(body)


def _if_read(statement: Statement, reads: Counter[Variable]) -> Statement | None:
    """Returns a statement, or only the call in it if the assigned variable is dead."""
    if not isinstance(statement, Set) or not isinstance(statement.target, Variable):
        return statement
    if statement.target.number is not None or reads[statement.target]:
        return statement
    match statement.value:
        case Call(function=function, arguments=arguments):
            return Do(function, arguments)
    calls = any(isinstance(part, Call) for part in expressions(statement))
    return statement if calls else None


def _counted(body: Statements) -> tuple[Counter[Variable], Counter[Variable]]:
    """Counts the reads and the assignments of each variable."""
    reads: list[Variable] = []
    sets: list[Variable] = []
    for each in statements(body):
        reads += [part for part in expressions(each) if type(part) is Variable]
        if isinstance(each, Set):
            if isinstance(each.target, Variable):
                sets.append(each.target)
        elif isinstance(each, Do):
            sets += each.into
    return Counter(reads), Counter(sets)


def _may_move(value: Expr, name: Variable, into: Statement) -> bool:
    """Returns whether a value may be evaluated at its use: no expression evaluated before may
    change it, or be changed by it."""
    if isinstance(into, Loop):
        return False
    calls = any(isinstance(each, Call) for each in (value, *expressions(value)))
    for each in _in_order(into):
        if each is name:
            return True
        if (isinstance(each, Call) and looks(value)) or (isinstance(each, Load | Global) and calls):
            return False
    return False


def _in_order(node: Expr | Statement) -> Iterator[Expr]:
    """Yields expressions in evaluation order, as far as they are surely evaluated."""
    for part in node.parts()[:1] if isinstance(node, Either) else node.parts():
        yield from _in_order(part)
        if not isinstance(part, Const):
            yield part
        if isinstance(part, Either):
            return


def _replaced(node: Statement, name: Variable, value: Expr) -> Statement:
    def change(expr: Expr) -> Expr:
        return value if expr is name else rebuilt(expr, change)

    return rebuilt(node, change)
