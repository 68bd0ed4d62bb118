"""The Makefile on machines that lack something, and that nothing is installed twice.

A stand-in for Python is put on an otherwise bare PATH, so nothing is downloaded here; that the
whole really installs and runs is seen by anyone who runs `make test`, and by test_wheel.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.checkout import ROOT

MAKE = shutil.which("gmake") or shutil.which("make")
TOOLS = ("sh", "cat", "touch", "test", "pwd", "mkdir", "rm", "find", "chmod")

pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed")

# Says which version it is and whether it can make environments; what it makes are environments
# whose python, pip and lawspeaker only note in the file "log" what they were asked.
STAND_IN = """#!/bin/sh
case "$*" in
    *version_info\\ *) exit {too_old} ;;
    *ensurepip*) exit {bare} ;;
    *print*) echo {version} ;;
    --version) echo Python {version} ;;
    "-m venv --clear .venv")
        rm -rf .venv
        mkdir -p .venv/bin
        for name in python lawspeaker; do
            echo '#!/bin/sh' > .venv/bin/$name
            echo 'echo "'$name' $*" >> log' >> .venv/bin/$name
            chmod +x .venv/bin/$name
        done
        echo "venv by {name}" >> log ;;
    *) exit 9 ;;
esac
"""


class Machine:
    """A folder with the Makefile in it, and a PATH with nothing but a few tools."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "check out"
        self.tools = folder / "bin"
        self.tools.mkdir()
        (self.checkout / "rules" / "duel").mkdir(parents=True)
        (self.checkout / "rules" / "duel" / "game.yaml").touch()
        shutil.copy(ROOT / "Makefile", self.checkout)
        (self.checkout / "pyproject.toml").touch()
        (self.checkout / "locks").mkdir()
        for name in ("test.txt", "serve.txt"):
            (self.checkout / "locks" / name).touch()
        for name in TOOLS:
            if found := shutil.which(name):
                (self.tools / name).symlink_to(found)

    def add_python(self, name: str, version: str, bare: bool = False) -> None:
        too_old = tuple(map(int, version.split("."))) < (3, 11)
        script = STAND_IN.format(name=name, version=version, too_old=int(too_old), bare=int(bare))
        file = self.tools / name
        file.write_text(script, encoding="utf-8")
        file.chmod(0o755)

    def make(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        assert MAKE
        return subprocess.run(
            [MAKE, *arguments],
            cwd=self.checkout,
            env={"PATH": str(self.tools)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def log(self) -> list[str]:
        """What was asked for since the last time."""
        file = self.checkout / "log"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_python_make_names_what_is_missing(machine: Machine) -> None:
    answer = machine.make("play")
    assert answer.returncode != 0
    assert "needs Python 3.11 or newer" in answer.stderr
    assert "apt install python3 python3-venv" in answer.stderr


def test_with_an_old_python(machine: Machine) -> None:
    machine.add_python("python3", "3.9")
    answer = machine.make("test")
    assert answer.returncode != 0
    assert "needs Python 3.11 or newer" in answer.stderr


def test_without_venv(machine: Machine) -> None:
    machine.add_python("python3", "3.12", bare=True)
    answer = machine.make("play")
    assert answer.returncode != 0
    assert "apt install python3.12-venv" in answer.stderr
    assert not (machine.checkout / ".venv").exists()


def test_the_first_python_that_will_do_is_taken(machine: Machine) -> None:
    machine.add_python("python3.13", "3.13", bare=True)
    machine.add_python("python3.11", "3.11")
    machine.add_python("python3", "3.14")
    assert machine.make("play").returncode == 0
    assert machine.log()[0] == "venv by python3.11"
    assert machine.make("clean").returncode == 0
    assert not (machine.checkout / ".venv").exists()
    assert machine.make("play", "PYTHON=python3").returncode == 0
    assert machine.log()[0] == "venv by python3"


def test_nothing_is_installed_twice(machine: Machine) -> None:
    machine.add_python("python3", "3.11")
    play = "lawspeaker play walhalla --seed 7"
    machine.make("play", "ARGS=--seed 7")
    first = machine.log()
    assert [line for line in first if "-e .[web]" in line]
    assert first[-1] == play
    machine.make("play", "ARGS=--seed 7")
    assert machine.log() == [play]

    pyproject = machine.checkout / "pyproject.toml"
    later = pyproject.stat().st_mtime + 60
    os.utime(pyproject, (later, later))
    machine.make("play", "ARGS=--seed 7")
    assert len(machine.log()) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are others there")
def test_at_a_terminal_the_table_is_opened_in_the_browser(machine: Machine) -> None:
    import pty

    machine.add_python("python3", "3.11")
    machine.make("play")
    machine.log()
    assert MAKE
    ours, theirs = pty.openpty()
    try:
        subprocess.run(
            [MAKE, "play", "ARGS=--port 8000"],
            cwd=machine.checkout,
            env={"PATH": str(machine.tools)},
            stdin=theirs,
            stdout=theirs,
            timeout=60,
            check=True,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert machine.log() == ["lawspeaker serve --open --port 8000"]


def test_the_tests_install_all_that_playing_needs(machine: Machine) -> None:
    machine.add_python("python3", "3.11")
    assert machine.make("test").returncode == 0
    asked = [line.split("-m ")[-1].split()[0] for line in machine.log()[1:]]
    assert asked == ["pip", "pytest"]
    machine.make("check")
    assert machine.log() == ["lawspeaker check duel"]


def test_what_is_locked_is_installed_with_hashes(machine: Machine) -> None:
    machine.add_python("python3", "3.11")
    assert machine.make("play", "LOCKED=1").returncode == 0
    _, packages, ours, _ = machine.log()
    assert packages.endswith("--require-hashes -r locks/serve.txt")
    assert ours.endswith("--no-deps --no-build-isolation -e .")
    assert machine.make("test", "LOCKED=1").returncode == 0
    assert machine.log()[0].endswith("--require-hashes -r locks/test.txt")


def test_an_environment_that_was_moved_is_made_anew(machine: Machine) -> None:
    machine.add_python("python3", "3.11")
    machine.make("play")
    machine.log()
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    machine.make("play")
    assert machine.log()[0] == "venv by python3"


def test_the_help_names_every_target(machine: Machine) -> None:
    answer = machine.make()
    for target in ("play", "check", "test", "accept", "wheel", "lock", "audit", "clean"):
        assert f"make {target}" in answer.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_the_script_for_continuous_integration_runs_the_tests(machine: Machine) -> None:
    machine.add_python("python3", "3.11")
    script = machine.checkout / ".ci" / "run"
    script.parent.mkdir()
    shutil.copy(ROOT / ".ci" / "run", script)
    assert MAKE
    (machine.tools / "make").symlink_to(MAKE)
    for name in ("bash", "dirname", "env"):
        (machine.tools / name).symlink_to(shutil.which(name) or name)
    subprocess.run([script], cwd=script.parent, env={"PATH": str(machine.tools)}, check=True)
    log = machine.log()
    assert [line for line in log if line.endswith("--require-hashes -r locks/test.txt")]
    assert log[-1].startswith("python -m pytest -n auto")
