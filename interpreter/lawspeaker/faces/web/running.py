"""Running the application on a socket until it is stopped."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp

LARGEST_FRAME = 128 * 1024
"""What the workshop may be sent at once: a draft. Tables take far shorter messages."""


def run(app: ASGIApp, bound: socket.socket) -> None:
    """Serves until it is stopped. Lines of the server library would name links: only its warnings
    are kept."""
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
