"""Shared helpers of the commands: loading a game, printing, and failing with an exit code."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.faces.render import diagnostics as shown

if TYPE_CHECKING:
    from lawspeaker.match.game import Game

_MOST = 10**12
"""Upper limit of counts: nobody can wait for more."""
_COUNTED = re.compile(r"\d+|\d{1,3}([_,]\d{3})+|\d+(\.\d+)?[eE]\+?\d{1,2}")
"""A whole number; separators are allowed between thousands only, since in some languages a comma
starts the decimals."""


def say(text: str = "") -> None:
    typer.echo(text)


def complain(text: str) -> None:
    typer.echo(text, err=True)


def fail(text: str, code: int = 1) -> NoReturn:
    complain(text)
    raise typer.Exit(code)


def variant_name(file: Path, otherwise: str) -> str:
    """Derives a variant's name from its file name: small letters, digits and _."""
    name = re.sub("[^a-z0-9]", "_", file.stem.lower())
    return name if name[:1].isalpha() else f"{otherwise}_{name}"


def how_many(*names: str, least: int, help: str) -> Any:
    """Declares an option for a count."""
    return typer.Option(*names, parser=at_least(least), metavar="NUMBER", help=help)


def at_least(least: int) -> Callable[[str | int], int]:
    """Returns a parser for counts: 1000000, 1_000_000, 1,000,000 or 1e6."""

    def read(text: str | int) -> int:
        told = str(text).strip()
        if not _COUNTED.fullmatch(told):
            raise typer.BadParameter(f"{told} is no whole number; write 2000000 or 2e6")
        found = Decimal(told.replace("_", "").replace(",", ""))
        if found != found.to_integral_value():
            raise typer.BadParameter(f"{told} is no whole number")
        if not least <= found <= _MOST:
            raise typer.BadParameter(f"{told} is not from {least} to {_MOST:,}")
        return int(found)

    return read


def as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)


def colours(stream: Any = None) -> bool:
    """Whether to print colours: only to a terminal, and unless the user disabled them."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(getattr(stream or sys.stdout, "isatty", lambda: False)())


def show_diagnostics(found: Iterable[Diagnostic], error: bool = True) -> None:
    stream = sys.stderr if error else sys.stdout
    typer.echo(shown.text(list(found), colour=colours(stream)), err=error)


def named_wrongly(found: Collection[Diagnostic]) -> bool:
    """Whether all errors are that no game, variant or file has some name."""
    return bool(found) and all(each.code == "not-found" and not each.span.known for each in found)


def show_and_leave(found: Collection[Diagnostic]) -> NoReturn:
    """Prints diagnostics and exits with code 1, or with 2 if a name was not found."""
    if named_wrongly(found):
        fail("; ".join(each.message for each in found), 2)
    show_diagnostics(found)
    raise typer.Exit(1)


def for_authors(found: Iterable[Diagnostic]) -> Diagnostics:
    """Returns the diagnostics as authors see them: a damaged lock, which does not prevent playing,
    is an error."""
    return Diagnostics(
        replace(each, severity="error") if each.code == "bad-lock" else each for each in found
    )


def game(name: str) -> Game:
    """Loads a game; prints the errors and exits if it is invalid or not found."""
    # Imported here: `check` need not load a game.
    from lawspeaker.outside.checking import loaded

    return loaded(name)
