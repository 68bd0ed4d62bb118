"""Kinds of differences worked out from the code of rules."""

from __future__ import annotations

import pytest

from lawspeaker.study.compare.clause_trees import CodeTree
from lawspeaker.study.compare.kinds import KINDS, _code_kind


@pytest.mark.parametrize(
    "one, other, kind",
    [
        ("ann must take: fruit in crate", "ann may take: fruit in crate", "may or must"),
        ("ann must take: fruit in crate", "ben must take: fruit in crate", "who"),
        ("ann scores 1", "ben scores 1", "who"),
        ("ann scores 1", "ann scores 2", "value"),
        ("tell ann fruit", "tell everyone fruit", "who"),
        ("tell ann fruit", "tell ann worth of fruit", "condition"),
        ("do one\ndo two", "do two\ndo one", "order"),
        ("do one", "do one\ndo two", "extra rule"),
        ("if a is b:\n  do one", "if a is c:\n  do one", "condition"),
        ("do one", "do two", "condition"),
    ],
)
def test_the_kind_of_a_changed_rule(one: str, other: str, kind: str) -> None:
    assert kind in KINDS
    assert _code_kind(CodeTree("rule", one).tree, CodeTree("rule", other).tree) == kind
    back = "left out" if kind == "extra rule" else kind
    assert _code_kind(CodeTree("rule", other).tree, CodeTree("rule", one).tree) == back
