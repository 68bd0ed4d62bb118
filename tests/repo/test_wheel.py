"""The wheel, as a user gets it: built, installed where nothing else is, and used from anywhere.

Dependencies come from a package index. Only where pip can reach none are these tests skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.repo.checkout import ROOT, files

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("wheel")]

SHIPPED = {"rules": "lawspeaker/data", "variants": "lawspeaker/data", "schema": "lawspeaker/data"}
PIP = (sys.executable, "-m", "pip")
PATIENCE = 600
"""Seconds that building or installing may take."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A wheel built from the source archive of a copy of the checkout, and an environment with
    nothing else in it."""

    wheel: Path
    scripts: Path
    empty: Path

    def lawspeaker(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command from an empty folder, with no terminal."""
        return run([str(self.scripts / "lawspeaker"), *arguments], self.empty, 120)


def run(command: list[str], folder: Path, patience: int) -> subprocess.CompletedProcess[str]:
    """Run a command as if nothing of this checkout were known."""
    hidden = ("LAWSPEAKER_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=patience,
        check=False,
    )


def run_checked(command: list[str], folder: Path) -> None:
    answer = run(command, folder, PATIENCE)
    assert answer.returncode == 0, f"{' '.join(command)}\n{answer.stdout}"


def skip_without_index(folder: Path) -> None:
    """Skip if pip finds not even the build tool, wherever it looks."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    probe = [*PIP, "download", "--quiet", "--no-deps", "--retries", "1"]
    needed = settings["build-system"]["requires"]
    answer = run([*probe, "--dest", str(folder / "probe"), *needed], folder, PATIENCE)
    if answer.returncode:
        last = (answer.stdout.strip().splitlines() or ["no message"])[-1]
        pytest.skip(f"pip reaches no package index, so nothing can be installed: {last}")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    empty = folder / "empty"
    empty.mkdir()
    checkout = folder / "checkout"
    for file in files():
        (checkout / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, checkout / file)

    environment = folder / "environment"
    venv.create(environment)  # the pip that is here installs into it
    scripts = environment / ("Scripts" if sys.platform == "win32" else "bin")
    skip_without_index(folder)

    run_checked([sys.executable, "-m", "build", "--outdir", str(folder), str(checkout)], folder)
    (wheel,) = folder.glob("*.whl")
    into = [*PIP, "--python", str(scripts / "python"), "install", "--quiet", "--no-compile"]
    run_checked([*into, str(wheel)], folder)
    return Installed(wheel, scripts, empty)


def test_the_wheel_holds_the_package_and_its_data(installed: Installed) -> None:
    """Each file as it is in the checkout, though it came by way of the source archive."""
    expected = (
        {
            f"{SHIPPED[file.parts[0]]}/{file.as_posix()}": file
            for file in files()
            if file.parts[0] in SHIPPED
        }
        | {
            file.relative_to("interpreter").as_posix(): file
            for file in files()
            if file.is_relative_to("interpreter/lawspeaker")
        }
        | {
            f"lawspeaker/data/{file.as_posix()}": file  # the manual of workshop and models
            for file in files()
            if file.is_relative_to("docs/language") or file == Path("docs/recipes.md")
        }
    )
    with zipfile.ZipFile(installed.wheel) as wheel:
        held = {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}
    assert held.keys() == expected.keys()
    other = [name for name, file in expected.items() if held[name] != (ROOT / file).read_bytes()]
    assert not other
    assert "lawspeaker/text/parse/grammar.lark" in held
    assert "lawspeaker/base/phrases/en/play.toml" in held
    assert "lawspeaker/py.typed" in held


def test_built_in_rules_are_checked_from_an_empty_folder(installed: Installed) -> None:
    answer = installed.lawspeaker("check", "walhalla")
    assert answer.returncode == 0, answer.stdout


def test_bots_play_a_game_without_a_terminal(installed: Installed) -> None:
    seats = "random,random,random,random"
    answer = installed.lawspeaker("play", "walhalla", "--seats", seats, "--seed", "1")
    assert answer.returncode == 0, answer.stdout
    start = [match.start() for match in re.finditer(r"\bscores?\b", answer.stdout, re.IGNORECASE)]
    assert start, f"no final scores in\n{answer.stdout}"
    assert len(re.findall(r"\d+", answer.stdout[start[-1] :])) >= 4, answer.stdout


def test_a_new_game_is_made_and_passes(installed: Installed, tmp_path: Path) -> None:
    made = installed.lawspeaker("new", "my_own", "--folder", str(tmp_path))
    assert made.returncode == 0, made.stdout
    passed = installed.lawspeaker("scenario", str(tmp_path / "my_own"))
    assert passed.returncode == 0, passed.stdout


def test_nothing_is_left_in_the_current_folder(installed: Installed) -> None:
    installed.lawspeaker("check", "walhalla")
    assert not list(installed.empty.iterdir())
