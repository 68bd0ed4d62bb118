"""Bots called by how well they play: easy, medium, hard.

The ladder is the order in which they beat each other in most games (docs/lab.md has figures). In
some games it is another one: a game says so in `bots.json` beside its rules, which names the bot of
each level.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from lawspeaker.players.bots import BOTS

if TYPE_CHECKING:
    from lawspeaker.outside.library import Library

LADDER: Mapping[str, str] = {"easy": "greedy", "medium": "mc:100", "hard": "mc:1000"}
FILE = "bots.json"


def ladder(game: str, library: Library) -> dict[str, str]:
    """By level, the bot that plays so in a game."""
    from lawspeaker.outside.library import LibraryError

    try:
        file = library.game(game).parent / FILE
        told = json.loads(library.read(file)) if file.is_file() else {}
    except (LibraryError, OSError, ValueError):
        told = {}
    own = isinstance(told, dict) and {
        level: told[level] for level in LADDER if told.get(level) in BOTS
    }
    return own or dict(LADDER)


@cache
def level(game: str, bot: str) -> str:
    """How well a bot plays a built-in game, as a word; nothing for one that is on no step of the
    ladder."""
    try:
        from lawspeaker.outside.library import Library
    except ImportError:  # a published page brings no library along: the usual ladder holds there
        found = dict(LADDER)
    else:
        found = ladder(game, Library())
    return next((step for step, name in found.items() if name == bot), "")
