"""Code for what hangs together: regions, and what lies around a set of places.

Two rows of bits are kept, one for what was reached, one for what was asked, a bit for each thing
there is. What was reached is gone through as it was found, since a condition may be a fault, and
the first one is told; afterwards the bits have it in the order of numbers. Whatever lies around a
region whose steps lead to neighbours was asked and is not in it.

On a board whose places are one word, and are known by masks, a condition that can be asked of all
of them at once is (see `whole_board`): the region then grows by whole shifts of a word.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.types import PlaceType, PlayerType, SetType, Type
from lawspeaker.ir.walk import bound_slots, rebuilt
from lawspeaker.machines.compiled import members, neighbours, value_calls
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.members import Body
from lawspeaker.machines.compiled.small_boards import bits_of
from lawspeaker.machines.middle import forms
from lawspeaker.machines.middle.forms import I64, Expr, Variable, long, long_at, word
from lawspeaker.machines.planned.whole_board import Everywhere

_FEW = 8
"""So many words are cleared one by one."""


class Row:
    """A bit for each thing of a type: in a variable if they are few, else in the arena."""

    def __init__(self, c: Code, of: Type) -> None:
        self.c = c
        self.first, size = _numbers(c, of)
        self.words = -(-size // 64)
        if self.words == 1:
            self.one: Variable | None = c.f.let("bits", 0, I64)
            return
        self.one = None
        self.at = c.reserve(2 * self.words)
        if self.words > _FEW:
            c.f.clear(self.at, 8 * self.words)
        else:
            for number in range(self.words):
                c.f.set(long_at(self.at, 8 * number), 0)

    def has(self, thing: Expr) -> Expr:
        """Whether the bit of a thing is set."""
        return ((self._of(thing) >> self._bit(thing)) & 1).to_word()

    def add(self, thing: Expr) -> None:
        if self.one is not None:
            self.c.f.set(self.one, self.one | long(1) << self._bit(thing))
            return
        place = self.c.f.let("word", self._place(thing))
        self.c.f.set(long_at(place), long_at(place) | long(1) << self._bit(thing))

    def add_unless_there(self, thing: Expr, there: forms.Label) -> None:
        """Sets the bit of a thing; leaves, if it is set."""
        f, bit = self.c.f, self.c.f.let("bit", long(1) << self._bit(thing))
        place = None if self.one is not None else f.let("word", self._place(thing))
        row = self.one if place is None else long_at(place)
        assert isinstance(row, Variable | forms.Load)
        old = f.let("old", row)
        f.leave(there, old & bit != 0)
        f.set(row, old | bit)

    def count(self) -> Expr:
        """How many bits are set."""
        if self.one is not None:
            return self.one.count_bits()
        f, total = self.c.f, self.c.f.let("total", 0)
        at, end = f.let("at", self.at), f.let("end", self.at + 8 * self.words)
        with f.while_(at != end):
            f.add(total, long_at(at).count_bits())
            f.add(at, 8)
        return total

    def _bit(self, thing: Expr) -> Expr:
        return (thing - self.first).to_long()

    def _place(self, thing: Expr) -> Expr:
        return self.at + ((thing - self.first) >> 6 << 3)

    def _of(self, thing: Expr) -> Expr:
        return long_at(self._place(thing)) if self.one is None else self.one


def _numbers(c: Code, of: Type) -> tuple[int, int]:
    """The number of the first thing of a type, and how many there are."""
    if isinstance(of, PlayerType):  # a rule can also name one who does not take part
        return 0, max(len(c.program.player_names), c.layout.players)
    domain = c.layout.domain(of)
    return (domain[0], len(domain)) if domain else (0, 1)


# ---------------------------------------------------------------- regions


def each_reached(c: Code, source: ir.Region, local: Variable, body: Body) -> None:
    """Through what a region is made of, in the order of numbers."""
    inside, _ = _reached(c, source)
    _each(c, inside, None, local, body)


def size(c: Code, source: ir.Region) -> Expr:
    """How much a region is made of."""
    asked = Row(c, source.step.type)
    if asked.one is not None:
        inside = Row(c, source.step.type)
        if _flooded(c, source, inside, asked):
            return inside.count()
    queue, end = _gone_through(c, source, asked)
    return (end - queue) >> 2


def includes(c: Code, source: ir.Region, thing: Variable) -> Expr:
    """Whether something belongs to a region."""
    return _reached(c, source)[0].has(thing)


def _reached(c: Code, source: ir.Region) -> tuple[Row, Row]:
    """What a region is made of, and what was asked whether it is."""
    f, inside, asked = c.f, Row(c, source.step.type), Row(c, source.step.type)
    if not _flooded(c, source, inside, asked):
        at, end = _gone_through(c, source, asked)
        with f.while_(at != end):
            inside.add(f.let("reached", word(at)))
            f.add(at, 4)
    return inside, asked


def _gone_through(c: Code, source: ir.Region, asked: Row) -> tuple[Variable, Variable]:
    """Where a list begins and ends of what a region is made of, as it was found."""
    f, standing, step = c.f, source.standing, source.step
    condition = _settled(c, step)
    here, there = c.slot(standing.slot), c.slot(step.slot)
    queue = c.reserve(c.unit.bounds.members(source))
    end = f.let("end", queue)

    def reach() -> None:
        f.set(word(end), there)
        f.add(end, 4)

    def begin() -> None:
        with f.block() as known:
            asked.add_unless_there(there, known)
            reach()

    def ask() -> None:
        with f.block() as refused:
            asked.add_unless_there(there, refused)
            c.unless(condition, refused)
            reach()

    members.each(c, standing.source, there, begin)
    at = f.let("at", queue)
    with f.while_(at != end):
        f.set(here, word(at))
        f.add(at, 4)
        with c.scoped():
            members.each(c, step.source, there, ask)
    return queue, end


def _settled(c: Code, step: ir.Binder) -> ir.Expr:
    """The condition of a step, with what does not depend on where it leads worked out before."""
    inner = bound_slots(step.where) | {step.slot}

    def settled(node: Any) -> Any:
        if not isinstance(node, ir.Expr) or isinstance(node, ir.Local | ir.Const):
            return node
        if bound_slots(node) or not inner.isdisjoint(c.unit.depends.free(node)):
            return rebuilt(node, settled)
        known = c.folder.constant(c.meant(node)) is not None
        if known or isinstance(node.type, SetType) or c.unit.can_fault.possible(node):
            return node
        slot = c.unit.new_slot()
        c.f.set(c.slot(slot), c.scoped_value(node))
        return ir.Local(node.type, slot, "settled", span=node.span)

    assert step.where is not None
    condition: ir.Expr = settled(step.where)
    return condition


def _flooded(c: Code, source: ir.Region, inside: Row, asked: Row) -> bool:
    """Works a region out for all places of a small board at once, if that can be; otherwise nothing
    is written."""
    f, standing, step = c.f, source.standing, source.step
    if not isinstance(step.type, PlaceType) or inside.one is None or asked.one is None:
        return False
    family = c.plan.families[step.type.index]
    if not family.indexed or family.of.lines or not _leads_around(source):
        return False
    if c.unit.can_fault.possible(step.where):
        return False
    mark, everywhere = f.mark(), Everywhere(c.unit.analyses, c.meanings, family.kept)
    field = everywhere.field(step.slot, _settled(c, step))
    if field is None:
        mark.undo()
        return False
    open_ = f.let("open", bits_of(c, everywhere.fields, field))
    there = c.slot(step.slot)
    members.each(c, standing.source, there, lambda: inside.add(there))
    assert isinstance(step.source, ir.Around)
    with f.loop() as growing:
        f.set(asked.one, neighbours.of_all(everywhere.fields, step.source, inside.one))
        f.leave(growing, (asked.one & open_ & ~inside.one) == 0)
        f.set(inside.one, inside.one | asked.one & open_)
    return True


def _leads_around(source: ir.Region, border: ir.Border | None = None) -> bool:
    """Whether the steps of a region lead to all neighbours of a place; to those that count for a
    border, if there is one."""
    match source.step.source:
        case ir.Around(of=ir.Local(slot=slot), diagonal=diagonal):
            fits = border is None or border.diagonal == diagonal
            return fits and slot == source.standing.slot
    return False


# ---------------------------------------------------------------- borders


def each_bordering(c: Code, source: ir.Border, local: Variable, body: Body) -> None:
    """Through the places around a set, in the order of their numbers."""
    of, inner = c.meant(source.of), c
    opened = value_calls.opened(c, of) if isinstance(of, ir.CallFunction) else None
    if opened is not None:
        inner, of = opened
    if isinstance(of, ir.Region) and _leads_around(of, source):
        inside, near = _reached(inner, of)
    else:
        assert isinstance(source.type, SetType)
        inside, near = Row(c, source.type.of), Row(c, source.type.of)
        _look_around(c, replace(source, of=of), inner, inside, near)
    _each(c, near, inside, local, body)


def _look_around(c: Code, source: ir.Border, inner: Code, inside: Row, near: Row) -> None:
    """Marks the members of a set, and all that lies around each."""
    assert isinstance(source.type, SetType)
    of, place, beside = source.type.of, c.unit.new_slot(), c.local()
    around = ir.Around(
        source.type, source.family, ir.Local(of, place, "place"), source.diagonal, span=source.span
    )

    def look() -> None:
        inside.add(c.slot(place))
        neighbours.each_around(c, around, beside, lambda: near.add(beside))

    members.each(inner, source.of, c.slot(place), look)


# ---------------------------------------------------------------- going through bits


def _each(c: Code, row: Row, without: Row | None, local: Variable, body: Body) -> None:
    """Through the bits of a row, but for those of another one."""
    f = c.f
    if row.one is not None:
        bits = row.one if without is None or without.one is None else row.one & ~without.one
        with f.each_bit(local, bits, row.first):
            body()
        return
    at, end = f.let("at", row.at), f.let("end", row.at + 8 * row.words)
    first = f.let("first", row.first)
    with f.while_(at != end):
        bits = long_at(at)
        if without is not None:
            bits = bits & ~long_at(at + (without.at - row.at))
        with f.each_bit(local, bits, first):
            body()
        f.add(at, 8)
        f.add(first, 64)


def listed(c: Code, expr: ir.Region | ir.Border) -> Expr:
    """Writes a region or a border down."""
    return members.listed(c, expr)


members.SOURCES[ir.Region] = each_reached
members.SOURCES[ir.Border] = each_bordering
members.SIZES[ir.Region] = size
members.LOOKED_UP[ir.Region] = includes
