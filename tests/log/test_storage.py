"""Files are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside import storage
from lawspeaker.outside.library import Library
from tests.log.tables import a_log

WRITER = """
import sys, pathlib
from lawspeaker.outside import storage
path = pathlib.Path(sys.argv[1])
for number in range(1_000_000):
    storage.write(path, f"{number}:" + "x" * (200_000 + number % 7) + ":end\\n")
"""


def test_a_log_is_saved_and_opened(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    for most in (1, 2, 10_000):
        storage.save(file, a_log(most=most))
        diagnostics = Diagnostics()
        assert storage.open_log(file, diagnostics) == a_log(most=most)
        assert not len(diagnostics)
    assert [each.name for each in tmp_path.iterdir()] == ["game.log"]
    assert file.read_text(encoding="utf-8") == a_log().text()


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    library = Library(here=tmp_path, path=())
    assert storage.open_log(Path("gone.log"), diagnostics, library) is None
    (found,) = diagnostics
    assert "gone.log" in found.message


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.log"
    storage.write(file, "old")

    def fails(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(storage.NotSaved, match="no space left on device"):
        storage.write(file, "new")
    assert file.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["game.log"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(storage.NotSaved, match="cannot write"):
        storage.write(tmp_path / "nowhere" / "game.log", "text")


def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "real.log", tmp_path / "link.log"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    storage.write(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


def test_a_killed_program_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    paths = os.pathsep.join(sys.path)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file)], env={**os.environ, "PYTHONPATH": paths}
    )
    try:
        started = time.monotonic()
        while not file.exists() and time.monotonic() - started < 20:
            time.sleep(0.01)
        time.sleep(0.2)
    finally:
        writer.kill()
        writer.wait()
    text = file.read_text(encoding="utf-8")
    number = int(text.partition(":")[0])
    assert text == f"{number}:" + "x" * (200_000 + number % 7) + ":end\n"
