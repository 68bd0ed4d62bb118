"""What is never done is left out, and only that."""

from __future__ import annotations

import pytest

from lawspeaker.machines.compiled import formed
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Function, Variable
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import leave_needed
from lawspeaker.machines.middle.printing import printed
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from tests.middle.running import build_into


class Calling:
    """A module whose door calls a function with some constants, which calls one of two others."""

    def __init__(self, *given: int) -> None:
        self.module = Module()
        self.one, self.other = (self._made(name, 0) for name in ("one", "other"))
        self.inner, self.outer = self._made("inner", 1), self._made("outer", 0)
        self.module.exports = {"outer": self.outer, "inner": self.inner}
        build_into(self.one, lambda f: f.return_(11))
        build_into(self.other, lambda f: f.return_(22))
        build_into(self.inner, self._inner)

        def outer(f: Body) -> None:
            total = f.let("total", 0)
            for each in given:
                f.add(total, self.inner(each))
            f.return_(total)

        build_into(self.outer, outer)

    def _made(self, name: str, given: int) -> Function:
        return self.module.function(name, (I32,) * given, (I32,))

    def _inner(self, f: Body, a: Variable) -> None:
        with f.if_(a == 3):
            f.return_(self.one())
        f.return_(self.other())


def test_a_function_that_is_called_nowhere_any_more_is_left_out() -> None:
    made = Calling(3, 3)
    leave_needed(made.module, ["outer"])
    assert made.module.functions == [made.one, made.inner, made.outer]
    assert printed(made.inner) == "inner(a: i32) -> i32\n  return one()\n"
    assert made.module.exports == {"outer": made.outer}


def test_calls_with_different_constants_keep_both_ways() -> None:
    made = Calling(3, 4)
    before = printed(made.inner)
    leave_needed(made.module, ["outer"])
    assert made.module.functions == [made.one, made.other, made.inner, made.outer]
    assert printed(made.inner) == before


def test_nobody_knows_what_is_given_to_a_door() -> None:
    made = Calling(3, 3)
    leave_needed(made.module, ["outer", "inner"])
    assert made.other in made.module.functions


@pytest.mark.full
def test_whole_games_need_two_thirds_of_a_module_at_most() -> None:
    _, module = formed(Layout(load("walhalla").program, 4), PLAYING)
    functions, before = len(module.functions), length(module)
    leave_needed(module, ["configure", "simulate"])
    assert len(module.functions) < functions
    assert 3 * length(module) < 2 * before


def length(module: Module) -> int:
    return sum(operations(each.body) for each in module.functions)
