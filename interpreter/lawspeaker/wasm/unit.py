"""What all code of one module shares: its memory, its faults, its functions, what is fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.analysis import Dependence
from lawspeaker.layout import Layout
from lawspeaker.source import Span
from lawspeaker.types import SetType
from lawspeaker.wasm.binary import I32, I64, Function, Module
from lawspeaker.wasm.fold import Folder
from lawspeaker.wasm.plan import Plan

NEVER = 0x7FFFFFFF
"""So many choices are made inside before the module waits: as good as all."""


@dataclass(frozen=True, slots=True)
class FaultPoint:
    """Something that can go wrong at one place in the rules."""

    clause: str
    message: str
    span: Span


class Unit:
    """A program that is being compiled for a number of players.

    `stepping`: the module notes what happens, and waits for luck where luck is asked. Without, it
    is for playing many games: it notes nothing, and luck is always settled by the seed.
    """

    def __init__(self, layout: Layout, stepping: bool) -> None:
        self.layout = layout
        self.program = layout.program
        self.stepping = stepping
        self.module = Module()
        self.plan = Plan(layout)
        self.depends = Dependence(layout.program)
        self.folder = Folder(layout, self.depends)
        self.faults: list[FaultPoint] = []
        self._numbers: dict[FaultPoint, int] = {}
        self._made: dict[tuple[object, ...], Function] = {}
        self._waiting: list[Callable[[], None]] = []
        self._rooms: dict[int, bool] = {}
        self._replaced: dict[tuple[object, ...], tuple[ir.Expr, tuple[ir.Expr, ...], ir.Expr]] = {}
        new = self.module.variable
        self.top = new("top")  # of the arena
        self.left = new("left")  # of the step budget
        self.saved = new("saved")  # end of the saved frames
        self.free = new("free")  # choices to be made inside before the module waits
        self.apart = new("apart", I32, -1)  # 0: all seats share one stream of luck
        self.ask_chance = new("ask_chance")
        self.discreet = new("discreet")
        self.again = new("again")  # resuming only to work the options out again
        self.found = new("found")  # end of the options found so far
        self.kept = new("kept")  # end of the sets that options speak of
        self.noted = new("noted")  # end of the journal
        self.decisions = new("decisions")
        self.options = new("options")
        self.budget = new("budget")
        self.switches = new("switches")  # left of the budget for going from clause to clause

    def fault_number(self, clause: int, message: str, span: Span) -> int:
        point = FaultPoint(self.program.clauses[clause].id, message, span)
        if point not in self._numbers:
            self.faults.append(point)
            self._numbers[point] = len(self.faults)
        return self._numbers[point]

    def made(
        self,
        key: tuple[object, ...],
        parameters: int | tuple[int, ...],
        results: int | tuple[int, ...],
        write: Callable[[Function], None],
    ) -> Function:
        """A function that is written once, after the one that first asks for it."""
        found = self._made.get(key)
        if found is None:
            name = ".".join(str(part) for part in key)
            given = (I32,) * parameters if isinstance(parameters, int) else parameters
            got = (I32,) * results if isinstance(results, int) else results
            found = self._made[key] = self.module.function(name, given, got)
            made = found
            self._waiting.append(lambda: write(made))
        return found

    def write_waiting(self) -> None:
        """Writes all functions that were asked for, and those that they ask for."""
        while self._waiting:
            self._waiting.pop()()

    def replaced(self, expr: ir.Expr, meanings: Mapping[int, ir.Expr]) -> ir.Expr:
        """An expression with names replaced by what they stand for; the same one each time."""
        names = self.depends.free(expr).intersection(meanings)
        key = (id(expr), *((name, id(meanings[name])) for name in sorted(names)))
        if key not in self._replaced:
            given = {name: meanings[name] for name in names}
            self._replaced[key] = (expr, tuple(given.values()), replaced(expr, given))
        return self._replaced[key][2]

    def function_takes_room(
        self, number: int, takes_room: Callable[[Unit, Any], bool]
    ) -> bool:
        """Whether a defined value may need a list in the arena."""
        if number not in self._rooms:
            function = self.program.functions[number]
            whole = (function.result, *(value for _, value in function.lets))
            sets = any(isinstance(value.type, SetType) for value in whole)
            self._rooms[number] = sets or takes_room(self, whole)
        return self._rooms[number]


def replaced(node: Any, meanings: Mapping[int, ir.Expr]) -> Any:
    """An expression with slots replaced by expressions."""
    if isinstance(node, ir.Local):
        return meanings.get(node.slot, node)
    if isinstance(node, tuple):
        return tuple(replaced(item, meanings) for item in node)
    if not isinstance(node, ir.Expr | ir.Binder):
        return node
    changes = {}
    for field in fields(node):
        part = getattr(node, field.name)
        if isinstance(part, ir.Expr | ir.Binder | tuple):
            changes[field.name] = replaced(part, meanings)
    return replace(node, **changes)
