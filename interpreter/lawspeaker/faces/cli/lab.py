"""What the commands of the lab share: who plays, who does the work, and the progress bar."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

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

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.cli.common import complain, fail, say, show_diagnostics
from lawspeaker.faces.render import plots
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.simulation import pace_of
from lawspeaker.ir.types import NumberType, TruthType
from lawspeaker.match.game import Game
from lawspeaker.outside.crew import Crew, cores
from lawspeaker.outside.machines import Wanted, WrongMachine, chosen, on_card
from lawspeaker.outside.storage import NotSaved, save, state_folder, write
from lawspeaker.outside.workers import Rules, bouts_won, program_of
from lawspeaker.players.bots import known
from lawspeaker.position.fault import NoMachine
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.measures import MEASURES, Measures, NoMeasure, measures_of
from lawspeaker.study.lab.proving import Proof, Won, bouts, deals_for, proof
from lawspeaker.study.lab.record import broken_off, game_seed
from lawspeaker.study.lab.varying import NOTHING, CannotVary, Values, Varied, own_measure

Name = Annotated[str, typer.Argument(help="The game: a name, a folder or a file.")]
Players = Annotated[int | None, typer.Option(help="How many players; the most, if left out.")]
Seed = Annotated[int, typer.Option(help="The seed; the same seed gives the same games.")]
Bots = Annotated[
    str,
    typer.Option(
        help="One for each seat or one for all: random, greedy, learned, mc:200, tree:200."
    ),
]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes; all cores, if left out.")]
Cluster = Annotated[str, typer.Option(help="A Dask scheduler to do the work: tcp://HOST:8786.")]
Machine = Annotated[
    str, typer.Option(help="Who plays random games: wasm, native (needs a C compiler), gpu, auto.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Plot = Annotated[
    Path | None, typer.Option(help="Draw the result into this file: .png, .svg or .pdf.")
]
Html = Annotated[Path | None, typer.Option(help="Write one page with all tables and plots.")]
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
        help="A measure besides: part:CLAUSE, chosen:OPTION, …, or your own, NAME=EXPRESSION.",
    ),
]


FEW_RANDOM_GAMES = 3000


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


def crew_for(
    games: int, bots: Sequence[str], workers: int | None, cluster: str, machine: str = ""
) -> Crew:
    """Who is to play so many games: whoever the user names, else all cores, if that is worth it.

    Some thousand games between random players are over before other processes have started, and
    what a card does is done by one.
    """
    few = FEW_RANDOM_GAMES if set(bots) == {"random"} else 1
    alone = games <= few or on_card(machine)
    return Crew(1 if on_card(machine) else workers or (1 if alone else cores()), cluster)


def machine_for(name: str, games: int, bots: Sequence[str], wanted: Sequence[Wanted]) -> str:
    """The machine of that name, got ready; what is missing is told."""
    try:
        return chosen(name, games, bots, wanted)
    except WrongMachine as error:
        fail(str(error), 2)
    except NoMachine as error:
        fail(str(error))


def tell_pace(bots: Sequence[str]) -> None:
    """Games between random players take long where there is no compiled machine: says so."""
    if set(bots) == {"random"} and find_spec("wasmtime") is None:
        complain("wasmtime is not installed: the reference machine plays, hundreds of times slower")


class Rate:
    """Games counted, and how many a second."""

    def __init__(self, bar: Progress, total: int, doing: str) -> None:
        self._bar = bar
        self._task = bar.add_task(doing, total=total, rate="")
        self._began: float | None = None
        self._games = 0
        self.a_second: float | None = None
        """Not known before some games are over: the first ones wait until all is made ready."""

    def advance(self, games: int) -> None:
        now = time.monotonic()
        if self._began is None:
            self._began = now
        elif now > self._began:
            self._games += games
            self.a_second = self._games / (now - self._began)
        told = pace_of(self.a_second) if self.a_second else ""
        self._bar.update(self._task, advance=games, rate=told)

    def expect(self, total: int) -> None:
        """So many games it will be, by what is known now."""
        self._bar.update(self._task, total=total)


@contextmanager
def counting(total: int, doing: str = "playing") -> Iterator[Rate]:
    """A progress bar on a terminal, for so many games."""
    with progress(TextColumn("{task.fields[rate]}")) as bar:
        yield Rate(bar, total, doing)


def progress(*more: ProgressColumn) -> Progress:
    """A progress bar on a terminal. Something moves in it before the first part is done, too, for
    one game of bots that think may take a minute."""
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


def prove(
    rules: Rules, tables: Sequence[Sequence[str]], seed: int, games: int, crew: Crew
) -> tuple[Proof, ...]:
    """Lets the bots that think at some tables prove themselves by these rules, before so many games
    are played with them."""
    wanted = bouts(tables)
    if not wanted:
        return ()
    program = program_of(rules)
    sides = {each: len(sides_of(program, each.players)) for each in wanted}
    deals = [deals_for(games, sides[each]) for each in wanted]
    found = dict.fromkeys(wanted, Won(0, 0))
    total = sum(count * sides[each] for each, count in zip(wanted, deals, strict=True))
    with counting(total, "proving bots") as rate:
        for bout, won in bouts_won(rules, wanted, seed, deals, crew):
            found[bout] += won
            rate.advance(sides[bout])
    return tuple(proof(bout, won, sides[bout]) for bout, won in found.items())


def say_proven(proofs: Sequence[Proof]) -> None:
    """What came of it, before anything else is told."""
    for line in sentences(proofs):
        say(line)


def wanted_measures(texts: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The names of measures that are wanted besides the usual, and the expressions of those that
    are the user's own."""
    names: list[str] = []
    expressions: dict[str, str] = {}
    for text in texts:
        try:
            own = own_measure(text)
        except CannotVary as error:
            fail(str(error), 2)
        if own is None:
            names.append(text)
        elif own[0] in expressions or own[0] in MEASURES:
            fail(f"there is a measure `{own[0]}` already; give yours another name", 2)
        else:
            expressions[own[0]] = own[1]
    return names, expressions


def checked_measures(
    rules: Rules, players: int, names: Sequence[str], own: Mapping[str, str] = NOTHING
) -> Measures:
    """What is measured under some rules; wrong names are answered, and wrong expressions, if these
    are all that such rules have of their `own`."""
    try:
        program = program_of(rules)
        found = measures_of(program, players, names)
    except RulesError as error:
        for name, expression in own.items():
            complain(f"in --measure {name}={expression}:")
        show_diagnostics(error.diagnostics)
        raise typer.Exit(1) from None
    except NoMeasure as error:
        fail(str(error), 2)
    for name, function in program.measures.items():
        if not isinstance(function.result.type, (NumberType, TruthType)):
            fail(f"the measure `{name}` is a {function.result.type}, not a number or yes or no", 2)
    return found


def set_to(all_varied: Sequence[Varied], values: Values) -> str:
    """Which values the choices have."""
    each_set = zip(all_varied, values, strict=True)
    return ", ".join(f"{each.choice} = {value}" for each, value in each_set)


def show_broken(game: Game, broken: Broken, seed: int, bots: Sequence[str], under: str = "") -> str:
    """Games broke off, since their rules have a hole: says how, and keeps the log of the first.

    Gives the file of the log, nothing if there is none. `under`: with these values.
    """
    those = f" with {under}" if under else ""
    plural = "game" if broken.games == 1 else "games"
    complain(f"{broken.games:,} {plural}{those} broke off, since the rules have a hole:")
    for hole in broken.holes:
        own = game_seed(seed, hole.first)
        which = f"first game {hole.first}, seed {own}" if hole.games > 1 else f"seed {own}"
        complain(f"  {hole.games:,} × {hole.fault} ({which})")
    first = broken.holes[0].first
    found = broken_off(game, len(bots), seed, first, bots)
    if found is None:
        complain(f"Game {first} breaks before anybody is asked.")
        return ""
    name = "".join(each if each.isalnum() else "_" for each in f"{game.name} {under}".strip())
    file = state_folder() / "broken" / f"{name}-{len(bots)}-{seed}-{first}.json"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        save(file, found.log)
    except (OSError, NotSaved) as error:
        complain(f"The log of game {first} could not be kept: {error}")
        return ""
    who = game.program.player_names[found.seat]
    complain(f"Game {first}, reply {len(found.log.replies) + 1}: {who} chooses `{found.reply}`.")
    seats = ",".join("human" if at == found.seat else bot for at, bot in enumerate(bots))
    command = shlex.join(["lawspeaker", "play", "--resume", str(file), "--seats", seats])
    complain(f"To stand there: {command}")
    return str(file)


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
