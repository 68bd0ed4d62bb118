"""What the commands share whose result is a sheet: setting up, and writing it in every form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import Console

from lawspeaker.faces.cli.common import as_json, fail, game, say
from lawspeaker.faces.cli.keeping import check_files, keep, keep_table, picture_of
from lawspeaker.faces.cli.lab import STOPPED, Watched, seat_bots
from lawspeaker.faces.cli.learned import pinned, tell_learned
from lawspeaker.faces.render import data, sheet
from lawspeaker.match.game import Game
from lawspeaker.outside.experiments.requests import (
    NotPossible,
    Setting,
    as_text,
    crew_for,
    player_count,
)
from lawspeaker.outside.experiments.steps import Experiment
from lawspeaker.outside.rules import Rules

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Files:
    """The files that a result is written to, and whether JSON is printed."""

    json: bool = False
    csv: Path | None = None
    parquet: Path | None = None
    plot: Path | None = None
    html: Path | None = None

    def check(self) -> str:
        """Exits if one is not writable; returns the format of the plot."""
        kind = picture_of(self.plot) if self.plot is not None else ""
        check_files(self.csv, self.plot, self.html, parquet=self.parquet)
        return kind


@dataclass(frozen=True, slots=True)
class Study:
    """A game and the setting of its study."""

    game: Game
    name: str
    setting: Setting

    @property
    def about(self) -> dict[str, Any]:
        setting = self.setting
        told = {"game": self.name, "players": setting.players, "seed": setting.seed}
        return {**told, "bots": list(setting.bots)}

    @property
    def bots(self) -> str:
        return as_text(self.setting.bots)


def study(
    name: str,
    games: int,
    players: int | None,
    seed: int,
    bots: str,
    workers: int | None,
    cluster: str,
) -> Study:
    """Loads a game and seats its bots; exits with a message for a wrong call."""
    loaded = game(name)
    count = player_count(loaded, players)
    seats = pinned(seat_bots(bots, count), loaded.program)
    tell_learned(loaded.program, seats)
    crew = crew_for(games, ["greedy"], workers, cluster)
    return Study(loaded, name, Setting(Rules.of_game(loaded, name), seats, seed, games, crew))


def run_and_show(
    asked: Study,
    experiment: Experiment[T],
    files: Files,
    drawn: Callable[[T], sheet.Sheet],
    told: Callable[[T], dict[str, Any]],
    table: str,
) -> None:
    """Runs an experiment, prints its sheet and writes its files; stopped early, what is known."""
    kind, stopped = files.check(), False
    watched = Watched(experiment)
    found: T | None
    try:
        found = watched.result()
    except NotPossible as error:
        fail(str(error))
    except KeyboardInterrupt:
        found, stopped = watched.known, True
        if found is None:
            fail("stopped before enough was known", STOPPED)
    json, page = told(found), drawn(found)
    keep_table(data.tables(json)[table], json, files.csv, files.parquet)
    draw(page, asked.name, files, kind)
    if files.json:
        say(as_json(json))
    else:
        Console().print(sheet.text(page))
    if stopped:
        raise typer.Exit(STOPPED)


def draw(page: sheet.Sheet, title: str, files: Files, kind: str) -> None:
    """Writes the plot and the page of a sheet, if they are wanted."""
    if files.plot is None and files.html is None:
        return
    from lawspeaker.faces.render import lab_page, plots

    if files.plot is not None:
        keep(files.plot, plots.drawn(plots.sheet(page, title), kind))
    if files.html is not None:
        keep(files.html, lab_page.sheet(page, title))
