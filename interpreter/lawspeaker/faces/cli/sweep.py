"""`lawspeaker sweep`: one or two values of the rules varied, and what that does."""

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
    Html,
    Machine,
    MeasureNames,
    Name,
    Players,
    Plot,
    Seed,
    Vary,
    Workers,
    checked_measures,
    counting,
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
from lawspeaker.faces.render import lab_page, plots, sweeping
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.crew import NoCluster
from lawspeaker.outside.machines import told
from lawspeaker.outside.workers import Rules, Table, patched_game, program_of, sums, written_at
from lawspeaker.position.fault import NoMachine
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.sweep import Swept, reference, swept
from lawspeaker.study.lab.sweep import sweep as summed_up
from lawspeaker.study.lab.varying import CannotVary, combinations, patch, varied_together


def sweep(
    name: Name,
    vary: Vary,
    measure: MeasureNames = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="How many games for each value.")
    ] = 200,
    players: Players = None,
    seed: Seed = 1,
    bots: Bots = "random",
    workers: Workers = None,
    cluster: Cluster = "",
    machine: Machine = "auto",
    json: AsJson = False,
    csv: Annotated[
        Path | None, typer.Option(help="Write a line for each value to this file.")
    ] = None,
    plot: Plot = None,
    html: Html = None,
) -> None:
    """Measure what other values of a named choice do.

    Or of two at once.

    Every value is tried on the same games with the same luck, so that a change can be measured
    game by game. `lawspeaker show GAME` lists the named choices. Lists can be varied as a whole or
    entry by entry, and whatever a variant can set by its path: pieces.card.kinds.hunt.count=2..4.

    Besides the usual measures, --measure takes ahead:SEAT, points:CLAUSE, part:CLAUSE,
    fires:CLAUSE, chosen:OPTION, and expressions of the language over a finished game:
    --measure "left=count of cards in deck".

    Example: lawspeaker sweep GAME --vary CHOICE=1..5 --games 50
    """
    loaded = game(name)
    count = player_count(loaded, players)
    seats = seat_bots(bots, count)
    tell_pace(seats)
    kind = picture_of(plot) if plot is not None else ""
    layout = Layout(loaded.program, count)
    try:
        at_path = partial(written_at, Rules(name, loaded.files))
        all_varied = varied_together(vary, layout, at_path)
        values = combinations(all_varied)
    except CannotVary as error:
        fail(str(error), 2)
    names, own = wanted_measures(measure or ())
    if len(all_varied) > 2:
        fail("one or two choices can be varied at once", 2)
    if own:
        # What is wrong with an expression is told of it alone.
        only_these = Rules(name, loaded.files, patch(loaded.program, (), (), own))
        checked_measures(only_these, count, names, own)
    patches = (patch(loaded.program, all_varied, each, own) for each in values)
    tried = [Rules(name, loaded.files, each) for each in patches]
    # So a value that cannot be is answered before any game.
    measures = [checked_measures(each, count, names) for each in tried]
    sum_up = partial(swept, reference=reference(all_varied, values), measures=measures)
    found: list[Swept] = []
    wanted = [(program_of(each), count) for each in tried]
    played_on = machine_for(machine, games * len(values), seats, wanted)
    table = Table(tuple(seats), seed, played_on)
    try:
        crew = crew_for(games * len(values), seats, workers, cluster, played_on)
        rules_as_they_are = Rules(name, loaded.files)
        proofs = prove(rules_as_they_are, [seats], seed, games * len(values), crew)
        if not json:
            say_proven(proofs)
        with counting(games * len(values)) as rate:
            for some in sums(tried, table, range(games), sum_up, crew):
                found.append(some)
                rate.advance(some.games * len(values))
    except (NoCluster, NoMachine) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped", 130)
    result = summed_up(all_varied, values, reduce(add, found), len(layout.sides), measures[0])
    for tried_values, broken in result.broken:
        patched = tried[values.index(tried_values)]
        show_broken(patched_game(patched), broken, seed, seats, set_to(all_varied, tried_values))
    if not result.points:
        raise typer.Exit(1)
    about = {"game": name, "players": count, "seed": seed, "bots": seats}
    about |= {"machine": told(played_on), "proof": proving.to_json(proofs)}
    who = f"{count} players ({proving.seated(seats, proofs)})"
    title = f"{name}, {who}, {games:,} games for each value, seed {seed}"
    if csv is not None:
        keep(csv, sweeping.sweep_csv(result))
    try:
        if plot is not None:
            keep(plot, plots.drawn(plots.sweep(result, title), kind))
        if html is not None:
            how = f"{who}, {games:,} games for each value, seed {seed}."
            heading = [how, *proving.sentences(proofs)]
            keep(html, lab_page.sweep(result, name, heading, proving.seated(seats)))
    except plots.NoPlots as error:
        fail(str(error))
    if json:
        say(as_json(sweeping.sweep_json(result, about)))
    else:
        Console().print(sweeping.swept(result, proving.seated(seats)))
    if result.broken:
        raise typer.Exit(1)
