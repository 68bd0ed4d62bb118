"""Measures what cards, options and rules are worth, in paired games with interventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import MatchSetup, Rules, make_ready, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.compare.control import control_effect, independent_seed
from lawspeaker.study.compare.effect import NO_PAIRS, Pairs, pairs
from lawspeaker.study.lab.games import Games, play_games
from lawspeaker.study.lab.interventions import Intervention, interventions
from lawspeaker.study.lab.worth import Worth, ranked, worth

CONTROLLED = 40
"""Maximum pairs of random players with a control, as these are played question by question."""


def worths(
    rules: Rules,
    tables: Sequence[MatchSetup],
    games: Sequence[int],
    seat: int,
    crew: Crew,
    cost: str = "",
) -> Experiment[tuple[Worth, ...]]:
    """The worth of everything that can be taken away from a seat, by table, in so many pairs of
    games; most valuable first. `cost` names the attribute with the cost of cards.
    """
    players = len(tables[0].bots)
    all_of_them = list(interventions(program_of(rules), players, seat, cost))
    among = max(1, len(all_of_them) * len(tables))
    jobs = [
        (rules, table, count, seat, at)
        for table, count in zip(tables, games, strict=True)
        for at in range(len(all_of_them))
    ]
    found: dict[tuple[str, ...], list[Worth]] = {table.bots: [] for table in tables}
    done = 0
    for (_, table, count, _, at), sums in zip(jobs, crew.spread(_played, jobs), strict=True):
        each = all_of_them[at]
        own = worth(each.sort, each.name, table.bots, sums, seat, among)
        found[table.bots].append(replace(own, cost=each.cost))
        done += 2 * count
        yield Progress(done, 2 * sum(games) * len(all_of_them), _ranked(found))
    return _ranked(found)


def _ranked(found: dict[tuple[str, ...], list[Worth]]) -> tuple[Worth, ...]:
    return tuple(each for some in found.values() for each in ranked(some))


def _played(rules: Rules, table: MatchSetup, games: int, seat: int, at: int) -> Pairs:
    """Sums over pairs of games with and without an intervention."""
    make_ready()
    one = program_of(rules)
    other = _interventions(rules, len(table.bots), seat)[at].program
    without, anew = _as_it_is(rules, table, games)
    with_it = play_games(other, len(table.bots), table.seed, range(games), table.bots)
    controls = NO_PAIRS, NO_PAIRS
    if set(table.bots) == {RANDOM}:
        some = slice(0, CONTROLLED)
        controls = control_effect(
            one, other, table.seed, (without[some], with_it[some], anew[some])
        )
    return pairs(without, with_it, anew, None, controls)


@lru_cache(maxsize=4)
def _interventions(rules: Rules, players: int, seat: int) -> tuple[Intervention, ...]:
    return tuple(interventions(program_of(rules), players, seat))


@lru_cache(maxsize=4)
def _as_it_is(rules: Rules, table: MatchSetup, games: int) -> tuple[Games, Games]:
    """The unchanged games, and games with another seed."""
    program, players = program_of(rules), len(table.bots)
    seeds = table.seed, independent_seed(table.seed)
    one, other = (play_games(program, players, seed, range(games), table.bots) for seed in seeds)
    return one, other
