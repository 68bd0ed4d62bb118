"""What is planned as straight is written without branches, loops, calls, stores and stops."""

from __future__ import annotations

import pytest

from lawspeaker import ir
from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.middle.forms import (
    Binary,
    Call,
    Either,
    Expr,
    Set,
    Statement,
    Variable,
)
from lawspeaker.machines.middle.walk import STOPPING, expressions
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout


def is_crooked(node: Expr | Statement) -> bool:
    """Whether something branches, calls, stores or may stop."""
    match node:
        case Binary(operation=operation):
            return operation in STOPPING
        case Set(target=target):
            return not isinstance(target, Variable)
    return isinstance(node, Call | Either | Statement)


@pytest.mark.parametrize("name", ["chess", "mill_wheel", "stowaways", "walhalla"])
def test_what_is_planned_as_straight_is_written_so(
    name: str, uncached: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths: list[int] = []
    straight = Code.straight

    def checked(c: Code, expr: ir.Expr) -> Expr | None:
        before = len(c.f._open)
        value = straight(c, expr)
        if value is None:
            return None
        written: list[Expr | Statement] = [*c.f._open[before:], value]
        parts = [part for node in written for part in (node, *expressions(node))]
        assert not any(map(is_crooked, parts)), expr
        lengths.append(len(parts))
        return value

    monkeypatch.setattr(Code, "straight", checked)
    program = load(name).program
    compile_module(Layout(program, program.most), WATCHING)
    assert lengths
    assert max(lengths) <= 100
