"""Moves and games in the notation of a game, with figures and texts from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.match.match import Match
from lawspeaker.outside.storage import save
from lawspeaker.study.notation import NoNotation, game_text, move_text
from lawspeaker.study.scenario.from_position import match_at
from tests.library import game
from tests.notation.test_positions import KIWIPETE


def moves(match: Match) -> list[str]:
    decision = match.decision
    assert decision is not None
    return [move_text(match, option) for option in decision.options]


@pytest.mark.full
@pytest.mark.parametrize(
    "text, expected",
    [
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", {"a8=Q+", "a8=R+", "a8=B", "a8=N", "Ke2"}),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", {"axb8=Q+", "axb8=N", "a8=N"}),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", {"Nbd2", "Nfd2", "Nc3", "Ne5"}),
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", {"R1a3", "R5a3", "Rh5", "Rd1"}),
        ("8/6k1/8/8/Q6Q/8/8/K6Q w - - 0 1", {"Q4e1", "Q1e1", "Qae4", "Qh4e4", "Q1e4"}),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1", {"exf6", "e6", "Ke2"}),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", {"Ra8#", "O-O-O", "Kd2"}),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", {"O-O", "Rh8+"}),
    ],
)
def test_moves_of_chess_are_written_as_players_write_them(text: str, expected: set[str]) -> None:
    found = moves(match_at(game("chess").program, text))
    assert expected <= set(found), set(found)
    assert len(set(found)) == len(found)


@pytest.mark.full
def test_all_moves_of_a_position_have_names_of_their_own() -> None:
    found = moves(match_at(game("chess").program, KIWIPETE))
    assert len(found) == len(set(found)) == 48


@pytest.mark.full
def test_squares_of_draughts_have_numbers() -> None:
    assert set(moves(Match(game("draughts").program, 2, 1))) == {
        *("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")
    }
    jumps = moves(match_at(game("draughts").program, "B:W6,14:B1"))
    assert jumps == ["1x10x17"]


@pytest.mark.full
def test_a_game_has_its_forced_moves() -> None:
    """15 takes 18, and that is the only move of black; nobody is asked in play."""
    match = Match(game("draughts").program, 2, 1)
    for text in ("10-15", "22-18"):
        decision = match.decision
        assert decision is not None
        match.choose(next(each for each in decision.options if move_text(match, each) == text))
    assert len(match.replies) == 2
    text = game_text(match, ["Ann", 'B"en'], "draughts")
    assert '[Black "Ann"]\n[White "B\\"en"]\n[Result "*"]\n[GameType "21"]\n' in text
    assert text.endswith("\n\n1. 10-15 22-18 2. 15x22 *\n")
    variant = game_text(match, ["Ann", "Ben"], "draughts+losing")
    assert '[Variant "losing"]\n\n1. ' in variant
    assert "GameType" not in variant, "21 is draughts without variants"


def test_sgf_has_letters_and_passes() -> None:
    match = Match(game("go").program, 2, 1)
    for text in ("lay point 3 4", "lay point 9 1", "pass", "pass"):
        match.choose(text)
    told = game_text(match, ["Ann]", "Ben"], "go", "9.9")
    assert told == (
        "(;FF[4]CA[UTF-8]AP[Lawspeaker:9.9]GM[1]SZ[9]PB[Ann\\]]PW[Ben]RE[W+]\n"
        ";B[cd];W[ia];B[];W[])\n"
    )


def test_othello_is_written_from_the_top() -> None:
    match = Match(game("othello").program, 2, 1)
    match.choose("lay cell 4 3")
    assert ";B[dc]" in game_text(match)


def test_what_cannot_be_written_is_said() -> None:
    with pytest.raises(NoNotation, match="hex declares no notation"):
        game_text(Match(game("hex").program, 2, 1))
    with pytest.raises(NoNotation, match="began in the middle"):
        game_text(match_at(game("chess").program, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"))


# ---------------------------------------------------------------- commands


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.full
def test_a_mated_king_ends_the_game(tmp_path: Path) -> None:
    match = Match(game("chess").program, 2, 1)
    for move in ("f3", "e5", "g4", "Qh4#"):
        decision = match.decision
        assert decision is not None
        match.choose(next(each for each in decision.options if move_text(match, each) == move))
    file = tmp_path / "game.log"
    save(file, match.record(seats=["Ann", "Ben"]))
    told = run("replay", str(file), "--notation")
    assert told.endswith('[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    assert '[White "Ann"]' in told
    assert "goes with nothing else" in run("replay", str(file), "--notation", "--json", code=2)


@pytest.mark.full
def test_a_position_is_shown_with_its_moves() -> None:
    told = run("position", "chess", "--fen", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert "\n4k3/P7/8/8/8/8/8/4K3 w - - 0 1\nwhite: Which move do you make?\n" in told
    assert "\n  a8=Q+  promote square 1 7, square 1 8, queen\n" in told
    assert "there is no square 'i9'" in run(
        "position", "chess", "--fen", "8/8/8/8/8/8/8/8 w - i9", code=2
    )
    assert "declares no notation" in run("position", "hex", code=1)


@pytest.mark.full
def test_perft_begins_in_a_position() -> None:
    told = run("perft", "chess", "--fen", KIWIPETE, "--depth", "2", "--forced")
    assert told.split() == ["1", "48", "2", "2,039"]
