"""For how many a game is: how it is written and told, and that all who play it go by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.base.counts import counts_in, counts_in_sentence, counts_in_table, nearest_count
from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.cli import app
from lawspeaker.study.lab.games import play_games
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD

GAME = str(GOOD / "counts_of_players.yaml")
VARIANT = """\
lawspeaker: 1
variant: fewer
of: counts_of_players
layer: house rule
title: For two or three
changes:
  - {set: players, to: PLAYERS, because: We are three.}
  - {set: share, to: 1, because: There are not oars enough.}
"""


@pytest.mark.parametrize(
    "text, counts, told, shown",
    [
        ("3", (3,), "3", "3"),
        ("2 to 4", (2, 3, 4), "2 bis 4", "2–4"),
        ("2 or 3", (2, 3), "2 bis 3", "2–3"),
        ("4 or 2", (2, 4), "2 oder 4", "2 oder 4"),
        ("2, 3 or 5", (2, 3, 5), "2, 3 oder 5", "2, 3 oder 5"),
        ("2, 4 to 6, or 8", (2, 4, 5, 6, 8), "2, 4 bis 6 oder 8", "2, 4–6 oder 8"),
    ],
)
def test_counts_are_read_and_told(
    text: str, counts: tuple[int, ...], told: str, shown: str
) -> None:
    assert counts_in(text, 8) == counts
    assert (counts_in_sentence(counts, "de"), counts_in_table(counts, "de")) == (told, shown)
    assert counts_in(counts_in_sentence(counts), 8) == counts


@pytest.mark.parametrize("text", ["", "two", "0 or 2", "2 or 9", "4 to 2", "2-4", "2 3", "2 or"])
def test_what_says_no_count_gives_none(text: str) -> None:
    assert counts_in(text, 8) == ()


def test_the_nearest_count_is_the_greater_of_two() -> None:
    assert [nearest_count((2, 4), each) for each in (0, 3, 9)] == [2, 4, 4]


def test_a_game_is_played_by_so_many_and_no_others() -> None:
    game = lawspeaker.load(GAME)
    assert game.players == (2, 4)
    shares = [game.start(each).machine.layout.choice(0) for each in game.players]
    assert shares == [4, 2]
    for few_or_many in (1, 3, 5):
        with pytest.raises(ValueError, match="is for 2 or 4 players, not"):
            game.start(few_or_many)


@pytest.mark.parametrize("players", [2, 4])
def test_both_machines_play_it(players: int) -> None:
    program = lawspeaker.load(GAME).program
    assert SideBySide(program, players).play(3) == players
    games = play_games(program, players, 1, range(20), ("random",) * players)
    assert len(games) == 20


@pytest.mark.parametrize(
    "command", ["simulate", "perft", "play", "bench", "train", "sweep --vary share=1,2"]
)
def test_every_command_names_the_counts(command: str) -> None:
    name, *more = command.split()
    found = CliRunner().invoke(app, [name, GAME, *more, "--players", "3"])
    assert found.exit_code == 2
    assert "is for 2 or 4 players, not 3" in " ".join(found.output.split())


def test_a_variant_changes_them(tmp_path: Path) -> None:
    file = tmp_path / "fewer.yaml"
    file.write_text(VARIANT.replace("PLAYERS", "2 or 3"), encoding="utf-8")
    assert lawspeaker.load(f"{GAME}+{file}").players == (2, 3)
    file.write_text(VARIANT.replace("PLAYERS", "2 and 3"), encoding="utf-8")
    with pytest.raises(RulesError, match="does not say how many can play"):
        lawspeaker.load(f"{GAME}+{file}")
    seats = "{number: 2 to 3, called: [ann, ben, cy], sides: [red, blue]}"
    file.write_text(VARIANT.replace("PLAYERS", seats), encoding="utf-8")
    assert lawspeaker.load(f"{GAME}+{file}").players == (2, 3)
