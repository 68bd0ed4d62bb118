"""Loops of which a round takes long: threads that go through them may wait for each other there."""

from __future__ import annotations

from lawspeaker.machines.middle.forms import Function, Label, Loop, Statements
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, operations, statements

_LONG = 1000
"""So many operations make a round long."""


def long_loops(module: Module, deep: set[Function]) -> set[Label]:
    """The loops in which so much is done, but for functions that call themselves (`deep`)."""
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
