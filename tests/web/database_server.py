"""A PostgreSQL server of the tests' own, where one is installed: started by them, and ended."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

USER = "postgres"
"""Who runs it where the tests are root's: it refuses to be."""
PATIENT = ("-t", "900")
"""A machine may be slow."""


@contextmanager
def database_server() -> Iterator[str]:
    """The address of a server without databases of its own; skips where there is none."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (pip install psycopg[binary])")
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed (on Debian: apt install postgresql)")
    asroot = os.geteuid() == 0
    if asroot and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL refuses to run as root, and there is no runuser")
    before = ["runuser", "-u", USER, "--"] if asroot else []
    # Not in the folder of the tests: that is nobody else's to enter, and its path can be too long.
    with TemporaryDirectory(prefix="pg") as folder:
        if asroot:
            shutil.chown(folder, USER)
        data = Path(folder) / "data"
        port = _free_port()

        def do(*command: str) -> None:
            done = subprocess.run(
                [*before, *command], cwd="/", capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stdout + done.stderr

        do(str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "tables", "-N")
        options = f"-p {port} -h 127.0.0.1 -k {folder}"
        log = str(Path(folder) / "log")
        do(
            str(programs / "pg_ctl"),
            "-D",
            str(data),
            "-o",
            options,
            "-l",
            log,
            "-w",
            *PATIENT,
            "start",
        )
        try:
            yield f"postgresql://tables@127.0.0.1:{port}/postgres"
        finally:
            do(str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", *PATIENT, "stop")


def _programs() -> Path | None:
    """The folder with the programs of a server."""
    found = shutil.which("pg_ctl")
    if found is not None:
        return Path(found).parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return places[-1].parent if places else None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
