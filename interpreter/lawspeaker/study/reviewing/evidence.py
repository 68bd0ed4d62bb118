"""Statistics of many games: of random players at tables of every size, and of searching bots at
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.exact_sums import Sums, ratio
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.measures import part
from lawspeaker.study.lab.proving import Proof
from lawspeaker.study.lab.statistics import Ratio
from lawspeaker.study.lab.tally import Summary, Tally, tally
from lawspeaker.study.reviewing.instrumented_games import InstrumentedSums


@dataclass(frozen=True, slots=True)
class RandomGameSums(Sums):
    """Sums over many random games: the tally, and each scoring clause's part of all points."""

    tally: Tally
    parts: tuple[Ratio, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """Games between these bots with their statistics.

    `look` is None without instrumentation; `parts` are then empty.
    """

    bots: tuple[str, ...]
    tally: Tally
    parts: tuple[Ratio, ...] = ()
    look: InstrumentedSums | None = None

    @property
    def players(self) -> int:
        return len(self.bots)

    def summary(self, program: ir.Program) -> Summary:
        return self.tally.summary(program, self.bots)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All data on a game: `many` by number of players, and instrumented games of random and of
    searching players. `proofs`: results of the latter against weaker ones.
    """

    program: ir.Program
    seed: int
    many: tuple[Played, ...]
    random: Played
    thinking: Played
    proofs: tuple[Proof, ...] = ()

    @property
    def nobody_thinks(self) -> bool:
        """Whether the bots that should think are random players, too."""
        return set(self.thinking.bots) == {RANDOM}


def scoring(program: ir.Program) -> list[ir.Clause]:
    """The clauses that give points."""
    return [
        clause
        for clause in program.clauses
        if any(isinstance(node, ir.Score) for node in everything(clause.body))
    ]


def summed_up(games: Sequence[Games], clauses: tuple[int, ...]) -> RandomGameSums:
    """Sums over some games; `clauses` are those that give points."""
    (played,) = games
    ended = played[played.ended]
    return RandomGameSums(tally(played), tuple(ratio(*part(ended, clause)) for clause in clauses))
