"""The abstract syntax tree (AST) of code, as parsed: names unresolved, types unknown.

The last field of each node is its span; it does not count for equality. A chain (`strength of owner
of piece on hill`) is flat here: which word takes which operand depends on the meanings of the
words, so the checker decides it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.base.trees import Walker


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr:
    """Base class of expressions."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Binder:
    """`noun as name in source from start except some where condition`: binds a name to a member of
    a set."""

    noun: Name
    alias: Name | None
    source: Expr | None
    start: Expr | None
    where: Expr | None
    without: Expr | None = None
    size: Size | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Size:
    """`combination of 3 …`: the binder ranges over subsets, of this size."""

    quantity: str
    number: Expr | None
    largest_first: bool = False


@dataclass(frozen=True, slots=True)
class Number(Expr):
    value: int


@dataclass(frozen=True, slots=True)
class Truth(Expr):
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Expr):
    pass


@dataclass(frozen=True, slots=True)
class Word(Expr):
    """A bare name: a variable, a word of a set, a place, a choice, a marker."""

    name: Name


@dataclass(frozen=True, slots=True)
class Call(Expr):
    name: Name
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Chain(Expr):
    head: Expr
    links: tuple[tuple[Name, Expr], ...]


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Expr):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


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
    """`left < right` and its like; `=` compares numbers only."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Is(Expr):
    """`left is right`: equality, kind membership, or a predicate."""

    left: Expr
    right: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsIn(Expr):
    left: Expr
    right: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Arithmetic(Expr):
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Divide(Expr):
    left: Expr
    right: Expr
    rounding: str


@dataclass(frozen=True, slots=True)
class Negate(Expr):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    binder: Binder
    negated: bool


@dataclass(frozen=True, slots=True)
class Every(Expr):
    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class Supposing(Expr):
    piece: Expr
    place: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class SupposingDone(Expr):
    """`supposing capturing(stone), …`: supposes that a clause was done."""

    done: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Count(Expr):
    binder: Binder


@dataclass(frozen=True, slots=True)
class CountThese(Expr):
    """`count of line of cell along axis`: the size of a set."""

    set: Expr


@dataclass(frozen=True, slots=True)
class SumOf(Expr):
    """`sum of value for each binder`, or the `product`."""

    value: Expr
    binder: Binder
    product: bool = False


@dataclass(frozen=True, slots=True)
class Extreme(Expr):
    which: str
    value: Expr
    binder: Binder
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Collect(Expr):
    value: Expr
    binder: Binder
    different: bool = False


@dataclass(frozen=True, slots=True)
class All(Expr):
    binder: Binder


@dataclass(frozen=True, slots=True)
class The(Expr):
    binder: Binder


@dataclass(frozen=True, slots=True)
class Walk(Expr):
    """`walk from start along direction to each cell while condition`."""

    noun: Name
    alias: Name | None
    start: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Region(Expr):
    """`region from start by steps to each cell while condition`."""

    noun: Name
    alias: Name | None
    start: Expr
    steps: Expr | None
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class PathLength(Expr):
    """`longest path of value from start through different nodes over connections`."""

    longest: bool
    value: Expr | None
    start: Expr | None
    goal: Expr | None
    nodes: Name | None
    binder: Binder
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class PathExists(Expr):
    """`there is a path from start to goal over connections`."""

    start: Expr
    goal: Expr
    binder: Binder
    negated: bool


@dataclass(frozen=True, slots=True)
class Value:
    """The code of a defined value: `let` lines, then the result."""

    lets: tuple[Let, ...]
    result: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Header:
    """`strength of player on hill`, `prize(place, many)`, or the predicate `field is free`."""

    name: Name
    prepositions: tuple[Name, ...]
    parameters: tuple[Name, ...]
    predicate: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# ---------------------------------------------------------------- deeds


@dataclass(frozen=True, slots=True)
class Statement:
    """Base class of statements."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Let(Statement):
    name: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class Becomes(Statement):
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Scores(Statement):
    who: Expr
    points: Expr
    loses: bool


@dataclass(frozen=True, slots=True)
class Move(Statement):
    """`move PIECES to PLACE`; the pieces are named by an expression."""

    what: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class MoveSome(Statement):
    """`move QUANTITY BINDER to PLACE`; `most` None means all."""

    binder: Binder
    exactly: bool
    most: Expr | None
    to: Expr


@dataclass(frozen=True, slots=True)
class Draw(Statement):
    count: Expr | None
    noun: Name
    alias: Name | None
    source: Expr
    to: Expr
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    place: Expr


@dataclass(frozen=True, slots=True)
class Remember(Statement):
    position: Name


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    binder: Binder


@dataclass(frozen=True, slots=True)
class Tell(Statement):
    """`tell everyone whether a > b`, `show card to ben`; `who` None means everyone."""

    who: Expr | None
    what: Expr
    whether: bool = field(default=False, compare=False)
    shows: bool = False


@dataclass(frozen=True, slots=True)
class Do(Statement):
    name: Name
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Offer(Statement):
    """Opens a window. `let` names what was played, or nothing. `any` are the players of whom the
    first to play something counts, if it is offered to several."""

    window: Name
    to: Expr | None
    must: bool = False
    then: Block | None = None
    otherwise: Block | None = None
    let: Name | None = None
    any: Binder | None = None


@dataclass(frozen=True, slots=True)
class Plays(Statement):
    """`active plays card as action`; `again`: only its effect, without moving it."""

    who: Expr
    what: Expr
    window: Name | None
    again: bool


@dataclass(frozen=True, slots=True)
class Finish(Statement):
    pass


@dataclass(frozen=True, slots=True)
class Outcome(Statement):
    value: Expr


@dataclass(frozen=True, slots=True)
class Skip(Statement):
    pass


@dataclass(frozen=True, slots=True)
class CannotHappen(Statement):
    """The only statement after `otherwise`: asserts that there is always a legal answer."""


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    pass


@dataclass(frozen=True, slots=True)
class Wins(Statement):
    who: Expr


@dataclass(frozen=True, slots=True)
class If(Statement):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    binder: Binder
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    times: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class RepeatUntil(Statement):
    """`first`: a pre-condition, tested before each round. `quietly`: stopping after the maximal
    number of rounds is no fault."""

    condition: Expr
    most: Expr | None
    body: Block
    first: bool = False
    quietly: bool = False


@dataclass(frozen=True, slots=True)
class Rank(Statement):
    """`rank binder by key, then by key, which first`: later keys break ties."""

    binder: Binder
    keys: tuple[Expr, ...]
    which: str
    body: Block


# ---------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer; `least`/`most` are set when a set is chosen. The quantity is one of:
    one, any, up_to, at_least, exactly, path, each. With `each`, one is chosen for each of the
    `receivers`."""

    binder: Binder
    quantity: str
    number: Expr | None
    receivers: Binder | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Enough:
    """Of answers that differ only in this part and agree on all of `same`, only the first
    counts."""

    part: Name
    same: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Guard:
    name: Name
    condition: Expr | Enough
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Case:
    """The condition of a guard for alternatives with these labels; without any, for all others."""

    labels: tuple[Name, ...]
    condition: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class GuardByCase:
    """A guard of the whole question with different conditions per alternative."""

    name: Name
    cases: tuple[Case, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Alternative:
    label: Name | None
    parts: tuple[Part, ...]
    guards: tuple[Guard, ...]
    then: Block | None
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Ask(Statement):
    """A question. `who` is one player; `each` the players asked simultaneously and in secret; with
    `first` only the first who acts counts. `open` is true for the forms without `one of`, whose
    answer stays in scope afterwards. `common` are the guards of all alternatives."""

    who: Expr | None
    each: Binder | None
    must: bool
    open: bool
    alternatives: tuple[Alternative, ...]
    otherwise: Block | None
    common: tuple[Guard | GuardByCase, ...] = ()
    first: bool = False


WALKER = Walker(
    *(Name, Expr, Binder, Size, Value, Header, Statement, Part, Enough, Guard, Case, GuardByCase),
    Alternative,
    Expr,
    Binder,
    Size,
    Value,
    Header,
    Statement,
    Part,
    Enough,
    Guard,
    Case,
    GuardByCase,
    Alternative,
)
"""Walks the nodes of this AST."""
