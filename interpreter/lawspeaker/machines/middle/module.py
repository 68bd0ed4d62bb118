"""A module in the middle form: functions, what they share, and what lies in memory at the start."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.machines.middle.forms import I32, Function, Global, Type


class Module:
    """`exports` are the functions that the host calls by their names, `data` the contents of memory
    by address, and `bytes` how much memory there is."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.globals: list[Global] = []
        self.exports: dict[str, Function] = {}
        self.data: list[tuple[int, bytes]] = []
        self.bytes = 0

    def function(
        self, name: str, parameters: Sequence[Type] = (), results: Sequence[Type] = ()
    ) -> Function:
        """A new function, which does nothing yet."""
        made = Function(name, parameters, results)
        self.functions.append(made)
        return made

    def variable(self, name: str, type: Type = I32, first: int = 0) -> Global:
        """A new variable that all functions share."""
        made = Global(type, name, len(self.globals), first)
        self.globals.append(made)
        return made
