"""Values that bring a measure to a target, with as little change to the rules as possible.

The search is differential evolution from SciPy over whole numbers. The games of every trial have
the same numbers and so the same luck: the function searched is fixed, and its noise is that of
one sample of games. What was tried is kept. Of all trials the trade-off is reported: those that
nothing else beats both in closeness to the target and in closeness to the rules as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, prod

from lawspeaker.study.lab.measures import MEASURES
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.varying import Values, Varied, combinations

POPULATION = 6
ROUNDS = 12


class BadTarget(Exception):
    """The target cannot be understood; the message says why."""


class AllBroken(Exception):
    """Under no values do games come to their end."""


class NoOptimiser(Exception):
    """There is nothing to search with; the message says what to install."""


@dataclass(frozen=True, slots=True)
class Target:
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class Trial:
    """`miss` is how far the measure is from the target, `change` how far the values are from
    those of the rules, each as a part of its range, added up."""

    values: Values
    measure: Estimate
    miss: float
    change: float


@dataclass(frozen=True, slots=True)
class Tuning:
    target: Target
    best: Trial
    printed: Trial | None
    curve: tuple[Trial, ...]
    trials: int
    broken: tuple[Values, ...]
    """Values under which games break off: they are no answer."""


def target(text: str) -> Target:
    """What `length=60` says."""
    name, _, value = (part.strip() for part in text.partition("="))
    if name not in MEASURES:
        raise BadTarget(f"there is no measure `{name}`; there are {', '.join(MEASURES)}")
    try:
        return Target(name, float(value))
    except ValueError:
        raise BadTarget(f"`{text}` is not of the form MEASURE=NUMBER") from None


def tune(
    all_varied: Sequence[Varied],
    wanted: Target,
    measure: Callable[[Values], Estimate | None],
    seed: int,
) -> Tuning:
    """Searches the values; `measure` plays games under some of them, and says nothing where any of
    them breaks off. Raises `AllBroken` if that is so under all values."""
    trials: dict[Values, Trial] = {}
    broken: list[Values] = []

    def tried(values: Values) -> float:
        if values not in trials and values not in broken:
            found = measure(values)
            if found is None:
                broken.append(values)
            else:
                miss = abs(found.value - wanted.value)
                trials[values] = Trial(values, found, miss, _change(all_varied, values))
        return trials[values].miss if values in trials else inf

    printed = tuple(each.printed or "" for each in all_varied)
    inside = all(p in each.values for p, each in zip(printed, all_varied, strict=True))
    if inside:
        tried(printed)
    if prod(len(each.values) for each in all_varied) <= POPULATION * ROUNDS:
        # So few that all can be tried.
        for values in combinations(all_varied):
            tried(values)
    else:
        _search(all_varied, tried, seed)
    if not trials:
        raise AllBroken("games break off under all of these values")
    best = min(trials.values(), key=lambda each: (each.miss, each.change))
    return Tuning(
        wanted,
        best,
        trials.get(printed),
        trade_off(trials.values()),
        len(trials) + len(broken),
        tuple(broken),
    )


def _search(all_varied: Sequence[Varied], miss: Callable[[Values], float], seed: int) -> None:
    """Tries values that get closer and closer."""
    # Here and not above: nothing else in the lab needs SciPy, which takes long to load.
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


def trade_off(trials: Iterable[Trial]) -> tuple[Trial, ...]:
    """The trials that no other beats in both respects, the smallest change first."""
    kept: list[Trial] = []
    for each in sorted(trials, key=lambda one: (one.change, one.miss)):
        if not kept or each.miss < kept[-1].miss:
            kept.append(each)
    return tuple(kept)


def _values(all_varied: Sequence[Varied], point: Sequence[float]) -> Values:
    """The values that a point of the search stands for: their numbers in the lists."""
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
