"""`lawspeaker tune`: values of the rules that bring a measure to a target."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.cli.common import as_json, fail, game, say, show_diagnostics
from lawspeaker.cli.lab import (
    AsJson,
    Bots,
    Cluster,
    Name,
    Players,
    Plot,
    Seed,
    Vary,
    Workers,
    keep,
    picture_of,
    player_count,
    seat_bots,
    whole,
)
from lawspeaker.crew import Crew, NoCluster, cores
from lawspeaker.diagnostics import RulesError
from lawspeaker.lab.measures import measured
from lawspeaker.lab.statistics import Estimate
from lawspeaker.lab.varying import CannotVary, Values, patch, varied
from lawspeaker.layout import Layout
from lawspeaker.render import plots, sweeping
from lawspeaker.workers import Rules, records


def tune(
    name: Name,
    vary: Vary,
    target: Annotated[
        str,
        typer.Option(help="A measure and its wanted value: start=0, length=60, spread=15."),
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="How many games for each trial.")
    ] = 400,
    players: Players = None,
    seed: Seed = 1,
    bots: Bots = "random",
    workers: Workers = None,
    cluster: Cluster = "",
    json: AsJson = False,
    plot: Plot = None,
) -> None:
    """Search for values of named choices that bring a measure to a target.

    Measures are score, spread, margin, length, start (the advantage of the starter, as a part of
    1), ties and leads. Besides the closest values, the trade-off is shown: how close one gets
    for how little change to the rules.

    Example: lawspeaker tune GAME --vary CHOICE=1..5 --target length=60 --games 50
    """
    from lawspeaker.lab import tuning

    loaded = game(name)
    count = player_count(loaded, players)
    seats = seat_bots(bots, count)
    kind = picture_of(plot) if plot is not None else ""
    layout = Layout(loaded.program, count)
    try:
        all_varied = [varied(each, layout) for each in vary]
        wanted = tuning.target(target)
    except (CannotVary, tuning.BadTarget) as error:
        fail(str(error), 2)
    crew = Crew(workers or cores(), cluster)
    console = Console(stderr=True)

    def measure(values: Values) -> Estimate:
        rules = Rules(name, loaded.files, patch(loaded.program, all_varied, values))
        console.print(f"trying {', '.join(values)}", style="dim")
        played = records(rules, count, seed, seats, range(games), crew)
        found = [whole(record) for record in played]
        return measured(found)[wanted.measure]

    try:
        result = tuning.tune(all_varied, wanted, measure, seed)
    except RulesError as error:
        show_diagnostics(error.diagnostics)
        raise typer.Exit(1) from None
    except NoCluster as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped", 130)
    if plot is not None:
        try:
            keep(plot, plots.drawn(plots.tuning(result, f"{name}, {target}"), kind))
        except plots.NoPlots as error:
            fail(str(error))
    if json:
        about = {"game": name, "players": count, "seed": seed, "games": games}
        say(as_json(sweeping.tuning_json(result, about)))
    else:
        Console().print(sweeping.tuned(result, tuple(each.choice for each in all_varied)))
