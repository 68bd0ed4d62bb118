"""Everything that is done, and every question that is asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.expressions import Binder, Expr
from lawspeaker.ir.texts import Citation, Texts


@dataclass(frozen=True, slots=True)
class Statement:
    """`at` is the number of its first operation, once it is lowered.

    `evident`: everyone could work out himself what a condition, a loop, points or a name go by, and
    that it comes to that (see `meaning/secrets`).
    """

    at: int = field(default=-1, compare=False, repr=False, kw_only=True)
    evident: bool = field(default=False, compare=False, repr=False, kw_only=True)
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


Block = tuple[Statement, ...]
MOST_TOLD = 1_000
"""So many members of a set can be told at once; more are a fault."""


@dataclass(frozen=True, slots=True)
class SetLocal(Statement):
    slot: int
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class SetMarker(Statement):
    marker: int
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class SetState(Statement):
    piece: int
    state: int
    of: Expr
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Score(Statement):
    """`who` is a player or a set of players; `loses` takes the points away.

    `reason_known`: everyone may know what the names in it stand for (see `meaning/secrets`).
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
    """Moves pieces the binder finds: all (`most` None), or `most` of them.

    `exactly`: it is a fault when there are fewer; otherwise as many as there are.
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

    From a shuffled place this is chance. When the place runs out, `otherwise` is done
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
    place: Expr


@dataclass(frozen=True, slots=True)
class Remember(Statement):
    """Writes down a position as it is now; of as many as are kept, the oldest is forgotten."""

    position: int


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    """Chance: one of what the binder finds, each as likely; a fault when there is none."""

    binder: Binder


@dataclass(frozen=True, slots=True)
class Tell(Statement):
    """Makes a value known to a player, to a set of players, or (`who` None) to everyone.

    Nothing changes by it. `name` is what the value is called, if it has a name: that of a local.
    `shows`: what is told are pieces, and who is told goes on knowing them where they lie hidden.
    """

    who: Expr | None
    what: Expr
    name: str
    shows: bool = False


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """Runs another clause. Afterwards, for each pair of `returns` (its slot, slot here),
    what its slot holds is taken over here."""

    clause: int
    arguments: tuple[Expr, ...]
    returns: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Finish(Statement):
    """Leaves the clause."""


@dataclass(frozen=True, slots=True)
class EndGame(Statement):
    """The game is over; `winners` is a player, a set of players, or None: as the goal says."""

    winners: Expr | None


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class ForEach(Statement):
    """The source is listed once, at the start; `where` is asked when a member's turn comes.

    `list_slot` and `index_slot` keep the place in the loop.
    """

    binder: Binder
    body: Block
    list_slot: int
    index_slot: int


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    times: Expr
    body: Block
    left_slot: int


@dataclass(frozen=True, slots=True)
class RepeatUntil(Statement):
    """Does the body, then asks the condition; not holding after so many times is a fault."""

    condition: Expr
    most: Expr
    body: Block
    left_slot: int


@dataclass(frozen=True, slots=True)
class Rank(Statement):
    """Does the body for each group of equals, best first.

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

    With `least` and `most` set (None for no upper bound) a set of members is chosen and goes,
    in listed order, into `set_slot`; guards in `Alternative.member_guards` are asked of each
    member (in binder.slot), the others of the whole choice. `receives`: there is one such thing
    only, and the part after it is chosen for it. `untold`: answers never differ in it alone,
    and are called without it.
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
    """`label` is what the choice is called (None: it has no name of its own).

    `member_guards[i]` belong to part i when it is a set: they are asked of each member.
    `guards` are asked of the whole, in the order written. A guard that needs only the first
    parts could be asked early: `ready[j]` says after how many parts guard j can be asked.
    `offered_by` is the clause that offers it, if that is not the one that asks.
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

    `who` is the player; with `each` it is the binder's slot, and each player's answer is kept
    until all are in; then the bodies are done player by player, in the binder's order.
    With `first` only one reply counts: that of the first, in the binder's order, who does not pass.
    Nobody is told anything of the other replies; if all pass, `otherwise` is done once.
    `must`: one alternative has to be taken; `may`: there is also `pass`.
    `private`: the hidden things that decide what is offered, places from which pieces are taken
    without a condition aside (see `open_parts`). A question is not asked when only one answer is
    possible and everyone can see it: when all of these are places that everyone sees to be empty,
    and no more pieces lie in those from which some are taken than have to be. A `may` with nothing
    to choose is not asked either, unless the table wants discretion and not everyone can see it.
    Nothing possible, or `pass`: `otherwise` is done (None: for `must` a fault, for `may` nothing).
    `clause` is the clause that asks: the one it stands in, or the window that is open.
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
