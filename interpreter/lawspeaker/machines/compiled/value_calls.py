"""Defined values: worked out in place where that is short, otherwise functions of the module.

In either case what they are given is worked out before, in the order written.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import plain_attribute
from lawspeaker.ir.types import SetType, WordType
from lawspeaker.ir.walk import everything, slots_read
from lawspeaker.machines.compiled import grids, locations, masks, wide
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.held import Held
from lawspeaker.machines.compiled.kept_sets import Bits, Places
from lawspeaker.machines.compiled.masks import whole_mask
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.middle.forms import Expr, Function
from lawspeaker.machines.planned.arena import SMALL, SMALL_STRAIGHT

MEANT = 60
"""A name stands for a fixed value that costs at most so many steps. Any other is worked out once:
written out it would be worked out as often as the name is read, which nobody has paid for, and
names that stand for twice the name before would grow without bounds."""


def written_weight(unit: Unit, *nodes: Any) -> int:
    """How many nodes some expressions or statements have, defined values included."""
    return unit.rooms.weight_of(nodes)


def _is_straight(unit: Unit, number: int) -> bool:
    """Whether a defined value has no names of its own, but for the piece in `if there is a PIECE in
    PLACE then its attribute`: it is then worked out without a loop."""
    function = unit.program.functions[number]
    if function.lets or unit.depends.fixed_function(number):
        return False
    read = Counter(slots_read(function.result))
    return not _bound_besides_firsts(function.result, read)


def _bound_besides_firsts(node: ir.Expr, read: Counter[int]) -> bool:
    """Whether there are binders but those of `if there is a PIECE in PLACE then its attribute`."""
    binders = [part for part in everything(node) if isinstance(part, ir.Binder)]
    return any(not _is_first(node, binder, read) for binder in binders)


def _is_first(node: ir.Expr, binder: ir.Binder, read: Counter[int]) -> bool:
    for part in everything(node):
        match part:
            case ir.Conditional(condition=ir.Exists(binder=found), then=then) if found is binder:
                return (
                    plain_attribute(then)
                    and isinstance(then.of, ir.Local)
                    and then.of.slot == binder.slot
                    and read[binder.slot] == 1
                    and isinstance(binder.source, ir.Contents)
                    and binder.where is None
                )
    return False


def opens(unit: Unit, number: int) -> bool:
    """Whether a defined value is worked out in place rather than called."""
    weight = unit.rooms.weight(number)
    return weight <= SMALL or (weight <= SMALL_STRAIGHT and _is_straight(unit, number))


def opened(c: Code, call: ir.CallFunction) -> tuple[Code, ir.Expr] | None:
    """Code in which the result of a defined value can be worked out in place; None when it has
    to be called."""
    unit, function = c.unit, c.program.functions[call.function]
    if not opens(unit, call.function):
        return None
    inner = c.inner(function.clause)
    for parameter, argument in enumerate(call.arguments):
        stands_for = argument
        if isinstance(argument, ir.Local):
            stands_for = c.meanings.get(argument.slot, argument)
        known = c.folder.constant(c.meant(stands_for))
        if known is not None and known[0] is not None:
            inner.meanings[parameter] = ir.Const(argument.type, known[0])
        kept = c.kept(argument)
        if kept is not None:
            inner.slots[parameter] = kept
        else:
            c.f.set(inner.slot(parameter), c.value(argument, function.slots[parameter].type))
    let(inner, function)
    return inner, function.result


def let(c: Code, function: ir.Function) -> None:
    """Gives the names of a defined value what they stand for."""
    for slot, value in function.lets:
        value = c.meant(value)
        walk = c.unit.rewriting.written_out(value) if isinstance(value, ir.CallFunction) else value
        if c.unit.depends.fixed(value) and not isinstance(value.type, SetType):
            if c.unit.costs.of(value) <= MEANT:
                c.meanings[slot] = value
        elif isinstance(walk, ir.Walk):
            c.slots[slot] = grids.ray(c, walk)
            continue
        elif isinstance(value, ir.Region) and c.unit.sets.flood(value, c.names) is not None:
            family = locations.family_of(c, value.step.type)
            c.slots[slot] = Places(
                family.first, wide.let(c.f, "region", masks.AS_BITS[ir.Region](c, value))
            )
            continue
        elif isinstance(value, ir.Filter):
            mask = whole_mask(c, value.binder)
            if mask is not None and not c.unit.rooms.loops(value.binder.where):
                c.slots[slot] = Bits(mask.first, wide.let(c.f, "bits", masks.bits(c, mask)))
                continue
        c.f.set(c.slot(slot), c.value(value, function.slots[slot].type))


def call(c: Code, expr: ir.CallFunction) -> Expr:
    function = c.program.functions[expr.function]
    found = opened(c, expr)
    if found is not None:
        inner, result = found
        return inner.value(result, expr.type)
    types = [slot.type for slot in function.slots[: len(expr.arguments)]]
    given = zip(expr.arguments, types, strict=True)
    arguments = c.f.in_order(*(partial(c.value, *each) for each in given))
    if isinstance(expr.type, SetType):
        c.f.taken += 1
    called = _function(c.unit, expr.function, _known_words(c, expr))
    return c.f.let(function.name, called(*arguments))


def _known_words(c: Code, expr: ir.CallFunction) -> tuple[tuple[int, int], ...]:
    """The arguments that are known words, by parameter, of a defined value about walks: there is a
    function of its own for each of them, since a walk in a direction that is known is short."""
    if not _walks(c.unit, expr.function):
        return ()
    found = []
    for parameter, argument in enumerate(expr.arguments):
        if isinstance(argument, ir.Local):
            argument = c.meanings.get(argument.slot, argument)
        known = c.folder.constant(c.meant(argument))
        if known is not None and known[0] is not None and isinstance(argument.type, WordType):
            found.append((parameter, known[0]))
    return tuple(found)


def _walks(unit: Unit, number: int) -> bool:
    """Whether working a defined value out may take a walk."""
    if number not in unit.walking:
        function = unit.program.functions[number]
        unit.walking[number] = any(
            isinstance(part, ir.Walk)
            or (isinstance(part, ir.CallFunction) and _walks(unit, part.function))
            for part in everything((function.result, *(value for _, value in function.lets)))
        )
    return unit.walking[number]


def _function(unit: Unit, number: int, words: tuple[tuple[int, int], ...]) -> Function:
    function = unit.program.functions[number]

    def write(f: Held) -> None:
        c = Code(unit, f, function.clause)
        c.slots.update(enumerate(f.parameters))
        for parameter, word in words:
            c.meanings[parameter] = ir.Const(function.slots[parameter].type, word)
        plain = not isinstance(function.result.type, SetType)
        before = f.let("before", unit.top)
        let(c, function)
        result = c.value(function.result)
        if plain and unit.rooms.function(number):
            result = f.let("result", result)
            f.set(unit.top, before)
        f.return_(result)

    told = (f"{parameter}is{word}" for parameter, word in words)
    key = ("value", number, function.name, *told)
    return unit.made(key, function.parameters, 1, write)
