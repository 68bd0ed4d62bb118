"""Searches values that bring measures to targets, playing games for each trial."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from queue import SimpleQueue

from lawspeaker.outside.experiments.requests import NotPossible, Setting, thinker
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.experiments.sweeping import Trying, skills
from lawspeaker.outside.workers import sums
from lawspeaker.study.lab import tuning
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.measures import SKILL, Measured, Measures, shares
from lawspeaker.study.lab.sequential import Look, first_look, next_look
from lawspeaker.study.lab.skill import beside, skill_of
from lawspeaker.study.lab.sweep import Swept, swept
from lawspeaker.study.lab.varying import Values


def aims(setting: Setting, texts: Sequence[str]) -> tuple[tuning.Target, ...]:
    """Parses targets such as `length=60` or `skill=0.5`, and names whose skill is meant."""

    def named(target: tuning.Target) -> tuning.Target:
        what, _, bot = target.measure.partition(":")
        if what != SKILL:
            return target
        return replace(target, measure=skill_of(thinker(setting, bot)).name)

    try:
        return tuple(named(each) for each in tuning.targets(texts))
    except tuning.BadTarget as error:
        raise NotPossible(str(error)) from None


@dataclass(frozen=True, slots=True)
class Tuned:
    """Result of a search: trials, the best one measured again in fresh games (`again`), broken
    values and measures. Before it is `over`, nothing was measured again.

    `looks` says after how many games each trial ended.
    """

    tuning: tuning.Tuning
    again: Measured | None
    broke: Mapping[Values, Broken]
    measures: Measures
    looks: Mapping[Values, Look]
    over: bool = False


def check(asked: Trying, targets: Sequence[tuning.Target], precision: float | None = None) -> None:
    """Rejects unreachable targets before any game is played."""
    if precision is not None and asked.skills:
        raise NotPossible(
            "skill is measured in games of its own, as many as --games says: --precision is for"
            " the other measures"
        )
    measures = {each.name: each for each in (*asked.measures(asked.as_they_are), *asked.skills)}
    try:
        for each in targets:
            tuning.check(each, measures[each.measure])
    except tuning.BadTarget as error:
        raise NotPossible(str(error)) from None


def tune(
    asked: Trying, targets: Sequence[tuning.Target], precision: float | None = None
) -> Experiment[Tuned]:
    """Searches values that bring measures to targets. Raises `AllBroken`, `NoOptimiser`.

    Each trial plays so many games or, with a precision in percent, until its targets are known so
    well, or it is surely farther from them than another one.
    """
    setting, broke, looks = asked.setting, dict[Values, Broken](), dict[Values, Look]()
    most, wanted = setting.games, None if precision is None else precision / 100
    trials = tuning.Trials(asked.varied, targets)
    measures = (*asked.measures(asked.rules(_first(asked))), *asked.skills)
    every = tuning.tries(asked.varied)
    besides = not trials.given(trials.printed)
    of = 0 if every is None or wanted is not None else asked.games(every + besides + 1)
    done = 0

    def measured(
        values: Values, seed: int, *, anew: bool = False
    ) -> Generator[Progress[Tuned], None, Measured | None]:
        nonlocal done
        rules = asked.rules(values)
        here, own = asked.measures(rules), replace(asked, setting=replace(setting, seed=seed))
        sum_up = partial(swept, reference=0, measures=[here])
        doing, parts = f"trying {', '.join(values)}", list[Swept]()

        def step(games: int) -> Progress[Tuned]:
            nonlocal done
            done += games
            return Progress(done, max(of, done), known(), doing)

        look = first_look(most, wanted)
        numbers = range(look.games)
        while numbers:
            for some in sums([rules], own.setting.table, numbers, sum_up, setting.crew):
                parts.append(some)
                yield step(some.games)
            whole = reduce(add, parts)
            if whole.broke[0].games:
                broke[values] = whole.broke[0]
                return None
            numbers = range(0)
            if wanted is not None:
                found = shares(whole.measures[0], asked.sides, here, look.among)
                following = next_look(look, tuning.imprecision(found, targets, here), wanted, most)
                if anew or not trials.beaten(found):
                    numbers, look = range(look.games, following.games), following
        if not anew:
            looks[values] = look
        thought = list[Swept]()
        for played, some in skills(own, [rules], 0):
            thought.append(some)
            yield step(played)
        both = beside(whole, reduce(add, thought)) if thought else whole
        return shares(both.measures[0], asked.sides, (*here, *asked.skills), look.among)

    def known() -> Tuned | None:
        try:
            return Tuned(trials.tuning(), None, broke, measures, looks)
        except tuning.AllBroken:
            return None

    questions = _questions(lambda ask: tuning.search(trials, ask, setting.seed))
    try:
        values = next(questions, None)
        while values is not None:
            found = yield from measured(values, setting.seed)
            try:
                values = questions.send(found)
            except StopIteration:
                values = None
    finally:
        questions.close()
    result = trials.tuning()
    # The best of many trials is biased, so it is measured again in fresh games.
    again = yield from measured(result.best.values, setting.seed + 1, anew=True)
    return Tuned(result, again, broke, measures, looks, over=True)


def _first(asked: Trying) -> Values:
    return tuple(each.values[0] for each in asked.varied)


def _questions(
    search: Callable[[Callable[[Values], Measured | None]], None],
) -> Generator[Values, Measured | None, None]:
    """Inverts control of a search: a generator that yields the values it asks for, and is sent
    results.

    The optimiser calls a function, so it runs in a thread of its own while games are played here.
    """
    asked: SimpleQueue[Values | None] = SimpleQueue()
    answers: SimpleQueue[tuple[bool, Measured | None]] = SimpleQueue()

    def ask(values: Values) -> Measured | None:
        asked.put(values)
        wanted, found = answers.get()
        if not wanted:
            raise _GivenUp
        return found

    def run() -> None:
        try:
            search(ask)
        finally:
            asked.put(None)

    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(run)
        try:
            while (values := asked.get()) is not None:
                answers.put((True, (yield values)))
        except GeneratorExit:
            answers.put((False, None))
            return
        running.result()


class _GivenUp(Exception):
    """The search was cancelled."""
