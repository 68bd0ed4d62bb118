"""How much is written in place: short functions, up to some length, and no more than fits."""

from __future__ import annotations

import pytest

from lawspeaker.machines.middle.inlining import inline
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import calls, operations
from tests.middle.parsing import parsed_module

TEXT = """
tell(a: i32)
  word[a] = a + 1

door f(a: i32)
  tell(a)
  tell(a + 1)
  tell(a + 2)
"""
SHORT = 5
"""Operations of `tell`."""


def still_called(module: Module) -> int:
    return sum(len(calls(each.body)) for each in module.functions)


@pytest.mark.parametrize(
    "most, longest, room, left",
    [
        (SHORT, 100, 100, 0),
        (SHORT - 1, 100, 100, 3),  # too long to be taken in
        (SHORT, 20, 100, 2),  # what takes it in grows too long
        (SHORT, 100, 26, 1),  # there is no more room
    ],
)
def test_no_more_is_taken_in_than_is_allowed(most: int, longest: int, room: int, left: int) -> None:
    module = parsed_module(TEXT)
    length = sum(operations(each.body) for each in module.functions)
    inline(module, most, longest, room)
    assert still_called(module) == left
    assert operations(module.exports["f"].body) <= longest
    assert sum(operations(each.body) for each in module.functions) <= max(room, length)


def test_what_nobody_calls_any_more_is_left_out() -> None:
    module = parsed_module(TEXT)
    inline(module, 100, 100, 100)
    assert [each.name for each in module.functions] == ["f"]
