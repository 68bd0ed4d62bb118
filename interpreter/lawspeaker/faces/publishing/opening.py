"""What a worker calls first: opens what was published, and sets up the table.

A game travels as its finished program, the texts of its rules and which bot is how strong in it,
as Python packs them (pickle): it
was checked and compiled when it was published, by the same version of the interpreter that lies
beside it. So a page starts without a parser and a checker.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lawspeaker.faces.web import strengths
from lawspeaker.match.game import Game


def packed(game: Game, levels: Mapping[str, str] = strengths.LADDER) -> bytes:
    """A game as it is published."""
    told = (game.name, game.program, game.files, dict(levels))
    return zlib.compress(pickle.dumps(told, protocol=5), 9)


def opened(content: bytes) -> Game:
    """The game that was published: a file of one's own site, never one of somebody else."""
    name, program, files, levels = pickle.loads(zlib.decompress(content))
    strengths.brought[program.name] = levels
    return Game(program, name, files)


def open_house(
    game: Game, record: str, keep: Callable[[str], None], think: Callable[[str], Awaitable[str]]
) -> Any:
    from lawspeaker.faces.publishing.house import House

    return House(game, record, keep, think)
