"""Constant folding and algebraic simplification.

So `(at + 1) + 1` becomes `at + 2`, `at * 4` becomes `at << 2`, and `not (at < end)` becomes `at >=
end`; an `if` with a constant condition becomes one of its branches.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker.machines.middle.forms import (
    BITS,
    COMPARING,
    F64,
    I32,
    Again,
    Binary,
    Const,
    Either,
    Expr,
    If,
    Leave,
    Load,
    Select,
    Set,
    Statement,
    Statements,
    Store,
    Unary,
    Variable,
    const,
    not_,
    wrapped,
)
from lawspeaker.machines.middle.walk import ends, rebuilt, with_bodies

_OPPOSITE = {
    "eq": "ne", "ne": "eq", "lt_s": "ge_s", "ge_s": "lt_s", "gt_s": "le_s", "le_s": "gt_s",
    "lt_u": "ge_u", "ge_u": "lt_u", "gt_u": "le_u", "le_u": "gt_u",
}  # fmt: skip
_NEUTRAL = {"add": 0, "or": 0, "xor": 0, "shl": 0, "shr_u": 0, "mul": 1, "div_u": 1}
"""Right operands for which an operation is the identity."""
_EITHER_WAY = ("add", "mul", "and", "or", "xor")
_KNOWN = (Variable, Const)
_SMALL = ("clz", "ctz", "popcnt")


def folded(body: Statements) -> Statements:
    """Folds a body, and removes unreachable statements."""
    found: Statements = []
    for each in body:
        if isinstance(each, Set):
            value = fold(each.value)
            found.append(each if value is each.value else Set(each.target, value))
            continue
        found += decided(with_bodies(rebuilt(each, fold), folded))
        if ends(found):
            break
    return found


def decided(statement: Statement) -> Statements:
    """Simplifies a statement whose expressions are folded."""
    match statement:
        case If(condition=asked, then=then, otherwise=otherwise):
            asked = _as_condition(asked)
            if isinstance(asked, Const):
                return then if asked.value else otherwise
            if not then and otherwise:
                return [If(_as_condition(fold(not_(asked))), otherwise)]
            return [statement if asked is statement.condition else If(asked, then, otherwise)]
        case Store(target=Load(address=Const(value=int() as at)) as target) if at > 0:
            return [replace(statement, target=_at(target, at))]
        case Leave(when=Expr() as when) | Again(when=Expr() as when):
            asked = _as_condition(when)
            if isinstance(asked, Const):
                return [replace(statement, when=None)] if asked.value else []
            return [statement if asked is when else replace(statement, when=asked)]
    return [statement]


def _as_condition(asked: Expr) -> Expr:
    """Simplifies a condition, of which only matters whether it is 0."""
    if isinstance(asked, Binary) and asked.operation == "ne" and asked.left.type == I32:
        match asked.right:
            case Const(value=0):
                return asked.left
    return asked


def fold(expr: Expr) -> Expr:
    """Folds an expression."""
    if isinstance(expr, _KNOWN):
        return expr
    if isinstance(expr, Binary):
        left, right = fold(expr.left), fold(expr.right)
        if left is not expr.left or right is not expr.right:
            expr = Binary(expr.type, expr.operation, left, right)
        known = isinstance(left, Const) or isinstance(right, Const)
        return _binary(expr) if known and left.type != F64 else expr
    expr = rebuilt(expr, fold)
    if isinstance(expr, Load):
        at = expr.address
        return _at(expr, int(at.value)) if isinstance(at, Const) and at.value > 0 else expr
    if isinstance(expr, Unary):
        return _unary(expr)
    if isinstance(expr, Select | Either):
        asked = _as_condition(expr.condition)
        if isinstance(asked, Const):
            return expr.one if asked.value else expr.other
        return expr if asked is expr.condition else replace(expr, condition=asked)
    return expr


def _unary(expr: Unary) -> Expr:
    match expr:
        case Unary(operation="eqz", operand=operand):
            return _not(expr, operand)
        case Unary(operation="extend_i32_u", operand=Const(value=int() as value)):
            return const(value % (1 << 32), expr.type)
        case Unary(operation="extend_i32_s" | "wrap_i64", operand=Const(value=int() as value)):
            return Const(expr.type, wrapped(value, expr.type))
        case Unary(operation=small, operand=Const(value=int() as value)) if small in _SMALL:
            return const(_bits(small, value, BITS[expr.type]), expr.type)
        case Unary(
            operation="extend_i32_u",
            operand=Unary(operation="wrap_i64", operand=Unary(operation=small) as inner),
        ) if small in _SMALL:
            return inner
    return expr


def _at(place: Load, address: int) -> Load:
    """Moves a constant address into the offset."""
    return replace(place, address=const(0), offset=place.offset + address)


def _not(expr: Expr, operand: Expr) -> Expr:
    match operand:
        case Const(value=value):
            return const(int(not value))
        case Binary(operation=operation, left=left) if operation in _OPPOSITE and left.type != F64:
            return _binary(Binary(I32, _OPPOSITE[operation], left, operand.right))
        case Unary(operation="eqz", operand=Expr(type="i32") as inner):
            return fold(inner != 0)
    return expr


def _binary(expr: Binary) -> Expr:
    operation, left, right = expr.operation, expr.left, expr.right
    if isinstance(left, Const) and operation in _EITHER_WAY:
        left, right = right, left
    if not isinstance(right, Const):
        return expr
    assert isinstance(right.value, int)
    if isinstance(left, Const):
        assert isinstance(left.value, int)
        known = _known(operation, left, left.value, right.value)
        return expr if known is None else Const(expr.type, known)
    if operation == "sub":
        return fold(left + wrapped(-right.value, right.type))
    if operation == "eq" and right.value == 0:
        return _not(not_(left), left)
    if operation in _NEUTRAL and right.value == _NEUTRAL[operation]:
        return left
    if operation == "mul" and right.value > 0 and right.value & right.value - 1 == 0:
        return left << right.value.bit_length() - 1
    if operation == "add":
        match left:
            case Binary(operation="add", left=inner, right=Const(value=int() as more)):
                return fold(inner + wrapped(more + right.value, right.type))
    return expr if left is expr.left else Binary(expr.type, operation, left, right)


def _bits(operation: str, value: int, bits: int) -> int:
    """Evaluates a bit-counting operation."""
    value %= 1 << bits
    if operation == "popcnt":
        return value.bit_count()
    if operation == "clz":
        return bits - value.bit_length()
    return (value & -value).bit_length() - 1 if value else bits


def _known(operation: str, of: Const, one: int, other: int) -> int | None:
    """Evaluates an operation on two integers; None if it traps or is unknown."""
    bits = BITS[of.type]
    ones = (1 << bits) - 1
    if operation in COMPARING:
        if operation.endswith("_u"):
            one, other = one & ones, other & ones
        signs = {"eq": one == other, "ne": one != other, "lt": one < other, "le": one <= other}
        signs |= {"gt": one > other, "ge": one >= other}
        return int(signs[operation[:2]])
    match operation:
        case "div_u" | "rem_u":
            if not other:
                return None  # division by 0 traps when it is executed
            found = divmod(one & ones, other & ones)[operation == "rem_u"]
        case "shl":
            found = one << other % bits
        case "shr_u":
            found = (one & ones) >> other % bits
        case "add":
            found = one + other
        case "sub":
            found = one - other
        case "mul":
            found = one * other
        case "and":
            found = one & other
        case "or":
            found = one | other
        case "xor":
            found = one ^ other
        case _:
            return None
    return wrapped(found, of.type)
