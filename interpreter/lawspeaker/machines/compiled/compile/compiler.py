"""Compiles a typed program, for a number of players, to a WebAssembly module.

unit = Unit(…)          context shared by all code generators
exports.write(unit)     generates the exported functions, and by need those they call
unit.module             the result in the middle form
encoded(unit.module)    the result as WebAssembly
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from lawspeaker.base.work import PREPARING, TooMuchWork, work_budget
from lawspeaker.machines.compiled.compile import exports, writer
from lawspeaker.machines.compiled.compile import values as _all_values  # noqa: F401  (fills the table of builders)
from lawspeaker.machines.compiled.compile.clauses import clause_function
from lawspeaker.machines.compiled.host.images import image
from lawspeaker.machines.compiled.runtime.plan import LARGE, Plan, Sizes
from lawspeaker.machines.compiled.runtime.unit import FaultPoint, Unit
from lawspeaker.machines.middle import passes
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.purpose import Purpose
from lawspeaker.position.fault import TooLargeToCompile
from lawspeaker.position.layout import Layout

_TOO_DEEP = "they are nested too deep"
_TOO_MUCH = f"more than {PREPARING:,} nodes and operations are visited"
VERSION = "33"
"""Cache version: changes with the generated code or the memory layout, and invalidates old
modules."""


class Compiled:
    """A module's metadata for the host, and its binary, unless that is cached elsewhere."""

    def __init__(
        self,
        layout: Layout,
        purpose: Purpose,
        plan: Plan,
        facts: ClauseFacts,
        faults: tuple[FaultPoint, ...] = (),
    ) -> None:
        self.layout = layout
        self.purpose = purpose
        self.plan = plan
        self.facts = facts
        self.code = b""
        self._faults = faults

    @property
    def columns(self) -> dict[str, slice]:
        """The words of a game record by name; a module for watching has more of them.

        `winners` has as many words as `won` says. `clauses` counts how often each clause changed
        something, `points` has a word for each clause and seat, `uses` for everything choosable and
        each seat, the seat varying fastest. `trail` is one number in two words, the lower first;
        `measures` are those of the program.
        """
        return self.plan.record

    @property
    def record_size(self) -> int:
        """The bytes of a record."""
        return 4 * max(int(each.stop) for each in self.columns.values())

    def fault(self, number: int) -> FaultPoint:
        """Returns the message and position of a fault number. A cached module has no messages: it
        is compiled once more for them, which is rare."""
        if not self._faults:
            unit = written(self.layout, self.purpose, self.plan.sizes)
            self._faults = tuple(unit.faults)
        return self._faults[number - 1]


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Disables the garbage collector while many live nodes are built; its passes would take a fifth
    of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@_nothing_collected()
def compile_module(layout: Layout, purpose: Purpose, sizes: Sizes = LARGE) -> Compiled:
    """Compiles a program; `sizes`: of the regions of its memory."""
    compiled, module = formed(layout, purpose, sizes)
    try:
        compiled.code = encoded(module, inlined=not purpose.stepping)
    except RecursionError:
        raise TooLargeToCompile(layout.program.name, _TOO_DEEP) from None
    return compiled


@_nothing_collected()
def formed(layout: Layout, purpose: Purpose, sizes: Sizes = LARGE) -> tuple[Compiled, Module]:
    """Returns a module in the middle form, and its metadata."""
    unit = written(layout, purpose, sizes)
    return Compiled(layout, purpose, unit.plan, unit.facts, tuple(unit.faults)), unit.module


def encoded(module: Module, *, inlined: bool) -> bytes:
    """Translates a module to WebAssembly. `inlined`: short functions are inlined."""
    if inlined:
        passes.inline_short(module, PREPARING)
    return writer.written(module).encode()


def described(layout: Layout, purpose: Purpose) -> Compiled:
    """Returns the metadata of a module that was compiled before."""
    unit = Unit(layout, purpose)
    return Compiled(layout, purpose, unit.plan, unit.facts)


def written(layout: Layout, purpose: Purpose, sizes: Sizes = LARGE) -> Unit:
    """Generates the module in the middle form. Raises TooLargeToCompile if it would be too
    large."""
    with work_budget(PREPARING):
        try:
            unit = Unit(layout, purpose, sizes)
            unit.clause = partial(clause_function, unit)
            exports.write(unit)
            unit.write_waiting()
        except RecursionError:
            raise TooLargeToCompile(layout.program.name, _TOO_DEEP) from None
        except TooMuchWork:
            raise TooLargeToCompile(layout.program.name, _TOO_MUCH) from None
    plan, module = unit.plan, unit.module
    module.data = [*plan.data, (plan.image, image(plan))]
    module.bytes = plan.end
    return unit
