"""Traversal and rewriting of nodes of the middle form."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import TypeVar

from lawspeaker.machines.middle import forms as m

STOPPING = ("div_s", "div_u", "rem_s", "rem_u")
Change = Callable[[m.Expr], m.Expr]
_Node = TypeVar("_Node", m.Expr, m.Statement)


def expressions(node: m.Expr | m.Statement) -> list[m.Expr]:
    """Returns all expressions inside a node, except for nested bodies; in no order."""
    found = list(node.parts())
    for each in found:
        found += each.parts()
    return found


def bodies(statement: m.Statement) -> tuple[m.Statements, ...]:
    """Returns the nested bodies of a statement."""
    return tuple([getattr(statement, name) for name in statement.BODIES])


def statements(body: m.Statements) -> m.Statements:
    """Returns all statements of a body, including nested ones, in no order."""
    found = list(body)
    for each in found:
        for name in each.BODIES:
            found += getattr(each, name)
    return found


def calls(body: m.Statements) -> list[tuple[m.Function, tuple[m.Expr, ...]]]:
    """Returns the calls in a body with their arguments; in no order."""
    found: list[tuple[m.Function, tuple[m.Expr, ...]]] = []
    for each in statements(body):
        if isinstance(each, m.Do | m.Stop) and each.function is not None:
            found.append((each.function, each.arguments))
        for part in expressions(each):
            if isinstance(part, m.Call):
                found.append((part.function, part.arguments))
    return found


def operations(body: m.Statements) -> int:
    """Counts the expressions and statements of a body."""
    found = statements(body)
    return len(found) + sum(len(expressions(each)) for each in found)


def leaves(body: m.Statements, label: m.Label) -> bool:
    """Returns whether a body exits a block or loop around it."""
    return any(isinstance(each, m.Leave) and each.label is label for each in statements(body))


def ends(body: m.Statements) -> bool:
    """Returns whether the end of a body is unreachable."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, m.If):
        return ends(last.then) and ends(last.otherwise)
    if isinstance(last, m.Loop):
        return not leaves(last.body, last.label)
    if isinstance(last, m.Leave | m.Again):
        return last.when is None
    return isinstance(last, m.Return | m.Stop)


def reads_state(expr: m.Expr) -> bool:
    """Returns whether an expression reads memory or globals, or calls."""
    return any(isinstance(each, m.Load | m.Global | m.Call) for each in (expr, *expressions(expr)))


def changes(statement: m.Statement, expr: m.Expr) -> bool:
    """Returns whether a statement, without its nested bodies, may change the value of an
    expression."""
    match statement:
        case m.Set(target=target):
            if expr is target or any(each is target for each in expressions(expr)):
                return True
        case m.Store() | m.Do() | m.Copy() | m.Clear():
            return reads_state(expr)
        case m.Stop():
            return False
    return any(isinstance(each, m.Call) for each in expressions(statement)) and reads_state(expr)


def rebuilt(node: _Node, change: Change) -> _Node:
    """Returns a node with changed operands, without nested bodies; the same node if nothing
    changes."""
    before = node.parts()
    after = tuple([change(each) for each in before])
    if all(map(is_, before, after)):
        return node
    made = node.made_of(after)
    assert type(made) is type(node)
    return made


def with_bodies(
    statement: m.Statement, change: Callable[[m.Statements], m.Statements]
) -> m.Statement:
    """Returns a statement with changed nested bodies."""
    if not statement.BODIES:
        return statement
    if isinstance(statement, m.If):
        return m.If(statement.condition, change(statement.then), change(statement.otherwise))
    if isinstance(statement, m.Block):
        return m.Block(statement.label, change(statement.body))
    if isinstance(statement, m.Loop):
        return m.Loop(statement.label, change(statement.body))
    return statement
