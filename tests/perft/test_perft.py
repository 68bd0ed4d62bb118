"""Trees counted, against numbers known from elsewhere.

Tic-tac-toe: 255,168 games. Connect Four: 7 to the power of the depth until a column is full or
somebody wins; 823,536 at depth seven. Othello: the counts published for the standard opening.
Breakthrough: the count at depth four that Fairy-Stockfish is tested by. Amazons: 2,176 first moves,
each of them two decisions. Three Sides: 66 first stones, which are taken over or not.
English draughts: the counts published for it, where what is forced is a move, too.
Kuhn poker: six deals with five ways to bet each. Nim with 3, 4 and 5: twelve first moves. Chess:
the counts that engines are tested by, from the start and from positions full of special moves,
which lie among the scenarios of the game.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.match.perft import divide, games, opening, perft
from lawspeaker.outside.loading import where_scenario_ends
from tests.repo.checkout import ROOT
from tests.tiers import NIGHTLY, sample

KNOWN = {
    "tic_tac_toe": (9, 72, 504, 3024, 15120, 54720),
    "connect_four": (7, 49, 343, 2401, 16807, 117649, 823536),
    "othello": (4, 12, 56, 244, 1396, 8200, 55092),
    "amazons": (80, 2176),
    "breakthrough": (22, 484, 11132, 256036),
    "three_sides": (66, 132, 8580),
    "draughts": (7, 49, 302, 1469, 7361, 36768, 179740),
    "nim": (12,),
    "chess": (20, 400, 8902),
    "rock_paper_scissors": (3, 9, 27),
    "kuhn_poker": (3, 6, 12, 24, 12),
}
FAST = {
    "tic_tac_toe": 5,
    "connect_four": 5,
    "othello": 4,
    "breakthrough": 1,
    "three_sides": 2,
    "draughts": 4,
    "chess": 2,
}
POSITIONS = {
    "castling": (48, 2039, 97862, 4085603),
    "endgame": (14, 191, 2812, 43238, 674624),
    "promotions": (6, 264, 9467, 422333),
    "pins": (44, 1486, 62379, 2103487),
    "middlegame": (46, 2079, 89890, 3894594),
}
"""What can be made of the scenarios `counted_…` of chess in one, two, three … moves."""
FORCED = {"draughts"}
"""Games whose published counts have moves in them to which there is no other."""


@pytest.mark.parametrize("name", sample(sorted(KNOWN), test=3))
def test_the_tree_has_the_known_size(name: str) -> None:
    start = opening(lawspeaker.load(name).program, 2)
    depths = KNOWN[name] if NIGHTLY else KNOWN[name][: FAST.get(name)]
    forced = name in FORCED
    assert tuple(perft(start, depth + 1, forced) for depth in range(len(depths))) == depths


def test_the_compiled_machine_counts_a_deep_tree() -> None:
    start = opening(lawspeaker.load("chess").program, 2)
    depths = (3, 4, 5) if NIGHTLY else (3,)
    known = {3: 8_902, 4: 197_281, 5: 4_865_609}
    assert {depth: perft(start, depth, True, "wasm") for depth in depths} == {
        depth: known[depth] for depth in depths
    }


@pytest.mark.full
@pytest.mark.parametrize("name", sample(sorted(POSITIONS), full=2))
def test_positions_full_of_special_moves(name: str) -> None:
    start = where_scenario_ends(ROOT / f"rules/chess/scenarios/counted_{name}.yaml", "chess")
    known = POSITIONS[name]
    few = 3 if known[2] < 5_000 else 2
    depths = range(1, len(known) + 1 if NIGHTLY else few + 1)
    counted = [perft(start, depth, True, "wasm") for depth in depths]
    assert counted == list(known[: len(depths)])


@pytest.mark.parametrize("name", sample(["tic_tac_toe", "connect_four", "nim"], test=3))
@pytest.mark.parametrize("forced", [False, True])
def test_both_machines_count_alike(name: str, forced: bool) -> None:
    """To the end of a game of nim, too, where the last matches leave no choice."""
    start = opening(lawspeaker.load(name).program, 2)
    for depth in (3, 4):
        assert perft(start, depth, forced, "wasm") == perft(start, depth, forced)
        assert divide(start, depth, forced, "wasm") == divide(start, depth, forced)


def test_what_is_left_to_luck_is_counted_by_the_reference_machine() -> None:
    start = opening(lawspeaker.load("kuhn_poker").program, 2)
    assert [perft(start, depth, machine="wasm") for depth in (3, 4, 5)] == [12, 24, 12]


@pytest.mark.full
def test_all_games_of_tic_tac_toe() -> None:
    assert games(opening(lawspeaker.load("tic_tac_toe").program, 2)) == 255_168


def test_all_games_of_kuhn_poker() -> None:
    assert games(opening(lawspeaker.load("kuhn_poker").program, 2)) == 30


def test_the_parts_add_up() -> None:
    start = opening(lawspeaker.load("connect_four").program, 2)
    parts = divide(start, 3)
    assert sum(parts.values()) == perft(start, 3)
    assert list(parts) == [f"drop {slot}" for slot in range(1, 8)]


def test_a_tree_ends_where_the_games_end() -> None:
    """No game of Kuhn poker has more than five decisions, its two deals included."""
    assert perft(opening(lawspeaker.load("kuhn_poker").program, 2), 6) == 0


LAST_CELLS = """
scenario: Three cells are free
game: tic_tac_toe
players: 2
situation:
  cell 1 1: mark cross
  cell 2 1: mark nought
  cell 3 1: mark cross
  cell 1 2: mark nought
  cell 2 2: mark nought
  cell 3 2: mark cross
  all other marks: supply
do: game
steps:
  - offers among others: []
"""


def test_a_forced_move_can_be_counted_and_a_scenario_begun_from(tmp_path: Path) -> None:
    """Of the nine cells three are free: who marks the last has no choice."""
    file = tmp_path / "last.yaml"
    file.write_text(LAST_CELLS, encoding="utf-8")
    start = where_scenario_ends(file, "tic_tac_toe")
    for machine in ("reference", "wasm"):
        assert [perft(start, depth, False, machine) for depth in (1, 2, 3)] == [3, 4, 0]
        assert [perft(start, depth, True, machine) for depth in (1, 2, 3, 4)] == [3, 4, 3, 0]
    parts = {"mark cell 1 3": 1, "mark cell 2 3": 2, "mark cell 3 3": 0}
    assert divide(start, 3, forced=True) == parts


def test_the_command_begins_where_a_scenario_ends(tmp_path: Path) -> None:
    file = tmp_path / "last.yaml"
    file.write_text(LAST_CELLS, encoding="utf-8")
    call = ["perft", "tic_tac_toe", "--from", str(file)]
    found = CliRunner().invoke(app, [*call, "--forced", "--json"])
    assert json.loads(found.output)["counts"] == {"1": 3, "2": 4, "3": 3}
    file.write_text(LAST_CELLS.replace("cell 3 1: mark cross", "cell 3 1: mark cros"))
    found = CliRunner().invoke(app, call)
    assert found.exit_code == 1
    assert "last.yaml:8:13: error[bad-scenario]" in found.output
