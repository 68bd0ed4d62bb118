"""What was learned of games, kept in files: an edge.

The folder is `learned` in `lawspeaker` in the user's cache folder. A file is named for the game,
the number of players and the rules it was learned by. For rules of which nothing was learned yet,
what was learned last of the same game will do: a variant starts from there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lawspeaker import ir
from lawspeaker.outside.storage import write
from lawspeaker.players.bots.policies import HEADING, About

ENDING = ".learned"
LARGEST_FILE = 1 << 20


def whole_cache() -> Path:
    """The folder in which everything is kept that can be made again."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "lawspeaker"


class LearnedShelf:
    """The folder of what was learned."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or whole_cache() / "learned"

    def found(self, program: ir.Program, players: int) -> Iterator[bytes]:
        """What was learned for these rules and players, and then what comes closest."""
        files = self._files(program)
        files.sort(key=lambda file: _nearness(file, program, players), reverse=True)
        for file in files:
            content = self.read(str(file))
            if content is not None:
                yield content

    def has(self, program: ir.Program) -> bool:
        """Whether something was learned for these very rules."""
        return bool(self.counts(program.digest))

    def counts(self, digest: str) -> tuple[int, ...]:
        """For how many players something was learned by the very rules of a digest, which this
        version can read."""
        try:
            files = [each for each in self.folder.glob(f"*{ENDING}") if _named(each, digest)]
        except OSError:
            return ()
        return tuple(sorted(int(each.stem.split("-")[-2]) for each in files if _readable(each)))

    def read(self, file: str) -> bytes | None:
        with suppress(OSError, ValueError):
            path = Path(file)
            if path.stat().st_size <= LARGEST_FILE:
                return path.read_bytes()
        return None

    def keep(self, about: About, content: bytes) -> Path:
        """Puts what was learned into the folder; raises NotSaved."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.folder / f"{_safe(about.game)}-{about.players}-{about.digest[:16]}{ENDING}"
        write(path, content)
        return path

    def _files(self, program: ir.Program) -> list[Path]:
        try:
            return list(self.folder.glob(f"{_safe(program.name)}-*{ENDING}"))
        except OSError:
            return []


def _safe(name: str) -> str:
    return re.sub("[^A-Za-z0-9_]", "_", name)


def _named(file: Path, digest: str) -> bool:
    """Whether a file is named as one that was learned by these rules."""
    return re.search(rf"-\d+-{re.escape(digest[:16])}$", file.stem) is not None


def _readable(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(HEADING)) == HEADING
    except OSError:
        return False


def _digest(file: Path) -> str:
    return file.stem.rpartition("-")[2]


def _nearness(file: Path, program: ir.Program, players: int) -> tuple[bool, bool, float]:
    same = _digest(file) == program.digest[:16]
    when = 0.0
    with suppress(OSError):
        when = file.stat().st_mtime
    return same, file.stem.split("-")[-2] == str(players), when
