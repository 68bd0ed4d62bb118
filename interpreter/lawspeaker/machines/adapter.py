"""The compiled machine behind the interface of the reference machine.

`CompiledMachine` answers for a program as `Machine` does, so a match cannot tell which of the two
it runs on. Everything that goes on in the game happens inside a WebAssembly module: what is done,
what is asked, what is offered. What is only said about a game (explanations, what a defined value
is worth, what should always hold) is left to the reference machine, which both can answer since
the state is the same.

The memory of a module has a size. Where a game comes to have more going on than there is room for,
the reference machine goes on from the same state to the next question.

Modules take a moment to be made. The last ones are kept, and the edges may keep them from one run
of the program to the next: see `keep_modules_in`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.compiled import Instance, ModuleCache, instance_for
from lawspeaker.machines.purpose import PLAYING, STEPPING, Purpose
from lawspeaker.machines.reference import Machine
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.layout import Layout, Value, layout_for
from lawspeaker.position.state import Reply, State


class CompiledMachine(Machine):
    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        super().__init__(program, players, budget)
        self.instance = made(self.layout, STEPPING, budget)

    def _begin(self, state: State, clause: int, arguments: Sequence[Value]) -> None:
        state.stack = []
        state.pending = None
        state.ended = ""
        try:
            self.instance.begin(state, clause, arguments)
        except OutOfRoom:
            super()._begin(state, clause, arguments)
        else:
            self.check_always(state)

    def _go_on(self, state: State) -> None:
        try:
            self.instance.go_on(state)
        except OutOfRoom:
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
        except OutOfRoom:
            super()._answer(state, seat, reply)
        else:
            state.steps += 1
            self.check_always(state)

    def offers(self, state: State) -> dict[int, list[Reply]]:
        if state.offered is None:
            asks = state.pending is not None and state.pending[0] != "chance"
            try:
                state.offered = self.instance.offers(state) if asks else {}
            except OutOfRoom:
                return super().offers(state)
        return state.offered


_cache: ModuleCache | None = None
_KEPT, _KEPT_PLAYING = 12, 24
"""Modules that play whole games are small, and editions are compared difference by difference."""


def keep_modules_in(cache: ModuleCache | None) -> None:
    """Where modules are kept from one run of the program to the next."""
    global _cache  # noqa: PLW0603
    _cache = cache


def made(layout: Layout, purpose: Purpose, budget: int = MOST_STEPS) -> Instance:
    """A module for a layout, taken from the cache where it is there. That a game is too large is
    kept, too: it is found out late, and bots would ask before every choice."""
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
"""The programs are held, so that no other gets the `id` of one."""
_machines: Kept[CompiledMachine] = Kept(_KEPT)
_instances: Kept[Instance] = Kept(_KEPT_PLAYING)


def keep_at_most(modules: int) -> None:
    """For a process with little memory: how many modules it keeps. Each has room for some 44 MB,
    of which it touches little."""
    _machines.most = _instances.most = modules


def compiled_for(program: ir.Program, players: int) -> CompiledMachine:
    """The compiled machine for a program and a number of players, made when first asked for."""
    return _machines.get((id(program), players), lambda: CompiledMachine(program, players))


def playing_instance(program: ir.Program, players: int, purpose: Purpose = PLAYING) -> Instance:
    """A module that plays whole games inside one call, made when first asked for."""

    def make() -> Instance:
        return made(layout_for(program, players), purpose)

    return _instances.get((id(program), players, purpose), make)
