"""Finds loops with long iterations, in which GPU threads may synchronise."""

from __future__ import annotations

from lawspeaker.machines.middle.forms import Function, Label, Loop, Statements
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, operations, statements

_LONG = 1000
"""The operations of a long iteration."""


def long_loops(module: Module, deep: set[Function]) -> set[Label]:
    """Returns the labels of loops with long iterations, not counting recursive functions
    (`deep`)."""
    lengths: dict[Function, int] = {}

    def length(body: Statements) -> int:
        found = operations(body)
        for callee, _ in calls(body):
            if callee not in deep:
                if callee not in lengths:
                    lengths[callee] = length(callee.body)
                found += lengths[callee]
        return found

    return {
        each.label
        for function in module.functions
        if function not in deep
        for each in statements(function.body)
        if isinstance(each, Loop) and length(each.body) >= _LONG
    }
