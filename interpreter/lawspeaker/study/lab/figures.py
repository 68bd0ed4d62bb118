"""Basic statistics of many games: victories, points and lengths.

They equal those of a `tally`, but are summed game by game in pure Python, so that they run in a
browser without NumPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm
from typing import Protocol

from lawspeaker import ir
from lawspeaker.position.fault import NoCompiledMachine, RuleFault
from lawspeaker.position.layout import keepers_of, sides_of
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.statistics import Estimate, mean_of, share


def victory(players: int) -> int:
    """The number of units of one victory: any number of winners can share it evenly."""
    return lcm(*range(1, players + 1))


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """Results of one seat over many games."""

    name: str
    bot: str
    wins: Estimate
    score: Estimate
    deviation: float | None
    """Standard deviation of the score; None for a single game."""
    scores: tuple[tuple[int, int], ...]
    """Histogram of the score, lowest first."""

    @classmethod
    def of(
        cls,
        name: str,
        bot: str,
        wins: float,
        games: int,
        scores: Mapping[int, int],
        among: float = 1,
    ) -> SeatSummary:
        """Builds the summary over so many games; `wins` includes shared victories as fractions.

        Intervals are those of so many comparisons.
        """
        score = mean_of(scores)
        seen = tuple(sorted(scores.items()))
        deviation = score.deviation if score.count > 1 else None
        won = share(wins, games, among)
        return cls(name, bot, won, score.estimate(among), deviation, seen)


class GameFigures(Protocol):
    """Protocol for the required fields of a game."""

    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def winners(self) -> tuple[int, ...]: ...
    @property
    def decisions(self) -> int: ...


@dataclass(slots=True)
class Figures:
    """Sums over games of a program between `bots`; `wins` are in units of a `victory`."""

    program: ir.Program
    bots: Sequence[str]
    games: int = 0
    scores: list[Counter[int]] = field(default_factory=list)
    wins: Counter[int] = field(default_factory=Counter)
    ties: int = 0
    draws: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    broke: Broken = field(default_factory=Broken)

    def __post_init__(self) -> None:
        self.scores = [Counter() for _ in self.bots]

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def played(self) -> int:
        """Number of games including aborted ones."""
        return self.games + self.broke.games

    def play(self, seed: int, numbers: range) -> None:
        """Plays the games of these numbers (contiguous), and adds them."""
        if set(self.bots) == {"random"} and self._played_inside(seed, numbers):
            return
        # Imported lazily, since games inside the compiled machine do not need it.
        from lawspeaker.study.lab.record import play_game

        for number in numbers:
            record = play_game(self.program, self.players, seed, number, self.bots)
            if record.fault:
                self.broke += Broken.of([(number, record.fault)])
            else:
                self.add([record])

    def _played_inside(self, seed: int, numbers: range) -> bool:
        """Plays in the compiled machine; False if that is not possible, as when a game aborts."""
        try:
            # Imported lazily, since loading takes time.
            from lawspeaker.machines.adapter import playing_instance

            instance = playing_instance(self.program, self.players)
            self.add(instance.games(seed, numbers.start, len(numbers)))
        except (NoCompiledMachine, RuleFault):
            return False
        return True

    def add(self, games: Iterable[GameFigures]) -> None:
        sides, whole = sides_of(self.program, self.players), victory(self.players)
        for game in games:
            victors = sum(side[0] in game.winners for side in sides)
            self.games += 1
            self.ties += victors > 1
            self.draws += not victors
            self.lengths[game.decisions] += 1
            for seat, score in enumerate(game.scores):
                self.scores[seat][score] += 1
            for seat in game.winners:
                self.wins[seat] += whole // victors

    def seats(self) -> tuple[SeatSummary, ...]:
        whole, names = victory(self.players), self.program.player_names
        keepers = keepers_of(self.program, self.players)
        return tuple(
            SeatSummary.of(
                names[seat], bot, self.wins[seat] / whole, self.games, self.scores[keeper]
            )
            for seat, (bot, keeper) in enumerate(zip(self.bots, keepers, strict=True))
        )

    @property
    def fair(self) -> float:
        """Share of victories per side if all were equal."""
        return (1 - share(self.draws, self.games).value) / len(sides_of(self.program, self.players))
