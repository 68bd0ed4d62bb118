"""Alignment analysis: computes the guaranteed alignment of each address.

Some computers cannot read a word at an unaligned address. The analysis tracks how many low bits of
each number are surely 0, through variables (not memory) and all calls: an optimistic fixed-point
iteration that lowers values until nothing changes.
"""

from __future__ import annotations

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, statements

_FULLY = 64
"""The number of trailing zero bits of 0."""
_KEEPING = ("wrap_i64", "extend_i32_s", "extend_i32_u")


class Alignment:
    """The alignment of the addresses in a module."""

    def __init__(self, module: Module) -> None:
        self._held: dict[m.Variable | m.Global, int] = {
            each: _trailing(each.first) for each in module.globals
        }
        self._back: dict[m.Function, list[int]] = {
            each: [_FULLY] * len(each.results) for each in module.functions
        }
        for door in module.exports.values():
            self._held |= dict.fromkeys(door.given, 0)
        self._changed = True
        while self._changed:
            self._changed = False
            for function in module.functions:
                self._follow(function)

    def is_whole(self, place: m.Load, size: int = 0) -> bool:
        """Returns whether a memory location is surely aligned to its size, or to another one."""
        zeros = min(self._zeros(place.address), _trailing(place.offset))
        return zeros >= _trailing(size or place.bytes)

    def _follow(self, function: m.Function) -> None:
        for each in statements(function.body):
            match each:
                case m.Set(target=target, value=value):
                    self._lower(target, self._zeros(value))
                case m.Do(function=callee, into=into):
                    for name, zeros in zip(into, self._back[callee], strict=False):
                        self._lower(name, zeros)
                case m.Return(values=values):
                    before, now = self._back[function], map(self._zeros, values)
                    self._back[function] = [min(pair) for pair in zip(before, now, strict=True)]
                    self._changed |= self._back[function] != before
        for callee, arguments in calls(function.body):
            for name, value in zip(callee.given, arguments, strict=True):
                self._lower(name, self._zeros(value))

    def _lower(self, name: m.Variable | m.Global, zeros: int) -> None:
        if zeros < self._held.get(name, _FULLY):
            self._held[name] = zeros
            self._changed = True

    def _zeros(self, expr: m.Expr) -> int:
        """Returns a lower bound of the trailing zero bits."""
        zeros = self._zeros
        match expr:
            case m.Const(value=int() as value):
                return _trailing(value)
            case m.Variable() | m.Global():
                return self._held.get(expr, _FULLY)
            case m.Binary(operation="add" | "sub" | "or" | "xor", left=left, right=right):
                return min(zeros(left), zeros(right))
            case m.Binary(operation="and", left=left, right=right):
                return max(zeros(left), zeros(right))
            case m.Binary(operation="mul", left=left, right=right):
                return min(_FULLY, zeros(left) + zeros(right))
            case m.Binary(operation="shl", left=left, right=m.Const(value=int() as by)):
                return min(_FULLY, zeros(left) + by % m.BITS[expr.type])
            case m.Unary(operation=operation, operand=operand) if operation in _KEEPING:
                return zeros(operand)
            case m.Select(one=one, other=other) | m.Either(one=one, other=other):
                return min(zeros(one), zeros(other))
            case m.Call(function=function):
                return self._back[function][0]
        return 0


def _trailing(value: int) -> int:
    """Returns the number of trailing zero bits."""
    return _FULLY if not value else (value & -value).bit_length() - 1
