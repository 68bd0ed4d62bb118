"""`lawspeaker simulate`: many games between bots, and what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.cli.common import as_json, complain, fail, game, say
from lawspeaker.cli.lab import (
    AsJson,
    Bots,
    Cluster,
    Html,
    Name,
    Players,
    Plot,
    Seed,
    Workers,
    counting,
    keep,
    picture_of,
    player_count,
    seat_bots,
    whole,
)
from lawspeaker.crew import Crew, NoCluster, cores
from lawspeaker.lab.record import Record
from lawspeaker.lab.tally import Tally
from lawspeaker.render import lab_page, plots, simulation
from lawspeaker.workers import Rules, records

GAMES = 200
MOST_GAMES = 1_000_000
STOPPED = 130
"""The exit code of a program that the user has stopped."""
FIRST_ROUND = 100
"""With a wanted precision, so many games are played before they are first looked at."""


def simulate(
    name: Name,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="How many games (200).")
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(help="Play until the shares of victories are known to so many percent."),
    ] = None,
    players: Players = None,
    seed: Seed = 1,
    bots: Bots = "random",
    workers: Workers = None,
    cluster: Cluster = "",
    json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option(help="Write a line for each game to this file.")
    ] = None,
    plot: Plot = None,
    html: Html = None,
) -> None:
    """Play many games between bots: wins and scores by seat, length, which rules fired.

    Example: lawspeaker simulate GAME --games 20 --bots greedy

    The result does not depend on the number of workers. With --precision 1, games are played
    until every share of victories is known to one percent either way (or --games are played).
    Ctrl-C prints what is known so far.
    """
    loaded = game(name)
    count = player_count(loaded, players)
    seats = seat_bots(bots, count)
    kind = picture_of(plot) if plot is not None else ""
    most = games or (GAMES if precision is None else MOST_GAMES)
    tally = Tally(loaded.program, count, seats)
    kept: list[Record] = []
    stopped = False
    rules = Rules(name, loaded.files)
    crew = Crew(min(workers or cores(), most), cluster)
    with counting(most) as rate:
        try:
            for numbers in rounds(most, precision is not None):
                for record in records(rules, count, seed, seats, numbers, crew):
                    tally.add(whole(record))
                    rate.advance()
                    if csv is not None:
                        kept.append(record)
                if precision is not None and 100 * tally.summary().precision <= precision:
                    break
        except KeyboardInterrupt:
            stopped = True
        except NoCluster as error:
            fail(str(error))
    if stopped and not tally.games:
        fail("stopped before a game was over", STOPPED)
    if stopped:
        complain(f"stopped after {tally.games} of {most} games; this is what is known so far")
    summary = tally.summary()
    title = f"{name}, {count} players, {summary.games:,} games, seed {seed}"
    if csv is not None:
        keep(csv, simulation.to_csv(kept, loaded.program.player_names[:count]))
    try:
        if plot is not None:
            keep(plot, plots.drawn(plots.simulation(summary, title), kind))
        if html is not None:
            keep(html, lab_page.simulation(summary, title))
    except plots.NoPlots as error:
        fail(str(error))
    if json:
        about = {"game": name, "players": count, "seed": seed, "digest": loaded.program.digest}
        say(as_json(simulation.to_json(summary, about)))
    else:
        Console().print(simulation.tables(summary, rate.a_second))
    if stopped:
        raise typer.Exit(STOPPED)


def rounds(most: int, looking: bool) -> Iterator[range]:
    """All games at once; or in rounds that grow, to look in between. Workers do not matter."""
    start = 0
    while start < most:
        size = max(FIRST_ROUND, start // 4) if looking else most
        yield range(start, min(start + size, most))
        start += size
