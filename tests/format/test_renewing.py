"""Old forms of code become those of today, and the game stays the same."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text import document, parse
from lawspeaker.text.document import Mapping, Scalar
from lawspeaker.text.format.renewing import RENEWED, renewed
from tests.format.texts import neat
from tests.language.games import BAD, GOOD, compiled

PAIRS = {
    "walk pad from pad(1, 2) along east while pad is empty": (
        "walk from pad(1, 2) along east to each pad while pad is empty"
    ),
    "count of (walk cell as next from cell along back of axis while next is empty) + 1": (
        "count of (walk from cell along back of axis to each cell as next while next is empty) + 1"
    ),
    "score of player > 0 for every player": "for every player, score of player > 0",
    "(a or b) for every card in deck": "for every card in deck, a or b",
    "a and b for every card": "a and for every card, b",
    "a for every card and b": "(for every card, a) and b",
    "a for every card where b and c": "for every card where b and c, a",
    "f(a for every card, b)": "f((for every card, a), b)",
    "(a for every card as one) for every card as two": (
        "for every card as two, for every card as one, a"
    ),
    "let all_empty be heap is empty\n  for every heap\nall_empty": (
        "let all_empty be for every heap, heap is empty\nall_empty"
    ),
    "let others be line - [cell]\nbeats(cell, other) for every cell as other in others": (
        "let others be line - [cell]\nfor every cell as other in others, beats(cell, other)"
    ),
}


def tree(code: str) -> object:
    root = document.load(SourceFile("code.yaml", _block(code)), Diagnostics())
    assert isinstance(root, Mapping)
    value = root.entries[0][1]
    assert isinstance(value, Scalar)
    diagnostics = Diagnostics()
    read = parse.value(value, diagnostics)
    assert not diagnostics.has_errors, [str(each) for each in diagnostics]
    return read


def _block(code: str) -> str:
    return "as: |\n" + "".join(f"  {line}\n" for line in code.split("\n"))


@pytest.mark.parametrize("old", PAIRS)
def test_an_old_form_becomes_a_new_one(old: str) -> None:
    assert renewed(old, "value") == PAIRS[old]
    assert tree(PAIRS[old]) == tree(old)
    assert renewed(PAIRS[old], "value") == PAIRS[old]


LEAVES = ("a", "b is c", "not d", "(e or f)", "there is a card where g")
JOINTS = (
    "{} and {}",
    "{} or {}",
    "({} and {}) for every card",
    "{} and ({}) for every heap in g(x, y)",
)


def conditions(depth: int) -> list[str]:
    if not depth:
        return list(LEAVES)
    smaller = conditions(depth - 1)[::3]
    pairs = itertools.product(smaller, repeat=2)
    return [joint.format(*pair) for pair in pairs for joint in JOINTS]


@pytest.mark.full
def test_what_belongs_to_a_condition_does_not_change() -> None:
    found = conditions(2)
    assert len(found) > 100
    for each in found:
        again = renewed(each, "value")
        assert tree(again) == tree(each), each
        forms = {str(node.data) for node in parse.grammar().parse(again, "value").iter_subtrees()}
        assert not forms & set(RENEWED), each


def test_a_question_says_which_guards_hold_in_each_case() -> None:
    question = "a may choose one of\n  go\n    where x: b\n  stay\n  {}where y: c\n  {}where z: d\n"
    said = "in each case "
    assert renewed(question.format("", ""), "rule") == question.format(said, said)
    assert renewed(question.format(said, ""), "rule") == question.format(said, said)


def test_a_form_with_a_comment_inside_stays_as_it_is() -> None:
    commented = "a  # why\nfor every card\nand b for every heap"
    assert renewed(commented, "value") == "a  # why\nfor every card\nand for every heap, b"


@pytest.mark.parametrize("file", [GOOD / "old_forms.yaml", BAD / "silent_where.yaml"])
def test_the_program_of_a_renewed_file_is_the_same(file: Path, tmp_path: Path) -> None:
    text = file.read_text(encoding="utf-8")
    new = tmp_path / file.name
    new.write_text(neat(text), encoding="utf-8")
    assert new.read_text(encoding="utf-8") != text
    before, _ = compiled(file, file.parent)
    after, diagnostics = compiled(new, tmp_path)
    assert before is not None
    assert after is not None
    assert before == replace(after, digest=before.digest)
    assert not len(diagnostics)
