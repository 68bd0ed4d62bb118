"""Tests searching bots against weaker ones, before their games are reported."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.players.bots import RANDOM, lesson_of, plays_for_points
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.proving import FEWEST, Bout, Proof, Won, bouts, deals_for, proof


def prove(
    rules: Rules,
    tables: Sequence[Sequence[str]],
    seed: int,
    games: int,
    crew: Crew,
    least: int = FEWEST,
) -> Experiment[tuple[Proof, ...]]:
    """Runs the proof games of the bots at some tables, scaled to the number of games that
    follow.

    `least` is the minimum against random players.
    """
    wanted = bouts(tables)
    if not wanted:
        return ()
    from lawspeaker.outside.workers import bouts_won

    program = program_of(rules)
    sides = {each: len(sides_of(program, each.players)) for each in wanted}
    least_of = {each: least if each.rival == RANDOM else FEWEST for each in wanted}
    deals = [deals_for(games, sides[each], least_of[each]) for each in wanted]
    found = dict.fromkeys(wanted, Won(0, 0))
    total = sum(count * sides[each] for each, count in zip(wanted, deals, strict=True))

    lessons = {each: lesson_of(each.bot, program, each.players) for each in wanted}
    aims = {each: plays_for_points(each.bot, program, each.players) for each in wanted}

    def proven(bout: Bout, won: Won) -> Proof:
        return proof(bout, won, sides[bout], for_points=aims[bout], learned=lessons[bout])

    def known() -> tuple[Proof, ...]:
        return tuple(proven(bout, won) for bout, won in found.items() if won.games)

    done = 0
    for bout, won in bouts_won(rules, wanted, seed, deals, crew):
        found[bout] += won
        done += sides[bout]
        yield Progress(done, total, known(), "proving bots")
    return tuple(proven(bout, won) for bout, won in found.items())
