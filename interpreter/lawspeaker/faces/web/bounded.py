"""Rules that a visitor wrote, at a table.

They are tried out in a process of their own before a table is set up (see `workshop.trying`). At
the table they have few steps to spare for each reply, so that they can hold up nobody, and the bots
that play there think on the bench of the workshop. Such rules go by a name with `./` in it, as
files do on the command line; nothing that is on offer has such a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.match.game import Game
from lawspeaker.match.log import RuleFile
from lawspeaker.match.match import Match

OWN = "./"


class BoundedGame(Game):
    """A game whose matches have few steps to spare."""

    def start(
        self, players: int | None = None, seed: int = 0, chance: str = "seed", **table: Any
    ) -> Match:
        return super().start(players, seed, chance, **{**table, "machine": "sparing"})


def is_draft(name: str) -> bool:
    """Whether rules of this name were written by a visitor."""
    return OWN in name


def game_at_table(program: ir.Program, name: str, files: Sequence[RuleFile]) -> Game:
    """The game as it is played at a table, within bounds where that is called for."""
    made = BoundedGame if is_draft(name) else Game
    return made(program, name, tuple(files))
