"""The checkout that the tests of this folder look at: its top, and the files that belong to it."""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "interpreter" / "lawspeaker"
NOT_OURS = frozenset({"build", "dist", "__pycache__"})


@cache
def files() -> tuple[Path, ...]:
    """All files that are tracked or soon will be, as paths relative to ROOT.

    A new file counts unless it lies at the very top: notes and logs of the day are put there.
    Where git cannot say (an unpacked source archive), all counts that is not made by a tool.
    """
    try:
        tracked = _git_files("--cached")
        new = _git_files("--others", "--exclude-standard")
    except (OSError, subprocess.CalledProcessError):
        found = (file.relative_to(ROOT) for file in ROOT.rglob("*"))
        listed = {file for file in found if not any(map(_is_made, file.parts[:-1]))}
    else:
        listed = tracked | {file for file in new if len(file.parts) > 1 or not tracked}
    return tuple(sorted(file for file in listed if (ROOT / file).is_file()))


def python_files(*folders: str) -> tuple[Path, ...]:
    """The Python files under these top-level folders."""
    return tuple(file for file in files() if file.suffix == ".py" and file.parts[0] in folders)


def text_of(file: Path) -> str | None:
    """The text of a file, or nothing if it is not text."""
    try:
        return (ROOT / file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def parsed(file: Path) -> ast.Module:
    """The syntax tree of a Python file, kept for all tests of the group "source tree"."""
    return _parsed(ROOT / file)


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _git_files(*which: str) -> set[Path]:
    command = ["git", "ls-files", "-z", *which]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    return {Path(name) for name in answer.stdout.split("\0") if name}


def _is_made(folder: str) -> bool:
    return folder in NOT_OURS or (folder.startswith(".") and folder != ".ci")
