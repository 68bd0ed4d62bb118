"""Games as environments for learning programs: PettingZoo's form, for any game.

Needs the extra `rl`. Everything an agent gets comes from the view of its seat.
"""

from lawspeaker.players.rl.environment import Environment, environment

__all__ = ["Environment", "environment"]
