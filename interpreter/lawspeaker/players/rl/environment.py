"""PettingZoo AEC environment of a game.

An action is the index of an offered option; the mask says how many there are. Their maximum is
computed before play (see `option_bounds`), so the action space has a fixed size. Observations are
views as numbers (see `observing`). Seats that are asked at once answer in turn without seeing each
other's replies.

Rewards: `win` gives each winning side an equal share of 1 at the end, minus the fair share, so
the rewards of all sides sum to 0; with a single side, 1 for winning. `score` gives points as they
are made, negated where the fewest win. Members of a side get the same reward.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from lawspeaker.base.counts import not_for
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.match.option_bounds import most_options
from lawspeaker.players.rl.observing import Observer
from lawspeaker.position.layout import Layout

REWARDS = ("win", "score")

Observation = dict[str, NDArray[Any]]


def environment(game: Game, players: int | None = None, reward: str = "win") -> Environment:
    """Creates the environment of a game; by default for the most players."""
    count = game.players[-1] if players is None else players
    if count not in game.players:
        raise ValueError(not_for(game.name, game.players, count))
    if reward not in REWARDS:
        raise ValueError(f"reward is {' or '.join(REWARDS)}, not {reward}")
    return Environment(game, count, reward)


class Environment(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """AEC environment; agents are named as the seats."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [],
        "name": "lawspeaker",
        "is_parallelizable": False,
    }

    def __init__(self, game: Game, players: int, reward: str) -> None:
        super().__init__()
        self.game = game
        self.layout = Layout(game.program, players)
        self.reward = reward
        self.render_mode = None
        self.possible_agents = list(game.program.player_names[:players])
        self.agents: list[str] = []
        self._observer = Observer(self.layout)
        self._most = most_options(self.layout)
        limits = np.iinfo(np.int32)
        self._observed = spaces.Dict(
            {
                "observation": spaces.Box(
                    limits.min, limits.max, (self._observer.length,), np.int32
                ),
                "action_mask": spaces.Box(0, 1, (self._most,), np.int8),
            }
        )
        self._actions = {agent: spaces.Discrete(self._most) for agent in self.possible_agents}
        self._luck = np.random.default_rng()
        self._match: Match | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observed

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    @property
    def match(self) -> Match:
        if self._match is None:
            raise RuntimeError("reset the environment before you use it")
        return self._match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new match; equal seeds give equal games."""
        if seed is not None:
            self._luck = np.random.default_rng(seed)
        self._match = self.game.start(self.layout.players, int(self._luck.integers(2**62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        view = self.match.view(self.possible_agents.index(agent))
        mask = np.zeros(self._most, dtype=np.int8)
        if view.decision is not None:
            mask[: len(view.decision.options)] = 1
        return {"observation": self._observer.numbers(view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match = self.match
        before = list(match.state.scores)
        self._cumulative_rewards[agent] = 0.0
        if action is None:
            raise ValueError(f"{agent} has to choose one of the options")
        seat = self.possible_agents.index(agent)
        match.choose(match.shown(seat).options[int(action)], seat=seat)
        self.rewards = dict(zip(self.possible_agents, self._rewards(before), strict=True))
        self._select()
        self._accumulate_rewards()

    def options(self) -> list[str]:
        """The texts of the current agent's options."""
        view = self.match.view(self.possible_agents.index(self.agent_selection))
        return [] if view.decision is None else [option.text for option in view.decision.options]

    def render(self) -> None:
        return None

    def close(self) -> None:
        self._match = None

    def _select(self) -> None:
        decision = self.match.decision
        if decision is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        assert decision.seat is not None
        self.agent_selection = self.possible_agents[decision.seat]

    def _rewards(self, before: list[int]) -> list[float]:
        match, sides = self.match, self.layout.sides
        if self.reward == "score":
            gains = [after - ago for after, ago in zip(match.state.scores, before, strict=True)]
            sign = self.layout.program.goal.worth or 1
            each = [float(sign * sum(gains[seat] for seat in side)) for side in sides]
        elif not match.finished or not match.winners:
            return [0.0] * match.players
        else:
            won = [side[0] in match.winners for side in sides]
            lots = 1 / len(sides) if len(sides) > 1 else 0.0
            each = [(1 / sum(won) if one else 0.0) - lots for one in won]
        found = {seat: reward for side, reward in zip(sides, each, strict=True) for seat in side}
        return [found[seat] for seat in range(match.players)]
