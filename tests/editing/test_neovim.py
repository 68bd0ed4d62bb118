"""The language server with a real client: Neovim, without a screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.checkout import ROOT

SCRIPT = Path(__file__).with_name("neovim.lua")
PATIENCE = 1_200
"""So many seconds it may take on a slow machine; it is stopped only if it hangs."""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_makes_a_mistake_mends_it_renames_and_asks_all_else(tmp_path: Path) -> None:
    for folder in ("rules", "variants"):
        shutil.copytree(ROOT / folder / "walhalla", tmp_path / folder / "walhalla")
    told = tmp_path / "found.txt"
    environment = {
        **os.environ,
        "RULES": str(tmp_path / "rules" / "walhalla" / "landing.yaml"),
        "ROOT": str(tmp_path),
        "FOUND": str(told),
        "PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT / "interpreter"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    run = subprocess.run(
        ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    found = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    assert run.returncode == 0, (run.stderr, found)
    assert found[0] == "told: nothing here is called `holdr` | did you mean 'holder'?"
    assert found[1] == "mended: where not_his_own: holder of field is not player"
    assert {"landing.yaml", "de.yaml", "french.yaml", "it.lock"} <= set(found[2].split())
    assert found[3] == "renamed: do stepping_ashore(viking, fjord, row)"
    assert found[4] == "declared in: landing.yaml"
    assert found[5] == "hover: **stepping_ashore(viking, fjord, row)** · clause"
    answered = "colours completion folding highlights hints lenses outline references"
    assert found[6] == f"answered: {answered}"
    assert found[7] == "formatted: yes"
