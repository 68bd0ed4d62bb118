"""Games of the library, each read once by a process that tests.

A game is never changed, so tests share it. Many ask for all games before the first one runs.
"""

from __future__ import annotations

from functools import cache

import lawspeaker
from lawspeaker.match.game import Game


@cache
def game(name: str) -> Game:
    """A game by its name or path, with variants if there are any in the name."""
    return lawspeaker.load(name)
