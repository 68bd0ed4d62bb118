"""Reinforcement-learning environments in PettingZoo's API, for any game.

Needs the extra `rl`. All observations come from the view of the agent's seat.
"""

from lawspeaker.players.rl.environment import Environment, environment

__all__ = ["Environment", "environment"]
