"""Iterates over the combinations of a set, each a mask over a list of the members.

It uses the search for options that are sets (`subsets`), but treats members that look alike as
different.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.dependence import Paid
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.machines.compiled.compile import members
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Chosen
from lawspeaker.machines.compiled.runtime import subsets
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import I64, Expr, Variable, const, greater, lesser, not_, word
from lawspeaker.machines.planned.places import MASK_BITS

Body = Callable[[], None]


def of(source: ir.Expr) -> ir.Subsets | None:
    """Returns the combinations that a binder iterates over, or None."""
    several = source.set if isinstance(source, Paid) else source
    return several if isinstance(several, ir.Subsets) else None


def each(c: Code, source: ir.Expr, slot: int, body: Body) -> None:
    """Emits the body for each combination; its slot stands for it meanwhile."""
    several, f = of(source), c.f
    assert several is not None
    room = c.unit.bounds.members(several.source)
    listed, low, high, ways = _chosen_from(c, several)
    if isinstance(source, Paid):
        c.pay_for_each(ways, source.each, source.span)
    if not several.largest_first:
        of_sizes(c, room, (listed, low, high), slot, body)
        return
    size = f.let("size", high)
    with f.loop() as smaller:
        f.leave(smaller, size < low)
        of_sizes(c, room, (listed, size, size), slot, body)
        f.add(size, -1)


def _chosen_from(c: Code, several: ir.Subsets) -> tuple[Variable, Variable, Variable, Variable]:
    """Returns the list of the members, the least and the greatest size of a combination, and the
    number of combinations; too many are a fault."""
    low, high = _sizes(c, several)
    listed = c.f.let("listed", c.value(several.source))
    c.f.set(high, lesser(high, word(listed)))
    return listed, low, high, _ways(c, several, word(listed), low, high)


def _sizes(c: Code, several: ir.Subsets) -> tuple[Variable, Variable]:
    """Returns the least and the greatest size of a combination."""
    f = c.f
    low, high = f.let("low", 1), f.let("high", ir.LARGEST)
    if several.least is not None:
        f.set(low, greater(const(1), f.let("least", c.scoped_present(several.least))))
    if several.most is not None:
        f.set(high, c.scoped_present(several.most))
    return low, high


def _ways(c: Code, several: ir.Subsets, number: Expr, low: Expr, high: Expr) -> Variable:
    ways = c.f.let("ways", subsets.ways(c.unit)(number, low, high))
    c.fault_when(ways > MOST_OPTIONS, messages.TOO_MANY_COMBINATIONS, several.span)
    return ways


def of_sizes(
    c: Code,
    room: int,
    given: tuple[Variable, Variable, Variable],
    slot: int,
    body: Body,
    told_apart: int | None = None,
) -> None:
    """Iterates over the combinations of the given sizes of the members of a list of at most `room`.
    `told_apart`: the piece type of which pieces that look the same count as one.

    The slot itself is left alone: a combination that is tried may not be the one chosen.
    """
    f, (listed, low, high) = c.f, given
    control = c.reserve(subsets.words(room))
    f.do(subsets.begin(c.unit, told_apart), control, listed, low, high, room)
    search, by_mask = subsets.Search(control), room <= MASK_BITS
    mask, tried = f.variable("mask", I64), f.variable("tried")
    following = subsets.following_mask if by_mask else subsets.following
    with c.keeping(slot, Chosen(listed, mask) if by_mask else tried), f.loop() as trying:
        f.leave(trying, not_(following(c.unit)(control)))
        if by_mask:
            f.set(mask, search.mask)
        else:
            f.set(tried, search.result())
        body()


def size(c: Code, several: ir.Subsets) -> Expr:
    """Returns the number of combinations."""
    low, high = _sizes(c, several)
    return _ways(c, several, members.size(c, several.source), low, high)


members.SIZES[ir.Subsets] = size
