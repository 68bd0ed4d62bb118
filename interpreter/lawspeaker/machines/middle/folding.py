"""Constant folding and algebraic simplification.

So `(at + 1) + 1` becomes `at + 2`, `at * 4` becomes `at << 2`, and `not (at < end)` becomes `at >=
end`; an `if` with a constant condition becomes one of its branches.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.walk import ends, rebuilt, with_bodies

_OPPOSITE = {
    "eq": "ne", "ne": "eq", "lt_s": "ge_s", "ge_s": "lt_s", "gt_s": "le_s", "le_s": "gt_s",
    "lt_u": "ge_u", "ge_u": "lt_u", "gt_u": "le_u", "le_u": "gt_u",
}  # fmt: skip
_NEUTRAL = {"add": 0, "or": 0, "xor": 0, "shl": 0, "shr_u": 0, "mul": 1, "div_u": 1}
"""Right operands for which an operation is the identity."""
_EITHER_WAY = ("add", "mul", "and", "or", "xor")
_KNOWN = (m.Variable, m.Const)
_SMALL = ("clz", "ctz", "popcnt")


def folded(body: m.Statements) -> m.Statements:
    """Folds a body, and removes unreachable statements."""
    found: m.Statements = []
    for each in body:
        if isinstance(each, m.Set):
            value = fold(each.value)
            found.append(each if value is each.value else m.Set(each.target, value))
            continue
        found += decided(with_bodies(rebuilt(each, fold), folded))
        if ends(found):
            break
    return found


def decided(statement: m.Statement) -> m.Statements:
    """Simplifies a statement whose expressions are folded."""
    match statement:
        case m.If(condition=asked, then=then, otherwise=otherwise):
            asked = _as_condition(asked)
            if isinstance(asked, m.Const):
                return then if asked.value else otherwise
            if not then and otherwise:
                return [m.If(_as_condition(fold(m.not_(asked))), otherwise)]
            return [statement if asked is statement.condition else m.If(asked, then, otherwise)]
        case m.Store(target=m.Load(address=m.Const(value=int() as at)) as target) if at > 0:
            return [replace(statement, target=_at(target, at))]
        case m.Leave(when=m.Expr() as when) | m.Again(when=m.Expr() as when):
            asked = _as_condition(when)
            if isinstance(asked, m.Const):
                return [replace(statement, when=None)] if asked.value else []
            return [statement if asked is when else replace(statement, when=asked)]
    return [statement]


def _as_condition(asked: m.Expr) -> m.Expr:
    """Simplifies a condition, of which only matters whether it is 0."""
    if isinstance(asked, m.Binary) and asked.operation == "ne" and asked.left.type == m.I32:
        match asked.right:
            case m.Const(value=0):
                return asked.left
    return asked


def fold(expr: m.Expr) -> m.Expr:
    """Folds an expression."""
    if isinstance(expr, _KNOWN):
        return expr
    if isinstance(expr, m.Binary):
        left, right = fold(expr.left), fold(expr.right)
        if left is not expr.left or right is not expr.right:
            expr = m.Binary(expr.type, expr.operation, left, right)
        known = isinstance(left, m.Const) or isinstance(right, m.Const)
        return _binary(expr) if known and left.type != m.F64 else expr
    expr = rebuilt(expr, fold)
    if isinstance(expr, m.Load):
        at = expr.address
        return _at(expr, int(at.value)) if isinstance(at, m.Const) and at.value > 0 else expr
    if isinstance(expr, m.Unary):
        return _unary(expr)
    if isinstance(expr, m.Select | m.Either):
        asked = _as_condition(expr.condition)
        if isinstance(asked, m.Const):
            return expr.one if asked.value else expr.other
        return expr if asked is expr.condition else replace(expr, condition=asked)
    return expr


def _unary(expr: m.Unary) -> m.Expr:
    match expr:
        case m.Unary(operation="eqz", operand=operand):
            return _not(expr, operand)
        case m.Unary(operation="extend_i32_u", operand=m.Const(value=int() as value)):
            return m.const(value % (1 << 32), expr.type)
        case m.Unary(operation="extend_i32_s" | "wrap_i64", operand=m.Const(value=int() as value)):
            return m.Const(expr.type, m.wrapped(value, expr.type))
        case m.Unary(operation=small, operand=m.Const(value=int() as value)) if small in _SMALL:
            return m.const(_bits(small, value, m.BITS[expr.type]), expr.type)
        case m.Unary(
            operation="extend_i32_u",
            operand=m.Unary(operation="wrap_i64", operand=m.Unary(operation=small) as inner),
        ) if small in _SMALL:
            return inner
    return expr


def _at(place: m.Load, address: int) -> m.Load:
    """Moves a constant address into the offset."""
    return replace(place, address=m.const(0), offset=place.offset + address)


def _not(expr: m.Expr, operand: m.Expr) -> m.Expr:
    match operand:
        case m.Const(value=value):
            return m.const(int(not value))
        case m.Binary(operation=operation, left=left) if (
            operation in _OPPOSITE and left.type != m.F64
        ):
            return _binary(m.Binary(m.I32, _OPPOSITE[operation], left, operand.right))
        case m.Unary(operation="eqz", operand=m.Expr(type="i32") as inner):
            return fold(inner != 0)
    return expr


def _binary(expr: m.Binary) -> m.Expr:
    operation, left, right = expr.operation, expr.left, expr.right
    if isinstance(left, m.Const) and operation in _EITHER_WAY:
        left, right = right, left
    if not isinstance(right, m.Const):
        return expr
    assert isinstance(right.value, int)
    if isinstance(left, m.Const):
        assert isinstance(left.value, int)
        known = _known(operation, left, left.value, right.value)
        return expr if known is None else m.Const(expr.type, known)
    if operation == "sub":
        return fold(left + m.wrapped(-right.value, right.type))
    if operation == "eq" and right.value == 0:
        return _not(m.not_(left), left)
    if operation in _NEUTRAL and right.value == _NEUTRAL[operation]:
        return left
    if operation == "mul" and right.value > 0 and right.value & right.value - 1 == 0:
        return left << right.value.bit_length() - 1
    if operation == "add":
        match left:
            case m.Binary(operation="add", left=inner, right=m.Const(value=int() as more)):
                return fold(inner + m.wrapped(more + right.value, right.type))
    return expr if left is expr.left else m.Binary(expr.type, operation, left, right)


def _bits(operation: str, value: int, bits: int) -> int:
    """Evaluates a bit-counting operation."""
    value %= 1 << bits
    if operation == "popcnt":
        return value.bit_count()
    if operation == "clz":
        return bits - value.bit_length()
    return (value & -value).bit_length() - 1 if value else bits


def _known(operation: str, of: m.Const, one: int, other: int) -> int | None:
    """Evaluates an operation on two integers; None if it traps or is unknown."""
    bits = m.BITS[of.type]
    ones = (1 << bits) - 1
    if operation in m.COMPARING:
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
    return m.wrapped(found, of.type)
