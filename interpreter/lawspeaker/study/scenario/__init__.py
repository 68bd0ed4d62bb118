"""Scenarios: one test format for tests, bug reports and questions about rules.

A scenario sets up a situation in the middle of a game, scripts replies and chance, and asserts
what is offered, what is refused and by which guard, what is visible to whom, what is scored and
why. `model` is the file, `references` resolves names, `setting` sets up the situation, `running`
executes the steps, `expecting` checks assertions, `coverage` lists the clauses and guards that
each scenario exercises. Nothing here reads from disk: texts and programs are passed in.
"""

from lawspeaker.study.scenario.coverage import Coverage, coverage_of
from lawspeaker.study.scenario.model import Scenario, ScenarioResult, read
from lawspeaker.study.scenario.report import Report, run_all
from lawspeaker.study.scenario.running import (
    AnsweredQuestion,
    ScenarioRun,
    course_of,
    holds_with,
    last_of,
    run,
)

__all__ = [
    "AnsweredQuestion",
    "Coverage",
    "Report",
    "Scenario",
    "ScenarioResult",
    "ScenarioRun",
    "course_of",
    "coverage_of",
    "holds_with",
    "last_of",
    "read",
    "run",
    "run_all",
]
