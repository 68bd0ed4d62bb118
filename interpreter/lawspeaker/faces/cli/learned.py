"""Bots at a command's table that play by what was learned."""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.faces.cli.common import complain
from lawspeaker.players.bots.names import is_learned, parts_of


def tell_learned(program: ir.Program, bots: Sequence[str]) -> None:
    """Gets ready what was learned, and says so where it was learned by other rules of the game.
    Raises NothingLearned before anything is played."""
    names = [name for name in dict.fromkeys(bots) if is_learned(name)]
    if not names:
        return
    # Here and not above: only these bots need it.
    from lawspeaker.outside.modules import keep_modules
    from lawspeaker.players.bots.policies import borrowed

    keep_modules()
    for name in names:
        if told := borrowed(program, len(bots), parts_of(name)[0]):
            complain(f"{name} {told}")
