"""Options that several commands share, each declared once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

Name = Annotated[str, typer.Argument(help="The game: a name, a folder or a file.")]
Players = Annotated[int | None, typer.Option(help="How many players; the most, if left out.")]
Seed = Annotated[int, typer.Option(help="The seed; the same seed gives the same games.")]
Bots = Annotated[
    str,
    typer.Option(
        help="One for each seat or one for all: random, greedy, learned, mc:200, tree:200, best."
    ),
]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes; all cores, if left out.")]
Cluster = Annotated[str, typer.Option(help="A Dask scheduler to do the work: tcp://HOST:8786.")]
Machine = Annotated[
    str, typer.Option(help="Who plays random games: wasm, native (needs a C compiler), gpu, auto.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print Markdown.")]
Html = Annotated[
    Path | None, typer.Option("--html", help="Write one page to this file.", metavar="FILE")
]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write the table to this file.")]
Parquet = Annotated[
    Path | None,
    typer.Option("--parquet", help="The same, as Parquet (needs lawspeaker[data])."),
]
Lang = Annotated[str, typer.Option("--lang", help="The language to answer in.")]
Texts = Annotated[
    Path | None,
    typer.Option("--texts", help="The folder with the books' texts: show their sentences."),
]


def spoken(wanted: str, languages: Sequence[str], name: str) -> str:
    """Returns the value of `--lang`, by default the first language; exits for one that the game
    lacks."""
    if wanted and wanted not in languages:
        raise typer.BadParameter(f"{name} speaks {', '.join(languages)}", param_hint="--lang")
    return wanted or languages[0]
