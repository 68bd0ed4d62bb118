"""Data of single games, as columns for other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lawspeaker import ir
from lawspeaker.study.lab.exact_sums import Numbers
from lawspeaker.study.lab.games import Games


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Columns of equal length by name."""

    columns: Mapping[str, Numbers]

    def __add__(self, other: Rows) -> Rows:
        """Concatenates rows."""
        both = {
            name: np.concatenate((own, other.columns[name])) for name, own in self.columns.items()
        }
        return Rows(both)


def rows(games: Games, program: ir.Program, seed: int) -> Rows:
    """A row for each game: number and seed, scores, winners, starter, length, measures, and its
    fault.

    An aborted game has no score, winner or measure; the rest counts up to the fault.
    """
    from lawspeaker.study.lab.record import game_seed

    names = program.player_names[: games.players]
    faults = dict(games.faults)
    numbers = games.numbers.tolist()
    columns: dict[str, Numbers] = {
        "number": np.array(numbers, np.int64),
        "own_seed": np.array([game_seed(seed, each) for each in numbers], np.uint64),
    }

    def ended(column: Numbers) -> Numbers:
        """Masks the rows of aborted games."""
        if not faults:
            return column
        found: Numbers = column.astype(object)
        found[~games.ended] = None
        return found

    for name, keeper in zip(names, games.keepers, strict=True):
        columns[f"score.{name}"] = ended(games.scores[:, keeper])
    winners = (
        "+".join(name for name, won in zip(names, row, strict=True) if won)
        for row in games.winners.tolist()
    )
    columns["winners"] = ended(np.array(list(winners), object))
    starters = [names[seat] if seat >= 0 else "" for seat in games.starter.tolist()]
    columns["starter"] = np.array(starters, object)
    for name in ("decisions", "options", "leads"):
        columns[name] = getattr(games, name)
    for number, name in enumerate(program.measures):
        columns[f"measures.{name}"] = ended(games.measures[:, number])
    columns["fault"] = np.array([faults.get(each, "") for each in numbers], object)
    return Rows(columns)
