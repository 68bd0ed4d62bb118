"""Modules of Python as the browser's Python has compiled them, so that no page has to do it again.

It takes Node, which comes with npm, and a while; so what was made is kept in the user's cache
folder. Where there is no Node the sources are published: they play as well, and start more slowly.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from lawspeaker.faces.publishing.one_file import own_text
from lawspeaker.outside.learned import whole_cache

LONGEST = 600.0


def precompiled(source: bytes, runtime: dict[str, bytes]) -> bytes:
    """An archive of modules, compiled; as it is, where that cannot be done."""
    script = own_text("precompile.mjs")
    content = hashlib.sha256(source)
    content.update(script.encode())
    for name in sorted(runtime):
        content.update(runtime[name])
    kept = whole_cache() / "published" / f"{content.hexdigest()[:32]}.zip"
    if kept.is_file():
        return kept.read_bytes()
    node = shutil.which("node")
    if node is None:
        return source
    made = _made(node, script, source, runtime)
    if made is None:
        return source
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = kept.with_suffix(".new")
    new.write_bytes(made)
    new.replace(kept)
    return made


def _made(node: str, script: str, source: bytes, runtime: dict[str, bytes]) -> bytes | None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for each, content in runtime.items():
            (folder / each).write_bytes(content)
        (folder / "precompile.mjs").write_text(script, encoding="utf-8")
        (folder / "source.zip").write_bytes(source)
        call = [node, "precompile.mjs", ".", "source.zip", "made.zip"]
        try:
            done = subprocess.run(
                call, cwd=folder, capture_output=True, timeout=LONGEST, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        made = folder / "made.zip"
        return made.read_bytes() if done.returncode == 0 and made.is_file() else None
