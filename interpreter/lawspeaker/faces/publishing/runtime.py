"""Provides Python for the browser: the runtime of Pyodide from its npm package.

The package is pinned to a version and a hash. npm fetches it from the configured registry; or a
folder with the unpacked package is given. The download is cached in the user's cache folder and
verified each time.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from pathlib import Path

from lawspeaker.base.diagnostics import Failure
from lawspeaker.outside.modules import whole_cache

PACKAGE = "pyodide"
VERSION = "314.0.7"
INTEGRITY = (
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7"
    "y2q+SNvi/6V5JEsOlD2R1A=="
)
LIBRARY = "python_stdlib.zip"
FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    LIBRARY,
    "pyodide-lock.json",
)
"""The files of the package that a page needs."""
LICENCE = "package.json"
LONGEST = 300.0


class NoRuntime(Failure):
    """Raised when the runtime is unavailable; the message says what to do."""

    exit_code = 2


def runtime(given: Path | None = None) -> dict[str, bytes]:
    """Returns the files of the runtime by name; raises NoRuntime."""
    if given is not None:
        return _from_folder(given)
    kept = whole_cache() / f"{PACKAGE}-{VERSION}.tgz"
    if not kept.is_file() or not _is_right(kept.read_bytes()):
        _fetch(kept)
    return _from_archive(kept)


def _from_folder(folder: Path) -> dict[str, bytes]:
    missing = [name for name in (*FILES, LICENCE) if not (folder / name).is_file()]
    if missing:
        raise NoRuntime(f"{folder} is not the package {PACKAGE}: it has no {', '.join(missing)}")
    found = json.loads((folder / LICENCE).read_text(encoding="utf-8")).get("version")
    if found != VERSION:
        raise NoRuntime(f"{folder} holds {PACKAGE} {found}; this version needs {VERSION}")
    return {name: (folder / name).read_bytes() for name in FILES}


def _from_archive(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as archive:
        found = {}
        for name in FILES:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            found[name] = member.read()
        return found


def _fetch(target: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NoRuntime(
            f"a published game brings its Python along, the npm package {PACKAGE} {VERSION}: "
            "install npm (it comes with Node.js), or unpack the package somewhere and name the "
            "folder by --runtime"
        )
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [npm, "pack", "--silent", f"{PACKAGE}@{VERSION}"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoRuntime(f"npm could not fetch {PACKAGE} {VERSION}: {error}") from None
        found = list(Path(folder).glob("*.tgz"))
        if done.returncode or len(found) != 1:
            told = done.stderr.strip().splitlines()
            reason = told[0] if told else f"exit code {done.returncode}"
            raise NoRuntime(f"npm could not fetch {PACKAGE} {VERSION}: {reason}")
        content = found[0].read_bytes()
    if not _is_right(content):
        raise NoRuntime(
            f"what npm fetched as {PACKAGE} {VERSION} is not what it should be: "
            "its fingerprint is another"
        )
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    target.write_bytes(content)


def _is_right(content: bytes) -> bool:
    return f"sha512-{b64encode(hashlib.sha512(content).digest()).decode()}" == INTEGRITY
