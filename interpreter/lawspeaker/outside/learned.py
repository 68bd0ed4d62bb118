"""What was learned of games, kept in files: an edge.

The folder is `learned` in `lawspeaker` in the user's cache folder. A file is named for the game,
the number of players and the rules it was learned by. For rules of which nothing was learned yet,
what was learned last of the same game will do: a variant starts from there.

What is replaced is not lost: it stays beside the new one, named for its print, so that figures of
it can be repeated, and what took long is there still. Of very many, those go first that were
learned from the fewest games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lawspeaker import ir
from lawspeaker.outside.modules import whole_cache
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.players.bots.policies import HEADING, About, Lesson, mark_of, unpacked
from lawspeaker.position.fault import NothingLearned

ENDING, REPLACED = ".learned", ".before"
MOST_REPLACED = 20
"""So many that were replaced are kept of the same rules and players."""
LARGEST_FILE = 1 << 20


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

    def marked(self, program: ir.Program, mark: str) -> bytes | None:
        """What was learned of a game and has this print, also if it was replaced since."""
        for file in (*self._files(program), *self._files(program, REPLACED)):
            content = self.read(str(file))
            if content is not None and mark_of(content) == mark:
                return content
        return None

    def place(self, about: About) -> Path:
        """The file in which this would be kept; the folder is made, if that can be."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder / f"{_safe(about.game)}-{about.players}-{about.digest[:16]}{ENDING}"

    def keep(self, about: About, content: bytes) -> Path:
        """Puts what was learned into the folder, and leaves beside it what was there; raises
        NotSaved."""
        path = self.place(about)
        if put_aside(path, content) is not None:
            _thin_out(path)
        write(path, content)
        return path

    def _files(self, program: ir.Program, ending: str = ENDING) -> list[Path]:
        try:
            return list(self.folder.glob(f"{_safe(program.name)}-*{ending}"))
        except OSError:
            return []


def lesson_in(file: Path) -> Lesson | None:
    """What stands in a file, if it is something learned that can be read."""
    try:
        content = file.read_bytes() if file.stat().st_size <= LARGEST_FILE else b""
        return Lesson(mark_of(content), unpacked(content, "it").about)
    except (OSError, NothingLearned):
        return None


def aside(file: Path, mark: str) -> Path:
    """Where something learned lies after it was replaced."""
    return file.with_name(f"{file.stem}-{mark}{REPLACED}")


def put_aside(file: Path, content: bytes) -> Path | None:
    """Something learned that is about to be replaced by something else is copied beside it; says
    where to. Raises NotSaved."""
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
    """Of those that a file has replaced, the ones from the fewest games go, if there are many."""
    with suppress(OSError):
        found = [(lesson_in(each), each) for each in file.parent.glob(f"{file.stem}-*{REPLACED}")]
        games = {each: lesson.about.every_game if lesson else 0 for lesson, each in found}
        for each in sorted(games, key=lambda one: games[one])[: max(0, len(games) - MOST_REPLACED)]:
            each.unlink()


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
