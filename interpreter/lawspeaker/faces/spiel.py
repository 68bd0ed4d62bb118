"""A game as a game of OpenSpiel, for its algorithms: exploitability, CFR, search, learning.

    from lawspeaker.faces.spiel import spiel_game

    game = spiel_game("my_game.yaml", reward="score")

Importing this module registers the game `lawspeaker`, so OpenSpiel can load it by name, too:
`pyspiel.load_game("lawspeaker(rules=my_game.yaml,players=2)")`.

An action is the index of an offered option. Chance is explicit. Seats that are asked at once answer
in turn without seeing each other's replies. A state holds a match, which `copy.deepcopy` copies
without the program. What a player knows is made of the player's view and events, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from lawspeaker.base.counts import not_for
from lawspeaker.match.events import events_for
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.match.option_bounds import most_options
from lawspeaker.outside.loading import load
from lawspeaker.players.rl.observing import Observer
from lawspeaker.position.layout import Layout

NAME = "lawspeaker"
WIN, SCORE = "win", "score"
REWARDS = (WIN, SCORE)
LONGEST = 100_000
"""The length that OpenSpiel is told; the rules bound a game, but that bound is not computed."""
MOST_CHANCES = 65_536
MOST_POINTS = float(2**31)
MOST_PLAYERS = 64


def _game_type(information: Any, utility: Any, fewest: int, most: int) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Lawspeaker",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"rules": "", "players": 0, "reward": WIN},
        default_loadable=False,
    )


_TYPE = _game_type(
    pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    pyspiel.GameType.Utility.GENERAL_SUM,
    1,
    MOST_PLAYERS,
)


def spiel_game(rules: str, players: int = 0, reward: str = WIN) -> Any:
    """A game by name, with variants if there are any, for the most players or this number.

    The reward is an equal share of 1 for the sides that win, less the fair share; or `score`, the
    points, negated where the fewest win.
    """
    return pyspiel.load_game(NAME, {"rules": rules, "players": players, "reward": reward})


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {"rules": "", "players": 0, "reward": WIN, **(params or {})}
        if not given["rules"]:
            raise ValueError("name a game: lawspeaker(rules=NAME)")
        own = _loaded(given["rules"])
        self.rules: str = given["rules"]
        self.count: int = given["players"] or own.players[-1]
        self.reward: str = given["reward"]
        if self.count not in own.players:
            raise ValueError(not_for(own.name, own.players, self.count))
        if self.reward not in REWARDS:
            raise ValueError(f"reward is {' or '.join(REWARDS)}, not {self.reward}")
        layout = Layout(own.program, self.count)
        sides = len(set(layout.side_of))
        shares = self.reward == WIN and sides > 1
        utility = pyspiel.GameType.Utility
        kind = _game_type(
            pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility.ZERO_SUM if shares and sides == self.count else utility.GENERAL_SUM,
            self.count,
            self.count,
        )
        fair = 1 / sides if shares else 0.0
        low, high = (-fair, 1 - fair) if self.reward == WIN else (-MOST_POINTS, MOST_POINTS)
        info = pyspiel.GameInfo(
            num_distinct_actions=most_options(layout),
            max_chance_outcomes=MOST_CHANCES,
            num_players=self.count,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if shares and sides == self.count else None,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, given)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        if params:
            raise ValueError(f"an observer takes no parameters, and here are {params}")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(Layout(_loaded(self.rules).program, self.count), recalls)


class SpielObserver:
    """What a player sees, as numbers and as a text; with perfect recall also what was learned."""

    def __init__(self, layout: Layout, recalls: bool) -> None:
        self._observer = Observer(layout)
        self._recalls = recalls
        self.tensor = np.zeros(self._observer.length, np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = self._observer.numbers(state.match.view(player))

    def string_from(self, state: SpielState, player: int) -> str:
        if self._recalls:
            return state.information_state_string(player)
        return state.observation_string(player)


class _Held:
    """A match. A deep copy copies what changes in it; pickled, it is the rules and the replies."""

    def __init__(self, match: Match, rules: str) -> None:
        self.match = match
        self.rules = rules

    def __deepcopy__(self, memo: object) -> _Held:
        return _Held(self.match.copy(), self.rules)

    def __reduce__(self) -> tuple[Any, ...]:
        replies = [(option.text, option.seat) for option in self.match.replies]
        return _held, (self.rules, self.match.players, replies)


@lru_cache(maxsize=16)
def _loaded(rules: str) -> Game:
    return load(rules)


def _held(rules: str, players: int, replies: Sequence[tuple[str, int | None]]) -> _Held:
    match = Match(_loaded(rules).program, players, 0, "ask")
    for text, seat in replies:
        match.choose(text, seat=seat)
    return _Held(match, rules)


class SpielState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._reward = game.reward
        self._held = _held(game.rules, game.count, ())

    @property
    def match(self) -> Match:
        return self._held.match

    def current_player(self) -> int:
        decision = self.match.decision
        if decision is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if decision.seat is None else decision.seat

    def _legal_actions(self, player: int) -> list[int]:
        decision = self.match.decision
        if decision is None or player not in (decision.seat, pyspiel.PlayerId.CHANCE):
            return []
        return list(range(len(decision.options)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        decision = self.match.decision
        assert decision is not None
        whole = sum(option.weight for option in decision.options)
        return [(at, option.weight / whole) for at, option in enumerate(decision.options)]

    def _apply_action(self, action: int) -> None:
        decision = self.match.decision
        assert decision is not None
        self.match.choose(decision.options[action])

    def _action_to_string(self, player: int, action: int) -> str:
        decision = self.match.decision
        known = decision is not None and 0 <= action < len(decision.options)
        return decision.options[action].text if decision is not None and known else str(action)

    def is_terminal(self) -> bool:
        return self.match.decision is None

    def returns(self) -> Sequence[float]:
        match = self.match
        if match.decision is not None:
            return [0.0] * match.players
        if self._reward == SCORE:
            return [float(match.program.goal.worth * points) for points in match.scores]
        layout, won = match.machine.layout, set(match.winners)
        sides = sorted(set(layout.side_of))
        winning = {layout.side_of[seat] for seat in won}
        if len(sides) == 1:
            return [1.0 if won else 0.0] * match.players
        share = {side: 1 / len(winning) if side in winning else 0.0 for side in sides}
        fair = 1 / len(sides) if winning else 0.0
        return [share[layout.side_of[seat]] - fair for seat in range(match.players)]

    def information_state_string(self, player: int | None = None) -> str:
        """What a player knows now, and all that the player has learned."""
        seat = self.current_player() if player is None else player
        match = self.match
        events = events_for(match.machine, match.events, seat)
        told = [f"{event.kind} {match.tell(event, seat)}" for event in events]
        return "\n".join([*told, self.observation_string(seat)])

    def observation_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        return json.dumps(self.match.view(seat).to_json(), sort_keys=True)

    def __str__(self) -> str:
        return " / ".join(option.text for option in self.match.replies)


pyspiel.register_game(_TYPE, SpielGame)
