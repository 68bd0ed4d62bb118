"""Measures what cards, options and rules are worth, in paired games with interventions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, reduce

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import MatchSetup, Rules, make_ready, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.compare.control import control_effect, independent_seed
from lawspeaker.study.compare.effect import NO_PAIRS, pairs
from lawspeaker.study.lab.control_variates import FEWEST_PAIRS
from lawspeaker.study.lab.games import Games, play_games
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
"""Games as they are that one job plays."""


def worths(
    rules: Rules,
    tables: Sequence[MatchSetup],
    games: Sequence[int],
    seat: int,
    crew: Crew,
    cost: str = "",
    precision: float | None = None,
) -> Experiment[tuple[Worth, ...]]:
    """The worth of everything that can be taken away from a seat, by table, in so many pairs of
    games; most valuable first. `cost` names the attribute with the cost of cards.

    With a `precision` in percent, pairs are played until victories are known so well, at most so
    many.
    """
    players = len(tables[0].bots)
    all_of_them = list(interventions(program_of(rules), players, seat, cost))
    among = max(1, len(all_of_them) * len(tables))
    wanted = None if precision is None else precision / 100
    found: dict[tuple[str, ...], list[Worth]] = {table.bots: [] for table in tables}
    more = [_further(count, len(all_of_them), wanted) for count in games]
    total = sum(more) + 2 * sum(games) * len(all_of_them) if wanted is None else 0
    done = 0
    for table, count, further in zip(tables, games, more, strict=True):
        known: Known | None = None
        if further:
            numbers = range(count + further)
            blocks = [numbers[at : at + BLOCK] for at in range(0, len(numbers), BLOCK)]
            for some in crew.spread(_as_they_are, [(rules, table, each, seat) for each in blocks]):
                known = some if known is None else known + some
            done += further
            yield Progress(done, total, _ranked(found))
        jobs = [
            (rules, table, count, seat, at, among, wanted, known) for at in range(len(all_of_them))
        ]
        for each, (sums, look) in zip(all_of_them, crew.spread(_played, jobs), strict=True):
            own = worth(each.sort, each.name, table.bots, sums, known, look, among)
            found[table.bots].append(replace(own, cost=each.cost))
            done += 2 * look.games
            yield Progress(done, total, _ranked(found))
    return _ranked(found)


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
    played = play_games(program_of(rules), len(table.bots), table.seed, numbers, table.bots)
    return known_over(played, seat)


def _played(
    rules: Rules,
    table: MatchSetup,
    most: int,
    seat: int,
    at: int,
    among: int,
    wanted: float | None,
    known: Known | None,
) -> tuple[Taken, Look]:
    """Sums over pairs of games with and without an intervention, until the worth is known as
    well as wanted; with the look at which that was found.
    """
    make_ready()
    look = first_look(most, wanted)
    size = most if wanted is None else PILOT
    found = reduce(Taken.__add__, _pairs(rules, table, range(look.games), size, seat, at))
    while True:
        half = found.lost(known, among * look.among)[0].half
        following = next_look(look, half, wanted, most, 2 * among)
        if following.games == look.games:
            return found, look
        # Whole blocks, so that the games as they are can be kept for the next intervention.
        rounded = min(most, -(-following.games // PILOT) * PILOT)
        for some in _pairs(rules, table, range(look.games, rounded), size, seat, at):
            found += some
        look = replace(following, games=rounded)


def _pairs(
    rules: Rules, table: MatchSetup, numbers: range, size: int, seat: int, at: int
) -> Iterator[Taken]:
    """Plays pairs in blocks."""
    one = program_of(rules)
    other = _interventions(rules, len(table.bots), seat)[at].program
    for begin in range(0, len(numbers), size):
        some = numbers[begin : begin + size]
        without, anew = _as_it_is(rules, table, some)
        with_it = play_games(other, len(table.bots), table.seed, some, table.bots)
        controls = NO_PAIRS, NO_PAIRS
        if set(table.bots) == {RANDOM} and not some.start:
            few = slice(0, CONTROLLED)
            games = without[few], with_it[few], anew[few]
            controls = control_effect(one, other, table.seed, games)
        yield taken(pairs(without, with_it, anew, None, controls), without, with_it, seat)


@lru_cache(maxsize=4)
def _interventions(rules: Rules, players: int, seat: int) -> tuple[Intervention, ...]:
    return tuple(interventions(program_of(rules), players, seat))


@lru_cache(maxsize=256)
def _as_it_is(rules: Rules, table: MatchSetup, numbers: range) -> tuple[Games, Games]:
    """The unchanged games, and games with another seed."""
    program, players = program_of(rules), len(table.bots)
    seeds = table.seed, independent_seed(table.seed)
    one, other = (play_games(program, players, seed, numbers, table.bots) for seed in seeds)
    return one, other
