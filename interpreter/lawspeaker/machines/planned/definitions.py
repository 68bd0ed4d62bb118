"""Inlining pass: plans whether definitions are inlined (`Opened`) or called (`Called`).

    worth of card                Opened: its few operations are inlined
    captures(start, player)      Called: a function of the module
    run(start, leftwards)        Called: a function specialised for each constant direction, since a
                                 walk in a constant direction is short

Local names of a definition (`lets`) get the cheapest representation: a constant expression is
substituted (`ConstantName`), a walk is its start and length (`Line`), places and pieces are bits
(`RegionName`, `Narrowed`), all others are a value or a list (`Valued`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.ir.cost import Costs
from lawspeaker.ir.dependence import plain_attribute
from lawspeaker.ir.walk import everything, slots_read
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.arena import SMALL, SMALL_STRAIGHT
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Masked, Sets

MEANT = 60
"""A name for a constant expression of at most this cost is substituted. Any other is evaluated
once: substitution would repeat work at each use, unpaid, and chains of doubling names would grow
without bounds."""


@dataclass(frozen=True, slots=True)
class ConstantName:
    """A name for a constant expression: each use looks it up."""

    slot: int
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Line:
    """A name for the places of a walk."""

    slot: int
    walk: ir.Walk


@dataclass(frozen=True, slots=True)
class RegionName:
    """A name for a region computed as bits."""

    slot: int
    region: ir.Region


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A name for members found as bits."""

    slot: int
    found: Masked


@dataclass(frozen=True, slots=True)
class Valued:
    """A name for a value or a list."""

    slot: int
    value: ir.Expr


Let = ConstantName | Line | RegionName | Narrowed | Valued
Known = tuple[tuple[int, ir.Const], ...]
"""Parameters with constant arguments."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An inlined definition; `names`: the naming context of its result."""

    clause: int
    known: Known
    lets: tuple[Let, ...]
    result: ir.Expr
    names: Names


@dataclass(frozen=True, slots=True)
class Called:
    """A definition compiled to a function, specialised for constant words."""

    function: int
    known: Known


class Definitions:
    """Plans the definitions of one program."""

    def __init__(self, known: Analyses, sets: Sets, costs: Costs) -> None:
        self.known = known
        self.sets = sets
        self.costs = costs
        self.program = known.program
        self._walking: dict[int, bool] = {}

    def asked(self, call: ir.CallFunction, names: Names) -> Opened | Called:
        """Plans one use of a definition."""
        number = call.function
        if not self.opens(number):
            words = self._constants(call, names) if self._walks(number) else ()
            return Called(number, tuple(w for w in words if isinstance(w[1].type, ir.WordType)))
        known = tuple(self._constants(call, names))
        locals_ = [(p, a.slot) for p, a in enumerate(call.arguments) if isinstance(a, ir.Local)]
        bits, lines = (
            frozenset(parameter for parameter, slot in locals_ if slot in kept)
            for kept in (names.bits, names.lines)
        )
        clause = self.program.functions[number].clause
        lets, inner = self.lets(number, Names(clause, dict(known), bits, lines))
        return Opened(clause, known, lets, self.program.functions[number].result, inner)

    def opens(self, number: int) -> bool:
        """Returns whether a definition is inlined rather than called."""
        weight = self.known.rooms.weight(number)
        return weight <= SMALL or (weight <= SMALL_STRAIGHT and self._is_straight(number))

    def lets(self, number: int, names: Names) -> tuple[tuple[Let, ...], Names]:
        """Plans the local names of a definition; returns them with the naming context behind
        them."""
        found: list[Let] = []
        for slot, value in self.program.functions[number].lets:
            let = self._let(slot, value, names)
            found.append(let)
            match let:
                case ConstantName():
                    names = names.knowing(slot, let.value)
                case RegionName():
                    names = replace(names, bits=names.bits | {slot})
                case Line():
                    names = replace(names, lines=names.lines | {slot})
        return tuple(found), names

    def _let(self, slot: int, value: ir.Expr, names: Names) -> Let:
        value = self.known.rewriting.meant(value, names.meanings)
        walk = self.known.rewriting.as_written(value)
        if self.known.depends.fixed(value) and not isinstance(value.type, ir.SetType):
            if self.costs.of(value) <= MEANT:
                return ConstantName(slot, value)
        elif isinstance(walk, ir.Walk):
            return Line(slot, walk)
        elif isinstance(value, ir.Region) and self.sets.flood(value, names) is not None:
            return RegionName(slot, value)
        elif isinstance(value, ir.Filter):
            bits = self.sets.whole(value.binder, names)
            if bits is not None and not self.known.rooms.loops(value.binder.where):
                return Narrowed(slot, bits)
        return Valued(slot, value)

    def _constants(self, call: ir.CallFunction, names: Names) -> Iterator[tuple[int, ir.Const]]:
        """Yields the constant arguments, by parameter."""
        for parameter, argument in enumerate(call.arguments):
            stands_for = argument
            if isinstance(argument, ir.Local):
                stands_for = names.meanings.get(argument.slot, argument)
            meant = self.known.rewriting.meant(stands_for, names.meanings)
            known = self.known.folder.constant(meant)
            if known is not None and known[0] is not None:
                yield parameter, ir.Const(stands_for.type, known[0])

    def _is_straight(self, number: int) -> bool:
        """Returns whether a definition has no local names, except for the piece in `if there is a
        PIECE in PLACE then its attribute`: it then needs no loop."""
        function = self.program.functions[number]
        if function.lets or self.known.depends.fixed_function(number):
            return False
        read = Counter(slots_read(function.result))
        binders = [part for part in everything(function.result) if isinstance(part, ir.Binder)]
        return all(_is_first(function.result, binder, read) for binder in binders)

    def _walks(self, number: int) -> bool:
        """Returns whether evaluating a definition may take a walk."""
        if number not in self._walking:
            function = self.program.functions[number]
            self._walking[number] = any(
                isinstance(part, ir.Walk)
                or (isinstance(part, ir.CallFunction) and self._walks(part.function))
                for part in everything((function.result, *(value for _, value in function.lets)))
            )
        return self._walking[number]


def _is_first(node: ir.Expr, binder: ir.Binder, read: Counter[int]) -> bool:
    """Returns whether a binder is that of `if there is a PIECE in PLACE then its attribute`."""
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
