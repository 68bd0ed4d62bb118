"""The command line: one file per command, put together here.

Exit codes: 0 all is well; 1 the rules, the scenario or the log have a fault, which was shown;
2 the command was called wrongly.
"""

from __future__ import annotations

import typer

from lawspeaker.cli import bench, check, simulate

app = typer.Typer(
    name="lawspeaker",
    help="A rules language for tabletop games: check, explain and play rules written as data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("check")(check.check)
app.command("simulate")(simulate.simulate)
app.command("bench")(bench.bench)


def main() -> None:
    app()
