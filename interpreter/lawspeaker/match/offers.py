"""How many options a question can offer at the most, told before anything is played.

The bound follows from the rules and the number of players: a part of a choice cannot be more
than there is of its type, pieces that look the same in one place are one thing to choose, and a
set is counted by what can be told apart in it. It is never too low, and may be too high, since
conditions are not looked at. Whoever needs a table of fixed size for choices takes it from here.
"""

from __future__ import annotations

from collections import Counter

from lawspeaker import ir
from lawspeaker.ir.types import NumberType, PieceType, PlaceType
from lawspeaker.ir.walk import everything
from lawspeaker.machines.reference.questions import MOST_OPTIONS
from lawspeaker.position.layout import Layout


def most_options(layout: Layout) -> int:
    """The most options that any question of the game offers; the machine faults beyond its own."""
    nodes = everything(tuple(clause.body for clause in layout.program.clauses))
    questions = (node for node in nodes if isinstance(node, ir.Ask))
    return max((min(MOST_OPTIONS, _offers(layout, ask)) for ask in questions), default=0)


def _offers(layout: Layout, ask: ir.Ask) -> int:
    total = 0 if ask.must else 1
    for alternative in ask.alternatives:
        ways = 1
        for part in alternative.parts:
            ways *= _part(layout, part)
        total += ways
    return total


def _part(layout: Layout, part: ir.Part) -> int:
    """What a part can be: its things, or the sets of them."""
    groups = _things(layout, part.binder)
    if groups is None:
        return MOST_OPTIONS
    if not part.several:
        return len(groups)
    most = None if part.most is None else highest(layout, part.most)
    return _sets(groups, sum(groups) if most is None else max(0, min(most, sum(groups))))


def _things(layout: Layout, binder: ir.Binder) -> list[int] | None:
    """How many there are of each thing that can be told apart; None when nobody can tell."""
    of, source = binder.type, binder.source
    if isinstance(of, PieceType):
        pieces = layout.pieces_of[of.index]
        if _tells_apart(layout, of, source):
            return [1] * len(pieces)
        return list(Counter(layout.alike[piece] for piece in pieces).values())
    if isinstance(of, NumberType) and not of.listed:
        size = _size(layout, source)
        return None if size is None else [1] * size
    everything = len(layout.domain(of))
    size = _size(layout, source)
    return [1] * (everything if size is None else min(size, everything))


def _tells_apart(layout: Layout, of: PieceType, source: ir.Expr) -> bool:
    """Whether equal pieces can be different things to choose: by place, order or state."""
    if layout.state_at[of.index] or not isinstance(source, ir.Contents):
        return True
    place = source.place.type
    return not isinstance(place, PlaceType) or (
        layout.program.families[place.index].arranged == "row"
    )


def _size(layout: Layout, source: ir.Expr) -> int | None:
    """The most members of a set, if its making tells more than the type of its members."""
    match source:
        case ir.Occupied(family=family):
            return _pieces_on(layout, family)
        case ir.OpenPlaces(family=family):
            # n squares that hang together border on 2n + 2 others at the most, apart on 4n.
            return 4 * _pieces_on(layout, family)
        case ir.Around(diagonal=diagonal):
            return 8 if diagonal else 4
        case ir.Combine(left=left, right=right, without=without):
            one, two = _size(layout, left), _size(layout, right)
            if without or one is None:
                return one
            return None if two is None else one + two
        case ir.Range(low=ir.Const(value=int(low)), high=high):
            top = highest(layout, high)
            return None if top is None else max(0, top - low + 1)
        case ir.ListOf(items=items):
            return len(items)
        case ir.Filter(binder=binder):
            return _size(layout, binder.source)
        case ir.Collect(binder=binder):
            groups = _things(layout, binder)
            return None if groups is None else sum(groups)
        case _:
            return None


def _pieces_on(layout: Layout, family: int) -> int:
    return len(layout.pieces_of[layout.program.families[family].holds])


def highest(layout: Layout, expr: ir.Expr) -> int | None:
    """A number that the expression is never above, if one can be told."""
    match expr:
        case ir.Const(value=int(value)):
            return value
        case ir.PlayerCount():
            return layout.players
        case ir.ChoiceValue(choice=number):
            choice = layout.program.choices[number]
            chosen = choice.values[layout.players - layout.program.fewest]
            return chosen if isinstance(chosen, int) else None
        case ir.Count(binder=binder):
            groups = _things(layout, binder)
            return None if groups is None else sum(groups)
        case ir.Arithmetic(operator="smaller", left=left, right=right):
            known = [
                top for top in (highest(layout, left), highest(layout, right)) if top is not None
            ]
            return min(known, default=None)
        case ir.Arithmetic(operator="larger" | "+" as operator, left=left, right=right):
            one, two = highest(layout, left), highest(layout, right)
            if one is None or two is None:
                return None
            return one + two if operator == "+" else max(one, two)
        case ir.Conditional(then=then, otherwise=otherwise):
            one, two = highest(layout, then), highest(layout, otherwise)
            return None if one is None or two is None else max(one, two)
        case _:
            of = expr.type
            return of.high if isinstance(of, NumberType) and of.listed else None


def _sets(groups: list[int], most: int) -> int:
    """How many sets of up to `most` members there are, equals being interchangeable."""
    by_size = [1] + [0] * most
    for count in groups:
        by_size = [
            sum(by_size[size - taken] for taken in range(min(count, size) + 1))
            for size in range(most + 1)
        ]
        if sum(by_size) > MOST_OPTIONS:
            return MOST_OPTIONS
    return sum(by_size)
