"""Games of the library: each is compiled once by a process, and tests share it.

Tests that go through all games take their names from `names`, which compiles none of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import lawspeaker
from lawspeaker.match.game import Game
from tests.tiers import FULL, NIGHTLY

RULES = Path(__file__).resolve().parents[1] / "rules"
HEAVY = frozenset(
    (
        "amazons backgammon breakthrough chess draughts five_dice go gomoku hearts hex "
        "lines_of_action nine_mens_morris othello surveyors three_sides voluspa whist xiangqi"
    ).split()
)
"""Games of which a few decisions take long. Families of tests leave them to the full tier."""
_PLAYERS = re.compile(r"^players: \{(?:from|number): (\d+)(?:, to:| or) (\d+)", re.MULTILINE)


@cache
def game(name: str) -> Game:
    """A game by its name or path, with variants if there are any in the name."""
    return lawspeaker.load(name)


@cache
def names() -> tuple[str, ...]:
    """The built-in games that this tier goes through."""
    found = sorted(path.parent.name for path in RULES.glob("*/game.yaml"))
    return tuple(name for name in found if FULL or name not in HEAVY)


def names_in_turn(turn: int) -> list[str]:
    """The same without each second of the heavy games, unless it is a nightly run. Families of
    tests that are much alike take turns: 0 or 1."""
    heavy = sorted(HEAVY)[turn::2]
    return [name for name in names() if NIGHTLY or name not in heavy]


@cache
def players(name: str) -> tuple[int, int]:
    """The fewest and the most players of a built-in game or of a file, read off its first lines; 0
    where they do not say it."""
    file = RULES / name / "game.yaml"
    text = (file if file.exists() else Path(name)).read_text(encoding="utf-8")
    found = _PLAYERS.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
