"""`lawspeaker lsp`: starts the language server."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.base.collecting import collect_seldom
from lawspeaker.faces.cli.common import complain, fail

LOCAL = "127.0.0.1"


def lsp(
    port: Annotated[
        int,
        typer.Option(
            help="Listen on this port instead of standard input.", min=0, max=65535, metavar="PORT"
        ),
    ] = 0,
    host: Annotated[str, typer.Option(help="Where to listen, with --port.")] = LOCAL,
) -> None:
    """Help an editor with rules: messages, completion, renaming and more.

    It speaks the Language Server Protocol, and is started by an editor, not by hand: over standard
    input and output, or with --port for one that connects. docs/editors.md tells how to set up
    editors.

    Example: lawspeaker lsp --port 8643

    Exit code 0: the editor has closed it. 2: it cannot start.
    """
    try:
        from lawspeaker.faces.lsp.server import server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        fail("the language server needs one more package: pip install 'lawspeaker[lsp]'", 2)
    collect_seldom()
    if not port:
        server.start_io()
        return
    complain(f"listening on {host}:{port}")
    try:
        server.start_tcp(host, port)
    except OSError as error:
        fail(f"cannot listen on {host}:{port}: {error.strerror}", 2)
