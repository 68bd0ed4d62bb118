"""Measures what cards, options and rules are worth, in paired games with interventions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.requests import NotPossible
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.machines import on_card, recorders
from lawspeaker.outside.rules import MatchSetup, Rules, make_ready, program_of
from lawspeaker.outside.workers import CARD_PART, LARGEST_PART
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.compare.control import control_effect, independent_seed
from lawspeaker.study.compare.effect import NO_PAIRS, pairs
from lawspeaker.study.lab.control_variates import FEWEST_PAIRS
from lawspeaker.study.lab.games import Games, play_games, plays_inside
from lawspeaker.study.lab.interventions import Intervention, interventions
from lawspeaker.study.lab.sequential import PILOT, Look, first_look, next_look
from lawspeaker.study.lab.worth import Known, Taken, Worth, known_over, ranked, taken, worth

CONTROLLED = 40
"""Maximum pairs of random players with a control, as these are played question by question."""
MORE = 4
"""Maximum number of further games as they are, for each pair."""
MORE_OF_ALL = 0.05
"""Maximum number of further games as they are, as a part of all games."""
BLOCK = 500
"""Games as they are that one job plays, unless a GPU does."""


def worths(
    rules: Rules,
    tables: Sequence[MatchSetup],
    games: Sequence[int],
    seat: int,
    crew: Crew,
    cost: str = "",
    precision: float | None = None,
    of: Sequence[str] = (),
) -> Experiment[tuple[Worth, ...]]:
    """The worth of everything that can be taken away from a seat, by table, in so many pairs of
    games; most valuable first. `cost` names the attribute with the cost of cards; `of`, if given,
    the only things that are measured.

    With a `precision` in percent, pairs are played until victories are known so well, at most so
    many. A GPU is driven by one process, whatever the crew.
    """
    players = len(tables[0].bots)
    numbered = enumerate(interventions(program_of(rules), players, seat, cost))
    things = _named(list(numbered), of)
    among = max(1, len(things) * len(tables))
    wanted = None if precision is None else precision / 100
    found: dict[tuple[str, ...], list[Worth]] = {table.bots: [] for table in tables}
    more = [_further(count, len(things), wanted) for count in games]
    total = sum(more) + 2 * sum(games) * len(things) if wanted is None else 0
    done = 0
    for table, count, further in zip(tables, games, more, strict=True):
        known: Known | None = None
        own_crew = Crew(1, crew.cluster) if on_card(table.machine) else crew
        if further:
            blocks = _blocks(range(count + further), _part(table, BLOCK))
            as_they_are = [(rules, table, each, seat) for each in blocks]
            for some in own_crew.spread(_as_they_are, as_they_are):
                known = some if known is None else known + some
            done += further
            yield Progress(done, total, _ranked(found))
        jobs = [(rules, table, count, seat, at, among, wanted, known) for at, _ in things]
        pairs_played, seconds = 0, 0.0
        for (_, each), played in zip(things, own_crew.spread(_played, jobs), strict=True):
            sums, look = played.sums, played.look
            own = worth(each.sort, each.name, table.bots, sums, known, look, among)
            found[table.bots].append(replace(own, cost=each.cost))
            done += 2 * look.games
            pairs_played += look.games
            seconds += played.seconds
            pace = own_crew.hands * pairs_played / max(seconds, 1e-9)
            yield Progress(done, total, _ranked(found), a_second=pace)
    return _ranked(found)


def _named(
    things: list[tuple[int, Intervention]], names: Sequence[str]
) -> list[tuple[int, Intervention]]:
    """Those of some names: `card`, `hunt` or `card hunt`. Raises `NotPossible` if one is none."""
    called = {at: (each.sort, each.name, f"{each.sort} {each.name}") for at, each in things}
    known = dict.fromkeys(chain.from_iterable(called.values()))
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or "without it, all of them are listed"
            raise NotPossible(f"nothing that can be taken away is called `{name}`; {hint}")
    wanted = set(names or known)
    return [(at, each) for at, each in things if not wanted.isdisjoint(called[at])]


def _further(games: int, things: int, wanted: float | None) -> int:
    """How many games as they are to play besides the pairs: few of all, as these are for all
    things.
    """
    if wanted is not None or games < FEWEST_PAIRS:
        return 0
    return min(MORE * games, int(MORE_OF_ALL * 2 * things * games))


def _ranked(found: dict[tuple[str, ...], list[Worth]]) -> tuple[Worth, ...]:
    return tuple(each for some in found.values() for each in ranked(some))


def _as_they_are(rules: Rules, table: MatchSetup, numbers: range, seat: int) -> Known:
    """Sums over games without an intervention."""
    make_ready()
    return known_over(_games(program_of(rules), table, table.seed, numbers), seat)


@dataclass(frozen=True, slots=True)
class _Played:
    """Sums over pairs, the last look at them, and the seconds that playing them took, without what
    is done once: compiling, the games as they are, and the controls.
    """

    sums: Taken
    look: Look
    seconds: float


def _played(
    rules: Rules,
    table: MatchSetup,
    most: int,
    seat: int,
    at: int,
    among: int,
    wanted: float | None,
    known: Known | None,
) -> _Played:
    """Plays pairs of games with and without an intervention, until the worth is known as well as
    wanted.
    """
    make_ready()
    look = first_look(most, wanted)
    sums, seconds = _pairs(rules, table, range(look.games), seat, at)
    while True:
        half = sums.lost(known, among * look.among)[0].half
        following = next_look(look, half, wanted, most, 2 * among)
        if following.games == look.games:
            return _Played(sums, look, seconds)
        # Whole blocks, so that the games as they are can be kept for the next intervention.
        rounded = min(most, -(-following.games // PILOT) * PILOT)
        more, longer = _pairs(rules, table, range(look.games, rounded), seat, at)
        sums, seconds = sums + more, seconds + longer
        look = replace(following, games=rounded)


def _pairs(
    rules: Rules, table: MatchSetup, numbers: range, seat: int, at: int
) -> tuple[Taken, float]:
    """Plays pairs in blocks; returns also the seconds that this took, see `_Played`."""
    one = program_of(rules)
    other = _interventions(rules, len(table.bots), seat)[at].program
    if plays_inside(table.bots):
        _games(other, table, table.seed, numbers[:1])
    seconds = 0.0
    found: list[Taken] = []
    for some in _blocks(numbers, _part(table, LARGEST_PART)):
        without, anew = _as_it_is(rules, table, some)
        began = time.perf_counter()
        with_it = _games(other, table, table.seed, some)
        seconds += time.perf_counter() - began
        controls = NO_PAIRS, NO_PAIRS
        if set(table.bots) == {RANDOM} and not some.start:
            few = slice(0, CONTROLLED)
            games = without[few], with_it[few], anew[few]
            controls = control_effect(one, other, table.seed, games)
        summed = pairs(without, with_it, anew, None, controls)
        found.append(taken(summed, without, with_it, seat))
    return reduce(Taken.__add__, found), seconds


def _blocks(numbers: range, size: int) -> list[range]:
    """Splits numbers at the multiples of a size."""
    edges = range(numbers.start - numbers.start % size, numbers.stop, size)
    return [range(max(numbers.start, at), min(numbers.stop, at + size)) for at in edges]


def _part(table: MatchSetup, size: int) -> int:
    """Games in memory at once: a GPU needs more, so as not to be idle."""
    return CARD_PART if on_card(table.machine) else size


@lru_cache(maxsize=4)
def _interventions(rules: Rules, players: int, seat: int) -> tuple[Intervention, ...]:
    return tuple(interventions(program_of(rules), players, seat))


@lru_cache(maxsize=256)
def _as_it_is(rules: Rules, table: MatchSetup, numbers: range) -> tuple[Games, Games]:
    """The unchanged games, and games with another seed."""
    program = program_of(rules)
    seeds = table.seed, independent_seed(table.seed)
    one, other = (_games(program, table, seed, numbers).outcomes() for seed in seeds)
    return one, other


def _games(program: ir.Program, table: MatchSetup, seed: int, numbers: range) -> Games:
    who = recorders(table.machine)
    return play_games(program, len(table.bots), seed, numbers, table.bots, who)
