"""What the commands share whose result is a sheet: setting up, and writing it in every form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import typer
from rich.console import Console

from lawspeaker.faces.cli.common import as_json, fail, game, say
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.lab import STOPPED, Watched, seat_bots
from lawspeaker.faces.cli.learned import pinned, tell_learned
from lawspeaker.faces.cli.options import Running
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
    bots: str,
    run: Running,
) -> Study:
    """Loads a game and seats its bots; exits with a message for a wrong call."""
    loaded = game(name)
    count = player_count(loaded, run.players)
    seats = pinned(seat_bots(bots, count), loaded.program)
    tell_learned(loaded.program, seats)
    crew = crew_for(games, ["greedy"], run.workers, run.cluster)
    return Study(loaded, name, Setting(Rules.of_game(loaded, name), seats, run.seed, games, crew))


def run_and_show(
    asked: Study,
    experiment: Experiment[T],
    files: Files,
    drawn: Callable[[T], sheet.Sheet],
    told: Callable[[T], dict[str, Any]],
    table: str,
) -> None:
    """Runs an experiment, prints its sheet and writes its files; stopped early, what is known."""
    files.check()
    watched, stopped = Watched(experiment), False
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
    files.keep_table(data.tables(json)[table], json)
    draw(page, asked.name, files)
    if files.json:
        say(as_json(json))
    else:
        Console().print(sheet.text(page))
    if stopped:
        raise typer.Exit(STOPPED)


def draw(page: sheet.Sheet, title: str, files: Files) -> None:
    """Writes the plot and the page of a sheet, if they are wanted."""
    if files.plot is None and files.html is None:
        return
    from lawspeaker.faces.render import lab_page, plots

    files.draw(lambda: plots.sheet(page, title), lambda: lab_page.sheet(page, title))
