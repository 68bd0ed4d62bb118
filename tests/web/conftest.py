"""A server inside the test, and one that is a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from websockets.sync.client import ClientConnection, connect

from lawspeaker.faces.web.app import Web, guarded
from lawspeaker.faces.web.catalogue import Catalogue
from lawspeaker.faces.web.settings import Settings
from lawspeaker.outside.library import Library
from tests.web.visitors import Message, Screen, sit_down

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
CATALOGUE = Catalogue(Library())
"""Games are compiled once for all servers inside the tests."""


class TestLine:
    """A socket of the test client."""

    __test__ = False

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session

    def send(self, text: str) -> None:
        self.session.send_text(text)

    def receive(self) -> str:
        return self.session.receive_text()

    def close(self) -> None:
        self.session.close()


class House:
    """The server inside the test, and whoever visits it."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        self.web = Web(settings)
        if settings.library == CATALOGUE.library:
            for part in (self.web.registry, self.web.comparisons, self.web.previews):
                part.catalogue = CATALOGUE
        self.client = stack.enter_context(
            TestClient(guarded(self.web), base_url="http://localhost")
        )
        self._stack = stack

    def post(self, path: str, body: Mapping[str, Any]) -> Message:
        answer = self.client.post(path, json=body)
        assert answer.is_success, answer.text
        found: Message = answer.json()
        return found

    def get(self, path: str) -> Message:
        answer = self.client.get(path)
        assert answer.is_success, answer.text
        found: Message = answer.json()
        return found

    def connect(self, token: str, query: str = "") -> Screen:
        """A screen that shows its first scene; an invitation is accepted."""
        screen = self.open(token, query)
        own = sit_down(screen)
        return screen if own == token else self.connect(own, query)

    def open(self, token: str, query: str = "") -> Screen:
        """A screen that has shown nothing yet."""
        path = f"ws://localhost/ws/{token}{query}"
        session = self._stack.enter_context(self.client.websocket_connect(path))
        return Screen(TestLine(session), token)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "data", pace=0, thinkers=0, hurry=1000, most_of_one=1000)


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(settings, stack)


class RealLine:
    """A real socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, text: str) -> None:
        self.connection.send(text)

    def receive(self) -> str:
        return str(self.connection.recv(timeout=PATIENCE))

    def close(self) -> None:
        self.connection.close()


class Served:
    """A server in a process of its own: `url`, `data`, and `log`, the file with what it complains
    of; it can be killed and started again. `limits` are those of the shell's `ulimit`."""

    def __init__(self, data: Path, options: tuple[str, ...] = (), limits: str = "") -> None:
        self.data = data
        self.options = options
        self.limits = limits
        self.log = data.parent / f"{data.name}.log"
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self._lines = ExitStack()
        self.start()

    def start(self, port: int = 0) -> None:
        command = [sys.executable, "-m", "lawspeaker", "serve", "--data", str(self.data)]
        command += ["--port", str(port), *self.options]
        if self.limits:
            command = ["sh", "-c", f'ulimit {self.limits} && exec "$@"', "sh", *command]
        path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT)])
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
            )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, first + self.complaints()
        self.url = found[0].rstrip("/")

    def complaints(self) -> str:
        """All it has complained of."""
        return self.log.read_text(encoding="utf-8")

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Ends it as Ctrl-C does, or as whatever keeps services running; gives the exit code."""
        return self._end(how)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    def restart(self) -> None:
        """Kills it and starts it again at the same address."""
        port = self.port
        self.kill()
        self.start(port)

    def close(self) -> None:
        self._lines.close()
        if self.process is not None:
            self.kill()

    def post(self, path: str, body: Mapping[str, Any]) -> Message:
        request = Request(self.url + path, json.dumps(body).encode(), method="POST")
        with urlopen(request, timeout=PATIENCE) as answer:
            found: Message = json.load(answer)
        return found

    def get(self, path: str) -> Message:
        with urlopen(self.url + path, timeout=PATIENCE) as answer:
            found: Message = json.load(answer)
        return found

    def connect(self, token: str) -> Screen:
        url = f"{self.url.replace('http', 'ws', 1)}/ws/{token}"
        line = self._lines.enter_context(connect(url, open_timeout=PATIENCE, max_size=None))
        screen = Screen(RealLine(line), token)
        own = sit_down(screen)
        return screen if own == token else self.connect(own)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts servers, each with a folder of its own unless one is given; ends them all."""
    running: list[Served] = []

    def start(*options: str, data: Path | None = None, limits: str = "") -> Served:
        folder = data or tmp_path / f"served{len(running)}"
        running.append(Served(folder, options, limits))
        return running[-1]

    yield start
    for each in running:
        each.close()


@pytest.fixture
def served(serve: Callable[..., Served]) -> Served:
    """A server that is running."""
    return serve()
