"""Workspaces: files that are being edited, with cached analyses of the rules they belong to.

A `Folder` has them on disk, below the texts open in an editor; a `Bundle` has all of them in
memory, as drafts come from a browser. A file is identified by its path, and its rules by a name.
`Workspace.analysis` returns the last analysis, renewed when one of the files has changed. Parsing
is incremental (`text/document` and `text/parse` cache by text).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Literal

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.editing.analysis import Analysis, analysed, with_slow_checks
from lawspeaker.editing.fixes import Edit
from lawspeaker.meaning.compile import Opened
from lawspeaker.text.document import Mapping
from lawspeaker.text.rulebook import is_beside, is_lock

FileKind = Literal["game", "variant", "translation", "scenario"]


@dataclass(frozen=True, slots=True)
class OpenRules:
    """The rules that a file belongs to. `game` is how the library knows the game."""

    kind: FileKind
    name: str
    game: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The files, locks and pictures read for some rules; equality compares these."""

    opened: Opened | None = field(compare=False)
    files: tuple[SourceFile, ...]
    locks: tuple[SourceFile, ...] = ()
    pictures: tuple[SourceFile, ...] = ()


def reading(opened: Opened | None, files: Iterable[tuple[str, SourceFile]]) -> Reading:
    """Sorts the files that were read, by the names that rules have for them."""
    sorts: dict[str, list[SourceFile]] = {"rules": [], "locks": [], "pictures": []}
    for name, file in files:
        sort = "locks" if is_lock(name) else "pictures" if is_beside(name) else "rules"
        sorts[sort].append(file)
    return Reading(opened, *map(tuple, sorts.values()))


class Superseded(Exception):
    """The text has changed since; the analysis in progress is obsolete."""


class Workspace(ABC):
    """Base class of workspaces.

    `version` increases with every change; `paths` maps display names to the files that were read.
    """

    def __init__(self) -> None:
        self.version = 0
        self.paths: dict[str, Path] = {}
        self._last: dict[str, tuple[int, Reading, Analysis]] = {}
        self._weighed: dict[str, tuple[Analysis, Analysis]] = {}
        self._good: dict[str, Analysis] = {}
        self._looking = RLock()

    # ------------------------------------------------------------ files, and whose they are

    @abstractmethod
    def source(self, path: Path) -> SourceFile:
        """A file as it is now; raises LibraryError."""

    @abstractmethod
    def shown(self, path: Path) -> str:
        """Display name of a file."""

    @abstractmethod
    def listed(self, path: Path, name: str) -> Path | None:
        """The file that an entry file's `files` names."""

    @abstractmethod
    def unit(self, path: Path) -> OpenRules | None:
        """The rules that a file belongs to; None if it is no file of rules."""

    @abstractmethod
    def units(self, unit: OpenRules, path: Path) -> list[str]:
        """All rules in which names of a game may occur: the game, each variant, and combinations
        of variants that change each other.
        """

    @abstractmethod
    def scenarios(self, game: str, path: Path) -> list[tuple[Path, Mapping]]:
        """The scenarios of a game or its variants: path and parsed content."""

    @abstractmethod
    def translations(self, unit: OpenRules, path: Path) -> list[tuple[Path, Edit]]:
        """Edits that update the translations of some rules, including missing files."""

    @abstractmethod
    def changed(self, texts: dict[Path, str]) -> Workspace:
        """A copy with other texts in some files; this one is unchanged."""

    @abstractmethod
    def read(self, name: str, path: Path, diagnostics: Diagnostics) -> Reading:
        """Reads some rules as they are now."""

    def path_of(self, shown: str) -> Path | None:
        """The file with a display name."""
        return self.paths.get(shown)

    # ------------------------------------------------------------ looking at them

    def analysis(
        self, name: str, path: Path, *, played: bool = False, unless_changed: bool = False
    ) -> Analysis:
        """Analyses some rules; with `played`, including the check for secrets.

        That takes longer; with `unless_changed` it is abandoned (`Superseded`) as soon as the
        text changes.
        """
        version = self.version

        def meanwhile() -> None:
            if unless_changed and version != self.version:
                raise Superseded

        found = self._understood(name, path)
        then, whole = self._weighed.get(name, (None, found))
        if then is found:
            return whole
        if played:
            whole = with_slow_checks(found, meanwhile)
            self._weighed[name] = found, whole
            return whole
        return found

    def _understood(self, name: str, path: Path) -> Analysis:
        """Names and types of some rules, with diagnostics. Concurrent callers wait for the same
        analysis.
        """
        with self._looking:
            version = self.version
            known = self._last.get(name)
            if known is not None and known[0] == version:
                return known[2]
            diagnostics = Diagnostics()
            reading = self.read(name, path, diagnostics)
            if known is not None and known[1] == reading:
                self._last[name] = version, reading, known[2]
                return known[2]
            found = analysed(name, reading.opened, reading.files, diagnostics, reading.locks)
            self._last[name] = version, reading, found
            if found.world is not None:
                self._good[name] = found
            return found

    def last_good(self, name: str) -> Analysis | None:
        """The last analysis of some rules that could be merged."""
        return self._good.get(name)
