"""Which clauses and guards of a game are touched by which scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.ir.walk import guards_of
from lawspeaker.study.scenario.model import Outcome


@dataclass(frozen=True, slots=True)
class Coverage:
    """By id, the files of the scenarios that touch a clause, that a guard lets something pass
    in, and that it refuses something in. Every clause and guard of the game is there, but for
    choices that say how large a board is: nothing that happens on it asks for them."""

    game: str
    clauses: dict[str, tuple[str, ...]]
    accepting: dict[str, tuple[str, ...]]
    refusing: dict[str, tuple[str, ...]]

    @property
    def untouched(self) -> tuple[str, ...]:
        """Clauses that no scenario touches, and guards that never both accept and refuse."""
        clauses = [clause for clause, files in self.clauses.items() if not files]
        guards = [
            guard
            for guard in self.accepting
            if not self.accepting[guard] or not self.refusing[guard]
        ]
        return (*clauses, *guards)


def coverage_of(game: str, program: ir.Program, outcomes: Iterable[Outcome]) -> Coverage:
    """What the scenarios of one game touch; only those run for coverage count."""
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
