"""The first figures of many games: who wins, with how many points, and after how many decisions.

They are exact sums, as those of a `tally` are, and come out the same. But they are added up game by
game and need no library of numbers, so that a page can do it that has nothing but Python.
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
    """A number that any number of winners can share evenly."""
    return lcm(*range(1, players + 1))


@dataclass(frozen=True, slots=True)
class SeatSummary:
    name: str
    bot: str
    wins: Estimate
    score: Estimate
    deviation: float | None
    """Of its score; one game alone has none."""
    scores: tuple[tuple[int, int], ...]
    """Every score it had, lowest first, and in how many games."""

    @classmethod
    def of(
        cls, name: str, bot: str, wins: float, games: int, scores: Mapping[int, int]
    ) -> SeatSummary:
        """Of so many games; `wins` are victories, those that are shared in parts."""
        score = mean_of(scores)
        seen = tuple(sorted(scores.items()))
        deviation = score.deviation if score.count > 1 else None
        return cls(name, bot, share(wins, games), score.estimate(), deviation, seen)


class Outcome(Protocol):
    """What of a game is looked at here."""

    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def winners(self) -> tuple[int, ...]: ...
    @property
    def decisions(self) -> int: ...


@dataclass(slots=True)
class Figures:
    """Sums over games of a program between `bots`; `wins` are in parts of a `victory`."""

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
        """How many games there were, with those in which the rules have a hole."""
        return self.games + self.broke.games

    def play(self, seed: int, numbers: range) -> None:
        """Plays the games of these numbers (in a row), and adds them up."""
        if set(self.bots) == {"random"} and self._played_inside(seed, numbers):
            return
        # Here and not above: whoever plays inside the compiled machine needs no other.
        from lawspeaker.study.lab.record import play_game

        for number in numbers:
            record = play_game(self.program, self.players, seed, number, self.bots)
            if record.fault:
                self.broke += Broken.of([(number, record.fault)])
            else:
                self.add([record])

    def _played_inside(self, seed: int, numbers: range) -> bool:
        """Whether the compiled machine could play them; one that breaks off, it cannot."""
        try:
            # Loading it takes a moment: only who plays so many games needs it.
            from lawspeaker.machines.adapter import playing_instance

            instance = playing_instance(self.program, self.players)
            self.add(instance.games(seed, numbers.start, len(numbers)))
        except (NoCompiledMachine, RuleFault):
            return False
        return True

    def add(self, games: Iterable[Outcome]) -> None:
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
        """The share of victories that each side would have if all had the same."""
        return (1 - share(self.draws, self.games).value) / len(sides_of(self.program, self.players))
