"""The shape of the repository: its folders and files, and what may not be in them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.repo.checkout import ROOT, files, parsed, python_files, text_of

pytestmark = pytest.mark.xdist_group("source tree")
FOLDERS = ("rules", "variants", "schema", "interpreter", "tests", "benchmarks", "docs")
TOP_FILES = ("README.md", "CHANGELOG.md", "LICENSE", "Makefile", "pyproject.toml", ".ci/run")

# Folders of one machine, which mean nothing on another. Written so as not to find itself.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:wo[r]k|tm[p]|ho[m]e|roo[t]|Use[r]s)/")


def test_the_top_level_has_its_folders_and_files() -> None:
    assert set(FOLDERS) <= {file.parts[0] for file in files()}
    assert [name for name in TOP_FILES if not (ROOT / name).is_file()] == []


def test_every_game_and_its_variants_are_where_they_are_looked_for() -> None:
    games = {file.parts[1] for file in files() if file.parts[0] == "rules" and len(file.parts) > 2}
    assert games
    assert all((ROOT / "rules" / game / "game.yaml").is_file() for game in games)
    patched = {f.parts[1] for f in files() if f.parts[0] == "variants" and len(f.parts) > 2}
    assert patched <= games


def test_every_module_has_a_docstring() -> None:
    without = [
        file.as_posix()
        for file in python_files("interpreter", "tests", "benchmarks")
        if not (file.name == "__init__.py" and file.parts[0] == "tests" and not text_of(file))
        and not ast.get_docstring(parsed(file))
    ]
    assert not without, "\n" + "\n".join(without)


def test_a_file_is_known_by_its_name() -> None:
    """A name that many files have says nothing about any of them."""
    package = [file for file in files() if file.is_relative_to("interpreter/lawspeaker")]
    times = Counter(file.name for file in package if file.suffix == ".py")
    del times["__init__.py"]
    assert [name for name, count in times.items() if count > 3] == []


def test_a_file_that_is_named_is_there() -> None:
    named = re.compile(r"\b(?:tests|benchmarks|interpreter)/[\w/]+\.py\b")
    missing = [
        f"{file.as_posix()} names {name}"
        for file in files()
        if file.suffix == ".md"
        for name in named.findall(text_of(file) or "")
        if not (ROOT / name).is_file()
    ]
    assert not missing, "\n" + "\n".join(missing)


@pytest.mark.full
def test_no_path_of_one_machine() -> None:
    found = [
        f"{file.as_posix()}:{number}: {line.strip()[:80]}"
        for file in files()
        for number, line in enumerate((text_of(file) or "").splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("folder", ["work", "tmp", "home"])
def test_a_path_of_one_machine_is_seen(folder: str) -> None:
    assert MACHINE_PATH.search(f"see /{folder}/file")
    assert MACHINE_PATH.search(f"file:///{folder}/file")
    assert not MACHINE_PATH.search(f"rules/{folder}/file")


def test_what_is_run_can_be_run() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert script.read_text(encoding="utf-8").startswith("#!")


def test_files_of_the_listing_exist() -> None:
    assert Path("pyproject.toml") in files()
    assert Path("tests/repo/test_layout.py") in files()
