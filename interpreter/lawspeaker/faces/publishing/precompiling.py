"""Precompiles Python modules and snapshots the interpreter's memory at publishing time.

So a page need neither compile modules nor import them. It takes Node, which comes with npm, and
some time; results are cached in the user's cache folder. Without Node the sources are published:
they work as well, but start more slowly.

Restoring memory is an unstable feature of the runtime. The runtime is pinned by its hash
(`runtime`), and a page that fails to restore starts afresh.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lawspeaker.faces.publishing.one_file import own_text
from lawspeaker.outside.modules import whole_cache

LONGEST = 600.0


def precompiled(source: bytes, runtime: Mapping[str, bytes]) -> bytes:
    """Returns an archive with its modules compiled, or unchanged if that is impossible."""
    return _made("precompile.mjs", source, runtime) or source


def memory(package: bytes, runtime: Mapping[str, bytes]) -> bytes:
    """Returns a packed snapshot of Python with a table's modules imported; empty if that is
    impossible."""
    return _made("snapshot.mjs", package, runtime) or b""


def _made(script: str, source: bytes, runtime: Mapping[str, bytes]) -> bytes | None:
    """Runs a Node script on an archive, cached; returns None on failure."""
    text = own_text(script)
    content = hashlib.sha256(source)
    content.update(text.encode())
    for name in sorted(runtime):
        content.update(runtime[name])
    kept = whole_cache() / "published" / content.hexdigest()[:32]
    if kept.is_file():
        return kept.read_bytes()
    node = shutil.which("node")
    made = None if node is None else _run(node, text, source, runtime)
    if made is None:
        return None
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = kept.with_suffix(".new")
    new.write_bytes(made)
    new.replace(kept)
    return made


def _run(node: str, script: str, source: bytes, runtime: Mapping[str, bytes]) -> bytes | None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each, content in runtime.items():
            (folder / each).write_bytes(content)
        (folder / "script.mjs").write_text(script, encoding="utf-8")
        (folder / "source.zip").write_bytes(source)
        call = [node, "script.mjs", ".", "source.zip", "made"]
        try:
            done = subprocess.run(
                call, cwd=folder, capture_output=True, timeout=LONGEST, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        made = folder / "made"
        return made.read_bytes() if done.returncode == 0 and made.is_file() else None
