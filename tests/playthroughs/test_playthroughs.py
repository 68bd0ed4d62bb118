"""A golden playthrough for every game in rules/, with its fewest and with its most players.

A change that alters a game shows here as a diff that can be read: see `record` for what the files
tell. `pytest --accept` writes them anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import RulesError
from tests.conftest import Golden
from tests.library import game
from tests.playthroughs.record import playthrough

HERE = Path(__file__).parent
RULES = HERE.parent.parent / "rules"
MOST_LINES = 1600

SEEDS = {
    ("walhalla", 3): 722,
    ("walhalla", 4): 85,
    ("pedlars", 2): 8,
    ("pedlars", 3): 8,
    ("mill_wheel", 2): 4,
    ("mill_wheel", 4): 21,
    ("stowaways", 2): 32,
    ("stowaways", 4): 4,
    ("surveyors", 2): 8,
    ("surveyors", 4): 4,
}
"""Seeds in whose games much happens, found by trying many; others are played with seed 1."""

UNTRIED = {"go"}
"""Games that need long to find out what may be chosen, so that not all is tried for each reply."""

RARE = {("voluspa", "cutting_down"), ("voluspa", "discarding")}
"""Questions that next to no game asks; scenarios do."""


def names() -> list[str]:
    return sorted(path.parent.name for path in RULES.glob("*/game.yaml"))


def tables() -> list[tuple[str, int]]:
    """All games with their fewest and their most players; with 0 where the rules are broken."""
    found = []
    for name in names():
        try:
            players: Sequence[int] = game(name).players
        except RulesError:
            players = [0]
        found += [(name, count) for count in dict.fromkeys((players[0], players[-1]))]
    return found


def file_of(name: str, players: int) -> Path:
    return HERE / f"{name}-{players}.txt"


@pytest.mark.parametrize("name, players", tables())
def test_the_game_goes_as_it_went(name: str, players: int, golden: Golden) -> None:
    text = playthrough(game(name), players, SEEDS.get((name, players), 1), name not in UNTRIED)
    assert len(text.splitlines()) < MOST_LINES
    golden(text, file_of(name, players))


def test_every_game_has_its_playthroughs_and_there_are_no_others() -> None:
    assert tables()
    wanted = {file_of(name, players).name for name, players in tables()}
    assert {path.name for path in HERE.glob("*.txt")} == wanted


@pytest.mark.parametrize("name", names())
def test_the_playthroughs_of_a_game_ask_all_its_questions(name: str) -> None:
    texts = [file_of(*table).read_text(encoding="utf-8") for table in tables() if table[0] == name]
    for clause in game(name).program.clauses:
        if clause.asks and (name, clause.id) not in RARE:
            assert any(f" is asked by {clause.id}" in text for text in texts), clause.id
