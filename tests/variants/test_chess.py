"""The variants of chess: each makes a difference, and most of them go together.

Their trees of moves are counted in `tests/perft/test_chess_family.py`.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from lawspeaker import load
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, run_scenarios
from tests.tiers import sample

VARIANTS = Library().variants("chess")
SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios" / "chess_variants").glob("*.yaml"))
RIVALS = {
    frozenset(pair)
    for pair in (
        *combinations(("chess960", "horde", "racing_kings"), 2),  # other arrays
        ("antichess", "atomic"),  # is there check, or not
        ("crazyhouse", "horde"),  # how many pawns there are
        *((each, "shatranj") for each in ("antichess", "horde", "racing_kings")),  # bare kings
    )
}


@pytest.mark.parametrize("file", sample(SCENARIOS, test=9, full=3), ids=lambda file: file.stem)
def test_it_is_green_and_red_without_the_variant(file: Path) -> None:
    assert run_scenarios([file]).passed
    assert not run_scenarios([file], under="chess").passed


@pytest.mark.full
@pytest.mark.parametrize("pair", sample(combinations(VARIANTS, 2), full=3), ids="+".join)
def test_two_of_them_go_together_or_are_refused(pair: tuple[str, str]) -> None:
    diagnostics = Diagnostics()
    program = compile_name(f"chess+{pair[0]}+{pair[1]}", diagnostics)
    assert (program is None) == (frozenset(pair) in RIVALS), list(map(str, diagnostics))


@pytest.mark.full
def test_three_of_them_are_played_at_once() -> None:
    match = load("chess+crazyhouse+three_check+king_of_the_hill").start(players=2, seed=5)
    at = 5
    while match.decisions:
        (decision,) = match.decisions
        at += 7
        match.choose(decision.options[at % len(decision.options)], decision.seat)
    assert match.decision is None
