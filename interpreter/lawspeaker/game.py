"""A game ready to be played: a program and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawspeaker import ir
from lawspeaker.match import Match


class Game:
    """`start` begins a match, `replay` plays a log again."""

    def __init__(self, program: ir.Program, name: str) -> None:
        self.program = program
        self.name = name

    @property
    def players(self) -> range:
        """The numbers of players the game is for."""
        return range(self.program.fewest, self.program.most + 1)

    def start(
        self, players: int | None = None, seed: int = 0, chance: str = "seed", **table: Any
    ) -> Match:
        """A new match, at its first decision. Left out, the most players take part."""
        count = self.program.most if players is None else players
        if count not in self.players:
            few, many = self.program.fewest, self.program.most
            raise ValueError(f"{self.name} is for {few} to {many} players, not {count}")
        return Match(self.program, count, seed, chance, **table)

    def replay(self, log: Mapping[str, Any]) -> Match:
        """Plays the replies of a log again and gives the match at its end."""
        match = self.start(log["players"], log["seed"])
        for reply in log["replies"]:
            match.choose(reply["choice"], seat=reply.get("seat"))
        return match

    def __repr__(self) -> str:
        return f"Game({self.name!r})"
