"""Instrumented games: records alternatives of every choice, not only what was chosen.

For every decision it records the things that could be chosen (see `AllChoosable`), for every game
the leaders on the way, repeated positions, and which guards accepted or refused something; and in
games of searching bots the stakes of some decisions. The result is sums, and the first moment of
each kind as a witness.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lawspeaker import ir
from lawspeaker.machines.lower.choosable import AllChoosable
from lawspeaker.machines.reference.tracing import TracingMachine, tracing_for
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.match import Match
from lawspeaker.players.bots import RANDOM
from lawspeaker.position.standing import sole_leader
from lawspeaker.study.lab.choice_names import things
from lawspeaker.study.lab.exact_sums import Sums, mean
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.games import games_of
from lawspeaker.study.lab.record import Record, Watcher, game_seed, play_game
from lawspeaker.study.lab.statistics import Mean
from lawspeaker.study.lab.tally import Tally, tally
from lawspeaker.study.reviewing.stakes import Stake, stakes

PARTS = 1_000_000
"""Unit of random choice: millionths of a decision, so that sums are exact."""
AGAIN = 3
"""Number of occurrences of a position that count as a loop."""
QUARTERS = (2, 3)
"""Points at which the leader is recorded, in quarters of the decisions."""


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A moment of a game: its number, and the number of replies before."""

    game: int
    replies: int


@dataclass(frozen=True, slots=True)
class Firsts:
    """The first moment of each kind."""

    moments: dict[object, Moment] = field(default_factory=dict)

    def __add__(self, other: Firsts) -> Firsts:
        both = {**self.moments}
        for sort, moment in other.moments.items():
            both[sort] = min(moment, both.get(sort, moment))
        return Firsts(both)


@dataclass(frozen=True, slots=True)
class InstrumentedSums(Sums):
    """Sums over instrumented games.

    By thing: number of decisions in which it was optional (`offered`), number of games in which
    it ever was (`offering`), expected number of random choices, in parts (`expected`), and actual
    number (`chosen`). By clause: number of games in which it changed something (`firing`). By
    quarter: number of games with a sole leader (`led`), and his later victories (`kept`), in
    units of a `victory`. By guard: number of games in which it accepted, and refused something.
    """

    games: int
    offered: Counter[int]
    offering: Counter[int]
    firing: Counter[int]
    expected: Counter[int]
    chosen: Counter[int]
    led: Counter[int]
    kept: Counter[int]
    recurring: int
    accepting: Counter[str]
    refusing: Counter[str]
    firsts: Firsts
    stake: Mean = field(default_factory=Mean)
    """Value of the best option minus the worst, in parts of a victory, over sampled decisions of
    searching bots.
    """
    mattering: int = 0
    """Number of these that are significant."""


def nothing_seen() -> InstrumentedSums:
    """Sums over no games."""
    empty: Counter[int] = Counter()
    none: Counter[str] = Counter()
    return InstrumentedSums(
        0, empty, empty, empty, empty, empty, empty, empty, 0, none, none, Firsts()
    )


def play_instrumented(
    program: ir.Program, players: int, seed: int, numbers: range, bots: Sequence[str]
) -> tuple[Tally, InstrumentedSums]:
    """Plays the games of these numbers between these bots."""
    found, records = nothing_seen(), []
    thinking = any(name != RANDOM for name in bots)
    for number in numbers:
        watcher = _Watcher(things(program, players))
        record = play_game(program, players, seed, number, bots, watcher)
        records.append(record)
        if not record.fault:
            own = game_seed(seed, number)
            traced = _traced(program, players, own, watcher.options)
            at_stake = []
            if thinking:
                at_stake = stakes(program, players, own, watcher.options, watcher.open_at)
            found += watcher.look(record, traced, at_stake)
    return tally(games_of(program, players, records)), found


class _Watcher(Watcher):
    def __init__(self, choosable: AllChoosable) -> None:
        self.choosable = choosable
        self.options: list[Option] = []
        self.open_at: list[int] = []
        self.offered: Counter[int] = Counter()
        self.expected: Counter[int] = Counter()
        self.chosen: Counter[int] = Counter()
        self.sorts: dict[object, int] = {}
        self.leaders: list[int | None] = []
        self.positions: Counter[int] = Counter()

    def asked(self, match: Match, decision: Decision, option: Option) -> None:
        at = len(self.options)
        self.options.append(option)
        self._chooses(decision, option, at)
        state = match.state
        where = hash(
            (
                tuple(state.where),
                tuple(state.markers),
                tuple(state.states),
                tuple(state.scores),
                tuple((frame.clause, frame.pc) for frame in state.stack),
                decision.seat,
            )
        )
        self.positions[where] += 1
        if self.positions[where] == AGAIN:
            self.sorts.setdefault("loop", at)

    def _chooses(self, decision: Decision, option: Option, at: int) -> None:
        ask, number = option.setting.ask, len(decision.options)
        if ask is None or number < 2:
            return
        self.open_at.append(at)
        contained: Counter[int] = Counter()
        for each in decision.options:
            contained.update(set(self.choosable.chosen(ask, each.reply)))
        own = set(self.choosable.chosen(ask, option.reply))
        for thing, times in contained.items():
            if times == number:
                continue
            self.offered[thing] += 1
            self.expected[thing] += PARTS * times // number
            self.chosen[thing] += thing in own
            self.sorts.setdefault(("taken" if thing in own else "passed over", thing), at)

    def scored(self, match: Match) -> None:
        self.leaders.append(sole_leader(match.machine.layout, match.state.scores))

    def look(
        self, record: Record, traced: TracingMachine, at_stake: Sequence[Stake]
    ) -> InstrumentedSums:
        led: Counter[int] = Counter()
        kept: Counter[int] = Counter()
        sides = self.choosable.layout.sides
        victors = sum(side[0] in record.winners for side in sides)
        whole = victory(self.choosable.layout.players)
        for quarter in QUARTERS:
            at = quarter * len(self.leaders) // 4
            leader = self.leaders[at - 1] if at else None
            if leader is not None:
                led[quarter] = 1
                won = sides[leader][0] in record.winners
                kept[quarter] = whole // victors if won else 0
                how = "kept" if won and victors == 1 else "shared" if won else "lost"
                self.sorts[how, quarter] = at
        for each in at_stake:
            if each.matters:
                self.sorts.setdefault("matters", each.replies)
        touched = traced.touched
        moments: dict[object, Moment] = {
            sort: Moment(record.number, at) for sort, at in self.sorts.items()
        }
        last = Moment(record.number, max(0, len(self.options) - 1))
        if len(record.winners) > 1:
            moments["tie"] = last
        if not record.winners:
            moments["draw"] = last
        for seat in record.winners:
            moments["won", seat] = last
        return InstrumentedSums(
            1,
            self.offered,
            Counter(dict.fromkeys(self.offered, 1)),
            Counter(clause for clause, _ in record.clauses),
            self.expected,
            +self.chosen,
            led,
            +kept,
            int("loop" in self.sorts),
            Counter(touched.accepting),
            Counter(touched.refusing),
            Firsts(moments),
            mean(np.array([round(PARTS * each.apart) for each in at_stake], np.int64), PARTS),
            sum(each.matters for each in at_stake),
        )


def _traced(
    program: ir.Program, players: int, seed: int, options: Sequence[Option]
) -> TracingMachine:
    """Replays a game on a machine that traces guards."""
    machine = tracing_for(program, players)
    match = Match.from_state(program, machine.start(seed), machine=machine)
    for option in options:
        assert option.seat is not None
        match.choose(option.text, seat=option.seat)
    return machine
