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

from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Again,
    Block,
    Clear,
    Copy,
    Do,
    Expr,
    Function,
    Global,
    If,
    Label,
    Leave,
    Load,
    Loop,
    Number,
    Return,
    Set,
    Statement,
    Statements,
    Stop,
    Store,
    Type,
    Variable,
    as_expr,
    given,
    not_,
    word,
)

Target = Variable | Global | Load


class Column(Protocol):
    """Protocol for a table indexed by numbers."""

    def __getitem__(self, number: Expr) -> Expr: ...


_Given = TypeVar("_Given")


class Inside(Generic[_Given]):
    """Context manager of a statement's body: code built meanwhile goes there."""

    __slots__ = ("_body", "_f", "_given")

    def __init__(self, f: Body, body: Statements, given: _Given) -> None:
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

    def __init__(self, results: Sequence[Type] = ()) -> None:
        self.parameters: list[Variable] = []
        self.results = tuple(results)
        self.statements: Statements = []
        self._open = self.statements
        self._around: list[Statements] = []
        self._names: dict[str, int] = {}

    # ------------------------------------------------------------ names

    def parameter(self, name: str, type: Type) -> Variable:
        """Declares the next parameter."""
        made = Variable(type, self._unlike_others(name), len(self.parameters))
        self.parameters.append(made)
        return made

    def variable(self, name: str, type: Type = I32) -> Variable:
        """Returns a new variable, which is assigned later."""
        return Variable(type, self._unlike_others(name))

    def let(self, name: str, value: Number, type: Type = I32) -> Variable:
        """Returns a new variable with a value; `type` is that of a Python number."""
        first = as_expr(value, type)
        made = Variable(first.type, self._unlike_others(name))
        self._add(Set(made, first))
        return made

    def _into(self, member: str | Variable, value: Expr) -> Variable:
        """Assigns a value to a variable, or to a new one of this name."""
        if isinstance(member, str):
            return self.let(member, value)
        self.set(member, value)
        return member

    def _unlike_others(self, name: str) -> str:
        self._names[name] = self._names.get(name, 0) + 1
        return name if self._names[name] == 1 else f"{name}.{self._names[name]}"

    # ------------------------------------------------------------ statements

    def set(self, target: Target, value: Number) -> None:
        """Assigns a value to a variable or a memory location."""
        new = as_expr(value, target.type)
        if new.type != target.type:
            raise TypeError(f"{new.type} for a place of {target.type}")
        self._add(Store(target, new) if isinstance(target, Load) else Set(target, new))

    def add(self, target: Target, value: Number) -> None:
        """Adds to a variable or a memory location."""
        self.set(target, target + value)

    def do(self, function: Function, *arguments: Number, into: Sequence[Variable] = ()) -> None:
        """Calls a function; its results go into variables, or are dropped."""
        self._add(Do(function, given(function, arguments), tuple(into)))

    def all_of(self, function: Function, *arguments: Number) -> tuple[Variable, ...]:
        """Calls a function and returns all its results."""
        into = tuple(self.variable(function.name, type) for type in function.results)
        self.do(function, *arguments, into=into)
        return into

    def copy(self, to: Number, source: Number, size: Number) -> None:
        """Copies `size` bytes."""
        self._add(Copy(as_expr(to, I32), as_expr(source, I32), as_expr(size, I32)))

    def clear(self, at: Number, size: Number) -> None:
        """Sets `size` bytes to 0."""
        self._add(Clear(as_expr(at, I32), as_expr(size, I32)))

    def return_(self, *values: Number) -> None:
        """Returns from the function."""
        pairs = zip(values, self.results, strict=True)
        self._add(Return(tuple(as_expr(value, type) for value, type in pairs)))

    def stop(self, function: Function | None = None, *arguments: Number) -> None:
        """Traps, after calling a function that records the reason."""
        told = () if function is None else given(function, arguments)
        self._add(Stop(function, told))

    def _add(self, statement: Statement) -> None:
        self._open.append(statement)

    # ------------------------------------------------------------ control flow

    def if_(self, condition: Expr) -> Inside[None]:
        """Opens a body that is executed if a number is not 0."""
        made = If(condition)
        self._add(made)
        return Inside(self, made.then, None)

    def else_(self) -> Inside[None]:
        """Opens the alternative of the `if_` right before."""
        last = self._open[-1] if self._open else None
        if not isinstance(last, If) or last.otherwise:
            raise ValueError("else_ comes right behind an if_")
        return Inside(self, last.otherwise, None)

    def block(self) -> Inside[Label]:
        """Opens a block that can be exited."""
        made = Block(Label(self._unlike_others("block")))
        self._add(made)
        return Inside(self, made.body, made.label)

    def loop(self) -> Inside[Label]:
        """Opens a loop that repeats until it is exited."""
        made = Loop(Label(self._unlike_others("loop")))
        self._add(made)
        return Inside(self, made.body, made.label)

    def enter(self, body: Statements) -> None:
        """Starts building a nested body."""
        self._around.append(self._open)
        self._open = body

    def back(self) -> None:
        """Returns to the enclosing body."""
        self._open = self._around.pop()

    @contextmanager
    def while_(self, condition: Expr) -> Iterator[Label]:
        """Opens a loop with a condition, which is tested before each iteration."""
        with self.loop() as label:
            self.leave(label, not_(condition))
            yield label

    def leave(self, label: Label, when: Expr | None = None) -> None:
        """Branches behind a block or loop."""
        self._add(Leave(label, when))

    def again(self, label: Label, when: Expr | None = None) -> None:
        """Branches to the beginning of a loop."""
        self._add(Again(label, when))

    # ------------------------------------------------------------ loops

    @contextmanager
    def each_number(self, name: str, first: Number, end: Number) -> Iterator[Variable]:
        """Loops from a number up to, not including, another one, which is evaluated each time."""
        at = self.let(name, first)
        with self.while_(at < end):
            yield at
            self.add(at, 1)

    @contextmanager
    def down_to_0(self, left: Variable) -> Iterator[None]:
        """Loops as often as a variable says; the variable counts down and is decremented before
        each iteration."""
        with self.while_(left != 0):
            self.add(left, -1)
            yield

    @contextmanager
    def each_bit(self, member: str | Variable, mask: Expr, first: Number = 0) -> Iterator[Variable]:
        """Loops over the set bits of a number, from the lowest; bit 0 is number `first`."""
        left = self.let("left", mask, I64)
        with self.while_(left != 0):
            at = self._into(member, left.lowest_bit() + first)
            self.set(left, left & left - 1)
            yield at

    @contextmanager
    def each_listed(self, member: str | Variable, listed: Expr) -> Iterator[Variable]:
        """Loops over the members of a list: words, of which the first is the number of members."""
        at = self.let("at", listed)
        end = self.let("end", at + (word(at) << 2))
        with self.while_(at != end):
            self.add(at, 4)
            yield self._into(member, word(at))

    @contextmanager
    def each_in_chain(
        self, member: str | Variable, first: Number, following: Column
    ) -> Iterator[Variable]:
        """Loops over a linked list until there is no next one (-1). The next one is read before the
        body is executed."""
        coming = self.let("coming", first)
        with self.while_(coming >= 0):
            found = self._into(member, coming)
            self.set(coming, following[found])
            yield found
