"""Result of a comparison: the table, its differences, and the findings about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lawspeaker.base.diagnostics import Failure
from lawspeaker.study.compare.differences import Difference, counts, differences
from lawspeaker.study.compare.evidence import Evidence
from lawspeaker.study.compare.kinds import GROUPS, KINDS, TERMS
from lawspeaker.study.compare.rows import Row, RowTable, table
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.terms import Terms

MATTERS, BOOK, KIND = "matters", "book", "kind"
ORDERS = (MATTERS, BOOK, KIND)
"""Sort orders: by importance, by rulebook order, by kind."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`differences` are the selected ones, `every` all of them, which counts refer to.

    `ranks` are search ranks by row id, the lowest being best.
    """

    table: RowTable
    differences: tuple[Difference, ...]
    every: tuple[Difference, ...]
    ranks: Mapping[str, int] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[str]:
        return counts(self.every)

    def counts_of(self, column: int) -> Counter[str]:
        return counts(self.every, column)

    def with_evidence(self, found: Mapping[int, Mapping[int, Evidence]]) -> Comparison:
        """Adds evidence from games, by numbers of differences and rulesets."""

        def shown(each: Difference) -> Difference:
            return replace(each, found=tuple(found.get(each.number, {}).items()))

        return replace(
            self,
            differences=tuple(map(shown, self.differences)),
            every=tuple(map(shown, self.every)),
        )

    def only(self, kinds: Collection[str]) -> Comparison:
        """Filters differences by kind, with their rows."""
        found = [each for each in self.differences if each.kind in kinds]
        kept = self._kept(found, lambda row: False)
        return kept if TERMS in kinds else replace(kept, table=replace(kept.table, terms=Terms()))

    def with_rows(self, wanted: Callable[[Row], bool]) -> Comparison:
        """Filters rows, with the differences they belong to."""
        found = [each for each in self.differences if any(map(wanted, each.rows))]
        return self._kept(found, wanted)

    def _kept(self, differences: Sequence[Difference], also: Callable[[Row], bool]) -> Comparison:
        ids = {row.id for each in differences for row in each.rows}
        rows = tuple(row for row in self.table.rows if row.id in ids or also(row))
        return replace(self, table=replace(self.table, rows=rows), differences=tuple(differences))

    def in_order(self, by: str) -> list[Difference | Row]:
        """All differences and unchanged rows, sorted; search ranks take precedence."""
        return sorted(self._in_order(by), key=self._rank)

    def _rank(self, found: Difference | Row) -> int:
        rows = (found,) if isinstance(found, Row) else found.rows
        return min(self.ranks.get(row.id, 0) for row in rows)

    def _in_order(self, by: str) -> list[Difference | Row]:
        belongs = {row.id: each for each in self.differences for row in each.rows}
        if by == BOOK:
            found = {
                id(each): each for row in self.table.rows for each in (belongs.get(row.id, row),)
            }
            return [*found.values()]
        groups = [*GROUPS]

        def rank(difference: Difference) -> int:
            by_group = by == MATTERS
            return groups.index(difference.group()) if by_group else KINDS.index(difference.kind)

        others = [row for row in self.table.rows if row.id not in belongs]
        return [*sorted(self.differences, key=rank), *others]


class OtherGame(Failure):
    """The rulesets are not of the same game."""

    exit_code = 2


def compare(
    rulesets: Sequence[Ruleset], language: str = "en", *, everything: bool = False
) -> Comparison:
    """Compares rulesets; the first is the reference."""
    games = [each.program.name for each in rulesets]
    for name, game in zip((each.name for each in rulesets), games, strict=True):
        if game != games[0]:
            other = f"{name} is a version of {game}, not of {games[0]}"
            raise OtherGame(f"these are two different games: {other}")
    found = table(rulesets, language, everything=everything)
    parting = differences(found, rulesets)
    return Comparison(found, parting, parting)
