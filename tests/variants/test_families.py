"""Families of traditional games: a base and its variants, each with a scenario of its own.

Walhalla's variants are editions and rules of one book; `test_walhalla.py` goes through them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lawspeaker.outside.library import Library

SCENARIOS = Path(__file__).parents[1] / "scenarios"
PLAYED = re.compile(r"^game: (\w+)\+(\S+)$", re.MULTILINE)
FAMILIES = sorted(
    game
    for game in Library().games()
    if game != "walhalla" and (SCENARIOS / f"{game}_variants").is_dir()
)


@pytest.mark.parametrize("game", FAMILIES)
def test_every_variant_has_a_scenario(game: str) -> None:
    texts = (file.read_text(encoding="utf-8") for file in SCENARIOS.glob(f"{game}_variants/*.yaml"))
    played = [PLAYED.search(text) for text in texts]
    found = {name for each in played if each for name in re.split(r"\+|\(.*?\)", each[2]) if name}
    assert set(Library().variants(game)) <= found
