"""`lawspeaker review`: what an experienced developer would list of a game, each with evidence."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.faces.cli.common import as_json, complain, fail, game, say
from lawspeaker.faces.cli.lab import (
    AsJson,
    Bots,
    Cluster,
    Html,
    Players,
    Rate,
    Seed,
    Workers,
    counting,
    crew_for,
    keep,
    player_count,
    seat_bots,
    tell_pace,
)
from lawspeaker.faces.render import lab_page, plots
from lawspeaker.faces.render import review as shown
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.outside.crew import Crew, NoCluster
from lawspeaker.outside.storage import NotSaved, save, state_folder
from lawspeaker.outside.workers import Rules, Table, looks, sums
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.exact_sums import added
from lawspeaker.study.lab.sweep import Sweep, sweep, swept
from lawspeaker.study.lab.varying import Varied
from lawspeaker.study.review.comparing import changes
from lawspeaker.study.review.evidence import Evidence, Played, scoring, summed_up
from lawspeaker.study.review.findings import Review
from lawspeaker.study.review.findings import review as found_in
from lawspeaker.study.review.testing import About
from lawspeaker.study.review.witness import witnesses

LOOKED_AT = 100
"""So many of the games between random players are looked at closely."""


def review(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME [NAME]", help="A game, or two versions of one.")
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", min=20, help="Random games for each number of players.")
    ] = 1000,
    thinking: Annotated[int, typer.Option(min=1, help="Games between the thinking bots.")] = 40,
    players: Players = None,
    seed: Seed = 1,
    bots: Bots = "mc:100",
    workers: Workers = None,
    cluster: Cluster = "",
    json: AsJson = False,
    html: Html = None,
) -> None:
    """List what is wrong or odd about a game, each with evidence.

    Holes and games without end; seats that win more; leads that are never lost; rules, guards,
    cards and options that never come up, that nobody who thinks chooses, or that everybody does;
    ties, length, and what each rule gives. The weightiest first. Where there is a position that
    shows it, the log is kept, and the command that opens it is told.

    Random players play at tables of every size, --bots at one, with --players or the most.
    With two names, it is told what got better and what got worse from the first to the second.

    Example: lawspeaker review GAME --games 100 --thinking 2 --bots greedy
    """
    if len(names) > 2:
        fail("one game is reviewed, or two versions are compared", 2)
    loaded = [game(name) for name in names]
    counts = {player_count(each, players) for each in loaded}
    if len(counts) > 1:
        fail("these are for different numbers of players: say --players", 2)
    (count,) = counts
    seats = seat_bots(bots, count)
    tell_pace(["random"])
    try:
        reviews = [
            _reviewed(name, each, games, thinking, seats, seed, workers, cluster)
            for name, each in zip(names, loaded, strict=True)
        ]
        measures = _measured(names, loaded, count, games, seed, workers, cluster)
    except NoCluster as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped", 130)
    last = reviews[-1]
    opened = _opened(loaded[-1], last)
    about = {"game": names[-1], "players": count, "seed": seed, "bots": seats}
    told = shown.to_json(last, about, opened)
    found = changes(reviews[0], last) if len(reviews) == 2 else ()
    if html is not None:
        try:
            keep(html, lab_page.review(last, names[-1], seed, opened, found))
        except plots.NoPlots as error:
            fail(str(error))
    if json:
        if measures is not None:
            told |= {"before": names[0], **shown.compared_json(found, measures)}
        say(as_json(told))
        return
    console = Console()
    console.print(shown.text(last, opened))
    if measures is not None:
        console.print()
        console.print(shown.compared(found, measures, (names[0], names[1])))


def _reviewed(
    name: str,
    loaded: Game,
    games: int,
    thinking: int,
    seats: Sequence[str],
    seed: int,
    workers: int | None,
    cluster: str,
) -> Review:
    program, rules = loaded.program, Rules(name, loaded.files)
    sum_up = partial(summed_up, clauses=tuple(each.index for each in scoring(program)))
    looked = min(games, LOOKED_AT)
    with counting(games * len(loaded.players) + looked + thinking) as rate:
        many = []
        crew = crew_for(games, ["random"], workers, cluster)
        for count in loaded.players:
            table = Table(("random",) * count, seed)
            blocks = []
            for some in sums([rules], table, range(games), sum_up, crew):
                blocks.append(some)
                rate.advance(some.tally.games + some.tally.broke.games)
            whole = reduce(add, blocks)
            many.append(Played(table.bots, whole.tally, whole.parts))
        slow = crew_for(looked, ["greedy"], workers, cluster)
        at_random = Table(("random",) * len(seats), seed)
        random = _looked(rules, at_random, looked, slow, rate)
        best = _looked(rules, Table(tuple(seats), seed), thinking, slow, rate)
    return found_in(Evidence(program, seed, tuple(many), random, best))


def _looked(rules: Rules, table: Table, games: int, crew: Crew, rate: Rate) -> Played:
    blocks = []
    for tally, look in looks(rules, table, range(games), crew):
        blocks.append((tally, look))
        rate.advance(tally.games + tally.broke.games)
    whole, seen = reduce(added, blocks)
    return Played(table.bots, whole, look=seen)


def _measured(
    names: Sequence[str],
    loaded: Sequence[Game],
    count: int,
    games: int,
    seed: int,
    workers: int | None,
    cluster: str,
) -> Sweep | None:
    """Two versions measured in the same games between random players, where there are two."""
    if len(names) < 2:
        return None
    rules = [Rules(name, each.files) for name, each in zip(names, loaded, strict=True)]
    crew = crew_for(2 * games, ["random"], workers, cluster)
    table = Table(("random",) * count, seed)
    found = reduce(add, sums(rules, table, range(games), partial(swept, reference=0), crew))
    versions = Varied("version", tuple(names), names[0])
    sides = len(sides_of(loaded[0].program, count))
    result = sweep([versions], [(name,) for name in names], found, sides)
    return result if len(result.points) == 2 else None


def _opened(loaded: Game, review: Review) -> dict[About, str]:
    """Keeps the logs of witnesses, and says by which command each is opened."""
    found: dict[About, str] = {}
    abouts = [each.about for each in review.findings if each.about.witness is not None]
    for bots in dict.fromkeys(each.bots for each in abouts):
        own = [each for each in abouts if each.bots == bots]
        moments = [each.witness for each in own if each.witness is not None]
        logs = witnesses(loaded, review.evidence.seed, bots, moments)
        for about in own:
            witness = logs.get(about.witness) if about.witness is not None else None
            file = None if witness is None else _kept(loaded, review.evidence.seed, witness.log)
            if witness is not None and file is not None:
                seats = ("human" if at == witness.seat else bot for at, bot in enumerate(bots))
                command = ["lawspeaker", "play", "--resume", str(file), "--seats", ",".join(seats)]
                found[about] = shlex.join(command)
    return found


def _kept(loaded: Game, seed: int, log: Log) -> Path | None:
    """The file in which a log is kept; None if that cannot be."""
    named = "".join(each if each.isalnum() else "_" for each in f"{loaded.name} {log.seats[0]}")
    file = state_folder() / "review" / f"{named}-{seed}-{log.seed}-{len(log.replies)}.json"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        save(file, log)
    except (OSError, NotSaved) as error:
        complain(f"a witness could not be kept: {error}")
        return None
    return file
