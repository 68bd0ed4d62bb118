"""The suite of the reference machine, run on the compiled one.

The tests are the same; only `Match` is given the other machine.
"""

from __future__ import annotations

import pytest

from lawspeaker.machines.adapter import CompiledMachine, compiled_for
from lawspeaker.match import match
from tests.reference import test_faults as faults
from tests.reference.test_chance import *  # noqa: F403
from tests.reference.test_faults import *  # noqa: F403
from tests.reference.test_playing import *  # noqa: F403
from tests.reference.test_refusals import *  # noqa: F403


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "machine_for", compiled_for)
    monkeypatch.setattr(faults, "Machine", CompiledMachine)


# This one compiles 1,800 programs to see that picks are even; that picks are the same is seen side
# by side.
del test_picks_from_the_seed_are_even_and_count_copies  # noqa: F821
