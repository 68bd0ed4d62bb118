"""The table as text: what it looks like, that it fits, and that it shows nothing hidden."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import lawspeaker
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.match.match import Match
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story
from tests.conftest import Golden
from tests.terminal.games import SMALL, fixed, load_text, small_game, walhalla
from tests.tiers import sample

HERE = Path(__file__).parent
LANGUAGES = ("en", "de", "it", "fr")


def picture(match: Match, seat: int | None, language: str, width: int) -> str:
    block = table_block(match.view(seat), language, width)
    return "".join(f"{line.plain}\n" for line in block.lines)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_of_a_fixed_situation(width: int, golden: Golden) -> None:
    golden(picture(fixed(), 0, "en", width), HERE / "tables" / f"en-{width}.txt")


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_table_in_other_languages(language: str, golden: Golden) -> None:
    golden(picture(fixed(), 0, language, 80), HERE / "tables" / f"{language}-80.txt")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", sample([44, 50, 60, 72, 80, 100, 120, 160, 200], test=4, full=4))
def test_the_table_fits_the_window(language: str, width: int) -> None:
    match = walhalla().start(4, seed=3)
    for number in range(24):
        if number % 6 == 0:
            block = table_block(match.view(0), language, width)
            assert block.width <= width
        assert match.decision is not None
        match.choose(len(match.decision.options) // 2)


def test_rows_are_drawn_from_below_and_called_as_their_places() -> None:
    match = lawspeaker.load(str(HERE.parent / "language/good/grid_from_below.yaml")).start(
        2, seed=1
    )
    match.choose("cell 2 1")
    shown = picture(match, 0, "en", 60).splitlines()
    board = [line.split() for line in shown if line[:1] in "4321 " and line.strip()]
    assert board[:5] == [["a", "b", "c"], ["4", "·", "·", "·"], ["3", "·", "·", "·"],
                         ["2", "·", "·", "·"], ["1", "·", "P", "·"]]  # fmt: skip


def test_stacks_have_their_numbers_at_the_edge() -> None:
    match = lawspeaker.load(str(HERE.parent / "language/good/stacks.yaml")).start(2, seed=1)
    assert picture(match, 0, "en", 60).splitlines()[:7] == [
        "tray 2 5",
        "lane      ditch   lane",
        "3   4     ann     B×2 ·",
        "·   ·     ·       5   6",
        "",
        "·   A×7   B",
        "2   1     ben",
    ]


def test_the_narrowest_table_is_stacked() -> None:
    text = picture(fixed(), 0, "en", 24)
    assert "fjord 1" in text
    assert "R wheat" not in text
    assert max(map(len, text.splitlines())) <= 40


@pytest.mark.parametrize(
    "name, shown",
    [
        ("{line} in {file}", "… in …"),
        ("field {line}", "field"),
        ("{file} meadow", "meadow"),
        ("{line}{file}", "cell"),
        ("Platz", "Platz"),
    ],
)
def test_a_family_is_called_by_its_name_without_indices(name: str, shown: str) -> None:
    text = SMALL + f"names:\n  cell: {{en: '{name}'}}\n"
    lines = picture(load_text(text).start(2, seed=1), 0, "en", 80).splitlines()
    assert any(line.startswith(shown + " ") for line in lines)


def test_places_that_are_not_there_are_not_drawn() -> None:
    lines = picture(fixed(), 0, "en", 80).splitlines()
    assert not [line for line in lines if line.lstrip().startswith(("9 ", "10 "))]
    assert sum("headland" in line for line in lines) == 6


def test_only_the_own_hand_is_shown() -> None:
    mine, others, nobody = (picture(fixed(), seat, "en", 80) for seat in (0, 3, None))
    assert "hand: 2 × wheat field, hunt" in mine
    assert "attack" not in mine
    assert "hand: attack, forest" in others or "hand: forest, attack" in others
    assert "hunt" not in others
    assert "hunt" not in nobody
    assert "attack" not in nobody
    assert "(you)" not in nobody


def test_what_a_seat_cannot_see_changes_nothing() -> None:
    """Two games that differ only in hidden cards look the same."""
    game = walhalla()
    pictures = set()
    for other in ("hunt", "heroes", "cape_8"):
        setup = {"places": {"hand red": ["shield"], "hand black": [other]}}
        match = Match.at(game.program, 4, "laying_cards", (), setup)
        pictures.add(picture(match, 0, "en", 80))
    assert len(pictures) == 1


def test_letters_say_what_colours_say() -> None:
    """Nothing is told by colour alone: the plain text of each player's piece is a letter."""
    text = picture(fixed(), 0, "en", 80)
    for letter, name in (("R", "Red"), ("K", "Black"), ("Y", "Yellow"), ("B", "Blue")):
        assert f"{letter} {name}" in text
    assert "1 R cult" in text
    assert "4 K cult" in text


def test_whose_a_piece_is_can_be_read_without_colours() -> None:
    match = lawspeaker.load("chess").start(players=2, seed=1)
    plain = picture(match, 0, "en", 100)
    assert {"WK", "BK", "WN", "BN"} <= set(plain.split())


def test_colours_are_only_added() -> None:
    block = table_block(fixed().view(0), "en", 80)
    file = StringIO()
    console = Console(width=80, force_terminal=True, color_system="256", file=file)
    for line in block.lines:
        console.print(line, soft_wrap=True, highlight=False)
    coloured = file.getvalue()
    assert "\x1b[1;97;41mR\x1b[0m Red" in coloured, "the letter white on red, the name plain"
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert plain.splitlines() == [line.plain for line in block.lines]


def test_a_game_without_a_layout(golden: Golden) -> None:
    match = small_game().start(2, seed=1)
    match.choose("lay cell 1 2")
    assert small_game().program.table is None
    for width in (80, 30):
        golden(picture(match, 1, "en", width), HERE / "tables" / f"small-{width}.txt")


def test_a_large_grid_is_drawn_around_its_pieces() -> None:
    text = SMALL.replace("line: 1..3", "line: 1..21").replace("file: 1..3", "file: 1..20")
    match = load_text(text).start(2, seed=1)
    match.choose("lay cell 1 9")
    lines = picture(match, 0, "en", 120).splitlines()
    assert [line.split() for line in lines[2:5]] == [
        ["8", "9", "10"],
        ["1", "·", "A", "·"],
        ["2", "·", "·", "·"],
    ]


GROWING = """
lawspeaker: 1
game: meadow
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  tile: {starts in: bag, changes: {turned: player}, count: 9}
places:
  bag: {holds: tile, seen by: everyone}
  spot: {grid: grows, holds: tile, room: 1, seen by: everyone}
rules:
  game:
    says: Each player lays a tile beside the others, after a first one.
    rule: |
      move a tile in bag to spot(0, 0)
      for each player:
        do laying(player)
  laying:
    says: A player lays a tile beside those on the table.
    asks: Where do you lay a tile?
    given: {player: player}
    rule: |
      player must lay: spot in open_spots
        otherwise: cannot happen
      if there is a tile in bag:
        turned of tile becomes player
        move tile to spot
"""


def test_a_table_without_an_edge_is_drawn_around_its_pieces() -> None:
    match = load_text(GROWING).start(2, seed=1)
    match.choose("lay spot 1 0")
    match.choose("lay spot 1 1")
    lines = picture(match, 0, "en", 80).splitlines()
    board = lines[lines.index(next(line for line in lines if "−1" in line)) :]
    assert [line.split() for line in board[:5]] == [
        ["−1", "0", "1", "2"],
        ["−1", "·", "·", "·", "·"],
        ["0", "·", "tile", "A", "·"],
        ["1", "·", "·", "B", "·"],
        ["2", "·", "·", "·", "·"],
    ], "columns run across; tiles are drawn by whose they are, if anybody's"


GAMES = sorted(path.parent.name for path in (HERE.parents[1] / "rules").glob("*/game.yaml"))


@pytest.mark.parametrize("name", sample(GAMES, test=12, full=2))
def test_every_game_can_be_drawn_and_told(name: str) -> None:
    game = lawspeaker.load(name)
    for players in {game.players[0], game.players[-1]}:
        match = game.start(players, seed=2)
        for number in range(60):
            if match.decision is None:
                break
            if number % 12 == 0:
                for seat in (0, players - 1, None):
                    assert table_block(match.view(seat), "en", 80).width <= 80
            match.choose(number % len(match.decision.options), seat=match.decision.seat)
        for seat in (0, None):
            story = Story(match.machine, seat, "en", Labels(match.view(seat)))
            for line in story.lines(match.events):
                assert line.text
                assert "{" not in line.text
                assert "_" not in line.text
