"""Bots by playing strength (easy, medium, hard), and learned bots.

The ladder orders bots by how they beat each other in most games (docs/bots.md has figures). Some
games differ: `bots.json` beside the rules names the bot of each level, or the best bot was
measured. The default bot depends on the rules: with hidden information a hundred playouts are
spread over so many determinizations that they say little, and in a small game a thousand are as
quick. A learned bot can be chosen where it was trained on these very rules and number of players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import NO_BREAK
from lawspeaker.ir.secrecy import keeps_secrets
from lawspeaker.players.bots import BOTS, LEARNED_BOTS
from lawspeaker.players.bots.names import is_learned, is_policy

if TYPE_CHECKING:
    from lawspeaker.outside.library import Library

LADDER: Mapping[str, str] = {"easy": "greedy", "medium": "mc:100", "hard": "mc:1000"}
FILE = "bots.json"
SMALL = 40
"""Number of pieces up to which playouts are short."""
brought: dict[str, Mapping[str, str]] = {}
"""Ladders by game name, for published games that come without a library."""


def ladder(game: str, library: Library) -> dict[str, str]:
    """Returns a game's bot for each level."""
    from lawspeaker.outside.library import LibraryError

    try:
        file = library.game(game).parent / FILE
        told = json.loads(library.read(file)) if file.is_file() else {}
    except (LibraryError, OSError, ValueError):
        told = {}
    own = isinstance(told, dict) and {
        level: told[level] for level in LADDER if told.get(level) in BOTS
    }
    return own or measured(game) or dict(LADDER)


def measured(game: str) -> dict[str, str]:
    """Returns the ladder of a game whose best bot was measured (`--bots best`); empty if it was
    not.

    Hard is that bot, with more time.
    """
    try:
        from lawspeaker.outside.strongest import of_game
    except ImportError:  # a published page measures nothing
        return {}
    best = of_game(game)
    kind = "" if best is None else best.partition(":")[0]
    if kind == "greedy":
        return {"easy": LADDER["medium"], "medium": LADDER["hard"], "hard": "greedy"}
    return {**LADDER, "hard": "tree:3000"} if kind == "tree" else {}


@cache
def _built_in(game: str) -> Mapping[str, str]:
    """Returns the ladder of a built-in game."""
    try:
        from lawspeaker.outside.library import Library
    except ImportError:  # a published page ships no library, but its own ladder
        return brought.get(game, LADDER)
    return ladder(game, Library())


def level(game: str, bot: str) -> str:
    """Returns the level of a bot in a built-in game; empty if it is on no step of the ladder."""
    return next((step for step, name in _built_in(game).items() if name == bot), "")


def called(game: str, bot: str, language: str) -> str:
    """Returns the display name of a bot: its level, if it is on the game's ladder, else its method.

    Pages use the same names (`strength` in words.js).
    """
    step = level(game, bot)
    return phrase(f"web.layout.level_{step}", language) if step else _thinking(bot, language)


def _thinking(bot: str, language: str) -> str:
    """Describes how a bot chooses in a few words; an unknown one by its name."""
    if is_learned(bot):
        ahead = "" if is_policy(bot) else "_ahead"
        return phrase(f"web.layout.bot_learned{ahead}", language)
    kind, _, effort = bot.partition(":")
    if effort.endswith("ms"):
        return phrase("web.layout.bot_timed", language, time=f"{effort[:-2]}{NO_BREAK}ms")
    key = f"web.layout.bot_{'mc' if kind == 'flat' else kind}"
    return phrase(key, language, count=effort) if key in phrases(language) else bot


def usual(program: ir.Program, levels: Mapping[str, str]) -> str:
    """Returns the default bot for a seat: a strong one for the time it takes."""
    wanted = "hard" if keeps_secrets(program) and _is_small(program) else "medium"
    return levels.get(wanted) or levels.get("hard") or LADDER["medium"]


def _is_small(program: ir.Program) -> bool:
    pieces = sum(
        kind.count * (program.most if piece.per_player else 1)
        for piece in program.pieces
        for kind in piece.kinds
    )
    return pieces <= SMALL


def stand_ins(game: str, digest: str, players: int) -> list[dict[str, str]]:
    """Lists the bots that can stand in for somebody, each with its level; the default first."""
    steps = _built_in(game)
    usual = steps.get("medium", LADDER["medium"])
    bots = dict.fromkeys((usual, *steps.values(), *who_can_sit(digest, players)))
    return [{"strength": bot, "level": level(game, bot)} for bot in bots]


def learned(digest: str) -> dict[str, list[str]]:
    """Returns the learned bots for the rules of a digest, by number of players."""
    try:
        from lawspeaker.outside.learned import LearnedShelf
    except ImportError:  # a published page has no shelf either
        return {}
    return {str(count): list(LEARNED_BOTS) for count in LearnedShelf().counts(digest)}


def who_can_sit(digest: str, players: int) -> tuple[str, ...]:
    """Lists all bots that can be chosen at a table with these rules and number of players."""
    return (*BOTS, *learned(digest).get(str(players), ()))
