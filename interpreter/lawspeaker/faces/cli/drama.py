"""`lawspeaker drama`: measures when games are decided."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.faces.cli.common import how_many
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.options import Bots, Name, Running
from lawspeaker.faces.cli.sheets import run_and_show, study
from lawspeaker.faces.render import drama as rendered
from lawspeaker.outside.experiments.dramas import PLAYOUTS, dramas


def drama(
    name: Name,
    run: Running,
    files: Files,
    games: Annotated[int, how_many("--games", "-n", least=4, help="How many games.")] = 60,
    playouts: Annotated[
        int, typer.Option(min=10, max=10_000, help="Random playouts of each position.")
    ] = PLAYOUTS,
    bots: Bots = "random",
) -> None:
    """Measure when games are decided, and whether leads and comebacks come.

    Every position of some games is played out many times, which gives the chances of each player
    after every decision: how long the game stays open, how often the lead changes, who wins from
    behind, whether leaders run away, and whether those who cannot win decide who does.

    Example: lawspeaker drama GAME --games 20

    Exit code 0: measured. 1: the games say nothing about it, or a file cannot be written. 2: wrong
    call. 130: stopped early; what is known so far is told.
    """
    asked = study(name, games, bots, run)
    run_and_show(
        asked,
        dramas(asked.setting, playouts),
        files,
        lambda found: rendered.sheet(found, asked.bots, asked.setting.players, run.seed),
        lambda found: rendered.to_json(found, asked.about),
        "moments",
    )
