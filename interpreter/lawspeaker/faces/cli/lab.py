"""Shared options of the lab's commands: players, workers, machines, and the progress bar."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Generic, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from lawspeaker.base.diagnostics import RulesError, with_noun
from lawspeaker.faces.cli.common import complain, say, show_and_leave
from lawspeaker.faces.cli.keeping import log_file
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.simulation import pace_of
from lawspeaker.outside.experiments import requests
from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.steps import Experiment
from lawspeaker.study.lab.broken import Broken, Hole
from lawspeaker.study.lab.proving import Proof
from lawspeaker.study.lab.varying import Values, Varied

if TYPE_CHECKING:
    from lawspeaker.match.game import Game
    from lawspeaker.outside.experiments.sweeping import Trying

STOPPED = 130
"""Exit code after an interruption by the user."""
T = TypeVar("T")

Vary = Annotated[
    list[str],
    typer.Option(
        "--vary",
        help="What varies: CHOICE=1..5, CHOICE=2,4,8, LIST=[3,4],[5,5], LIST at 2=1..4, PATH=1..3.",
    ),
]
MeasureNames = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        help="A measure besides: skill, part:CLAUSE, chosen:OPTION, …, or NAME=EXPRESSION.",
    ),
]


def seat_bots(text: str, count: int) -> tuple[str, ...]:
    """Parses `--bots`: `greedy,random,random`, one name for all seats, or `best`."""
    return requests.seat_bots(text, count, best=True)


def tell_pace(bots: Sequence[str]) -> None:
    """Warns that random games are slow without the compiled machine."""
    if set(bots) == {"random"} and find_spec("wasmtime") is None:
        complain("wasmtime is not installed: the reference machine plays, hundreds of times slower")


class Rate:
    """Counts games, and games per second."""

    def __init__(self, bar: Progress, total: int, doing: str) -> None:
        self._bar = bar
        self._task = bar.add_task(doing, total=total, rate="")
        self._began: float | None = None
        self._games = 0
        self.a_second: float | None = None
        """None until some games are over: the first ones include the warm-up."""

    def advance(self, games: int) -> None:
        now = time.monotonic()
        if self._began is None:
            self._began = now
        elif now > self._began:
            self._games += games
            self.a_second = self._games / (now - self._began)
        told = pace_of(self.a_second) if self.a_second else ""
        self._bar.update(self._task, advance=games, rate=told)

    def expect(self, total: int, doing: str) -> None:
        """Sets the expected number of games; 0 if it is unknown."""
        self._bar.update(self._task, total=total or None, description=doing)


@contextmanager
def counting(total: int, doing: str = "playing") -> Iterator[Rate]:
    """Shows a progress bar for a number of games on a terminal."""
    with progress(TextColumn("{task.fields[rate]}")) as bar:
        yield Rate(bar, total, doing)


class Watched(Generic[T]):
    """Runs an experiment with a progress bar; `known` is its latest intermediate result."""

    def __init__(self, experiment: Experiment[T], doing: str = "playing") -> None:
        self._experiment = experiment
        self._doing = doing
        self.known: T | None = None
        self.a_second: float | None = None

    def result(self) -> T:
        """Runs the experiment and returns its result; after an interruption `known` remains."""
        with counting(0, self._doing) as rate:
            done, doing = 0, ""
            try:
                while True:
                    step = next(self._experiment)
                    # Another phase begins, with its own count.
                    done = done if step.doing == doing or step.done > done else 0
                    doing = step.doing
                    rate.expect(step.of, step.doing or self._doing)
                    rate.advance(step.done - done)
                    done = step.done
                    self.known = step.known if step.known is not None else self.known
                    self.a_second = step.a_second or rate.a_second
            except StopIteration as end:
                result: T = end.value
                return result


def progress(*more: ProgressColumn) -> Progress:
    """Returns a progress bar for a terminal.

    It has a spinner, since a single game of slow bots may take a minute.
    """
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *more,
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty())


def proven(experiment: Experiment[tuple[Proof, ...]]) -> tuple[Proof, ...]:
    """Checks the bots' strength with a progress bar."""
    return Watched(experiment, "proving bots").result()


def say_proven(proofs: Sequence[Proof]) -> None:
    """Prints the results of the strength checks."""
    for line in sentences(proofs):
        say(line)


def asked_for(
    setting: Setting, vary: Sequence[str], measure: Sequence[str], target: Sequence[str] = ()
) -> Trying:
    """Parses what to vary and to measure; exits with a message for an error.

    `target` are the measures that have one.
    """
    from lawspeaker.outside.experiments.sweeping import trying

    try:
        return trying(setting, vary, (*measure, *target))
    except RulesError as error:
        for text in measure:
            if "=" in text:
                complain(f"in --measure {text}:")
        show_and_leave(error.diagnostics)


def set_to(all_varied: Sequence[Varied], values: Values) -> str:
    """Formats the values of choices."""
    each_set = zip(all_varied, values, strict=True)
    return ", ".join(f"{each.choice} = {value}" for each, value in each_set)


def _complain_of(holes: Sequence[Hole], seed: int) -> None:
    from lawspeaker.study.lab.record import game_seed

    for hole in holes:
        own = game_seed(seed, hole.first)
        which = f"first game {hole.first}, seed {own}" if hole.games > 1 else f"seed {own}"
        complain(f"  {hole.games:,} × {hole.fault} ({which})")


def show_broken(game: Game, broken: Broken, seed: int, bots: Sequence[str], under: str = "") -> str:
    """Reports games that were aborted by a fault, and saves the log of the first.

    Returns the file of the log, empty if there is none; `under` names the values of choices.
    """
    # Imported here: few games are aborted.
    from lawspeaker.outside.storage import NotSaved, save, write_error
    from lawspeaker.study.lab.record import broken_off, only_measured

    those = f" with {under}" if under else ""
    holes = [hole for hole in broken.holes if not only_measured(hole.fault)]
    unmeasured = [hole for hole in broken.holes if only_measured(hole.fault)]
    if unmeasured:
        played = with_noun(sum(hole.games for hole in unmeasured), "game")
        complain(f"{played}{those} cannot be measured, since a measure has a hole:")
        _complain_of(unmeasured, seed)
    if not holes:
        return ""
    played = with_noun(sum(hole.games for hole in holes), "game")
    complain(f"{played}{those} stopped, since the rules fault:")
    _complain_of(holes, seed)
    first = holes[0].first
    found = broken_off(game, len(bots), seed, first, bots)
    if found is None:
        complain(f"Game {first} breaks before anybody is asked.")
        return ""
    file = log_file(game, "broken", bots, seed, first, under=under)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        save(file, found.log)
    except (OSError, NotSaved) as error:
        reason = write_error(error) if isinstance(error, OSError) else str(error)
        complain(f"The log of game {first} could not be kept: {reason}")
        return ""
    who = game.program.player_names[found.seat]
    complain(f"Game {first}, reply {len(found.log.replies) + 1}: {who} chooses `{found.reply}`.")
    seats = ",".join("human" if at == found.seat else bot for at, bot in enumerate(bots))
    command = shlex.join(["lawspeaker", "play", "--resume", str(file), "--seats", seats])
    complain(f"To stand there: {command}")
    return str(file)
