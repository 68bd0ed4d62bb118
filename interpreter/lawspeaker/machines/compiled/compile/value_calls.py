"""Generates uses of definitions: inlined, or as function calls (`planned.definitions`).

In either case the arguments are evaluated first, from left to right.
"""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.machines.compiled.compile import grids, locations, masks
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Bits, PlaceBits
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.forms import Expr, Function
from lawspeaker.machines.planned.definitions import (
    Called,
    ConstantName,
    Known,
    Let,
    Line,
    Narrowed,
    Opened,
    RegionName,
)


def opened(c: Code, call: ir.CallFunction) -> tuple[Code, ir.Expr] | None:
    """Returns the generator and the result expression of an inlined definition; None if it is
    called."""
    plan = c.unit.definitions.asked(call, c.names)
    return _inside(c, call, plan) if isinstance(plan, Opened) else None


def _inside(c: Code, call: ir.CallFunction, plan: Opened) -> tuple[Code, ir.Expr]:
    inner, slots = c.inner(plan.clause), c.program.functions[call.function].slots
    inner.meanings.update(plan.known)
    for parameter, argument in enumerate(call.arguments):
        kept = c.kept(argument)
        if kept is not None:
            inner.slots[parameter] = kept
        else:
            c.f.set(inner.slot(parameter), c.value(argument, slots[parameter].type))
    _let(inner, call.function, plan.lets)
    return inner, plan.result


def _let(c: Code, number: int, lets: Iterable[Let]) -> None:
    """Binds the local names of a definition."""
    slots = c.program.functions[number].slots
    for let in lets:
        match let:
            case Line(slot, walk):
                c.slots[slot] = grids.ray(c, walk)
            case RegionName(slot, region):
                found = wide.let(c.f, "region", masks.AS_BITS[ir.Region](c, region))
                c.slots[slot] = PlaceBits(locations.family_of(c, region.step.type).first, found)
            case Narrowed(slot, plan):
                c.slots[slot] = Bits(plan.first, wide.let(c.f, "bits", masks.bits(c, plan)))
            case _:
                if isinstance(let, ConstantName):
                    c.meanings[let.slot] = let.value
                c.f.set(c.slot(let.slot), c.value(let.value, slots[let.slot].type))


def call(c: Code, expr: ir.CallFunction) -> Expr:
    """Evaluates a definition: inlined or by a call, as planned."""
    plan = c.unit.definitions.asked(expr, c.names)
    if isinstance(plan, Opened):
        inner, result = _inside(c, expr, plan)
        return inner.value(result, expr.type)
    function = c.program.functions[expr.function]
    arguments = c.arguments(expr.arguments, function.slots)
    if isinstance(expr.type, ir.SetType):
        c.f.taken += 1
    return c.f.let(function.name, _function(c.unit, plan)(*arguments))


def _function(unit: Unit, plan: Called) -> Function:
    number, known = plan.function, plan.known
    function = unit.program.functions[number]

    def write(f: OperandBody) -> None:
        c = Code(unit, f, function.clause)
        c.slots.update(enumerate(f.parameters))
        c.meanings.update(known)
        plain = not isinstance(function.result.type, ir.SetType)
        before = f.let("before", unit.top)
        _let(c, number, unit.definitions.lets(number, c.names)[0])
        result = c.value(function.result)
        if plain and unit.rooms.function(number):
            result = f.let("result", result)
            f.set(unit.top, before)
        f.return_(result)

    key = ("value", number, function.name, *_told(known))
    return unit.made(key, function.parameters, 1, write)


def _told(known: Known) -> Iterable[str]:
    return (f"{parameter}is{word.value}" for parameter, word in known)
