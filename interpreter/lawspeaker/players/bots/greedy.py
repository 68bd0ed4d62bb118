"""Bot that looks a few replies ahead in random playouts, inside the compiled machine.

It runs short playouts of each option in some determinizations, and takes the option with the best
average lead for its side. A finished game counts as a lead that outweighs all points. It has no
game-specific knowledge, and without points it sees only a near end of the game.

If the rules are too large for the compiled machine it chooses at random.
"""

from __future__ import annotations

from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import OptionTrial, Worlds
from lawspeaker.position.fault import OutOfMemory, TooLargeToCompile
from lawspeaker.position.rng import RngFactory

WORLDS, FEWEST, TRIES = 16, 2, 200
"""Number of determinizations, reduced to limit the number of playouts, but at least two."""
AHEAD = 12
VICTORY = 1000
"""Value of a victory in points, and of a defeat on the other side."""


class GreedyBot:
    """Chooses the option with the best lead after short playouts."""

    name = "greedy"

    def __init__(self, seed: int) -> None:
        self.luck = RngFactory(seed).stream("greedy")

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        trials = [OptionTrial(number) for number in range(len(options))]
        try:
            worlds, left = Worlds(view, reach=AHEAD), worlds_for(len(options))
            while left > 0:
                left -= worlds.play(trials, self.luck.word(), left)
        except (TooLargeToCompile, OutOfMemory):
            return self.luck.choose(options)
        leads = [lead(trial) for trial in trials]
        best = max(leads)
        equals = [each for each, led in zip(options, leads, strict=True) if led == best]
        return self.luck.choose(equals)


def worlds_for(options: int) -> int:
    """Number of determinizations for a number of options."""
    return max(FEWEST, min(WORLDS, TRIES // options))


def lead(trial: OptionTrial) -> float:
    """Average lead after an option; aborted playouts do not count."""
    if not trial.playouts:
        return -VICTORY
    lost = trial.ended - trial.wins
    return (trial.ahead + VICTORY * (trial.wins - lost)) / trial.playouts
