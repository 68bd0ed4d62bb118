"""`lawspeaker review`: lists likely flaws of a game, each with evidence."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.faces.cli.common import as_json, complain, fail, game, how_many, say
from lawspeaker.faces.cli.keeping import Tables, keep, log_file
from lawspeaker.faces.cli.lab import Watched, seat_bots, tell_pace
from lawspeaker.faces.cli.learned import pinned, tell_learned_of
from lawspeaker.faces.cli.options import Bots, Html, Running
from lawspeaker.faces.render import data, lab_page
from lawspeaker.faces.render import review as shown
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.outside.experiments import reviewing
from lawspeaker.outside.experiments.requests import Setting, crew_for, player_count
from lawspeaker.outside.rules import Rules
from lawspeaker.outside.storage import NotSaved, save
from lawspeaker.study.reviewing.claims import About
from lawspeaker.study.reviewing.comparing import changes, hypotheses
from lawspeaker.study.reviewing.findings import Review
from lawspeaker.study.reviewing.witness import witnesses

STOPPED = 130


def review(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME [NAME]", help="A game, or two versions of one.")
    ],
    run: Running,
    tables: Tables,
    games: Annotated[
        int,
        how_many("--games", "-n", least=20, help="Random games for each number of players."),
    ] = 1000,
    thinking: Annotated[int, typer.Option(min=1, help="Games between the thinking bots.")] = 40,
    bots: Bots = "mc:100",
    html: Html = None,
) -> None:
    """List what is wrong or odd about a game, each with evidence.

    Holes and games without end; seats that win more; leads that are never lost; rules, guards,
    cards and options that never come up, that nobody who thinks chooses, or that everybody does;
    ties, length, and what each rule gives. The weightiest first. Where there is a position that
    shows it, the log is kept, and the command that opens it is told.

    Random players play at tables of every size, --bots at one, with --players or the most.
    They first prove themselves against weaker ones, which tells what thinking is worth.
    With two names, it is told what got better and what got worse from the first to the second.
    --csv and --parquet have a line for each finding.
    Ctrl-C prints what is known so far, once random players have played.

    Example: lawspeaker review GAME --games 100 --thinking 2 --bots greedy

    Exit code 0: reviewed. 1: the rules have a fault, or a file cannot be written. 2: wrong call.
    130: stopped early.
    """
    if len(names) > 2:
        fail("one game is reviewed, or two versions are compared", 2)
    loaded = [game(name) for name in names]
    counts = {player_count(each, run.players) for each in loaded}
    if len(counts) > 1:
        fail("these are for different numbers of players: say --players", 2)
    (count,) = counts
    seats = pinned(seat_bots(bots, count), *(each.program for each in loaded))
    tell_pace(["random"])
    tell_learned_of({each.name: each.program for each in loaded}, seats)
    tables.check(html)
    all_rules = [Rules.of_game(each, name) for name, each in zip(names, loaded, strict=True)]
    quick = crew_for(games, ["random"], run.workers, run.cluster)
    slow = crew_for(thinking, ["greedy"], run.workers, run.cluster)
    settings = [Setting(each, seats, run.seed, games, quick) for each in all_rules]
    reviews: list[Review] = []
    measures, stopped, watched = None, False, None
    try:
        for each in settings:
            watched = Watched(reviewing.review(each, thinking, slow))
            reviews.append(watched.result())
            watched = None
        if len(names) == 2:
            among = hypotheses(reviews[0], reviews[1])
            measures = reviewing.contrast(settings[0], all_rules[1], (names[0], names[1]), among)
    except KeyboardInterrupt:
        stopped = True
        if watched is not None and watched.known is not None:
            reviews.append(watched.known)
        if not reviews:
            fail("stopped before the games between random players were over", STOPPED)
    last, name = reviews[-1], names[len(reviews) - 1]
    if stopped:
        complain(f"stopped; this is what is known so far of {name}")
    opened = _opened(loaded[len(reviews) - 1], last)
    about = {"game": name, "players": count, "seed": run.seed, "bots": list(seats)}
    told = shown.to_json(last, about, opened)
    # Findings that an interrupted review has not reached yet did not disappear.
    found = changes(reviews[0], last) if len(reviews) == 2 and not stopped else None
    if html is not None:
        keep(html, lab_page.review(last, name, opened, found, measures))
    if found is not None:
        told |= {"before": names[0], **shown.compared_json(found, measures)}
    tables.keep_table(data.tables(told)["findings"], told)
    if tables.json:
        say(as_json(told))
    else:
        console = Console()
        console.print(shown.text(last, opened), crop=False)
        if found is not None:
            console.print()
            console.print(shown.compared(found, measures, (names[0], names[1])))
    if stopped:
        raise typer.Exit(STOPPED)


def _opened(loaded: Game, review: Review) -> dict[About, str]:
    """Saves the logs of witnesses, and returns the command that opens each."""
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
    """Saves a log; returns its file, or None on failure."""
    file = log_file(loaded, "review", log.seats, seed, log.seed, len(log.replies))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        save(file, log)
    except (OSError, NotSaved) as error:
        complain(f"a witness could not be kept: {error}")
        return None
    return file
