"""What one use of a module never does is left out of it.

A module has many doors, and its clauses two functions each: one that can be taken up in the middle
and one that runs through. Whoever only plays whole games needs half of that. From the doors that
are wanted it is followed which functions are called, which of their parameters are the same
constant at every call, and which variables are constants after that; where a branch hangs on one,
the way that is never gone is left out, and with it the functions that are called from nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lawspeaker.machines.native.reader import I32, Function, Given, Instruction, Module

_OPENING = ("block", "loop", "if")
_LEAVING = ("br", "br_table", "return", "unreachable")
_PUSHING = ("i32.const", "i64.const", "local.get", "global.get")

Known = tuple[int | None, ...]
"""For each parameter the constant it always is, if it is."""


def pruned(module: Module, doors: Iterable[str]) -> Module:
    """The functions that these doors lead to, with only the ways in them that are gone."""
    wanted = {name: module.exports[name] for name in doors}
    known: dict[int, Known] = {
        index: (None,) * len(module.functions[index].parameters) for index in wanted.values()
    }
    bodies: dict[int, list[Instruction]] = {}
    waiting = list(known)
    while waiting:
        index = waiting.pop()
        bodies[index] = _narrowed(module.functions[index], known[index])
        for callee, given in _calls(module, bodies[index]):
            before = known.get(callee)
            now = given if before is None else _both(before, given)
            if now != before:
                known[callee] = now
                waiting.append(callee)
    functions = tuple(
        replace(each, body=tuple(bodies[each.index]))
        for each in module.functions
        if each.index in bodies
    )
    return replace(module, functions=functions, exports=wanted)


def _both(one: Known, other: Known) -> Known:
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def _calls(module: Module, body: list[Instruction]) -> Iterable[tuple[int, Known]]:
    """The functions that are called, with the constants they are given."""
    for at, (name, given) in enumerate(body):
        if name == "call":
            assert isinstance(given, int)
            count = len(module.functions[given].parameters)
            yield given, _arguments(body, at, count)


def _arguments(body: list[Instruction], at: int, count: int) -> Known:
    """What is pushed just before a call, as far back as that can be seen at once."""
    found: list[int | None] = []
    while len(found) < count and at > 0 and body[at - 1][0] in _PUSHING:
        at -= 1
        name, given = body[at]
        found.append(given if name.endswith(".const") and isinstance(given, int) else None)
    return (*(None,) * (count - len(found)), *reversed(found))


def _narrowed(function: Function, known: Known) -> list[Instruction]:
    """The body of a function for which some parameters are known."""
    constants: dict[int, Instruction] = {}
    for number, value in enumerate(known):
        if value is not None:
            kind = "i32.const" if function.parameters[number] == I32 else "i64.const"
            constants[number] = (kind, value)
    return _Narrowing(function.body, constants).out


def _changed_inside(body: tuple[Instruction, ...]) -> dict[int, set[int]]:
    """For each block, by where it begins, the variables that are set in it."""
    found: dict[int, set[int]] = {}
    inside: list[set[int]] = []
    for at, (name, given) in enumerate(body):
        if name in _OPENING:
            found[at] = set()
            inside.append(found[at])
        elif name == "end":
            last = inside.pop()
            if inside:
                inside[-1] |= last
        elif name in ("local.set", "local.tee") and inside:
            assert isinstance(given, int)
            inside[-1].add(given)
    return found


@dataclass(slots=True)
class _Block:
    """An open block: whether `both` arms of it are left, the `first` or the `second` alone; what is
    set in it; the constants at its beginning; whether somebody branches to its end; and whether
    that is reached by any way but the one that is being followed."""

    arms: str
    changed: set[int]
    before: dict[int, Instruction]
    loop: bool = False
    used: bool = False
    passable: bool = False


class _Narrowing:
    """One way through a body, writing down what is left of it.

    A variable is a constant from where it is set to one until it may have been set again: after a
    block, all that was set in it may be something else, and in a loop it may from the start.
    """

    def __init__(self, body: tuple[Instruction, ...], constants: dict[int, Instruction]) -> None:
        self.out: list[Instruction] = []
        self.constants = constants
        self.skipping = 0
        """While nothing is reached: how many blocks were opened meanwhile, and one."""
        self.blocks: list[_Block] = []
        inside = _changed_inside(body)
        for at, (name, given) in enumerate(body):
            if self.skipping:
                self._skip(name)
            else:
                if name == "local.get" and given in self.constants:
                    assert isinstance(given, int)
                    name, given = self.constants[given]
                self._keep(name, given, inside.get(at, set()))

    def _skip(self, name: str) -> None:
        if name in _OPENING:
            self.skipping += 1
        elif name == "end":
            self.skipping -= 1
            if not self.skipping:
                # Nothing comes after it, either, unless there is another way out of the block.
                self.skipping = int(not self.blocks[-1].passable)
                self._end()
        elif name == "else" and self.skipping == 1:
            block = self.blocks[-1]
            if block.arms != "first":
                self.skipping = 0
                self.constants = dict(block.before)
                block.passable = block.used
            if block.arms == "both":
                self.out.append(("else", None))

    def _end(self) -> None:
        block = self.blocks.pop()
        self.constants = {
            number: each for number, each in block.before.items() if number not in block.changed
        }
        self.out.append(("end", None))

    def _keep(self, name: str, given: Given, changed: set[int]) -> None:
        value = self._constant()
        match name:
            case "if" if value is not None:
                self.out[-1] = ("block", given)
                self._open("first" if value else "second", changed)
                if not value:
                    self.skipping = 1
                    self.blocks[-1].passable = True  # if there is no second arm
                return
            case "br_if" if value is not None:
                self.out.pop()
                if value:
                    self._keep("br", given, changed)
                return
            case "br_table" if value is not None:
                assert isinstance(given, tuple)
                self.out.pop()
                self._keep("br", given[min(value & 0xFFFFFFFF, len(given) - 1)], changed)
                return
            case "i32.eqz" if value is not None:
                self.out[-1] = ("i32.const", int(not value))
                return
            case "i32.eq" if value is not None and (other := self._constant(2)) is not None:
                self.out.pop()
                self.out[-1] = ("i32.const", int(value == other))
                return
            case "else":
                block = self.blocks[-1]
                block.passable = True
                if block.arms == "first":
                    self.skipping = 1
                    return
                self.constants = dict(block.before)
            case "end":
                self._end()
                return
            case "block" | "loop" | "if":
                self._open("both", changed)
                self.blocks[-1].passable = name == "if"
                self.blocks[-1].loop = name == "loop"
                if name == "loop":
                    self.constants = {
                        number: each
                        for number, each in self.constants.items()
                        if number not in changed
                    }
            case "local.set" | "local.tee":
                assert isinstance(given, int)
                self.constants.pop(given, None)
                if self.out and self.out[-1][0] in ("i32.const", "i64.const"):
                    self.constants[given] = self.out[-1]
            case "br" | "br_if":
                assert isinstance(given, int)
                self._branch(given)
            case "br_table":
                assert isinstance(given, tuple)
                for each in given:
                    self._branch(each)
        self.out.append((name, given))
        if name in _LEAVING:
            self.skipping = 1

    def _branch(self, away: int) -> None:
        """A block that is branched to can be left that way."""
        if away < len(self.blocks) and not self.blocks[-1 - away].loop:
            self.blocks[-1 - away].used = self.blocks[-1 - away].passable = True

    def _open(self, arms: str, changed: set[int]) -> None:
        self.blocks.append(_Block(arms, changed, dict(self.constants)))

    def _constant(self, last: int = 1) -> int | None:
        """The constant of 32 bits that was pushed last, or by the instruction before the last."""
        if len(self.out) >= last and self.out[-last][0] == "i32.const":
            given = self.out[-last][1]
            assert isinstance(given, int)
            return given
        return None
