"""The compiled machine behind the interface of the reference machine.

`CompiledMachine` has the methods of `Machine`, so a match does not depend on which one it uses.
Statements, questions and options run inside a WebAssembly module. Explanations, values of
definitions and invariants are evaluated by the reference machine, since both share the state.

The memory of a module has a fixed size. On `OutOfMemory` the reference machine continues from the
same state to the next question.

Compiling takes time: recently used modules are cached in memory, and on disk if `keep_modules_in`
is called.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.compiled import Instance, ModuleCache, instance_for
from lawspeaker.machines.purpose import PLAYING, STEPPING, Purpose
from lawspeaker.machines.reference import Machine
from lawspeaker.position.fault import OutOfMemory, TooLargeToCompile
from lawspeaker.position.layout import Layout, Value, layout_for
from lawspeaker.position.state import Reply, State


class CompiledMachine(Machine):
    """A `Machine` that executes in a WebAssembly module."""

    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        super().__init__(program, players, budget)
        self.instance = module_for(self.layout, STEPPING, budget)

    def _begin(self, state: State, clause: int, arguments: Sequence[Value]) -> None:
        state.stack = []
        state.pending = None
        state.ended = ""
        try:
            self.instance.begin(state, clause, arguments)
        except OutOfMemory:
            super()._begin(state, clause, arguments)
        else:
            self.check_always(state)

    def _go_on(self, state: State) -> None:
        try:
            self.instance.go_on(state)
        except OutOfMemory:
            super()._go_on(state)
        else:
            self.check_always(state)

    def _answer(self, state: State, seat: int | None, reply: Reply) -> None:
        assert state.pending is not None
        kind, asked = state.pending
        given: Reply | dict[int, Reply] = reply
        if kind == "together":
            assert seat is not None
            given = {**state.secret, seat: reply}
            if any(other not in given for other in asked):
                state.steps += 1
                state.secret[seat] = reply
                return
        try:
            self.instance.answer(state, given)
        except OutOfMemory:
            super()._answer(state, seat, reply)
        else:
            state.steps += 1
            self.check_always(state)

    def offers(self, state: State) -> dict[int, list[Reply]]:
        if state.offered is None:
            asks = state.pending is not None and state.pending[0] != "chance"
            try:
                state.offered = self.instance.offers(state) if asks else {}
            except OutOfMemory:
                return super().offers(state)
        return state.offered


_cache: ModuleCache | None = None
_KEPT, _KEPT_PLAYING = 12, 24
"""Modules that play whole games are small, and comparing editions needs one per difference."""


def keep_modules_in(cache: ModuleCache | None) -> None:
    """Sets the persistent cache of modules, or removes it."""
    global _cache  # noqa: PLW0603
    _cache = cache


def module_for(layout: Layout, purpose: Purpose, budget: int = MOST_STEPS) -> Instance:
    """Returns a module for a layout, from the persistent cache if possible. `TooLargeToCompile` is
    cached as well: it is raised late, and bots would compile before every choice."""
    asked = (id(layout.program), layout.players, purpose)
    if asked in _too_large:
        raise _too_large[asked][1].with_traceback(None)
    try:
        return instance_for(layout, purpose, budget=budget, cache=_cache)
    except TooLargeToCompile as why:
        if len(_too_large) >= _KEPT:
            _too_large.clear()
        _too_large[asked] = layout.program, why.with_traceback(None)
        raise


_too_large: dict[tuple[int, int, Purpose], tuple[ir.Program, TooLargeToCompile]] = {}
"""Holds the programs, so that no other object gets the `id` of one."""
_machines: LruCache[CompiledMachine] = LruCache(_KEPT)
_instances: LruCache[Instance] = LruCache(_KEPT_PLAYING)


def keep_at_most(modules: int) -> None:
    """Limits the modules cached in memory. Each reserves some 44 MB, of which it touches little."""
    _machines.most = _instances.most = modules


def compiled_for(program: ir.Program, players: int) -> CompiledMachine:
    """Returns the compiled machine for a program and a number of players; cached."""
    return _machines.get((id(program), players), lambda: CompiledMachine(program, players))


def playing_instance(program: ir.Program, players: int, purpose: Purpose = PLAYING) -> Instance:
    """Returns a module that plays whole games inside one call; cached."""

    def make() -> Instance:
        return module_for(layout_for(program, players), purpose)

    return _instances.get((id(program), players, purpose), make)
