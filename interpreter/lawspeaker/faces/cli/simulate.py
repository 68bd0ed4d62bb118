"""`lawspeaker simulate`: plays many games between bots and summarizes them."""

from __future__ import annotations

import math
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.faces.cli.common import as_json, complain, fail, game, how_many, say
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.lab import (
    STOPPED,
    Watched,
    proven,
    say_proven,
    seat_bots,
    show_broken,
    tell_pace,
)
from lawspeaker.faces.cli.learned import pinned, tell_learned
from lawspeaker.faces.cli.options import Bots, Machine, Name, Running
from lawspeaker.faces.render import data, effort, simulation
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import Setting, crew_for, player_count
from lawspeaker.outside.experiments.simulating import needed
from lawspeaker.outside.experiments.simulating import simulate as simulated
from lawspeaker.outside.machines import back_ends_used, machine_for
from lawspeaker.outside.rules import Rules

GAMES = 200
MOST_GAMES = 1_000_000


def simulate(
    name: Name,
    run: Running,
    files: Files,
    games: Annotated[
        int | None,
        how_many("--games", "-n", least=1, help="How many games (200)."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="Play until the shares of victories are known to so many percent."
        ),
    ] = None,
    bots: Bots = "random",
    machine: Machine = "auto",
) -> None:
    """Play many games between bots, and sum them up.

    Wins and scores by seat, length, where points come from, and which rules fired.

    Example: lawspeaker simulate GAME --games 20 --bots greedy

    The result does not depend on the number of workers, nor on the machine: --machine gpu plays on
    a graphics card, --machine native as machine code. With --precision 1, games are played
    until every share of victories is known to one percent either way (or --games are played, and
    it is told how far they got).
    Bots that think first prove themselves against weaker ones, in a few games of their own.
    --csv and --parquet have a line for each game.
    Ctrl-C prints what is known so far.

    Games that stop, since the rules fault, are counted and named apart; the log of the
    first is kept. Exit code 0: all games came to their end. 1: some stopped on a fault, the rules
    have a fault, or a file cannot be written. 2: wrong call. 130: stopped early.
    """
    loaded = game(name)
    count = player_count(loaded, run.players)
    seats = pinned(seat_bots(bots, count), loaded.program)
    tell_pace(seats)
    tell_learned(loaded.program, seats)
    files.check()
    most = games or (GAMES if precision is None else MOST_GAMES)
    rules = Rules.of_game(loaded, name)
    expected = most if precision is None else min(most, math.ceil((100 / precision) ** 2))
    played_on = machine_for(machine, expected, seats, [(loaded.program, count)])
    crew = crew_for(expected, seats, run.workers, run.cluster, played_on)
    setting = Setting(rules, seats, run.seed, most, crew, played_on)
    stopped = False
    try:
        proofs = proven(prove(rules, [seats], run.seed, most, crew))
    except KeyboardInterrupt:
        fail("stopped before a game was over", STOPPED)
    if not files.json:
        say_proven(proofs)
    each_game = files.csv is not None or files.parquet is not None
    games_played = Watched(simulated(setting, precision, each_game=each_game))
    try:
        whole = games_played.result()
    except KeyboardInterrupt:
        stopped = True
        if games_played.known is None:
            fail("stopped before a game was over", STOPPED)
        whole = games_played.known
    found = whole.tally
    if stopped and not found.games:
        fail("stopped before a game was over", STOPPED)
    log = show_broken(loaded, found.broke, run.seed, seats) if found.broke.games else ""
    about = {"game": name, "players": count, "seed": run.seed, "digest": loaded.program.digest}
    about |= {"bots": list(seats), "machine": back_ends_used(played_on)}
    about |= {"proof": proving.to_json(proofs), "log_of_broken": log, "looks": whole.look.number}
    if not found.games:
        if files.json:
            say(as_json({**about, "games": 0, "broken": simulation.broken_json(found.broke)}))
        raise typer.Exit(1)
    if stopped:
        complain(f"stopped after {found.games:,} of {most:,} games; this is what is known so far")
    summary = found.summary(loaded.program, seats, whole.look.among)
    if precision is not None and not stopped and summary.precision > precision / 100:
        reached, games_more = 100 * summary.precision, needed(summary, precision / 100)
        complain(
            f"the precision of ±{precision:g} % is not reached: it is ±{reached:.1f} % after"
            f" {with_noun(summary.games, 'game')}, and would take about {games_more:,}"
        )
    behind = proving.behind(seats, proofs, with_noun(summary.games, "game"), run.seed)
    result = simulation.to_json(summary, about)
    if each_game:
        files.keep_table(data.games(whole.rows, result), result)
    if files.plot is not None or files.html is not None:
        from lawspeaker.faces.render import lab_page, plots

        heading = [f"{behind}.", *proving.sentences(proofs)]
        files.draw(
            lambda: plots.simulation(summary, f"{name}, {behind}"),
            lambda: lab_page.simulation(summary, name, heading),
        )
    if files.json:
        say(as_json(result))
    else:
        say(f"{name}, {behind}\n")
        Console().print(simulation.tables(summary, games_played.a_second))
        told = effort.effort(
            "Shares of victories", summary.precision, summary.games, "games", games_played.a_second
        )
        lines = [each for each in (told, effort.looks(whole.look)) if each]
        say("\n" * bool(summary.never) + "\n\n".join(lines))
    if stopped:
        raise typer.Exit(STOPPED)
    if found.broke.games:
        raise typer.Exit(1)
