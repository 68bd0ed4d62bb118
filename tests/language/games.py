"""The small games of this folder: where they are, what is said about them, what they expect.

A game is one file NAME.yaml, or a folder NAME with a game.yaml and what that names; the files
variant_*.yaml in it are variants, all laid over it; translations lie in its folder languages, locks
in its folder books. What is expected stands in the files, as a comment on the line in question:
`# error: CODE`, several codes with commas between them, or `# warning: CODE`. Where no comment can
stand on the line itself it stands above it: `# error below: CODE`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name

HERE = Path(__file__).parent
GOOD, BAD = HERE / "good", HERE / "bad"
_MARK = re.compile(r"#\s*(error|warning)( below)?:\s*([a-z-]+(?:\s*,\s*[a-z-]+)*)")

Found = tuple[str, int, str, str]
"""A file, a line, a severity and a code."""


@dataclass(frozen=True, slots=True)
class Game:
    name: str
    entry: Path
    files: tuple[Path, ...]


def games(folder: Path) -> list[Game]:
    single = [Game(file.stem, file, (file,)) for file in folder.glob("*.yaml")]
    several = [
        Game(each.name, each / "game.yaml", _files(each))
        for each in folder.iterdir()
        if each.is_dir()
    ]
    return sorted([*single, *several], key=lambda game: game.name)


def _files(folder: Path) -> tuple[Path, ...]:
    inside = ("*.yaml", "languages/*.yaml", "books/*.lock")
    return tuple(sorted(file for pattern in inside for file in folder.glob(pattern)))


def compiled(entry: Path, folder: Path) -> tuple[ir.Program | None, Diagnostics]:
    """The program of a game, if it has no errors, and all that is said about it."""
    diagnostics = Diagnostics()
    variants = sorted(entry.parent.glob("variant_*.yaml")) if entry.parent != folder else []
    name = "+".join(f"./{file.relative_to(folder).as_posix()}" for file in (entry, *variants))
    program = compile_name(name, diagnostics, Library(here=folder, path=()))
    return program, diagnostics


def found(diagnostics: Diagnostics) -> list[Found]:
    return sorted(
        (each.span.file.name, each.span.line, each.severity, each.code) for each in diagnostics
    )


def expected(game: Game, folder: Path) -> list[Found]:
    marks: list[Found] = []
    for file in game.files:
        name = file.relative_to(folder).as_posix()
        text = file.read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
            for mark in _MARK.finditer(line):
                codes = re.split(r"\s*,\s*", mark[3])
                marks += [(name, number + bool(mark[2]), mark[1], code) for code in codes]
    return sorted(marks)
