"""A loaded game: a program that can be started or replayed."""

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
    """A loaded game: `start` begins a match, `replay` replays a log.

    `files` are the texts of the rules, the entry file first, which a log includes as a bundle.
    """

    def __init__(self, program: ir.Program, name: str, files: tuple[RuleFile, ...] = ()) -> None:
        self.program = program
        self.name = name
        self.files = files

    @property
    def players(self) -> tuple[int, ...]:
        """The supported numbers of players."""
        return self.program.counts

    def start(
        self, players: int | None = None, seed: int = 0, chance: str = "seed", **table: Any
    ) -> Match:
        """Starts a match, up to its first decision; by default with the most players.

        `table` has further arguments of `Match`: `luck`, `discretion`, `machine`.
        """
        # Imported lazily, since games inside the compiled machine need no match.
        from lawspeaker.match.match import Match

        count = self.program.most if players is None else players
        if count not in self.players:
            raise ValueError(not_for(self.name, self.players, count))
        match = Match(self.program, count, seed, chance, **table)
        match.rules = self.name
        return match

    def replay(self, log: Mapping[str, Any] | Log) -> Match:
        """Replays a log and returns the match at its end.

        Raises RulesError, with the position, if the game comes out differently.
        """
        from lawspeaker.match.replay import replayed

        return replayed(self.program, log)

    def __repr__(self) -> str:
        return f"Game({self.name!r})"
