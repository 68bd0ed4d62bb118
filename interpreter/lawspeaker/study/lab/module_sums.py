"""Converts sums computed inside a module to a tally, see `compiled/runtime/sums`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.statistics import Mean
from lawspeaker.study.lab.tally import Goes, Tally

Words = Mapping[str, Sequence[int]]


def tally_of(words: Words, players: int, lowest: int) -> Tally:
    """The tally of named sums; `lowest` is the score of the first histogram entry."""
    (games,), whole = words["games"], victory(players)
    size = len(words["scores"]) // players
    named = ("times", "choosers", "compared", "ahead", "ahead_squared", "more", "more_squared")
    things = zip(*(words[name] for name in named), strict=True)
    return Tally(
        games,
        tuple(
            _counted(words["scores"][seat * size : (seat + 1) * size], lowest)
            for seat in range(players)
        ),
        tuple(words["wins"]),
        tuple(words["order"]),
        words["started"][0],
        Mean(games, *words["margin"]),
        words["ties"][0],
        words["draws"][0],
        Mean(games, *words["leads"]),
        _counted(words["lengths"], 0),
        words["options"][0],
        tuple(words["fired"]),
        tuple(
            Mean(games, total, squares, players)
            for total, squares in zip(words["points"], words["points_squared"], strict=True)
        ),
        tuple(words["points_given"]),
        tuple(
            Goes(
                times,
                choosers,
                Mean(compared, ahead, ahead_squared, whole * whole),
                Mean(compared, more, more_squared, whole),
            )
            if times
            else Goes(0, 0, Mean(), Mean())
            for times, choosers, compared, ahead, ahead_squared, more, more_squared in things
        ),
        Broken(),
        tuple(
            Mean(games, total, squares)
            for total, squares in zip(words["measures"], words["measures_squared"], strict=True)
        ),
    )


def _counted(times: Sequence[int], first: int) -> Counter[int]:
    return Counter({first + at: count for at, count in enumerate(times) if count})
