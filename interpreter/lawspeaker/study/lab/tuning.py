"""Tuning: searches values that bring measures to targets with a minimal change to the rules.

The search is SciPy's differential evolution over integers. All trials use the same game numbers,
so common random numbers: the objective is deterministic, with the noise of one sample. Trials are
kept, and the Pareto front is reported: those that nothing dominates in closeness to every target
and to the printed rules.

With a precision, a trial ends when its targets are known well enough, or as soon as it is surely
farther from all of them than the closest one: games are for trials that may be the answer.

Targets have different units. To combine them, misses are measured in half widths of the
confidence interval under the first trial, the printed rules, which are tried in any case. If
their values are not among those allowed, they are reported, but are no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, prod

from lawspeaker.base.diagnostics import Failure
from lawspeaker.study.lab.measures import SKILL, Measure, Measured, Measures
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.varying import Values, Varied, combinations, printed

POPULATION = 6
ROUNDS = 12


class BadTarget(Exception):
    """Invalid target; the message says why."""


class AllBroken(Failure):
    """Games abort under all values."""


class NoOptimiser(Failure):
    """SciPy is missing; the message says what to install."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target value of a measure."""

    measure: str
    value: float
    in_percent: bool = False
    """Whether it was given in percent."""


@dataclass(frozen=True, slots=True)
class TuningTrial:
    """A trial: `misses` are the distances from each target, `miss` combines them; `change` is
    the distance from the printed values, each as a part of its range, summed.
    """

    values: Values
    measures: Measured
    misses: tuple[float, ...]
    miss: float
    change: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """Results of a search: the best trial, the Pareto front, and all trials."""

    targets: tuple[Target, ...]
    best: TuningTrial
    printed: TuningTrial | None
    front: tuple[TuningTrial, ...]
    trials: tuple[TuningTrial, ...]
    """All finished trials, in order."""
    broken: tuple[Values, ...]
    """Allowed values under which games abort."""
    tried: int
    """Number of allowed values that were tried."""


def missed(found: Measured, target: Target) -> bool:
    """Whether the whole interval of a measure misses its target."""
    estimate = found[target.measure]
    return not estimate.low <= target.value <= estimate.high


def imprecision(found: Measured, wanted: Sequence[Target], measures: Measures) -> float:
    """Half of the widest interval of a target; if it is no share, as a part of the target."""
    shares = {each.name for each in measures if each.share}
    return max(
        found[each.measure].half / (1.0 if each.measure in shares else abs(each.value) or 1.0)
        for each in wanted
    )


def target(text: str) -> Target:
    """Parses `length=60`, `part:feast=0.2` or `part:feast=20%`."""
    name, _, value = (part.strip() for part in text.rpartition("="))
    try:
        wanted = float(value.removesuffix("%"))
    except ValueError:
        wanted = inf
    if not name or not isfinite(wanted):
        raise BadTarget(f"`{text}` is not of the form MEASURE=NUMBER")
    if value.endswith("%"):
        return Target(name, wanted / 100, in_percent=True)
    return Target(name, wanted)


def check(target: Target, measure: Measure) -> None:
    """Rejects targets that a measure cannot reach. Raises `BadTarget`."""
    if target.in_percent and not measure.share:
        raise BadTarget(f"{target.measure} is no share: its target is a number without %")
    least = -1 if measure.what in ("start", "ahead", SKILL) else 0
    if measure.share and not least <= target.value <= 1:
        raise BadTarget(
            f"{target.measure} is a share and lies between {least} and 1, so it cannot become"
            f" {target.value:g}; 5 percent is 5% or 0.05"
        )


def targets(texts: Sequence[str]) -> tuple[Target, ...]:
    """Parses several targets, for different measures."""
    found = tuple(target(each) for each in texts)
    names = [each.measure for each in found]
    for name in names:
        if names.count(name) > 1:
            raise BadTarget(f"{name} has two targets; it can have one")
    return found


class Trials:
    """The trials so far."""

    def __init__(self, all_varied: Sequence[Varied], wanted: Sequence[Target]) -> None:
        self.varied = tuple(all_varied)
        self.wanted = tuple(wanted)
        self._trials: dict[Values, TuningTrial] = {}
        self._broken: list[Values] = []
        self._units: list[float] = []

    @property
    def printed(self) -> Values:
        """The values of the rules."""
        return printed(self.varied)

    def given(self, values: Values) -> bool:
        """Whether these are among the allowed values."""
        return all(value in each.values for value, each in zip(values, self.varied, strict=True))

    def known(self, values: Values) -> bool:
        return values in self._trials or values in self._broken

    def add(self, values: Values, found: Measured | None) -> None:
        """Records a trial; None where games abort."""
        if found is None:
            self._broken.append(values)
            return
        if not self._units:
            self._units = [_unit(found, each) for each in self.wanted]
        misses = tuple(abs(found[each.measure].value - each.value) for each in self.wanted)
        together = sum(miss / unit for miss, unit in zip(misses, self._units, strict=True))
        whole = misses[0] if len(misses) == 1 else together
        change = _change(self.varied, values)
        self._trials[values] = TuningTrial(values, found, misses, whole, change)

    def miss(self, values: Values) -> float:
        return self._trials[values].miss if values in self._trials else inf

    def beaten(self, found: Measured) -> bool:
        """Whether these measures are surely farther from every target than the closest trial."""
        answers = [each for each in self._trials.values() if self.given(each.values)]
        if not answers:
            return False
        best = min(answers, key=lambda each: each.miss).measures
        return all(
            _nearest(found[each.measure], each.value) > _farthest(best[each.measure], each.value)
            for each in self.wanted
        )

    def tuning(self) -> Tuning:
        """Evaluates the trials. Raises `AllBroken` if games abort in all of them."""
        found = tuple(self._trials.values())
        answers = tuple(each for each in found if self.given(each.values))
        if not answers:
            raise AllBroken("games stop on a fault under all of these values")
        best = min(answers, key=lambda each: (each.miss, each.change))
        as_they_are = self._trials.get(self.printed)
        broken = tuple(each for each in self._broken if self.given(each))
        tried = len(answers) + len(broken)
        return Tuning(self.wanted, best, as_they_are, front(answers), found, broken, tried)


def search(trials: Trials, measure: Callable[[Values], Measured | None], seed: int) -> None:
    """Runs trials, the printed values first; `measure` plays games under some values, None if
    any aborts.
    """

    def tried(values: Values) -> float:
        if not trials.known(values):
            trials.add(values, measure(values))
        return trials.miss(values)

    all_varied = trials.varied
    if all(each.printed is not None for each in all_varied):
        tried(trials.printed)
    if tries(all_varied) is not None:
        for values in combinations(all_varied):
            tried(values)
    else:
        _evolve(all_varied, tried, seed)


def tries(all_varied: Sequence[Varied]) -> int | None:
    """Number of combinations, if they are few enough to try all."""
    every = prod(len(each.values) for each in all_varied)
    return every if every <= POPULATION * ROUNDS else None


def _nearest(found: Estimate, value: float) -> float:
    """Distance of a value from an interval."""
    return max(0.0, found.low - value, value - found.high)


def _farthest(found: Estimate, value: float) -> float:
    """Distance of a value from the far end of an interval."""
    return max(abs(found.low - value), abs(found.high - value))


def _unit(found: Measured, target: Target) -> float:
    """Unit of a miss; a constant measure has no interval."""
    half = found[target.measure].half
    return half if 0 < half < inf else max(abs(target.value), 1.0)


def _evolve(all_varied: Sequence[Varied], miss: Callable[[Values], float], seed: int) -> None:
    """Runs differential evolution."""
    # Imported lazily: nothing else in the lab needs SciPy, which loads slowly.
    try:
        from scipy.optimize import differential_evolution
    except ModuleNotFoundError:
        raise NoOptimiser(
            "a search among so many values needs SciPy: pip install 'lawspeaker[lab]'"
        ) from None
    differential_evolution(
        lambda point: miss(_values(all_varied, point)),
        [(0, len(each.values) - 1) for each in all_varied],
        integrality=[True] * len(all_varied),
        popsize=POPULATION,
        maxiter=ROUNDS,
        tol=0,
        polish=False,
        rng=seed,
    )


def front(trials: Iterable[TuningTrial]) -> tuple[TuningTrial, ...]:
    """The Pareto front, smallest change first, without duplicates."""
    kept: list[TuningTrial] = []
    for each in sorted(trials, key=lambda one: (one.change, one.miss)):
        if not any(_as_good(other, each) for other in kept):
            kept = [other for other in kept if not _as_good(each, other)] + [each]
    return tuple(kept)


def _as_good(one: TuningTrial, other: TuningTrial) -> bool:
    """Whether one is at least as good in every respect."""
    pairs = zip((*one.misses, one.change), (*other.misses, other.change), strict=True)
    return all(left <= right for left, right in pairs)


def _values(all_varied: Sequence[Varied], point: Sequence[float]) -> Values:
    """Maps a point of the search (indices) to values."""
    return tuple(each.values[round(at)] for each, at in zip(all_varied, point, strict=True))


def _change(all_varied: Sequence[Varied], values: Values) -> float:
    total = 0.0
    for each, value in zip(all_varied, values, strict=True):
        numbers = each.numbers
        if numbers is None:
            total += value != each.printed
        elif each.printed is not None:
            width = max(numbers) - min(numbers) or 1
            total += abs(int(value) - int(each.printed)) / width
    return total
