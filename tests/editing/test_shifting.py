"""Places are found again after somebody has typed, before, behind and between them."""

from __future__ import annotations

import pytest

from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.shifting import Shift

OLD = "one two three\nfour five six\nseven eight nine\n"


@pytest.mark.parametrize(
    "new, word, where",
    [
        (OLD, "five", OLD.index("five")),
        ("zero\n" + OLD, "five", OLD.index("five") + 5),
        ("zero\n" + OLD.replace("nine", "ten"), "eight", OLD.index("eight") + 5),
        (OLD.replace("two", "2"), "three", OLD.index("three") - 2),
        (OLD.replace("five", "(five"), "five", OLD.index("five") + 1),
        (OLD.replace("five", "fives"), "five", None),
        (OLD.replace("five", "fie"), "five", None),
        (OLD.replace("four five six\n", ""), "five", None),
        (OLD.replace("one", "1").replace("nine", "9"), "six", OLD.index("six") - 2),
    ],
)
def test_a_word_is_found_again_or_is_another(new: str, word: str, where: int | None) -> None:
    then, now = SourceFile("a", OLD), SourceFile("a", new)
    at = OLD.index(word)
    found = Shift(then, now).forth(Span(then, at, at + len(word)))
    assert (None if found is None else found.start) == where
    if found is not None:
        assert found.text == word
        assert Shift(then, now).back(found.start) == at


def test_of_what_is_new_nothing_is_known() -> None:
    then, now = SourceFile("a", OLD), SourceFile("a", OLD.replace("five ", "five or so "))
    assert Shift(then, now).back(now.text.index("or so") + 2) is None
