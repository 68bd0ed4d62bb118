"""Determines the rules whose execution can exercise a difference.

That is the rule that differs, or the one with the differing guard; for a value or choice, every
rule that uses it, transitively. Both machines count executions of each rule in every game, so no
further games are needed.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.ir.walk import clauses_used
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.points import CLAUSE_SORTS

DONE = ("rule", "window")
"""Roles of clauses that are executed or offered."""


def callers(programs: Sequence[ir.Program]) -> dict[str, set[str]]:
    """Reverse call graph over several programs: by clause, the clauses that execute or evaluate
    it.
    """
    found: dict[str, set[str]] = {}
    for program in programs:
        bodies: list[tuple[int, object]] = [(each.index, each.body) for each in program.clauses]
        bodies += [(each.clause, (each.lets, each.result)) for each in program.functions]
        for index, body in bodies:
            for target in clauses_used(program, body):
                found.setdefault(program.clauses[target].id, set()).add(program.clauses[index].id)
    return found


def point_of(difference: Difference, column: int) -> str:
    """The rule that represents a difference in one ruleset; empty if none does."""
    rows = [row for row in difference.rows if row.cells[column].kind and row.sort in CLAUSE_SORTS]
    main = [row for row in rows if row is difference.row_of(column)]
    ruling = [row for row in rows if row.sort == "rule"]
    return next((row.id for row in (*main, *ruling, *rows)), "")


def rules_with(programs: Sequence[ir.Program], point: str) -> frozenset[str]:
    """The ids of the rules whose execution can exercise a clause or guard."""
    roles = {each.id: each.role for program in programs for each in program.clauses}
    above = callers(programs)
    start = point if point in roles else point.rpartition(".")[0]
    found: set[str] = set()
    seen = {start}
    level = [start] if start in roles else []
    while level:
        found |= {each for each in level if roles[each] in DONE}
        users = {id for each in level if roles[each] not in DONE for id in above.get(each, ())}
        level = sorted(users - seen)
        seen |= users
    return frozenset(found)
