"""What many games say, by who played them: random players, at tables of every size, and players who
think, at one."""

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
from lawspeaker.study.reviewing.looking import Look


@dataclass(frozen=True, slots=True)
class Many(Sums):
    """Sums over many games between random players: the tally, and by clause that gives points its
    part of those of all."""

    tally: Tally
    parts: tuple[Ratio, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """Games between these bots, and what they say. `look` is None where nobody looked closely,
    `parts` are empty then."""

    bots: tuple[str, ...]
    tally: Tally
    parts: tuple[Ratio, ...] = ()
    look: Look | None = None

    @property
    def players(self) -> int:
        return len(self.bots)

    def summary(self, program: ir.Program) -> Summary:
        return self.tally.summary(program, self.bots)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of a game: `many` by number of players, and games that were looked at
    between random players and between those who think. `proofs`: what these won against weaker
    ones."""

    program: ir.Program
    seed: int
    many: tuple[Played, ...]
    random: Played
    thinking: Played
    proofs: tuple[Proof, ...] = ()

    @property
    def nobody_thinks(self) -> bool:
        """Whether those who should think are random players, too."""
        return set(self.thinking.bots) == {RANDOM}


def scoring(program: ir.Program) -> list[ir.Clause]:
    """The clauses that give points."""
    return [
        clause
        for clause in program.clauses
        if any(isinstance(node, ir.Score) for node in everything(clause.body))
    ]


def summed_up(games: Sequence[Games], clauses: tuple[int, ...]) -> Many:
    """The sums over some games; `clauses` are those that give points."""
    (played,) = games
    ended = played[played.ended]
    return Many(tally(played), tuple(ratio(*part(ended, clause)) for clause in clauses))
