"""Writes and reads files of games, atomically and durably.

A file is written to a temporary file beside it, which is synced to disk and then renamed. A
reader, or a restart after a crash, finds the old text or the new one, never half of either. A
game saved after every reply so loses at most the reply that was being typed.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import suppress
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics, Failure
from lawspeaker.base.source import NOWHERE, SourceFile
from lawspeaker.match.log import Log, read
from lawspeaker.outside.library import Library, LibraryError

LARGEST_LOG = 16 * 1024 * 1024
"""Maximum size of a log in bytes."""


def state_folder() -> Path:
    """The user's default folder for games in progress."""
    home = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".local" / "state") / "lawspeaker"


def plain_file_name(name: str) -> str:
    """A name with _ for all characters that a file name had better not have."""
    return re.sub("[^A-Za-z0-9_]", "_", name)


class NotSaved(Failure):
    """A file could not be written; the message is for the user, and the old file is unchanged."""


def write(path: Path, content: str | bytes) -> None:
    """Writes a file atomically."""
    target, new = path.resolve(), _beside(path)
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(target)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise _not_saved(path, error) from None
    _settle(target.parent)


def try_to_write(path: Path) -> None:
    """Tests whether a file can be written, before long work; raises NotSaved."""
    new = _beside(path)
    try:
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666))
        new.unlink()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    except OSError as error:
        raise _not_saved(path, error) from None


def _beside(path: Path) -> Path:
    """Path of the temporary file."""
    target = path.resolve()
    return target.with_name(f".{target.name}.{os.getpid()}.new")


def _not_saved(path: Path, error: OSError) -> NotSaved:
    return NotSaved(f"cannot write '{path}': {_reason(error)}")


def write_error(error: OSError) -> str:
    """Describes which file or folder could not be written, and why."""
    where = f" '{error.filename}'" if error.filename else ""
    return f"cannot write{where}: {_reason(error)}"


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{reason[:1].lower()}{reason[1:]}"


def _settle(folder: Path) -> None:
    """Syncs a directory, where the system allows it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def save(path: Path, log: Log) -> None:
    """Writes a log; raises NotSaved."""
    write(path, log.text())


def open_log(path: Path, diagnostics: Diagnostics, library: Library | None = None) -> Log | None:
    """Reads a log; reports errors into the diagnostics."""
    library = library or Library()
    try:
        text = library.read(path, LARGEST_LOG)
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None
    return read(SourceFile(library.display(path), text), diagnostics)
