"""`lawspeaker serve`: the table in the browser."""

from __future__ import annotations

import logging
import os
import socket
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawspeaker.cli.common import complain, fail, say
from lawspeaker.storage import state_folder

if TYPE_CHECKING:
    from starlette.types import ASGIApp

LOCAL = "127.0.0.1"
PORT = 8642
LARGEST_FRAME = 128 * 1024
"""What the workshop may be sent at once: a draft. Tables take far shorter messages."""


def serve(
    host: Annotated[
        str, typer.Option(help="Where to listen; 0.0.0.0 lets other machines in.")
    ] = LOCAL,
    port: Annotated[
        int,
        typer.Option(
            help="The port; 0: any free one. Unless said, 8642 if it is free.",
            min=-1,
            max=65535,
            show_default=False,
        ),
    ] = -1,
    data: Annotated[
        Path | None,
        typer.Option(help="The folder in which tables are kept.", show_default=False),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name this machine is reached by; can be given several times."),
    ] = None,
    pace: Annotated[
        float, typer.Option(help="How many seconds a bot waits before it replies.", min=0, max=10)
    ] = 0.6,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="A line for each request.")
    ] = False,
) -> None:
    """Play in the browser, alone against bots or together.

    It listens to this machine only, unless --host says otherwise. Tables are kept reply by reply
    in a database and go on where they were, however the server ended.

    Example: lawspeaker serve --open

    Example: lawspeaker serve --host 0.0.0.0 --port 8000 --data tables

    Exit code 0: it was stopped. 1: the tables cannot be kept. 2: the command was called wrongly.
    """
    try:
        from lawspeaker.web.app import make_app
        from lawspeaker.web.settings import Settings
        from lawspeaker.web.store import NotKept
    except ModuleNotFoundError as missing:
        fail(f"this needs {missing.name}: pip install 'lawspeaker[web]'", 2)
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    bound = listening(host, port)
    address = _address(host, bound)
    try:
        folder = data or state_folder() / "tables"
        app = make_app(
            Settings(folder, host=host, names=tuple(name or ()), pace=pace, warm=open_page)
        )
    except NotKept as error:
        fail(str(error))
    say(f"The table is set: {address}")
    say("Ctrl-C ends it; every game can be continued.")
    if host != LOCAL:
        complain("Other machines can reach it, too; see docs/serving.md about https.")
    if open_page:
        webbrowser.open(address)
    run(app, bound)


def listening(host: str, port: int) -> socket.socket:
    """A socket that already takes visitors in, so that a page can be opened at once."""
    try:
        try:
            return _bound(host, PORT if port < 0 else port)
        except OSError:
            if port >= 0:
                raise
            return _bound(host, 0)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        fail(f"cannot listen at {host}, port {port}: {reason}; choose another with --port", 2)


def _bound(host: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(128)
    except OSError:
        found.close()
        raise
    return found


def _address(host: str, bound: socket.socket) -> str:
    port = bound.getsockname()[1]
    everywhere = {"0.0.0.0": "localhost", "::": "localhost", LOCAL: "localhost"}
    shown = everywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def run(app: ASGIApp, bound: socket.socket) -> None:
    """Serves until it is stopped. Lines of the server library would name links: only its warnings
    are kept."""
    import uvicorn

    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[bound])
