"""Games of other programs are read: what they write differently, and where they are wrong."""

from __future__ import annotations

import io
import random
from pathlib import Path

import chess
import chess.pgn
import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.match.match import Match
from lawspeaker.study.notation import game_text, position_text
from lawspeaker.study.notation.read_games import BadGame, games_in, names_in, play
from tests.library import game
from tests.tiers import pick

FIRST_MOVES = """\
[Event "A \\"test\\""]
[White "Ann"]
[Black "Ben"]

1.e4 {king's pawn
on two lines} e5 2. Ng1-f3 $1 Nc6 (2...d6 3.d4 (3.Bc4)) 3.Bf1c4! Bc5 ; the rest of the line
% an escape
4.0-0 Nf6?! 1/2-1/2
"""
LOSING_A_MAN = "1. 10-15 22-18 2. 15x22 25x18 *"


def read_game(name: str, text: str, rules: str = "") -> Match:
    """The only game of a text, played."""
    loaded = game(name)
    (found,) = games_in(text, loaded.program)
    match = loaded.start(2, seed=1)
    play(match, found, ["crazyhouse"])
    return match


def refused(name: str, text: str) -> tuple[int, str]:
    with pytest.raises(BadGame) as caught:
        read_game(name, text)
    return caught.value.at, str(caught.value)


# ---------------------------------------------------------------- files


def test_a_file_is_taken_apart() -> None:
    program = game("chess").program
    first, second = games_in(f'{FIRST_MOVES}\n[White "Cy"]\n\n1. d4 *', program)
    moves = [each.text for each in first.moves]
    assert moves == ["e4", "e5", "Ng1-f3", "Nc6", "Bf1c4!", "Bc5", "0-0", "Nf6?!"]
    assert first.tags["Event"] == 'A "test"'
    assert first.result == "1/2-1/2"
    assert names_in(program, first) == ["Ann", "Ben"]
    assert names_in(program, second) == ["Cy", "?"]
    assert FIRST_MOVES[first.moves[2].at :].startswith("Ng1-f3")


def test_a_tree_is_read_along_its_first_branches() -> None:
    text = "(;FF[4]SZ[9]PB[Ann \\] B];B[cc]C[(;B[aa)](;W[gg](;B[cg])(;B[gc]))(;W[ee];B[ef]))"
    (found,) = games_in(text, game("go").program)
    assert [(each.whose, each.text) for each in found.moves] == [
        ("B", "cc"),
        ("W", "gg"),
        ("B", "cg"),
    ]
    assert names_in(game("go").program, found) == ["Ann ] B", "?"]
    assert len(games_in("(;B[cc])\n(;B[dd])", game("go").program)) == 2


@pytest.mark.parametrize(
    "name, text, at, said",
    [
        ("chess", "1. e4 {never", 6, "this comment never ends"),
        ("chess", "1. e4 (1. d4", 6, "this variation never ends"),
        ("chess", "1. e4 ) e5", 6, "ends no variation"),
        ("chess", "[White Ann]\n1. e4", 0, 'a tag is written like [White "Ann"]'),
        ("chess", "  ", 0, "no game in PGN"),
        ("go", "(;B[cc]", 7, "this game never ends"),
        ("go", "(;B cc)", 2, "a property like B[dd]"),
        ("go", "(;AB[cc][dd];W[ee])", 2, "AB lays stones"),
    ],
)
def test_a_damaged_file_is_told_with_the_place(name: str, text: str, at: int, said: str) -> None:
    with pytest.raises(BadGame) as caught:
        games_in(text, game(name).program)
    assert said in str(caught.value)
    assert caught.value.at == at


@pytest.mark.full
@pytest.mark.parametrize(
    "name, text, at, said",
    [
        ("go", "(;SZ[19];B[cc])", 0, "its board has the size 19, and that of go has 9"),
        ("go", "(;W[cc])", 2, "it is the turn of black"),
        ("go", "(;B[cc];W[zz])", 8, "white cannot play 'zz' here"),
        ("othello", "(;B[aa])", 2, "black cannot play 'aa' here; there are"),
        ("draughts", '[GameType "20"]\n1. 10-15', 0, "its GameType is 20"),
    ],
)
def test_a_move_that_cannot_be_is_told_with_its_place(
    name: str, text: str, at: int, said: str
) -> None:
    found, message = refused(name, text)
    assert said in message
    assert found == at


def test_nothing_is_read_without_end() -> None:
    program = game("chess").program
    with pytest.raises(BadGame, match="5,000,000 characters"):
        games_in(" " * 5_000_001, program)
    with pytest.raises(BadGame, match="5,000 moves"):
        games_in("e4 " * 5_001, program)


# ---------------------------------------------------------------- moves


@pytest.mark.full
def test_moves_may_be_written_otherwise() -> None:
    match = read_game("chess", FIRST_MOVES)
    assert game_text(match).endswith("\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *\n")


@pytest.mark.full
def test_a_position_and_another_variant_are_refused() -> None:
    start = chess.STARTING_FEN
    assert len(read_game("chess", f'[FEN "{start}"]\n[Variant "Standard"]\n\n1. e4').replies) == 1
    middle = '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O'
    assert "begins in a position" in refused("chess", middle)[1]
    assert "chess+crazyhouse" in refused("chess", '[Variant "Crazyhouse"]\n\n1. e4')[1]


@pytest.mark.full
def test_forced_moves_are_written_and_not_asked() -> None:
    match = read_game("draughts", LOSING_A_MAN)
    assert LOSING_A_MAN in game_text(match)
    assert len(match.replies) < 4


@pytest.mark.full
def test_a_jump_may_leave_out_the_squares_between() -> None:
    opening = "1. 11-15 23-19 2. 8-11 22-17 3. 11-16"
    whole = game_text(read_game("draughts", f"{opening} 24-20 4. 15x24 28x19"))
    assert game_text(read_game("draughts", f"{opening} 24-20 4. 15-24 28:19")) == whole
    assert "cannot play '15x22'" in refused("draughts", f"{opening} 24-20 4. 15x22")[1]


@pytest.mark.full
@pytest.mark.parametrize("name", ["othello", "go", "draughts"])
def test_what_was_written_is_read_again(name: str) -> None:
    loaded = game(name)
    match, luck = loaded.start(2, seed=1), random.Random(5)
    while match.decision is not None and len(match.replies) < 30:
        match.choose(luck.choice(match.decision.options))
    again = read_game(name, game_text(match))
    assert [each.text for each in again.replies] == [each.text for each in match.replies]
    assert again.state == match.state


@pytest.mark.full
@pytest.mark.parametrize("seed", range(pick(test=0, full=1, nightly=20)))
def test_games_of_another_program_come_out_the_same(seed: int) -> None:
    """python-chess plays and writes them."""
    luck, board = random.Random(seed), chess.Board()
    for _ in range(36):
        moves = sorted(board.legal_moves, key=str)
        if not moves or board.is_game_over(claim_draw=True):
            break
        taking = [each for each in moves if board.is_capture(each)]
        board.push(luck.choice(taking or moves))
    written = chess.pgn.Game.from_board(board)
    match = read_game("chess", str(written))
    ours = position_text(match.machine.layout, match.state).split()
    theirs = board.fen(en_passant="fen").split()
    assert ours[:5] == theirs[:5]
    back = chess.pgn.read_game(io.StringIO(game_text(match)))
    assert back is not None
    assert back.end().board().fen() == board.fen()


# ---------------------------------------------------------------- the command


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.full
def test_a_game_becomes_a_log(tmp_path: Path) -> None:
    file, log = tmp_path / "games.sgf", tmp_path / "game.log"
    file.write_text("(;PB[Ann]PW[Ben]RE[B+R];B[cc];W[gg];B[])\n(;B[aa]\n;W[aa])", encoding="utf-8")
    assert "has 2 games: choose one with --game 1" in run("replay", str(file), "--of", "go", code=2)
    assert "no game 3" in run("replay", str(file), "--of", "go", "--game", "3", code=2)
    told = run("replay", str(file), "--of", "go", "--game", "2", code=1)
    assert f"{file}:3:2: white cannot play 'aa' here" in told
    told = run("replay", str(file), "--of", "go", "--game", "1", "--log", str(log))
    assert "Ann, Ben" in told
    assert "3 replies" in run("replay", str(log))
    assert "declares no notation" in run("replay", str(file), "--of", "hex", code=1)
    assert "go with --of" in run("replay", str(log), "--game", "1", code=2)
