"""Finds the strongest bot of a game by a ladder of matches.

Bots challenge the current best in turn. The challenger takes one side and the best all others,
and each deal is played from every side; in cooperative games two teams are compared. A challenger
that wins more than a fair share becomes the best. After a time limit there are no more
challenges.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import suppress

from lawspeaker import ir
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.strongest import Challenge, Strongest, cached, keep
from lawspeaker.players.bots import RANDOM
from lawspeaker.players.bots.policies import policy_for
from lawspeaker.position.fault import NothingLearned
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.proving import Bout, Proof, Won, bout_won, deals_for, proof

CHALLENGERS = ("greedy", "mc:200", "tree:200", "flat:200")
LEARNED = ("learned", "learned+mc:200")
"""Further challengers, if a policy was learned for exactly these rules."""
GAMES = 16
"""Minimum number of games of a challenge."""
SECONDS = 180.0
"""Time limit for all challenges."""
SEED = 1


def strongest(
    program: ir.Program, players: int, tell: Callable[[Challenge], object] = lambda _: None
) -> Strongest:
    """Returns the strongest bot, from the cache or by playing."""
    found = find_strongest(program, players)
    while True:
        try:
            tell(next(found))
        except StopIteration as end:
            result: Strongest = end.value
            return result


def find_strongest(
    program: ir.Program, players: int, seconds: float = SECONDS
) -> Generator[Challenge, None, Strongest]:
    """Yields challenges and returns the strongest bot, from the cache or by playing so long.

    A ladder that a shorter limit than usual cut off is not cached.
    """
    found = cached(program.name, program.digest, players)
    if found is not None:
        return found
    equip()
    challenges, best, until = [], RANDOM, time.monotonic() + seconds
    for bot in (whole := (*CHALLENGERS, *_learned(program, players))):
        challenge = _challenge(program, Bout(bot, best, players), until)
        if challenge is None:
            break
        challenges.append(challenge)
        yield challenge
        best = bot if challenge.won else best
    found = Strongest(best, tuple(challenges))
    if seconds >= SECONDS or len(challenges) == len(whole):
        keep(program.name, program.digest, players, found)
    return found


def _challenge(program: ir.Program, bout: Bout, until: float) -> Challenge | None:
    """Result of a challenge; None if time runs out."""
    found = _played(program, bout, until)
    if found is None:
        return None
    won = found.gain.value > 0 if found.gain is not None else found.wins.value > found.fair
    wins = found.wins
    told = wins.value, wins.low, wins.high, found.fair
    return Challenge(bout.bot, bout.rival, found.games, *told, won)


def _learned(program: ir.Program, players: int) -> tuple[str, ...]:
    """Names of challengers with a policy, if one was learned for these rules."""
    with suppress(NothingLearned):
        policy = policy_for(program, players, "")
        if policy.is_of(program, players):
            return tuple(f"{alone}@{policy.mark}{ahead}" for alone, ahead in map(_parts, LEARNED))
    return ()


def _parts(name: str) -> tuple[str, str]:
    alone, plus, thinker = name.partition("+")
    return alone, plus + thinker


def _played(program: ir.Program, bout: Bout, until: float) -> Proof | None:
    """Plays a challenge; None if time runs out."""
    sides = len(sides_of(program, bout.players))
    found = Won(0, 0)
    for deal in range(deals_for(0, sides, GAMES)):
        if time.monotonic() > until:
            return None
        found += bout_won(program, bout, SEED, deal)
    return proof(bout, found, sides) if found.games else None
