"""Functions that every module may need, as they are built and as they are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lawspeaker.machines.compiled.compile import ranking
from lawspeaker.machines.compiled.runtime import moving, rng, shuffling, subsets
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle import passes
from lawspeaker.machines.middle.forms import Function
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.position.layout import Layout
from tests.conftest import Golden
from tests.middle.printing import function_text
from tests.reference import games

GOLDEN = Path(__file__).parent / "golden"


def lay_on_deck(unit: Unit) -> Function:
    return moving.lay(unit, unit.plan.families[0], under=False)


def shuffle_deck(unit: Unit) -> Function:
    return shuffling.shuffle(unit, unit.plan.families[0])


@pytest.mark.parametrize(
    "made",
    [rng.combine, ranking.group, subsets.following_mask, lay_on_deck, shuffle_deck],
    ids=lambda made: made.__name__,
)
def test_a_function_before_and_after(
    made: Callable[[Unit], Function], golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = Unit(Layout(games.cards(), 2), PLAYING)
    function = made(unit)
    with monkeypatch.context() as patched:
        patched.setattr(passes, "OF_A_FUNCTION", ())
        unit.write_waiting()
    before = function_text(function)
    function.body = passes.simplified(function.body)
    after = function_text(function)
    text = f"{before}\nsimplified:\n\n{after}"
    # Where columns lie changes with the plan.
    lines = (line for line in text.splitlines(keepends=True) if not line.startswith("  column "))
    golden("".join(lines), GOLDEN / f"{function.name}.txt")
