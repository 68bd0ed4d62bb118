"""Compiled games kept on disk, so that a game is compiled once on a computer.

The folder is in `lawspeaker` in the user's cache folder (XDG_CACHE_HOME, or ~/.cache), and named
for the compiler as it is: another one keeps its modules elsewhere. What lies there is run, so it is
only used if nobody else can write to it. A file that cannot be read or written is no fault: the
game is compiled again.

This module is an edge: it touches the disk.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from lawspeaker import wasm
from lawspeaker.compiled import keep_modules_in

LARGEST = 64 * 1024 * 1024
"""The most bytes a compiled game may have."""
_OTHERS_MAY_WRITE = 0o022


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    whole = (Path(base) if base else Path.home() / ".cache") / "lawspeaker"
    return whole / _compiler()


def _compiler() -> str:
    """A name that changes with the code of the compiler."""
    content = hashlib.sha256()
    for file in sorted(Path(wasm.__file__).parent.glob("*.py")):
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


class Folder:
    """A folder in which modules are kept by name."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, name: str) -> bytes | None:
        file = self.path / name
        try:
            if not self._is_ours() or file.stat().st_size > LARGEST:
                return None
            return file.read_bytes()
        except OSError:
            return None

    def put(self, name: str, content: bytes) -> None:
        """Writes a file whole, or not at all."""
        new = self.path / f".{name}.{os.getpid()}.new"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._is_ours():
                return
            new.write_bytes(content)
            new.replace(self.path / name)
        except OSError:
            with suppress(OSError):
                new.unlink()

    def _is_ours(self) -> bool:
        """Whether nobody else can put something into the folder."""
        if not hasattr(os, "getuid"):
            return True  # the user's own folder is guarded by other means there
        known = self.path.stat()
        return known.st_uid == os.getuid() and not known.st_mode & _OTHERS_MAY_WRITE


@cache
def keep_modules() -> None:
    """From here on compiled games are kept on disk."""
    keep_modules_in(Folder(cache_folder()))
