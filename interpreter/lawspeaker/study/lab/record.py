"""Plays one game between bots and reduces it to counts.

Game number i has a seed made of the run's seed and i, and bots with seeds of their own, so a
record does not depend on which process plays it, or on how many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.machines.lower.choosable import AllChoosable
from lawspeaker.machines.reference.counting import CountingMachine
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.match.match import Match
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.rng import combine, further, weighted_hash, word_of
from lawspeaker.position.standing import sole_leader
from lawspeaker.study.lab.choice_names import things

Counts = tuple[tuple[int, ...], ...]
"""Sparse counts: keys in ascending order, each with its non-zero count last."""


@dataclass(frozen=True, slots=True)
class Record:
    """Counts of one game.

    `starter` is the seat that was first asked alone, -1 if none was. `leads` counts changes of
    the sole lead; `clauses` (clause, times) how often each changed something, `points` (clause,
    seat, points) what it gave, `uses` (number, seat, times) what a seat chose, by its number in
    `AllChoosable`. `trail` is a hash of everything asked, offered and scored: games with equal
    trails went the same way. `measures` are the rules' own measures of a finished game. `fault`:
    the game aborted on a fault of the rules, or a measure did after its end (see
    `only_measured`).
    """

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
    trail: int
    measures: tuple[int, ...] = ()
    fault: str = ""


AFTER = "after its end: "
"""Prefix of faults of measures, after the end of a game."""


def only_measured(fault: str) -> bool:
    """Whether the fault is in a measure, not in the game."""
    return fault.startswith(AFTER)


def game_seed(seed: int, number: int) -> int:
    """The seed of game `number` of a run."""
    return combine(seed, word_of("game"), number) >> 1


_machines: LruCache[CountingMachine] = LruCache(8)


class Watcher:
    """Observer of a game: called before and after each reply."""

    def asked(self, match: Match, decision: Decision, option: Option) -> None: ...

    def scored(self, match: Match) -> None: ...


def play_game(
    program: ir.Program,
    players: int,
    seed: int,
    number: int,
    bots: Sequence[str],
    watcher: Watcher | None = None,
) -> Record:
    """Plays the game of a number, with an optional observer."""
    own = game_seed(seed, number)
    machine = _machines.get((id(program), players), lambda: CountingMachine(program, players))
    machine.taken()
    watched = _Watched(things(program, players))
    watching: list[Watcher] = [watched] if watcher is None else [watched, watcher]
    try:
        match = Match.from_state(program, machine.start(own), machine=machine)
        seats = [bot(name, seat_seed(own, seat)) for seat, name in enumerate(bots)]
        while decision := match.decision:
            seat = decision.seat
            assert seat is not None
            with machine.aside():
                option = reply(seats[seat], match, seat)
            for each in watching:
                each.asked(match, decision, option)
            match.choose(option, seat=seat)
            for each in watching:
                each.scored(match)
    except RuleFault as fault:
        return watched.broken(number, str(fault))
    try:
        measures = _measures(match)
    except RuleFault as fault:
        return watched.broken(number, f"{AFTER}{fault}")
    return watched.record(number, match, machine.taken(), measures)


def _measures(match: Match) -> tuple[int, ...]:
    functions = match.program.functions
    found = (functions.index(each) for each in match.program.measures.values())
    return tuple(int(match.machine.worth(match.state, each, ())) for each in found)


@dataclass(frozen=True, slots=True)
class Breaking:
    """A log up to an aborting reply, with its seat and text."""

    log: Log
    seat: int
    reply: str


def broken_off(
    game: Game, players: int, seed: int, number: int, bots: Sequence[str]
) -> Breaking | None:
    """Replays an aborted game up to the fault; None if no reply leads there.

    That is, it faults before anybody is asked, or in a measure after its end.
    """
    own = game_seed(seed, number)
    try:
        match = game.start(players, own)
    except RuleFault:
        return None
    seats = [bot(name, seat_seed(own, seat)) for seat, name in enumerate(bots)]
    while decision := match.decision:
        seat = decision.seat
        assert seat is not None
        option = reply(seats[seat], match, seat)
        try:
            match.choose(option, seat=seat)
        except RuleFault:
            return Breaking(match.record(bots, game.files), seat, option.text)
    return None


class _Watched(Watcher):
    """Observer that collects the counts of a record."""

    def __init__(self, choosable: AllChoosable) -> None:
        self.choosable = choosable
        self.starter = -1
        self.leader: int | None = None
        self.decisions = self.options = self.leads = self.trail = 0
        self.uses: Counter[tuple[int, ...]] = Counter()

    def asked(self, match: Match, decision: Decision, option: Option) -> None:
        seat = decision.seat
        assert seat is not None
        if self.starter < 0 and decision.kind == "choice":
            self.starter = seat
        self.decisions += 1
        self.options += len(decision.options)
        assert option.setting.ask is not None
        chosen = self.choosable.chosen(option.setting.ask, option.reply)
        self.uses.update((thing, seat) for thing in chosen)
        clause, offered = word_of(decision.clause.id), len(decision.options)
        asked = weighted_hash(clause, seat, offered, *match.state.scores)
        self.trail = further(self.trail, asked)

    def scored(self, match: Match) -> None:
        ahead = sole_leader(match.machine.layout, match.state.scores)
        if ahead is not None and ahead != self.leader:
            self.leads += self.leader is not None
            self.leader = ahead

    def record(
        self, number: int, match: Match, fired: Sequence[int], measures: tuple[int, ...]
    ) -> Record:
        points: Counter[tuple[int, ...]] = Counter()
        for event in match.events:
            if event.kind == "score" and event.seat is not None:
                points[event.clause, event.seat] += event.data[1]
        return Record(
            number,
            tuple(match.state.scores),
            tuple(match.winners),
            self.starter,
            self.decisions,
            self.options,
            self.leads,
            counts({(clause,): times for clause, times in enumerate(fired)}),
            counts(points),
            counts(self.uses),
            self._ended(match),
            measures,
        )

    def _ended(self, match: Match) -> int:
        trail = further(self.trail, weighted_hash(0, *match.state.scores))
        for winner in match.winners:
            trail = further(trail, winner)
        return trail

    def broken(self, number: int, fault: str) -> Record:
        scores = (0,) * self.choosable.layout.players
        trail = combine(self.trail, word_of(fault))
        told = (self.starter, self.decisions, self.options, self.leads)
        return Record(number, scores, (), *told, (), (), (), trail, fault=fault)


def counts(found: dict[tuple[int, ...], int]) -> Counts:
    """Converts a mapping to sparse counts."""
    return tuple((*key, count) for key, count in sorted(found.items()) if count)
