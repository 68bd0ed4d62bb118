"""`lawspeaker tune`: values of the rules that bring measures to targets."""

from __future__ import annotations

from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.faces.cli.common import as_json, fail, game, say
from lawspeaker.faces.cli.lab import (
    AsJson,
    Bots,
    Cluster,
    Machine,
    MeasureNames,
    Name,
    Players,
    Plot,
    Seed,
    Vary,
    Workers,
    checked_measures,
    crew_for,
    keep,
    machine_for,
    picture_of,
    player_count,
    prove,
    say_proven,
    seat_bots,
    set_to,
    show_broken,
    tell_pace,
    wanted_measures,
)
from lawspeaker.faces.render import plots, sweeping
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.crew import NoCluster
from lawspeaker.outside.machines import told
from lawspeaker.outside.workers import Rules, Table, patched_game, program_of, sums, written_at
from lawspeaker.position.fault import NoMachine
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab import tuning
from lawspeaker.study.lab.measures import Measured, shares
from lawspeaker.study.lab.sweep import Swept, swept
from lawspeaker.study.lab.varying import CannotVary, Values, patch, varied_together


def tune(
    name: Name,
    vary: Vary,
    target: Annotated[
        list[str],
        typer.Option(
            help="A measure and its wanted value: start=0, length=60; several, if wanted."
        ),
    ],
    measure: MeasureNames = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="How many games for each trial.")
    ] = 400,
    players: Players = None,
    seed: Seed = 1,
    bots: Bots = "random",
    workers: Workers = None,
    cluster: Cluster = "",
    machine: Machine = "auto",
    json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option(help="Write a line for each trial to this file.")
    ] = None,
    plot: Plot = None,
) -> None:
    """Find values of choices that bring measures to targets.

    Measures are score, spread, margin, length, start (the advantage of the starter, as a part of
    1), ties, draws and leads; ahead:SEAT, points:CLAUSE, part:CLAUSE, fires:CLAUSE and
    chosen:OPTION; and your own, by --measure NAME=EXPRESSION. Besides the closest values, the
    compromises are shown that nothing beats: how close one gets to each target, for how little
    change to the rules; and what was tried.

    Example: lawspeaker tune GAME --vary CHOICE=1..5 --target length=60 --games 50
    """
    loaded = game(name)
    count = player_count(loaded, players)
    seats = seat_bots(bots, count)
    tell_pace(seats)
    kind = picture_of(plot) if plot is not None else ""
    layout = Layout(loaded.program, count)
    names, own = wanted_measures(measure or ())
    plain = Rules(name, loaded.files, patch(loaded.program, (), (), own) if own else "")
    try:
        all_varied = varied_together(vary, layout, partial(written_at, plain))
        wanted = tuning.targets(target)
    except (CannotVary, tuning.BadTarget) as error:
        fail(str(error), 2)
    names += [each.measure for each in wanted]
    measures = checked_measures(plain, count, names, own)
    played_on = machine_for(machine, games, seats, [(program_of(plain), count)])
    # Trials come one after the other.
    crew = crew_for(games, seats, workers, cluster, played_on)
    status = Console(stderr=True).status("")

    def measured(values: Values, seed: int = seed) -> Measured | None:
        rules = Rules(name, loaded.files, patch(loaded.program, all_varied, values, own))
        trying = f"trying {', '.join(values)}"
        status.update(trying)
        here = checked_measures(rules, count, names)
        sum_up = partial(swept, reference=0, measures=[here])
        parts: list[Swept] = []
        table = Table(tuple(seats), seed, played_on)
        for some in sums([rules], table, range(games), sum_up, crew):
            parts.append(some)
            done = sum(each.games for each in parts)
            status.update(f"{trying}: {done:,} of {games:,} games")
        whole = reduce(add, parts)
        (found,), (broken,) = whole.measures, whole.broke
        if broken.games:
            status.stop()
            show_broken(patched_game(rules), broken, seed, seats, set_to(all_varied, values))
            status.start()
            return None
        return shares(found, len(layout.sides), here)

    try:
        proofs = prove(Rules(name, loaded.files), [seats], seed, games, crew)
        if not json:
            say_proven(proofs)
        with status:
            result = tuning.tune(all_varied, wanted, measured, seed)
            # The closest of many is so by luck, too: other games tell how close it is.
            again = measured(result.best.values, seed + 1)
    except (NoCluster, NoMachine, tuning.NoOptimiser, tuning.AllBroken) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped", 130)
    choices = tuple(each.choice for each in all_varied)
    if csv is not None:
        keep(csv, sweeping.tuning_csv(result, choices))
    if plot is not None:
        who = f"{count} players ({proving.seated(seats, proofs)})"
        title = f"{name}, {', '.join(target)}, {who}"
        try:
            keep(plot, plots.drawn(plots.tuning(result, measures, title), kind))
        except plots.NoPlots as error:
            fail(str(error))
    if json:
        about = {"game": name, "players": count, "seed": seed, "games": games, "bots": seats}
        about |= {"machine": told(played_on), "proof": proving.to_json(proofs)}
        say(as_json(sweeping.tuning_json(result, again, about)))
    else:
        seated = proving.seated(seats)
        Console().print(sweeping.tuned(result, again, choices, measures, seated))
