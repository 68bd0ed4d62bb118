"""The lab's experiments for a page: the results of the commands, reported step by step.

Each report is in the reader's language and contains the command that repeats the experiment.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, TypeVar

from lawspeaker import ir
from lawspeaker.base.diagnostics import RulesError
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render import data, sheet
from lawspeaker.faces.render import drama as rendered_drama
from lawspeaker.faces.render import ladder as rendered_ladder
from lawspeaker.faces.render import review_words as words
from lawspeaker.faces.render import variety as rendered_variety
from lawspeaker.faces.render import worth as rendered_worth
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.review import tables_json
from lawspeaker.faces.render.simulation import json_value, to_json
from lawspeaker.faces.render.sweeping import sweep_json, tuning_json
from lawspeaker.faces.web.workshop.trial_positions import Files
from lawspeaker.ir import Texts
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing, simulating, sweeping, tuning
from lawspeaker.outside.experiments.dramas import dramas
from lawspeaker.outside.experiments.ladders import laddered as climb
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import (
    BEST,
    NotPossible,
    Setting,
    as_text,
    pinned,
    player_count,
    seat_bots,
)
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.experiments.varieties import varieties
from lawspeaker.outside.experiments.worth_by_intervention import worths
from lawspeaker.outside.ladder import CHALLENGERS, find_strongest
from lawspeaker.outside.rules import Rules, patched_game, program_of
from lawspeaker.players.bots import RANDOM
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab import drama, variety
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.choice_names import things
from lawspeaker.study.lab.choice_names import told as called
from lawspeaker.study.lab.measures import USUAL, plain
from lawspeaker.study.lab.skill_ladder import Ladder
from lawspeaker.study.lab.sweep import Sweep
from lawspeaker.study.lab.tally import Summary
from lawspeaker.study.lab.tuning import AllBroken, NoOptimiser
from lawspeaker.study.lab.varying import as_written
from lawspeaker.study.lab.worth import Worth
from lawspeaker.study.reviewing.evidence import scoring
from lawspeaker.study.reviewing.findings import Review

MOST_VALUES = 12
"""Maximum number of combinations of values in a sweep."""
MOST_TRIALS = 60
"""Maximum number of combinations for `tune`."""
RUNGS = ("random", "greedy", "mc:50", "mc:200")
"""The ladder of bots that is played."""
FINDING_BEST = 60.0
"""Seconds to find the strongest bot, where it is not known."""
T = TypeVar("T")
Told = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExperimentRequest:
    """A request for an experiment: rules, their name on a command line, players, bot, games, seed,
    language."""

    files: Files
    name: str
    players: int
    bot: str
    games: int
    seed: int
    language: str = "en"

    def with_best(self) -> Generator[Told, None, ExperimentRequest]:
        """Returns the request with the strongest bot in place of `best`; yields the steps of
        finding it."""
        if self.bot != BEST:
            return self
        rules = Rules(self.name, self.files)
        count = player_count(patched_game(rules), self.players)
        challenges, done = find_strongest(program_of(rules), count, FINDING_BEST), 0
        while True:
            try:
                next(challenges)
            except StopIteration as end:
                return replace(self, bot=end.value.bot)
            done += 1
            yield _at(Progress(done, max(done, len(CHALLENGERS)), doing="finding the best bot"))

    def setting(self) -> Setting:
        """Returns the setting of the experiment; raises NotPossible or RulesError."""
        rules = Rules(self.name, self.files)
        count = player_count(patched_game(rules), self.players)
        seats = pinned(seat_bots(self.bot, count), [program_of(rules)])
        return Setting(rules, seats, self.seed, self.games, Crew())

    def command(self, what: str, *more: str, count: str = "--games", seated: bool = True) -> str:
        """Returns the shell command that repeats the experiment.

        `count` is the option for the number of games; `seated`: it has the option `--bots`.
        """
        asked = ["lawspeaker", what, self.name, *more]
        asked += [count, str(self.games), "--players", str(self.players)]
        if seated:
            asked += ["--bots", as_text(self.setting().bots)]
        return shlex.join([*asked, "--seed", str(self.seed)])


def choices(program: ir.Program, language: str) -> list[dict[str, str]]:
    """Lists the named choices that can be varied, with their sentences and values."""
    layout = Layout(program, program.most)
    found = []
    for choice in program.choices:
        says = program.clauses[choice.clause].says
        told = {"id": choice.id, "says": _in(says, language)}
        found.append({**told, "is": as_written(choice.values[-1], choice, layout)})
    return found


def measures(program: ir.Program) -> list[str]:
    """Lists all measures that can be requested by name."""
    giving = [each.id for each in scoring(program)]
    choosable = things(program, program.most)
    options = (
        f"{program.clauses[each.clause].id}:{plain(called(choosable.layout, each))}"
        for each in choosable.things
    )
    return [
        *(each.name for each in USUAL),
        "skill",
        *program.measures,
        *(f"ahead:{each}" for each in program.player_names[: program.most]),
        *(f"{what}:{each}" for what in ("points", "part") for each in giving),
        *(f"fires:{each.id}" for each in program.clauses if each.role == "rule"),
        *dict.fromkeys(f"chosen:{each}" for each in options),
    ]


# ---------------------------------------------------------------- experiments


def simulated(asked: ExperimentRequest) -> Iterator[Told]:
    """Simulates many games between bots, yielding intermediate summaries."""

    def begun() -> Iterator[Told]:
        wish = yield from asked.with_best()
        setting = wish.setting()
        program, layout = program_of(setting.rules), Layout(program_of(setting.rules), wish.players)
        language = program.spoken(wish.language)
        yield from _followed(
            wish,
            setting,
            simulating.simulate(setting),
            lambda found: {
                "broken": _broken(found.tally.broke),
                "summary": _summed_up(found.tally.summary(program, setting.bots), layout, language)
                if found.tally.games
                else None,
            },
            wish.command("simulate"),
        )

    return _answered(begun)


def swept(
    asked: ExperimentRequest, vary: Sequence[str], measure: Sequence[str] = ()
) -> Iterator[Told]:
    """Plays the same games for each value of one or two choices."""

    def begun() -> Iterator[Told]:
        wish = yield from asked.with_best()
        setting = wish.setting()
        plan = sweeping.planned(sweeping.trying(setting, vary, measure))
        if len(plan.asked.varied) > 2:
            raise NotPossible("one or two choices can be varied at once")
        if plan.wanted > MOST_VALUES:
            raise NotPossible(f"at most {MOST_VALUES} values")
        command = wish.command("sweep", *_options(vary, measure))
        about = {"game": wish.name, "players": setting.players, "seed": setting.seed}
        about["bots"] = list(setting.bots)
        told = partial(_swept, about=about)
        yield from _followed(wish, setting, sweeping.sweep(plan), told, command)

    return _answered(begun)


def tuned(
    asked: ExperimentRequest,
    vary: Sequence[str],
    target: Sequence[str],
    measure: Sequence[str] = (),
) -> Iterator[Told]:
    """Searches for values that bring measures to targets."""

    def begun() -> Iterator[Told]:
        wish = yield from asked.with_best()
        setting = wish.setting()
        targets = tuning.aims(setting, target)
        if not targets:
            raise NotPossible("a target is wanted, as in length=60")
        wanted = [*measure, *(each.measure for each in targets)]
        tried = sweeping.trying(setting, vary, wanted)
        tuning.check(tried, targets)
        tries = 1
        for each in tried.varied:
            tries *= len(each.values)
        if tries > MOST_TRIALS:
            raise NotPossible(f"at most {MOST_TRIALS} combinations of values")
        goals = (word for each in target for word in ("--target", each))
        command = wish.command("tune", *_options(vary, measure), *goals)
        names = [each.choice for each in tried.varied]

        def told(found: tuning.Tuned) -> Told:
            known = tuning_json(found.tuning, found.again, names, found.looks, {})
            broken = [_broken(each, f"{' '.join(at)}: ") for at, each in found.broke.items()]
            shares = [each.name for each in found.measures if each.share]
            return {"tuning": {**known, "shares": shares}, "broken": "; ".join(broken)}

        yield from _followed(wish, setting, tuning.tune(tried, targets), told, command)

    return _answered(begun)


def dramatic(asked: ExperimentRequest) -> Iterator[Told]:
    """Measures when games are decided."""

    def drawn(found: drama.Drama, bots: str, wish: ExperimentRequest) -> sheet.Sheet:
        return rendered_drama.sheet(found, bots, wish.players, wish.seed, wish.language)

    return _sheet(asked, dramas, drawn, lambda wish: wish.command("drama"))


def varied(asked: ExperimentRequest) -> Iterator[Told]:
    """Measures how different games are."""

    def drawn(found: variety.Variety, bots: str, wish: ExperimentRequest) -> sheet.Sheet:
        return rendered_variety.sheet(found, bots, wish.players, wish.seed, wish.language)

    def played(setting: Setting) -> Experiment[variety.Variety]:
        return varieties(setting, [setting.bots[0]] * variety.PANEL)

    def command(wish: ExperimentRequest) -> str:
        return wish.command("variety", "--panel", wish.setting().bots[0])

    return _sheet(asked, played, drawn, command)


def worthy(asked: ExperimentRequest) -> Iterator[Told]:
    """Measures what things are worth to the first seat."""

    def drawn(found: tuple[Worth, ...], _: str, wish: ExperimentRequest) -> sheet.Sheet:
        program = program_of(Rules(wish.name, wish.files))
        seat = Layout(program, wish.players).name(ir.PLAYER, 0, program.spoken(wish.language))
        return rendered_worth.sheet(found, seat, wish.seed, wish.language)

    def played(setting: Setting) -> Experiment[tuple[Worth, ...]]:
        return worths(setting.rules, [setting.table], [setting.games], 0, setting.crew)

    def command(wish: ExperimentRequest) -> str:
        count = "--games" if set(wish.setting().bots) == {RANDOM} else "--thinking"
        return wish.command("worth", count=count)

    return _sheet(asked, played, drawn, command)


def laddered(asked: ExperimentRequest) -> Iterator[Told]:
    """Measures what better play wins."""

    def drawn(found: Ladder, _: str, wish: ExperimentRequest) -> sheet.Sheet:
        return rendered_ladder.sheet(found, wish.seed, wish.language)

    def played(setting: Setting) -> Experiment[Ladder]:
        rules, crew = setting.rules, setting.crew
        return climb(rules, setting.players, RUNGS, setting.seed, setting.games, crew)

    def command(wish: ExperimentRequest) -> str:
        rungs = "--ladder", ",".join(RUNGS)
        return wish.command("ladder", *rungs, count="--deals", seated=False)

    return _sheet(asked, played, drawn, command)


def _sheet(
    asked: ExperimentRequest,
    experiment: Callable[[Setting], Experiment[T]],
    drawn: Callable[[T, str, ExperimentRequest], sheet.Sheet],
    command: Callable[[ExperimentRequest], str],
) -> Iterator[Told]:
    """A study whose result is a sheet."""

    def begun() -> Iterator[Told]:
        wish = yield from asked.with_best()
        setting = wish.setting()
        bots = as_text(setting.bots)

        def told(found: T) -> Told:
            page = sheet.localized(drawn(found, bots, wish), wish.language)
            return {"sheet": page.to_json()}

        yield from _followed(wish, setting, experiment(setting), told, command(wish))

    return _answered(begun)


def reviewed(asked: ExperimentRequest, thinking: int) -> Iterator[Told]:
    """Reviews a game, yielding the findings that the games support so far."""

    def begun() -> Iterator[Told]:
        wish = yield from asked.with_best()
        setting = wish.setting()
        if wish.bot == "random":
            raise NotPossible("a review needs players who think")
        language = program_of(setting.rules).spoken(wish.language)
        command = wish.command("review", "--thinking", str(thinking))
        experiment = reviewing.review(setting, thinking, Crew())
        yield from _steps(
            experiment, lambda found: _reviewed(found, language), {"command": command}
        )

    return _answered(begun)


def _answered(begun: Callable[[], Iterator[Told]]) -> Iterator[Told]:
    """Yields the reports of an experiment, or the reason why it is impossible."""
    try:
        yield from begun()
    except (NotPossible, AllBroken, NoOptimiser) as error:
        yield {"done": 0, "of": 0, "broken": str(error)}
    except RulesError as error:
        yield {"done": 0, "of": 0, "broken": error.diagnostics[0].message}


def _followed(
    wish: ExperimentRequest,
    setting: Setting,
    experiment: Experiment[T],
    told: Callable[[T], Told],
    command: str,
) -> Iterator[Told]:
    """Checks the bots' strength, and then reports an experiment step by step."""
    more: Told = {"command": command, "proof": []}
    proving = prove(setting.rules, [setting.bots], setting.seed, setting.games, setting.crew)
    proofs = yield from _steps(
        proving, lambda found: {"proof": sentences(found, wish.language)}, {"command": command}
    )
    more["proof"] = sentences(proofs, wish.language)
    yield from _steps(experiment, told, more)


def _steps(
    experiment: Experiment[T], told: Callable[[T], Told], more: Told
) -> Generator[Told, None, T]:
    """Yields each step as JSON; the last one has the result."""
    step: Progress[T] = Progress(0, 0)
    while True:
        try:
            step = next(experiment)
        except StopIteration as end:
            result: T = end.value
            if step.of:
                yield {**_at(step), "done": step.of, **more, **told(result), "over": True}
            return result
        known = {} if step.known is None else told(step.known)
        yield {**_at(step), **more, **known}


def _at(step: Progress[T]) -> Told:
    return {"done": step.done, "of": step.of, "broken": "", "doing": step.doing, "over": False}


def _options(vary: Sequence[str], measure: Sequence[str]) -> list[str]:
    varied = [word for each in vary for word in ("--vary", each)]
    return varied + [word for each in measure for word in ("--measure", each)]


# ---------------------------------------------------------------- JSON


def _broken(found: Broken, under: str = "") -> str:
    """Summarizes the faults of games: how many, and the first game of each."""
    told = (f"{each.games:,} × {each.fault} (#{each.first})" for each in found.holes)
    return f"{under}{'; '.join(told)}" if found.games else ""


def _summed_up(summary: Summary, layout: Layout, language: str) -> Told:
    """Converts a summary to JSON, with the names of things and the sentences of clauses."""
    told = to_json(summary, {"fair": summary.fair, "scored": summary.scored})
    told["for_points"] = summary.for_points
    told["shares"] = [each.name for each in summary.measures if each.share]
    told["goal"] = phrase(f"goal.{summary.goal.name.lower()}", language)
    for seat, each in enumerate(told["seats"]):
        each["called"] = layout.name(ir.PLAYER, seat, language)
    choosable = things(layout.program, layout.players).things
    for each in told["uses"]:
        each["called"] = called(layout, choosable[each["number"]], language)
    says = {each.id: each.says for each in layout.program.clauses}
    named = {each["clause"] for each in told["sources"]} | set(told["never"])
    named |= {each["clause"] for each in told["fired"]}
    named |= {each["question"] for each in told["uses"]}
    told["says"] = {id: _in(says[id], language) for id in named if id in says}
    return told


def _in(texts: Texts, language: str) -> str:
    return texts.get(language) or ir.in_language(texts, "en")


def _swept(result: Sweep, about: Told) -> Told:
    names = [each.name for each in result.telling]
    points = [
        {
            "values": list(each.values),
            "reference": each.values == result.reference,
            "pairs": each.pairs if each.pairs < result.games else None,
            "measures": {name: json_value(asdict(each.measures[name])) for name in names},
            "changes": {name: json_value(asdict(each.changes[name])) for name in names}
            if each.changes is not None
            else None,
        }
        for each in result.points
    ]
    broken = (_broken(each, f"{' '.join(values)}: ") for values, each in result.broken)
    return {
        "points": points,
        "measures": names,
        "shares": [each.name for each in result.telling if each.share],
        "broken": "; ".join(broken),
        "csv": data.tables(sweep_json(result, about))["points"].csv(),
    }


def _reviewed(found: Review, language: str) -> Told:
    evidence = found.evidence
    return {
        "review": {
            "thinking": words.worth_of_thinking(found, language),
            "findings": [
                {
                    "kind": each.about.kind,
                    "says": words.sentence(each, language),
                    "source": words.source(each, language),
                    "figure": json_value(asdict(each.estimate)),
                }
                for each in found.findings
            ],
            "tables": tables_json(found),
            "correction": " ".join(words.notes(found, language)),
        },
        "proof": sentences(evidence.proofs, language),
    }
