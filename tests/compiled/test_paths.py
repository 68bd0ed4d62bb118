"""Paths: several steps that are chosen as one answer, each from where the last one ended."""

from __future__ import annotations

from functools import cache

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from tests.compiled.equal_records import check_records
from tests.compiled.side_by_side import SideBySide
from tests.language.games import GOOD

FILE = GOOD / "paths.yaml"
SETUP = """\
      move a man in box of black to square(1, 1)
      for each square in [square(2, 2), square(4, 4), square(4, 2), square(2, 4)]:
        move a man in box of white to square
"""


@cache
def game() -> Game:
    return load(str(FILE))


@cache
def surrounded() -> ir.Program:
    """A lonely man in the corner, and four to jump over."""
    text = FILE.read_text(encoding="utf-8")
    before, setup, after = text.partition("    rule: |\n")
    _, again, after = after.partition("      repeat 12 times:\n")
    out = Diagnostics()
    file = SourceFile("paths.yaml", before + setup + SETUP + again + after)
    program = compile_game(file, lambda name, span: None, schema("game"), out)
    assert program is not None, [str(each) for each in out]
    return program


def jumps(match: Match) -> list[str]:
    assert match.decision is not None
    texts = [option.text for option in match.decision.options]
    return [text.removeprefix("jump ") for text in texts if text.startswith("jump ")]


def test_a_path_is_one_option_and_goes_on_to_its_end() -> None:
    match = Game(surrounded(), "paths").start(players=2, seed=1)
    start = "square 1 1, square 3 3"
    assert jumps(match) == [
        f"{start}, square 1 5",
        f"{start}, square 5 1",
        f"{start}, square 5 5",
    ]
    match.choose(f"jump {start}, square 5 1")
    assert match.scores == [2, 0]
    assert match.table()["places"]["square 5 1"]["pieces"] == ["man black"]


def test_a_step_that_is_refused_is_refused_by_its_guard() -> None:
    match = Game(surrounded(), "paths").start(players=2, seed=1)
    for said, guard in {
        "jump square 1 1, square 3 3": "to_the_end",
        "jump square 1 1, square 3 3, square 3 5": "over_another",
        "jump square 1 1, square 3 3, square 4 4": "lands_on_empty",
        "jump square 1 1, square 2 2": "lands_on_empty",
        "jump square 1 1, square 3 3, square 1 1": "over_another",
    }.items():
        refusal = match.why_not(said, 0)
        assert refusal.guard is not None, said
        assert refusal.guard.name == guard, said


def test_both_machines_agree_question_by_question() -> None:
    both = SideBySide(game().program, 2)
    for seed in range(3):
        assert both.play(seed) > 0
    assert SideBySide(surrounded(), 2).play(1) > 0


def test_whole_games_have_equal_records() -> None:
    check_records(game().program, 2, 8)
