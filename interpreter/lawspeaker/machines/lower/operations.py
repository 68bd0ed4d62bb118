"""The lowered form: a clause as numbered operations, shared by both back ends.

Statements are a tree, but a game must be able to suspend inside one, and be resumed by either back
end. So each statement becomes one operation or several, numbered in program order, with explicit
successors. A frame's position is the number of an operation. Jumps are free: they are resolved to
their targets.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lawspeaker import ir
from lawspeaker.ir.cost import SMALL, Listing
from lawspeaker.machines.lower.guards import GuardPlan


class Kind(StrEnum):
    """The kinds of operations, and their successors (`exits`, in this order)."""

    EFFECT = "effect"
    """Changes the position or a slot. Exits: the next one."""
    BRANCH = "branch"
    """Tests a condition. Exits: where it is true; where not."""
    LIST = "list"
    """Lists the members of a loop, or the groups of a ranking. Exits: the next one."""
    NEXT = "next"
    """Takes the next of them. Exits: the body; behind the loop."""
    COUNT = "count"
    """Evaluates the number of repetitions. Exits: the next one."""
    AGAIN = "again"
    """Counts down. Exits: the body; behind the loop (with a condition, only the body)."""
    UNTIL = "until"
    """Tests the end of a repetition. Exits: the body once more; behind the loop."""
    DRAW = "draw"
    """Draws the remaining pieces. Exits: if there are too few pieces; behind it."""
    PICK = "pick"
    """Makes a random choice. Exits: the next one."""
    CALL = "call"
    """Calls another clause. Exits: the next one."""
    ASK = "ask"
    """Asks a player. Exits: the body of each alternative; otherwise."""
    ASK_ALL = "ask all"
    """Asks several players at once. Exits: the next one."""
    REPLY = "reply"
    """Takes the next player's reply. Exits: as `ASK`; behind them all."""
    JUMP = "jump"
    END = "end"
    """Ends the game. No exits."""
    LEAVE = "leave"
    """Returns to the caller. No exits."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a clause.

    `statement` is the one it belongs to. `live` are the slots that are live before it, and
    `live_after` those that are live after it and not written by it: dead slots are of no use, and
    are not shown to anybody.

    `cost` is charged for each repetition (see `ir.cost`): each member or iteration of a loop, each
    piece that is drawn or moved. `listing` is the cost of enumerating the parts of a question,
    unless it is charged at once. `guards` has for each alternative the plan of its guards.
    """

    at: int
    kind: Kind
    statement: ir.Statement | None
    exits: tuple[int, ...]
    live: frozenset[int]
    live_after: frozenset[int]
    cost: int = 0
    listing: Listing | None = None
    guards: tuple[GuardPlan, ...] = ()


@dataclass(frozen=True, slots=True)
class Lowered:
    """A lowered program for a number of players.

    `program` has numbered statements (`Statement.at`), without branches that are never taken.
    `code` has the operations of every clause, `entry` the cost charged when a clause begins.
    """

    program: ir.Program
    code: tuple[tuple[Operation, ...], ...]
    entry: tuple[int, ...]

    def due(self, clause: int) -> int:
        """Returns the remaining cost to charge when a clause is called."""
        return self.entry[clause] if self.entry[clause] > SMALL else 0
