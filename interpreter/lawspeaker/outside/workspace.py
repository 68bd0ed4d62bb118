"""Texts that are being written, and the rules they belong to.

A `Folder` has them on the disk, under what is open in an editor; a `Bundle` has all of them in
memory, as drafts come from a browser. Either way a file is known by its path, and the rules it
belongs to are known by a name. `Workspace.analysis` has the last look at them, taken anew when one
of their files has changed. What was read before is not read again (`text/document` and `text/parse`
know it).
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
from lawspeaker.editing.analysis import Analysis, analysed, weighed
from lawspeaker.editing.fixes import Edit
from lawspeaker.meaning.compile import Opened
from lawspeaker.text.document import Mapping
from lawspeaker.text.rulebook import is_beside, is_lock

FileKind = Literal["game", "variant", "translation", "scenario"]


@dataclass(frozen=True, slots=True)
class Unit:
    """The rules that a file belongs to. `game` is how the library knows the game."""

    kind: FileKind
    name: str
    game: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of some rules: their files, the locks of their books, and their pictures. Two
    are equal if these are."""

    opened: Opened | None = field(compare=False)
    files: tuple[SourceFile, ...]
    locks: tuple[SourceFile, ...] = ()
    pictures: tuple[SourceFile, ...] = ()


def reading(opened: Opened | None, files: Iterable[tuple[str, SourceFile]]) -> Reading:
    """What was read, by the names that rules have for files."""
    sorts: dict[str, list[SourceFile]] = {"rules": [], "locks": [], "pictures": []}
    for name, file in files:
        sort = "locks" if is_lock(name) else "pictures" if is_beside(name) else "rules"
        sorts[sort].append(file)
    return Reading(opened, *map(tuple, sorts.values()))


class Superseded(Exception):
    """Somebody has typed since; what was being worked out would be about an earlier text."""


class Workspace(ABC):
    """`version` grows with every change; `paths` has the files that were read, by the names under
    which people know them."""

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
        """The name under which people know a file."""

    @abstractmethod
    def listed(self, path: Path, name: str) -> Path | None:
        """The file that the entry file of a game means by a name."""

    @abstractmethod
    def unit(self, path: Path) -> Unit | None:
        """The rules that a file belongs to; None if it is no file of rules."""

    @abstractmethod
    def units(self, unit: Unit, path: Path) -> list[str]:
        """All rules in which the things of a game may be named: the game, each of its variants, and
        variants that say something more of each other."""

    @abstractmethod
    def scenarios(self, game: str, path: Path) -> list[tuple[Path, Mapping]]:
        """The scenarios that are about a game or its variants: where each lies, and what it
        says."""

    @abstractmethod
    def translations(self, unit: Unit, path: Path) -> list[tuple[Path, Edit]]:
        """What brings the translations of some rules up to date, those included that have no file
        yet."""

    @abstractmethod
    def changed(self, texts: dict[Path, str]) -> Workspace:
        """The same, with other texts in some files; this one stays as it is."""

    @abstractmethod
    def read(self, name: str, path: Path, diagnostics: Diagnostics) -> Reading:
        """Reads some rules as they are now."""

    def path_of(self, shown: str) -> Path | None:
        """The file that people know under a name."""
        return self.paths.get(shown)

    # ------------------------------------------------------------ looking at them

    def analysis(
        self, name: str, path: Path, *, played: bool = False, unless_changed: bool = False
    ) -> Analysis:
        """What is known of some rules now; if they are `played`, also whether they keep secrets.
        That takes longer; with `unless_changed` it is given up (`Superseded`) as soon as somebody
        types: nobody wants to know it any more."""
        version = self.version

        def meanwhile() -> None:
            if unless_changed and version != self.version:
                raise Superseded

        found = self._understood(name, path)
        then, whole = self._weighed.get(name, (None, found))
        if then is found:
            return whole
        if played:
            whole = weighed(found, meanwhile)
            self._weighed[name] = found, whole
            return whole
        return found

    def _understood(self, name: str, path: Path) -> Analysis:
        """What names mean in some rules, and what is wrong with names and types. Who asks while
        somebody else is looking at them waits for that look."""
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
        """The last look at some rules that could be put together."""
        return self._good.get(name)
