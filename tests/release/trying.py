"""Fresh environments: what a wheel does where nothing else is installed.

Each environment has the wheel, alone or with one extra, and no checkout. In it, commands are run
in an empty folder.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

PATIENCE = 300
Command = tuple[int, str, str]
"""An exit code, a command line, and a text that it prints."""

ALONE: tuple[Command, ...] = (
    (0, "check walhalla", "no errors"),
    (0, "play walhalla --seats random,random,random --seed 1", ""),
    (0, "new mine", "mine/game.yaml"),
    (0, "check mine", "no errors"),
    (0, "scenario mine", "0 failed"),
    (0, "book nim --html nim.html", ""),
    (0, "simulate nim --games 50", "By seat"),
    (2, "serve", "pip install 'lawspeaker[web]'"),
)
EXTRAS: dict[str, tuple[Command, ...]] = {
    "book": ((0, "book nim --pdf nim.pdf", ""),),
    "books": ((1, "books add missing.pdf", "missing.pdf"), (0, "-c 'import pdfplumber'", "")),
    "cluster": ((1, "simulate nim --cluster tcp://127.0.0.1:9", "there is no cluster at"),),
    "data": ((0, "simulate nim --games 20 --parquet nim.parquet", ""),),
    "fast": (
        (0, "-c 'from lawspeaker.text.schema.form import QuickValidator as Q; assert Q'", ""),
        (0, "check walhalla", "no errors"),
    ),
    "lab": (
        (0, "simulate nim --games 20 --plot nim.png", ""),
        (0, "tune nim --vary 'heap.sizes at 1=1..3' --games 20 --target length=2", ""),
    ),
    "lsp": ((0, "-c 'import lawspeaker.faces.lsp.server'", ""),),
    "mcp": ((0, "-c 'import lawspeaker.faces.mcp.server'", ""),),
    "postgres": ((0, "-c 'import lawspeaker.faces.web.postgres'", ""),),
    "push": ((0, "-c 'import pywebpush'", ""),),
    "rl": ((0, "-c 'import lawspeaker; lawspeaker.env(\"nim\").reset(seed=1)'", ""),),
    "site": ((0, "-c 'import furo, myst_parser, sphinx'", ""),),
    "web": ((0, "SERVE", ""),),
}


@dataclass(frozen=True, slots=True)
class Environment:
    folder: Path
    scripts: Path

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        program = "python" if line.startswith("-c") else "lawspeaker"
        return subprocess.run(
            [str(self.scripts / program), *shlex.split(line)],
            cwd=self.folder,
            env=_without_this_checkout(self.folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )

    def serve(self) -> str:
        """Starts a server, asks for its page, and ends it; gives what went wrong."""
        command = [str(self.scripts / "lawspeaker"), "serve", "--port", "0", "--data", "tables"]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env={**_without_this_checkout(self.folder), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdout is not None
            first = process.stdout.readline()
            address = re.search(r"http://\S+", first)
            page = b""
            if address is not None:
                with urlopen(address[0], timeout=PATIENCE) as answer:
                    page = answer.read()
            process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
            code = process.wait(PATIENCE)
        if address is None or b"<html" not in page or (code and os.name == "posix"):
            return f"serve: exit code {code}, first line {first!r}"
        return ""


def _without_this_checkout(home: Path) -> dict[str, str]:
    hidden = ("LAWSPEAKER_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, "XDG_STATE_HOME": str(home / "state"), "XDG_CACHE_HOME": str(home / "cache")}


def wheel_faults(
    wheel: Path, extra: str = "", commands: Sequence[Command] | None = None
) -> list[str]:
    """What goes wrong with a wheel and one extra in an environment of their own."""
    with TemporaryDirectory() as folder:
        home, place = Path(folder) / "empty", Path(folder) / "environment"
        home.mkdir()
        venv.create(place)
        scripts = place / ("Scripts" if sys.platform == "win32" else "bin")
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        into = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "-qq"]
        done = subprocess.run(
            [*into, "--disable-pip-version-check", wanted],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            return [f"{extra or 'the wheel alone'}: pip install failed: {done.stderr.strip()}"]
        environment = Environment(home, scripts)
        found = []
        for code, line, said in commands or (EXTRAS[extra] if extra else ALONE):
            if line == "SERVE":
                found += [wrong] if (wrong := environment.serve()) else []
                continue
            answer = environment.run(line)
            if answer.returncode != code or said not in " ".join(answer.stdout.split()):
                last = answer.stdout.strip()[-500:]
                found.append(f"{line}: exit code {answer.returncode}, expected {code}: {last}")
        return [f"{extra or 'the wheel alone'}: {each}" for each in found]
