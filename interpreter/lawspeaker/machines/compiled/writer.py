"""The middle form as instructions of WebAssembly.

A variable is a local of the function, an expression is pushed from left to right, blocks and loops
are those of WebAssembly. Before that the form is simplified (`folding`, `forwarding`). A variable
that is set and read at once is read from the stack (`local.tee`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lawspeaker.machines.compiled import binary
from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.folding import fold, folded
from lawspeaker.machines.middle.forms import (
    I32,
    Again,
    Binary,
    Block,
    Call,
    Clear,
    Const,
    Copy,
    Do,
    Either,
    Expr,
    Global,
    If,
    Label,
    Leave,
    Load,
    Loop,
    Return,
    Select,
    Set,
    Statement,
    Statements,
    Stop,
    Store,
    Unary,
    Variable,
    not_,
)
from lawspeaker.machines.middle.forwarding import forwarded
from lawspeaker.machines.middle.walk import ends, leaves

PASSES: tuple[Callable[[Statements], Statements], ...] = (folded, forwarded)
_LOADING = {(I32, 1): "load8_s", (I32, 2): "load16_s"}
_STORING = {(I32, 1): "store8", (I32, 2): "store16"}


def simplified(body: Statements) -> Statements:
    """A body as it is written."""
    for each in PASSES:
        body = each(body)
    return body


def write(body: Body, b: Function) -> None:
    """Writes a whole function."""
    statements = simplified(body.statements)
    last = statements[-1] if statements else None
    writer = _Writer(b)
    if isinstance(last, Return):
        writer.all(statements[:-1])
        writer.several(last.values)
        return
    writer.all(statements)
    if b.results:
        if not ends(statements):
            raise ValueError(f"{b.name} does not always return")
        b.op("unreachable")  # it has returned before


@contextmanager
def inside(b: Function) -> Iterator[Body]:
    """A part of a function that is otherwise written instruction by instruction. Its variables may
    be read in a later part."""
    body = Body()
    yield body
    _Writer(b).all(folded(body.statements))


def push(b: Function, expr: Expr) -> None:
    """Leaves the value of an expression on the stack of such a function."""
    _Writer(b).push(fold(expr))


class _Writer:
    def __init__(self, b: Function) -> None:
        self.b = b
        self.start = len(b.body)
        self.done: set[Call] = set()
        self.behind: dict[Label, binary.Label] = {}
        self.before: dict[Label, binary.Label] = {}

    # ------------------------------------------------------------ statements

    def all(self, statements: Statements) -> None:
        for each in statements:
            self._statement(each)

    def _statement(self, statement: Statement) -> None:
        b = self.b
        match statement:
            case Set(target=Global() as target, value=value):
                self.push(value)
                b.set(target)
            case Set(target=Variable() as target, value=value):
                self.push(value)
                b.set(self._local(target))
            case Store(target=target, value=value):
                self.several((target.address, value))
                name = _STORING.get((target.type, target.bytes), "store")
                b.store(target.offset, f"{target.type}.{name}")
            case Do(function=function, arguments=arguments):
                self._call(function, arguments)
                b.op(*("drop" for _ in function.results))
            case If(condition=condition, then=then, otherwise=otherwise):
                self.push(condition)
                with b.if_():
                    self.all(then)
                    if otherwise:
                        b.else_()
                        self.all(otherwise)
            case Block(label=label, body=body):
                with b.block() as self.behind[label]:
                    self.all(body)
            case Loop():
                self._loop(statement)
            case Leave(label=label, when=when):
                self._go(self.behind[label], when)
            case Again(label=label, when=when):
                self._go(self.before[label], when)
            case Return(values=values):
                self.several(values)
                b.op("return")
            case Copy(to=to, source=source, size=size):
                self.several((to, source, size))
                b.copy()
            case Clear(at=at, size=size):
                self.several((at, Const(I32, 0), size))
                b.fill()
            case Stop():
                b.op("unreachable")
            case _:
                raise TypeError(type(statement).__name__)

    def _loop(self, loop: Loop) -> None:
        """A condition at the end of a loop asks whether to go on, so that leaving it is no jump."""
        body, last = loop.body, loop.body[-1] if loop.body else None
        asks = isinstance(last, Leave) and last.label is loop.label
        if asks:
            body = body[:-1]
        if not leaves(body, loop.label):
            self._again(loop, body, last if asks else None)
            return
        with self.b.block() as self.behind[loop.label]:
            self._again(loop, body, last if asks else None)

    def _again(self, loop: Loop, body: Statements, last: Statement | None) -> None:
        with self.b.loop() as self.before[loop.label]:
            self.all(body)
            if last is None:
                if not ends(body):
                    self.b.br(self.before[loop.label])
            elif isinstance(last, Leave) and last.when is not None:
                self._go(self.before[loop.label], fold(not_(last.when)))

    def _go(self, label: binary.Label, when: Expr | None) -> None:
        if when is None:
            self.b.br(label)
        else:
            self.push(when)
            self.b.br_if(label)

    # ------------------------------------------------------------ expressions

    def several(self, values: tuple[Expr, ...]) -> None:
        for each in values:
            self.push(each)

    def push(self, expr: Expr) -> None:
        """Leaves a value on the stack."""
        b = self.b
        match expr:
            case Const(type=type, value=value):
                self._const(type, value)
            case Variable():
                self._get(self._local(expr))
            case Global():
                b.get(expr)
            case Unary(operation=operation, operand=operand):
                self.push(operand)
                b.op(f"{operand.type if operation == 'eqz' else expr.type}.{operation}")
            case Binary(operation=operation, left=left, right=right):
                self.several((left, right))
                b.op(f"{left.type}.{operation}")
            case Load(type=type, bytes=bytes, address=address, offset=offset):
                self.push(address)
                b.load(offset, f"{type}.{_LOADING.get((type, bytes), 'load')}")
            case Select(condition=condition, one=one, other=other):
                self.several((one, other, condition))
                b.op("select")
            case Either(type=type, condition=condition, one=one, other=other):
                self.push(condition)
                with b.if_(type):
                    self.push(one)
                    b.else_()
                    self.push(other)
            case Call(function=function, arguments=arguments):
                if expr in self.done:
                    raise ValueError(f"{function.name} is called in two places: let it be one")
                self.done.add(expr)
                self._call(function, arguments)
            case _:
                raise TypeError(expr)

    def _call(self, function: object, arguments: tuple[Expr, ...]) -> None:
        assert isinstance(function, Function)
        self.several(arguments)
        self.b.call(function)

    def _const(self, type: str, value: float) -> None:
        match type, value:
            case "f64", _:
                self.b.real(float(value))
            case "i64", int():
                self.b.long(value)
            case _, int():
                self.b.const(value)

    def _local(self, variable: Variable) -> int:
        if variable.number is not None:
            return variable.number
        if variable not in self.b.variables:
            self.b.variables[variable] = self.b.local(variable.type)
        return self.b.variables[variable]

    def _get(self, local: int) -> None:
        body = self.b.body
        if len(body) > self.start and body[-1] == ("local.set", local):
            body[-1] = ("local.tee", local)
        else:
            self.b.get(local)
