"""Game state as a plain value: copyable, comparable, hashable, serialisable.

`where` and `contents` are redundant: the place of each piece, and the pieces of each non-empty
place, bottom first. Heaps have no order and are kept sorted, so that equal states compare equal.
A shuffled place is not ordered but becomes loose: `loose` gives for it how many pieces lie under
the loose middle and how many belong to it (kept sorted); the rest lies on top in a known order.
Drawing decides lazily which loose piece comes off.

`known` is a bit set per piece of the seats (and spectators) that know its identity without seeing
it: see `knowing`.

The control stack is data: a frame is the clause, the program counter, and the slots. `pending`
says whom the game waits for; their options follow from the rest. `secret` keeps the replies to a
simultaneous question until all are in. `past` has the rows of recorded positions (see
`position_rows`), the oldest first, for each kind.

`journal`, `offered`, `left` and `written` are scratch data of the running machine (events since
they were last taken, the computed options, the remaining step budget, texts that players wrote,
each with the number of its set) and not part of the value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from lawspeaker.position.written import Text

Value = Any
Reply = tuple[int, tuple[Value, ...]]
"""The number of an alternative (-1: none was possible, or pass) and the values of its parts."""

Note = tuple[str, int, int | None, tuple[Value, ...], int]
"""A journal entry: kind, clause, seat, data, and the bit set of those who may know the details."""

PASS: Reply = (-1, ())


class Frame:
    """Activation record of a clause."""

    __slots__ = ("clause", "pc", "slots")

    def __init__(self, clause: int, pc: int, slots: list[Value]) -> None:
        self.clause = clause
        self.pc = pc
        self.slots = slots


class State:
    """The state of a game; see the module for its fields."""

    __slots__ = (
        "ask_chance",
        "contents",
        "discreet",
        "ended",
        "journal",
        "known",
        "left",
        "loose",
        "markers",
        "offered",
        "past",
        "pending",
        "picks",
        "players",
        "scores",
        "secret",
        "seed",
        "shuffles",
        "stack",
        "states",
        "steps",
        "where",
        "winners",
        "written",
    )

    seed: int
    players: int
    ask_chance: bool
    discreet: bool
    where: list[int]
    contents: dict[int, tuple[int, ...]]
    loose: dict[int, tuple[int, int]]
    known: dict[int, int]
    states: list[Value]
    markers: list[Value]
    scores: list[int]
    past: list[tuple[tuple[int, ...], ...]]
    stack: list[Frame]
    pending: tuple[str, tuple[int, ...]] | None
    secret: dict[int, Reply]
    shuffles: dict[int, int]
    picks: dict[int, int]
    ended: str
    winners: tuple[int, ...]
    steps: int
    journal: list[Note]
    offered: dict[int, list[Reply]] | None
    left: int
    written: tuple[tuple[int, Text], ...]

    def copy(self) -> State:
        twin = State.__new__(State)
        twin.seed = self.seed
        twin.players = self.players
        twin.ask_chance = self.ask_chance
        twin.discreet = self.discreet
        twin.where = self.where.copy()
        twin.contents = self.contents.copy()
        twin.loose = self.loose.copy()
        twin.known = self.known.copy()
        twin.states = self.states.copy()
        twin.markers = self.markers.copy()
        twin.scores = self.scores.copy()
        twin.past = self.past.copy()
        twin.stack = [Frame(f.clause, f.pc, f.slots.copy()) for f in self.stack]
        twin.pending = self.pending
        twin.secret = self.secret.copy()
        twin.shuffles = self.shuffles.copy()
        twin.picks = self.picks.copy()
        twin.ended = self.ended
        twin.winners = self.winners
        twin.steps = self.steps
        twin.journal = self.journal.copy()
        twin.offered = self.offered
        twin.left = self.left
        twin.written = self.written
        return twin

    def to_json(self) -> dict[str, Any]:
        """Plain data of the state; equal states give equal data."""
        past = {"past": listed(tuple(self.past))} if self.past else {}
        known = {str(piece): seats for piece, seats in sorted(self.known.items())}
        return {
            **({"known": known} if known else {}),
            "seed": self.seed,
            "players": self.players,
            "ask_chance": self.ask_chance,
            "discreet": self.discreet,
            "contents": {str(place): list(held) for place, held in sorted(self.contents.items())},
            "loose": {str(place): list(parts) for place, parts in sorted(self.loose.items())},
            "states": list(self.states),
            "markers": list(self.markers),
            "scores": list(self.scores),
            **past,
            "stack": [[f.clause, f.pc, listed(f.slots)] for f in self.stack],
            "pending": listed(self.pending),
            "secret": {str(seat): listed(reply) for seat, reply in sorted(self.secret.items())},
            "shuffles": {str(place): n for place, n in sorted(self.shuffles.items())},
            "picks": {str(clause): n for clause, n in sorted(self.picks.items())},
            "ended": self.ended,
            "winners": list(self.winners),
            "steps": self.steps,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> State:
        state = cls()
        state.seed = data["seed"]
        state.players = data["players"]
        state.ask_chance = data["ask_chance"]
        state.discreet = data["discreet"]
        state.contents = {int(place): tuple(held) for place, held in data["contents"].items()}
        where = {piece: place for place, held in state.contents.items() for piece in held}
        state.where = [where[piece] for piece in range(len(where))]
        state.loose = {int(place): (under, n) for place, (under, n) in data["loose"].items()}
        state.known = {int(piece): seats for piece, seats in data.get("known", {}).items()}
        state.states = list(data["states"])
        state.markers = list(frozen(data["markers"]))
        state.scores = list(data["scores"])
        state.past = list(frozen(data.get("past", [])))
        state.stack = [Frame(c, pc, list(frozen(slots))) for c, pc, slots in data["stack"]]
        kind, asked = data["pending"] or ("", ())
        state.pending = (kind, tuple(asked)) if data["pending"] else None
        state.secret = {int(seat): frozen(reply) for seat, reply in data["secret"].items()}
        state.shuffles = {int(place): n for place, n in data["shuffles"].items()}
        state.picks = {int(clause): n for clause, n in data["picks"].items()}
        state.ended = data["ended"]
        state.winners = tuple(data["winners"])
        state.steps = data["steps"]
        state.journal = []
        state.offered = None
        state.left = 0
        state.written = ()
        return state

    def canonical(self) -> str:
        """Canonical serialisation."""
        return json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))

    def digest(self) -> str:
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.canonical())


def listed(value: Value) -> Value:
    """Converts tuples to lists, recursively."""
    if isinstance(value, tuple | list):
        return [listed(item) for item in value]
    return value


def frozen(value: Value) -> Value:
    """Converts lists to tuples, recursively; strings become players' texts."""
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return Text(value) if isinstance(value, str) else value
