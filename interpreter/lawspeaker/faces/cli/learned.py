"""Prepares learned bots for a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.faces.cli.common import complain
from lawspeaker.players.bots.names import is_learned, parts_of

if TYPE_CHECKING:
    from lawspeaker.outside.strongest import Challenge

MOST_NAMED = 4
"""Maximum number of editions that are listed by name."""


def pinned(bots: Sequence[str], *programs: ir.Program) -> tuple[str, ...]:
    """Resolves bot names: learned bots get their hash, so that figures can be reproduced.

    Raises NothingLearned before anything is played.
    """
    # Imported here: games that are only played need no experiments.
    from lawspeaker.outside.experiments import requests

    return requests.pinned(bots, programs, _tell_challenge)


def _tell_challenge(found: Challenge) -> None:
    """Reports how the best bot of a game was determined."""
    span = f"{100 * found.low:.0f} to {100 * found.high:.0f}"
    complain(
        f"{found.bot} won {found.wins:.0%} ({span}) of {found.games} games against "
        f"{found.against} (fair: {found.fair:.0%})"
    )


def tell_learned(program: ir.Program, bots: Sequence[str]) -> None:
    """Prepares learned policies, and reports those learned by other rules of the game.

    Raises NothingLearned before anything is played.
    """
    tell_learned_of({"": program}, bots)


def tell_learned_of(versions: Mapping[str, ir.Program], bots: Sequence[str]) -> None:
    """Does the same for several editions of a game, by name."""
    names = [name for name in dict.fromkeys(bots) if is_learned(name)]
    if not names:
        return
    # Imported here: only these bots need it.
    from lawspeaker.outside.back_ends import equip
    from lawspeaker.players.bots.policies import borrowed

    equip()
    for name in names:
        where: dict[str, list[str]] = {}
        for version, program in versions.items():
            if told := borrowed(program, len(bots), parts_of(name)[0]):
                where.setdefault(told, []).append(version)
        for told, found in where.items():
            complain(f"{name} {told}{_named(found)}")


def _named(versions: Sequence[str]) -> str:
    """Lists the editions, if there are several."""
    told = [each for each in versions if each]
    if not told:
        return ""
    more = len(told) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f" (with {'; '.join(told[:MOST_NAMED])}{rest})"
