"""One game between bots, boiled down to what is counted.

Game number i is played with a seed made of the run's seed and i, and by bots with seeds of their
own, so a record does not depend on which process plays it, or on how many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.bots import bot, reply, seat_seed
from lawspeaker.decision import Option
from lawspeaker.luck import combine, word_of
from lawspeaker.machine.count import CountingMachine
from lawspeaker.match import Match
from lawspeaker.types import PieceType

Counts = tuple[tuple[int, ...], ...]
"""Counted things in ascending order, each with its count last; nothing is counted 0 times."""


@dataclass(frozen=True, slots=True)
class Record:
    """`starter` is the seat that was asked first. `leads` counts how often another seat took the
    sole lead; `clauses` (clause, times) how often each was done, `points` (clause, seat, points)
    what it gave, `uses` (piece type, kind, seat, times) what a seat chose to do something with."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    starter: int
    decisions: int
    options: int
    leads: int
    clauses: Counts
    points: Counts
    uses: Counts


def game_seed(seed: int, number: int) -> int:
    """The seed of game `number` of a run."""
    return combine(seed, word_of("game"), number) >> 1


class Held:
    """A program as a key: the same object, not an equal one."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.program is other.program

    def __hash__(self) -> int:
        return id(self.program)


@lru_cache(maxsize=8)
def _machine(program: Held, players: int) -> CountingMachine:
    return CountingMachine(program.program, players)


def play_game(
    program: ir.Program, players: int, seed: int, number: int, bots: Sequence[str]
) -> Record:
    own = game_seed(seed, number)
    machine = _machine(Held(program), players)
    machine.taken()
    match = Match.from_state(program, machine.start(own), machine=machine)
    seats = [bot(name, seat_seed(own, seat)) for seat, name in enumerate(bots)]
    starter, leader = -1, None
    decisions = options = leads = 0
    uses: Counter[tuple[int, ...]] = Counter()
    while decision := match.decision:
        seat = decision.seat
        assert seat is not None
        starter = seat if starter < 0 else starter
        decisions += 1
        options += len(decision.options)
        option = reply(seats[seat], match, seat)
        uses.update(used(match, option, seat))
        match.choose(option, seat=seat)
        ahead = sole_leader(match.state.scores)
        if ahead is not None and ahead != leader:
            leads += leader is not None
            leader = ahead
    points: Counter[tuple[int, ...]] = Counter()
    for event in match.events:
        if event.kind == "score" and event.seat is not None:
            points[event.clause, event.seat] += event.data[1]
    return Record(
        number,
        tuple(match.scores),
        tuple(match.winners),
        max(starter, 0),
        decisions,
        options,
        leads,
        counts({(clause,): times for clause, times in enumerate(machine.taken())}),
        counts(points),
        counts(uses),
    )


def counts(found: dict[tuple[int, ...], int]) -> Counts:
    return tuple((*key, count) for key, count in sorted(found.items()) if count)


def sole_leader(scores: Sequence[int]) -> int | None:
    """The seat that is ahead of all others; None when two share the lead."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def used(match: Match, option: Option, seat: int) -> Counter[tuple[int, ...]]:
    """The kinds of the pieces that an option speaks of."""
    found: Counter[tuple[int, ...]] = Counter()
    alternative = option.alternative
    if alternative is None:
        return found
    layout = match.machine.layout
    for part, value in zip(alternative.parts, option.values, strict=True):
        if isinstance(part.binder.type, PieceType):
            for piece in value if part.several else (value,):
                found[layout.piece_type[piece], layout.piece_kind[piece], seat] += 1
    return found
