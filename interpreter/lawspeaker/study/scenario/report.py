"""Runs many scenarios and collects their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.study.scenario.coverage import Coverage, coverage_of
from lawspeaker.study.scenario.model import Scenario, ScenarioResult, read
from lawspeaker.study.scenario.running import run
from lawspeaker.text.schema import Schema

FindGame = Callable[[str, Diagnostics], ir.Program | None]
"""Loads the program of a game by its name; reports errors itself and returns None."""


@dataclass(frozen=True, slots=True)
class Report:
    """Outcomes of scenarios; `coverage` has an entry for each game, if requested."""

    outcomes: tuple[ScenarioResult, ...]
    coverage: tuple[Coverage, ...] = ()

    @property
    def passed(self) -> bool:
        return all(outcome.passed for outcome in self.outcomes)

    def with_missing(self, missing: Iterable[Diagnostic]) -> Report:
        """Prepends the files that could not be read."""
        unread = [ScenarioResult(each.span.file.name, "", "", 0, 0, (each,)) for each in missing]
        return Report((*unread, *self.outcomes), self.coverage)


def run_all(
    files: Iterable[SourceFile],
    find_game: FindGame,
    scenario_schema: Schema,
    *,
    coverage: bool = False,
    under: str | None = None,
) -> Report:
    """Runs scenario files; `under` names other rules to run all of them under."""
    programs: dict[str, tuple[ir.Program | None, Diagnostics]] = {}
    outcomes: list[ScenarioResult] = []
    for file in files:
        diagnostics = Diagnostics()
        scenario = read(file, scenario_schema, diagnostics)
        if scenario is None:
            found = tuple(diagnostics.sorted())
            outcomes.append(ScenarioResult(file.name, "", under or "", 0, 0, found))
            continue
        name = under or scenario.game
        if name not in programs:
            own = Diagnostics()
            programs[name] = (find_game(name, own), own)
        program, complaints = programs[name]
        if program is None:
            found = tuple(_placed(each, scenario) for each in complaints.sorted())
            title, players = scenario.title, scenario.players
            outcomes.append(ScenarioResult(file.name, title, name, players, 0, found))
            continue
        outcomes.append(run(scenario, program, trace=coverage, name=name))
    if not coverage:
        return Report(tuple(outcomes))
    covered = [
        coverage_of(name, program, [each for each in outcomes if each.game == name])
        for name, (program, _) in programs.items()
        if program is not None
    ]
    return Report(tuple(outcomes), tuple(covered))


def _placed(diagnostic: Diagnostic, scenario: Scenario) -> Diagnostic:
    """Moves a diagnostic about a missing game to where the scenario names it."""
    if diagnostic.span.known:
        return diagnostic
    return replace(diagnostic, span=scenario.span("game"))
