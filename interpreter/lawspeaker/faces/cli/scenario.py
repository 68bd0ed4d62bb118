"""`lawspeaker scenario`: situations set up, asked about, and the answers checked."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.faces.cli.common import as_json, colours, fail, say
from lawspeaker.faces.render import scenario as shown
from lawspeaker.outside.loading import run_scenarios


def scenario(
    files: Annotated[list[str], typer.Argument(help="Scenario files, or folders of them.")],
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Also which clauses and guards none touches.")
    ] = False,
    under: Annotated[
        str, typer.Option("--under", help="Run them under other rules: a game with variants.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Set up situations, and check what must come of them.

    What must be offered, refused, seen and scored, and what lies where in the end.

    A scenario is a test, a bug report and a rules question in one form.

    Exit code 0: all hold. 1: one does not, or its file has a fault.
    """
    report = run_scenarios(files, coverage=coverage, under=under or None)
    if not report.outcomes:
        fail(f"there are no scenarios in {', '.join(files)}")
    say(as_json(shown.to_json(report)) if json else shown.text(report, colour=colours()))
    if not report.passed:
        raise typer.Exit(1)
