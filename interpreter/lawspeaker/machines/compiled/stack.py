"""Instructions of a stack machine, taken for the middle form.

What the rules become is partly still written instruction by instruction. Here each instruction
makes the form it stands for: what it would push is an expression that is held, what it would do is
a statement. So all code is in the middle form, whichever way it was written, and both ways can be
taken in one function.

An expression that is held is worked out later than it was pushed. Before a statement that would
make it another one, it is given a name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.middle import forms
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    COMPARING,
    F64,
    I32,
    I64,
    Again,
    Binary,
    Call,
    Const,
    Expr,
    Global,
    If,
    Load,
    Loop,
    Select,
    Set,
    Statement,
    Statements,
    Type,
    Unary,
    Variable,
    given,
    not_,
    wrapped,
)
from lawspeaker.machines.middle.walk import changes, ends

_ALONE = frozenset(
    "eqz clz ctz popcnt wrap_i64 extend_i32_s extend_i32_u sqrt convert_i32_s convert_i32_u"
    " convert_i64_s".split()
)
_TYPES: dict[str, Type] = {"i32": I32, "i64": I64, "f64": F64}
_BYTES = {"load8_s": 1, "load8_u": 1, "load16_s": 2, "load16_u": 2, "store8": 1, "store16": 2}


class Label:
    """A block or loop, and what it leaves behind."""

    __slots__ = ("again", "form", "result")

    def __init__(self, form: forms.Label, result: Variable | None = None, *, again: bool = False):
        self.form = form
        self.result = result
        self.again = again


NOWHERE = Label(forms.Label("nowhere"))
"""Stands for a label that is not there yet."""


class Held(Body):
    """A body beside which expressions are held that are worked out later."""

    def __init__(self, results: Sequence[Type] = ()) -> None:
        super().__init__(results)
        self.held: list[Expr] = []
        self.length = 0  # how many statements there are
        self.taken = 0  # how often room was taken in the arena
        self._heights: list[int] = []  # so many were held where each inside began

    def _add(self, statement: Statement) -> None:
        if self.held:
            self._let_what_changes(statement)
        self.length += 1
        self._open.append(statement)

    def enter(self, body: Statements) -> None:
        self._heights.append(len(self.held))
        super().enter(body)

    def back(self) -> None:
        self._heights.pop()
        super().back()

    def _let_what_changes(self, statement: Statement) -> None:
        for at, held in enumerate(self.held):
            if type(held) is not Const and changes(statement, held):
                name = Variable(held.type, self._unlike_others("held"))
                level = bisect_right(self._heights, at)
                if level == len(self._heights):
                    self._open.append(Set(name, held))
                else:
                    outer = self._around[level]
                    outer.insert(len(outer) - 1, Set(name, held))
                self.held[at] = name

    def otherwise(self) -> None:
        """What comes now is done if the condition around it does not hold."""
        around = self._around[-1][-1]
        assert isinstance(around, If)
        self._open = around.otherwise

    def once(self, label: forms.Label) -> None:
        """The end of the body of a loop that is not begun again here."""
        match self._open[-1] if self._open else None:
            case Again(label=own, when=when) if own is label:
                self._open.pop()
                if when is not None:
                    self.leave(label, not_(when))
            case _ if not ends(self._open):
                self.leave(label)

    # ------------------------------------------------------------ trying

    def mark(self) -> Mark:
        """How much is written."""
        return Mark(self)

    def loops_since(self, mark: Mark) -> bool:
        """Whether this is inside a loop that was begun after a mark."""
        return any(isinstance(body[-1], Loop) for body in self._around[mark.depth :])


class Mark:
    """What was written up to some point."""

    def __init__(self, f: Held) -> None:
        self._f = f
        self._open = f._open
        self._length = len(f._open)
        self._held = list(f.held)
        self.depth = len(f._around)

    @property
    def since(self) -> Statements:
        """What was written since."""
        return self._open[self._length :]

    def undo(self) -> None:
        """Takes it back."""
        del self._open[self._length :]
        self._f.held[:] = self._held


class Stack:
    """A function that is written as a stack machine reads it."""

    def __init__(self, function: Function) -> None:
        self.f = Held(function.results)
        self.held = self.f.held
        self._arms: list[tuple[int, Variable | None]] = []
        self.given = [
            self.f.parameter(f"given{at}", type) for at, type in enumerate(function.parameters)
        ]

    def finish(self) -> None:
        """What is held at the end is given back."""
        if self.held:
            self.f.return_(*self._popped(len(self.f.results)))

    def local(self, type: Type = I32) -> Variable:
        """A new variable."""
        return self.f.variable("local", type)

    def push(self, value: Expr) -> None:
        self.held.append(value)

    def pop(self) -> Expr:
        return self.held.pop()

    def _popped(self, count: int) -> tuple[Expr, ...]:
        values = tuple(self.held[len(self.held) - count :])
        del self.held[len(self.held) - count :]
        return values

    # ------------------------------------------------------------ instructions

    def op(self, *names: str) -> None:
        held = self.held
        for name in names:
            of, _, operation = name.partition(".")
            if not operation:
                self._plain(name)
            elif operation in _ALONE:
                held[-1] = Unary(I32 if operation == "eqz" else _TYPES[of], operation, held[-1])
            else:
                right = held.pop()
                type = I32 if operation in COMPARING else _TYPES[of]
                held[-1] = Binary(type, operation, held[-1], right)

    def _plain(self, name: str) -> None:
        match name:
            case "drop":
                self.held.pop()
            case "select":
                one, other, condition = self._popped(3)
                self.push(Select(one.type, condition, one, other))
            case "return":
                self.f.return_(*self._popped(len(self.f.results)))
            case "unreachable":
                self.f.stop()
            case _:
                raise ValueError(name)

    def const(self, value: int) -> None:
        self.held.append(Const(I32, wrapped(value, I32)))

    def long(self, value: int) -> None:
        self.held.append(Const(I64, wrapped(value, I64)))

    def get(self, variable: Variable | Global) -> None:
        self.held.append(variable)

    def set(self, variable: Variable | Global) -> None:
        self.f.set(variable, self.held.pop())

    def tee(self, variable: Variable) -> None:
        self.f.set(variable, self.held.pop())
        self.held.append(variable)

    def load(self, offset: int = 0, kind: str = "i32.load") -> None:
        """Reads what is at the address on the stack plus the offset."""
        of, _, operation = kind.partition(".")
        bytes = _BYTES.get(operation, 4 if of == "i32" else 8)
        signed = not operation.endswith("_u")
        self.held[-1] = Load(_TYPES[of], bytes, self.held[-1], offset, "", signed)

    def store(self, offset: int = 0, kind: str = "i32.store") -> None:
        of, _, operation = kind.partition(".")
        bytes = _BYTES.get(operation, 4 if of == "i32" else 8)
        value = self.held.pop()
        self.f.set(Load(_TYPES[of], bytes, self.held.pop(), offset), value)

    def copy(self) -> None:
        """To, from and how many bytes are on the stack."""
        self.f.copy(*self._popped(3))

    def call(self, function: Function) -> None:
        arguments = given(function, self._popped(len(function.parameters)))
        match function.results:
            case ():
                self.f.do(function, *arguments)
            case (type,):
                self.push(self.f.let(function.name, Call(type, function, arguments)))
            case _:
                self.held += self.f.all_of(function, *arguments)

    # ------------------------------------------------------------ ways through it

    def br(self, label: Label) -> None:
        if label.result is not None:
            self.f.set(label.result, self.held.pop())
        self.go(label)

    def br_if(self, label: Label) -> None:
        self.go(label, self.held.pop())

    def go(self, label: Label, when: Expr | None = None) -> None:
        """Goes to a label, if a condition holds or none is asked."""
        (self.f.again if label.again else self.f.leave)(label.form, when)

    @contextmanager
    def block(self, result: Type | None = None) -> Iterator[Label]:
        """A branch to its label leaves it."""
        kept, height = self._result(result), len(self.held)
        with self.f.block() as label:
            yield Label(label, kept)
            self._end(height, kept)
        if kept is not None:
            self.push(kept)

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """A branch to its label begins it again."""
        height = len(self.held)
        with self.f.loop() as label:
            yield Label(label, again=True)
            self._end(height, None)
            self.f.once(label)

    @contextmanager
    def if_(self, result: Type | None = None) -> Iterator[None]:
        """Done when what is on the stack is not zero."""
        condition, kept = self.held.pop(), self._result(result)
        height = len(self.held)
        with self.f.if_(condition):
            self._arms.append((height, kept))
            yield
            self._arms.pop()
            self._end(height, kept)
        if kept is not None:
            self.push(kept)

    def else_(self) -> None:
        """From here on it is done when it is zero."""
        self._end(*self._arms[-1])
        self.f.otherwise()

    def _result(self, type: Type | None) -> Variable | None:
        return None if type is None else self.local(type)

    def _end(self, height: int, result: Variable | None) -> None:
        """The end of something that leaves a result, if it is reached."""
        if result is not None and len(self.held) > height:
            self.f.set(result, self.held.pop())
        del self.held[height:]
