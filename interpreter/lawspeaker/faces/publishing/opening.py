"""Opens a published game and sets up its table; called first by a worker.

A game is shipped as its compiled program, the texts of its rules and the ladder of its bots,
pickled. It was checked and compiled at publishing time by the same version of the interpreter that
is shipped with it. So a page starts without a parser and a checker.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lawspeaker.faces.web import strengths
from lawspeaker.match.game import Game


def packed(game: Game, levels: Mapping[str, str] = strengths.LADDER) -> bytes:
    """Packs a game for publishing."""
    told = (game.name, game.program, game.files, dict(levels))
    return zlib.compress(pickle.dumps(told, protocol=5), 9)


def opened(content: bytes) -> Game:
    """Unpacks a published game; only for files of one's own site, since it unpickles them."""
    name, program, files, levels = pickle.loads(zlib.decompress(content))
    strengths.brought[program.name] = levels
    return Game(program, name, files)


def open_house(
    game: Game, record: str, keep: Callable[[str], None], think: Callable[[str], Awaitable[str]]
) -> Any:
    from lawspeaker.faces.publishing.table_worker import House

    return House(game, record, keep, think)
