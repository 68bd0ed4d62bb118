"""A bot that plays by what was learned of its game, without looking ahead.

What its seat cannot see is imagined from the view, any one way: the policy looks only at what the
seat sees, so it does not matter which. Rules that are too large for the compiled machine leave it
nothing to play by: then it takes any option.
"""

from __future__ import annotations

from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.policies import policy_for
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import Worlds
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.luck import Luck


class LearnedBot:
    name = "learned"

    def __init__(self, seed: int, file: str = "") -> None:
        self.luck = Luck(seed).stream("learned")
        self.file = file

    def choose(self, view: View) -> Option:
        options = options_of(view)
        if len(options) == 1:
            return options[0]
        policy = policy_for(view.program, view.layout.players, self.file)
        try:
            chosen = Worlds(view, policy=policy).advice(policy, self.luck.word())
        except (TooLargeToCompile, OutOfRoom):
            return self.luck.choose(options)
        # A world in which less is offered than in the view is no good, but does no harm.
        return options[chosen] if 0 <= chosen < len(options) else self.luck.choose(options)
