"""Eliminates dead variables, and forwards values that are read once, right after they are set.

So `looks = alike[piece]` and then `if looks == last` become `if alike[piece] == last`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.walk import (
    expressions,
    reads_state,
    rebuilt,
    statements,
    with_bodies,
)


def forwarded(body: m.Statements) -> m.Statements:
    """Returns a body without dead assignments, and with single-use values forwarded to their
    use."""
    reads, sets = _counted(body)

    def needed(body: m.Statements) -> m.Statements:
        found: m.Statements = []
        for each in body:
            kept = _if_read(each, reads)
            if kept is None:
                continue
            last = found[-1] if found else None
            if isinstance(last, m.Set) and isinstance(last.target, m.Variable):
                name = last.target
                alone = name.number is None and reads[name] == sets[name] == 1
                if alone and _may_move(last.value, name, kept):
                    found[-1] = _replaced(kept, name, last.value)
                    continue
            found.append(kept)
        return [with_bodies(each, needed) for each in found]

    return needed(body)


def _if_read(statement: m.Statement, reads: Counter[m.Variable]) -> m.Statement | None:
    """Returns a statement, or only the call in it if the assigned variable is dead."""
    if not isinstance(statement, m.Set) or not isinstance(statement.target, m.Variable):
        return statement
    if statement.target.number is not None or reads[statement.target]:
        return statement
    match statement.value:
        case m.Call(function=function, arguments=arguments):
            return m.Do(function, arguments)
    calls = any(isinstance(part, m.Call) for part in expressions(statement))
    return statement if calls else None


def _counted(body: m.Statements) -> tuple[Counter[m.Variable], Counter[m.Variable]]:
    """Counts the reads and the assignments of each variable."""
    reads: list[m.Variable] = []
    sets: list[m.Variable] = []
    for each in statements(body):
        reads += [part for part in expressions(each) if type(part) is m.Variable]
        if isinstance(each, m.Set):
            if isinstance(each.target, m.Variable):
                sets.append(each.target)
        elif isinstance(each, m.Do):
            sets += each.into
    return Counter(reads), Counter(sets)


def _may_move(value: m.Expr, name: m.Variable, into: m.Statement) -> bool:
    """Returns whether a value may be evaluated at its use: no expression evaluated before may
    change it, or be changed by it."""
    if isinstance(into, m.Loop):
        return False
    calls = any(isinstance(each, m.Call) for each in (value, *expressions(value)))
    for each in _in_order(into):
        if each is name:
            return True
        if (isinstance(each, m.Call) and reads_state(value)) or (
            isinstance(each, m.Load | m.Global) and calls
        ):
            return False
    return False


def _in_order(node: m.Expr | m.Statement) -> Iterator[m.Expr]:
    """Yields expressions in evaluation order, as far as they are surely evaluated."""
    for part in node.parts()[:1] if isinstance(node, m.Either) else node.parts():
        yield from _in_order(part)
        if not isinstance(part, m.Const):
            yield part
        if isinstance(part, m.Either):
            return


def _replaced(node: m.Statement, name: m.Variable, value: m.Expr) -> m.Statement:
    def change(expr: m.Expr) -> m.Expr:
        return value if expr is name else rebuilt(expr, change)

    return rebuilt(node, change)
