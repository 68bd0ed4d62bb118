"""A clause as numbered operations: what both machines read, and what a frame's position means.

Statements are a tree, but a game has to be able to stop in the middle of one, and be taken up there
by either machine. So each statement becomes one operation or several, numbered in the order
written, and each operation says which ones may come after it. Jumps cost nothing: whoever would go
to a jump goes where it leads.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lawspeaker import ir
from lawspeaker.ir.cost import SMALL, Listing
from lawspeaker.machines.lower.guards import GuardPlan


class Kind(StrEnum):
    """What an operation does, and where it goes on (`exits`, in this order)."""

    EFFECT = "effect"
    """Changes the situation or a slot. The next one."""
    BRANCH = "branch"
    """Asks a condition. Where it holds; where not."""
    LIST = "list"
    """Lists the members of a loop, or the groups of a ranking. The next one."""
    NEXT = "next"
    """Takes the next of them. The body; behind the loop."""
    COUNT = "count"
    """Works out how often something is repeated. The next one."""
    AGAIN = "again"
    """Counts down. The body; behind the loop (where there is a condition, only the body)."""
    UNTIL = "until"
    """Asks whether a repetition is done. The body once more; behind the loop."""
    DRAW = "draw"
    """Draws the pieces that are left to draw. What is done for want of pieces; behind it."""
    PICK = "pick"
    """Lets luck choose. The next one."""
    CALL = "call"
    """Does another clause. The next one."""
    ASK = "ask"
    """Asks a player. The body of each alternative; what is done otherwise."""
    ASK_ALL = "ask all"
    """Asks several players at once. The next one."""
    REPLY = "reply"
    """Takes up the next player's reply. As `ASK`; behind them all."""
    JUMP = "jump"
    END = "end"
    """The game is over. Nowhere."""
    LEAVE = "leave"
    """Back to whoever did the clause. Nowhere."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of a clause, with its number.

    `deed` is the statement it is a part of. `live` are the slots that matter before it, and
    `live_after` those that it leaves alone and that matter after it: what other slots hold is of
    no more use, and is not shown to anybody.

    `cost` is what each repetition is paid with (see `ir.cost`): each member or round of a loop,
    each piece that is drawn or moved. `listing` is what the parts of a question cost while they are
    looked through, where that is not paid for at once. `guards` says of each alternative when its
    guards are asked.
    """

    at: int
    kind: Kind
    deed: ir.Statement | None
    exits: tuple[int, ...]
    live: frozenset[int]
    live_after: frozenset[int]
    cost: int = 0
    listing: Listing | None = None
    guards: tuple[GuardPlan, ...] = ()


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program for a number of players.

    `program` is the same one, its statements numbered (`Statement.at`), without branches that are
    never taken. `code` has the operations of every clause, `entry` what a clause is paid with when
    it begins.
    """

    program: ir.Program
    code: tuple[tuple[Operation, ...], ...]
    entry: tuple[int, ...]

    def due(self, clause: int) -> int:
        """What is left to pay for a clause that another one does."""
        return self.entry[clause] if self.entry[clause] > SMALL else 0
