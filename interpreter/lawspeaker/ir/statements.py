"""Statement and question nodes of the IR."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.expressions import Binder, Expr
from lawspeaker.ir.texts import Citation, Texts


@dataclass(frozen=True, slots=True)
class Statement:
    """Base class of statements. `at` is the number of its first operation, once it is lowered.

    `evident`: everyone could derive the inputs of a condition, a loop, points or a name, and the
    result (see `meaning/secrets`).
    """

    at: int = field(default=-1, compare=False, repr=False, kw_only=True)
    evident: bool = field(default=False, compare=False, repr=False, kw_only=True)
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


Block = tuple[Statement, ...]
MOST_TOLD = 1_000
"""The most members of a set that can be announced at once; more are a fault."""


@dataclass(frozen=True, slots=True)
class SetLocal(Statement):
    """Assigns to a slot."""

    slot: int
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SetMarker(Statement):
    """Assigns to an entry of a marker."""

    marker: int
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class SetState(Statement):
    """Assigns to an entry of a state of a piece."""

    piece: int
    state: int
    of: Expr
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Score(Statement):
    """`who` is a player or a set of players; `loses` subtracts the points.

    `reason_known`: everyone may know the values of the names in it (see `meaning/secrets`).
    """

    who: Expr
    points: Expr
    loses: bool
    reason_known: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Move(Statement):
    """Moves a piece, or a set of pieces in order, on top of a place (or under all in it)."""

    what: Expr
    to: Expr
    under: bool


@dataclass(frozen=True, slots=True)
class MoveSome(Statement):
    """Moves pieces of the binder: all (`most` None), or `most` of them.

    `exactly`: fewer are a fault; otherwise moves as many as there are.
    """

    binder: Binder
    most: Expr | None
    exactly: bool
    to: Expr
    under: bool


@dataclass(frozen=True, slots=True)
class Draw(Statement):
    """Moves the top piece of a place, `count` times; the last one drawn stays in the slot. `below`:
    the lowest one instead.

    From a shuffled place this is a chance node. When the place runs out, `otherwise` is executed
    instead of the missing draws (None: a fault).
    """

    slot: int
    name: str
    count: Expr | None
    source: Expr
    to: Expr
    under: bool
    otherwise: Block | None
    loop_slot: int
    below: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    """Shuffles the pieces in a place."""

    place: Expr


@dataclass(frozen=True, slots=True)
class Remember(Statement):
    """Stores the present position; beyond the capacity, the oldest is dropped."""

    position: int


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    """Chance node: chooses one of the binder's members uniformly; a fault if there is none."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Tell(Statement):
    """Announces a value to a player, to a set of players, or (`who` None) to everyone.

    It changes no state. `name` is the name of the value, if it is a local. `shows`: the value is
    pieces, and the audience goes on knowing them where they are hidden.
    """

    who: Expr | None
    what: Expr
    name: str
    shows: bool = False


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """Calls another clause. Afterwards, for each pair of `returns` (its slot, slot here), copies
    the value of its slot."""

    clause: int
    arguments: tuple[Expr, ...]
    returns: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Finish(Statement):
    """Returns from the clause."""


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    """Ends the game; `winners` is a player, a set of players, or None: by the goal."""

    winners: Expr | None


@dataclass(frozen=True, slots=True)
class If(Statement):
    """A conditional statement."""

    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """A loop. The source is listed once, at the start; `where` is tested when a member's turn
    comes.

    `list_slot` and `index_slot` hold the state of the iteration.
    """

    binder: Binder
    body: Block
    list_slot: int
    index_slot: int


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    """Repeats a body a number of times."""

    times: Expr
    body: Block
    left_slot: int


@dataclass(frozen=True, slots=True)
class RepeatUntil(Statement):
    """Executes the body, then tests the condition; if it is still false after so many times, that
    is a fault."""

    condition: Expr
    most: Expr
    body: Block
    left_slot: int


@dataclass(frozen=True, slots=True)
class Rank(Statement):
    """Executes the body for each group of equals, best first.

    Slots: `tied` the group; `place` 1 + how many are better; `tier` 1 + how many better groups.
    """

    binder: Binder
    key: Expr
    highest: bool
    tied_slot: int
    place_slot: int
    tier_slot: int
    body: Block
    list_slot: int
    index_slot: int


@dataclass(frozen=True, slots=True)
class Guard:
    """A named condition. `clause` is where it is written; its id is `clause.name`."""

    name: str
    clause: int
    condition: Expr
    says: Texts
    cites: tuple[Citation, ...]
    title: Texts = field(default_factory=dict, compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to choose: a member of `binder.source` for which `binder.where` holds.

    With `least` and `most` set (None for no upper bound) a set of members is chosen and assigned,
    in listed order, to `set_slot`; guards in `Alternative.member_guards` are tested for each member
    (in binder.slot), the others for the whole choice. `receives`: there is only one such thing, and
    the part after it is chosen for it. `untold`: answers never differ in it alone, and are named
    without it.
    """

    binder: Binder
    several: bool = False
    least: Expr | None = None
    most: Expr | None = None
    set_slot: int = -1
    set_name: str = ""
    receives: bool = False
    untold: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative of a question. `label` is its name (None: it has none of its own).

    `member_guards[i]` belong to part i if it is a set: they are tested for each member. `guards`
    are tested for the whole, in the order written. A guard that needs only the first parts can be
    tested early: `ready[j]` says after how many parts guard j can be tested. `offered_by` is the
    clause that offers it, if that is not the one that asks.
    """

    label: str | None
    parts: tuple[Part, ...]
    guards: tuple[Guard, ...]
    member_guards: tuple[tuple[Guard, ...], ...]
    ready: tuple[int, ...]
    body: Block
    offered_by: int | None = None


@dataclass(frozen=True, slots=True)
class Ask(Statement):
    """A question to one player, or (with `each`) to several at once, secretly.

    - `who` is the player; with `each` it is the binder's slot, and each player's answer is kept
      until all are in; then the bodies are executed player by player, in the binder's order.
    - With `first` only one reply counts: that of the first, in the binder's order, who does not
      pass. The other replies are not announced; if all pass, `otherwise` is executed once.
    - `must`: one alternative has to be taken; `may`: there is also `pass`.
    - `private`: the hidden values that determine the options, except for places from which pieces
      are taken without a condition (see `open_parts`). A question is not asked if only one answer
      is possible and everyone can see it: if all of these are places that everyone sees to be
      empty, and those from which pieces are taken have no more than have to be. A `may` without
      options is not asked either, unless the table wants discretion and not everyone can see it.
    - Without options, or after `pass`, `otherwise` is executed (None: for `must` a fault, for `may`
      nothing).
    - `clause` is the clause that asks: the one it stands in, or the window that is open.
    """

    who: Expr | None
    each: Binder | None
    must: bool
    alternatives: tuple[Alternative, ...]
    otherwise: Block | None
    private: tuple[Expr, ...]
    clause: int
    replies_slot: int = -1
    index_slot: int = -1
    first: bool = False
