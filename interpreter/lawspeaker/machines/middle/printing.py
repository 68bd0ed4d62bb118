"""A function in the middle form as text.

    together(one: i64, other: i64) -> i32
      left = one & other
      found = 0
      loop:
        leave loop if left == 0
        left = left & (left - 1)
        found = found + 1
      return found

What lies in memory is written `word[address + offset]`; `byte`, `half`, `long` and `real` are the
other sizes. Of a column with a name the number of the entry is told: `state.where[piece]`. A sign
that takes numbers without their sign ends in u.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawspeaker.machines.middle.forms import (
    BITS,
    F64,
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
    Unary,
    Variable,
)

_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "div_u": "//", "rem_u": "%", "and": "&",
    "or": "|", "xor": "^", "shl": "<<", "shr_u": ">>", "eq": "==", "ne": "!=", "lt": "<",
    "lt_s": "<", "le": "<=", "le_s": "<=", "gt": ">", "gt_s": ">", "ge": ">=", "ge_s": ">=",
    "max": "max", "lt_u": "<u", "le_u": "<=u", "gt_u": ">u", "ge_u": ">=u", "div_s": "//s",
    "rem_s": "%s",
}  # fmt: skip
_SIZES = {1: "byte", 2: "half", 4: "word", 8: "long"}
_LARGE = 10_000


def printed(function: Function) -> str:
    """A whole function."""
    given = ", ".join(f"{each.name}: {each.type}" for each in function.given)
    back = f" -> {', '.join(function.results)}" if function.results else ""
    return "\n".join((f"{function.name}({given}){back}", *_indented(function.body))) + "\n"


def _indented(body: Statements) -> Iterator[str]:
    for each in body:
        for line in _lines(each):
            yield f"  {line}"


def _lines(statement: Statement) -> Iterator[str]:
    match statement:
        case Set(target=target, value=value):
            yield f"{_name(target)} = {written(value)}"
        case Store(target=target, value=value):
            yield f"{written(target)} = {written(value)}"
        case Do(function=function, arguments=arguments, into=into):
            back = f"{_several(into)} = " if into else ""
            yield f"{back}{function.name}({_several(arguments)})"
        case If(condition=condition, then=then, otherwise=otherwise):
            yield f"if {written(condition)}:"
            yield from _indented(then)
            if otherwise:
                yield "else:"
                yield from _indented(otherwise)
        case Block(label=label, body=body) | Loop(label=label, body=body):
            yield f"{label.name}:"
            yield from _indented(body)
        case Leave(label=label, when=when) | Again(label=label, when=when):
            verb = "leave" if isinstance(statement, Leave) else "again"
            yield f"{verb} {label.name}" + ("" if when is None else f" if {written(when)}")
        case Return(values=values):
            yield f"return {_several(values)}".rstrip()
        case Copy(to=to, source=source, size=size):
            yield f"copy to {written(to)} from {written(source)}: {written(size)}"
        case Clear(at=at, size=size):
            yield f"clear {written(at)}: {written(size)}"
        case Stop(function=None):
            yield "stop"
        case Stop(function=function, arguments=arguments):
            assert function is not None
            yield f"stop: {function.name}({_several(arguments)})"
        case _:
            raise TypeError(type(statement).__name__)


def _name(target: Variable | Global) -> str:
    return f"${target.name}" if isinstance(target, Global) else target.name


def _several(values: Iterable[Expr]) -> str:
    return ", ".join(map(written, values))


def written(expr: Expr) -> str:
    """An expression as text."""
    match expr:
        case Const(value=int() as value) if abs(value) > _LARGE:
            return hex(value % (1 << BITS[expr.type]))
        case Const(value=value):
            return str(value)
        case Variable() | Global():
            return _name(expr)
        case Unary(operation="eqz", operand=operand):
            return f"not {_inner(operand)}"
        case Unary(operation=operation, operand=operand):
            return f"{operation}({written(operand)})"
        case Binary(operation="add", left=left, right=Const(value=less)) if -_LARGE <= less < 0:
            return f"{_inner(left)} - {-less}"
        case Binary(operation="xor", left=left, right=Const(value=-1)):
            return f"~{_inner(left)}"
        case Binary(operation=operation, left=left, right=right):
            return f"{_inner(left)} {_SIGNS[operation]} {_inner(right)}"
        case Load(address=address, column=column) if column and not isinstance(address, Const):
            return f"{column}[{_entry(address, expr.bytes)}]"
        case Load(address=address, offset=offset):
            size = "real" if expr.type == F64 else _SIZES[expr.bytes]
            if isinstance(address, Const) and not address.value:
                return f"{size}[{offset}]"
            return (
                f"{size}[{_inner(address)} + {offset}]" if offset else f"{size}[{written(address)}]"
            )
        case Select(condition=condition, one=one, other=other):
            return f"select({written(condition)}, {written(one)}, {written(other)})"
        case Either(condition=condition, one=one, other=other):
            return f"either({written(condition)}, {written(one)}, {written(other)})"
        case Call(function=function, arguments=arguments):
            return f"{function.name}({_several(arguments)})"
    raise TypeError(type(expr).__name__)


def _entry(address: Expr, bytes: int) -> str:
    """Which entry of a column lies so many bytes behind its beginning."""
    match address:
        case Binary(operation="mul", left=number, right=Const(value=by)) if by == bytes:
            return written(number)
        case Binary(operation="shl", left=number, right=Const(value=int() as by)):
            if 1 << by == bytes:
                return written(number)
    return written(address) if bytes == 1 else f"{written(address)} bytes"


def _inner(expr: Expr) -> str:
    """As a part of an operation."""
    several = isinstance(expr, Binary) or (isinstance(expr, Unary) and expr.operation == "eqz")
    return f"({written(expr)})" if several else written(expr)
