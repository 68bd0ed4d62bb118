"""Everything that has a value."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.types import Type

Constant = int | bool | None


@dataclass(frozen=True, slots=True)
class Expr:
    type: Type
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Const(Expr):
    value: Constant


@dataclass(frozen=True, slots=True)
class Local(Expr):
    """A slot of the running clause or function."""

    slot: int
    name: str


@dataclass(frozen=True, slots=True)
class MarkerValue(Expr):
    """What a marker shows; `indices` say which of its entries, if it has several.

    A fault when an index is out of range, as it is for attributes.
    """

    marker: int
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ScoreOf(Expr):
    player: Expr


@dataclass(frozen=True, slots=True)
class ChoiceValue(Expr):
    """A named choice that is one value (for this number of players)."""

    choice: int


@dataclass(frozen=True, slots=True)
class ChoiceItem(Expr):
    """Item `at` (counted from 1) of a named choice that is a list.

    Outside the list: the choice's `beyond` value, or a fault when it has none.
    """

    choice: int
    at: Expr


@dataclass(frozen=True, slots=True)
class WordColumn(Expr):
    """The value in a column of a word set, for one of its words."""

    word_set: int
    column: int
    of: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class KindColumn(Expr):
    """A fixed attribute of a piece, or of a kind when `of` is a kind."""

    piece: int
    column: int
    of: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceState(Expr):
    """A changing attribute of a piece."""

    piece: int
    state: int
    of: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class KindOf(Expr):
    of: Expr


@dataclass(frozen=True, slots=True)
class OwnerOf(Expr):
    """The player whose piece or place this is."""

    of: Expr


@dataclass(frozen=True, slots=True)
class PlaceAt(Expr):
    """The place of a family with these indices; a fault when an index is out of range."""

    family: int
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PlaceIndex(Expr):
    """One of the indices of a place."""

    family: int
    position: int
    of: Expr


@dataclass(frozen=True, slots=True)
class PlaceOf(Expr):
    """Where a piece is; nothing, if it is not in a place of that family."""

    family: int
    of: Expr


@dataclass(frozen=True, slots=True)
class Contents(Expr):
    """The pieces in a place, bottom first."""

    place: Expr


@dataclass(frozen=True, slots=True)
class ItemOf(Expr):
    """Piece number `at` of a place, counted from 1 at the bottom, or member number `at` of a
    set; a fault when there is none."""

    place: Expr
    at: Expr


@dataclass(frozen=True, slots=True)
class TopOf(Expr):
    """The last piece of a place, or nothing."""

    place: Expr


@dataclass(frozen=True, slots=True)
class Domain(Expr):
    """Everything of a type: the players who play, all pieces of a type, all places of a
    family, all words of a set, all kinds, all numbers of a named range."""

    of: Type


@dataclass(frozen=True, slots=True)
class PlayersFrom(Expr):
    """The players who play, clockwise from one of them."""

    start: Expr


@dataclass(frozen=True, slots=True)
class Neighbour(Expr):
    """The next player who plays, `step` seats to the left (negative: to the right)."""

    player: Expr
    step: int


@dataclass(frozen=True, slots=True)
class SideOf(Expr):
    """The side that a player is on."""

    player: Expr


@dataclass(frozen=True, slots=True)
class PlayersOf(Expr):
    """The players who play on a side, in the order of seats."""

    side: Expr


@dataclass(frozen=True, slots=True)
class PartnersOf(Expr):
    """The players who play on the side of a player, without this one."""

    player: Expr


@dataclass(frozen=True, slots=True)
class Playing(Expr):
    """Whether a seat is taken in this match."""

    player: Expr


@dataclass(frozen=True, slots=True)
class PlayerCount(Expr):
    pass


@dataclass(frozen=True, slots=True)
class NumberOf(Expr):
    """The number (counted from 1) of a player or a word."""

    of: Expr


@dataclass(frozen=True, slots=True)
class Range(Expr):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CallFunction(Expr):
    function: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(Expr):
    operand: Expr


@dataclass(frozen=True, slots=True)
class And(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """`operator` is one of < <= > >= for numbers, and = for anything (nothing equals nothing)."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Expr):
    """`operator` is + - * or one of smaller, larger, remainder."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Divide(Expr):
    """Division rounded up or down (towards more, towards less); by zero it is a fault."""

    left: Expr
    right: Expr
    up: bool


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Includes(Expr):
    """Whether a set holds a thing."""

    set: Expr
    item: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty(Expr):
    set: Expr


@dataclass(frozen=True, slots=True)
class Combine(Expr):
    """Two sets put together, each member once; or the first without what is in the second."""

    left: Expr
    right: Expr
    without: bool


@dataclass(frozen=True, slots=True)
class Binder:
    """Takes the members of `source` one by one into a slot, those for which `where` holds."""

    slot: int
    name: str
    type: Type
    source: Expr
    where: Expr | None
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Subsets(Expr):
    """The sets that can be made of the members of another one: at least one member, at least and at
    most so many. Only binders go through them: by size, then in the order of the members.

    A fault, if there are more than `ir.cost.MOST_OPTIONS`.
    """

    least: Expr | None
    most: Expr | None
    source: Expr
    largest_first: bool = False


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    """Whether the binder finds anything; the first found stays in its slot."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Every(Expr):
    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class Count(Expr):
    binder: Binder


@dataclass(frozen=True, slots=True)
class SumOf(Expr):
    """The values added up; with `product`, multiplied. Of none at all that is 0, or 1."""

    binder: Binder
    value: Expr
    product: bool = False


@dataclass(frozen=True, slots=True)
class Extreme(Expr):
    """The highest or lowest value; `otherwise` when there is none (None: a fault)."""

    binder: Binder
    value: Expr
    highest: bool
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Filter(Expr):
    """The set of what the binder finds."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Collect(Expr):
    """The values for what the binder finds, in order; with `different`, each value once."""

    binder: Binder
    value: Expr
    different: bool = False


@dataclass(frozen=True, slots=True)
class The(Expr):
    """The first thing the binder finds; a fault when there is none."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Supposing(Expr):
    """A condition as it would be if a piece lay on top of a place; then all is as before."""

    piece: Expr
    place: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class SupposingDone(Expr):
    """A condition as it would be if a clause were done; then all is as before. The clause, with all
    that it does, asks nothing, leaves nothing to luck, tells nothing and does not end the game."""

    clause: int
    arguments: tuple[Expr, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Appearances(Expr):
    """How often a position was remembered that is as it is now."""

    position: int


@dataclass(frozen=True, slots=True)
class Possible(Expr):
    """Whether the question with which a clause begins has anything to choose from."""

    clause: int
    arguments: tuple[Expr, ...]


# ---------------------------------------------------------------- grids


@dataclass(frozen=True, slots=True)
class Around(Expr):
    """The places of a grid that share a side with one; with `diagonal` also a corner. On a board
    with lines, those beside it on a line."""

    family: int
    of: Expr
    diagonal: bool


@dataclass(frozen=True, slots=True)
class Along(Expr):
    """Of a network: what a connection joins, in its order, or the connections of what it joins.
    Of a board with lines: the points of a line, or the numbers of the lines through a point."""

    network: int
    of: Expr


@dataclass(frozen=True, slots=True)
class FarEnd(Expr):
    """The other end of a connection, as seen from one of its ends; nothing from anywhere else."""

    network: int
    of: Expr
    connection: Expr


@dataclass(frozen=True, slots=True)
class Beside(Expr):
    """The place so many columns to the right and rows down; nothing, off the board.

    On a grid that grows there is always a place; beyond its bounds it is a fault.
    """

    family: int
    of: Expr
    across: Expr
    down: Expr


@dataclass(frozen=True, slots=True)
class Occupied(Expr):
    """The places of a grid in which there is a piece, in order."""

    family: int


@dataclass(frozen=True, slots=True)
class OpenPlaces(Expr):
    """The empty places of a grid that share a side with one in which there is a piece."""

    family: int


@dataclass(frozen=True, slots=True)
class Walk(Expr):
    """The places from (not with) a start, step by step, as long as a condition holds.

    The binder's source is the start, its `where` the condition, which is asked of each place.
    """

    binder: Binder
    family: int
    across: Expr
    down: Expr


@dataclass(frozen=True, slots=True)
class Region(Expr):
    """What one comes to from a start, step by step, as long as a condition holds, with the start.

    `standing` goes through all that was reached, the start first, then what was reached first;
    `step` takes from there what is next, and has the condition, which is asked once of each. The
    value is in the order of numbers, so that it is the same from wherever one begins.
    """

    standing: Binder
    step: Binder


@dataclass(frozen=True, slots=True)
class Border(Expr):
    """The places of a grid around those of a set, as `Around` has them, but for the set itself; in
    the order of their numbers."""

    family: int
    of: Expr
    diagonal: bool


@dataclass(frozen=True, slots=True)
class PathLength(Expr):
    """The length of a path over the connections that the binder finds: what its connections are
    worth together, each at least 0. A path goes from one of `start` to one of `goal`; None is
    anything. `longest`: the longest of all, in which each connection is once, and with `apart` each
    thing that is joined, too; 0, if there is none. Otherwise the shortest, or `otherwise`.
    """

    network: int
    start: Expr | None
    goal: Expr | None
    binder: Binder
    value: Expr
    longest: bool
    apart: bool
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class EndOf(Expr):
    """The first or the last member of a set, or nothing."""

    set: Expr
    last: bool
