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
    """An identifier. Nodes with equal text are equal."""

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
    """An integer literal."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth(Expr):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Expr):
    """`nothing`, the absent value."""


@dataclass(frozen=True, slots=True)
class Word(Expr):
    """A bare name: a variable, a word of a set, a place, a choice, a marker."""

    name: Name


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """`name(arguments)`."""

    name: Name
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Chain(Expr):
    """`head of operand on operand …`, not resolved yet."""

    head: Expr
    links: tuple[tuple[Name, Expr], ...]


@dataclass(frozen=True, slots=True)
class ListOf(Expr):
    """`[item, …]`: a set given by its members."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Expr):
    """`low..high`."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    """`if condition then value else value`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Not(Expr):
    """`not operand`."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class And(Expr):
    """`left and right`."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Expr):
    """`left or right`, also the short form `a is b or c`."""

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
    """`left is in right`."""

    left: Expr
    right: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Arithmetic(Expr):
    """`left + right`, `left - right`, `left * right`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Divide(Expr):
    """`left / right rounded up`, or `rounded down`."""

    left: Expr
    right: Expr
    rounding: str


@dataclass(frozen=True, slots=True)
class Negate(Expr):
    """`-operand`."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    """`there is binder`, or `there is no binder`."""

    binder: Binder
    negated: bool


@dataclass(frozen=True, slots=True)
class Every(Expr):
    """`for every binder, condition`."""

    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class Supposing(Expr):
    """`supposing piece moves to place, condition`: a condition on the state after a move."""

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
    """`count of binder`."""

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
    """`highest of value for each binder`, or `lowest`, with an optional default."""

    which: str
    value: Expr
    binder: Binder
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class Collect(Expr):
    """`collect value for each binder`; `different`: without duplicates."""

    value: Expr
    binder: Binder
    different: bool = False


@dataclass(frozen=True, slots=True)
class All(Expr):
    """`all binder`: the set of things that it finds."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class The(Expr):
    """`the binder`: the first thing that it finds."""

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


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Statement:
    """Base class of statements."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """`let name be value`."""

    name: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class Becomes(Statement):
    """`target becomes value`."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Scores(Statement):
    """`who scores points`, or `loses`."""

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
    """`draw count noun from source to place`, with an optional `otherwise`."""

    count: Expr | None
    noun: Name
    alias: Name | None
    source: Expr
    to: Expr
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    """`shuffle place`."""

    place: Expr


@dataclass(frozen=True, slots=True)
class Remember(Statement):
    """`remember position`."""

    position: Name


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    """`pick a random binder`."""

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
    """`do name(arguments)`."""

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
    """`finish`: returns from the clause."""


@dataclass(frozen=True, slots=True)
class Outcome(Statement):
    """`the outcome is value`: returns a value from the clause."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Skip(Statement):
    """`skip`: does nothing."""


@dataclass(frozen=True, slots=True)
class CannotHappen(Statement):
    """The only statement after `otherwise`: asserts that there is always a legal answer."""


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    """`end the game`."""


@dataclass(frozen=True, slots=True)
class Wins(Statement):
    """`who wins`."""

    who: Expr


@dataclass(frozen=True, slots=True)
class If(Statement):
    """`if … else if … else`; each branch is a condition and its block."""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """`for each binder:`."""

    binder: Binder
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    """`repeat times:`."""

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
    """`where name: condition`."""

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
    """One alternative of a question: its label, its parts, its guards, and what follows."""

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
