"""`lawspeaker variety`: measures how different games are."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, how_many
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.options import Bots, Name, Running
from lawspeaker.faces.cli.sheets import run_and_show, study
from lawspeaker.faces.render import variety as rendered
from lawspeaker.outside.experiments.varieties import varieties
from lawspeaker.players.bots import name_error
from lawspeaker.study.lab.variety import PANEL


def variety(
    name: Name,
    run: Running,
    files: Files,
    games: Annotated[int, how_many("--games", "-n", least=4, help="How many games.")] = 60,
    panel: Annotated[
        str,
        typer.Option(help="The bot that is asked three times what it would choose, or several."),
    ] = "mc:50",
    bots: Bots = "mc:50",
) -> None:
    """Measure how different games are: openings, what is chosen, and results.

    It also asks a panel of bots about some decisions, and lists the questions in which all of them
    choose alike: these are no real choices.

    Example: lawspeaker variety GAME --games 10 --bots greedy --panel greedy

    Exit code 0: measured. 1: the games say nothing about it, or a file cannot be written. 2: wrong
    call. 130: stopped early; what is known so far is told.
    """
    named = [each.strip() for each in panel.split(",")]
    for each in named:
        if wrong := name_error(each):
            fail(wrong, 2)
    members = named * PANEL if len(named) == 1 else named
    asked = study(name, games, bots, run)
    run_and_show(
        asked,
        varieties(asked.setting, members),
        files,
        lambda found: rendered.sheet(found, asked.bots, asked.setting.players, run.seed),
        lambda found: rendered.to_json(found, asked.about),
        "used",
    )
