"""Rules in memory while somebody edits them: all files of a game and its variants, as texts.

They are one unit, whatever of them is looked at. Nothing is read from the disk or written to it.
`earlier` are the same rules as they last could be put together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.editing.analysis import Analysis
from lawspeaker.editing.fixes import Edit
from lawspeaker.outside.library import LibraryError
from lawspeaker.outside.loading import open_bundle
from lawspeaker.outside.workspace import FileKind, Reading, Unit, Workspace
from lawspeaker.text.document import Mapping
from lawspeaker.text.rulebook import is_lock
from lawspeaker.text.translation.naming import FOLDER

NAME = "draft"
"""What these rules are called, and the folder in which their files are shown."""


class Bundle(Workspace):
    def __init__(self, files: Iterable[RuleFile], earlier: Bundle | None = None) -> None:
        super().__init__()
        self.files = {Path(NAME, each.name): each for each in files}
        self.earlier = earlier
        # Nobody edits the locks of books, so that no place in them can be gone to or changed.
        self.paths = {str(path): path for path in self.files if not is_lock(self.files[path].name)}

    def source(self, path: Path) -> SourceFile:
        file = self.files.get(path)
        if file is None:
            raise LibraryError(f"there is no {path.name} among these rules")
        return SourceFile(str(path), file.text)

    def shown(self, path: Path) -> str:
        return str(path)

    def listed(self, path: Path, name: str) -> Path | None:
        target = Path(NAME, name)
        return target if target in self.files else None

    def unit(self, path: Path) -> Unit | None:
        file = self.files.get(path)
        if file is None or is_lock(file.name):
            return None
        kind: FileKind = "game" if file.given is None else "variant"
        if file.name.startswith(f"{FOLDER}/"):
            kind = "translation"
        return Unit(kind, NAME, NAME)

    def units(self, unit: Unit, path: Path) -> list[str]:
        return [NAME]

    def scenarios(self, game: str, path: Path) -> list[tuple[Path, Mapping]]:
        return []

    def translations(self, unit: Unit, path: Path) -> list[Edit]:
        return []

    def changed(self, texts: dict[Path, str]) -> Bundle:
        return Bundle(
            replace(file, text=texts.get(path, file.text)) for path, file in self.files.items()
        )

    def read(self, name: str, path: Path, diagnostics: Diagnostics) -> Reading:
        opened = open_bundle(tuple(self.files.values()), diagnostics, NAME)
        parts: dict[bool, list[SourceFile]] = {True: [], False: []}
        for where, file in self.files.items():
            parts[is_lock(file.name)].append(SourceFile(str(where), file.text))
        return Reading(opened, tuple(parts[False]), tuple(parts[True]))

    def last_good(self, name: str) -> Analysis | None:
        """Its own look, if one was taken; otherwise that at the rules as they were earlier."""
        good = super().last_good(name)
        if good is None and self.earlier is not None:
            found = self.earlier.analysis(name, next(iter(self.earlier.files)))
            good = found if found.world is not None else None
        return good
