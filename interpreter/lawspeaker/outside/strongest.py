"""Which bot plays a game best: measured in games, and kept. An edge.

One bot after the other challenges the best so far. It takes one side and the best all others, and
each deal is played from every side; where all play together, one team is compared with the other.
Whoever wins more than a fair share is the best from there on. After a while nobody challenges any
more. What was found is kept for these rules and so many players, with the games it rests on: so
`best` is the same bot the next time, and figures name it.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from lawspeaker import ir
from lawspeaker.outside.equipment import equip
from lawspeaker.outside.modules import whole_cache
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.players.bots import RANDOM, known
from lawspeaker.players.bots.policies import policy_for
from lawspeaker.position.fault import NothingLearned
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.proving import Bout, Proof, Won, bout_won, deals_for, proof

CHALLENGERS = ("greedy", "mc:200", "tree:200", "flat:200")
LEARNED = ("learned", "learned+mc:200")
"""These challenge, too, where something was learned by the very rules."""
GAMES = 16
"""So many games at least against the best so far."""
SECONDS = 180.0
"""After so long nobody challenges any more."""
SEED = 1


@dataclass(frozen=True, slots=True)
class Challenge:
    """How a bot did against the best before it: its share of victories, in so many games, where
    `fair` would be no better."""

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
    bot: str
    challenges: tuple[Challenge, ...]


def strongest(
    program: ir.Program, players: int, tell: Callable[[Challenge], object] = lambda _: None
) -> Strongest:
    """The best bot, as it was found before, or else now."""
    found = kept(program.name, program.digest, players)
    if found is None:
        equip()
        challenges = tuple(_challenges(program, players, tell))
        winners = [each.bot for each in challenges if each.won]
        found = Strongest(winners[-1] if winners else RANDOM, challenges)
        with suppress(NotSaved, OSError):
            file = _place(program.name, program.digest, players)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(file, json.dumps(asdict(found)).encode())
    return found


def kept(game: str, digest: str, players: int) -> Strongest | None:
    """What was found before by the rules of a digest, if it can be read."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        told = json.loads(_place(game, digest, players).read_bytes())
        if isinstance(told["bot"], str) and not known(told["bot"]):
            return Strongest(told["bot"], tuple(Challenge(**each) for each in told["challenges"]))
    return None


def of_game(game: str) -> str | None:
    """The bot that was last found to play a game best, by any rules and with any number."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        files = list(_folder().glob(f"{_safe(game)}-*.json"))
        newest = max(files, key=lambda file: file.stat().st_mtime)
        bot = json.loads(newest.read_bytes())["bot"]
        return bot if isinstance(bot, str) and not known(bot) else None
    return None


def _challenges(
    program: ir.Program, players: int, tell: Callable[[Challenge], object]
) -> Iterator[Challenge]:
    best, until = RANDOM, time.monotonic() + SECONDS
    for bot in (*CHALLENGERS, *_learned(program, players)):
        found = _played(program, Bout(bot, best, players), until)
        if found is None:
            return
        won = found.gain.value > 0 if found.gain is not None else found.wins.value > found.fair
        wins = found.wins
        told = wins.value, wins.low, wins.high, found.fair
        challenge = Challenge(bot, best, found.games, *told, won)
        tell(challenge)
        yield challenge
        best = bot if won else best


def _learned(program: ir.Program, players: int) -> tuple[str, ...]:
    """Those who have learned the game, if anything was learned by these rules."""
    with suppress(NothingLearned):
        policy = policy_for(program, players, "")
        if policy.is_of(program, players):
            return tuple(f"{alone}@{policy.mark}{ahead}" for alone, ahead in map(_parts, LEARNED))
    return ()


def _parts(name: str) -> tuple[str, str]:
    alone, plus, thinker = name.partition("+")
    return alone, plus + thinker


def _played(program: ir.Program, bout: Bout, until: float) -> Proof | None:
    """What a bot wins; nothing, if there is not the time for all of it."""
    sides = len(sides_of(program, bout.players))
    found = Won(0, 0)
    for deal in range(deals_for(0, sides, GAMES)):
        if time.monotonic() > until:
            return None
        found += bout_won(program, bout, SEED, deal)
    return proof(bout, found, sides) if found.games else None


def _place(game: str, digest: str, players: int) -> Path:
    return _folder() / f"{_safe(game)}-{players}-{digest[:16]}.json"


def _folder() -> Path:
    return whole_cache() / "strongest"


def _safe(name: str) -> str:
    return re.sub("[^A-Za-z0-9_]", "_", name)
