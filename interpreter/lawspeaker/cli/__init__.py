"""The command line: one file per command, put together here.

Exit codes: 0 all is well; 1 the rules, the scenario or the log have a fault, which was shown;
2 the command was called wrongly.

The words GAME and VARIANT in a command's help stand for a game and a variant that come with the
package, so that every example works as it is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc
from typing import Any

import typer

from lawspeaker.cli import (
    bench,
    check,
    compare,
    explain,
    perft,
    play,
    replay,
    scenario,
    show,
    simulate,
    sources,
)
from lawspeaker.library import Library, data_folder

app = typer.Typer(
    name="lawspeaker",
    help="A rules language for tabletop games: check, explain and play rules written as data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _add(name: str, command: Callable[..., Any]) -> None:
    help_text = getdoc(command) or ""
    library = Library(here=data_folder("rules"))
    games = library.games()
    if "VARIANT" in help_text:
        games = [each for each in games if library.variants(each)] or games
        variants = [each for game in games[:1] for each in library.variants(game)]
        help_text = help_text.replace("VARIANT", variants[0] if variants else "VARIANT")
    help_text = help_text.replace("GAME", games[0] if games else "GAME")
    app.command(name, help=help_text)(command)


_add("check", check.check)
_add("compare", compare.compare)
_add("explain", explain.explain)
_add("play", play.play)
_add("scenario", scenario.scenario)
_add("simulate", simulate.simulate)
_add("bench", bench.bench)
_add("perft", perft.perft)
_add("replay", replay.replay)
_add("show", show.show)
_add("sources", sources.sources)


def main() -> None:
    app()
