"""`lawspeaker bench`: speed, as ratios within one run.

A figure in games per second says little: it depends on the machine and on what else it does. So
the interpreter and a hand-written engine for the same game take turns in one run, round by round;
only the time that the process itself gets is counted, and the ratio of their median rates is what
matters. The hand-written engines are in the folder benchmarks/ of a checkout; an installed package
has none and gives its own figure alone.
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
from lawspeaker.cli.lab import Players, player_count
from lawspeaker.library import Library, built_in
from lawspeaker.luck import Luck
from lawspeaker.match import Match

Play = Callable[[int], object]
Baseline = Callable[[int, int], object]


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Games; left out: all built-in.")
    ] = None,
    players: Players = None,
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
    sought = names or Library().games()
    results = [_game(name, players, baselines, rounds, seconds) for name in sought]
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
    name: str,
    wanted: int | None,
    baselines: Mapping[str, Baseline],
    rounds: int,
    seconds: float,
) -> dict[str, str | float | None]:
    loaded = game(name)
    players = player_count(loaded, wanted)
    sides: dict[str, Play] = {"reference": partial(_reference, loaded.program, players)}
    if name in baselines:
        sides["by hand"] = partial(baselines[name], players)
    rates = _measure(sides, rounds, seconds)
    return {"game": name, "players": players, **_figures(rates)}


def _reference(program: ir.Program, players: int, number: int) -> object:
    """One game between players who take any option, and no record of it, as the others play."""
    match, luck = Match(program, players, number), Luck(number).stream("bench")
    while decision := match.decision:
        match.choose(luck.choose(decision.options), seat=decision.seat)
    return match.scores


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
            began = time.process_time()
            played = 0
            while time.process_time() - began < seconds:
                number += 1
                play(number)
                played += 1
            rates[side].append(played / (time.process_time() - began))
    return rates


def _figures(rates: dict[str, list[float]]) -> dict[str, float | None]:
    reference = median(rates["reference"])
    by_hand = median(rates["by hand"]) if "by hand" in rates else None
    ratio = by_hand / reference if by_hand else None
    return {"reference": reference, "by hand": by_hand, "ratio": ratio}
