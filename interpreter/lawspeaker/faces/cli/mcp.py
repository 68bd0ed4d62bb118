"""`lawspeaker mcp`: starts the server for language models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.collecting import collect_seldom
from lawspeaker.faces.cli.common import fail


def mcp(
    folder: Annotated[
        Path, typer.Argument(help="The folder with games; nothing else is read or written.")
    ] = Path(),
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer no tools that write files.")
    ] = False,
) -> None:
    """Let a language model write, check and try out rules.

    It speaks the Model Context Protocol over standard input and output, and is started by a client,
    not by hand. docs/mcp.md tells how to set up clients.

    Example: lawspeaker mcp my_games --read-only

    Exit code 0: the client has closed it. 2: it cannot start.
    """
    if not folder.is_dir():
        fail(f"there is no folder {str(folder)!r}", 2)
    try:
        from lawspeaker.faces.mcp.server import server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        fail("this server needs one more package: pip install 'lawspeaker[mcp]'", 2)
    collect_seldom()
    server(folder.resolve(), writable=not read_only).run()
