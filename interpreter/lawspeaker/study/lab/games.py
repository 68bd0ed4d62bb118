"""Many games as columns of integers, one row per game.

Games between random players, and those of a learned policy, are played inside the compiled
machine, whose records are such rows. Others are played one by one, see `record`; the rows are
equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lawspeaker import ir
from lawspeaker.players.bots.names import is_policy, parts_of
from lawspeaker.position.fault import NoCompiledMachine, OutOfMemory, RuleFault
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.choice_names import things
from lawspeaker.study.lab.exact_sums import Numbers, fitting
from lawspeaker.study.lab.figures import victory

if TYPE_CHECKING:
    from lawspeaker.study.lab.record import Counts, Record


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """Columns over games; see `Record` for the fields.

    The columns of `scores` and `winners` are seats, those of `clauses` all clauses. `points` has
    columns for clauses and seats, `uses` for choosable things (see `AllChoosable`) and seats.
    `goal` and `sides` are those of the game. `faults` are the aborted games by number; the other
    entries of their rows are incomplete.
    """

    numbers: Numbers
    scores: Numbers
    winners: NDArray[np.bool_]
    starter: Numbers
    decisions: Numbers
    options: Numbers
    leads: Numbers
    clauses: Numbers
    points: Numbers
    uses: Numbers
    trail: Numbers
    measures: Numbers
    goal: ir.Goal
    sides: tuple[tuple[int, ...], ...]
    faults: tuple[tuple[int, str], ...] = ()

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def players(self) -> int:
        return int(self.scores.shape[1])

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Mask of the games that finished."""
        return ~np.isin(self.numbers, [number for number, _ in self.faults])

    def __getitem__(self, rows: slice | NDArray[np.bool_]) -> Games:
        """Selects rows."""
        columns = {name: getattr(self, name)[rows] for name in _COLUMNS}
        numbers = set(columns["numbers"].tolist()) if self.faults else ()
        faults = tuple(fault for fault in self.faults if fault[0] in numbers)
        return replace(self, **columns, faults=faults)

    def __add__(self, other: Games) -> Games:
        """Concatenates rows."""
        columns: dict[str, Any] = {
            name: np.concatenate((getattr(self, name), getattr(other, name))) for name in _COLUMNS
        }
        return replace(self, **columns, faults=self.faults + other.faults)

    def outcomes(self) -> Games:
        """Copies these games without what was counted of clauses and choices, which takes most of
        the memory."""
        columns = {name: getattr(self, name).copy() for name in _COLUMNS if name not in _COUNTS}
        return replace(
            self, **columns, **{name: getattr(self, name)[:, :0].copy() for name in _COUNTS}
        )

    @property
    def victors(self) -> Numbers:
        """Number of winning sides."""
        return np.asarray(self.winners[:, [side[0] for side in self.sides]].sum(axis=1))

    def victories(self) -> Numbers:
        """By seat, its side's part of the victory, in units of `victory(players)`."""
        whole = victory(self.players)
        victors: Numbers = np.maximum(self.victors, 1).astype(fitting(whole))
        parts: Numbers = self.winners * (whole // victors)[:, None]
        return parts

    @property
    def keepers(self) -> list[int]:
        """By seat, the seat that stores the score of its side."""
        first = {seat: side[0] for side in self.sides for seat in side}
        return [first[seat] for seat in range(self.players)]

    def worths(self) -> Numbers:
        """Value of each side's points; zero where the rules name the winner."""
        points = (self.scores[:, list(side)].sum(axis=1) for side in self.sides)
        return np.stack([self.goal.worth * each for each in points], axis=1)


_COUNTS = ("clauses", "points", "uses")
_COLUMNS = [each.name for each in fields(Games) if each.name not in ("goal", "sides", "faults")]


class Recorder(Protocol):
    """Protocol for back ends that play random games: their records, and the columns of a record."""

    @property
    def columns(self) -> dict[str, slice]: ...

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]: ...


Recorders = Callable[[ir.Program, int], Recorder]


def play_games(
    program: ir.Program,
    players: int,
    seed: int,
    numbers: range,
    bots: Sequence[str],
    recorders: Recorders | None = None,
) -> Games:
    """Plays the games of these numbers (contiguous). Batches in which games abort are bisected, and
    those games are played once more outside, which tells where they aborted.

    `recorders` makes the back end for random players; by default the compiled machine.
    """
    if plays_inside(bots):
        with suppress(NoCompiledMachine):
            try:
                recorder = (recorders or _compiled(bots))(program, players)
                return _played_inside(program, players, seed, numbers, recorder)
            except (RuleFault, OutOfMemory):
                half = len(numbers) // 2
                if len(numbers) > 1:
                    one, other = (
                        play_games(program, players, seed, some, bots, recorders)
                        for some in (numbers[:half], numbers[half:])
                    )
                    return one + other
    from lawspeaker.study.lab.record import play_game

    records = [play_game(program, players, seed, number, bots) for number in numbers]
    return games_of(program, players, records)


def _played_inside(
    program: ir.Program, players: int, seed: int, numbers: range, instance: Recorder
) -> Games:
    """Raises RuleFault when a game aborts, OutOfMemory when a memory region is too small."""
    count = len(numbers)
    content = b"".join(instance.records(seed, numbers.start, count))
    words = np.frombuffer(content, "<i4").reshape(count, -1)
    part = {name: words[:, each] for name, each in instance.columns.items()}
    winners = np.zeros((count, players), bool)
    for place in range(players):
        rows = np.flatnonzero(part["won"][:, 0] > place)
        winners[rows, part["winners"][rows, place]] = True
    return Games(
        np.arange(numbers.start, numbers.stop),
        part["scores"].astype(np.int64),
        winners,
        part["starter"][:, 0],
        part["decisions"][:, 0],
        part["options"][:, 0],
        part["leads"][:, 0],
        part["clauses"],
        part["points"].reshape(count, -1, players),
        part["uses"].reshape(count, -1, players),
        np.ascontiguousarray(part["trail"]).view("<u8")[:, 0],
        part["measures"],
        program.goal,
        sides_of(program, players),
    )


def plays_inside(bots: Sequence[str]) -> bool:
    """Whether games between these bots run entirely inside the compiled machine.

    These are random players, and those with one common policy.
    """
    learned = set(bots) - {"random"}
    return len(learned) <= 1 and all(is_policy(name) for name in learned)


def _compiled(bots: Sequence[str]) -> Recorders:
    # Imported lazily, since loading the compiled machine takes time.
    from lawspeaker.machines.adapter import playing_instance
    from lawspeaker.machines.purpose import Purpose
    from lawspeaker.players.bots.policies import policy_for

    learned = sorted(set(bots) - {"random"})

    def recorder(program: ir.Program, players: int) -> Recorder:
        instance = playing_instance(program, players, Purpose(watching=True, guided=bool(learned)))
        for name in learned:
            policy = policy_for(program, players, parts_of(name)[0])
            if policy.about.solved:  # plans are evaluated in Python
                raise NoCompiledMachine(program.name)
            seats = sum(1 << seat for seat, each in enumerate(bots) if each == name)
            instance.guide(policy.weights, seats, seats if policy.best else 0)
        return instance

    return recorder


def games_of(program: ir.Program, players: int, records: Iterable[Record]) -> Games:
    """Converts records of single games to columns."""
    found = list(records)
    winners = np.zeros((len(found), players), bool)
    for row, record in enumerate(found):
        winners[row, list(record.winners)] = True
    clauses = len(program.clauses)

    def column(name: str) -> Numbers:
        return np.array([getattr(record, name) for record in found], np.int64)

    def spread(width: tuple[int, ...], entries: Iterable[Counts]) -> Numbers:
        """Densifies sparse counts: a field for each game."""
        field = np.zeros((len(found), *width), np.int64)
        for row, told in enumerate(entries):
            for *at, number in told:
                field[(row, *at)] = number
        return field

    return Games(
        column("number"),
        column("scores").reshape(len(found), players),
        winners,
        column("starter"),
        column("decisions"),
        column("options"),
        column("leads"),
        spread((clauses,), (record.clauses for record in found)),
        spread((clauses, players), (record.points for record in found)),
        spread((things(program, players).size, players), (record.uses for record in found)),
        np.array([record.trail for record in found], np.uint64),
        spread((len(program.measures),), (tuple(enumerate(each.measures)) for each in found)),
        program.goal,
        sides_of(program, players),
        tuple((record.number, record.fault) for record in found if record.fault),
    )
