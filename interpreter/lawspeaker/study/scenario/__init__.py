"""Scenarios: one format for tests, bug reports and questions about rules.

A scenario sets up a situation in the middle of a game, feeds replies and luck, and states what
must be offered, what refused and by which guard, what is seen by whom, what is scored and why.

`reading` is the file, `texts` finds what its words name, `setting` lays out the situation,
`running` goes through the steps, `expecting` compares, `coverage` says which clauses and guards
are touched by which scenario. Nothing here reads from disk: texts and programs are passed in.
"""

from lawspeaker.study.scenario.coverage import Coverage, coverage_of
from lawspeaker.study.scenario.model import Outcome, Scenario, read
from lawspeaker.study.scenario.report import Report, run_all
from lawspeaker.study.scenario.running import Asked, Course, course_of, holds_with, last_of, run

__all__ = [
    "Asked",
    "Course",
    "Coverage",
    "Outcome",
    "Report",
    "Scenario",
    "course_of",
    "coverage_of",
    "holds_with",
    "last_of",
    "read",
    "run",
    "run_all",
]
