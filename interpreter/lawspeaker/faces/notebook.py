"""The lab for those who go on computing: `lawspeaker.study`.

    from lawspeaker import study

    found = study.simulate("NAME", games=500, bots="greedy")
    found["seats"].frame()          # a table as a data frame of pandas
    found["games"].frame()          # every game, a row for each
    found.json                      # all of it, as `lawspeaker simulate --json` prints it

Each function does what the command of its name does, takes what that takes, and gives `Results`:
the same JSON, whose lists of objects are tables. Names are those of the commands' CSV and
Parquet files, too (schema/study.schema.json). What is asked for wrongly raises `ValueError` with
the sentence that the command would print; rules that cannot be read raise `RulesError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.faces.render import data, simulation, sweeping
from lawspeaker.faces.render import proof as proving
from lawspeaker.faces.render import review as reviewed
from lawspeaker.faces.render.data import NoLibrary, Table
from lawspeaker.match.game import Game
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing, simulating, tuning
from lawspeaker.outside.experiments import sweeping as swept
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.experiments.wishes import (
    NotPossible,
    Setting,
    crew_for,
    player_count,
    seat_bots,
)
from lawspeaker.outside.loading import load
from lawspeaker.outside.workers import Rules
from lawspeaker.study.reviewing.comparing import changes

__all__ = [
    "NoLibrary",
    "NotPossible",
    "Results",
    "Table",
    "effect",
    "review",
    "simulate",
    "sweep",
    "tune",
]

Texts = str | Sequence[str]
"""One, or several."""


@dataclass(frozen=True, slots=True)
class Results(Mapping[str, Table]):
    """The tables of a result by their names, and the whole of it as JSON."""

    json: Mapping[str, Any] = field(repr=False)
    tables: Mapping[str, Table] = field(repr=False)

    def __getitem__(self, name: str) -> Table:
        if name not in self.tables:
            raise KeyError(f"there is no table {name!r}; there are {', '.join(self.tables)}")
        return self.tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        shapes = (f"{name} ({len(each)})" for name, each in self.tables.items())
        return f"<{self.json.get('game', 'results')}: {', '.join(shapes)}>"


def _results(json: Mapping[str, Any], **more: Table) -> Results:
    return Results(json, {**more, **data.tables(json)})


def simulate(
    name: str | Path,
    games: int = 200,
    *,
    players: int | None = None,
    seed: int = 1,
    bots: str = "random",
    precision: float | None = None,
    workers: int | None = None,
    cluster: str = "",
) -> Results:
    """Many games between bots. `games` has a row for each, `seats`, `sources`, `uses` and `fired`
    what they say together; with a `precision`, at most so many are played."""
    loaded = load(name)
    setting = _setting(loaded, players, bots, seed, games, workers, cluster)
    proofs = finished(prove(setting.rules, [setting.bots], seed, games, setting.crew))
    found = finished(simulating.simulate(setting, precision, each_game=True))
    about = {**_about(setting, proofs), "digest": loaded.program.digest, "log_of_broken": ""}
    summary = found.tally.summary(loaded.program, setting.bots)
    return _results(simulation.to_json(summary, about), games=data.games(found.rows))


def sweep(
    name: str | Path,
    vary: Texts,
    games: int = 200,
    *,
    measure: Texts = (),
    players: int | None = None,
    seed: int = 1,
    bots: str = "random",
    workers: int | None = None,
    cluster: str = "",
) -> Results:
    """The same games under other values: a row of `points` for each of them."""
    setting = _setting(load(name), players, bots, seed, games, workers, cluster)
    plan = swept.planned(swept.trying(setting, _listed(vary), _listed(measure)))
    plan = replace(plan, asked=plan.asked.by(workers, cluster, len(plan.values)))
    crew = plan.asked.setting.crew
    proofs = finished(prove(setting.rules, [setting.bots], seed, plan.games, crew))
    found = finished(swept.sweep(plan))
    return _results(sweeping.sweep_json(found, _about(setting, proofs)))


def tune(
    name: str | Path,
    vary: Texts,
    target: Texts,
    games: int = 400,
    *,
    measure: Texts = (),
    players: int | None = None,
    seed: int = 1,
    bots: str = "random",
    workers: int | None = None,
    cluster: str = "",
) -> Results:
    """Values that bring measures to targets: a row of `trials` for each that was tried."""
    setting = _setting(load(name), players, bots, seed, games, workers, cluster)
    targets = tuning.aims(setting, _listed(target))
    wanted = [*_listed(measure), *(each.measure for each in targets)]
    asked = swept.trying(setting, _listed(vary), wanted).by(workers, cluster, 1)
    crew = asked.setting.crew
    proofs = finished(prove(setting.rules, [setting.bots], seed, games, crew))
    found = finished(tuning.tune(asked, targets))
    choices = [each.choice for each in asked.varied]
    about = {**_about(setting, proofs), "games": games}
    return _results(sweeping.tuning_json(found.tuning, found.again, choices, about))


def review(
    name: str | Path,
    other: str | Path | None = None,
    games: int = 1000,
    *,
    thinking: int = 40,
    players: int | None = None,
    seed: int = 1,
    bots: str = "mc:100",
    workers: int | None = None,
    cluster: str = "",
) -> Results:
    """What is wrong or odd about a game: `findings`. Of two versions, as in the command, those of
    the second, and what `changes` there are from the first to it. Witnesses are named by game and
    reply; the command keeps them.
    """
    versions = [load(each) for each in (name, other) if each is not None]
    settings = [
        replace(
            _setting(each, players, bots, seed, games, workers, cluster),
            crew=crew_for(games, ["random"], workers, cluster),
        )
        for each in versions
    ]
    slow = crew_for(thinking, ["greedy"], workers, cluster)
    reviews = [finished(reviewing.review(each, thinking, slow)) for each in settings]
    setting, last = settings[-1], reviews[-1]
    about = _about(setting, last.evidence.proofs)
    del about["machine"]
    told = reviewed.to_json(last, about, {})
    if other is not None:
        names = (versions[0].name, versions[1].name)
        measures = reviewing.contrast(settings[0], setting.rules, names)
        found = changes(reviews[0], last)
        told |= {"before": names[0], **reviewed.compared_json(found, measures)}
    return _results(told)


def effect(
    name: str | Path,
    other: str | Path,
    games: int = 200,
    *,
    players: int | None = None,
    seed: int = 1,
    bots: str = "random",
    workers: int | None = None,
    cluster: str = "",
) -> Results:
    """How much each difference between two versions matters, in paired games: a row of `effects`
    for each difference, and for all of them together, by number of players."""
    # Here and not above: comparing texts takes much that playing games does not.
    from lawspeaker.faces.cli.finding import Asking, find_out
    from lawspeaker.faces.render.compare_json import effects_table, to_json
    from lawspeaker.outside.crew import cores
    from lawspeaker.outside.loading import tellings
    from lawspeaker.study.compare import compare as compared

    diagnostics = Diagnostics()
    found = tellings([str(name), str(other)], diagnostics)
    if found is None:
        raise RulesError(tuple(diagnostics.sorted()))
    comparison = compared(found, found[0].program.languages[0])
    counts = range(
        max(each.program.fewest for each in found), min(each.program.most for each in found) + 1
    )
    tables = tuple(counts) if players is None else (players,)
    for count in tables:
        seat_bots(bots, count)
    crew = Crew(workers or cores(), cluster)
    asking = Asking(False, 0, games, tables, bots, seed, crew)
    findings = find_out(found, comparison, asking)
    json = to_json(comparison, findings)
    return Results(json, {"effects": data.table(effects_table(comparison, findings))})


# ---------------------------------------------------------------- what is asked for


def _listed(texts: Texts) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _setting(
    game: Game,
    players: int | None,
    bots: str,
    seed: int,
    games: int,
    workers: int | None,
    cluster: str,
) -> Setting:
    count = player_count(game, players)
    seats = seat_bots(bots, count)
    crew = crew_for(games, seats, workers, cluster)
    return Setting(Rules(game.name, game.files), seats, seed, games, crew)


def _about(setting: Setting, proofs: Sequence[Any]) -> dict[str, Any]:
    return {
        "game": setting.rules.name,
        "players": setting.players,
        "seed": setting.seed,
        "bots": list(setting.bots),
        "machine": setting.machine,
        "proof": proving.to_json(proofs),
    }
