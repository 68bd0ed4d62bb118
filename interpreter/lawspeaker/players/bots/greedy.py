"""A bot that looks a few replies ahead, inside the compiled machine.

Each option is tried in some imagined worlds, in which everyone takes any option for a short while;
the one after which its side leads by most is taken. A game that ends meanwhile counts as a lead
that no points make up for. It knows nothing of any game, and where there are no points it sees no
further than to an end that is near.

Rules that are too large for the compiled machine leave it nothing to look ahead with: then it
takes any option.
"""

from __future__ import annotations

from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import Trial, Worlds
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.luck import Luck

WORLDS, FEWEST, TRIES = 16, 2, 200
"""In so many worlds options are tried; in fewer, where that would be more tries, but not in one."""
AHEAD = 12
VICTORY = 1000
"""What a victory counts, and a defeat on the other side, beside points."""


class GreedyBot:
    name = "greedy"

    def __init__(self, seed: int) -> None:
        self.luck = Luck(seed).stream("greedy")

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        trials = [Trial(number) for number in range(len(options))]
        try:
            worlds, left = Worlds(view, reach=AHEAD), worlds_for(len(options))
            while left > 0:
                left -= worlds.play(trials, self.luck.word(), left)
        except (TooLargeToCompile, OutOfRoom):
            return self.luck.choose(options)
        leads = [lead(trial) for trial in trials]
        best = max(leads)
        equals = [each for each, led in zip(options, leads, strict=True) if led == best]
        return self.luck.choose(equals)


def worlds_for(options: int) -> int:
    return max(FEWEST, min(WORLDS, TRIES // options))


def lead(trial: Trial) -> float:
    """How far one was ahead on average; what the rules broke off does not count."""
    if not trial.playouts:
        return -VICTORY
    lost = trial.ended - trial.wins
    return (trial.ahead + VICTORY * (trial.wins - lost)) / trial.playouts
