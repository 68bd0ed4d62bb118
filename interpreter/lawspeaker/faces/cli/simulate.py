"""`lawspeaker simulate`: many games between bots, and what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.faces.cli.common import as_json, complain, fail, game, say
from lawspeaker.faces.cli.lab import (
    AsJson,
    Bots,
    Cluster,
    Html,
    Machine,
    Name,
    Players,
    Plot,
    Seed,
    Workers,
    counting,
    crew_for,
    keep,
    machine_for,
    picture_of,
    player_count,
    prove,
    say_proven,
    seat_bots,
    show_broken,
    tell_pace,
)
from lawspeaker.faces.render import lab_page, plots, simulation
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.crew import NoCluster
from lawspeaker.outside.machines import tallies, told
from lawspeaker.outside.workers import Rules, Table, sums
from lawspeaker.position.fault import NoMachine
from lawspeaker.study.lab.games import Games, games_of
from lawspeaker.study.lab.tally import Tally, tally

GAMES = 200
MOST_GAMES = 1_000_000
STOPPED = 130
"""The exit code of a program that the user has stopped."""
FIRST_ROUND = 100
"""With a wanted precision, so many games are played before they are first looked at."""
STEP = 50
"""And then a 50th more at least, before they are looked at again."""


def simulate(
    name: Name,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="How many games (200).")
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="Play until the shares of victories are known to so many percent."
        ),
    ] = None,
    players: Players = None,
    seed: Seed = 1,
    bots: Bots = "random",
    workers: Workers = None,
    cluster: Cluster = "",
    machine: Machine = "auto",
    json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option(help="Write a line for each game to this file.")
    ] = None,
    plot: Plot = None,
    html: Html = None,
) -> None:
    """Play many games between bots, and sum them up.

    Wins and scores by seat, length, where points come from, and which rules fired.

    Example: lawspeaker simulate GAME --games 20 --bots greedy

    The result does not depend on the number of workers, nor on the machine: --machine gpu plays on
    a graphics card, --machine native as machine code. With --precision 1, games are played
    until every share of victories is known to one percent either way (or --games are played).
    Bots that think first prove themselves against weaker ones, in a few games of their own.
    Ctrl-C prints what is known so far.

    Games that break off, since the rules have a hole, are counted and named apart; the log of the
    first is kept. Exit code 0: all games came to their end. 1: some broke off, or the rules have a
    fault. 2: wrong call. 130: stopped early.
    """
    loaded = game(name)
    count = player_count(loaded, players)
    seats = seat_bots(bots, count)
    tell_pace(seats)
    kind = picture_of(plot) if plot is not None else ""
    most = games or (GAMES if precision is None else MOST_GAMES)
    names = loaded.program.player_names[:count]
    found, lines = tally(games_of(loaded.program, count, ())), ""
    stopped = False
    rules = [Rules(name, loaded.files)]
    sum_up = partial(summed, names=names if csv is not None else ())
    expected = most if precision is None else min(most, math.ceil((100 / precision) ** 2))
    played_on = machine_for(machine, expected, seats, [(loaded.program, count)])
    crew = crew_for(expected, seats, workers, cluster, played_on)
    table = Table(tuple(seats), seed, played_on)
    try:
        proofs = prove(rules[0], [seats], seed, most, crew)
    except KeyboardInterrupt:
        fail("stopped before a game was over", STOPPED)
    except NoCluster as error:
        fail(str(error))
    if not json:
        say_proven(proofs)
    with counting(most) as rate:
        try:
            numbers = range(most if precision is None else min(FIRST_ROUND, most))
            while numbers:
                on_card = None
                if csv is None:
                    on_card = tallies(played_on, loaded.program, count, seed, numbers)
                told_of = sums(rules, table, numbers, sum_up, crew)
                for some, line in told_of if on_card is None else ((each, "") for each in on_card):
                    found += some
                    lines += line
                    rate.advance(some.games + some.broke.games)
                wanted = 1.0 if precision is None else precision / 100
                known = found.summary(loaded.program, seats).precision
                done = found.games + found.broke.games
                numbers, needed = following(done, most, known, wanted)
                rate.expect(needed)
        except KeyboardInterrupt:
            stopped = True
        except (NoCluster, NoMachine) as error:
            fail(str(error))
    if stopped and not found.games:
        fail("stopped before a game was over", STOPPED)
    log = show_broken(loaded, found.broke, seed, seats) if found.broke.games else ""
    about = {"game": name, "players": count, "seed": seed, "digest": loaded.program.digest}
    about |= {"bots": seats, "machine": told(played_on)}
    about |= {"proof": proving.to_json(proofs), "log_of_broken": log}
    if not found.games:
        if json:
            say(as_json({**about, "games": 0, "broken": simulation.broken_json(found.broke)}))
        raise typer.Exit(1)
    if stopped:
        complain(f"stopped after {found.games:,} of {most:,} games; this is what is known so far")
    summary = found.summary(loaded.program, seats)
    who = f"{count} players ({proving.seated(seats, proofs)})"
    title = f"{name}, {who}, {summary.games:,} games, seed {seed}"
    if csv is not None:
        keep(csv, simulation.csv_heading(names) + lines)
    try:
        if plot is not None:
            keep(plot, plots.drawn(plots.simulation(summary, title), kind))
        if html is not None:
            heading = [f"{who}, seed {seed}.", *proving.sentences(proofs)]
            keep(html, lab_page.simulation(summary, name, heading))
    except plots.NoPlots as error:
        fail(str(error))
    if json:
        say(as_json(simulation.to_json(summary, about)))
    else:
        Console().print(simulation.tables(summary, rate.a_second))
    if stopped:
        raise typer.Exit(STOPPED)
    if found.broke.games:
        raise typer.Exit(1)


def summed(games: Sequence[Games], names: Sequence[str]) -> tuple[Tally, str]:
    """The tally of some games, and with the names of the seats a line for each of them."""
    (played,) = games
    return tally(played), simulation.csv_lines(played, names) if names else ""


def following(done: int, most: int, known: float, wanted: float) -> tuple[range, int]:
    """The games to play next, none if all is known as well as wanted, and how many it takes in all.

    Intervals narrow with the root of the number of games. A guess from few games may be far off,
    so the number grows in steps; it never depends on the workers.
    """
    if known <= wanted:
        return range(0), done
    needed = min(most, math.ceil(done * (known / wanted) ** 2))
    until = min(most, max(min(needed, 4 * done), done + done // STEP + 1))
    return range(done, until), max(needed, until)
