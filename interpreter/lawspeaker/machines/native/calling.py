"""Which functions of a module call themselves, and which are best written where they are called."""

from __future__ import annotations

from lawspeaker.machines.middle.forms import Function
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, operations

_SHORT = 100
"""So many operations a function has at most that is written where it is called."""


def recursive(module: Module) -> set[Function]:
    """The functions that may be under way more than once, however they come to be called again."""
    reached = {each: {callee for callee, _ in calls(each.body)} for each in module.functions}
    changed = True
    while changed:
        changed = False
        for found in reached.values():
            size = len(found)
            for callee in tuple(found):
                found |= reached[callee]
            changed |= len(found) > size
    return {each for each, found in reached.items() if each in found}


def short(module: Module, deep: set[Function]) -> set[Function]:
    """The functions that are short even with all short ones in them written out."""
    lengths: dict[Function, int] = {}

    def length(function: Function) -> int:
        if function not in lengths:
            found = operations(function.body)
            for callee, _ in calls(function.body):
                if callee not in deep and length(callee) <= _SHORT:
                    found += lengths[callee]
            lengths[function] = found
        return lengths[function]

    doors = set(module.exports.values())
    return {f for f in module.functions if f not in deep | doors and length(f) <= _SHORT}
