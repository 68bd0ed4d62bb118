"""`lawspeaker tune`: values of the rules that bring a measure to a target."""

from __future__ import annotations

from functools import partial, reduce
from operator import add
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.cli.common import as_json, fail, game, say, show_diagnostics
from lawspeaker.faces.cli.lab import (
    AsJson,
    Bots,
    Cluster,
    Name,
    Players,
    Plot,
    Seed,
    Vary,
    Workers,
    crew_for,
    keep,
    picture_of,
    player_count,
    prove,
    say_proven,
    seat_bots,
    set_to,
    show_broken,
    tell_pace,
)
from lawspeaker.faces.render import plots, sweeping
from lawspeaker.faces.render import proof as proving
from lawspeaker.outside.crew import NoCluster
from lawspeaker.outside.workers import Rules, Table, patched_game, sums
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab import tuning
from lawspeaker.study.lab.measures import shares
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.sweep import Swept, swept
from lawspeaker.study.lab.varying import CannotVary, Values, patch, varied_together


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
    """Find values of choices that bring a measure to a target.

    Measures are score, spread, margin, length, start (the advantage of the starter, as a part of
    1), ties and leads. Besides the closest values, the trade-off is shown: how close one gets
    for how little change to the rules.

    Example: lawspeaker tune GAME --vary CHOICE=1..5 --target length=60 --games 50
    """
    loaded = game(name)
    count = player_count(loaded, players)
    seats = seat_bots(bots, count)
    tell_pace(seats)
    kind = picture_of(plot) if plot is not None else ""
    layout = Layout(loaded.program, count)
    try:
        all_varied = varied_together(vary, layout)
        wanted = tuning.target(target)
    except (CannotVary, tuning.BadTarget) as error:
        fail(str(error), 2)
    crew = crew_for(games, seats, workers, cluster)  # trials come one after the other
    sum_up = partial(swept, reference=0)
    status = Console(stderr=True).status("")

    def measure(values: Values, seed: int = seed) -> Estimate | None:
        rules = Rules(name, loaded.files, patch(loaded.program, all_varied, values))
        trying = f"trying {', '.join(values)}"
        status.update(trying)
        found: list[Swept] = []
        for some in sums([rules], Table(tuple(seats), seed), range(games), sum_up, crew):
            found.append(some)
            done = sum(each.games for each in found)
            status.update(f"{trying}: {done:,} of {games:,} games")
        whole = reduce(add, found)
        (measures,), (broken,) = whole.measures, whole.broke
        if broken.games:
            status.stop()
            show_broken(patched_game(rules), broken, seed, seats, set_to(all_varied, values))
            status.start()
            return None
        return shares(measures, len(layout.sides))[wanted.measure]

    try:
        proofs = prove(Rules(name, loaded.files), [seats], seed, games, crew)
        if not json:
            say_proven(proofs)
        with status:
            result = tuning.tune(all_varied, wanted, measure, seed)
            # The closest of many is so by luck, too: other games tell how close it is.
            again = measure(result.best.values, seed + 1)
    except RulesError as error:
        show_diagnostics(error.diagnostics)
        raise typer.Exit(1) from None
    except (NoCluster, tuning.NoOptimiser, tuning.AllBroken) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("stopped", 130)
    if plot is not None:
        try:
            title = f"{name}, {target}, {count} players ({proving.seated(seats, proofs)})"
            keep(plot, plots.drawn(plots.tuning(result, title), kind))
        except plots.NoPlots as error:
            fail(str(error))
    if json:
        about = {"game": name, "players": count, "seed": seed, "games": games, "bots": seats}
        about |= {"proof": proving.to_json(proofs)}
        say(as_json(sweeping.tuning_json(result, again, about)))
    else:
        choices = tuple(each.choice for each in all_varied)
        Console().print(sweeping.tuned(result, again, choices, proving.seated(seats)))
