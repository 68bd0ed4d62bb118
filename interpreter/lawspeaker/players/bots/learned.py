"""Bot that plays a learned policy or a solved game's plan, without search.

In a solved game it follows the plan for its information set. Elsewhere it needs one
determinization of the view to run the policy; any will do, as the policy's features depend only
on what the seat sees. If the rules are too large for the compiled machine it chooses at random.
"""

from __future__ import annotations

from lawspeaker.match.decision import Option
from lawspeaker.match.view import View
from lawspeaker.players.bots.policies import Policy, policy_for
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import Worlds
from lawspeaker.position.fault import OutOfMemory, TooLargeToCompile
from lawspeaker.position.rng import RngFactory, Stream


class LearnedBot:
    """Plays a learned policy or a solved plan."""

    name = "learned"

    def __init__(self, seed: int, file: str = "") -> None:
        self.luck = RngFactory(seed).stream("learned")
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
        except (TooLargeToCompile, OutOfMemory):
            return self.luck.choose(options)
        # A determinization that offers fewer options than the view is useless, but harmless.
        return options[chosen] if 0 <= chosen < len(options) else self.luck.choose(options)

    def chances(self, view: View) -> list[float]:
        """The probability of each option; raises whatever prevents the policy from running."""
        options = options_of(view)
        policy = policy_for(view.program, view.layout.players, self.file)
        if not policy.about.solved:
            return Worlds(view, policy=policy).chances(policy, len(options))
        planned = policy.chances(view)
        return [planned.get(option.text, 0.0) for option in options]


def planned(policy: Policy, view: View, luck: Stream) -> Option:
    """Samples an option from the plan of a solved game.

    Unknown information sets, which arise only in matches that began elsewhere, get a random
    option.
    """
    options = options_of(view)
    chances = policy.chances(view)
    left = luck.word() / (1 << 64) * sum(chances.values())
    likely = [option for option in options if chances.get(option.text, 0.0) > 0.0]
    for option in likely:
        left -= chances[option.text]
        if left < 0.0:
            return option
    return likely[-1] if likely else luck.choose(options)
