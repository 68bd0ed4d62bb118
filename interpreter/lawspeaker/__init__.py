"""Lawspeaker: a rules language and interpreter for tabletop games.

import lawspeaker
game = lawspeaker.load("NAME")
match = game.start(players=4, seed=7)
while decision := match.decision:
    match.choose(decision.options[0])
print(match.scores)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from lawspeaker.base.diagnostics import Diagnostic, RulesError
    from lawspeaker.match.decision import Decision, Option
    from lawspeaker.match.game import Game
    from lawspeaker.match.match import IllegalChoice, Match, imagine
    from lawspeaker.match.scripted_chance import ImpossibleLuck
    from lawspeaker.match.view import View
    from lawspeaker.outside.loading import load
    from lawspeaker.outside.vectors import VectorEnv
    from lawspeaker.players.rl import Environment


def env(name: str | Path, players: int | None = None, reward: str = "win") -> Environment:
    """A game as a PettingZoo environment (AEC); needs the extra `rl`."""
    try:
        from lawspeaker.outside.loading import load
        from lawspeaker.players.rl import environment
    except ModuleNotFoundError as missing:
        message = f"{missing.name} is not installed: pip install 'lawspeaker[rl]'"
        raise ModuleNotFoundError(message, name=missing.name) from None
    return environment(load(name), players, reward)


def spiel_game(name: str | Path, players: int | None = None, reward: str = "win") -> Any:
    """A game of OpenSpiel (`pyspiel.Game`); needs `open_spiel` and the extra `rl`."""
    try:
        from lawspeaker.faces.spiel import spiel_game as made
    except ModuleNotFoundError as missing:
        message = f"{missing.name} is not installed: pip install open_spiel 'lawspeaker[rl]'"
        raise ModuleNotFoundError(message, name=missing.name) from None
    return made(str(name), players or 0, reward)


def vector_env(
    name: str | Path,
    players: int | None = None,
    games: int = 1024,
    machine: str = "auto",
    options: int | None = None,
) -> VectorEnv:
    """A vectorised environment for reinforcement learning: one call steps many games, as arrays.

    `machine`: "gpu" plays on a GPU and returns CuPy arrays; "native" plays on this CPU, compiled
    with the C++ compiler of this computer, and returns NumPy arrays; "auto" uses a GPU if there is
    one. `options`: for how many options of a question the features are returned; by default for as
    many as there can be, up to 64.
    """
    from lawspeaker.outside.gpu_games import vector_env as made
    from lawspeaker.outside.loading import load

    return made(load(name), players, games, machine, options, None)


__all__ = [
    "Decision",
    "Diagnostic",
    "Game",
    "IllegalChoice",
    "ImpossibleLuck",
    "Match",
    "Option",
    "RulesError",
    "View",
    "env",
    "imagine",
    "load",
    "spiel_game",
    "vector_env",
]
__version__ = "1.0.0"

_HOMES = {
    "Decision": "match.decision",
    "Diagnostic": "base.diagnostics",
    "Game": "match.game",
    "IllegalChoice": "match.match",
    "ImpossibleLuck": "match.scripted_chance",
    "Match": "match.match",
    "Option": "match.decision",
    "RulesError": "base.diagnostics",
    "View": "match.view",
    "imagine": "match.match",
    "load": "outside.loading",
}


def __getattr__(name: str) -> Any:
    """Imports public names on first use: a program that only checks rules need not load the machine
    that plays them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"lawspeaker.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
