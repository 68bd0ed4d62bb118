"""`lawspeaker bench`: measures speed, as ratios within one run.

A rate in games per second says little: it depends on the machine and its load. So all sides
alternate in one run, round by round: the reference machine, the compiled machine (and with
--machine the same module as machine code of this computer's C compiler, or on a GPU), an engine
written by hand for the same game, and OpenSpiel driven from Python where it is installed and has
the game. Processor time is measured, on a GPU wall-clock time, and the ratios of the median rates
are what matters.
The hand-written engines are in the folder benchmarks/ of a checkout; an installed package has none
and reports absolute rates only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from random import Random
from statistics import median
from typing import Annotated, Protocol

import typer
from rich.console import Console
from rich.table import Table

from lawspeaker import ir
from lawspeaker.faces.cli.common import as_json, complain, fail, game, say
from lawspeaker.faces.cli.options import AsJson, Players
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.match import Match
from lawspeaker.outside.experiments.requests import player_count
from lawspeaker.outside.library import Library, built_in
from lawspeaker.outside.machines import GPU, NATIVE
from lawspeaker.position.layout import layout_for
from lawspeaker.position.rng import RngFactory

Play = Callable[[int], object]
Baseline = Callable[[int, int], object]
Side = Callable[[int], int]
"""Plays some games, the first with this number, and returns how many."""

CARD = "card"
SIDES = ("reference", "compiled", "native", CARD, "by hand", "OpenSpiel")
STARTED_GAMES = (1, 20_000)
"""Number of games that are simulated with `--start`."""
BLOCK = 0.02
"""Seconds that a call of the compiled machine should take, so that the overhead of calls is
negligible."""


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Games; left out: all built-in.")
    ] = None,
    players: Players = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds in which each side plays.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.05, help="Seconds a side, a round.")] = 1.0,
    machine: Annotated[
        list[str] | None,
        typer.Option(help="Another machine, too: native, gpu; can be given several times."),
    ] = None,
    start: Annotated[
        bool, typer.Option("--start", help="Measure how long commands take instead.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Measure how fast games are played.

    As ratios, against engines written by hand where there are any. With --start: how long `check`
    and `simulate` take from their call to their end, as multiples of importing NumPy.

    Example: lawspeaker bench GAME --rounds 3
    """
    if start:
        _tell_starts(names or Library().games(), rounds, json=json)
        return
    # Imported here, so that the help of all commands needs no compiled machine.
    from lawspeaker.outside.back_ends import equip

    equip()
    baselines = _baselines()
    if not baselines:
        complain("the hand-written baselines are not here (they come with a checkout);")
        complain("these are absolute figures, which hold for this machine and moment alone")
    sought = names or Library().games()
    more = machine or []
    if wrong := sorted({*more} - {NATIVE, GPU}):
        fail(f"--machine is {NATIVE} or {GPU}, not {wrong[0]}", 2)
    results = [_game(name, players, baselines, rounds, seconds, more) for name in sought]
    if json:
        say(as_json(results))
        return
    table = Table(box=None)
    table.add_column("game")
    for heading in ("players", *(f"{side}, games/s" for side in SIDES), "compiled / best other"):
        table.add_column(heading, justify="right")
    for each in results:
        rates = [each[side] for side in SIDES]
        ratio = each["ratio"]
        table.add_row(
            str(each["game"]),
            str(each["players"]),
            *(_told(rate) if isinstance(rate, float) else "–" for rate in rates),
            f"{ratio:.1f}" if isinstance(ratio, float) else "–",
        )
    # Figures are never truncated: if they do not fit, the terminal wraps the line.
    needed = Console(width=1_000).measure(table).maximum
    Console(width=max(Console().width, needed)).print(table)


def _tell_starts(names: Sequence[str], rounds: int, *, json: bool) -> None:
    from lawspeaker.outside.startup_times import starts

    commands = [["check", each] for each in names]
    commands += [["simulate", each, "-n", str(count)] for each in names for count in STARTED_GAMES]
    found = starts(commands, rounds)
    if json:
        say(as_json([asdict(each) for each in found]))
        return
    table = Table("command", box=None)
    for heading in ("CPU s", "/ NumPy", "s", "/ NumPy"):
        table.add_column(heading, justify="right")
    for each in found:
        times = (f"{each.processor:.2f}", f"{each.processor_ratio:.1f}")
        table.add_row(each.command, *times, f"{each.wall:.2f}", f"{each.wall_ratio:.1f}")
    Console().print(table)


def _told(rate: float) -> str:
    """Formats a rate with its significant digits."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def _game(
    name: str,
    wanted: int | None,
    baselines: Mapping[str, Baseline],
    rounds: int,
    seconds: float,
    more: Sequence[str],
) -> dict[str, str | float | None]:
    loaded = game(name)
    players = player_count(loaded, wanted)
    sides: dict[str, Side] = {
        "reference": _one_by_one(partial(_reference, loaded.program, players)),
        "compiled": _compiled(loaded.program, players),
    }
    if NATIVE in more:
        sides["native"] = _native(loaded.program, players)
    if GPU in more:
        sides[CARD] = _on_card(loaded.program, players)
    if name in baselines:
        sides["by hand"] = _one_by_one(partial(baselines[name], players))
    outside = _open_spiel(name)
    if outside is not None:
        sides["OpenSpiel"] = _one_by_one(outside)
    rates = _measure(sides, rounds, seconds)
    return {"game": name, "players": players, **_figures(rates)}


def _one_by_one(play: Play) -> Side:
    def side(number: int) -> int:
        play(number)
        return 1

    return side


class Inside(Protocol):
    """Protocol for a machine that plays whole games in one call."""

    @property
    def most_games(self) -> int: ...

    def play(self, seed: int, first: int, count: int) -> None: ...


def _compiled(program: ir.Program, players: int) -> Side:
    from lawspeaker.machines.adapter import module_for

    return _many_at_once(module_for(layout_for(program, players), PLAYING))


def _native(program: ir.Program, players: int) -> Side:
    from lawspeaker.outside.native import native_games

    return _many_at_once(native_games(program, players, PLAYING))


def _on_card(program: ir.Program, players: int) -> Side:
    """Plays as many games on the GPU in one call as a launch has time for."""
    from lawspeaker.outside.gpu_games import card_games

    games = card_games(program, players)

    def side(number: int) -> int:
        return games.play(number)

    return side


def _many_at_once(instance: Inside) -> Side:
    """Plays so many games in one call that it takes about `BLOCK` seconds."""
    instance.play(1, 0, 1)
    count = 1
    while True:
        began = time.process_time()
        instance.play(1, 0, count)
        if time.process_time() - began > BLOCK or count >= instance.most_games:
            break
        count = min(2 * count, instance.most_games)

    def side(number: int) -> int:
        instance.play(number, 0, count)
        return count

    return side


def _open_spiel(name: str) -> Play | None:
    """Returns a random game driven from Python, if OpenSpiel is installed and has a game of this
    name."""
    try:
        import pyspiel
    except ImportError:
        return None
    if name not in pyspiel.registered_names():
        return None
    loaded = pyspiel.load_game(name)

    def play(number: int) -> object:
        state, luck = loaded.new_initial_state(), Random(number)
        while not state.is_terminal():
            if state.is_simultaneous_node():
                seats = range(loaded.num_players())
                state.apply_actions([luck.choice(state.legal_actions(seat)) for seat in seats])
            else:
                state.apply_action(luck.choice(state.legal_actions()))
        return state.returns()

    return play


def _reference(program: ir.Program, players: int, number: int) -> object:
    """Plays one game with random replies on the reference machine, without a record."""
    match, luck = Match(program, players, number), RngFactory(number).stream("bench")
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


def _measure(sides: dict[str, Side], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Measures the rate of each side in each round; they alternate, to see the same load."""
    rates: dict[str, list[float]] = {side: [] for side in sides}
    number = 0
    for play in sides.values():
        play(number)
    for _ in range(rounds):
        for side, play in sides.items():
            clock = time.perf_counter if side == CARD else time.process_time
            began, played = clock(), 0
            while clock() - began < seconds:
                number += 1
                played += play(number)
            rates[side].append(played / (clock() - began))
    return rates


def _figures(rates: dict[str, list[float]]) -> dict[str, float | None]:
    """Returns the median rate of each side, and the ratio of the compiled machine to the best
    external one."""
    figures = {side: median(rates[side]) if side in rates else None for side in SIDES}
    others = [figures[side] for side in ("by hand", "OpenSpiel") if side in rates]
    best = max((rate for rate in others if rate), default=None)
    compiled = figures["compiled"]
    return {**figures, "ratio": compiled / best if compiled and best else None}
