"""`lawspeaker sweep`: varies one or two choices of the rules and measures the effect."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.faces.cli.common import as_json, complain, fail, game, how_many, say
from lawspeaker.faces.cli.keeping import Files
from lawspeaker.faces.cli.lab import (
    STOPPED,
    MeasureNames,
    Vary,
    Watched,
    asked_for,
    proven,
    say_proven,
    seat_bots,
    set_to,
    show_broken,
    tell_pace,
)
from lawspeaker.faces.cli.learned import pinned, tell_learned_of
from lawspeaker.faces.cli.options import Bots, Machine, Name, Running
from lawspeaker.faces.render import data, effort, lab_page, plots, sweeping
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import Setting, player_count
from lawspeaker.outside.experiments.sweeping import planned
from lawspeaker.outside.experiments.sweeping import sweep as swept
from lawspeaker.outside.machines import back_ends_used as told_machine
from lawspeaker.outside.machines import machine_for
from lawspeaker.outside.rules import Rules, patched_game, program_of
from lawspeaker.study.lab.sweep import Sweep

GAMES = 200
MOST_GAMES = 1_000_000


def sweep(
    name: Name,
    vary: Vary,
    run: Running,
    files: Files,
    measure: MeasureNames = None,
    games: Annotated[
        int | None,
        how_many("--games", "-n", least=2, help="How many games for each value (200)."),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0.01, help="Play until changes of shares of games are known to so many percent."
        ),
    ] = None,
    bots: Bots = "random",
    machine: Machine = "auto",
) -> None:
    """Measure what other values of a named choice do.

    Or of two at once.

    Every value is tried on the same games with the same luck, so that a change can be measured
    game by game. `lawspeaker show GAME` lists the named choices. Lists can be varied as a whole or
    entry by entry, and whatever a variant can set by its path: pieces.card.kinds.mule.price=2..4.

    Besides the usual measures, --measure takes skill (what thinking is worth), ahead:SEAT,
    points:CLAUSE, part:CLAUSE, fires:CLAUSE, chosen:OPTION, and expressions of the language over a
    finished game: --measure "left=count of cards in deck". --csv and --parquet have a line for each
    value.

    The rules as they are take part in any case: changes are told against them. With --precision 1,
    games are played until changes of shares, such as `start` and `ties`, are known to one percent
    either way, or --games are played. Ctrl-C prints what is known so far.

    Example: lawspeaker sweep GAME --vary CHOICE=1..5 --games 50

    Exit code 0: all games came to their end. 1: some stopped on a fault, the rules have a fault,
    or a file cannot be written. 2: wrong call. 130: stopped early.
    """
    loaded = game(name)
    count = player_count(loaded, run.players)
    seats = pinned(seat_bots(bots, count), loaded.program)
    tell_pace(seats)
    files.check()
    rules = Rules.of_game(loaded, name)
    most = games or (GAMES if precision is None else MOST_GAMES)
    asked = asked_for(Setting(rules, seats, run.seed, most, Crew()), vary, measure or ())
    if len(asked.varied) > 2:
        fail("one or two choices can be varied at once", 2)
    watched: Watched[Sweep] | None = None
    stopped = False
    try:
        plan = planned(asked)
        # A change of a share varies at most twice as much as a share.
        expected = most if precision is None else min(most, math.ceil(2 * (100 / precision) ** 2))
        programs = [program_of(each) for each in plan.rules]
        wanted = [(each, count) for each in programs]
        named = (set_to(asked.varied, each) for each in plan.values)
        tell_learned_of(dict(zip(named, programs, strict=True)), seats)
        played_on = machine_for(machine, expected * len(plan.values), seats, wanted)
        asked = asked.by(run.workers, run.cluster, len(plan.values), played_on)
        plan = replace(plan, asked=asked)
        proofs = proven(prove(rules, [seats], run.seed, plan.games, asked.setting.crew))
        if not files.json:
            say_proven(proofs)
        watched = Watched(swept(plan, precision))
        result = watched.result()
    except KeyboardInterrupt:
        # Before the first result there is nothing to print.
        if watched is None or watched.known is None:
            fail("stopped before a game was over", STOPPED)
        result, stopped = watched.known, True
        done = f"{result.games:,} of {most:,} games for each value"
        complain(f"stopped after {done}; this is what is known so far")
    if precision is not None and not stopped and result.precision > precision / 100:
        complain(
            f"the precision of ±{precision:g} % is not reached: it is"
            f" ±{100 * result.precision:.1f} % after {with_noun(result.games, 'game')} for each"
            " value"
        )
    for tried_values, broken in result.broken:
        patched = asked.rules(tried_values)
        under = set_to(asked.varied, tried_values)
        show_broken(patched_game(patched), broken, run.seed, seats, under)
    if not result.points:
        raise typer.Exit(STOPPED if stopped else 1)
    about = {"game": name, "players": count, "seed": run.seed, "bots": list(seats)}
    about |= {"machine": told_machine(played_on), "proof": proving.to_json(proofs)}
    played = f"{with_noun(result.games, 'game')} for each value"
    behind = proving.behind(seats, proofs, played, run.seed)
    told = sweeping.sweep_json(result, about)
    files.keep_table(data.tables(told)["points"], told)
    heading = [f"{behind}.", *proving.sentences(proofs)]
    files.draw(
        lambda: plots.sweep(result, f"{name}, {behind}"),
        lambda: lab_page.sweep(result, name, heading, behind),
    )
    if files.json:
        say(as_json(told))
    else:
        Console().print(sweeping.swept(result, behind))
        for line in (_effort(result, watched.a_second), effort.looks(result.look)):
            if line:
                say(f"\n{line}")
    if stopped:
        raise typer.Exit(STOPPED)
    if result.broken:
        raise typer.Exit(1)


def _effort(found: Sweep, a_second: float | None) -> str:
    """Says how many games it takes to know changes of shares well."""
    names = [f"`{each}`" for each in found.in_percent]
    if not names:
        return ""
    what = f"{'Changes' if len(found.points) > 1 else 'Shares'} of {', '.join(names)}"
    each_value = a_second / len(found.points) if a_second else None
    return effort.effort(what, found.precision, found.games, "games for each value", each_value)
