"""A whole comparison: the table, its differences, and what was found out about each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from lawspeaker.study.compare.differences import Counts, Difference, counts, differences
from lawspeaker.study.compare.rows import Table, table
from lawspeaker.study.compare.telling import Telling


@dataclass(frozen=True, slots=True)
class Comparison:
    """`differences` are those that are wanted, `every` all that were found: what is counted does
    not depend on what is shown."""

    table: Table
    differences: tuple[Difference, ...]
    every: tuple[Difference, ...]

    @property
    def counts(self) -> Counts:
        return counts(self.every)

    def counts_of(self, telling: int) -> Counts:
        return counts(self.every, telling)

    def only(self, kinds: Collection[str]) -> Comparison:
        """The same with differences of some kinds alone, and with the rows of these."""
        kept = tuple(each for each in self.differences if each.kind in kinds)
        ids = {row.id for each in kept for row in each.rows}
        rows = tuple(row for row in self.table.rows if row.id in ids)
        return replace(self, table=replace(self.table, rows=rows), differences=kept)


class OtherGame(Exception):
    """Tellings can only be compared when they are of one game."""


def compare(
    tellings: Sequence[Telling], language: str = "en", *, everything: bool = False
) -> Comparison:
    """The tellings side by side, the first one the reference."""
    games = [each.program.name for each in tellings]
    for name, game in zip((each.name for each in tellings), games, strict=True):
        if game != games[0]:
            raise OtherGame(f"{name} is a version of {game}, not of {games[0]}")
    found = table(tellings, language, everything=everything)
    parting = differences(found, tellings)
    return Comparison(found, parting, parting)
