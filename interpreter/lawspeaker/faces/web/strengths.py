"""Bots called by how well they play: easy, medium, hard; and those who have learned a game.

The ladder is the order in which they beat each other in most games (docs/lab.md has figures). In
some games it is another one: a game says so in `bots.json` beside its rules, which names the bot of
each level, or it was measured which bot plays it best. Which of them sits down where nobody has
chosen goes by what the rules say: where something is hidden, a hundred imagined games are spread
over so many worlds that they say little, and in a small game a thousand are as quick. Who plays by
what was learned can be chosen where that was by these very rules and for as many players.
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
"""With no more pieces than these, imagined games are over in no time."""
brought: dict[str, Mapping[str, str]] = {}
"""The ladders of games that came without a library, by the names of the games."""


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
    return own or measured(game) or dict(LADDER)


def measured(game: str) -> dict[str, str]:
    """The ladder of a game of which it was measured which bot plays it best (`--bots best`): hard
    is that one, with more time. Nothing where that is not known."""
    from lawspeaker.outside.strongest import of_game

    best = of_game(game)
    kind = "" if best is None else best.partition(":")[0]
    if kind == "greedy":
        return {"easy": LADDER["medium"], "medium": LADDER["hard"], "hard": "greedy"}
    return {**LADDER, "hard": "tree:3000"} if kind == "tree" else {}


@cache
def _built_in(game: str) -> Mapping[str, str]:
    """The ladder of a built-in game."""
    try:
        from lawspeaker.outside.library import Library
    except ImportError:  # a published page brings no library along, but its own ladder
        return brought.get(game, LADDER)
    return ladder(game, Library())


def level(game: str, bot: str) -> str:
    """How well a bot plays a built-in game, as a word; nothing for one that is on no step of the
    ladder."""
    return next((step for step, name in _built_in(game).items() if name == bot), "")


def called(game: str, bot: str, language: str) -> str:
    """What a bot is called at a table: how well it plays, where it is a step of the game's ladder,
    or else how it thinks; as pages say it (`strength` in words.js)."""
    step = level(game, bot)
    return phrase(f"web.layout.level_{step}", language) if step else _thinking(bot, language)


def _thinking(bot: str, language: str) -> str:
    """How a bot comes to its choices, in a few words; one that none are for, by its name."""
    if is_learned(bot):
        ahead = "" if is_policy(bot) else "_ahead"
        return phrase(f"web.layout.bot_learned{ahead}", language)
    kind, _, effort = bot.partition(":")
    if effort.endswith("ms"):
        return phrase("web.layout.bot_timed", language, time=f"{effort[:-2]}{NO_BREAK}ms")
    key = f"web.layout.bot_{'mc' if kind == 'flat' else kind}"
    return phrase(key, language, count=effort) if key in phrases(language) else bot


def usual(program: ir.Program, levels: Mapping[str, str]) -> str:
    """The bot that sits in a seat for which none was chosen: it plays well for its time."""
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
    """The bots that can go on for somebody, each with its level: first the one that plays well for
    the time it takes."""
    steps = _built_in(game)
    usual = steps.get("medium", LADDER["medium"])
    bots = dict.fromkeys((usual, *steps.values(), *who_can_sit(digest, players)))
    return [{"strength": bot, "level": level(game, bot)} for bot in bots]


def learned(digest: str) -> dict[str, list[str]]:
    """By the number of players, the bots that have learned a game by the very rules of a digest."""
    try:
        from lawspeaker.outside.learned import LearnedShelf
    except ImportError:  # nor does a published page have a shelf
        return {}
    return {str(count): list(LEARNED_BOTS) for count in LearnedShelf().counts(digest)}


def who_can_sit(digest: str, players: int) -> tuple[str, ...]:
    """All bots that can be chosen at a table for so many players by these rules."""
    return (*BOTS, *learned(digest).get(str(players), ()))
