"""`lawspeaker tune`: searches for values of choices that bring measures to targets."""

from __future__ import annotations

import math
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.faces.cli.common import as_json, complain, fail, game, how_many, say
from lawspeaker.faces.cli.keeping import Tables, keep_plot, picture_of
from lawspeaker.faces.cli.lab import (
    STOPPED,
    MeasureNames,
    Vary,
    Watched,
    asked_for,
    proven,
    say_proven,
    seat_bots,
    set_to,
    show_broken,
    tell_pace,
)
from lawspeaker.faces.cli.learned import pinned, tell_learned_of
from lawspeaker.faces.cli.options import Bots, Machine, Name, Plot, Running
from lawspeaker.faces.render import data, effort, plots, sweeping
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import Setting, player_count
from lawspeaker.outside.experiments.tuning import Tuned, aims, check
from lawspeaker.outside.experiments.tuning import tune as tuned
from lawspeaker.outside.machines import back_ends_used as told_machine
from lawspeaker.outside.machines import machine_for
from lawspeaker.outside.rules import Rules, patched_game, program_of

GAMES = 400
MOST_GAMES = 1_000_000


def tune(
    name: Name,
    vary: Vary,
    target: Annotated[
        list[str],
        typer.Option(
            help="A measure and its wanted value: start=0, length=60, ties=5%; or several."
        ),
    ],
    run: Running,
    tables: Tables,
    measure: MeasureNames = None,
    games: Annotated[
        int | None,
        how_many("--games", "-n", least=2, help="How many games for each trial (400)."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            help="Play trials that may be the answer until their targets are known to so many"
            " percent.",
        ),
    ] = None,
    bots: Bots = "random",
    machine: Machine = "auto",
    plot: Plot = None,
) -> None:
    """Find values of choices that bring measures to targets.

    Measures are score, spread, margin, length, start (the advantage of the starter, as a part of
    1), ties, draws and leads; skill, ahead:SEAT, points:CLAUSE, part:CLAUSE, fires:CLAUSE and
    chosen:OPTION; and your own, by --measure NAME=EXPRESSION. Besides the closest values, the
    compromises are shown that nothing beats: how close one gets to each target, for how little
    change to the rules; and what was tried; it is told which targets are missed. --csv and
    --parquet have a line for each trial. Ctrl-C prints what is known so far.

    With --precision 1, a trial goes on until shares are known to one percentage point either way,
    other measures to one percent of their target, or --games are played. It ends earlier if it is
    surely farther from all targets than another one.

    Example: lawspeaker tune GAME --vary CHOICE=1..5 --target length=60 --games 50

    Exit code 0: it was searched. 1: the rules have a fault, all games stop on a fault, or a file
    cannot be written. 2: wrong call. 130: stopped early.
    """
    loaded = game(name)
    count = player_count(loaded, run.players)
    seats = pinned(seat_bots(bots, count), loaded.program)
    tell_pace(seats)
    if plot is not None:
        picture_of(plot)
    tables.check(plot)
    rules = Rules.of_game(loaded, name)
    most = games or (GAMES if precision is None else MOST_GAMES)
    setting = Setting(rules, seats, run.seed, most, Crew())
    watched: Watched[Tuned] | None = None
    stopped = False
    try:
        targets = aims(setting, target)
        names = [each.measure for each in targets]
        asked = asked_for(setting, vary, measure or (), names)
        check(asked, targets, precision)
        # A share varies at most so much.
        expected = most if precision is None else min(most, math.ceil((100 / precision) ** 2))
        ends = {tuple(each.values[at] for each in asked.varied) for at in (0, -1)}
        tried = {set_to(asked.varied, each): program_of(asked.rules(each)) for each in sorted(ends)}
        tell_learned_of(tried, seats)
        played_on = machine_for(machine, expected, seats, [(loaded.program, count)])
        # Trials run sequentially.
        asked = asked.by(run.workers, run.cluster, 1, played_on)
        proofs = proven(prove(rules, [seats], run.seed, expected, asked.setting.crew))
        if not tables.json:
            say_proven(proofs)
        watched = Watched(tuned(asked, targets, precision))
        found = watched.result()
    except KeyboardInterrupt:
        # Before the first trial there is nothing to print.
        if watched is None or watched.known is None:
            fail("stopped before anything was tried", STOPPED)
        found, stopped = watched.known, True
        over = with_noun(found.tuning.tried, "trial")
        complain(f"stopped after {over}; this is what is known so far")
    for values, broken in found.broke.items():
        patched = patched_game(asked.rules(values))
        show_broken(patched, broken, run.seed, seats, set_to(asked.varied, values))
    result, again, measures = found.tuning, found.again, found.measures
    all_varied = asked.varied
    choices = tuple(each.choice for each in all_varied)
    about = {"game": name, "players": count, "seed": run.seed, "games": most, "bots": list(seats)}
    about |= {"machine": told_machine(played_on), "proof": proving.to_json(proofs)}
    whole = sweeping.tuning_json(result, again, choices, found.looks, about)
    tables.keep_table(data.tables(whole)["trials"], whole)
    behind = proving.behind(seats, proofs, f"{_games(found)} for each trial", run.seed)
    if plot is not None:
        title = f"{name}, {', '.join(target)}, {behind}"
        keep_plot(plot, plots.tuning(result, measures, title))
    if tables.json:
        say(as_json(whole))
    else:
        told = sweeping.tuned(result, again, choices, measures, behind, over=found.over)
        Console().print(told)
        if any(look.share != 1 for look in found.looks.values()):
            say(f"\n{effort.LOOKED_AT} {effort.WIDENED}")
    if stopped:
        raise typer.Exit(STOPPED)


def _games(found: Tuned) -> str:
    """Says how many games the trials took."""
    counts = [look.games for look in found.looks.values()]
    if min(counts) == max(counts):
        return with_noun(counts[0], "game")
    return f"{min(counts):,} to {with_noun(max(counts), 'game')}"
