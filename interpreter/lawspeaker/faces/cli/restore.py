"""`lawspeaker restore`: puts a copy of the tables back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.faces.cli.backup import Data, folder_of
from lawspeaker.faces.cli.common import say


def restore(
    backup: Annotated[
        Path, typer.Argument(help="The folder that `backup` has made.", metavar="FOLDER")
    ],
    data: Data = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Move tables that are there into a folder beside them."),
    ] = False,
) -> None:
    """Put a backup back, where no server runs.

    Every table goes on from where the copy was made. A damaged copy, or one of a later version, is
    refused before anything is changed.

    Example: lawspeaker restore tables-of-today --data tables

    Exit code 0: all is back. 1: it could not be put back. 2: the command was called wrongly.
    """
    from lawspeaker.faces.web import backups

    folder = folder_of(data)
    copied, aside = backups.restore(backup, folder, replace)
    say(f"{with_noun(copied.tables, 'table')}: {folder}")
    if aside is not None:
        say(f"What was there before is in {aside}.")
