"""Going through the combinations of a set: each is a mask over a list of the members.

The search is the one that options that are sets are found with (`subsets`), but here members that
look alike are each themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.dependence import Paid
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.types import LARGEST
from lawspeaker.machines.compiled.compile import members
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.kept_sets import Chosen
from lawspeaker.machines.compiled.runtime import subsets
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import I64, Expr, Variable, const, greater, lesser, not_, word
from lawspeaker.machines.planned.places import MASK_BITS

Body = Callable[[], None]


def of(source: ir.Expr) -> ir.Subsets | None:
    """The combinations that a binder goes through, if it does."""
    several = source.set if isinstance(source, Paid) else source
    return several if isinstance(several, ir.Subsets) else None


def each(c: Code, source: ir.Expr, slot: int, body: Body) -> None:
    """Does the body for each combination; its slot stands for it meanwhile."""
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
    """The list of the members, how many there are in a combination at least and at most, and how
    many combinations there are, which are not too many."""
    low, high = _sizes(c, several)
    listed = c.f.let("listed", c.value(several.source))
    c.f.set(high, lesser(high, word(listed)))
    return listed, low, high, _ways(c, several, word(listed), low, high)


def _sizes(c: Code, several: ir.Subsets) -> tuple[Variable, Variable]:
    """How many members there are in a combination at least, and at most."""
    f = c.f
    low, high = f.let("low", 1), f.let("high", LARGEST)
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
    """Through the combinations of the members of a list, which are `room` at most, of these sizes.
    `told_apart`: the type of pieces of which those that look the same are one.

    The slot itself is left alone: what is tried out here may not be what is chosen.
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
    """How many combinations there are."""
    low, high = _sizes(c, several)
    return _ways(c, several, members.size(c, several.source), low, high)


members.SIZES[ir.Subsets] = size
