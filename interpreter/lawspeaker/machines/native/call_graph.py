"""Call-graph analysis: finds recursive functions and candidates for inlining."""

from __future__ import annotations

from collections import Counter

from lawspeaker.machines.middle.forms import Function
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, operations

_SHORT = 100
"""The most operations of a function to inline."""


class Calling:
    """`deep`: recursive functions. `short`: functions that are short even with all short callees
    inlined. `once`: others with a single call site. `length`: operations of all but the short ones,
    after inlining."""

    def __init__(self, module: Module) -> None:
        self.deep = _recursive(module)
        called = Counter(callee for each in module.functions for callee, _ in calls(each.body))
        self._lengths: dict[Function, int] = {}
        doors = module.exports.values()
        lengths = {each: self._length(each) for each in module.functions}
        self.short = {
            each
            for each, length in lengths.items()
            if length <= _SHORT and each not in self.deep and each not in doors
        }
        outside = dict.fromkeys(doors, 1)
        self.once = {
            each
            for each in module.functions
            if each not in self.deep | self.short and called[each] + outside.get(each, 0) == 1
        }
        self.length = sum(lengths[each] for each in lengths if each not in self.short)

    def _length(self, function: Function) -> int:
        if function not in self._lengths:
            found = operations(function.body)
            for callee, _ in calls(function.body):
                if callee not in self.deep and self._length(callee) <= _SHORT:
                    found += self._lengths[callee]
            self._lengths[function] = found
        return self._lengths[function]


def _recursive(module: Module) -> set[Function]:
    """Returns the functions that may call themselves, directly or indirectly."""
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
