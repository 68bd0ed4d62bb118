"""One golden playthrough for every game in rules/, and for the small games of the property tests.

A change of the rules or of the machine that alters a game shows here as a readable diff: see
`record` for the contents of the files. `pytest --accept` writes them anew. They also promise that
the same seed is the same game on every platform, since the whole state at the end is in them. The
tables are chosen so that every clause is executed, where games do that at all; `search` finds them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Golden
from tests.library import game
from tests.playthroughs.record import Table, executable, playthrough
from tests.tiers import FULL, LONG_QUESTIONS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MOST_LINES = 300
LARGE = 2**40 + 7
"""A seed that does not fit into 32 bits."""

TABLES: dict[str, list[Table]] = {
    "amazons": [(2, 11)],
    "backgammon": [(2, 48)],
    "breakthrough": [(2, 55)],
    "blackjack": [(1, 11)],
    "chess": [(2, 136)],
    "connect_four": [(2, 11)],
    "crazy_eights": [(5, 8)],
    "dominoes": [(3, 45)],
    "draughts": [(2, 29)],
    "draw_poker": [(2, 2)],
    "five_dice": [(4, 8)],
    "go": [(2, 9)],
    "gomoku": [(2, 12)],
    "hearts": [(4, 207)],
    "hex": [(2, 35)],
    "hot_dice": [(3, 8)],
    "kalah": [(2, 23)],
    "kuhn_poker": [(2, 2), (2, 3)],
    "leduc_poker": [(2, 25), (2, 108)],
    "liars_dice": [(2, 24), (5, LARGE)],
    "lines_of_action": [(2, 14)],
    "little_whist": [(4, 1)],
    "ludo": [(2, 12)],
    "masks": [(2, 5)],
    "mill_wheel": [(2, 15), (4, 33)],
    "nim": [(2, 1)],
    "nine_mens_morris": [(2, 50)],
    "othello": [(2, 29)],
    "oware": [(2, 15)],
    "pedlars": [(3, 74)],
    "pig": [(2, 8), (4, LARGE)],
    "quilt": [(2, 1)],
    "rock_paper_scissors": [(2, 3)],
    "scopa": [(2, 28)],
    "stowaways": [(2, 2265), (4, 11)],
    "surveyors": [(2, 59), (4, 1)],
    "three_cards": [(2, 5)],
    "three_sides": [(2, 4)],
    "tic_tac_toe": [(2, 2)],
    "tricks": [(3, 2)],
    "voluspa": [(2, 25), (5, 1)],
    "walhalla": [(3, 391)],
    "whist": [(4, 6)],
    "xiangqi": [(2, 2)],
}
"""Players and seed of each game that is played; another game is played once, with seed 1."""

NOT_EXECUTED: dict[str, set[str]] = {
    # Only the drawing of the table reads these.
    "draw_poker": {"made"},
    "hex": {"goal"},
    "ludo": {"drawn"},
    "mill_wheel": {"deed"},
    "xiangqi": {"area"},
    "walhalla": {"laid_out"},
    # The drawing reads for_sale. Nobody is asked at paying: a rule plays the cards.
    "pedlars": {"for_sale", "paying"},
    # The drawing reads noted and title. Random players get neither a bonus nor five alike.
    "five_dice": {"bonus", "bonus.points", "noted", "title", "worth.five_alike"},
    # Mate and stalemate: random games hardly come to them within so many lines. Scenarios do.
    "chess": {"stuck"},
    # No tile fits, or a hand is too large: next to no game comes to that. Scenarios do.
    "surveyors": {"exchange"},
    "voluspa": {"cutting_down", "discarding"},
}


def games() -> dict[str, str]:
    """The built-in games by name, and the small games with their paths."""
    built_in = {path.parent.name: path.parent.name for path in ROOT.glob("rules/*/game.yaml")}
    small = {path.stem: str(path) for path in ROOT.glob("tests/properties/games/*.yaml")}
    return dict(sorted({**built_in, **small}.items()))


@pytest.mark.parametrize("name", [name for name in games() if FULL or name not in LONG_QUESTIONS])
def test_the_game_goes_as_it_went(name: str, golden: Golden) -> None:
    rules = game(games()[name])
    played = playthrough(rules, TABLES.get(name, [(rules.players[0], 1)]))
    golden(played.text, HERE / f"{name}.txt")
    lines = played.text.count("\n")
    assert lines <= MOST_LINES, f"{lines} lines: python -m tests.playthroughs.search {name}"
    missing = executable(rules.program) - played.shown
    assert missing == NOT_EXECUTED.get(name, set()), (
        f"NOT_EXECUTED is wrong, or python -m tests.playthroughs.search {name} finds other tables"
    )


def test_every_game_has_its_playthrough_and_there_are_no_others() -> None:
    assert games()
    assert {path.stem for path in HERE.glob("*.txt")} == set(games())
    assert {*TABLES, *NOT_EXECUTED} <= set(games())
