"""Bots at a command's table that play by what was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.faces.cli.common import complain
from lawspeaker.outside.experiments import wishes
from lawspeaker.players.bots.names import is_learned, parts_of

if TYPE_CHECKING:
    from lawspeaker.outside.strongest import Challenge

MOST_NAMED = 4
"""Of so many versions at most it is told which they are."""


def pinned(bots: Sequence[str], *programs: ir.Program) -> tuple[str, ...]:
    """The same bots, those who play by something learned named with its print, so that figures of
    them can be repeated. Raises NothingLearned before anything is played."""
    return wishes.pinned(bots, programs, _tell_challenge)


def _tell_challenge(found: Challenge) -> None:
    """How the bot was found that plays a game best: told while it is measured."""
    span = f"{100 * found.low:.0f} to {100 * found.high:.0f}"
    complain(
        f"{found.bot} won {found.wins:.0%} ({span}) of {found.games} games against "
        f"{found.against} (fair: {found.fair:.0%})"
    )


def tell_learned(program: ir.Program, bots: Sequence[str]) -> None:
    """Gets ready what was learned, and says so where it was learned by other rules of the game.
    Raises NothingLearned before anything is played."""
    tell_learned_of({"": program}, bots)


def tell_learned_of(versions: Mapping[str, ir.Program], bots: Sequence[str]) -> None:
    """The same for several versions of a game, by what they are called."""
    names = [name for name in dict.fromkeys(bots) if is_learned(name)]
    if not names:
        return
    # Here and not above: only these bots need it.
    from lawspeaker.outside.equipment import equip
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
    """With which values, where there are several."""
    told = [each for each in versions if each]
    if not told:
        return ""
    more = len(told) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f" (with {'; '.join(told[:MOST_NAMED])}{rest})"
