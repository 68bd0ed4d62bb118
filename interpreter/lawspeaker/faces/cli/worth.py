"""`lawspeaker worth`: measures the worth of cards, options and rules by taking them away from a
seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.faces.cli.common import as_json, fail, game, how_many, say
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.lab import STOPPED, Watched, seat_bots
from lawspeaker.faces.cli.learned import pinned, tell_learned
from lawspeaker.faces.cli.options import Machine, Name, Running
from lawspeaker.faces.cli.sheets import draw
from lawspeaker.faces.render import data, effort
from lawspeaker.faces.render import worth as shown
from lawspeaker.outside.experiments.requests import crew_for, player_count
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.machines import back_ends_used, machine_for
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.interventions import costs_of
from lawspeaker.study.lab.worth import Worth

GAMES, THINKING = 1000, 40
MOST_GAMES = 100_000


def worth(
    name: Name,
    run: Running,
    files: Files,
    games: Annotated[
        int | None,
        how_many("--games", "-n", least=20, help="Pairs of games between random players (1000)."),
    ] = None,
    thinking: Annotated[
        int | None,
        typer.Option(min=2, help="Pairs of games between bots that think (40)."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(min=0.1, help="Play until victories are known to so many percent."),
    ] = None,
    seat: Annotated[
        str, typer.Option(help="The player who has to do without; the first one, if left out.")
    ] = "",
    bots: Annotated[
        list[str] | None,
        typer.Option(help="Who plays (random); said again, others play all of it, too."),
    ] = None,
    of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="THING",
            help="Measure only this: `card`, `hunt` or `card hunt`. Can be repeated.",
        ),
    ] = None,
    cost: Annotated[
        str, typer.Option(help="The attribute with the cost of cards (cost or price).")
    ] = "",
    machine: Machine = "auto",
) -> None:
    """Measure what each card, place, option and rule is worth to whoever has it.

    Each is taken away from one seat in paired games: the seat may not choose a kind of card, a
    place or an option, and a rule is not done for it, or gives it no points. The worth is what the
    seat then wins and scores less. The most worth first; * marks what chance does not explain.
    Cards with a cost are compared with the line through the others. With --precision 2, pairs
    of each are played until its victories are known to two percent either way, or --games are
    played.

    Example: lawspeaker worth GAME --games 100

    Exit code 0: measured. 1: the rules have a fault, or a file cannot be written. 2: wrong call.
    130: stopped early; what is known so far is told.
    """
    loaded = game(name)
    count = player_count(loaded, run.players)
    named = loaded.program.player_names[:count]
    if seat and seat not in named:
        fail(f"nobody is called `{seat}`; {did_you_mean(seat, named) or ', '.join(named)}", 2)
    at = named.index(seat) if seat else 0
    all_seats = [pinned(seat_bots(each, count), loaded.program) for each in bots or [RANDOM]]
    for seats in all_seats:
        tell_learned(loaded.program, seats)
    try:
        costs_of(loaded.program, cost)
    except ValueError as error:
        fail(str(error), 2)
    files.check()
    usual = (GAMES, THINKING) if precision is None else (MOST_GAMES, MOST_GAMES)
    few, many = thinking or usual[1], games or usual[0]
    everyone = list(dict.fromkeys(all_seats))
    counts = [many if set(seats) == {RANDOM} else few for seats in everyone]
    # What is taken away makes a program of its own, so each must be worth its start on a GPU.
    wanted = [(loaded.program, count)]
    tables = [
        MatchSetup(seats, run.seed, machine_for(machine, pairs, seats, wanted))
        for seats, pairs in zip(everyone, counts, strict=True)
    ]
    crew = crew_for(max(counts), ["greedy"], run.workers, run.cluster)
    rules, stopped = Rules.of_game(loaded, name), False
    watched = Watched(worths(rules, tables, counts, at, crew, cost, precision, of or ()))
    try:
        found = watched.result()
    except KeyboardInterrupt:
        found, stopped = watched.known or (), True
    used = ", ".join(dict.fromkeys(back_ends_used(each.machine) for each in tables))
    about = {"game": name, "players": count, "seed": run.seed, "machine": used}
    told = shown.to_json(found, about, named[at])
    files.keep_table(data.tables(told)["worths"], told)
    draw(shown.sheet(found, named[at], run.seed), name, files)
    if files.json:
        say(as_json(told))
    else:
        Console().print(shown.text(found, loaded.name, named[at], run.seed))
        if told_effort := _effort(found, watched.a_second):
            say(f"\n{told_effort}")
    if stopped:
        raise typer.Exit(STOPPED)


def _effort(found: Sequence[Worth], pairs: float | None) -> str:
    """Says how many pairs it takes to know all worths well between those who played last.

    So many pairs are played in a second.
    """
    bots = found[-1].bots if found else ()
    own = [each for each in found if each.bots == bots]
    known = [each for each in own if each.measured]
    if not known:
        return ""
    widest = max(known, key=lambda each: each.victories.half)
    told = "pairs of each" if len(own) == len(found) else f"pairs of each ({bots[0]})"
    of_each = pairs / len(own) if pairs else None
    half = widest.victories.half
    return effort.effort("Worths in victories", half, widest.games, told, of_each)
