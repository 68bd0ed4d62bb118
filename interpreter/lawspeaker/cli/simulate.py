"""`lawspeaker simulate`: many games between bots, and what they say."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lawspeaker.bots import BOTS
from lawspeaker.cli.common import as_json, complain, fail, game, say
from lawspeaker.diagnostics import did_you_mean
from lawspeaker.render import simulation
from lawspeaker.simulate import Record, Tally
from lawspeaker.workers import cores, records


def simulate(
    name: Annotated[str, typer.Argument(help="The game: a name, a folder or a file.")],
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 200,
    players: Annotated[
        int | None, typer.Option(help="How many players; the most, if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed; the same seed gives the same games.")] = 1,
    bots: Annotated[
        str, typer.Option(help="A bot for each seat, or one for all: random,greedy.")
    ] = "random",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores, if left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    csv: Annotated[
        Path | None, typer.Option(help="Write a line for each game to this file.")
    ] = None,
) -> None:
    """Play many games between bots: wins and scores by seat, length, which rules fired.

    Example: lawspeaker simulate GAME --games 20 --bots greedy

    The result does not depend on the number of workers. Ctrl-C prints what is known so far.
    """
    loaded = game(name)
    count = players if players is not None else loaded.players[-1]
    if count not in loaded.players:
        few, many = loaded.players[0], loaded.players[-1]
        fail(f"{name} is for {few} to {many} players, not {count}", 2)
    seats = seat_bots(bots, count)
    tally = Tally(loaded.program, count, seats)
    kept: list[Record] = []
    began = time.monotonic()
    stopped = False
    processes = min(workers or cores(), games)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task("playing", total=games, rate="")
        try:
            for record in records(name, loaded.program, count, seed, seats, games, processes):
                tally.add(record)
                if csv is not None:
                    kept.append(record)
                rate = tally.games / max(time.monotonic() - began, 1e-9)
                bar.update(task, advance=1, rate=f"{rate:.0f} games/s")
        except KeyboardInterrupt:
            stopped = True
    rate = tally.games / max(time.monotonic() - began, 1e-9)
    if stopped:
        complain(f"stopped after {tally.games} of {games} games; this is what is known so far")
    summary = tally.summary()
    if csv is not None:
        names = loaded.program.player_names[:count]
        csv.write_text(simulation.to_csv(kept, names), encoding="utf-8")
    if json:
        about = {"game": name, "players": count, "seed": seed, "digest": loaded.program.digest}
        say(as_json(simulation.to_json(summary, about)))
    else:
        Console().print(simulation.tables(summary, rate))
    if stopped:
        raise typer.Exit(130)


def seat_bots(text: str, count: int) -> list[str]:
    """`greedy,random,random` or one name for all seats."""
    names = [each.strip() for each in text.split(",")]
    for each in names:
        if each not in BOTS:
            hint = did_you_mean(each, BOTS) or f"there are {', '.join(BOTS)}"
            fail(f"there is no bot `{each}`; {hint}", 2)
    if len(names) == 1:
        names *= count
    if len(names) != count:
        fail(f"{len(names)} bots are named for {count} seats", 2)
    return names
