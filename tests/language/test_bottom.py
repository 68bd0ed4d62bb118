"""Drawing from the bottom of a pile: what was put there comes, and both machines draw the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD

GAME = str(GOOD / "bottom_drawn.yaml")
SMALL = """\
lawspeaker: 1
game: small
players: 2
pieces:
  card:
    starts in: deck
    kinds: {p: {count: 1}, q: {count: 1}, r: {count: 1}, s: {count: 1}}
places:
  deck: {holds: card, arranged: pile}
  row: {holds: card, arranged: row, seen by: everyone}
rules:
  game:
    says: Cards are drawn.
    rule: |
CODE"""


def small_game(folder: Path, *code: str) -> Game:
    file = folder / "small.yaml"
    lines = "".join(f"      {line}\n" for line in code)
    file.write_text(SMALL.replace("CODE", lines), encoding="utf-8")
    return lawspeaker.load(str(file))


def row(match: Match) -> list[str]:
    """The kinds of the cards in the row, as they came."""
    layout = match.machine.layout
    (place,) = layout.places_of[1]
    kinds = layout.program.pieces[0].kinds
    return [kinds[layout.piece_kind[each]].name for each in match.state.contents[place]]


@pytest.mark.parametrize("asked", [False, True])
def test_both_machines_draw_the_same(asked: bool) -> None:
    both = SideBySide(lawspeaker.load(GAME).program, 2)
    for seed in range(20):
        assert both.play(seed, ask_chance=asked) >= 4


def test_records_are_equal() -> None:
    check_records(lawspeaker.load(GAME).program, 2, 30)


def test_a_pile_in_order_gives_its_lowest_card(tmp_path: Path) -> None:
    game = small_game(
        tmp_path,
        "move all cards in deck to row",
        "move all cards in row to deck",
        "draw card from bottom of deck to row",
        "draw card as second_card from deck to row",
        "draw 2 cards from bottom of deck to row",
    )
    assert row(game.start(2)) == ["p", "s", "q", "r"]


def test_a_card_under_a_shuffled_pile_comes_from_the_bottom(tmp_path: Path) -> None:
    game = small_game(
        tmp_path,
        "shuffle deck",
        "draw card from deck to row",
        "move card to bottom of deck",
        "draw card as again from bottom of deck to row",
        "if again is card: players score 1",
        "draw 3 cards from bottom of deck to row",
    )
    seen = Counter[str]()
    for seed in range(60):
        match = game.start(2, seed)
        assert match.scores == [1, 1]
        seen["".join(row(match))] += 1
    assert len(seen) > 15, "any order of four cards"


def test_any_card_of_a_shuffled_pile_may_be_the_lowest(tmp_path: Path) -> None:
    game = small_game(tmp_path, "shuffle deck", "draw card from bottom of deck to row")
    firsts = Counter(row(game.start(2, seed))[0] for seed in range(400))
    assert all(60 < count < 140 for count in firsts.values())
    luck = game.start(2, chance="ask").decision
    assert luck is not None
    assert sorted(each.weight for each in luck.options) == [1, 1, 1, 1]


@pytest.mark.full
def test_twins_see_the_same() -> None:
    found = CliRunner().invoke(app, ["secrets", GAME, "--games", "4"])
    assert found.exit_code == 0, found.output
