"""`lawspeaker bench`: speed, as ratios within one run.

A figure in games per second says little: it depends on the machine and on what else it does. So
the interpreter and a hand-written engine for the same game take turns in one run, round by round,
and the ratio of their median rates is what counts. The hand-written engines are in the folder
benchmarks/ of a checkout; an installed package has none and gives its own figure alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from lawspeaker import ir
from lawspeaker.cli.common import as_json, complain, game, say
from lawspeaker.lab.record import play_game
from lawspeaker.library import Library, built_in

Play = Callable[[int], object]
Baseline = Callable[[int, int], object]


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Games; left out: all built-in.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds in which each side plays.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.05, help="Seconds a side, a round.")] = 1.0,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure how fast games are played, against hand-written engines where there are any.

    Example: lawspeaker bench GAME --rounds 3
    """
    baselines = _baselines()
    if not baselines:
        complain("the hand-written baselines are not here (they come with a checkout);")
        complain("these are absolute figures, which hold for this machine and moment alone")
    results = [_game(name, baselines, rounds, seconds) for name in names or Library().games()]
    if json:
        say(as_json(results))
        return
    table = Table(box=None)
    for heading in ("game", "players", "reference, games/s", "by hand, games/s", "ratio"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for each in results:
        ratio = each["ratio"]
        by_hand = each["by hand"]
        table.add_row(
            str(each["game"]),
            str(each["players"]),
            f"{each['reference']:,.1f}",
            f"{by_hand:,.1f}" if by_hand else "–",
            f"1/{ratio:.1f}" if ratio else "–",
        )
    Console().print(table)


def _game(
    name: str, baselines: Mapping[str, Baseline], rounds: int, seconds: float
) -> dict[str, str | float | None]:
    loaded = game(name)
    players = loaded.players[-1]
    bots = ["random"] * players
    sides: dict[str, Play] = {"reference": partial(_reference, loaded.program, players, bots)}
    if name in baselines:
        sides["by hand"] = partial(baselines[name], players)
    rates = _measure(sides, rounds, seconds)
    return {"game": name, "players": players, **_figures(rates)}


def _reference(program: ir.Program, players: int, bots: list[str], number: int) -> object:
    return play_game(program, players, 1, number, bots)


def _baselines() -> dict[str, Baseline]:
    root = str(built_in())
    if root not in sys.path:
        sys.path.append(root)
    try:
        from benchmarks import BASELINES
    except ImportError:
        return {}
    return dict(BASELINES)


def _measure(sides: dict[str, Play], rounds: int, seconds: float) -> dict[str, list[float]]:
    """The rate of each side in each round; they take turns, so that both see the same machine."""
    rates: dict[str, list[float]] = {side: [] for side in sides}
    number = 0
    for play in sides.values():
        play(number)
    for _ in range(rounds):
        for side, play in sides.items():
            began = time.perf_counter()
            played = 0
            while time.perf_counter() - began < seconds:
                number += 1
                play(number)
                played += 1
            rates[side].append(played / (time.perf_counter() - began))
    return rates


def _figures(rates: dict[str, list[float]]) -> dict[str, float | None]:
    reference = median(rates["reference"])
    by_hand = median(rates["by hand"]) if "by hand" in rates else None
    ratio = by_hand / reference if by_hand else None
    return {"reference": reference, "by hand": by_hand, "ratio": ratio}
