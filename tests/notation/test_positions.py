"""Positions in the notation of a game: read, written, set up, and refused with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.match.match import Match
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_bundle, run_scenarios
from lawspeaker.study.notation import NoNotation, position_text
from lawspeaker.study.scenario.from_position import match_at
from tests.library import game
from tests.repo.checkout import ROOT

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSED = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1"
KINGS = "W:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"


def notation_of(match: Match) -> str:
    return position_text(match.machine.layout, match.state)


@pytest.mark.parametrize(
    "name, start",
    [
        ("chess", START),
        ("draughts", f"B:W{','.join(map(str, range(21, 33)))}:B{','.join(map(str, range(1, 13)))}"),
        ("othello", "8/8/8/3OX3/3XO3/8/8/8"),
        ("go", "/".join(["9"] * 9)),
        ("xiangqi", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
    ],
)
def test_the_start_is_written_as_everybody_writes_it(name: str, start: str) -> None:
    assert notation_of(Match(game(name).program, 2, 1)) == start


@pytest.mark.parametrize("text", [START, KIWIPETE, PASSED, "4k3/8/8/8/8/8/8/4K2R b K - 7 1"])
def test_what_is_read_is_written_again(text: str) -> None:
    assert notation_of(match_at(game("chess").program, text)) == text


def test_lists_are_read_with_prefixes_and_ranges() -> None:
    told = notation_of(match_at(game("draughts").program, KINGS))
    assert told == "W:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29"
    ranges = notation_of(match_at(game("draughts").program, "B:W21-32:B1-12."))
    assert ranges == notation_of(Match(game("draughts").program, 2, 1))


def test_what_is_left_out_is_as_at_the_start() -> None:
    text = notation_of(match_at(game("chess").program, "r3k2r/8/8/8/8/8/8/R3K2R"))
    assert text == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def test_a_forced_move_is_asked_for() -> None:
    """Otherwise the position on the table would be another than the one that was given."""
    text = "7k/8/8/8/8/8/r7/7K w - - 0 1"
    cornered = "k7/8/8/8/8/8/1r6/K7 w - - 0 1"
    assert notation_of(match_at(game("chess").program, cornered)) == cornered
    assert match_at(game("chess").program, text, unforced=False).decision is not None
    one = match_at(game("chess").program, cornered).decision
    assert one is not None
    assert [option.text for option in one.options] == ["go square 1 1, square 2 2"]
    assert notation_of(match_at(game("chess").program, cornered, unforced=False)) != cornered


@pytest.mark.parametrize(
    "name, text, why",
    [
        ("chess", "8/8/8/8/8/8/8 w - - 0 1", "the board has 8 rows, and here are 7"),
        ("chess", "9/8/8/8/8/8/8/8 w", "row 1, '9', has 9 squares instead of 8"),
        ("chess", "8/8/8/8/8/8/8/7 w", "row 8, '7', has 7 squares instead of 8"),
        ("chess", "x7/8/8/8/8/8/8/8 w", "'x' stands for no piece; there are K, Q, R"),
        ("chess", f"{START} 7", "a position has 6 parts, and here are 7"),
        ("chess", "8/8/8/8/8/8/8/8 x", "active is one of w, b, not 'x'"),
        ("chess", "8/8/8/8/8/8/8/8 w KK", "may_castle is - or some of KQkq, not 'KK'"),
        ("chess", "8/8/8/8/8/8/8/8 w - i9", "there is no square 'i9'; squares are a1 to h8"),
        ("chess", "8/8/8/8/8/8/8/8 w - - many", "'many' is no number"),
        ("chess", "KK6/8/8/8/8/8/8/8 w", "there are not so many: king white"),
        ("chess", "", "the board is missing"),
        ("chess", "8/" * 20_000, "at most 20,000 characters"),
        ("draughts", "B", "the board is missing"),
        ("draughts", "B:W33", "there is no square '33'; squares are 1 to 32"),
        ("draughts", "B:W9-1", "'9-1' is no range of squares"),
        ("draughts", "B:W5:B5", "two pieces stand on square 5"),
        ("draughts", "B:WX5", "'WX' stands for no piece"),
        ("othello", "8/8/8/8/8/8/8/8", "does not say by which clause a position is played on"),
        ("hex", "8", "hex declares no notation"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(name: str, text: str, why: str) -> None:
    with pytest.raises(NoNotation) as told:
        match_at(game(name).program, text)
    assert why in str(told.value)


# ---------------------------------------------------------------- scenarios


def scenario(folder: Path, situation: str, then: str) -> str:
    """The messages about a scenario with a position."""
    file = folder / "one.yaml"
    file.write_text(
        f"scenario: A position\ngame: chess\nplayers: 2\nsituation:\n{situation}\ndo: play\n"
        f"steps:\n  - answer: promote square 1 7, square 1 8, queen\n    then:\n{then}\n"
        "  - skip to: the end\n",
        encoding="utf-8",
    )
    report = run_scenarios([file], Library(folder, (), ROOT))
    (outcome,) = report.outcomes
    return "\n".join(each.message for each in outcome.diagnostics)


def test_a_scenario_begins_in_a_position_and_expects_one(tmp_path: Path) -> None:
    begins = "  notation: 4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    assert not scenario(tmp_path, begins, "      notation: Q3k3/8/8/8/8/8/8/4K3 b")
    told = scenario(tmp_path, begins, "      notation: Q2k4/8/8/8/8/8/8/4K3")
    assert told == (
        "expected the position Q2k4/8/8/8/8/8/8/4K3, found Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"
    )
    more = f"{begins}\n  square 8 8: rook black\n  quiet: 6"
    assert not scenario(tmp_path, more, "      square 8 8: rook black\n      quiet: 0")
    told = scenario(tmp_path, "  notation: 4k3/P7/8 w", "      quiet: 0")
    assert "the board has 8 rows, and here are 3" in told


# ---------------------------------------------------------------- declarations

SKIRMISH = (ROOT / "docs" / "language" / "notation.md").read_text(encoding="utf-8")
RULES = SKIRMISH.split("```yaml\n", 1)[1].split("```", 1)[0]


def compiled(*changes: tuple[str, str]) -> tuple[ir.Program | None, list[str]]:
    text = RULES
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    diagnostics = Diagnostics()
    found = compile_bundle([RuleFile("game.yaml", text)], diagnostics)
    return found, [f"{each.span.line}: {each}" for each in diagnostics]


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("board: square", "board: sqare", "there is no place `sqare`"),
        ("board: square", "board: box", "`box` is no grid with columns and rows"),
        ("    w: pawn white", "    ww: pawn white", "in rows, a sign is one letter"),
        ("    w: pawn white", "    w: pawn", "whose `pawn` is this?"),
        ("    w: pawn white", "    w: prawn white", "there is no piece and no kind `prawn`"),
        ("    w: pawn white", "    w: pawn wite", "there is no player `wite`"),
        ("    w: pawn white", "    w: pawn white with rank king", "has no `rank` that changes"),
        ("marker: quiet", "marker: quite", "there is no marker `quite`"),
        ("signs: {white: w,", "signs: {wite: w,", "`wite` is not a player"),
        ("{marker: quiet}", "{marker: quiet, flags: {x: y}}", "so it has no flags"),
        ("    - board\n", "", "a position has the board once"),
        ("continues with: play", "continues with: pley", "there is no clause `pley`"),
        ("continues with: play", "continues with: turn", "`turn` is given something"),
        ("      step: ", "      stepp: ", "no answer begins with `stepp`"),
        ("{capture}{target}", "{capture}{tarjet}", "`step` has no part `tarjet`"),
        ("check: in_danger", "check: in_dangre", "nothing is defined as `in_dangre`"),
        ("letter and number", "letters", "expected"),
        (
            "holds: pawn, room: 1, seen by: everyone",
            "holds: pawn, room: 1, seen by: nobody",
            "not everyone sees `square`, so nobody can write it down",
        ),
    ],
)
def test_a_wrong_declaration_is_explained(before: str, after: str, message: str) -> None:
    found, told = compiled((before, after))
    assert found is None
    assert any(message in each for each in told), told


def test_a_declaration_changes_no_rule() -> None:
    """A definition that only the notation uses is left out here, since it would be unused."""
    before, _, rest = RULES.partition("  alone:")
    rules = before + "  beaten:" + rest.partition("  beaten:")[2].replace("check: in_danger", "")
    found = [
        compile_bundle([RuleFile("game.yaml", text)], Diagnostics())
        for text in (rules, rules.partition("notation:")[0])
    ]
    whole, plain = found
    assert whole is not None
    assert plain is not None
    assert whole.notation is not None
    assert plain.notation is None
    assert whole.clauses == plain.clauses
