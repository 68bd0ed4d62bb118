"""How many minutes a game takes people, from how long they took to reply.

If the operator agrees (`serve --times`), tables add the time of each reply of a person to two
totals of its kind of question: how many replies there were, and how many seconds they took. Nothing
says at which table, by whom or when. Who replies late was away, so such replies do not count.

The questions of a game come from games between random bots, by number of players. Each counts as
long as such questions took on average. Before enough is known, the minutes are a guess, and the
sentence says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

GUESS = 5, 15
"""Seconds that a reply may take, where nothing is known of these rules."""
AWAY = 300
"""Seconds after which somebody was away rather than thinking."""
FEWEST_REPLIES = 50
"""Minimum number of replies for more than a guess."""

Thinking = Mapping[str, tuple[int, int]]
"""By question, the number of replies of people and the seconds they took together."""


@dataclass(frozen=True, slots=True)
class Minutes:
    """The fewest and most minutes of some games, by so many replies of people; 0: a guess."""

    shortest: int
    longest: int
    replies: int


def minutes(games: Sequence[Mapping[str, int]], thinking: Thinking) -> Minutes | None:
    """The minutes of games with so many questions of each kind; None without games."""
    if not games:
        return None
    replies = sum(count for count, _ in thinking.values())
    if replies < FEWEST_REPLIES:
        taken = [sum(asked.values()) for asked in games]
        return _minutes(GUESS[0] * min(taken), GUESS[1] * max(taken), 0)
    usual = sum(seconds for _, seconds in thinking.values()) / replies
    each = {question: seconds / count for question, (count, seconds) in thinking.items() if count}
    lengths = [
        sum(times * each.get(question, usual) for question, times in asked.items())
        for asked in games
    ]
    return _minutes(min(lengths), max(lengths), replies)


def _minutes(least: float, most: float, replies: int) -> Minutes:
    """Rounds outwards to whole minutes."""
    shortest = max(1, math.floor(least / 60))
    return Minutes(shortest, max(shortest + 1, math.ceil(most / 60)), replies)
