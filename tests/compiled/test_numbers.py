"""Where numbers end: both machines, and the stated meaning, stop at the same ones.

There are as many numbers below zero as above. What a word of 32 bits could hold besides stands for
`nothing` in the compiled machine, so no rule may come to it in any way.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.ir.types import LARGEST, SMALLEST
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.compiled.side_by_side import SideBySide, fault_of
from tests.meaning.meaning import Broken, Meaning

GAME = """\
lawspeaker: 1
game: ends
players: {from: 2, to: 2, called: [ann, ben]}
words:
  side: [left, right]
pieces:
  stone: {count: 2, starts in: bag}
places:
  bag: {holds: stone, seen by: everyone}
  box: {holds: stone}
markers:
  least: {shows: number, starts as: -2147483647}
  most: {shows: number, starts as: 2147483647}
  one: {shows: number, starts as: 1}
  now: {shows: number}
rules:
  game:
    says: It does all of them.
    rule: |
"""
NUMBER = "a number grew beyond ±2,147,483,647"
SCORE = "a score grew beyond ±2,147,483,647"

REACHED = {
    "least": SMALLEST,
    "most": LARGEST,
    "-most": SMALLEST,
    "-least": LARGEST,
    "0 - least": LARGEST,
    "least - 0": SMALLEST,
    "least + 1 - one": SMALLEST,
    "most - 1 + one": LARGEST,
    "least + one - 1": SMALLEST,
    "least * one": SMALLEST,
    "least * -one": LARGEST,
    "least / -1 rounded down": LARGEST,
    "least / (0 - one) rounded up": LARGEST,
    "most / (0 - one) rounded down": SMALLEST,
    "remainder(least, -1)": 0,
    "difference(least, 0)": LARGEST,
    "difference(0, least)": LARGEST,
    "difference(most, one - 1)": LARGEST,
    "difference(least, least + one)": 1,
    "sum of (if side is left then least + one else -one) for each side": SMALLEST,
    "highest of least for each side": SMALLEST,
    "lowest of most for each side": LARGEST,
    "-2147483647": SMALLEST,
    "0 - 2147483646 - 1": SMALLEST,
}
"""What can still be worked out, and what it is."""

BEYOND_ENDS = [
    "difference(least, 1)",
    "difference(one, least)",
    "difference(most, least)",
    "least - 1",
    "least - one",
    "-1 + least",
    "-one + least",
    "-most - 1",
    "-most - one",
    "0 - most - one",
    "most + 1",
    "most + one",
    "1 + most",
    "least + least",
    "least - most",
    "most * 2",
    "least * 2",
    "1073741824 * -2",
    "1073741824 * (0 - 2 * one)",
    "-1073741824 * (one + 1)",
    "-65536 * 32768 * one",
    "sum of (if side is left then least else -one) for each side",
    "sum of -1073741824 for each stone in bag",
    "sum of least for each side",
    "-2147483647 - 1",
]
"""One further, in every way there is; what is fixed is told from what is not."""


SCORED = {
    "ann loses most": SMALLEST,
    "ann loses least": LARGEST,
    "ann scores least": SMALLEST,
    "ann scores least\nann loses one": SCORE,
    "ann loses most\nann scores -1": SCORE,
    "ann scores most\nann loses -one": SCORE,
    "ann scores least\nann scores 1 - one": SMALLEST,
    "players lose most\nplayers lose 1": SCORE,
}
"""What a score comes to, or that it grows too far."""

MAYBE = {
    "let x be first of [least, 1]\nif x is nothing: ann scores 1\nelse: ann scores x": SMALLEST,
    "let x be last of (collect 1 for each stone in box)\nif x is nothing: ann scores 1": 1,
    "if last of [one, least] is nothing: ann scores 1": 0,
    "if first of (collect one for each stone in box) is nothing: ann scores 1": 1,
    "if first of [-most] is first of (collect 1 for each stone in box): ann scores 1": 0,
}
"""Where a number may be missing, the lowest one is not taken for none."""


def game(rules: Sequence[str]) -> SideBySide:
    """A game with a clause for each of these rules, which is called by its number."""
    done = "".join(f"      do c{at}\n" for at in range(len(rules)))
    clauses = "".join(
        f"  c{at}:\n    says: It counts.\n    rule: |\n      "
        + rule.replace("\n", "\n      ")
        + "\n"
        for at, rule in enumerate(rules)
    )
    diagnostics = Diagnostics()
    file = SourceFile("ends.yaml", GAME + done + clauses)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, [str(each) for each in diagnostics if each.severity == "error"]
    return SideBySide(program, 2)


def answers(rules: Sequence[str]) -> list[int | str]:
    """What ann has after each rule, or the fault it is; both machines must say the same."""
    both, found = game(rules), list[int | str]()
    numbers = {clause.id: clause.index for clause in both.reference.program.clauses}
    for at, rule in enumerate(rules):
        told = []
        for machine in (both.reference, both.compiled):
            state = machine.blank(1)
            fault = fault_of(lambda: machine.begin(state, numbers[f"c{at}"], ()))  # noqa: B023
            told.append((state.scores[0] if fault is None else 0, fault))
        assert told[0] == told[1], rule
        points, fault = told[0]
        found.append(points if fault is None else fault[1])
    return found


def test_numbers_reach_to_both_ends_and_no_further() -> None:
    rules = [f"ann scores {each}" for each in (*REACHED, *BEYOND_ENDS)]
    assert answers(rules) == [*REACHED.values(), *[NUMBER] * len(BEYOND_ENDS)]


def test_the_stated_meaning_ends_there_as_well() -> None:
    numbers = (*REACHED, *BEYOND_ENDS)
    machine = game([f"ann scores {each}" for each in numbers]).reference
    state = machine.blank(1)
    found: list[object] = []
    for clause in machine.program.clauses[1:]:
        (deed,) = clause.body
        assert isinstance(deed, ir.Score)
        try:
            found.append(Meaning(machine.layout, state, [None] * 9).value(deed.points))
        except Broken as broken:
            found.append(broken.told[0])
    assert found == [*REACHED.values(), *[NUMBER] * len(BEYOND_ENDS)]


def test_scores_reach_as_far() -> None:
    assert answers(list(SCORED)) == list(SCORED.values())


def test_the_lowest_number_is_not_nothing() -> None:
    assert answers(list(MAYBE)) == list(MAYBE.values())
