"""A bot that plays by what was learned of its game, without looking ahead.

Where the game is solved, it does what the plan says for all that its seat knows. Elsewhere what its
seat cannot see is imagined from the view, any one way: the policy looks only at what the seat sees,
so it does not matter which. Rules that are too large for the compiled machine leave it nothing to
play by: then it takes any option.
"""

from __future__ import annotations

from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.policies import Policy, policy_for
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import Worlds
from lawspeaker.position.fault import OutOfRoom, TooLargeToCompile
from lawspeaker.position.luck import Luck, Stream


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
        if policy.about.solved:
            return planned(policy, view, self.luck)
        try:
            chosen = Worlds(view, policy=policy).advice(policy, self.luck.word())
        except (TooLargeToCompile, OutOfRoom):
            return self.luck.choose(options)
        # A world in which less is offered than in the view is no good, but does no harm.
        return options[chosen] if 0 <= chosen < len(options) else self.luck.choose(options)

    def chances(self, view: View) -> list[float]:
        """With which probability each option is taken; raises what prevents that."""
        options = options_of(view)
        policy = policy_for(view.program, view.layout.players, self.file)
        if not policy.about.solved:
            return Worlds(view, policy=policy).chances(policy, len(options))
        planned = policy.chances(view)
        return [planned.get(option.text, 0.0) for option in options]


def planned(policy: Policy, view: View, luck: Stream) -> Option:
    """An option by the plan of a game that is solved; any, where it does not know the situation,
    which happens only in a match that did not begin at the beginning."""
    options = options_of(view)
    chances = policy.chances(view)
    left = luck.word() / (1 << 64) * sum(chances.values())
    likely = [option for option in options if chances.get(option.text, 0.0) > 0.0]
    for option in likely:
        left -= chances[option.text]
        if left < 0.0:
            return option
    return likely[-1] if likely else luck.choose(options)
