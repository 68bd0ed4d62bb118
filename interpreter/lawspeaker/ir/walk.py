"""Walking over typed programs: the parts of a node, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import BROKEN

_NODES = (ir.Expr, ir.Statement, ir.Binder, ir.Guard, ir.Part, ir.Alternative)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "type"))


def children(node: object) -> Iterator[Any]:
    """The nodes directly inside a node."""
    if isinstance(node, tuple):
        for each in node:
            if isinstance(each, _NODES):
                yield each
            elif isinstance(each, tuple):
                yield from children(each)
        return
    if not is_dataclass(node):
        return
    for name in _names(node.__class__):
        value = getattr(node, name)
        if isinstance(value, _NODES):
            yield value
        elif isinstance(value, tuple):
            yield from children(value)


def everything(node: object) -> Iterator[Any]:
    """A node and all that is inside it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if not isinstance(each, tuple):
            yield each
        waiting.extend(children(each))


def slots_used(node: object) -> set[int]:
    return {each.slot for each in everything(node) if isinstance(each, ir.Local)}


def is_broken(node: object) -> bool:
    """Whether something inside was complained about, and so has no type."""
    return any(
        each.type == BROKEN for each in everything(node) if isinstance(each, (ir.Expr, ir.Binder))
    )
