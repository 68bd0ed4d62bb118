"""Cache of checked programs on disk, so that unchanged rules are checked once.

An entry records all file system queries made while the game was read: which files were looked up,
listings, and hashes of contents. It is valid if all queries still have the same results and the
checking code is the same. A process that is given the texts of rules looks programs up by a hash
of the texts.

The output of `check` is stored before the program and is read without it: the classes of a
program take longer to import than everything else that `check` needs.

Only rules without errors are cached. Entries are unpickled, so they are read only from a folder
to which nobody else can write.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, TypeVar

from lawspeaker.base.cache import LruCache as Recent
from lawspeaker.base.diagnostics import Diagnostic, with_noun
from lawspeaker.base.source import RuleFile
from lawspeaker.outside.library import Answers, Library, built_in
from lawspeaker.outside.modules import ModuleFolder, whole_cache

if TYPE_CHECKING:
    from lawspeaker import ir

CHECKED_BY = (
    *("base", "ir", "meaning", "text"),
    *("outside/library.py", "outside/loading.py", "outside/programs.py"),
)
"""Source files on which a checked program depends."""
_SHA256 = hashlib.sha256().digest_size
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """Output of `check` for rules without errors: warnings, numbers of clauses and choices; and
    the file system queries made on the way.
    """

    warnings: tuple[Diagnostic, ...]
    clauses: int
    choices: int
    answers: Answers

    @classmethod
    def of(
        cls, program: ir.Program, warnings: Sequence[Diagnostic], answers: Answers | None = None
    ) -> Verdict:
        choices = sum(clause.role == "choice" for clause in program.clauses)
        clauses = len(program.clauses) - choices
        return cls(tuple(warnings), clauses, choices, answers or {})

    def __str__(self) -> str:
        parts = [with_noun(self.clauses, "clause")]
        parts += [with_noun(self.choices, "choice")] if self.choices else []
        return f"{', '.join(parts)}, no errors"


@dataclass(frozen=True, slots=True)
class CachedProgram:
    """A program, and the files it was read from."""

    verdict: Verdict
    program: ir.Program
    taken: tuple[RuleFile, ...]


_folder: ModuleFolder | None = None
_recent: Recent[Any] = Recent(16)
"""Unpickled entries, so that repeated lookups return the same object."""


def keep_programs() -> None:
    """Enables the cache of programs on disk."""
    global _folder  # noqa: PLW0603
    _folder = ModuleFolder(whole_cache() / "programs")


def verdict(name: str, library: Library) -> Verdict | None:
    """The cached verdict on the rules of a name, if it is still valid."""
    return _verdict(_entry(_key(name, library)), library)


def cached(name: str, library: Library) -> CachedProgram | None:
    """The cached program of a name, if it is still valid."""
    entry = _entry(_key(name, library))
    known = _verdict(entry, library)
    kept = None if entry is None or known is None else _opened(entry[1], tuple)
    return None if known is None or kept is None else CachedProgram(known, *kept)


def _verdict(entry: tuple[bytes, bytes] | None, library: Library) -> Verdict | None:
    found = None if entry is None else _opened(entry[0], Verdict)
    return found if found is not None and library.answers_are(found.answers) else None


def store(name: str, library: Library, kept: CachedProgram) -> None:
    """Caches a checked program by name."""
    _put(_key(name, library), kept.verdict, (kept.program, kept.taken))


def of_texts(files: Sequence[RuleFile]) -> ir.Program | None:
    """The cached program of rules with these texts."""
    entry = _entry(_texts_key(files))
    kept = None if entry is None else _opened(entry[1], tuple)
    return None if kept is None else kept[0]


def keep_texts(files: Sequence[RuleFile], program: ir.Program) -> None:
    """Caches a checked program by the texts of its rules."""
    _put(_texts_key(files), None, (program,))


def _put(key: str, first: Verdict | None, second: tuple[Any, ...]) -> None:
    if _folder is None:
        return
    try:
        parts = [pickle.dumps(each, pickle.HIGHEST_PROTOCOL) for each in (first, second)]
    except RecursionError:  # nested too deep: not cached
        return
    content = len(parts[0]).to_bytes(_LENGTH, "little") + b"".join(parts)
    _folder.put(key, hashlib.sha256(content).digest() + content)
    _recent.get(hashlib.sha256(parts[1]).digest(), lambda: second)


def _entry(key: str) -> tuple[bytes, bytes] | None:
    """The two parts of a cache entry, if its checksum holds."""
    content = None if _folder is None else _folder.get(key)
    if content is None or hashlib.sha256(content[_SHA256:]).digest() != content[:_SHA256]:
        return None
    start = _SHA256 + _LENGTH
    end = start + int.from_bytes(content[_SHA256:start], "little")
    return content[start:end], content[end:]


Part = TypeVar("Part")


def _opened(content: bytes, kind: type[Part]) -> Part | None:
    try:
        found = _recent.get(hashlib.sha256(content).digest(), lambda: pickle.loads(content))
    except (pickle.PickleError, AttributeError, EOFError, ImportError, TypeError, ValueError):
        return None  # written by an incompatible version
    return found if isinstance(found, kind) else None


def _texts_key(files: Sequence[RuleFile]) -> str:
    texts = [(each.name, each.text, each.given, each.shown) for each in files]
    return hashlib.sha256(repr((texts, _checker())).encode()).hexdigest()


def _key(name: str, library: Library) -> str:
    where = (name, library.here, library.path, library.built_in)
    return hashlib.sha256(repr((where, _checker())).encode()).hexdigest()


@cache
def _checker() -> str:
    """Hash of the checking code's file sizes and times, and of the Python version."""
    content = hashlib.sha256(sys.version.encode())
    package = Path(__file__).parents[1]
    for start in (*(package / each for each in CHECKED_BY), built_in() / "schema"):
        for file in [start] if start.is_file() else sorted(start.rglob("*.*")):
            known = file.stat()
            if S_ISREG(known.st_mode) and file.suffix != ".pyc":
                content.update(f"{file}/{known.st_size}/{known.st_mtime_ns}\n".encode())
    return content.hexdigest()
