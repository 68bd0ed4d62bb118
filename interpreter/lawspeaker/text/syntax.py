"""The tree of a piece of code, as written: no names looked up, no types known.

Every node ends in the span it came from; two nodes are equal when they say the same,
wherever they stand. A chain (`strength of owner of piece on hill`) is kept flat here:
which word takes which operand depends on what the words mean, so the checker decides it.
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
    """Anything that has a value."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Binder:
    """`noun as name in source from start except some where condition`: a thing from a set."""

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
    """`combination of 3 …`: not one thing is taken but a set of them, and how many it has."""

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
    """`left is right`: sameness, being of a kind, or a predicate."""

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
    """`supposing capturing(stone), …`: what is supposed is that a clause was done."""

    done: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Count(Expr):
    binder: Binder


@dataclass(frozen=True, slots=True)
class CountThese(Expr):
    """`count of line of cell along axis`: how many a set holds."""

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
    """The code of a defined value: `let` lines, then what it is."""

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
    """Anything that is done."""

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
    """`let` is the name of what was played, or nothing if nothing was. `any` are the players of
    whom the first plays something, if it is offered to several."""

    window: Name
    to: Expr | None
    must: bool = False
    then: Block | None = None
    otherwise: Block | None = None
    let: Name | None = None
    any: Binder | None = None


@dataclass(frozen=True, slots=True)
class Plays(Statement):
    """`active plays card as action`; `again`: its effect alone, and it stays where it lies."""

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
    """Stands alone after `otherwise`: the author knows that something can always be chosen."""


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
    """`first`: the condition is one to go on, asked before each round. `quietly`: so many rounds
    are enough, whether it holds or not."""

    condition: Expr
    most: Expr | None
    body: Block
    first: bool = False
    quietly: bool = False


@dataclass(frozen=True, slots=True)
class Rank(Statement):
    """`rank binder by key, then by key, which first`: later keys tell those who are equal."""

    binder: Binder
    keys: tuple[Expr, ...]
    which: str
    body: Block


# ---------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to be chosen; `least`/`most` are set when a set is chosen.

    The quantity says what the numbers mean: one, any, up_to, at_least, exactly, path, each. With
    the last one is chosen for each of the `receivers`.
    """

    binder: Binder
    quantity: str
    number: Expr | None
    receivers: Binder | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Enough:
    """Of answers that differ only in this part, and for which all of `same` is equal, the first."""

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
    """What a guard demands of the alternatives with these labels; without any, of all others."""

    labels: tuple[Name, ...]
    condition: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class GuardByCase:
    """A guard of the whole question that demands something else of each alternative."""

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
    """A question. `who` is one player; `each` the players asked together and secretly, of whom,
    with `first`, only the first counts who does something.

    `open` is true for the forms without `one of`: what is chosen stays known afterwards.
    `common` are the guards of all alternatives.
    """

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
"""Walks over all of it."""
