"""Style, layout and types of the code, as ruff and mypy see them.

They are tests like others, so that they run beside them, and all run even if one fails.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.repo.checkout import ROOT
from tests.tiers import pick

# The quick tests have the types of the interpreter checked only: mypy's time is a tenth of theirs.
MYPY = pick(test="mypy interpreter/lawspeaker", full="mypy", nightly="mypy")


@pytest.mark.parametrize("told", ["ruff check .", "ruff format --check .", MYPY])
@pytest.mark.xdist_group("style")
def test_style_and_types_are_clean(told: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", *told.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
