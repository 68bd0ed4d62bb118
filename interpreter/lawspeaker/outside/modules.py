"""Cache of compiled modules on disk.

The folder is in `lawspeaker` in the user's cache folder (XDG_CACHE_HOME, or ~/.cache), and named
for a hash of the compiler's source. Cached modules are executed, so the folder is used only if
nobody else can write to it. Read and write errors are cache misses: the game is compiled again.
So the least recently used files can be evicted at any time, even while other processes run.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

LARGEST = 64 * 1024 * 1024
"""Maximum size of a cached module in bytes."""
MOST = 256 * 1024 * 1024
"""Maximum size of a cache folder in bytes."""
OLD_FOLDERS = 2
"""Number of folders of other compiler versions that are kept, the most recently used."""
COMPILED_BY = (
    *("base", "ir", "position"),
    *("machines", "machines/lower", "machines/middle", "machines/planned", "machines/compiled"),
    *(f"machines/compiled/{each}" for each in ("compile", "host", "playouts", "runtime")),
)
_OTHERS_MAY_WRITE = 0o022
_NAME = re.compile("[0-9a-f]{16}")


def whole_cache() -> Path:
    """The root of all caches."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "lawspeaker"


def cache_folder() -> Path:
    """The folder of modules compiled by this version of the compiler."""
    return whole_cache() / _compiler()


def _compiler() -> str:
    """Hash of the source that compiles modules, from the IR on."""
    content = hashlib.sha256()
    package = Path(__file__).parents[1]
    for folder in COMPILED_BY:
        for file in sorted((package / folder).glob("*.py")):
            content.update(file.read_bytes())
    return content.hexdigest()[:16]


class ModuleFolder:
    """A cache folder of modules by name."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, name: str) -> bytes | None:
        file = self.path / name
        try:
            if not self._is_ours() or file.stat().st_size > LARGEST:
                return None
            content = file.read_bytes()
        except OSError:
            return None
        _note_use(file)
        return content

    def put(self, name: str, content: bytes) -> None:
        """Writes a file atomically."""
        new = self.path / f".{name}.{os.getpid()}.new"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._is_ours():
                return
            new.write_bytes(content)
            new.replace(self.path / name)
            self._make_room()
        except OSError:
            with suppress(OSError):
                new.unlink()

    def _make_room(self) -> None:
        """Evicts the least recently used files."""
        known = sorted(((file.stat(), file) for file in self.path.iterdir()), key=_used)
        size = sum(each.st_size for each, _ in known)
        for each, file in known[:-1]:
            if size <= MOST:
                break
            file.unlink(missing_ok=True)
            size -= each.st_size

    def forget_others(self) -> None:
        """Deletes the folders of other compiler versions, except the most recently used."""
        _note_use(self.path)
        with suppress(OSError):
            others = [each for each in self.path.parent.iterdir() if each.name != self.path.name]
            ours = [(each.lstat(), each) for each in others if _NAME.fullmatch(each.name)]
            for _, each in sorted(ours, key=_used)[:-OLD_FOLDERS]:
                shutil.rmtree(each, ignore_errors=True)

    def _is_ours(self) -> bool:
        """Whether only this user can write to the folder."""
        if not hasattr(os, "getuid"):
            return True  # no POSIX permissions to check
        known = self.path.stat()
        return known.st_uid == os.getuid() and not known.st_mode & _OTHERS_MAY_WRITE


def _note_use(path: Path) -> None:
    with suppress(OSError):
        os.utime(path)


def _used(known: tuple[os.stat_result, Path]) -> float:
    """Time of last use."""
    return known[0].st_mtime
