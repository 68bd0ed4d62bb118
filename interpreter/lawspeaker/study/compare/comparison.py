"""A whole comparison: the table, its differences, and what was found out about each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker.study.compare.differences import Counts, Difference, counts, differences
from lawspeaker.study.compare.rows import Table, table
from lawspeaker.study.compare.telling import Telling


@dataclass(frozen=True, slots=True)
class Comparison:
    table: Table
    differences: tuple[Difference, ...]

    @property
    def counts(self) -> Counts:
        return counts(self.differences)

    def counts_of(self, telling: int) -> Counts:
        return counts(self.differences, telling)


class OtherGame(Exception):
    """Tellings can only be compared when they are of one game."""


def compare(
    tellings: Sequence[Telling], language: str = "en", *, everything: bool = False
) -> Comparison:
    """The tellings side by side, the first one the reference."""
    games = [each.program.name for each in tellings]
    for name, game in zip((each.name for each in tellings), games, strict=True):
        if game != games[0]:
            raise OtherGame(f"{name} is a telling of {game}, not of {games[0]}")
    found = table(tellings, language, everything=everything)
    return Comparison(found, differences(found, tellings))
