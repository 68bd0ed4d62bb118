"""Plays the same games under other values of the rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lawspeaker.outside.experiments.requests import (
    NotPossible,
    Setting,
    Wanted,
    checked_measures,
    crew_for,
    wanted_measures,
)
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.machines import WASM
from lawspeaker.outside.patching import written_at
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.outside.workers import skilled, sums
from lawspeaker.position.layout import Layout, sides_of
from lawspeaker.study.lab.measures import Measures
from lawspeaker.study.lab.sequential import expected, first_look, next_look
from lawspeaker.study.lab.skill import beside, skill_of
from lawspeaker.study.lab.sweep import Sweep, Swept, reference, swept
from lawspeaker.study.lab.sweep import sweep as summed_up
from lawspeaker.study.lab.varying import (
    CannotVary,
    Values,
    Varied,
    combinations,
    patch,
    printed,
    varied_together,
)


@dataclass(frozen=True, slots=True)
class Trying:
    """A parameter study: the setting, what is varied, and the wanted measures, including the
    user's own.
    """

    setting: Setting
    varied: tuple[Varied, ...]
    wanted: Wanted

    @property
    def sides(self) -> int:
        return len(sides_of(program_of(self.setting.rules), self.setting.players))

    @property
    def deals(self) -> range:
        """Deals for measuring skill: together as many games as for the other measures."""
        return range(math.ceil(self.setting.games / self.sides))

    def rules(self, values: Values) -> Rules:
        """The rules with these values; unpatched where they equal the printed ones."""
        rules, own = self.setting.rules, self.wanted.own
        if values == printed(self.varied):
            return self.as_they_are
        return replace(rules, patch=patch(program_of(rules), self.varied, values, own))

    @property
    def as_they_are(self) -> Rules:
        """The rules with only the user's own measures added."""
        rules, own = self.setting.rules, self.wanted.own
        return replace(rules, patch=patch(program_of(rules), (), (), own)) if own else rules

    def measures(self, rules: Rules) -> Measures:
        """Measures of games by these rules."""
        return checked_measures(rules, self.setting.players, self.wanted.names)

    @property
    def skills(self) -> Measures:
        """Skill measures, in games of their own."""
        return tuple(skill_of(each) for each in self.wanted.thinkers)

    def by(self, workers: int | None, cluster: str, rules: int, machine: str = WASM) -> Trying:
        """The same with a crew and back end suited to the number of games."""
        bots = (*self.setting.bots, *self.wanted.thinkers)
        crew = crew_for(self.games(rules), bots, workers, cluster, machine)
        return replace(self, setting=replace(self.setting, crew=crew, machine=machine))

    def games(self, rules: int) -> int:
        """Number of games for so many combinations of values."""
        own = len(self.wanted.thinkers) * len(self.deals) * self.sides
        return rules * (self.setting.games + own)


def trying(setting: Setting, vary: Sequence[str], measure: Sequence[str] = ()) -> Trying:
    """Validates what is to be varied and measured, before any game is played.

    Raises `RulesError` if a user's expression is wrong.
    """
    try:
        layout = Layout(program_of(setting.rules), setting.players)
        all_varied = varied_together(vary, layout, partial(written_at, setting.rules.files))
    except CannotVary as error:
        raise NotPossible(str(error)) from None
    found = Trying(setting, tuple(all_varied), wanted_measures(setting, measure))
    # Compile the measures alone first, so that errors in them are reported as such.
    found.measures(found.as_they_are)
    return found


@dataclass(frozen=True, slots=True)
class Plan:
    """All combinations of values with their rules and measures.

    The last `wanted` are those asked for; if the printed rules are not among them, they come
    first.
    """

    asked: Trying
    values: tuple[Values, ...]
    rules: tuple[Rules, ...]
    measures: tuple[Measures, ...]
    wanted: int

    @property
    def games(self) -> int:
        return self.asked.games(len(self.values))


def planned(asked: Trying) -> Plan:
    """Compiles all combinations, so that invalid values are rejected before any game.

    Raises `RulesError`, too.
    """
    try:
        values = tuple(combinations(asked.varied))
    except CannotVary as error:
        raise NotPossible(str(error)) from None
    wanted, as_they_are = len(values), printed(asked.varied)
    if as_they_are not in values:
        values = (as_they_are, *values)
    rules = tuple(asked.rules(each) for each in values)
    return Plan(asked, values, rules, tuple(asked.measures(each) for each in rules), wanted)


def sweep(plan: Plan, precision: float | None = None) -> Experiment[Sweep]:
    """Plays the same games under each combination of values: so many, or until changes of shares
    have the wanted precision in percent.
    """
    asked, setting = plan.asked, plan.asked.setting
    tried, measures, values = plan.rules, plan.measures, plan.values
    base, total = reference(asked.varied, values), plan.games
    sum_up = partial(swept, reference=base, measures=measures)
    everything = (*measures[0], *asked.skills)

    most, wanted = setting.games, None if precision is None else precision / 100
    look = first_look(most, wanted)

    def summary(found: Swept, skill: Swept | None) -> Sweep:
        known = found if skill is None else beside(found, skill)
        told = everything if skill is not None else measures[0]
        return summed_up(asked.varied, values, known, asked.sides, told, look)

    found: Swept | None = None
    numbers = range(look.games)
    while numbers:
        for some in sums(tried, setting.table, numbers, sum_up, setting.crew):
            found = some if found is None else found + some
            # A single game gives no interval.
            known = summary(found, None) if found.games > 1 else None
            yield Progress(found.games * len(values), total, known)
        assert found is not None
        reached = summary(found, None).precision
        enough = max(expected(look, reached, wanted, most), look.games)
        asked = replace(asked, setting=replace(setting, games=enough))
        total = asked.games(len(values))
        following = next_look(look, reached, wanted, most)
        numbers, look = range(look.games, following.games), following
    assert found is not None
    skill, done = None, found.games * len(values)
    for played, some in skills(asked, tried, base):
        skill = some if skill is None else skill + some
        done += played
        yield Progress(done, total, summary(found, skill), "measuring skill")
    return summary(found, skill)


def skills(asked: Trying, rules: Sequence[Rules], reference: int) -> Iterator[tuple[int, Swept]]:
    """Measures the skill of searching bots; yields blocks and the number of games played."""
    thinkers, setting = asked.wanted.thinkers, asked.setting
    if not thinkers:
        return
    table = (thinkers, setting.players, setting.seed)
    for deals, some in skilled(rules, *table, asked.deals, reference, setting.crew):
        yield deals * asked.sides * len(thinkers) * len(rules), some
