"""A variable that is read once stands for its value, unless something comes in between."""

from __future__ import annotations

import pytest

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Variable, either, word
from lawspeaker.machines.middle.forwarding import forwarded
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.printing import printed
from tests.middle.running import Build, function_of

LUCK = Module().function("luck", [], [I32])


def passed(build: Build) -> list[str]:
    """The lines of a function after the pass."""
    function = function_of(build, [I32, I32], [])
    function.body = forwarded(function.body)
    return [line[2:] for line in printed(function).splitlines()[1:]]


def test_what_is_read_at_once_needs_no_name() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        at = f.let("at", a << 2)
        held = f.let("held", word(at))
        f.set(b, a + held)

    assert passed(build) == ["b = a + word[a << 2]"]


def test_what_is_read_twice_is_worked_out_once() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        at = f.let("at", a << 2)
        f.set(b, at + at)

    assert passed(build) == ["at = a << 2", "b = at + at"]


@pytest.mark.full
def test_a_call_does_not_go_behind_what_it_may_change() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        drawn = f.let("drawn", LUCK())
        f.set(b, word(a) + drawn)
        other = f.let("other", LUCK())
        f.set(b, a + other)

    assert passed(build) == ["drawn = luck()", "b = word[a] + drawn", "b = a + luck()"]


def test_what_lies_in_memory_does_not_go_behind_a_call() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        held = f.let("held", word(a))
        f.set(b, LUCK() + held)

    assert passed(build) == ["held = word[a]", "b = luck() + held"]


def test_what_may_not_be_needed_is_worked_out_before() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        drawn = f.let("drawn", LUCK())
        f.set(b, either(a, drawn, 0))

    assert passed(build) == ["drawn = luck()", "b = either(a, drawn, 0)"]


def test_nothing_goes_into_a_loop() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        end = f.let("end", word(a))
        with f.while_(b < end):
            f.add(b, 1)

    assert passed(build)[0] == "end = word[a]"


def test_what_nobody_reads_is_not_kept_but_calls_are_done() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        f.let("unread", word(a))
        f.let("drawn", LUCK())
        f.let("both", LUCK() + 1)
        f.set(b, a)

    assert passed(build) == ["luck()", "both = luck() + 1", "b = a"]
