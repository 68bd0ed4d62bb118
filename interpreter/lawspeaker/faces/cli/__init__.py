"""The command line: one module per command, combined here.

Exit codes: 0 success; 1 the rules, the scenario or the log have an error, which was shown, or a
file cannot be written; 2 wrong usage.

A command is the function with the name of its module, or a group of commands. The module is
imported when the command is called, since importing all takes longer than most commands run.

The words GAME and VARIANT in a command's help stand for a game and a variant from the package, so
that every example works as shown.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from inspect import getdoc
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lawspeaker import __version__
from lawspeaker.base.diagnostics import Failure, RulesError
from lawspeaker.faces.cli.common import fail, show_and_leave
from lawspeaker.faces.cli.options import spread
from lawspeaker.outside.library import Library, data_folder
from lawspeaker.outside.programs import keep_programs

SECTIONS = {
    "Play": ("play", "serve", "replay", "publish", "book", "cards"),
    "Write rules": (
        *("new", "check", "explain", "show", "scenario", "secrets", "translate", "format"),
        *("position", "perft", "lsp", "mcp"),
    ),
    "Compare editions and books": (
        *("compare", "ask", "gaps", "changelog", "mix", "sources", "books"),
    ),
    "Measure": (
        "simulate",
        "review",
        "worth",
        "drama",
        "variety",
        "ladder",
        "sweep",
        "tune",
        "train",
        "bench",
    ),
    "Look after a server": ("backup", "restore"),
}
"""The commands by reader, as `lawspeaker --help` lists them."""
COMMANDS = tuple(name for names in SECTIONS.values() for name in names)
_STYLE: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
}


class Commands(TyperGroup):
    """The command group, which imports a command's module on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            return _command(cmd_name)
        # Suggestions for a mistyped name need all commands.
        self.commands.update({name: _command(name) for name in COMMANDS})
        return None

    def invoke(self, ctx: Any) -> Any:
        """Runs a command; prints why it failed, and exits with the code for that."""
        try:
            return super().invoke(ctx)
        except RulesError as error:
            show_and_leave(error.diagnostics)
        except Failure as error:
            fail(str(error), error.exit_code)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands by reader."""
        longest = max(map(len, COMMANDS))
        limit = formatter.width - 6 - longest
        for title, names in SECTIONS.items():
            with formatter.section(title):
                rows = [(name, _command(name).get_short_help_str(limit)) for name in names]
                formatter.write_dl([(f"{name:{longest}}", text) for name, text in rows])


def _command(name: str) -> Any:
    function = getattr(import_module(f"lawspeaker.faces.cli.{name}"), name)
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    alone = typer.Typer(**_STYLE)
    alone.command(name, help=_with_examples(getdoc(function) or ""))(spread(function))
    return typer.main.get_command(alone)


def _with_examples(help_text: str) -> str:
    """Replaces GAME and VARIANT in a help text by names from the package; by a short game, which is
    quick to try."""
    library = Library(here=data_folder("rules"))
    games = sorted(library.games(), key=lambda name: library.game(name).stat().st_size)
    if "VARIANT" in help_text:
        games = [each for each in games if library.variants(each)] or games
        variants = [each for game in games[:1] for each in library.variants(game)]
        help_text = help_text.replace("VARIANT", variants[0] if variants else "VARIANT")
    return help_text.replace("GAME", games[0] if games else "GAME")


app = typer.Typer(name="lawspeaker", cls=Commands, no_args_is_help=True, **_STYLE)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lawspeaker {__version__}")
        raise typer.Exit


@app.callback()
def lawspeaker(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Say which version this is.", callback=_say_version, is_eager=True
        ),
    ] = False,
) -> None:
    """A rules language for tabletop games: check, explain and play rules written as data."""


def _forgive_old_terminals() -> None:
    """Replaces characters that the terminal's encoding lacks by question marks instead of
    crashing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _collect_seldom() -> None:
    """Raises the threshold of the garbage collector.

    Syntax trees have no cycles and live as long as the command: collecting takes a tenth of its
    time and frees next to nothing.
    """
    gc.set_threshold(10_000)


def main() -> None:
    _forgive_old_terminals()
    _collect_seldom()
    keep_programs()
    app()
