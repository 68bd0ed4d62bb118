"""Reads rules from git history: NAME@REVISION is a game at a revision of its repository.

The revision may be anything git knows: a tag, a branch, a commit, `HEAD~2`. Only files of the
game and the variants around it are extracted, and only regular text files of bounded size, into a
temporary folder in which a library finds them as usual.

The only code that calls git. Arguments are passed as a list, never through a shell; no hook runs
and nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from lawspeaker.outside.library import (
    LARGEST,
    SIGN,
    SUFFIX,
    Library,
    LibraryError,
    NotFound,
    is_restricted,
)

MOST_FILES = 2_000
MOST_BYTES = 32 * LARGEST
SECONDS = 30
_KEPT = (SUFFIX, ".lock")
_PLAIN = ("100644", "100755")
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class Named:
    """A game at a revision; `game` is its usual name."""

    game: str
    revision: str


def at_revision(game: str, library: Library) -> Named | None:
    """Parses NAME@REVISION; None if it is no such name, or that of an existing file."""
    if SIGN not in game or library.find_game(game) is not None:
        return None
    signs = [at for at, sign in enumerate(game) if sign == SIGN]
    said = [Named(game[:at], game[at + 1 :]) for at in signs if at]
    there = (each for each in said if library.find_game(each.game) is not None)
    return next(there, said[0] if said else None)


def without_revision(game: str, library: Library) -> str:
    """The name of a game without its revision."""
    named = at_revision(game, library)
    return game if named is None else named.game


@contextmanager
def as_it_was(named: Named, library: Library) -> Iterator[tuple[str, Library]]:
    """Extracts a game; yields its name and the library that finds it; raises LibraryError."""
    whole = f"{named.game}{SIGN}{named.revision}"
    if is_restricted():
        raise LibraryError(f"{whole!r}: no older revisions are read here")
    entry = library.find_game(named.game)
    start = library.here if entry is None else library.here / entry.parent
    top = Path(_git(start, whole, "rev-parse", "--show-toplevel").decode().strip()).resolve()
    commit = _commit(top, named.revision, whole)
    here = _within(library.here.resolve(), top)
    paths = _paths(named.game, here, None if entry is None else _within(start.resolve(), top))
    with TemporaryDirectory(prefix="lawspeaker-") as temporary:
        folder = Path(temporary).resolve()
        root = folder / PurePosixPath(named.revision).name
        for path, text in _texts(top, commit, paths, whole):
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
        then = Library(folder, (root / here, root), library.built_in)
        yield _found(named, entry, top, root, then, library.games()), then


def _found(
    named: Named, entry: Path | None, top: Path, root: Path, then: Library, known: Sequence[str]
) -> str:
    """The name by which the game is found among the extracted files."""
    name = named.game
    if entry is not None:
        name = str(root / (entry.parent.resolve() / entry.name).relative_to(top))
    if then.find_game(name) is None or not then.game(name).is_relative_to(root):
        raise NotFound(f"game in revision {named.revision!r} named", named.game, known)
    return name


def _commit(top: Path, revision: str, whole: str) -> str:
    if not revision or revision.startswith("-"):
        raise LibraryError(f"{whole!r} names no revision; write NAME@TAG, NAME@HEAD~1 or the like")
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        return _git(top, whole, *words).decode().strip()
    except LibraryError:
        tags = _git(top, whole, "tag", "--list", "--sort=-creatordate").decode().split()
        known = f"; its newest tags: {', '.join(tags[:5])}" if tags else "; it has no tags"
        raise LibraryError(f"git knows no revision {revision!r} in {top.name!r}{known}") from None


def _within(folder: Path, top: Path) -> PurePosixPath:
    """Path of a folder in a repository; the top, if the folder lies outside."""
    inside = folder.relative_to(top).as_posix() if folder.is_relative_to(top) else "."
    return PurePosixPath(inside)


def _paths(game: str, here: PurePosixPath, home: PurePosixPath | None) -> list[str]:
    """Paths that may hold files of a game and its variants."""
    if home is None:
        named = PurePosixPath(game)
        if named.is_absolute() or ".." in named.parts:
            return []
        places = [here / "rules" / named, here / named, here / f"{game}{SUFFIX}"]
        return [each.as_posix() for each in (*places, here / "variants")]
    around = [home.parent.parent, home.parent, home, here]
    return list(dict.fromkeys([f"{home}/", *(str(each / "variants") for each in around)]))


def _texts(
    top: Path, commit: str, paths: Sequence[str], whole: str
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yields the regular text files at these paths."""
    if not paths:
        return
    listed = _git(top, whole, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *paths)
    files: list[tuple[PurePosixPath, str]] = []
    room = MOST_BYTES
    for line in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        about, _, path = line.partition("\t")
        mode, kind, blob, size = about.split()
        name = PurePosixPath(path)
        if mode in _PLAIN and kind == "blob" and name.suffix in _KEPT and ".." not in name.parts:
            room -= int(size)
            if int(size) <= LARGEST:
                files.append((name, blob))
    if len(files) > MOST_FILES or room < 0:
        raise LibraryError(f"there are too many files around {whole!r} to be read at once")
    asked = "".join(f"{blob}\n" for _, blob in files).encode()
    told = _git(top, whole, "cat-file", "--batch", given=asked)
    at = 0
    for name, _ in files:
        end = told.index(b"\n", at)
        long = int(told[at:end].split()[-1])
        yield name, told[end + 1 : end + 1 + long]
        at = end + long + 2


def _git(folder: Path, whole: str, *words: str, given: bytes = b"") -> bytes:
    """Runs git in a folder and returns its output; raises LibraryError."""
    command = ["git", "--no-pager", "--literal-pathspecs", "-C", str(folder), *words]
    try:
        found = subprocess.run(
            command,
            input=given,
            capture_output=True,
            timeout=SECONDS,
            env={**os.environ, **_ENVIRONMENT},
            check=False,
        )
    except FileNotFoundError:
        raise LibraryError(f"{whole!r} is a revision, and git is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LibraryError(f"{whole!r} cannot be read: git failed ({error})") from None
    if found.returncode:
        said = found.stderr.decode("utf-8", "replace").strip().splitlines()
        if words[0] == "rev-parse" and "--show-toplevel" in words:
            reason = "it lies in no git repository" if _in_none(said) else "".join(said[:1])
            raise LibraryError(f"{whole!r} is a revision of a game, but {reason}")
        raise LibraryError(f"{whole!r} cannot be read: {''.join(said[:1]) or 'git failed'}")
    return found.stdout


def _in_none(said: Sequence[str]) -> bool:
    return any("not a git repository" in line for line in said)
