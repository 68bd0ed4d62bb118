"""Rules broken in one place, and the scenarios that should notice it.

Only the scenarios that touch the broken clause are run: first those that need no other program,
then the most particular ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from lawspeaker import ir
from lawspeaker.study.scenario import ScenarioResult, run
from tests.scenarios.files import program, scenario
from tests.scenarios.mutants import Mutant, broken


class Breaking:
    """A game, and the scenarios that are run under its rules once they are broken."""

    def __init__(
        self, game: str, names: Sequence[str], trace: Callable[[str], ScenarioResult] | None = None
    ) -> None:
        self.game = game
        self.names = tuple(names)
        self.trace = trace or self._traced

    @property
    def program(self) -> ir.Program:
        return program(self.game)

    def _traced(self, name: str) -> ScenarioResult:
        return run(scenario(name), self.program, trace=True, name=self.game)

    @cached_property
    def mutants(self) -> dict[str, list[Mutant]]:
        """The mutants of each clause."""
        found: dict[str, list[Mutant]] = {clause.id: [] for clause in self.program.clauses}
        for mutant in broken(self.program):
            found[mutant.clause].append(mutant)
        return found

    @cached_property
    def touched(self) -> dict[str, frozenset[str]]:
        """The clauses that each scenario touches; nothing, if it fails under the rules as they
        are."""
        outcomes = {name: self.trace(name) for name in self.names}
        return {
            name: each.touched.clauses if each.passed and each.touched else frozenset()
            for name, each in outcomes.items()
        }

    def touching(self, clause: str) -> list[str]:
        def order(name: str) -> tuple[bool, int, int]:
            found = scenario(name)
            return found.get("choices") is not None, -found.players, len(self.touched[name])

        return sorted((name for name in self.names if clause in self.touched[name]), key=order)

    def is_noticed(self, mutant: Mutant) -> bool:
        return any(not passes(name, mutant) for name in self.touching(mutant.clause))

    def unnoticed(self, clause: str, known: Collection[str] = ()) -> set[str]:
        """The names of the mutants of a clause under which no scenario turns red; those that are
        known already are not tried."""
        tried = [each for each in self.mutants[clause] if each.name not in known]
        return {each.name for each in tried if not self.is_noticed(each)}


def passes(name: str, mutant: Mutant) -> bool:
    try:
        return run(scenario(name), mutant.program).passed
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        # No checker would let such rules pass, so the machine need not cope with them.
        return False
