"""Builder of functions in the middle form.

    bit = f.let("bit", long(1) << place - first)
    with f.if_(mask & bit != 0):
        f.set(count[place], count[place] - 1)
    with f.else_():
        f.return_(0)

`set` assigns to a variable or a memory location; `add` adds to it. There are loops over ranges,
bits, lists and chains, `while_`, and `loop`, which repeats until it is exited. A loop variable is
new, by its name, or an existing variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.forms import checked_arguments

Target = m.Variable | m.Global | m.Load


class Column(Protocol):
    """Protocol for a table indexed by numbers."""

    def __getitem__(self, number: m.Expr) -> m.Expr: ...


_Given = TypeVar("_Given")


class Inside(Generic[_Given]):
    """Context manager of a statement's body: code built meanwhile goes there."""

    __slots__ = ("_body", "_f", "_given")

    def __init__(self, f: Body, body: m.Statements, given: _Given) -> None:
        self._f = f
        self._body = body
        self._given = given

    def __enter__(self) -> _Given:
        self._f.enter(self._body)
        return self._given

    def __exit__(self, *_: object) -> None:
        self._f.back()


class Body:
    """The body of a function under construction, and its names."""

    def __init__(self, results: Sequence[m.Type] = ()) -> None:
        self.parameters: list[m.Variable] = []
        self.results = tuple(results)
        self.statements: m.Statements = []
        self._open = self.statements
        self._around: list[m.Statements] = []
        self._names: dict[str, int] = {}

    # ------------------------------------------------------------ names

    def parameter(self, name: str, type: m.Type) -> m.Variable:
        """Declares the next parameter."""
        made = m.Variable(type, self._unlike_others(name), len(self.parameters))
        self.parameters.append(made)
        return made

    def variable(self, name: str, type: m.Type = m.I32) -> m.Variable:
        """Returns a new variable, which is assigned later."""
        return m.Variable(type, self._unlike_others(name))

    def let(self, name: str, value: m.Number, type: m.Type = m.I32) -> m.Variable:
        """Returns a new variable with a value; `type` is that of a Python number."""
        first = m.as_expr(value, type)
        made = m.Variable(first.type, self._unlike_others(name))
        self._add(m.Set(made, first))
        return made

    def _into(self, member: str | m.Variable, value: m.Expr) -> m.Variable:
        """Assigns a value to a variable, or to a new one of this name."""
        if isinstance(member, str):
            return self.let(member, value)
        self.set(member, value)
        return member

    def _unlike_others(self, name: str) -> str:
        self._names[name] = self._names.get(name, 0) + 1
        return name if self._names[name] == 1 else f"{name}.{self._names[name]}"

    # ------------------------------------------------------------ statements

    def set(self, target: Target, value: m.Number) -> None:
        """Assigns a value to a variable or a memory location."""
        new = m.as_expr(value, target.type)
        if new.type != target.type:
            raise TypeError(f"{new.type} for a place of {target.type}")
        self._add(m.Store(target, new) if isinstance(target, m.Load) else m.Set(target, new))

    def add(self, target: Target, value: m.Number) -> None:
        """Adds to a variable or a memory location."""
        self.set(target, target + value)

    def do(
        self, function: m.Function, *arguments: m.Number, into: Sequence[m.Variable] = ()
    ) -> None:
        """Calls a function; its results go into variables, or are dropped."""
        self._add(m.Do(function, checked_arguments(function, arguments), tuple(into)))

    def all_of(self, function: m.Function, *arguments: m.Number) -> tuple[m.Variable, ...]:
        """Calls a function and returns all its results."""
        into = tuple(self.variable(function.name, type) for type in function.results)
        self.do(function, *arguments, into=into)
        return into

    def copy(self, to: m.Number, source: m.Number, size: m.Number) -> None:
        """Copies `size` bytes."""
        self._add(m.Copy(m.as_expr(to, m.I32), m.as_expr(source, m.I32), m.as_expr(size, m.I32)))

    def clear(self, at: m.Number, size: m.Number) -> None:
        """Sets `size` bytes to 0."""
        self._add(m.Clear(m.as_expr(at, m.I32), m.as_expr(size, m.I32)))

    def return_(self, *values: m.Number) -> None:
        """Returns from the function."""
        pairs = zip(values, self.results, strict=True)
        self._add(m.Return(tuple(m.as_expr(value, type) for value, type in pairs)))

    def stop(self, function: m.Function | None = None, *arguments: m.Number) -> None:
        """Traps, after calling a function that records the reason."""
        told = () if function is None else checked_arguments(function, arguments)
        self._add(m.Stop(function, told))

    def _add(self, statement: m.Statement) -> None:
        self._open.append(statement)

    # ------------------------------------------------------------ control flow

    def if_(self, condition: m.Expr) -> Inside[None]:
        """Opens a body that is executed if a number is not 0."""
        made = m.If(condition)
        self._add(made)
        return Inside(self, made.then, None)

    def else_(self) -> Inside[None]:
        """Opens the alternative of the `if_` right before."""
        last = self._open[-1] if self._open else None
        if not isinstance(last, m.If) or last.otherwise:
            raise ValueError("else_ comes right behind an if_")
        return Inside(self, last.otherwise, None)

    def block(self) -> Inside[m.Label]:
        """Opens a block that can be exited."""
        made = m.Block(m.Label(self._unlike_others("block")))
        self._add(made)
        return Inside(self, made.body, made.label)

    def loop(self) -> Inside[m.Label]:
        """Opens a loop that repeats until it is exited."""
        made = m.Loop(m.Label(self._unlike_others("loop")))
        self._add(made)
        return Inside(self, made.body, made.label)

    def enter(self, body: m.Statements) -> None:
        """Starts building a nested body."""
        self._around.append(self._open)
        self._open = body

    def back(self) -> None:
        """Returns to the enclosing body."""
        self._open = self._around.pop()

    @contextmanager
    def while_(self, condition: m.Expr) -> Iterator[m.Label]:
        """Opens a loop with a condition, which is tested before each iteration."""
        with self.loop() as label:
            self.leave(label, m.not_(condition))
            yield label

    def leave(self, label: m.Label, when: m.Expr | None = None) -> None:
        """Branches behind a block or loop."""
        self._add(m.Leave(label, when))

    def again(self, label: m.Label, when: m.Expr | None = None) -> None:
        """Branches to the beginning of a loop."""
        self._add(m.Again(label, when))

    # ------------------------------------------------------------ loops

    @contextmanager
    def each_number(self, name: str, first: m.Number, end: m.Number) -> Iterator[m.Variable]:
        """Loops from a number up to, not including, another one, which is evaluated each time."""
        at = self.let(name, first)
        with self.while_(at < end):
            yield at
            self.add(at, 1)

    @contextmanager
    def down_to_0(self, left: m.Variable) -> Iterator[None]:
        """Loops as often as a variable says; the variable counts down and is decremented before
        each iteration."""
        with self.while_(left != 0):
            self.add(left, -1)
            yield

    @contextmanager
    def each_bit(
        self, member: str | m.Variable, mask: m.Expr, first: m.Number = 0
    ) -> Iterator[m.Variable]:
        """Loops over the set bits of a number, from the lowest; bit 0 is number `first`."""
        left = self.let("left", mask, m.I64)
        with self.while_(left != 0):
            at = self._into(member, left.lowest_bit() + first)
            self.set(left, left & left - 1)
            yield at

    @contextmanager
    def each_listed(self, member: str | m.Variable, listed: m.Expr) -> Iterator[m.Variable]:
        """Loops over the members of a list: words, of which the first is the number of members."""
        at = self.let("at", listed)
        end = self.let("end", at + (m.word(at) << 2))
        with self.while_(at != end):
            self.add(at, 4)
            yield self._into(member, m.word(at))

    @contextmanager
    def each_in_chain(
        self, member: str | m.Variable, first: m.Number, following: Column
    ) -> Iterator[m.Variable]:
        """Loops over a linked list until there is no next one (-1). The next one is read before the
        body is executed."""
        coming = self.let("coming", first)
        with self.while_(coming >= 0):
            found = self._into(member, coming)
            self.set(coming, following[found])
            yield found
