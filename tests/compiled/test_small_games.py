"""Small games of tests/language/good, played on both machines side by side."""

from __future__ import annotations

from lawspeaker.outside.loading import load
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD


def test_both_machines_take_less_than_none_for_none() -> None:
    program = load(str(GOOD / "below_nought.yaml")).program
    both = SideBySide(program, 2)
    for seed in range(6):
        assert both.play(seed) > 0


def test_both_machines_agree_on_values_after_or() -> None:
    assert SideBySide(load(str(GOOD / "either.yaml")).program, 2).play(1) == 0


def test_both_machines_agree_on_attributes_of_words() -> None:
    assert SideBySide(load(str(GOOD / "attributes_of_words.yaml")).program, 2).play(1) == 0
