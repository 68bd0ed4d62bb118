"""Measures the stakes of a decision: the value difference between its best and worst option.

Some decisions of searching bots are revisited. Their options are tried in playouts over
determinizations of the seat's view. Half of the playouts select the best and the worst option,
the other half measure their difference: with the same playouts for both, there would always be
some. A decision matters if the difference is significant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.players.bots.simple import options_of
from lawspeaker.position.fault import OutOfMemory, TooLargeToCompile
from lawspeaker.position.rng import RngFactory, Stream

if TYPE_CHECKING:
    from lawspeaker.players.bots.trials import OptionTrial, Worlds


@dataclass(frozen=True, slots=True)
class Stake:
    """The stakes of a decision after so many replies, in victories, and whether they are
    significant.
    """

    replies: int
    apart: float
    matters: bool


DECISIONS = 3
"""Number of sampled decisions per game."""
OPTIONS = 6
"""Maximum number of sampled options per decision."""
GAMES = 60
"""Playouts per option, in each half."""
BEYOND_DOUBT = 3.1
"""Standard errors for significance: one false positive in a thousand decisions."""


def stakes(
    program: ir.Program, players: int, seed: int, options: Sequence[Option], open_at: Sequence[int]
) -> list[Stake]:
    """The stakes of some decisions of a game; `open_at` are those with a choice."""
    luck = RngFactory(seed).stream("stakes")
    chosen = set(luck.shuffled(open_at)[:DECISIONS])
    match = Match(program, players, seed)
    found: list[Stake] = []
    for at, option in enumerate(options):
        assert option.seat is not None
        if at in chosen:
            # Skipped if the rules are too large for the compiled machine.
            with suppress(TooLargeToCompile, OutOfMemory):
                found.append(_stake(match.view(option.seat), at, luck))
        if at >= max(chosen, default=-1):
            break
        match.choose(option.text, seat=option.seat)
    return found


def _stake(view: View, at: int, luck: Stream) -> Stake:
    options = luck.shuffled(range(len(options_of(view))))[:OPTIONS]
    # Imported lazily; simulations need no compiled machine.
    from lawspeaker.players.bots.trials import Worlds

    worlds = Worlds(view, habits=True)
    first, second = (_tried(worlds, options, luck) for _ in range(2))
    best, worst = (
        pick(range(len(options)), key=lambda each: first[each].wins) for pick in (max, min)
    )
    one, other = (second[each].wins / max(1, second[each].playouts) for each in (best, worst))
    apart = one - other
    # Assumes independence; common random numbers make this conservative.
    error = math.sqrt((one * (1 - one) + other * (1 - other)) / max(1, second[best].playouts))
    return Stake(at, apart, apart > BEYOND_DOUBT * max(error, 1 / GAMES))


def _tried(worlds: Worlds, options: Sequence[int], luck: Stream) -> list[OptionTrial]:
    from lawspeaker.players.bots.trials import OptionTrial

    trials = [OptionTrial(each) for each in options]
    played = 0
    while played < GAMES:
        played += worlds.play(trials, luck.word(), GAMES - played)
    return trials
