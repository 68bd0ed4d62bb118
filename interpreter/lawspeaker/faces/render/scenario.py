"""Renders results of scenarios as text and as JSON.

    passed  duel.yaml: A shield saves the hero
    FAILED  race.yaml: Who is last moves first

followed by what went wrong with the failed ones, each at its line. For coverage, a line for each
clause and each guard says how many scenarios touch it, and names the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.faces.render import diagnostics as shown
from lawspeaker.study.scenario import Coverage, Report, ScenarioResult

_NAMED = 3
_LISTED = 12


def text(report: Report, colour: bool = False, width: int = 100) -> str:
    """Renders all outcomes, the errors, the coverage if requested, and a summary line."""
    failed = [outcome for outcome in report.outcomes if not outcome.passed]
    blocks = ["\n".join(_line(outcome) for outcome in report.outcomes)]
    told: set[tuple[object, ...]] = set()
    for outcome in failed:
        new = [each for each in outcome.diagnostics if _where(each) not in told]
        told.update(_where(each) for each in new if each.span.file.name != outcome.file)
        if new:
            blocks.append(shown.text(new, colour, width).rstrip())
    blocks += [coverage_text(each) for each in report.coverage]
    total = len(report.outcomes)
    noun = "scenario" if total == 1 else "scenarios"
    blocks.append(f"{total} {noun}: {total - len(failed)} passed, {len(failed)} failed")
    return "\n\n".join(block for block in blocks if block) + "\n"


def _where(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Returns a key of a diagnostic, so that an error in the rules is shown once for all
    scenarios."""
    span = diagnostic.span
    return span.file.name, span.start, span.end, diagnostic.code, diagnostic.message


def _line(outcome: ScenarioResult) -> str:
    title = f": {outcome.title}" if outcome.title else ""
    return f"{'passed' if outcome.passed else 'FAILED'}  {outcome.file}{title}"


def coverage_text(coverage: Coverage) -> str:
    """Renders the coverage of one game."""
    lines = [f"coverage of {coverage.game}"]
    column = max(map(len, [*coverage.clauses, *coverage.accepting]), default=0) + 2
    for clause, files in coverage.clauses.items():
        lines.append(f"  {clause:{column}}{_files(files)}")
    for guard in coverage.accepting:
        accepts, refuses = coverage.accepting[guard], coverage.refusing[guard]
        lines.append(f"  {guard:{column}}accepts: {_files(accepts)}; refuses: {_files(refuses)}")
    untouched = coverage.untouched
    whole = len(coverage.clauses) + len(coverage.accepting)
    lines.append(f"  {whole - len(untouched)} of {whole} clauses and guards are covered")
    if untouched:
        more = f" and {len(untouched) - _LISTED} more" if len(untouched) > _LISTED else ""
        lines.append(f"  not covered: {', '.join(untouched[:_LISTED])}{more}")
    return "\n".join(lines)


def _files(files: Sequence[str]) -> str:
    if not files:
        return "never"
    names = [file.rpartition("/")[2].removesuffix(".yaml") for file in files[:_NAMED]]
    more = ", …" if len(files) > _NAMED else ""
    return f"{len(files)} ({', '.join(names)}{more})"


def to_json(report: Report) -> dict[str, Any]:
    """Converts a report to JSON, following schema/scenario-result.schema.json."""
    return {
        "passed": sum(outcome.passed for outcome in report.outcomes),
        "failed": sum(not outcome.passed for outcome in report.outcomes),
        "scenarios": [_outcome_json(outcome) for outcome in report.outcomes],
        "coverage": [_coverage_json(each) for each in report.coverage],
    }


def _outcome_json(outcome: ScenarioResult) -> dict[str, Any]:
    touched = outcome.touched
    return {
        "file": outcome.file,
        "title": outcome.title,
        "game": outcome.game,
        "players": outcome.players,
        "passed": outcome.passed,
        "steps": outcome.steps,
        "diagnostics": shown.to_json(outcome.diagnostics),
        "touched": None
        if touched is None
        else {
            "clauses": sorted(touched.clauses),
            "accepting": sorted(touched.accepting),
            "refusing": sorted(touched.refusing),
        },
    }


def _coverage_json(coverage: Coverage) -> dict[str, Any]:
    return {
        "game": coverage.game,
        "clauses": {clause: list(files) for clause, files in coverage.clauses.items()},
        "guards": {
            guard: {
                "accepting": list(coverage.accepting[guard]),
                "refusing": list(coverage.refusing[guard]),
            }
            for guard in coverage.accepting
        },
        "untouched": list(coverage.untouched),
    }
