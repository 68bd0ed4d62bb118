"""Dead-store elimination: removes writes to arrays that are never read.

A plan has the same arrays for every game, and every new game begins as a copy of all of them. After
pruning, the pass finds the arrays that are never read, and removes all writes to them: they are
never touched, and the rest of a game fits better into caches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawspeaker.machines.compiled.runtime.plan import LONG
from lawspeaker.machines.middle.forms import (
    Clear,
    Const,
    Copy,
    Load,
    Statement,
    Statements,
    Store,
    const,
)
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, expressions, statements, with_bodies

MemoryRange = tuple[int, int]
"""An address range, the end exclusive."""


def leave_unread(module: Module, columns: Iterable[tuple[str, MemoryRange]]) -> None:
    """Removes writes to columns that no function reads."""
    read = _Read(module)
    named = [(name, stretch) for name, stretch in columns if not read.any_of(name, stretch)]
    unread = _Unread({name for name, _ in named}, _joined(stretch for _, stretch in named))
    for function in module.functions:
        function.body = unread.left(function.body)


class _Read:
    """The reads in a module: columns by name, constant addresses, and addresses that escape."""

    def __init__(self, module: Module) -> None:
        self.names: set[str] = set()
        self.stretches: list[MemoryRange] = []
        self.taken: set[float] = {each.first for each in module.globals}
        for function in module.functions:
            for statement in statements(function.body):
                self._note(statement)

    def _note(self, statement: Statement) -> None:
        for each in expressions(statement):
            if isinstance(each, Load):
                self.names.add(each.column)
                self.stretches.append((each.offset, each.offset + each.bytes))
        match statement:
            case Copy(source=Const(value=int() as start), size=Const(value=int() as size)):
                self.stretches.append((start, start + size))
            case Clear():
                pass
            case _:
                self.taken |= {
                    each.value for each in expressions(statement) if isinstance(each, Const)
                }

    def any_of(self, name: str, stretch: MemoryRange) -> bool:
        start, end = stretch
        return (
            name in self.names
            or any(low < end and start < high for low, high in self.stretches)
            or any(start <= address < end for address in self.taken)
        )


class _Unread:
    """Removes stores to the dead arrays."""

    def __init__(self, names: set[str], stretches: list[MemoryRange]) -> None:
        self.names = names
        self.stretches = stretches

    def left(self, body: Statements) -> Statements:
        """Returns a body without dead stores."""
        return [each for statement in body for each in self._left_of(statement)]

    def _left_of(self, statement: Statement) -> Iterator[Statement]:
        match statement:
            case Store(target=Load(column=name)) if name in self.names and not calls([statement]):
                return
            case Copy(
                to=Const(value=int() as to),
                source=Const(value=int() as source),
                size=Const(value=int() as size),
            ):
                for start, end in self._between(to, to + size):
                    yield Copy(const(start), const(source + start - to), const(end - start))
            case Clear(at=Const(value=int() as at), size=Const(value=int() as size)):
                for start, end in self._between(at, at + size):
                    yield Clear(const(start), const(end - start))
            case _:
                yield with_bodies(statement, self.left)

    def _between(self, start: int, end: int) -> Iterator[MemoryRange]:
        """Returns an address range without the dead arrays, in words of 64 bits."""
        for first, last in self.stretches:
            low, high = -(-first // LONG) * LONG, last // LONG * LONG
            if low < high and low < end and start < high:
                if start < low:
                    yield start, low
                start = high
        if start < end:
            yield start, end


def _joined(stretches: Iterable[MemoryRange]) -> list[MemoryRange]:
    """Sorts address ranges; merges those with less than a word of 64 bits between them."""
    found: list[MemoryRange] = []
    for start, end in sorted(stretches):
        if found and start - found[-1][1] < LONG:
            start, _ = found.pop()
        found.append((start, end))
    return found
