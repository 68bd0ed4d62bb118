"""Interprocedural dead-code elimination: removes what one use of a module never executes.

A module has many exports, and two functions for each clause: a resumable one and one that runs
through. Playing whole games needs half of that. Starting from the exports in use, the pass finds
the reachable functions, and the parameters that are the same constant in every call; a branch on
such a parameter is resolved (`propagation`), and with it disappear the functions called only there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lawspeaker.machines.middle.forms import F64, Const, Expr, Function, Statements
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.propagation import propagated
from lawspeaker.machines.middle.walk import calls

Then = Callable[[Statements], Statements]
Known = tuple[Const | None, ...]
"""For each parameter its constant value, or None."""


def prune(module: Module, doors: Iterable[str], then: Then) -> None:
    """Keeps the functions reachable from these exports, without their unreachable branches. `then`
    is applied to the body of each."""
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
    """Keeps the functions reachable from the exports. `called` returns the callees of a
    function."""
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
    """Meets the known constants of two calls."""
    return tuple(
        a if a is not None and b is not None and a.value == b.value else None
        for a, b in zip(one, other, strict=True)
    )


def _narrowed(function: Function, known: Known) -> Statements:
    """Returns the body of a function specialised for constant parameters."""
    constants = {
        name: value for name, value in zip(function.given, known, strict=True) if value is not None
    }
    return propagated(function.body, constants)
