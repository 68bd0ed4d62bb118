"""Checked programs kept on disk, so that rules that have not changed are checked once.

Whatever was asked of the disk while a game was read is kept with its program: which files were
looked for, what was listed, and a hash of what was read. The program is used again only if all of
that is still answered in the same way, and if the code that checks is the same.

Only rules without errors are kept. What lies there is unpickled, so it is read only from a folder
to which nobody else can write. This module is an edge: it touches the disk.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from stat import S_ISREG

from lawspeaker import ir
from lawspeaker.base.cache import Kept as Recent
from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.base.source import RuleFile
from lawspeaker.outside.library import Answers, Library, built_in
from lawspeaker.outside.modules import Folder, whole_cache

CHECKED_BY = (
    *("base", "ir", "meaning", "text"),
    *("outside/library.py", "outside/loading.py", "outside/programs.py"),
)
"""The code on which a checked program depends."""
_SHA256 = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class Kept:
    """A program, the warnings about it, the files it was read from, and all that was asked of the
    disk meanwhile."""

    program: ir.Program
    warnings: tuple[Diagnostic, ...]
    taken: tuple[RuleFile, ...]
    answers: Answers


_folder: Folder | None = None
_recent: Recent[Kept] = Recent(16)
"""Who asks for one of these again gets the same, so that what was made of it is not made again."""


def keep_programs() -> None:
    """From here on programs are kept from one run to the next."""
    global _folder  # noqa: PLW0603
    _folder = Folder(whole_cache() / "programs")


def found(name: str, library: Library) -> Kept | None:
    """The program of a name, if it is kept and nothing has changed since."""
    content = None if _folder is None else _folder.get(_key(name, library))
    if content is None or hashlib.sha256(content[_SHA256:]).digest() != content[:_SHA256]:
        return None
    try:
        kept = _recent.get(content[:_SHA256], lambda: pickle.loads(content[_SHA256:]))
    except (pickle.PickleError, AttributeError, EOFError, ImportError, TypeError, ValueError):
        return None  # it was written by other code after all
    return kept if isinstance(kept, Kept) and library.answers_are(kept.answers) else None


def keep(name: str, library: Library, kept: Kept) -> None:
    if _folder is None:
        return
    try:
        content = pickle.dumps(kept, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # it is nested too deep, and will be checked again
        return
    digest = hashlib.sha256(content).digest()
    _folder.put(_key(name, library), digest + content)
    _recent.get(digest, lambda: kept)


def _key(name: str, library: Library) -> str:
    where = (name, library.here, library.path, library.built_in)
    return hashlib.sha256(repr((where, _checker())).encode()).hexdigest()


@cache
def _checker() -> str:
    """A name that changes with the code that checks rules, and with Python."""
    content = hashlib.sha256(sys.version.encode())
    package = Path(__file__).parents[1]
    for start in (*(package / each for each in CHECKED_BY), built_in() / "schema"):
        for file in [start] if start.is_file() else sorted(start.rglob("*.*")):
            known = file.stat()
            if S_ISREG(known.st_mode) and file.suffix != ".pyc":
                content.update(f"{file}/{known.st_size}/{known.st_mtime_ns}\n".encode())
    return content.hexdigest()
