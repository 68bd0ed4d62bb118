"""Expression nodes of the IR."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.types import Type

Constant = int | bool | None


@dataclass(frozen=True, slots=True)
class Expr:
    """Base class of expressions; each has a type and a source position."""

    type: Type
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A constant."""

    value: Constant


@dataclass(frozen=True, slots=True)
class Local(Expr):
    """A slot of the running clause or function."""

    slot: int
    name: str


@dataclass(frozen=True, slots=True)
class MarkerValue(Expr):
    """The value of a marker; `indices` select an entry, if it has several.

    A fault if an index is out of range, as it is for attributes.
    """

    marker: int
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ScoreOf(Expr):
    """The points of a player."""

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
    """The value of a column of a word set, for one of its words."""

    word_set: int
    column: int
    of: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class KindColumn(Expr):
    """A constant attribute of a piece, or of a kind if `of` is a kind."""

    piece: int
    column: int
    of: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceState(Expr):
    """A mutable attribute of a piece."""

    piece: int
    state: int
    of: Expr
    indices: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class KindOf(Expr):
    """The kind of a piece."""

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
    """The place of a piece; nothing, if it is not in a place of that family."""

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
    """The players of a side, in the order of seats."""

    side: Expr


@dataclass(frozen=True, slots=True)
class PartnersOf(Expr):
    """The players on the side of a player, without this one."""

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
    """The numbers from `low` to `high`."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    """A list of items."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CallFunction(Expr):
    """A call of a definition."""

    function: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """Logical negation."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class And(Expr):
    """Logical conjunction, evaluated from left to right (short-circuit)."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Expr):
    """Logical disjunction, evaluated from left to right (short-circuit)."""

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
    """`operator` is + - * or one of smaller, larger, difference, remainder."""

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
    """One of two values, by a condition."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Includes(Expr):
    """Whether a set contains a thing."""

    set: Expr
    item: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty(Expr):
    """Whether a set has no members."""

    set: Expr


@dataclass(frozen=True, slots=True)
class Combine(Expr):
    """The union of two sets, each member once; or the difference."""

    left: Expr
    right: Expr
    without: bool


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds the members of `source` to a slot one by one, those for which `where` holds."""

    slot: int
    name: str
    type: Type
    source: Expr
    where: Expr | None
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Subsets(Expr):
    """The combinations of the members of a set: at least one member, at least and at most so many.
    Only binders iterate over them: by size, then in the order of the members.

    A fault, if there are more than `ir.subsets.MOST_OPTIONS`.
    """

    least: Expr | None
    most: Expr | None
    source: Expr
    largest_first: bool = False


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    """Whether the binder finds a member; the first one stays in its slot."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Every(Expr):
    """Whether a condition holds for every member of the binder."""

    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class Count(Expr):
    """The number of members of the binder."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class SumOf(Expr):
    """The sum of the values; with `product`, their product. Of no values it is 0, or 1."""

    binder: Binder
    value: Expr
    product: bool = False


@dataclass(frozen=True, slots=True)
class Extreme(Expr):
    """The highest or lowest value; `otherwise` if there is none (None: a fault)."""

    binder: Binder
    value: Expr
    highest: bool
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Filter(Expr):
    """The set of the binder's members."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Collect(Expr):
    """The values for the binder's members, in order; with `different`, each value once."""

    binder: Binder
    value: Expr
    different: bool = False


@dataclass(frozen=True, slots=True)
class The(Expr):
    """The first member of the binder; a fault if there is none."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Supposing(Expr):
    """A condition after a hypothetical move of a piece to the top of a place, which is undone."""

    piece: Expr
    place: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class SupposingDone(Expr):
    """A condition after a hypothetical execution of a clause, which is undone. The clause, with all
    that it calls, asks nothing, has no chance nodes, announces nothing and does not end the
    game."""

    clause: int
    arguments: tuple[Expr, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Appearances(Expr):
    """The number of remembered positions that equal the present one."""

    position: int


@dataclass(frozen=True, slots=True)
class Possible(Expr):
    """Whether the question that opens a clause has any option."""

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
    """In a network: the ends of a connection, in order, or the connections of an end. On a board
    with lines: the points of a line, or the numbers of the lines through a point."""

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
    """The occupied places of a grid, in order."""

    family: int


@dataclass(frozen=True, slots=True)
class OpenPlaces(Expr):
    """The empty places of a grid that share a side with an occupied one."""

    family: int


@dataclass(frozen=True, slots=True)
class Walk(Expr):
    """The places from (excluding) a start, step by step, as long as a condition holds.

    The binder's source is the start, its `where` the condition, which is tested for each place.
    """

    binder: Binder
    family: int
    across: Expr
    down: Expr


@dataclass(frozen=True, slots=True)
class Region(Expr):
    """The set reachable from a start by steps that meet a condition, including the start.

    `standing` iterates over the reached things breadth-first; `step` follows from each, and has the
    condition, which is tested once per thing. The value is in the order of numbers, so that it does
    not depend on the start.
    """

    standing: Binder
    step: Binder


@dataclass(frozen=True, slots=True)
class Border(Expr):
    """The neighbours of a set of places, as by `Around`, without the set itself; in the order of
    their numbers."""

    family: int
    of: Expr
    diagonal: bool


@dataclass(frozen=True, slots=True)
class PathLength(Expr):
    """The length of a path over the connections of the binder: the sum of their values, each at
    least 0. A path goes from one of `start` to one of `goal`; None is anything. `longest`: the
    longest of all paths that use each connection once, and with `apart` each node once, too; 0, if
    there is none. Otherwise the shortest, or `otherwise`."""

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
