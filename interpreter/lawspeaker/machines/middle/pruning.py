"""What one use of a module never does is left out of it.

A module has many doors, and its clauses two functions each: one that can be taken up in the middle
and one that runs through. Whoever only plays whole games needs half of that. From the doors that
are wanted it is followed which functions are called, and which of their parameters are the same
constant at every call; where a branch hangs on one, the way that is never gone is left out
(`propagation`), and with it the functions that are called from nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lawspeaker.machines.middle.forms import F64, Const, Expr, Function, Statements
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.propagation import propagated
from lawspeaker.machines.middle.walk import calls

Then = Callable[[Statements], Statements]
Known = tuple[Const | None, ...]
"""For each parameter the constant it always is, if it is."""


def prune(module: Module, doors: Iterable[str], then: Then) -> None:
    """Leaves the functions that these doors lead to, with only the ways in them that are gone.
    `then` is done with the body of each."""
    module.exports = {name: module.exports[name] for name in doors}
    known: dict[Function, Known] = {
        each: (None,) * len(each.parameters) for each in module.exports.values()
    }
    bodies: dict[Function, Statements] = {}
    waiting = list(known)
    while waiting:
        function = waiting.pop()
        bodies[function] = then(_narrowed(function, known[function]))
        for callee, arguments in calls(bodies[function]):
            given = tuple(map(_constant, arguments))
            before = known.get(callee)
            now = given if before is None else _both(before, given)
            if before is None or any(a is not b for a, b in zip(now, before, strict=True)):
                known[callee] = now
                waiting.append(callee)
    module.functions = [each for each in module.functions if each in bodies]
    for function, body in bodies.items():
        function.body = body


def leave_out_uncalled(module: Module, called: Callable[[Function], Iterable[Function]]) -> None:
    """Leaves the functions that its doors lead to. `called`: what a function calls."""
    found: set[Function] = set()
    waiting = list(module.exports.values())
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            waiting += called(function)
    module.functions = [each for each in module.functions if each in found]


def _constant(argument: Expr) -> Const | None:
    return argument if isinstance(argument, Const) and argument.type != F64 else None


def _both(one: Known, other: Known) -> Known:
    """What is known where either may be given."""
    return tuple(
        a if a is not None and b is not None and a.value == b.value else None
        for a, b in zip(one, other, strict=True)
    )


def _narrowed(function: Function, known: Known) -> Statements:
    """The body of a function for which some parameters are known."""
    constants = {
        name: value for name, value in zip(function.given, known, strict=True) if value is not None
    }
    return propagated(function.body, constants)
