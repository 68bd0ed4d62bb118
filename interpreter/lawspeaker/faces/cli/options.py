"""Options that several commands share, each declared once.

A command may take a dataclass for a group of options, `Running` or `keeping.Files`: `spread` makes
an option of each of its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

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
Plot = Annotated[
    Path | None, typer.Option(help="Draw the result into this file: .png, .svg or .pdf.")
]
Lang = Annotated[str, typer.Option("--lang", help="The language to answer in.")]
Texts = Annotated[
    Path | None,
    typer.Option("--texts", help="The folder with the books' texts: show their sentences."),
]


@dataclass(frozen=True, slots=True)
class Running:
    """How many play, with which luck, and in how many processes."""

    players: Players = None
    seed: Seed = 1
    workers: Workers = None
    cluster: Cluster = ""


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Makes the fields of the dataclasses that a command takes parameters of their own, after its
    others."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    if not groups:
        return command
    own = (each for each in signature(command).parameters.values() if each.name not in groups)
    parameters = [
        each.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[each.name]) for each in own
    ]
    for group in groups.values():
        declared = get_type_hints(group, include_extras=True)
        parameters += (
            Parameter(
                each.name,
                Parameter.KEYWORD_ONLY,
                default=each.default,
                annotation=declared[each.name],
            )
            for each in fields(group)
        )

    @wraps(command)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{each.name: given.pop(each.name) for each in fields(group)})
        command(**given)

    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called


def spoken(wanted: str, languages: Sequence[str], name: str) -> str:
    """Returns the value of `--lang`, by default the first language; exits for one that the game
    lacks."""
    if wanted and wanted not in languages:
        raise typer.BadParameter(f"{name} speaks {', '.join(languages)}", param_hint="--lang")
    return wanted or languages[0]
