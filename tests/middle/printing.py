"""Prints a function in the middle form; `parsing` reads it back.

    together(one: i64, other: i64) -> i32
      column state.count: byte at 4096
      left = one & other
      found = 0
      loop:
        leave loop if left == 0l
        left = left & (left - 1l)
        found = found + state.count[found]
      return found

An i64 constant ends in l and an f64 has a point. So each expression has a type, and each variable
that of the first value assigned to it; one that is read earlier in the text is declared at the
beginning (`left: i64`). `x = f()` assigns an expression, `x, = f()` is a call with one result.

A memory location is `word[address + offset]`; `byte`, `half`, `long` and `real` are the other
sizes, and `ubyte` and `uhalf` are zero-extended. A named column is indexed by entry,
`state.where[piece]`; its size and address are declared at the beginning of the function. A column
with two addresses is declared twice, then as `state.where+4`. With a constant address it is
`word[4100 of state.where]`. An unsigned operator ends in u. Of two nodes that would look alike the
rare one has one more bracket: `a - 1` adds -1, and `a - (1)` subtracts 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lawspeaker.machines.middle.forms import (
    BITS,
    F64,
    I32,
    I64,
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
    Function,
    Global,
    If,
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
    Type,
    Unary,
    Variable,
)
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import bodies, expressions

SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "div_u": "//", "rem_u": "%", "and": "&",
    "or": "|", "xor": "^", "shl": "<<", "shr_u": ">>", "eq": "==", "ne": "!=", "lt": "<",
    "lt_s": "<", "le": "<=", "le_s": "<=", "gt": ">", "gt_s": ">", "ge": ">=", "ge_s": ">=",
    "max": "max", "lt_u": "<u", "le_u": "<=u", "gt_u": ">u", "ge_u": ">=u", "div_s": "//s",
    "rem_s": "%s",
}  # fmt: skip
SIZES: dict[str, tuple[Type, int, bool]] = {
    "byte": (I32, 1, True),
    "half": (I32, 2, True),
    "ubyte": (I32, 1, False),
    "uhalf": (I32, 2, False),
    "word": (I32, 4, True),
    "long": (I64, 8, True),
    "real": (F64, 8, True),
}
"""Access sizes: type, bytes, and whether the value is sign-extended."""
VERBS = frozenset("if leave again return stop copy clear else column".split())
_RESERVED = VERBS | {*SIZES, *"not max select either clz ctz popcnt sqrt inf nan".split()}
"""Keywords, which are quoted if used as names."""
_WORDS = {what: word for word, what in SIZES.items()}
_PLAIN = re.compile(r"[^\W\d][\w.]*")
_LARGE = 10_000


def function_text(function: Function) -> str:
    """Prints a whole function."""
    given = ", ".join(f"{name_of(each)}: {each.type}" for each in function.given)
    back = f" -> {', '.join(function.results)}" if function.results else ""
    text = _Text()
    lines = [*text.indented(function.body)]
    declared = [f"  {each}" for each in (*text.columns(), *_read_above(function))]
    return "\n".join((f"{quoted(function.name)}({given}){back}", *declared, *lines)) + "\n"


def printed_module(module: Module) -> str:
    """Prints all globals and functions of a module, without its data. `door` precedes exported
    functions."""
    lines = [f"{name_of(each)}: {each.type} = {each.first}\n" for each in module.globals]
    doors = set(module.exports.values())
    functions = [
        ("door " if each in doors else "") + function_text(each) for each in module.functions
    ]
    return "\n".join(["".join(lines), *functions] if lines else functions)


def expression_text(expr: Expr) -> str:
    """Prints an expression."""
    return _Text().written(expr)


def name_of(variable: Variable | Global) -> str:
    """Returns the printed name of a variable."""
    name = quoted(variable.name)
    return f"${name}" if isinstance(variable, Global) else name


def quoted(name: str) -> str:
    """Returns a name as one token."""
    plain = _PLAIN.fullmatch(name) and name not in _RESERVED
    return name if plain else f"`{name}`"


def _read_above(function: Function) -> Iterator[str]:
    """Yields the declarations of variables that are read earlier in the text than they are set."""
    known = set(function.given)
    declared: dict[Variable, None] = {}

    def look(body: Statements) -> None:
        for each in body:
            for part in expressions(each):
                if isinstance(part, Variable) and part not in known:
                    declared[part] = None
            match each:
                case Set(target=Variable() as target):
                    known.add(target)
                case Do(into=into):
                    known.update(into)
            for inner in bodies(each):
                look(inner)

    look(function.body)
    return (f"{name_of(each)}: {each.type}" for each in sorted(declared, key=lambda it: it.name))


class _Text:
    """Printer of one function; collects the columns used."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str, int], str] = {}

    # ------------------------------------------------------------ columns

    def columns(self) -> Iterator[str]:
        """Yields the declarations of all printed columns."""
        for (_, size, offset), called in self._columns.items():
            yield f"column {called}: {size} at {offset}"

    def _column(self, place: Load) -> str:
        """Returns the printed name of a column."""
        key = (place.column, _size(place), place.offset)
        if key not in self._columns:
            called = quoted(place.column)
            first = next((at for name, _, at in self._columns if name == place.column), None)
            if first is not None:
                called += f"+{place.offset - first}"
            if called in self._columns.values():
                called += f".{key[1]}"
            self._columns[key] = called
        return self._columns[key]

    # ------------------------------------------------------------ statements

    def indented(self, body: Statements) -> Iterator[str]:
        for each in body:
            for line in self._lines(each):
                yield f"  {line}"

    def _lines(self, statement: Statement) -> Iterator[str]:
        written = self.written
        match statement:
            case Set(target=target, value=value):
                yield f"{name_of(target)} = {written(value)}"
            case Store(target=target, value=value):
                yield f"{written(target)} = {written(value)}"
            case Do(function=function, arguments=arguments, into=into):
                comma = "," if len(into) == 1 else ""
                back = f"{self._several(into)}{comma} = " if into else ""
                yield f"{back}{self._call(function, arguments)}"
            case If(condition=condition, then=then, otherwise=otherwise):
                yield f"if {written(condition)}:"
                yield from self.indented(then)
                if otherwise:
                    yield "else:"
                    yield from self.indented(otherwise)
            case Block(label=label, body=body) | Loop(label=label, body=body):
                assert isinstance(statement, Loop) == label.name.startswith("loop")
                yield f"{label.name}:"
                yield from self.indented(body)
            case Leave(label=label, when=when) | Again(label=label, when=when):
                verb = "leave" if isinstance(statement, Leave) else "again"
                yield f"{verb} {label.name}" + ("" if when is None else f" if {written(when)}")
            case Return(values=values):
                yield f"return {self._several(values)}".rstrip()
            case Copy(to=to, source=source, size=size):
                yield f"copy to {written(to)} from {written(source)}: {written(size)}"
            case Clear(at=at, size=size):
                yield f"clear {written(at)}: {written(size)}"
            case Stop(function=None):
                yield "stop"
            case Stop(function=function, arguments=arguments):
                assert function is not None
                yield f"stop: {self._call(function, arguments)}"
            case _:
                raise TypeError(type(statement).__name__)

    def _call(self, function: Function, arguments: Iterable[Expr]) -> str:
        return f"{quoted(function.name)}({self._several(arguments)})"

    def _several(self, values: Iterable[Expr]) -> str:
        return ", ".join(map(self.written, values))

    # ------------------------------------------------------------ expressions

    def written(self, expr: Expr) -> str:
        """Prints an expression."""
        match expr:
            case Const():
                return _number(expr)
            case Variable() | Global():
                return name_of(expr)
            case Unary(operation="eqz", operand=operand):
                return f"not {self._inner(operand)}"
            case Unary(operation=operation, operand=operand):
                return f"{operation}({self.written(operand)})"
            case Binary(operation="xor", left=left, right=Const(value=-1)):
                return f"~{self._inner(left)}"
            case Binary(operation=operation, left=left, right=right):
                return f"{self._inner(left)} {self._with(operation, right)}"
            case Load():
                return self._load(expr)
            case Select(condition=condition, one=one, other=other):
                return f"select({self._several((condition, one, other))})"
            case Either(condition=condition, one=one, other=other):
                return f"either({self._several((condition, one, other))})"
            case Call(function=function, arguments=arguments):
                return self._call(function, arguments)
        raise TypeError(type(expr).__name__)

    def _with(self, operation: str, right: Expr) -> str:
        """Prints an operator and its right operand."""
        if isinstance(right, Const) and right.type != F64:
            if operation == "sub":
                return f"- ({_number(right)})"
            if operation == "add" and -_LARGE <= right.value < 0:
                return f"- {_number(Const(right.type, -right.value))}"
        return f"{SIGNS[operation]} {self._inner(right)}"

    def _inner(self, expr: Expr) -> str:
        """Prints an operand, in brackets if needed."""
        several = isinstance(expr, Binary) or (isinstance(expr, Unary) and expr.operation == "eqz")
        return f"({self.written(expr)})" if several else self.written(expr)

    def _load(self, place: Load) -> str:
        address, offset = place.address, place.offset
        if isinstance(address, Const) and not address.value:
            column = f" of {quoted(place.column)}" if place.column else ""
            return f"{_size(place)}[{offset}{column}]"
        if place.column:
            return f"{self._column(place)}[{self._entry(address, place.bytes)}]"
        if offset:
            return f"{_size(place)}[{self._inner(address)} + {offset}]"
        match address:
            case Const() | Binary(operation="add", right=Const()):
                return f"{_size(place)}[({self.written(address)})]"
        return f"{_size(place)}[{self.written(address)}]"

    def _entry(self, address: Expr, bytes: int) -> str:
        """Prints the index of the entry at a byte offset in a column."""
        match address:
            case Binary(operation="shl", left=number, right=Const(value=int() as by)):
                if 1 << by == bytes:
                    return self.written(number)
        return self.written(address) if bytes == 1 else f"{self.written(address)} bytes"


def _size(place: Load) -> str:
    return _WORDS[place.type, place.bytes, place.signed]


def _number(number: Const) -> str:
    value = number.value
    if isinstance(value, float):
        return repr(value)
    digits = hex(value % (1 << BITS[number.type])) if abs(value) > _LARGE else str(value)
    return digits + ("l" if number.type == I64 else "")
