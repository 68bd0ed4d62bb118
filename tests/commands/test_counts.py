"""How many games are wanted may be written as people write large numbers."""

from __future__ import annotations

import pytest
import typer

from lawspeaker.faces.cli.common import at_least


@pytest.mark.parametrize(
    "text, meant",
    [
        ("200", 200), ("1_000_000", 1_000_000), ("1,000,000", 1_000_000), ("1e6", 1_000_000),
        ("2.5e3", 2500), ("1E+4", 10_000), (" 7 ", 7),
    ],
)  # fmt: skip
def test_large_numbers_can_be_written_in_several_ways(text: str, meant: int) -> None:
    assert at_least(1)(text) == meant


def test_a_number_is_one_already() -> None:
    assert at_least(1)(200) == 200


@pytest.mark.parametrize(
    "text",
    ["many", "1.5", "1,5", "10,00", "1_0", "1.000", "-3", "", "1e", "2.55e1", "e6", "1e6000"],
)
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is no whole number"):
        at_least(1)(text)


@pytest.mark.parametrize("text", ["1", "19", "1e99", "9" * 40])
def test_too_few_and_too_many_are_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is not from 20 to 1,000,000,000,000"):
        at_least(20)(text)
