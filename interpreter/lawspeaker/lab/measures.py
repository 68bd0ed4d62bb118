"""What can be measured of a game, as one number each: for sweeps and for tuning.

score    the mean score of the players
spread   from the lowest to the highest score
margin   from the second to the first
length   how many decisions the game takes
start    the share of victory of whoever is asked first, less the fair one
ties     1 when a victory is shared
leads    how often another seat takes the sole lead
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lawspeaker.lab.record import Record
from lawspeaker.lab.statistics import Estimate, Mean, share

Measure = Callable[[Record], float]


def score(record: Record) -> float:
    return sum(record.scores) / len(record.scores)


def spread(record: Record) -> float:
    return max(record.scores) - min(record.scores)


def margin(record: Record) -> float:
    best, *rest = sorted(record.scores, reverse=True)
    return best - rest[0] if rest else 0


def length(record: Record) -> float:
    return record.decisions


def start(record: Record) -> float:
    won = 1 / len(record.winners) if record.starter in record.winners else 0.0
    return won - 1 / len(record.scores)


def ties(record: Record) -> float:
    return float(len(record.winners) > 1)


def leads(record: Record) -> float:
    return record.leads


MEASURES: Mapping[str, Measure] = {
    each.__name__: each for each in (score, spread, margin, length, start, ties, leads)
}

Measured = Mapping[str, Estimate]


def measured(records: Sequence[Record]) -> Measured:
    """Every measure over some games. What is a share has the interval of one."""
    found = {}
    for name, measure in MEASURES.items():
        mean = Mean()
        for record in records:
            mean.add(measure(record))
        found[name] = mean.estimate()
    fair = 1 / len(records[0].scores) if records else 0.0
    found["ties"] = share(found["ties"].value * len(records), len(records))
    won = share((found["start"].value + fair) * len(records), len(records))
    found["start"] = Estimate(won.value - fair, won.low - fair, won.high - fair)
    return found


def changed(before: Sequence[Record], after: Sequence[Record]) -> Measured:
    """By how much every measure changes from game to game; game i stands against game i."""
    means = {name: Mean() for name in MEASURES}
    for one, other in zip(before, after, strict=True):
        for name, measure in MEASURES.items():
            means[name].add(measure(other) - measure(one))
    return {name: mean.estimate() for name, mean in means.items()}
