"""Coverage: the clauses and guards of a game that scenarios exercise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.ir.walk import guards_of
from lawspeaker.study.scenario.model import ScenarioResult


@dataclass(frozen=True, slots=True)
class Coverage:
    """By id, the files of the scenarios that exercise a clause, and in which a guard accepts or
    refuses.

    Every clause and guard of the game is listed, except choices that set the size of a board,
    which are never evaluated during play.
    """

    game: str
    clauses: dict[str, tuple[str, ...]]
    accepting: dict[str, tuple[str, ...]]
    refusing: dict[str, tuple[str, ...]]

    @property
    def untouched(self) -> tuple[str, ...]:
        """Clauses without a scenario, and guards that never both accept and refuse."""
        clauses = [clause for clause, files in self.clauses.items() if not files]
        guards = [
            guard
            for guard in self.accepting
            if not self.accepting[guard] or not self.refusing[guard]
        ]
        return (*clauses, *guards)


def coverage_of(game: str, program: ir.Program, outcomes: Iterable[ScenarioResult]) -> Coverage:
    """Coverage by the traced scenarios of one game."""
    traced = [outcome for outcome in outcomes if outcome.touched is not None]
    guards = guards_of(program)
    shapes = {choice.clause for choice in program.choices if choice.shapes}
    clauses = [each.id for at, each in enumerate(program.clauses) if at not in shapes]

    def files(what: str, where: str) -> tuple[str, ...]:
        return tuple(each.file for each in traced if what in getattr(each.touched, where))

    return Coverage(
        game,
        {clause: files(clause, "clauses") for clause in clauses},
        {guard: files(guard, "accepting") for guard in guards},
        {guard: files(guard, "refusing") for guard in guards},
    )
