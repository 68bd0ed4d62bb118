"""What the browser's Python does before a game begins, done when it is published: its modules are
compiled, and its memory is written down once they are imported, for pages to go on from there.

It takes Node, which comes with npm, and a while; so what was made is kept in the user's cache
folder. Where there is no Node the sources are published: they play as well, and start more slowly.

The runtime can take up its memory from outside, but does not promise to do so in later versions.
It is pinned by its fingerprint (`runtime`), and a page that fails to go on begins anew.
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
    """An archive of modules, compiled; as it is, where that cannot be done."""
    return _made("precompile.mjs", source, runtime) or source


def memory(package: bytes, runtime: Mapping[str, bytes]) -> bytes:
    """The memory of Python with all modules that a table needs, packed; empty, where that cannot be
    done."""
    return _made("snapshot.mjs", package, runtime) or b""


def _made(script: str, source: bytes, runtime: Mapping[str, bytes]) -> bytes | None:
    """What a script of ours makes of an archive; None where that cannot be done."""
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
