"""`lawspeaker backup`: copies the tables of a server while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.faces.cli.common import fail, say
from lawspeaker.outside.storage import state_folder

Data = Annotated[
    str | None,
    typer.Option(help="The folder in which tables are kept, as in `serve`.", show_default=False),
]


def backup(
    to: Annotated[Path, typer.Argument(help="A new folder for the copy.", metavar="FOLDER")],
    data: Data = None,
) -> None:
    """Copy all tables and drafts of a server into a folder, also while it runs.

    The copy has everything that was told to anybody until this moment, and it is checked. It tells
    hands and seeds: keep it as private as the server. `lawspeaker restore` puts it back.

    Example: lawspeaker backup tables-of-today --data tables

    Exit code 0: all is copied. 1: it could not be copied. 2: the command was called wrongly.
    """
    from lawspeaker.faces.web.backups import back_up

    copied = back_up(folder_of(data), to)
    say(f"{with_noun(copied.tables, 'table')}, {copied.size / 1e6:.1f} MB: {to}")


def folder_of(data: str | None) -> Path:
    """The folder that `--data` names; exits for a database on a server."""
    from lawspeaker.faces.web.databases import place

    where = place(data) if data else state_folder() / "tables"
    if isinstance(where, str):
        fail(
            "a PostgreSQL database has tools of its own: `pg_dump --format=custom --file=FILE "
            "ADDRESS` copies it while servers run, `pg_restore --clean --dbname=ADDRESS FILE` puts "
            "it back",
            2,
        )
    return where
