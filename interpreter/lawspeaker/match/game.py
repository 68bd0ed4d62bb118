"""A game ready to be played: a program and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.base.counts import not_for
from lawspeaker.base.source import RuleFile

if TYPE_CHECKING:
    from lawspeaker.match.log import Log
    from lawspeaker.match.match import Match


class Game:
    """`start` begins a match, `replay` plays a log again.

    `files` are the texts of the rules, the entry file first: what a log takes along as a bundle.
    """

    def __init__(self, program: ir.Program, name: str, files: tuple[RuleFile, ...] = ()) -> None:
        self.program = program
        self.name = name
        self.files = files

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players the game is for."""
        return self.program.counts

    def start(
        self, players: int | None = None, seed: int = 0, chance: str = "seed", **table: Any
    ) -> Match:
        """A new match, at its first decision. Left out, the most players take part. `table` is
        what else a `Match` can be told: `luck`, `discretion`, `machine`."""
        # Here and not above: whoever plays inside the compiled machine needs no match.
        from lawspeaker.match.match import Match

        count = self.program.most if players is None else players
        if count not in self.players:
            raise ValueError(not_for(self.name, self.players, count))
        match = Match(self.program, count, seed, chance, **table)
        match.rules = self.name
        return match

    def replay(self, log: Mapping[str, Any] | Log) -> Match:
        """Plays a log again and gives the match at its end.

        Raises RulesError, which says where, if it does not come out as it did.
        """
        from lawspeaker.match.replay import replayed

        return replayed(self.program, log)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"
