"""Ways to play that bring up different parts of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.differential.all_tiles.board import adjacent_cells
from tests.differential.all_tiles.game import COPIES, Game


def at_random(random: Random, game: Game, clause: str, options: Sequence[str]) -> str:
    """Any option with the same chance."""
    return random.choice(options)


def boldly(random: Random, game: Game, clause: str, options: Sequence[str]) -> str:
    """Further tiles first, on top of others, and never content with what was done."""
    return best(random, options, _boldness)


def _boldness(option: str) -> float:
    words = option.split()
    if words[0] == "play" and words[-1] not in COPIES:
        return 2
    ordinary = ("lay", "load", "pass", "play", "stop")
    return 0 if words[0] in ordinary else 1


def crowded(random: Random, game: Game, clause: str, options: Sequence[str]) -> str:
    """Where most tiles lie around, so that lines get long and meet, Hels and Trolls between."""
    return best(random, options, lambda option: _neighbours(game, option))


def _neighbours(game: Game, option: str) -> float:
    words = option.replace(",", "").split()
    if "cell" not in words:
        return words[-1] in ("troll", "loki", "fenrir", "valkyrie", "hel")
    at = words.index("cell")
    cell = int(words[at + 1]), int(words[at + 2])
    return sum(near in game.board.stacks for near in adjacent_cells(cell))


def scattered(random: Random, game: Game, clause: str, options: Sequence[str]) -> str:
    """Where fewest tiles lie around, far from the middle, so that there are gaps."""
    return best(random, options, lambda option: -_neighbours(game, option))


def hoarding(random: Random, game: Game, clause: str, options: Sequence[str]) -> str:
    """Loads ships, keeps Hels and further tiles back, so that the end has them all."""
    return best(random, options, lambda option: _patience(option) - _boldness(option))


def _patience(option: str) -> float:
    return 3 if option.startswith("load") else 0


def best(random: Random, options: Sequence[str], rating: Callable[[str], float]) -> str:
    """The option with the highest rating, or now and then any at all."""
    if random.random() < 0.15:
        return random.choice(options)
    return max(options, key=lambda option: (rating(option), random.random()))


MANNERS = (at_random, boldly, crowded, scattered, hoarding)
