"""A pseudo-terminal with a program in it: reads its output, types lines."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9])")
PROMPT = "> "
PATIENCE = 60.0
START = """
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.argv[0] = "lawspeaker"
runpy.run_module("lawspeaker", run_name="__main__")
"""
"""Makes the terminal the program's own, so that its keys can interrupt it."""


class Terminal:
    """`lawspeaker` with some arguments, in a terminal of so many columns and lines."""

    def __init__(
        self, *arguments: str, folder: Path, columns: int = 80, lines: int = 40, **settings: str
    ) -> None:
        self.master, slave = pty.openpty()
        self.resize(columns, lines)
        hidden = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        environment |= {
            "PYTHONPATH": str(ROOT / "interpreter"),
            "XDG_STATE_HOME": str(folder / "state"),
            "TERM": "xterm-256color",
            "PYTHONIOENCODING": "utf-8",
            **settings,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.printed = ""
        self.seen = 0

    def resize(self, columns: int, lines: int) -> None:
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def type(self, line: str, end: str = "\r") -> None:
        self.seen = len(self.printed)
        os.write(self.master, (line + end).encode())

    def read(self, seconds: float) -> bool:
        """Reads what there is; whether there was anything."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            found = os.read(self.master, 65536)
        except OSError:
            return False
        self.printed += found.decode("utf-8", "replace")
        return bool(found)

    def text(self) -> str:
        """What was printed since the last line was typed, without colours."""
        return ESCAPE.sub("", self.printed[self.seen :]).replace("\r\n", "\n").replace("\r", "\n")

    def wait(self, wanted: str = PROMPT) -> str:
        """Reads until the text ends so; fails if the program ends or takes too long."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.text().endswith(wanted) and not self.read(0.05):
                return self.text()
            if not self.read(0.1) and self.process.poll() is not None:
                break
        raise AssertionError(f"no {wanted!r} at the end of\n{self.text()[-3000:]}")

    def end(self) -> str:
        """Reads to the end of the program."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not self.read(0.1) and self.process.poll() is not None:
                while self.read(0.05):
                    pass
                return self.text()
        raise AssertionError(f"it does not end:\n{self.text()[-3000:]}")

    def ask(self, line: str, wanted: str = PROMPT) -> str:
        self.type(line)
        return self.wait(wanted)

    def signal(self, number: signal.Signals) -> None:
        self.seen = len(self.printed)
        self.process.send_signal(number)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
