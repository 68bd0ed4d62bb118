"""What is at stake in a decision: how much better its best option does than its worst.

Some decisions of a game between those who think are looked at again. Their options are tried in
imagined games, as a seat would that sees no more than it may. Half of these games say which option
is best and which is worst, the other half how far they are apart: whoever took both from the same
games would always find some difference. A decision matters if that is so beyond doubt.
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
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.luck import Luck, Stream

if TYPE_CHECKING:
    from lawspeaker.players.bots.trials import Trial, Worlds


@dataclass(frozen=True, slots=True)
class Stake:
    """After so many replies, how far the best option is ahead of the worst, in victories, and
    whether that matters beyond doubt."""

    replies: int
    apart: float
    matters: bool


DECISIONS = 3
"""So many decisions of a game are looked at."""
OPTIONS = 6
"""And of each so many options, taken by luck where there are more."""
GAMES = 60
"""So many imagined games for an option, and as many again."""
BEYOND_DOUBT = 3.1
"""So many standard errors: one decision in a thousand would look so by chance."""


def stakes(
    program: ir.Program, players: int, seed: int, options: Sequence[Option], open_at: Sequence[int]
) -> list[Stake]:
    """What was at stake in some decisions of a game with these replies; `open_at` are those in
    which there was something to choose."""
    luck = Luck(seed).stream("stakes")
    chosen = set(luck.shuffled(open_at)[:DECISIONS])
    match = Match(program, players, seed)
    found: list[Stake] = []
    for at, option in enumerate(options):
        assert option.seat is not None
        if at in chosen:
            # Where rules are too large for the compiled machine, nothing is said.
            with suppress(TooLargeToCompile, OutOfRoom):
                found.append(_stake(match.view(option.seat), at, luck))
        if at >= max(chosen, default=-1):
            break
        match.choose(option.text, seat=option.seat)
    return found


def _stake(view: View, at: int, luck: Stream) -> Stake:
    options = luck.shuffled(range(len(options_of(view))))[:OPTIONS]
    # Here and not above: a simulation needs no compiled machine.
    from lawspeaker.players.bots.trials import Worlds

    worlds = Worlds(view, habits=True)
    first, second = (_tried(worlds, options, luck) for _ in range(2))
    best, worst = (
        pick(range(len(options)), key=lambda each: first[each].wins) for pick in (max, min)
    )
    one, other = (second[each].wins / max(1, second[each].playouts) for each in (best, worst))
    apart = one - other
    # As if their games had no luck in common: they have, so it is surer than this.
    error = math.sqrt((one * (1 - one) + other * (1 - other)) / max(1, second[best].playouts))
    return Stake(at, apart, apart > BEYOND_DOUBT * max(error, 1 / GAMES))


def _tried(worlds: Worlds, options: Sequence[int], luck: Stream) -> list[Trial]:
    from lawspeaker.players.bots.trials import Trial

    trials = [Trial(each) for each in options]
    played = 0
    while played < GAMES:
        played += worlds.play(trials, luck.word(), GAMES - played)
    return trials
