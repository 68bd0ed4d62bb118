"""Paths: several steps that are chosen as one answer, each from where the last one ended."""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.lower import metering
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.lower.paths import paths
from lawspeaker.machines.reference import machine_for
from lawspeaker.match.decision import worded
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
LIGHT = ("in 1..(count of path)", "in 1..smaller(count of path, 3)")
"""The rules tell that a path is short, so that no guard is so dear that it pays for itself."""
LANDS = "          where lands_on_empty: landing is empty or landing is origin\n"
TO_THE_END = "          where to_the_end: onward is empty\n"


@cache
def game() -> Game:
    return load(str(FILE))


@cache
def surrounded(*changes: tuple[str, str]) -> ir.Program:
    """A lonely man in the corner, and four to jump over; with what stands for something else."""
    text = FILE.read_text(encoding="utf-8")
    before, setup, after = text.partition("    rule: |\n")
    _, again, after = after.partition("      repeat 12 times:\n")
    for what, other in changes:
        assert after.count(what) == 1
        after = after.replace(what, other)
    out = Diagnostics()
    file = SourceFile("paths.yaml", before + setup + SETUP + again + after)
    program = compile_game(file, lambda name, span: None, schema("game"), out)
    assert program is not None, [str(each) for each in out]
    return program


def joint_alternatives(program: ir.Program) -> list[list[int]]:
    """The alternatives of the question that has paths, those that are looked for together."""
    lowered = machine_for(program, 2).lowered
    [operation] = [each for code in lowered.code for each in code if each.kind is Kind.ASK]
    assert isinstance(operation.statement, ir.Ask)
    found = paths(operation.statement.alternatives, operation.guards, operation.listing)
    return [list(each) for each in found]


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


def test_all_steps_are_told_in_their_order() -> None:
    match = Game(surrounded(), "paths").start(players=2, seed=1)
    assert match.decision is not None
    path = next(each.alternative for each in match.decision.options if "square 5 1" in each.text)
    assert path is not None
    told = ["a1", "c3", "e1"]
    assert worded("jump from {origin}", path, told, "en") == "jump from a1, c3, e1"
    assert worded("jump to {landing}", path, told, "en") == "jump to c3, e1, a1"


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


@pytest.mark.full
def test_paths_of_all_lengths_are_looked_for_together() -> None:
    program = surrounded(LIGHT)
    assert joint_alternatives(program) == [[0], [1, 2, 3, 4]]
    assert SideBySide(program, 2).play(1) > 0
    check_records(program, 2, 8)


@pytest.mark.full
def test_where_the_whole_is_asked_about_first_they_are_not() -> None:
    """It might be a fault, and then it would matter which guard is asked first."""
    program = surrounded(LIGHT, (TO_THE_END, ""), (LANDS, TO_THE_END + LANDS))
    assert joint_alternatives(program) == [[0], [1], [2], [3], [4]]
    assert SideBySide(program, 2).play(1) > 0


def test_where_a_guard_pays_for_itself_at_every_step_they_are_as_well() -> None:
    assert joint_alternatives(surrounded()) == [[0], [1, 2, 3, 4]]


@pytest.mark.usefixtures("uncached")
@pytest.mark.full
def test_where_a_guard_pays_for_itself_at_the_end_alone_they_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metering, "DEAR", 100)
    program = surrounded.__wrapped__()
    assert joint_alternatives(program) == [[0], [1], [2], [3], [4]]
    assert SideBySide(program, 2).play(1) > 0


@pytest.mark.full
def test_both_machines_agree_question_by_question() -> None:
    both = SideBySide(game().program, 2)
    for seed in range(3):
        assert both.play(seed) > 0
    assert SideBySide(surrounded(), 2).play(1) > 0


@pytest.mark.full
def test_whole_games_have_equal_records() -> None:
    check_records(game().program, 2, 8)
