"""A module in the middle form: functions, globals, and initial memory."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.machines.middle.forms import I32, Function, Global, Type


class Module:
    """`exports` are the functions that the host calls by name, `data` the initial contents of
    memory by address, and `bytes` the size of memory."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.globals: list[Global] = []
        self.exports: dict[str, Function] = {}
        self.data: list[tuple[int, bytes]] = []
        self.bytes = 0

    def function(
        self, name: str, parameters: Sequence[Type] = (), results: Sequence[Type] = ()
    ) -> Function:
        """Adds a function with an empty body."""
        made = Function(name, parameters, results)
        self.functions.append(made)
        return made

    def variable(self, name: str, type: Type = I32, first: int = 0) -> Global:
        """Adds a global variable."""
        made = Global(type, name, len(self.globals), first)
        self.globals.append(made)
        return made
