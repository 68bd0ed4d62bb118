"""Short functions are written where they are called, and what nobody calls is left out.

A call takes about as long as a dozen instructions, so a function of a few dozen is better repeated.
What it did with `return` becomes a branch to the end of a block around it.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.binary import NOTHING, Function, Instruction, Module
from lawspeaker.machines.middle.forms import I32, I64

_OPENS = {"block", "loop", "if"}
_ZERO = {I32: "i32.const", I64: "i64.const"}


def inline(module: Module, most: int, longest: int, room: int) -> None:
    """Takes functions of at most so many instructions into those that call them, as long as these
    do not grow too long, nor all of them together by more than there is room for."""
    Inliner(most, longest, room).all(module)
    _leave_out_unused(module)


class Inliner:
    def __init__(self, most: int, longest: int, room: int) -> None:
        self.most = most
        self.longest = longest
        self.room = room

    def all(self, module: Module) -> None:
        for function in _called_first(module):
            self._take_in(function)

    def _take_in(self, function: Function) -> None:
        """Writes what a function calls in place; this has been done in those it calls."""
        body: list[Instruction] = []
        done = 0
        for number, called in _calls(function):
            body += function.body[done:number]
            left = len(function.body) - number
            short = self._is_short(called) and _length_in_place(called) <= self.room
            if short and len(body) + left < self.longest:
                body += _in_place(called, function)
                self.room -= _length_in_place(called)
            else:
                body.append(function.body[number])
            done = number + 1
        function.body = body + function.body[done:]

    def _is_short(self, function: Function) -> bool:
        if len(function.body) > self.most or len(function.results) > 1:
            return False
        known = all(type in _ZERO for type in function.locals)
        return known and all(called is not function for _, called in _calls(function))


def _calls(function: Function) -> list[tuple[int, Function]]:
    """Where a function calls others."""
    return [
        (number, given)
        for number, (name, given) in enumerate(function.body)
        if name == "call" and isinstance(given, Function)
    ]


def _called_first(module: Module) -> list[Function]:
    """The functions of a module, each after those it calls (but for circles)."""
    found: dict[int, Function] = {}
    begun: set[int] = set()
    waiting = list(reversed(module.functions))
    while waiting:
        function = waiting[-1]
        if function.index in begun:
            found.setdefault(function.index, waiting.pop())
            continue
        begun.add(function.index)
        called = {each.index: each for _, each in _calls(function)}
        waiting += [each for index, each in called.items() if index not in begun]
    return list(found.values())


def _length_in_place(callee: Function) -> int:
    """How many instructions it takes to write a function where it is called."""
    return len(callee.parameters) + 2 * len(callee.locals) + 2 + len(callee.body)


def _in_place(callee: Function, caller: Function) -> list[Instruction]:
    """The instructions of a function whose arguments are on the stack."""
    types = (*callee.parameters, *callee.locals)
    own = [caller.local(type) for type in types]
    count = len(callee.parameters)
    out: list[Instruction] = [("local.set", own[at]) for at in reversed(range(count))]
    for at in range(count, len(types)):
        out += [(_ZERO[types[at]], 0), ("local.set", own[at])]
    out.append(("block", callee.results[0] if callee.results else NOTHING))
    depth = 0
    for name, given in callee.body:
        if name.startswith("local.") and isinstance(given, int):
            out.append((name, own[given]))
        elif name == "return":
            out.append(("br", depth))
        else:
            out.append((name, given))
        depth += (name in _OPENS) - (name == "end")
    out.append(("end", None))
    return out


def _leave_out_unused(module: Module) -> None:
    used: dict[int, Function] = {}
    waiting = list(module.exports.values())
    while waiting:
        function = waiting.pop()
        if function.index not in used:
            used[function.index] = function
            waiting += [called for _, called in _calls(function)]
    module.functions = [used[index] for index in sorted(used)]
    for index, function in enumerate(module.functions):
        function.index = index
