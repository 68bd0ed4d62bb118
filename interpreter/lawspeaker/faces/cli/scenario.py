"""`lawspeaker scenario`: runs scenarios, which are tests of positions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.faces.cli.common import as_json, colours, fail, say
from lawspeaker.faces.cli.options import AsJson
from lawspeaker.faces.render import scenario as shown
from lawspeaker.outside.loading import run_scenarios, scenario_files
from lawspeaker.outside.storage import write


def scenario(
    files: Annotated[list[str], typer.Argument(help="Scenario files, or folders of them.")],
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Also which clauses and guards none touches.")
    ] = False,
    under: Annotated[
        str, typer.Option("--under", help="Run them under other rules: a game with variants.")
    ] = "",
    json: AsJson = False,
    puzzle: Annotated[
        Path | None,
        typer.Option(
            "--puzzle",
            help="Write them to this file as a page in which they are guessed.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Set up situations, and check what must come of them.

    What must be offered, refused, seen and scored, and what lies where in the end.

    A scenario is a test, a bug report and a rules question in one form. With --puzzle it is also a
    page that asks what you would do here, and checks it: one file, for any browser.

    Example: lawspeaker scenario FILE --puzzle puzzle.html

    Exit code 0: all hold. 1: one does not, or its file has a fault, or it cannot be a puzzle. 2:
    wrong call.
    """
    if puzzle is not None:
        if coverage or under or json:
            raise typer.BadParameter("goes without other options", param_hint="--puzzle")
        _puzzles(files, puzzle)
        return
    report = run_scenarios(files, coverage=coverage, under=under or None)
    if not report.outcomes:
        fail(f"there are no scenarios in {', '.join(files)}")
    say(as_json(shown.to_json(report)) if json else shown.text(report, colour=colours()))
    if not report.passed:
        raise typer.Exit(1)


def _puzzles(files: list[str], target: Path) -> None:
    from lawspeaker.faces.publishing.puzzle import page
    from lawspeaker.faces.publishing.puzzle import puzzle as made

    found = list(scenario_files(files))
    if not found:
        fail(f"there are no scenarios in {', '.join(files)}")
    puzzles = [made(each) for each in found]
    write(target, page(puzzles))
    say(f"{target}: {len(puzzles)} puzzle{'s' if len(puzzles) > 1 else ''}")
