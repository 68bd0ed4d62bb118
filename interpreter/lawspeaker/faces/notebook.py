"""The lab's Python API: `lawspeaker.study`.

    from lawspeaker import study

    found = study.simulate("NAME", games=500, bots="greedy")
    found["seats"].frame()          # a table as a data frame of pandas
    found["games"].frame()          # every game, a row for each
    found.json                      # all of it, as `lawspeaker simulate --json` prints it

Each function does what the command of its name does, takes what that takes, and gives `Results`:
the same JSON, whose lists of objects are tables. Names are those of the commands' CSV and
Parquet files, too (schema/study.schema.json). All of them take what `Who` has, by its names. What
is asked for wrongly raises `ValueError` with a sentence, before any game is played: a game that is
not there, a bot nobody knows, an expression that is wrong. Rules that are there and have errors
raise `RulesError`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from lawspeaker.base.diagnostics import Diagnostics, RulesError, did_you_mean
from lawspeaker.faces.cli.common import named_wrongly
from lawspeaker.faces.render import data, notebook_html, simulation, sweeping
from lawspeaker.faces.render import drama as rendered_drama
from lawspeaker.faces.render import ladder as rendered_ladder
from lawspeaker.faces.render import proof as proving
from lawspeaker.faces.render import review as reviewed
from lawspeaker.faces.render import variety as rendered_variety
from lawspeaker.faces.render import worth as rendered_worth
from lawspeaker.faces.render.data import DataTable as Table
from lawspeaker.faces.render.data import NoLibrary
from lawspeaker.match.game import Game
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing, simulating, tuning
from lawspeaker.outside.experiments import sweeping as swept
from lawspeaker.outside.experiments.dramas import PLAYOUTS, dramas
from lawspeaker.outside.experiments.ladders import laddered
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import (
    BEST,
    NotPossible,
    Setting,
    as_text,
    crew_for,
    pinned,
    player_count,
    seat_bots,
)
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.experiments.varieties import varieties
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.loading import load
from lawspeaker.outside.rules import Rules
from lawspeaker.study.lab.interventions import costs_of
from lawspeaker.study.lab.skill_ladder import LADDER
from lawspeaker.study.lab.variety import PANEL
from lawspeaker.study.reviewing.comparing import changes, hypotheses

if TYPE_CHECKING:
    from lawspeaker.match.match import Match
    from lawspeaker.study.compare.comparison import Comparison
    from lawspeaker.study.compare.ruleset import Ruleset

__all__ = [
    "NoLibrary",
    "NotPossible",
    "Picture",
    "Results",
    "Table",
    "differences",
    "drama",
    "effect",
    "ladder",
    "picture",
    "review",
    "simulate",
    "sweep",
    "tune",
    "variety",
    "worth",
]

T = TypeVar("T")
Texts = str | Sequence[str]
"""One text, or several."""


class Who(TypedDict, total=False):
    """Common arguments: players, bots, seed and workers, each as the command's option of that
    name."""

    players: int | None
    """Default: the maximum."""
    seed: int
    """Default: 1."""
    bots: Texts
    """One for all seats, or one for each."""
    workers: int | None
    """Default: all cores."""
    cluster: str
    """The address of a Dask scheduler."""


@dataclass(frozen=True, slots=True)
class Results(Mapping[str, Table]):
    """The tables of a result by name, and the whole result as JSON."""

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

    def _repr_html_(self) -> str:
        """Renders the result in a notebook."""
        return notebook_html.result(
            self.json, {name: each.columns for name, each in self.tables.items()}
        )

    def __repr__(self) -> str:
        shapes = (f"{name} ({len(each)})" for name, each in self.tables.items())
        return f"<{self.json.get('game', 'results')}: {', '.join(shapes)}>"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the table, as SVG; a notebook shows it."""

    svg: str = field(repr=False)
    label: str

    def _repr_html_(self) -> str:
        return notebook_html.picture(self.svg, self.label)


def picture(match: Match, seat: int | None = None, language: str = "") -> Picture:
    """Draws the table of a match as a seat sees it, or as everybody does without a seat."""
    # Imported here: most studies draw nothing.
    from lawspeaker.faces.web.drawing import draw

    program = match.program
    if seat is not None:
        _number("seat", seat, 0)
        if seat >= match.players:
            raise NotPossible(f"seat {seat}: there are {match.players} players, counted from 0")
    if language and language not in program.languages:
        raise NotPossible(f"{program.name} speaks {', '.join(program.languages)}")
    spoken = language or program.languages[0]
    label = program.title.get(spoken) or program.name
    return Picture(str(draw(match.view(seat), spoken, "wide")), label)


def differences(name: str | Path, *others: str | Path, language: str = "") -> Results:
    """Compares versions of a game: a row for each difference, with what each version does.

    The JSON is that of `lawspeaker compare --json`.
    """
    from lawspeaker.faces.render.compare_json import to_json

    if not others:
        raise NotPossible("one version is compared with others: name at least two")
    comparison = _compared((name, *others), language)[1]
    json = to_json(comparison)
    rows = {row["id"]: row for row in json["rows"]}
    names = [each["name"] for each in json["tellings"]]
    table = [
        {
            **{key: each[key] for key in ("number", "id", "kind", "changes_play")},
            "title": rows[each["rows"][0]]["title"],
            **_by_name(names, rows[each["rows"][0]]["cells"]),
        }
        for each in json["differences"]
    ]
    return Results(json, {"differences": data.table(table)})


def _by_name(names: Sequence[str], cells: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {name: cell["text"] for name, cell in zip(names, cells, strict=True)}


def _compared(names: Sequence[str | Path], language: str = "") -> tuple[list[Ruleset], Comparison]:
    """Loads and compares versions; raises RulesError or NotPossible."""
    from lawspeaker.outside.loading import load_rulesets
    from lawspeaker.study.compare import OtherGame
    from lawspeaker.study.compare import compare as compared

    diagnostics = Diagnostics()
    found = load_rulesets([str(name) for name in names], diagnostics)
    if found is None:
        if named_wrongly(diagnostics.sorted()):
            raise NotPossible("; ".join(each.message for each in diagnostics))
        raise RulesError(tuple(diagnostics.sorted()))
    languages = found[0].program.languages
    if language and language not in languages:
        raise NotPossible(f"{found[0].name} speaks {', '.join(languages)}")
    try:
        return found, compared(found, language or languages[0])
    except OtherGame as error:
        raise NotPossible(str(error)) from None


def _results(json: Mapping[str, Any], **more: Table) -> Results:
    return Results(json, {**more, **data.tables(json)})


def simulate(
    name: str | Path, games: int = 200, *, precision: float | None = None, **who: Unpack[Who]
) -> Results:
    """Simulates games between bots.

    `games` has a row for each game; `seats`, `sources`, `uses` and `fired` summarize them. With a
    `precision`, `games` is the maximum.
    """
    if precision is not None:
        _number("precision", precision, LEAST_PRECISION, whole=False)
    loaded, setting = _setting(simulate, name, games, 1, who)
    proofs = finished(
        prove(setting.rules, [setting.bots], setting.seed, setting.games, setting.crew)
    )
    found = finished(simulating.simulate(setting, precision, each_game=True))
    about = {**_about(setting, proofs), "digest": loaded.program.digest, "log_of_broken": ""}
    about["looks"] = found.look.number
    if found.tally.games:
        told = simulation.to_json(
            found.tally.summary(loaded.program, setting.bots, found.look.among), about
        )
    else:
        told = {**about, "games": 0, "broken": simulation.broken_json(found.tally.broke)}
    return _results(told, games=data.games(found.rows, told))


def sweep(
    name: str | Path,
    vary: Texts,
    games: int = 200,
    *,
    measure: Texts = (),
    precision: float | None = None,
    **who: Unpack[Who],
) -> Results:
    """Plays the same games with other values: `points` has a row for each value.

    With a `precision` in percent, `games` is the maximum.
    """
    if precision is not None:
        _number("precision", precision, LEAST_PRECISION, whole=False)
    _, setting = _setting(sweep, name, games, 2, who)
    varied = _listed("vary", vary)
    if not 1 <= len(varied) <= 2:
        raise NotPossible("one or two choices can be varied at once")
    measures = _listed("measure", measure)
    plan = _asked(lambda: swept.planned(swept.trying(setting, varied, measures)))
    asked = plan.asked.by(who.get("workers"), who.get("cluster", ""), len(plan.values))
    plan = replace(plan, asked=asked)
    proofs = finished(
        prove(setting.rules, [setting.bots], setting.seed, plan.games, asked.setting.crew)
    )
    found = finished(swept.sweep(plan, precision))
    return _results(sweeping.sweep_json(found, _about(setting, proofs)))


def tune(
    name: str | Path,
    vary: Texts,
    target: Texts,
    games: int = 400,
    *,
    measure: Texts = (),
    precision: float | None = None,
    **who: Unpack[Who],
) -> Results:
    """Searches for values that bring measures to targets: `trials` has a row for each trial.

    With a precision in percent, trials that may be the answer play until their targets are known
    so well, up to so many games.
    """
    if precision is not None:
        _number("precision", precision, LEAST_PRECISION, whole=False)
    _, setting = _setting(tune, name, games, 2, who)
    varied, goals = _listed("vary", vary), _listed("target", target)
    if not varied or not goals:
        raise NotPossible("something is to be varied, and a target is wanted, as in length=60")
    targets = tuning.aims(setting, goals)
    wanted = [*_listed("measure", measure), *(each.measure for each in targets)]
    asked = _asked(lambda: swept.trying(setting, varied, wanted))
    tuning.check(asked, targets, precision)
    asked = asked.by(who.get("workers"), who.get("cluster", ""), 1)
    crew = asked.setting.crew
    proofs = finished(prove(setting.rules, [setting.bots], setting.seed, games, crew))
    found = finished(tuning.tune(asked, targets, precision))
    choices = [each.choice for each in asked.varied]
    about = {**_about(setting, proofs), "games": games}
    return _results(sweeping.tuning_json(found.tuning, found.again, choices, found.looks, about))


def review(
    name: str | Path,
    other: str | Path | None = None,
    games: int = 1000,
    *,
    thinking: int = 40,
    **who: Unpack[Who],
) -> Results:
    """Reviews a game: `findings` has its likely flaws.

    Of two versions, the findings are those of the second, and `changes` are the differences from
    the first. Witnesses are named by game and reply; only the command saves them. The default bot
    is `mc:100`.
    """
    _number("thinking", thinking, 1)
    who = {"bots": "mc:100", **who}
    both = [_setting(review, each, games, 20, who) for each in (name, other) if each is not None]
    if len({setting.players for _, setting in both}) > 1:
        raise NotPossible("these are for different numbers of players: say players")
    workers, cluster = who.get("workers"), who.get("cluster", "")
    quick = crew_for(games, ["random"], workers, cluster)
    slow = crew_for(thinking, ["greedy"], workers, cluster)
    settings = [replace(setting, crew=quick) for _, setting in both]
    reviews = [finished(reviewing.review(each, thinking, slow)) for each in settings]
    setting, last = settings[-1], reviews[-1]
    about = _about(setting, last.evidence.proofs)
    del about["machine"]
    told = reviewed.to_json(last, about, {})
    if other is not None:
        names = (both[0][0].name, both[1][0].name)
        among = hypotheses(reviews[0], last)
        measures = reviewing.contrast(settings[0], setting.rules, names, among)
        found = changes(reviews[0], last)
        told |= {"before": names[0], **reviewed.compared_json(found, measures)}
    return _results(told)


def drama(
    name: str | Path, games: int = 60, *, playouts: int = PLAYOUTS, **who: Unpack[Who]
) -> Results:
    """Measures when games are decided: `moments` has a row for each tenth of the game."""
    _number("playouts", playouts, 10)
    _, setting = _setting(drama, name, games, 4, who)
    asked = replace(setting, crew=_thinking_crew(games, who))
    return _results(rendered_drama.to_json(finished(dramas(asked, playouts)), _who(asked)))


def variety(
    name: str | Path, games: int = 60, *, panel: Texts = "mc:50", **who: Unpack[Who]
) -> Results:
    """Measures how different games are: `used` has a row for each question, `openings` for each
    number of decisions. The default bot is `mc:50`.
    """
    members = _listed("panel", panel)
    for each in members:
        seat_bots(each, 1)
    _, setting = _setting(variety, name, games, 4, {"bots": "mc:50", **who})
    asked = replace(setting, crew=_thinking_crew(games, who))
    panel_of = members * PANEL if len(members) == 1 else members
    return _results(rendered_variety.to_json(finished(varieties(asked, panel_of)), _who(asked)))


def ladder(
    name: str | Path, deals: int = 20, *, rungs: Sequence[str] = LADDER, **who: Unpack[Who]
) -> Results:
    """Plays each bot of a ladder against the one below it: `steps` has a row for each."""
    bots = _listed("rungs", rungs)
    for each in bots:
        seat_bots(each, 1)
    _, setting = _setting(ladder, name, deals, 4, who)
    crew = _thinking_crew(deals, who)
    found = finished(laddered(setting.rules, setting.players, bots, setting.seed, deals, crew))
    return _results(rendered_ladder.to_json(found, {**_who(setting), "bots": bots}))


def worth(
    name: str | Path,
    games: int = 1000,
    *,
    seat: int = 0,
    cost: str = "",
    precision: float | None = None,
    of: Texts = (),
    **who: Unpack[Who],
) -> Results:
    """Measures what each card, place, option and rule is worth to a seat, in so many pairs of
    games: `worths` has a row for each, `by_cost` for each card with a cost. With a `precision` in
    percent, `games` is the maximum. `of` names the only things that are measured.
    """
    if precision is not None:
        _number("precision", precision, LEAST_PRECISION, whole=False)
    loaded, setting = _setting(worth, name, games, 2, who)
    _number("seat", seat, 0)
    if seat >= setting.players:
        raise NotPossible(f"seat {seat}: there are {setting.players} players, counted from 0")
    try:
        costs_of(loaded.program, cost)
    except ValueError as error:
        raise NotPossible(str(error)) from None
    crew = _thinking_crew(games, who)
    things = _listed("of", of)
    how = seat, crew, cost, precision, things
    found = finished(worths(setting.rules, [setting.table], [games], *how))
    named = loaded.program.player_names[seat]
    about = {name: value for name, value in _who(setting).items() if name != "bots"}
    return _results(rendered_worth.to_json(found, about, named))


def _thinking_crew(games: int, who: Who) -> Crew:
    """The crew for games that take long, whoever plays."""
    return crew_for(games, ["greedy"], who.get("workers"), who.get("cluster", ""))


def _who(setting: Setting) -> dict[str, Any]:
    told = {"game": setting.rules.name, "players": setting.players, "seed": setting.seed}
    return {**told, "bots": list(setting.bots)}


def effect(name: str | Path, other: str | Path, games: int = 200, **who: Unpack[Who]) -> Results:
    """Measures each difference between two versions with paired games.

    `effects` has a row for each difference, and for all of them together, by number of players.
    """
    # Imported here: comparing texts needs much that playing games does not.
    from lawspeaker.faces.cli.finding import Asking, find_out
    from lawspeaker.faces.render.compare_json import effects_table, to_json
    from lawspeaker.outside.crew import cores

    bots = ",".join(_listed("bots", who.get("bots", "random")))
    best = any(each.strip() == BEST for each in bots.split(","))
    asked: Who = {**who, "bots": "random"} if best else who
    both = [_setting(effect, each, games, 1, asked) for each in (name, other)]
    found, comparison = _compared((name, other))
    counts = [each for each in both[0][0].players if each in both[1][0].players]
    if (wanted := who.get("players")) is not None:
        counts = [wanted]
    seed = both[0][1].seed
    if best and len(counts) > 1:
        raise NotPossible("which bot is best hangs on how many play: say players")
    for count in counts:
        seats = seat_bots(bots, count, best=best)
        if best:
            bots = as_text(pinned(seats, [game.program for game, _ in both]))
    crew = Crew(who.get("workers") or cores(), who.get("cluster", ""))
    asking = Asking(False, 0, games, tuple(counts), bots, seed, crew)
    findings = find_out(found, comparison, asking)
    json = to_json(comparison, findings)
    about = {"game": comparison.table.columns[0].name, "seed": seed}
    rows = data.behind(data.table(effects_table(comparison, findings)), about)
    return Results(json, {"effects": rows})


# ---------------------------------------------------------------- arguments

LEAST_PRECISION = 0.01


def _setting(
    study: Callable[..., Results], name: str | Path, games: int, least: int, who: Who
) -> tuple[Game, Setting]:
    """Resolves the common arguments of a study: loads the game and returns the setting.

    `least` is the minimum number of games; `study` is inspected to suggest argument names.
    """
    if unknown := [each for each in who if each not in _NAMES]:
        named = (*list(inspect.signature(study).parameters)[:-1], *_NAMES)
        hint = did_you_mean(unknown[0], named) or f"there are {', '.join(named)}"
        raise TypeError(f"there is no argument {unknown[0]!r}; {hint}")
    players, seed, workers = who.get("players"), who.get("seed", 1), who.get("workers")
    _number("games", games, least)
    _number("seed", seed)
    for what, number in (("players", players), ("workers", workers)):
        if number is not None:
            _number(what, number, 1)
    try:
        game = load(name)
    except RulesError as error:
        if named_wrongly(error.diagnostics):
            raise NotPossible("; ".join(each.message for each in error.diagnostics)) from None
        raise
    bots = ",".join(_listed("bots", who.get("bots", "random")))
    seats = pinned(seat_bots(bots, player_count(game, players), best=True), [game.program])
    crew = crew_for(games, seats, workers, who.get("cluster", ""))
    return game, Setting(Rules.of_game(game, game.name), seats, seed, games, crew)


_NAMES = tuple(Who.__annotations__)


def _number(what: str, value: object, least: float | None = None, *, whole: bool = True) -> None:
    """Raises NotPossible for a value that is no number, or too small."""
    sort = int if whole else (int, float)
    if not isinstance(value, sort) or isinstance(value, bool):
        raise NotPossible(f"{what} is a{' whole' if whole else ''} number, not {value!r}")
    if least is not None and not value >= least:
        raise NotPossible(f"{what} is {least} at least, not {value}")


def _listed(what: str, texts: Texts) -> list[str]:
    found = [texts] if isinstance(texts, str) else texts
    if not isinstance(found, Sequence) or not all(isinstance(each, str) for each in found):
        raise NotPossible(f"{what} is a text, or several, not {texts!r}")
    return list(found)


def _asked(ask: Callable[[], T]) -> T:
    """Calls `ask`; rule errors caused by the request are raised as NotPossible."""
    try:
        return ask()
    except RulesError as error:
        raise NotPossible(str(error)) from None


def _about(setting: Setting, proofs: Sequence[Any]) -> dict[str, Any]:
    return {
        "game": setting.rules.name,
        "players": setting.players,
        "seed": setting.seed,
        "bots": list(setting.bots),
        "machine": setting.machine,
        "proof": proving.to_json(proofs),
    }
