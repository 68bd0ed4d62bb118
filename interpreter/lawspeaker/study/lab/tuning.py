"""Values that bring measures to targets, with as little change to the rules as possible.

The search is differential evolution from SciPy over whole numbers. The games of every trial have
the same numbers and so the same luck: the function searched is fixed, and its noise is that of
one sample of games. What was tried is kept. Of all trials the front is reported: those that
nothing else beats in closeness to every target and in closeness to the rules as they are.

Several targets are measured in different things, points and shares. To search for all at once, how
far each is missed is told in half widths of its interval under the first values that were tried:
the rules as they are, where they are among those to be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, prod

from lawspeaker.study.lab.measures import Measured
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
    """`misses` are how far each measure is from its target, `miss` all of them together; `change`
    is how far the values are from those of the rules, each as a part of its range, added up."""

    values: Values
    measures: Measured
    misses: tuple[float, ...]
    miss: float
    change: float


@dataclass(frozen=True, slots=True)
class Tuning:
    targets: tuple[Target, ...]
    best: Trial
    printed: Trial | None
    front: tuple[Trial, ...]
    trials: tuple[Trial, ...]
    """All that came to an end, in the order in which they were tried."""
    broken: tuple[Values, ...]
    """Values under which games break off: they are no answer."""

    @property
    def tried(self) -> int:
        return len(self.trials) + len(self.broken)


def target(text: str) -> Target:
    """What `length=60` or `part:feast=0.2` says."""
    name, _, value = (part.strip() for part in text.rpartition("="))
    try:
        wanted = float(value)
    except ValueError:
        wanted = inf
    if not name or not isfinite(wanted):
        raise BadTarget(f"`{text}` is not of the form MEASURE=NUMBER")
    return Target(name, wanted)


def targets(texts: Sequence[str]) -> tuple[Target, ...]:
    """Several targets, each for a measure of its own."""
    found = tuple(target(each) for each in texts)
    names = [each.measure for each in found]
    for name in names:
        if names.count(name) > 1:
            raise BadTarget(f"{name} has two targets; it can have one")
    return found


def tune(
    all_varied: Sequence[Varied],
    wanted: Sequence[Target],
    measure: Callable[[Values], Measured | None],
    seed: int,
) -> Tuning:
    """Searches the values; `measure` plays games under some of them, and says nothing where any of
    them breaks off. Raises `AllBroken` if that is so under all values."""
    trials: dict[Values, Trial] = {}
    broken: list[Values] = []
    units: list[float] = []

    def tried(values: Values) -> float:
        if values not in trials and values not in broken:
            found = measure(values)
            if found is None:
                broken.append(values)
            else:
                if not units:
                    units.extend(_unit(found, each) for each in wanted)
                misses = tuple(abs(found[each.measure].value - each.value) for each in wanted)
                together = sum(miss / unit for miss, unit in zip(misses, units, strict=True))
                whole = misses[0] if len(misses) == 1 else together
                change = _change(all_varied, values)
                trials[values] = Trial(values, found, misses, whole, change)
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
    found = tuple(trials.values())
    best = min(found, key=lambda each: (each.miss, each.change))
    return Tuning(tuple(wanted), best, trials.get(printed), front(found), found, tuple(broken))


def _unit(found: Measured, target: Target) -> float:
    """What so far a miss is told in; a measure that never varies has no interval."""
    half = found[target.measure].half
    return half if 0 < half < inf else max(abs(target.value), 1.0)


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


def front(trials: Iterable[Trial]) -> tuple[Trial, ...]:
    """The trials that no other beats: none is as good in all respects and better in one. The
    smallest change comes first; of those that are alike in all, one is kept."""
    kept: list[Trial] = []
    for each in sorted(trials, key=lambda one: (one.change, one.miss)):
        if not any(_as_good(other, each) for other in kept):
            kept = [other for other in kept if not _as_good(each, other)] + [each]
    return tuple(kept)


def _as_good(one: Trial, other: Trial) -> bool:
    """Whether one is at least as good in every respect."""
    pairs = zip((*one.misses, one.change), (*other.misses, other.change), strict=True)
    return all(left <= right for left, right in pairs)


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
