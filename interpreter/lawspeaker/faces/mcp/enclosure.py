"""The folder of a server: which files a client may name, read and write.

Paths of a client are relative to the folder, and may lead nowhere else, by `..` or by links. Only
YAML files are read and written; hidden files and folders are none of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lawspeaker.faces.web.workshop.drafts import LARGEST_DRAFT
from lawspeaker.outside.library import SIGN, SUFFIX, Library, LibraryError
from lawspeaker.outside.storage import NotSaved, write

LONGEST_NAME = 300
MOST_FILES = 500
"""Maximum number of files that are listed."""


class NotAllowed(Exception):
    """A client asked for something outside of the folder; the message is for it."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A folder, and whether its files may be changed."""

    folder: Path
    writable: bool = True

    def path(self, name: str) -> Path:
        """The path that a client names; raises NotAllowed."""
        plain = PurePosixPath(name.replace("\\", "/"))
        if not name.strip() or len(name) > LONGEST_NAME or "\0" in name:
            raise NotAllowed("a path is a short text, relative to the folder of this server")
        if plain.is_absolute() or ".." in plain.parts or Path(name).is_absolute():
            raise NotAllowed(f"{name!r} does not lie in the folder of this server")
        if any(part.startswith(".") and part != "." for part in plain.parts):
            raise NotAllowed(f"{name!r} is hidden, or in a hidden folder")
        found = self.folder / plain
        try:
            inside = found.resolve().is_relative_to(self.folder.resolve())
        except (OSError, RuntimeError, ValueError):
            inside = False
        if not inside:
            raise NotAllowed(f"{name!r} does not lie in the folder of this server")
        return found

    def rules(self, name: str) -> str:
        """The name of rules, as given; raises NotAllowed if a part is a path outside."""
        if SIGN in name:
            raise NotAllowed(f"{name!r}: no older revisions are read here; name a game")
        if len(name) > LONGEST_NAME:
            raise NotAllowed("that name of rules is too long")
        for part in name.split("+"):
            self.path(part)
        return name

    def files(self) -> Iterator[Path]:
        """Yields the YAML files of the folder, in order, up to a maximum number."""
        count = 0
        for folder, below, names in os.walk(self.folder):
            below[:] = sorted(each for each in below if not each.startswith("."))
            for name in sorted(names):
                if name.endswith(SUFFIX) and not name.startswith("."):
                    count += 1
                    if count > MOST_FILES:
                        return
                    yield Path(folder, name)

    def read(self, name: str) -> str:
        """The text of a file; raises NotAllowed."""
        path = self._file(name)
        try:
            return Library(self.folder, (), self.folder).read(path, LARGEST_DRAFT * 4)
        except LibraryError as error:
            raise NotAllowed(str(error)) from None

    def write(self, name: str, text: str) -> bool:
        """Writes a file and the folders around it; returns whether it is new. Raises NotAllowed."""
        path = self._file(name)
        if not self.writable:
            raise NotAllowed("the files of this server can only be read")
        if len(text) > LARGEST_DRAFT:
            raise NotAllowed(f"a file may have {LARGEST_DRAFT:,} characters")
        new = not path.exists()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, text)
        except (NotSaved, OSError, UnicodeEncodeError) as error:
            raise NotAllowed(f"{name!r} cannot be written: {error}") from None
        return new

    def _file(self, name: str) -> Path:
        path = self.path(name)
        if path.suffix != SUFFIX:
            raise NotAllowed(f"{name!r} is no file of rules; those end in {SUFFIX}")
        return path
