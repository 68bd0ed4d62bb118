"""`lawspeaker train`: trains a bot by self-play, or solves a small game."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from lawspeaker import ir
from lawspeaker.faces.cli.common import as_json, complain, fail, game, say
from lawspeaker.faces.cli.options import AsJson, Cluster, Name, Players, Seed, Workers
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.runtime.search_layout import LEAF, SCORED
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.crew import Crew, cores
from lawspeaker.outside.experiments.requests import player_count
from lawspeaker.outside.learned import LearnedShelf, aside, lesson_in, put_aside
from lawspeaker.outside.manner_matches import BestManner, best_manner
from lawspeaker.outside.playout_training import practised
from lawspeaker.outside.rules import Rules
from lawspeaker.outside.storage import try_to_write, write
from lawspeaker.outside.training import (
    Learned,
    TrainingTask,
    against_random,
    blank,
    prefers_best,
    training,
    tune_and_train,
    weights_of,
)
from lawspeaker.players.bots.policies import (
    MANNERS,
    PLAIN,
    SOLVED_HIDDEN,
    SOLVED_OPEN,
    About,
    Policy,
    best_of,
    mark_of,
    packed_plan,
    unpacked,
)
from lawspeaker.players.solving.size import NotSmall
from lawspeaker.players.solving.solved import Solved, solved
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.statistics import Estimate

MINUTES = 5.0
MOST_MINUTES = 60.0 * 24 * 28
REPORTS = 8
"""Number of progress reports; the interval between them doubles."""
FEWEST_FINAL, FINAL_GAMES = 100, 1000
"""Bounds for the number of games of the final evaluation: fewer for games so slow that training
used few."""
STOPPED = 130
THINKING = 0.5
"""Fraction of the time for finding the best search method with the policy."""
PRACTISING = 0.1
"""Fraction of the time for training the playout policy."""


class How(StrEnum):
    AUTO = "auto"
    SOLVE = "solve"
    PLAY = "play"


def train(
    name: Name,
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, max=MOST_MINUTES, help="For how long to learn (5)."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="From how many games to learn, instead of minutes.")
    ] = None,
    players: Players = None,
    seed: Seed = 1,
    points: Annotated[
        bool, typer.Option("--points", help="Only points count, and not who wins.")
    ] = False,
    start: Annotated[Path | None, typer.Option(help="Go on from what stands in this file.")] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Forget what was learned of the game before.")
    ] = False,
    how: Annotated[
        How, typer.Option(help="solve works a small game out, play learns by playing.")
    ] = How.AUTO,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write what was learned to this file.")
    ] = None,
    workers: Workers = None,
    cluster: Cluster = "",
    json: AsJson = False,
) -> None:
    """Learn a game from its rules: work it out if it is small, else play it again and again.

    Then `--bots learned` plays by what was learned, and learned+mc:200 thinks ahead with it for as
    long as mc:200 does, in the manner that won most games against mc.

    Example: lawspeaker train GAME --games 2000

    A game is small if it can be gone through as a whole. Where nothing is hidden every position is
    then known exactly; elsewhere an equilibrium is found, and it is told how near.

    What was learned is kept for these rules and so many players (or written to -o FILE); what it
    replaces stays beside it. Where something was learned before, it goes on from that, unless
    --anew is said: by these rules for as many players, else for another number of players, else of
    the game by other rules, so that a variant starts from its game. With --games, the same seed and
    workers learn the same; with --minutes (5, if nothing is said) as much as there is time for. In
    which manner to think ahead is found out with a clock in any case. Ctrl-C keeps what was learned
    so far.
    """
    if minutes is not None and games is not None:
        fail("either --minutes or --games, not both", 2)
    if minutes is not None and math.isnan(minutes):
        fail("--minutes is a number", 2)
    loaded = game(name)
    count = player_count(loaded, players)
    if points and not _gives_points(loaded.program):
        fail(f"no rule of {name} gives points; leave --points out", 2)
    equip()
    shelf = LearnedShelf()
    course = TrainingTask(Rules.of_game(loaded, name), count, seed, points)
    file = _place(course, shelf, out)
    if how is not How.PLAY and _solve(course, file, shelf, out, json, must=how is How.SOLVE):
        return
    before = None if anew else _before(course, shelf, start)
    learned = blank(course)
    if before is not None:
        learned = blank(course, weights_of(before.weights), before.about.every_game)
        complain(f"going on from what was learned in {_earlier(before)}")
    crew = Crew(workers or cores(), cluster)
    seconds = 60 * (MINUTES if minutes is None else minutes)
    began = time.monotonic()
    learned, stopped = _learn(learned, crew, games, (1 - THINKING - PRACTISING) * seconds)
    if not learned.rounds:
        fail("stopped before anything was learned", STOPPED)
    if stopped:
        complain("stopped; this is what was learned so far")
        learned = replace(learned, manner=PLAIN)
    last = max(FEWEST_FINAL, min(FINAL_GAMES, learned.games // 4))
    learned = replace(learned, best=prefers_best(learned, last))
    ahead = None
    if not stopped:
        spent = (time.monotonic() - began) / (1 - THINKING - PRACTISING)
        learned, ahead = _think(learned, crew, games, spent)
        stopped = ahead is None
    kept = _keep(learned.about, learned.content, file, shelf, out)
    found = against_random(learned, last)
    for line in _aborted(learned):
        complain(line)
    if json:
        told = {"game": name, "players": count, "seed": seed, "games": learned.games}
        told |= {"before": learned.before, "aborted": _aborted_json(learned.aborted)}
        wins = {**_estimate(found, found.games), "fair": found.fair}
        paced = {"manner": learned.manner, "pace": learned.pace, "start": learned.start}
        won = None if ahead is None else ahead.won
        against_mc = None
        if ahead is not None and won is not None:
            against_mc = {**_estimate(won, ahead.games), "playouts": ahead.playouts}
        ends = {"against_random": wins, "against_mc": against_mc, **kept.json}
        say(as_json({**told, "best": learned.best, **paced, **ends}))
    else:
        says = "takes the option it likes best" if learned.best else "mixes its options"
        who, without = f"one against {count - 1} random", "fair"
        if len(course.sides) == 1:
            who, without = f"a team of {count}", "a random team"
        gone_on = "" if before is None else f", going on from {_earlier(before)}"
        say(
            f"learned {name} for {_players(count)} from {_games(learned.games)}{gone_on}; "
            f"it {says}\n"
            f"learned+mc {'does as mc does' if ahead is None else _ahead(ahead)}\n"
            f"{who}: {_told(found.value)} of {_games(found.games)} won "
            f"({_told(found.low)} to {_told(found.high)}; {without}: {_told(found.fair)})\n"
            f"{kept.told}"
        )
    if stopped:
        raise typer.Exit(STOPPED)


def _gives_points(program: ir.Program) -> bool:
    bodies = [clause.body for clause in program.clauses]
    return any(isinstance(node, ir.Score) for node in everything(tuple(bodies)))


def _solve(
    course: TrainingTask, file: Path, shelf: LearnedShelf, out: Path | None, json: bool, must: bool
) -> bool:
    """Solves a small game and reports the result; returns False if it is too large."""
    program, count = course.program, course.players
    try:
        found = solved(program, count, points=course.points)
    except NotSmall:
        if must:
            fail(f"{program.name} is too large to be worked out; leave --how out")
        return False
    except RuleFault as error:
        if must:
            fail(str(error))
        complain(f"not worked out, since a game aborts: {error}")
        return False
    except KeyboardInterrupt:
        fail("stopped before anything was learned", STOPPED)
    way = SOLVED_OPEN if found.all_open else SOLVED_HIDDEN
    about = About(program.name, program.digest, count, 0, False, course.aim, way)
    kept = _keep(about, packed_plan(about, found.plan), file, shelf, out)
    if json:
        say(as_json({**_facts(course, found), "way": way, **kept.json}))
    else:
        say("\n".join([*_solution(course, found), kept.told]))
    return True


def _facts(course: TrainingTask, found: Solved) -> dict[str, Any]:
    program, count = course.program, course.players
    values = dict(zip(program.player_names[:count], found.values, strict=True))
    return {
        "game": program.name,
        "players": count,
        "aim": course.aim,
        "size": found.size,
        "values": values,
        "exploitable": found.exploitable,
        "against_random": found.careless,
    }


def _solution(course: TrainingTask, found: Solved) -> list[str]:
    """Describes the solution of a game in words."""
    count, unit = course.players, "points" if course.points else "of the victory"
    named = _facts(course, found)["values"].items()
    told = ", ".join(f"{name} {value:.4f}" for name, value in named)
    what = "positions, worked out exactly" if found.all_open else "choices that can be told apart"
    lines = [
        f"{course.program.name} for {_players(count)} is small, and solved: {found.size:,} {what}"
    ]
    if not found.all_open:
        lines.append(
            f"after {found.rounds:,} rounds of regrets one who answers best gains "
            f"{found.exploitable:.4f} ({'points' if course.points else 'victories'}) against it"
        )
    if len(course.sides) > 2:
        lines.append("among more than two sides others may play otherwise and do as well")
    lines.append(f"if all play by it, {unit}: {told}")
    lines.append(f"one against {count - 1} random may expect {found.careless:.3f} {unit}")
    return lines


def _before(course: TrainingTask, shelf: LearnedShelf, start: Path | None) -> Policy | None:
    """Loads the policy to continue from: from a file, or of the same game."""
    if start is None:
        before = best_of(
            shelf.found(course.program, course.players), course.program, course.players
        )
        return before if before is not None and not before.about.solved else None
    content = shelf.read(str(start))
    if content is None:
        fail(f"there is no file `{start}` with something learned", 2)
    before = unpacked(content, f"`{start}`")
    if before.about.solved:
        fail(f"`{start}` is a game that is solved; there is nothing to go on from", 2)
    return before


def _learn(begun: Learned, crew: Crew, games: int | None, seconds: float) -> tuple[Learned, bool]:
    """Trains in rounds with progress reports; returns the result and whether it was stopped."""
    began, learned = time.monotonic(), begun
    until = began + seconds

    def seen(found: Learned) -> None:
        nonlocal learned
        learned = max(learned, found, key=lambda each: each.games)

    due = seconds / 2**REPORTS if games is None else games / 2**REPORTS
    try:
        start = learned = tune_and_train(begun, crew, games, seconds, seen)
        for learned in training(start, crew, games, max(0.0, until - time.monotonic())):
            spent = time.monotonic() - began
            done = spent if games is None else learned.games
            if done < due:
                continue
            while due <= done:
                due *= 2
            found = against_random(learned)
            complain(
                f"{int(spent) // 60}:{int(spent) % 60:02}  {_games(learned.games)}: wins "
                f"{_told(found.value)} ({_told(found.low)} to {_told(found.high)}) against random"
            )
    except KeyboardInterrupt:
        return learned, True
    return learned, False


def _think(
    learned: Learned, crew: Crew, games: int | None, seconds: float
) -> tuple[Learned, BestManner | None]:
    """Trains the playout policy and finds the best search method; None if it was stopped."""
    try:
        habits = practised(learned, games, seconds * PRACTISING)
        learned = replace(learned, habits=habits)
        found = best_manner(learned, crew, seconds * THINKING)
    except KeyboardInterrupt:
        complain("stopped before it was known how to think ahead best")
        return replace(learned, manner=PLAIN), None
    return found.learned, found


def _aborted(learned: Learned) -> list[str]:
    """Lists the faults that ended games, with their counts."""
    aborted = learned.aborted
    if not aborted.games:
        return []
    found = [f"{aborted.games:,} of {_games(learned.games)} aborted and taught nothing:"]
    return found + [f"  {_games(hole.games)}: {hole.fault}" for hole in aborted.holes]


def _aborted_json(aborted: Broken) -> list[dict[str, Any]]:
    return [{"fault": hole.fault, "games": hole.games} for hole in aborted.holes]


def _manner(name: str) -> str:
    """Describes a search method in words."""
    manner = MANNERS[name]
    if manner.blank:
        return "does as mc does: nothing that was learned was found to be better"
    if manner.turns == LEAF:
        return "grows a tree of replies, whose ends count by what is expected there"
    who = "everyone plays by the policy" if manner.guided else "everyone has habits from before"
    if not manner.turns:
        more = "; to be ahead counts for more than in mc" if manner.lead > 1 else ""
        return f"plays on to the end of the game, in which {who}{more}"
    if manner.turns == SCORED:
        return (
            "plays on until points were made and it is one's turn, and counts by what is "
            f"expected then; {who} until there"
        )
    turn = "one's next turn" if manner.turns == 1 else f"one's turn number {manner.turns}"
    return f"plays on to {turn}, and counts by what is expected then; {who} until there"


def _ahead(found: BestManner) -> str:
    """Describes the search method and its result against plain Monte Carlo."""
    won, manner = found.won, found.learned.manner
    if won is None:
        return "does as mc does: to find out whether anything is better takes more minutes"
    who = "the best of other manners" if MANNERS[manner].blank else "so it"
    return (
        f"{_manner(manner)}\n{who} won {_told(won.value)} ({_told(won.low)} to {_told(won.high)}) "
        f"of {_games(found.games)} against mc:{found.playouts} with the same time"
    )


def _estimate(found: Estimate, games: int) -> dict[str, float]:
    return {"value": found.value, "low": found.low, "high": found.high, "games": games}


@dataclass(frozen=True, slots=True)
class SavedPolicy:
    """The saved policy: its file and hash.

    `replaced` is the new location of a former policy, if that was trained on more games or this
    command could not find it any more.
    """

    file: Path
    mark: str
    on_shelf: bool
    replaced: Path | None = None
    games: int = 0
    replaced_mark: str = ""

    @property
    def json(self) -> dict[str, Any]:
        replaced = None if self.replaced is None else str(self.replaced)
        return {"file": str(self.file), "print": self.mark, "replaced": replaced}

    @property
    def told(self) -> str:
        bot = f"learned@{self.mark}" if self.on_shelf else f"learned:{self.file}"
        lines = [f"kept in {self.file} ({bot})"]
        if self.replaced is not None:
            was = f"learned@{self.replaced_mark}" if self.on_shelf else f"learned:{self.replaced}"
            before = f"learned from {_games(self.games)}" if self.games else "there before"
            lines.append(f"what was {before} is now in {self.replaced} ({was})")
        return "\n".join(lines)


def _place(course: TrainingTask, shelf: LearnedShelf, out: Path | None) -> Path:
    """Returns the target file; exits before training if it is not writable."""
    program = course.program
    file = out or shelf.place(About(program.name, program.digest, course.players))
    try_to_write(file)
    return file


def _keep(
    about: About, content: bytes, file: Path, shelf: LearnedShelf, out: Path | None
) -> SavedPolicy:
    """Saves a policy.

    In the default location a former one is kept beside it; the user's own file is overwritten
    unless it holds a policy trained on more games.
    """
    was, mark = lesson_in(file), mark_of(content)
    replaced = None
    if out is None:
        shelf.keep(about, content)
        replaced = None if was is None or was.mark == mark else aside(file, was.mark)
    else:
        if was is not None and was.about.every_game > about.every_game:
            replaced = put_aside(file, content)
        write(file, content)
    if was is None or replaced is None:
        return SavedPolicy(file, mark, out is None)
    return SavedPolicy(file, mark, out is None, replaced, was.about.every_game, was.mark)


def _earlier(before: Policy) -> str:
    """Describes what training continues from."""
    was = before.about
    return f"{_games(was.every_game)} of {was.game} for {_players(was.players)}"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def _told(part: float) -> str:
    return f"{part:.0%}"
