"""Walking through forms: what a node is made of, and the same node made of something else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar

from lawspeaker.machines.middle.forms import (
    Again,
    Block,
    Expr,
    If,
    Label,
    Leave,
    Loop,
    Return,
    Statement,
    Statements,
    Stop,
    Store,
)

Change = Callable[[Expr], Expr]
_Node = TypeVar("_Node", Expr, Statement)


def parts(node: Expr | Statement) -> list[Expr]:
    """The expressions right inside a node, in the order in which they are worked out."""
    found: list[Expr] = []
    for name in node.PARTS:
        held = getattr(node, name)
        if type(held) is tuple:
            found += held
        elif held is not None:
            found.append(held)
    return found


def expressions(node: Expr | Statement) -> Iterator[Expr]:
    """All expressions inside a node, but none inside the bodies of a statement."""
    for part in parts(node):
        yield part
        if part.PARTS:
            yield from expressions(part)


def bodies(statement: Statement) -> tuple[Statements, ...]:
    """The bodies of a statement."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return then, otherwise
        case Block(body=body) | Loop(body=body):
            return (body,)
    return ()


def statements(body: Statements) -> Iterator[Statement]:
    """All statements of a body, and of the bodies in it."""
    for each in body:
        yield each
        for inner in bodies(each):
            yield from statements(inner)


def leaves(body: Statements, label: Label) -> bool:
    """Whether anything in a body goes behind a block or loop around it."""
    return any(isinstance(each, Leave) and each.label is label for each in statements(body))


def ends(body: Statements) -> bool:
    """Whether nothing comes after the last statement of a body."""
    match body[-1] if body else None:
        case Return() | Stop() | Leave(when=None) | Again(when=None):
            return True
        case If(then=then, otherwise=otherwise):
            return ends(then) and ends(otherwise)
        case Loop(label=label, body=inner):
            return not leaves(inner, label)
    return False


def rebuilt(node: _Node, change: Change) -> _Node:
    """A node with every part changed, but not the bodies of a statement; the same node if that
    makes no difference."""
    made: dict[str, Any] = {}
    for name in node.PARTS:
        held = getattr(node, name)
        if type(held) is tuple:
            new: Any = tuple(change(each) for each in held)
            same = all(map(is_, new, held))
        else:
            new = held if held is None else change(held)
            same = new is held
        if not same:
            made[name] = new
    if isinstance(node, Store) and "address" in made:
        made["target"] = replace(node.target, address=made.pop("address"))
    return replace(node, **made) if made else node


def with_bodies(statement: Statement, change: Callable[[Statements], Statements]) -> Statement:
    """A statement with its bodies changed."""
    match statement:
        case If(condition=condition, then=then, otherwise=otherwise):
            return If(condition, change(then), change(otherwise))
        case Block(label=label, body=body):
            return Block(label, change(body))
        case Loop(label=label, body=body):
            return Loop(label, change(body))
    return statement
