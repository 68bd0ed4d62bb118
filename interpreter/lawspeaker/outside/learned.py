"""Stores learned policies as files in the user's cache folder.

The folder is `learned` in `lawspeaker` in the user's cache folder. A file is named for the game,
the number of players and the digest of the rules. If nothing was learned by some rules, the
latest policy of the same game is used, so a variant starts from there.

A replaced policy stays beside the new one, named for its digest, so that published figures can be
repeated. If there are too many, those trained on the fewest games are deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lawspeaker import ir
from lawspeaker.outside.modules import whole_cache
from lawspeaker.outside.storage import NotSaved, plain_file_name, write
from lawspeaker.players.bots.policies import HEADING, About, Lesson, mark_of, unpacked
from lawspeaker.position.fault import NothingLearned

ENDING, REPLACED = ".learned", ".before"
MOST_REPLACED = 20
"""Maximum number of replaced policies kept for the same rules and players."""
LARGEST_FILE = 1 << 20


class LearnedShelf:
    """Folder of learned policies."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or whole_cache() / "learned"

    def found(self, program: ir.Program, players: int) -> Iterator[bytes]:
        """Yields the policies of a game, those for these rules and players first."""
        files = self._files(program)
        files.sort(key=lambda file: _nearness(file, program, players), reverse=True)
        for file in files:
            content = self.read(str(file))
            if content is not None:
                yield content

    def has(self, program: ir.Program) -> bool:
        """Whether there is a policy for exactly these rules."""
        return bool(self.counts(program.digest))

    def counts(self, digest: str) -> tuple[int, ...]:
        """The player counts for which there is a readable policy for the rules of this digest."""
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

    def marked(self, program: ir.Program, mark: str) -> bytes | None:
        """Returns the policy of a game with this digest, also if it was replaced since."""
        for file in (*self._files(program), *self._files(program, REPLACED)):
            content = self.read(str(file))
            if content is not None and mark_of(content) == mark:
                return content
        return None

    def place(self, about: About) -> Path:
        """The file for such a policy; creates the folder if possible."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = plain_file_name(about.game)
        return self.folder / f"{name}-{about.players}-{about.digest[:16]}{ENDING}"

    def keep(self, about: About, content: bytes) -> Path:
        """Stores a policy and keeps the one it replaces; raises NotSaved."""
        path = self.place(about)
        if put_aside(path, content) is not None:
            _thin_out(path)
        write(path, content)
        return path

    def _files(self, program: ir.Program, ending: str = ENDING) -> list[Path]:
        try:
            return list(self.folder.glob(f"{plain_file_name(program.name)}-*{ending}"))
        except OSError:
            return []


def lesson_in(file: Path) -> Lesson | None:
    """Returns the header of the policy in a file, None if there is no readable one."""
    try:
        content = file.read_bytes() if file.stat().st_size <= LARGEST_FILE else b""
        return Lesson(mark_of(content), unpacked(content, "it").about)
    except (OSError, NothingLearned):
        return None


def aside(file: Path, mark: str) -> Path:
    """Path of a policy after it was replaced."""
    return file.with_name(f"{file.stem}-{mark}{REPLACED}")


def put_aside(file: Path, content: bytes) -> Path | None:
    """Copies a policy that is about to be replaced by a different one; returns the path of the
    copy.

    Raises NotSaved.
    """
    found = lesson_in(file)
    if found is None or found.mark == mark_of(content):
        return None
    copy = aside(file, found.mark)
    try:
        write(copy, file.read_bytes())
    except OSError as error:
        raise NotSaved(f"cannot copy '{file}': {error.strerror}") from None
    return copy


def _thin_out(file: Path) -> None:
    """Deletes replaced policies over the limit, those trained on the fewest games first."""
    with suppress(OSError):
        found = [(lesson_in(each), each) for each in file.parent.glob(f"{file.stem}-*{REPLACED}")]
        games = {each: lesson.about.every_game if lesson else 0 for lesson, each in found}
        for each in sorted(games, key=lambda one: games[one])[: max(0, len(games) - MOST_REPLACED)]:
            each.unlink()


def _named(file: Path, digest: str) -> bool:
    """Whether a file name says that its policy was learned by these rules."""
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
