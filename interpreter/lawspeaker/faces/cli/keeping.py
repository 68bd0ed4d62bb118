"""Results written to files: pages, pictures, and tables as CSV or Parquet.

Where that cannot be, every command leaves with exit code 1, before it plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawspeaker.faces.cli.common import complain, fail
from lawspeaker.faces.render.data import NoLibrary, Table, about

if TYPE_CHECKING:
    from lawspeaker.match.game import Game

Csv = Annotated[Path | None, typer.Option("--csv", help="Write the table to this file.")]
Parquet = Annotated[
    Path | None,
    typer.Option("--parquet", help="The same, as Parquet (needs lawspeaker[data])."),
]


def log_file(game: Game, kind: str, bots: Sequence[str], *more: object, under: str = "") -> Path:
    """Where the log of a game between these bots is kept, `under` values of the rules. Other
    rules or other players have another file, so that what was told before opens the game that it
    was told of."""
    from lawspeaker.outside.storage import state_folder

    digest = sha256("\n".join((game.program.digest, under, *bots)).encode()).hexdigest()[:12]
    words = "".join(each if each.isalnum() else "_" for each in f"{game.name} {under or bots[0]}")
    named = "-".join(str(each) for each in (words, len(bots), *more, digest))
    return state_folder() / kind / f"{named}.json"


def keep(file: Path, content: str | bytes) -> None:
    """Writes a result to a file, whole or not at all."""
    from lawspeaker.outside.storage import NotSaved, write

    try:
        write(file, content)
    except NotSaved as error:
        fail(str(error))
    complain(f"wrote {file}")


def keep_table(
    table: Table, result: Mapping[str, Any], csv: Path | None, parquet: Path | None
) -> None:
    """Writes a table of a result as it is wanted."""
    if csv is not None:
        keep(csv, table.csv())
    if parquet is not None:
        try:
            keep(parquet, table.parquet(about(result)))
        except NoLibrary as error:
            fail(str(error))


def check_files(*files: Path | None, parquet: Path | None = None) -> None:
    """A file that cannot be written, or Parquet without what it takes, is told of before any game
    is played: what they say would be lost."""
    from lawspeaker.outside.storage import NotSaved, try_to_write

    try:
        for each in (*files, parquet):
            if each is not None:
                try_to_write(each)
    except NotSaved as error:
        fail(str(error))
    if parquet is not None:
        try:
            Table({}).parquet()
        except NoLibrary as error:
            fail(str(error))


def picture_of(file: Path) -> str:
    """The kind of picture a file is to hold."""
    from lawspeaker.faces.render import plots

    kind = file.suffix.removeprefix(".").lower()
    if kind not in plots.KINDS:
        fail(f"a plot is one of {', '.join(plots.KINDS)}, not `{file.name}`", 2)
    return kind
