"""Generates regions (sets reachable by steps) and borders of sets of places.

The search keeps two bit sets: of the things reached, and of those tested. Reached things are
processed in the order found, since a condition may fault, and the first fault counts; afterwards
the bit set gives them in the order of numbers. For a region whose steps lead to neighbours, the
border is what was tested and is not in it.

On a board represented by masks, a condition that can be evaluated for all places at once is (see
`whole_board`): the region is then a flood fill by shifts of all its bits. Consumers use the bits
without a list (`masks.AS_BITS`).
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.dependence import PaidValue
from lawspeaker.machines.compiled.compile import masks, members, neighbours, value_calls
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.members import Body
from lawspeaker.machines.compiled.compile.small_boards import bits_of
from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.middle import forms
from lawspeaker.machines.middle.forms import I64, Expr, Variable, long, long_at, not_, word
from lawspeaker.machines.planned.sets import Flood, Searched

_FEW = 8
"""At most so many words are cleared one by one."""


class Row:
    """A bit set over the things of a type: in a variable if they are few, else in the arena."""

    def __init__(self, c: Code, of: ir.Type) -> None:
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
        """Returns whether the bit of a thing is set."""
        return ((self._of(thing) >> self._bit(thing)) & 1).to_word()

    def add(self, thing: Expr) -> None:
        if self.one is not None:
            self.c.f.set(self.one, self.one | long(1) << self._bit(thing))
            return
        place = self.c.f.let("word", self._place(thing))
        self.c.f.set(long_at(place), long_at(place) | long(1) << self._bit(thing))

    def add_unless_there(self, thing: Expr, there: forms.Label) -> None:
        """Sets the bit of a thing; branches to `there` if it is set already."""
        f, bit = self.c.f, self.c.f.let("bit", long(1) << self._bit(thing))
        place = None if self.one is not None else f.let("word", self._place(thing))
        row = self.one if place is None else long_at(place)
        assert isinstance(row, Variable | forms.Load)
        old = f.let("old", row)
        f.leave(there, old & bit != 0)
        f.set(row, old | bit)

    def _bit(self, thing: Expr) -> Expr:
        return (thing - self.first).to_long()

    def _place(self, thing: Expr) -> Expr:
        return self.at + ((thing - self.first) >> 6 << 3)

    def _of(self, thing: Expr) -> Expr:
        return long_at(self._place(thing)) if self.one is None else self.one


def _numbers(c: Code, of: ir.Type) -> tuple[int, int]:
    """Returns the number of the first thing of a type, and how many there are."""
    if isinstance(of, ir.PlayerType):  # rules can also name an absent player
        return 0, max(len(c.program.player_names), c.layout.players)
    domain = c.layout.domain(of)
    return (domain[0], len(domain)) if domain else (0, 1)


class Filled:
    """A bit set of the places of a board, in variables."""

    def __init__(self, first: int, bits: wide.WideBits) -> None:
        self.first = first
        self.bits = bits

    def has(self, thing: Expr) -> Expr:
        return wide.has(self.bits, thing - self.first)


# ---------------------------------------------------------------- regions


def each_reached(c: Code, source: ir.Region, local: Variable, body: Body) -> None:
    """Iterates over the members of a region, in the order of numbers."""
    inside, _ = _reached(c, source)
    _each(c, inside, None, local, body)


def size(c: Code, source: ir.Region) -> Expr:
    """Returns the number of members of a region."""
    plan = c.unit.sets.region(source, c.names)
    if isinstance(plan, Flood):
        return wide.count(_flooded(c, source, plan)[0].bits)
    queue, end = _gone_through(c, source, plan, Row(c, source.step.type))
    return (end - queue) >> 2


def includes(c: Code, source: ir.Region, thing: Variable) -> Expr:
    """Returns whether something belongs to a region."""
    return _reached(c, source)[0].has(thing)


def _reached(c: Code, source: ir.Region) -> tuple[Row | Filled, Row | Filled]:
    """Returns the members of a region, and all that was tested for membership."""
    plan = c.unit.sets.region(source, c.names)
    if isinstance(plan, Flood):
        return _flooded(c, source, plan)
    f, inside, asked = c.f, Row(c, source.step.type), Row(c, source.step.type)
    at, end = _gone_through(c, source, plan, asked)
    with f.while_(at != end):
        inside.add(f.let("reached", word(at)))
        f.add(at, 4)
    return inside, asked


def bits(c: Code, source: ir.Region) -> wide.WideBits:
    """Returns the members of a region as bits."""
    return _as_bits(_reached(c, source)[0])


def bordering(c: Code, source: ir.Border) -> wide.WideBits:
    """Returns the border of a set as bits."""
    inside, near = _inside_and_near(c, source)
    return _as_bits(near) & ~_as_bits(inside)


def _as_bits(row: Row | Filled) -> wide.WideBits:
    if isinstance(row, Filled):
        return row.bits
    if row.one is not None:
        return wide.WideBits(row.one)
    return wide.WideBits(*(long_at(row.at, 8 * number) for number in range(row.words)))


def _gone_through(
    c: Code, source: ir.Region, plan: Searched, asked: Row
) -> tuple[Variable, Variable]:
    """Searches a region breadth-first; returns the begin and the end of the list of its members, in
    the order found."""
    f, standing, step = c.f, source.standing, source.step
    _settle(c, plan)
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
            c.unless(plan.condition, refused)
            reach()

    members.each(c, standing.source, there, begin)
    at = f.let("at", queue)
    with f.while_(at != end):
        f.set(here, word(at))
        f.add(at, 4)
        with c.scoped():
            members.each(c, step.source, there, ask)
    return queue, end


def _settle(c: Code, plan: Flood | Searched) -> None:
    """Evaluates what does not depend on where a step leads (loop-invariant)."""
    for slot, value in plan.settled:
        c.f.set(c.slot(slot), c.scoped_value(value))


def _flooded(c: Code, source: ir.Region, plan: Flood) -> tuple[Filled, Filled]:
    """Computes a region by flood fill; returns its bits, and the bits of its last neighbourhood."""
    f = c.f
    _settle(c, plan)
    words, first = plan.places.words, plan.places.first
    there = c.slot(source.step.slot)
    inside = wide.let(f, "inside", wide.known(0, words))

    def begin() -> None:
        wide.set_to(f, inside, inside | wide.one(there - first, words))

    members.each(c, source.standing.source, there, begin)
    open_ = wide.let(f, "open", bits_of(c, plan.fields, plan.over))
    near = wide.let(f, "near", inside)
    with f.loop() as growing:
        around = neighbours.of_all(plan.fields, plan.around, inside)
        wide.set_to(f, near, around)
        more = wide.let(f, "more", near & open_ & ~inside)
        f.leave(growing, not_(wide.some(more)))
        wide.set_to(f, inside, inside | more)
    if plan.paid is not None:
        c.pay_for_each(wide.count(inside), plan.paid.cost, plan.paid.span)
    return Filled(first, inside), Filled(first, near)


def _leads_around(source: ir.Region, border: ir.Border) -> bool:
    """Returns whether the steps of a region lead to the same neighbours as a border."""
    around = source.step.source
    match around.value if isinstance(around, PaidValue) else around:
        case ir.Around(of=ir.Local(slot=slot), diagonal=diagonal):
            return border.diagonal == diagonal and slot == source.standing.slot
    return False


# ---------------------------------------------------------------- borders


def each_bordering(c: Code, source: ir.Border, local: Variable, body: Body) -> None:
    """Iterates over the border of a set, in the order of place numbers."""
    inside, near = _inside_and_near(c, source)
    _each(c, near, inside, local, body)


def _inside_and_near(c: Code, source: ir.Border) -> tuple[Row | Filled, Row | Filled]:
    """Returns a set, and all neighbours of its members."""
    of, inner = c.meant(source.of), c
    opened = value_calls.opened(c, of) if isinstance(of, ir.CallFunction) else None
    if opened is not None:
        inner, of = opened
    if isinstance(of, ir.Region) and _leads_around(of, source):
        return _reached(inner, of)
    assert isinstance(source.type, ir.SetType)
    inside, near = Row(c, source.type.of), Row(c, source.type.of)
    _look_around(c, replace(source, of=of), inner, inside, near)
    return inside, near


def _look_around(c: Code, source: ir.Border, inner: Code, inside: Row, near: Row) -> None:
    """Marks the members of a set and the neighbours of each."""
    assert isinstance(source.type, ir.SetType)
    of, place, beside = source.type.of, c.unit.new_slot(), c.local()
    around = ir.Around(
        source.type, source.family, ir.Local(of, place, "place"), source.diagonal, span=source.span
    )

    def look() -> None:
        inside.add(c.slot(place))
        neighbours.each_around(c, around, beside, lambda: near.add(beside))

    members.each(inner, source.of, c.slot(place), look)


# ---------------------------------------------------------------- iteration over bits


def _each(
    c: Code, row: Row | Filled, without: Row | Filled | None, local: Variable, body: Body
) -> None:
    """Iterates over the bits of one set that are not in another."""
    f = c.f
    if isinstance(row, Filled):
        found = row.bits if without is None else row.bits & ~_as_bits(without)
        wide.each(f, local, found, row.first, body)
        return
    assert not isinstance(without, Filled)
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
    """Materialises a region or a border as a list."""
    return members.listed(c, expr)


members.SOURCES[ir.Region] = each_reached
members.SOURCES[ir.Border] = each_bordering
members.SIZES[ir.Region] = size
members.LOOKED_UP[ir.Region] = includes
masks.AS_BITS[ir.Region] = bits
masks.AS_BITS[ir.Border] = bordering
