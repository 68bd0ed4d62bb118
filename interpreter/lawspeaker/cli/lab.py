"""What the commands of the lab share: who plays, who does the work, and the progress bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lawspeaker.bots import known
from lawspeaker.cli.common import complain, fail
from lawspeaker.game import Game
from lawspeaker.lab.record import Record
from lawspeaker.render import plots
from lawspeaker.storage import NotSaved, write

Name = Annotated[str, typer.Argument(help="The game: a name, a folder or a file.")]
Players = Annotated[int | None, typer.Option(help="How many players; the most, if left out.")]
Seed = Annotated[int, typer.Option(help="The seed; the same seed gives the same games.")]
Bots = Annotated[
    str, typer.Option(help="A bot for each seat, or one for all: random, greedy, mc:200.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes; all cores, if left out.")]
Cluster = Annotated[str, typer.Option(help="A Dask scheduler to do the work: tcp://HOST:8786.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Plot = Annotated[
    Path | None, typer.Option(help="Draw the result into this file: .png, .svg or .pdf.")
]
Html = Annotated[Path | None, typer.Option(help="Write one page with all tables and plots.")]
Vary = Annotated[
    list[str], typer.Option("--vary", help="A choice and its values: CHOICE=1..5, CHOICE=2,4,8.")
]


def player_count(game: Game, wanted: int | None) -> int:
    count = wanted if wanted is not None else game.players[-1]
    if count not in game.players:
        few, many = game.players[0], game.players[-1]
        fail(f"{game.name} is for {few} to {many} players, not {count}", 2)
    return count


def seat_bots(text: str, count: int) -> list[str]:
    """`greedy,random,random` or one name for all seats."""
    names = [each.strip() for each in text.split(",")]
    for each in names:
        if wrong := known(each):
            fail(wrong, 2)
    if len(names) == 1:
        names *= count
    if len(names) != count:
        fail(f"{len(names)} bots are named for {count} seats", 2)
    return names


class Rate:
    """Games counted, and how many a second."""

    def __init__(self, bar: Progress, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("playing", total=total, rate="")
        self._began = time.monotonic()
        self.games = 0

    @property
    def a_second(self) -> float:
        return self.games / max(time.monotonic() - self._began, 1e-9)

    def advance(self) -> None:
        self.games += 1
        self._bar.update(self._task, advance=1, rate=f"{self.a_second:.0f} games/s")


@contextmanager
def counting(total: int) -> Iterator[Rate]:
    """A progress bar on a terminal, for so many games."""
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
        yield Rate(bar, total)


def whole(record: Record) -> Record:
    """A game that came to its end; one that did not is shown, since its rules have a hole."""
    if record.fault:
        fail(f"game {record.number} cannot go on: {record.fault}")
    return record


def picture_of(file: Path) -> str:
    """The kind of picture a file is to hold."""
    kind = file.suffix.removeprefix(".").lower()
    if kind not in plots.KINDS:
        fail(f"a plot is one of {', '.join(plots.KINDS)}, not `{file.name}`", 2)
    return kind


def keep(file: Path, content: str | bytes) -> None:
    """Writes a result to a file, whole or not at all."""
    try:
        write(file, content)
    except NotSaved as error:
        fail(str(error))
    complain(f"wrote {file}")
