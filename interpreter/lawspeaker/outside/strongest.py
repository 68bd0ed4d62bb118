"""The cached results of `outside/ladder`: the strongest bot of a game, by rules and players.

So `best` is the same bot the next time, and published results name it with the games it rests on.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from lawspeaker.outside.modules import whole_cache
from lawspeaker.outside.storage import NotSaved, plain_file_name, write
from lawspeaker.players.bots import name_error


@dataclass(frozen=True, slots=True)
class Challenge:
    """Result of a challenge: the bot's share of victories with its interval; `fair` is that of
    an equal.
    """

    bot: str
    against: str
    games: int
    wins: float
    low: float
    high: float
    fair: float
    won: bool


@dataclass(frozen=True, slots=True)
class Strongest:
    """The strongest bot of a game, with the challenges that decided it."""

    bot: str
    challenges: tuple[Challenge, ...]


def cached(game: str, digest: str, players: int) -> Strongest | None:
    """The cached result for the rules of a digest, if it is readable."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        told = json.loads(_place(game, digest, players).read_bytes())
        if isinstance(told["bot"], str) and not name_error(told["bot"]):
            return Strongest(told["bot"], tuple(Challenge(**each) for each in told["challenges"]))
    return None


def keep(game: str, digest: str, players: int, found: Strongest) -> None:
    """Caches a result, if this computer can write."""
    with suppress(NotSaved, OSError):
        file = _place(game, digest, players)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write(file, json.dumps(asdict(found)).encode())


def of_game(game: str) -> str | None:
    """The latest cached result for a game, for any rules and number of players."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        files = list(_folder().glob(f"{plain_file_name(game)}-*.json"))
        newest = max(files, key=lambda file: file.stat().st_mtime)
        bot = json.loads(newest.read_bytes())["bot"]
        return bot if isinstance(bot, str) and not name_error(bot) else None
    return None


def _place(game: str, digest: str, players: int) -> Path:
    return _folder() / f"{plain_file_name(game)}-{players}-{digest[:16]}.json"


def _folder() -> Path:
    return whole_cache() / "strongest"
