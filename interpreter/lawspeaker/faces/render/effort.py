"""Says how many games, and how much time, it takes to know shares to one percent."""

from __future__ import annotations

import math

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.study.lab.sequential import Look

PERCENT = 0.01
MINUTE, HOUR = 60, 3600
LOOKED_AT = "The games of each trial were looked at to see when to stop."
WIDENED = "The intervals are widened, so that those of all looks hold together with 95 %."


def effort(what: str, half: float, games: int, each: str, a_second: float | None) -> str:
    """Formats the effort, from half of an interval after so many games.

    `each` says what the games are counted by, as in `games for each value`; `a_second` is how many
    of those are played in a second.
    """
    if not half or math.isinf(half) or not games:
        return ""
    if half <= PERCENT:
        return f"{what} are known to ±{_percent(half)}."
    needed = math.ceil(games * (half / PERCENT) ** 2)
    time = f", {duration(needed / a_second)}" if a_second else ""
    return (
        f"{what} are known to ±{_percent(half)}. ±1 % takes about {rounded(needed):,} {each}{time}:"
        " --precision 1."
    )


def duration(seconds: float) -> str:
    """Formats a duration in its largest unit."""
    if seconds < 1:
        return "less than a second"
    if seconds < MINUTE:
        return f"about {with_noun(math.ceil(seconds), 'second')}"
    if seconds < HOUR:
        return f"about {with_noun(math.ceil(seconds / MINUTE), 'minute')}"
    return f"about {with_noun(math.ceil(seconds / HOUR), 'hour')}"


def rounded(count: int) -> int:
    """Rounds a number up to two digits."""
    unit = int(10 ** max(0, len(str(count)) - 2))
    return math.ceil(count / unit) * unit


def looks(look: Look) -> str:
    """Says that the intervals allow for having looked before."""
    if look.share == 1:
        return ""
    return f"The games were looked at {look.number} times to see when to stop. {WIDENED}"


def _percent(half: float) -> str:
    return f"{100 * half:.1f} %"
