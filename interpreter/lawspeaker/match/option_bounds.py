"""Computes a static upper bound on the number of options of any question.

The bound follows from the rules and the number of players: a part has at most as many values as
its type, equal pieces in one place count once, and sets are counted up to equal members. It is
never too low, and may be too high, since conditions are ignored. It sizes the action space of
environments.
"""

from __future__ import annotations

from collections import Counter

from lawspeaker import ir
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.walk import everything
from lawspeaker.position.layout import Layout
from lawspeaker.position.sizes import SizedBounds


def most_options(layout: Layout) -> int:
    """The maximum number of options of any question; the machine faults beyond its own limit."""
    bounds = SizedBounds(layout)
    nodes = everything(tuple(clause.body for clause in layout.program.clauses))
    offered = (_offers(bounds, node) for node in nodes if isinstance(node, ir.Ask))
    return max((min(MOST_OPTIONS, each) for each in offered), default=0)


def _offers(bounds: SizedBounds, ask: ir.Ask) -> int:
    total = 0 if ask.must else 1
    for alternative in ask.alternatives:
        ways = 1
        for part in alternative.parts:
            ways *= _part(bounds, part)
        total += ways
    return total


def _part(bounds: SizedBounds, part: ir.Part) -> int:
    """Number of values of a part: its things, or sets of them."""
    groups = _things(bounds, part.binder)
    if groups is None:
        return MOST_OPTIONS
    if not part.several:
        return len(groups)
    most = sum(groups)
    if part.most is not None:
        most = max(0, min(most, bounds.number(part.most)[1]))
    return _sets(groups, most)


def _things(bounds: SizedBounds, binder: ir.Binder) -> list[int] | None:
    """Multiplicities of distinguishable things; None if there are too many."""
    layout, of = bounds.layout, binder.type
    if isinstance(of, ir.PieceType):
        pieces = layout.pieces_of[of.index]
        if _tells_apart(layout, of, binder.source):
            return [1] * len(pieces)
        return list(Counter(layout.alike[piece] for piece in pieces).values())
    number = min(bounds.members(binder.source), bounds.things(of))
    return None if number > MOST_OPTIONS else [1] * number


def _tells_apart(layout: Layout, of: ir.PieceType, source: ir.Expr) -> bool:
    """Whether equal pieces can be different options: by place, order or state."""
    if layout.state_at[of.index] or not isinstance(source, ir.Contents):
        return True
    place = source.place.type
    return not isinstance(place, ir.PlaceType) or (
        layout.program.families[place.index].arranged == "row"
    )


def _sets(groups: list[int], most: int) -> int:
    """Number of multisets of up to `most` members with these multiplicities."""
    by_size = [1] + [0] * most
    for count in groups:
        by_size = [
            sum(by_size[size - taken] for taken in range(min(count, size) + 1))
            for size in range(most + 1)
        ]
        if sum(by_size) > MOST_OPTIONS:
            return MOST_OPTIONS
    return sum(by_size)
