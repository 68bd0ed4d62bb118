"""`lawspeaker ladder`: measures what better play wins, by a ladder of bots."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.faces.cli.common import fail, how_many
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.options import Name, Running
from lawspeaker.faces.cli.sheets import run_and_show, study
from lawspeaker.faces.render import ladder as rendered
from lawspeaker.outside.experiments.ladders import laddered
from lawspeaker.players.bots import name_error
from lawspeaker.study.lab.skill_ladder import LADDER


def ladder(
    name: Name,
    run: Running,
    files: Files,
    deals: Annotated[
        int, how_many("--deals", "-n", least=4, help="Deals for each step, each from every side.")
    ] = 20,
    rungs: Annotated[str, typer.Option("--ladder", help="The bots, the weakest first.")] = ",".join(
        LADDER
    ),
) -> None:
    """Measure what better play wins: each bot of a ladder plays against the one below it.

    Each deal is played from every side. A game of pure luck has no step that wins; the more steps
    win, the more there is to learn.

    Example: lawspeaker ladder GAME --deals 10 --ladder random,greedy,mc:50

    Exit code 0: measured. 1: the rules have a fault, or a file cannot be written. 2: wrong call.
    130: stopped early; what is known so far is told.
    """
    bots = [each.strip() for each in rungs.split(",")]
    for each in bots:
        if wrong := name_error(each):
            fail(wrong, 2)
    if len(set(bots)) != len(bots) or len(bots) < 2:
        fail("a ladder has two different bots at least, and each of them once", 2)
    asked = study(name, deals, "random", run)
    setting = asked.setting
    count = setting.players
    run_and_show(
        asked,
        laddered(setting.rules, count, bots, run.seed, deals, setting.crew),
        files,
        lambda found: rendered.sheet(found, run.seed),
        lambda found: rendered.to_json(found, {**asked.about, "bots": bots}),
        "steps",
    )
