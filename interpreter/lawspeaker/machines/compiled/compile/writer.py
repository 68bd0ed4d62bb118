"""Translates the middle form to WebAssembly instructions.

A variable is a local, an expression is pushed from left to right, blocks and loops map one to one.
A variable that is set and read at once stays on the stack (`local.tee`).
"""

from __future__ import annotations

from lawspeaker.machines.compiled.compile import binary
from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.folding import fold
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import ends, leaves

_LOADING = {
    (m.I32, 1, True): "load8_s",
    (m.I32, 2, True): "load16_s",
    (m.I32, 1, False): "load8_u",
    (m.I32, 2, False): "load16_u",
}
_STORING = {(m.I32, 1): "store8", (m.I32, 2): "store16"}


def written(module: Module) -> binary.Module:
    """Translates a whole module."""
    made = binary.Module()
    made.globals, made.data, made.bytes = module.globals, module.data, module.bytes
    functions = {
        each: made.function(each.name, each.parameters, each.results) for each in module.functions
    }
    made.exports = {name: functions[each] for name, each in module.exports.items()}
    for each, b in functions.items():
        _Writer(b, functions).function(each.body)
    return made


class _Writer:
    """Translator of one function."""

    def __init__(self, b: binary.Function, functions: dict[m.Function, binary.Function]) -> None:
        self.b = b
        self.functions = functions
        self.locals: dict[m.Variable, int] = {}
        self.done: set[m.Call] = set()
        self.behind: dict[m.Label, binary.Label] = {}
        self.before: dict[m.Label, binary.Label] = {}

    def function(self, body: m.Statements) -> None:
        """Translates the body of a function."""
        b, last = self.b, body[-1] if body else None
        if isinstance(last, m.Return):
            self.all(body[:-1])
            self.several(last.values)
            return
        self.all(body)
        if b.results:
            if not ends(body):
                raise ValueError(f"{b.name} does not always return")
            b.op("unreachable")  # unreachable: all paths return

    # ------------------------------------------------------------ statements

    def all(self, statements: m.Statements) -> None:
        for each in statements:
            self._statement(each)

    def _statement(self, statement: m.Statement) -> None:
        b = self.b
        if isinstance(statement, m.Set):
            self.push(statement.value)
            to = statement.target
            b.set(to if isinstance(to, m.Global) else self._local(to))
            return
        match statement:
            case m.Store(target=target, value=value):
                self.several((target.address, value))
                name = _STORING.get((target.type, target.bytes), "store")
                b.store(target.offset, f"{target.type}.{name}")
            case m.Do(function=function, arguments=arguments, into=()):
                self._call(function, arguments)
                b.op(*("drop" for _ in function.results))
            case m.Do(function=function, arguments=arguments, into=into):
                self._call(function, arguments)
                for each in reversed(into):
                    b.set(self._local(each))
            case m.If(condition=condition, then=then, otherwise=otherwise):
                self.push(condition)
                with b.if_():
                    self.all(then)
                    if otherwise:
                        b.else_()
                        self.all(otherwise)
            case m.Block(label=label, body=body):
                with b.block() as self.behind[label]:
                    self.all(body)
            case m.Loop():
                self._loop(statement)
            case m.Leave(label=label, when=when):
                self._go(self.behind[label], when)
            case m.Again(label=label, when=when):
                self._go(self.before[label], when)
            case m.Return(values=values):
                self.several(values)
                b.op("return")
            case m.Copy():
                self.several(statement.parts())
                b.copy()
            case m.Clear(at=at, size=size):
                self.several((at, m.Const(m.I32, 0), size))
                b.fill()
            case m.Stop(function=function, arguments=arguments):
                if function is not None:
                    self._call(function, arguments)
                b.op("unreachable")
            case _:
                raise TypeError(type(statement).__name__)

    def _loop(self, loop: m.Loop) -> None:
        """Translates a loop. A conditional exit at its end becomes a conditional branch to its
        start."""
        body, last = loop.body, loop.body[-1] if loop.body else None
        asks = isinstance(last, m.Leave) and last.label is loop.label
        if asks:
            body = body[:-1]
        if not leaves(body, loop.label):
            self._again(loop, body, last if asks else None)
            return
        with self.b.block() as self.behind[loop.label]:
            self._again(loop, body, last if asks else None)

    def _again(self, loop: m.Loop, body: m.Statements, last: m.Statement | None) -> None:
        with self.b.loop() as self.before[loop.label]:
            self.all(body)
            if last is None:
                if not ends(body):
                    self.b.br(self.before[loop.label])
            elif isinstance(last, m.Leave) and last.when is not None:
                self._go(self.before[loop.label], fold(m.not_(last.when)))

    def _go(self, label: binary.Label, when: m.Expr | None) -> None:
        if when is None:
            self.b.br(label)
        else:
            self.push(when)
            self.b.br_if(label)

    # ------------------------------------------------------------ expressions

    def several(self, values: tuple[m.Expr, ...]) -> None:
        for each in values:
            self.push(each)

    def push(self, expr: m.Expr) -> None:
        """Emits code that leaves a value on the stack."""
        put = self.b.body.append
        if isinstance(expr, m.Variable):
            self._get(self._local(expr))
        elif isinstance(expr, m.Const):
            put((f"{expr.type}.const", expr.value))
        elif isinstance(expr, m.Binary):
            self.push(expr.left)
            self.push(expr.right)
            put((f"{expr.left.type}.{expr.operation}", None))
        elif isinstance(expr, m.Load):
            self.push(expr.address)
            few = _LOADING.get((expr.type, expr.bytes, expr.signed), "load")
            put((f"{expr.type}.{few}", expr.offset))
        elif isinstance(expr, m.Unary):
            self.push(expr.operand)
            of = expr.operand if expr.operation == "eqz" else expr
            put((f"{of.type}.{expr.operation}", None))
        elif isinstance(expr, m.Global):
            put(("global.get", expr.index))
        elif isinstance(expr, m.Select):
            self.several(expr.parts())
            put(("select", None))
        elif isinstance(expr, m.Either):
            self.push(expr.condition)
            with self.b.if_(expr.type):
                self.push(expr.one)
                self.b.else_()
                self.push(expr.other)
        elif isinstance(expr, m.Call):
            if expr in self.done:
                raise ValueError(f"{expr.function.name} is called in two places: let it be one")
            self.done.add(expr)
            self._call(expr.function, expr.arguments)
        else:
            raise TypeError(expr)

    def _call(self, function: m.Function, arguments: tuple[m.Expr, ...]) -> None:
        self.several(arguments)
        self.b.call(self.functions[function])

    def _local(self, variable: m.Variable) -> int:
        if variable.number is not None:
            return variable.number
        if variable not in self.locals:
            self.locals[variable] = self.b.local(variable.type)
        return self.locals[variable]

    def _get(self, local: int) -> None:
        body = self.b.body
        if body and body[-1] == ("local.set", local):
            body[-1] = ("local.tee", local)
        else:
            self.b.get(local)
