"""What a variable holds is put in its place where it is known, and only there."""

from __future__ import annotations

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Variable, const, word
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.printing import printed
from lawspeaker.machines.middle.propagation import propagated
from tests.middle.running import Build, function_of

LUCK = Module().function("luck", [], [I32])


def passed(build: Build, known: int | None = None) -> list[str]:
    """The lines of a function after the pass, where a may be known."""
    function = function_of(build, [I32, I32], [])
    constants = {} if known is None else {function.given[0]: const(known)}
    function.body = propagated(function.body, constants)
    return [line[2:] for line in printed(function).splitlines()[1:]]


def both_ways(f: Body, a: Variable, b: Variable) -> None:
    with f.if_(a == 3):
        f.set(b, 11)
    with f.else_():
        f.set(b, 22)
    f.set(word(64), b)


def test_one_side_is_left_of_an_if_on_a_constant() -> None:
    assert passed(both_ways, 3) == ["b = 11", "word[64] = 11"]
    assert passed(both_ways, 4) == ["b = 22", "word[64] = 22"]
    assert passed(both_ways) == [
        *("if a == 3:", "  b = 11", "else:", "  b = 22"),
        "word[64] = b",
    ]


def test_what_is_set_to_something_unknown_is_no_constant() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        f.set(b, a)
        f.set(a, word(64))
        f.set(b, a + b)
        f.do(LUCK, into=(b,))
        f.set(a, b)

    assert passed(build, 5) == [
        *("b = 5", "a = word[64]", "b = a + 5", "b = luck()", "a = b"),
    ]


def test_what_one_side_sets_is_unknown_behind_it_unless_it_does_not_come_there() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        with f.if_(b):
            f.set(a, 6)
        f.set(word(64), a)

    def leaving(f: Body, a: Variable, b: Variable) -> None:
        with f.if_(b):
            f.set(a, 6)
            f.return_()
        f.set(word(64), a)

    assert passed(build, 5)[-1] == "word[64] = a"
    assert passed(leaving, 5)[-1] == "word[64] = 5"


def test_what_is_set_in_a_block_is_unknown_behind_it() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        with f.block() as out:
            f.leave(out, b)
            f.set(a, 6)
            f.set(word(60), a)
        f.set(word(64), a)

    assert passed(build, 5) == [
        *("block:", "  leave block if b", "  a = 6", "  word[60] = 6"),
        "word[64] = a",
    ]


def test_what_is_set_in_a_loop_is_unknown_from_its_beginning() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        with f.while_(a != b):
            f.set(word(60), b)
            f.add(a, 1)
        f.set(word(64), a)

    def unchanged(f: Body, a: Variable, b: Variable) -> None:
        with f.while_(b):
            f.set(b, word(a))

    assert passed(build, 5) == [
        *("loop:", "  leave loop if a == b", "  word[60] = b", "  a = a + 1"),
        "word[64] = a",
    ]
    assert passed(unchanged, 5)[-1] == "  b = word[5]"


def test_what_follows_a_way_that_is_always_gone_is_left_out() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        with f.block() as out:
            f.leave(out, a == 0)
            with f.loop():
                f.set(b, 1)
        f.set(word(64), b)

    assert passed(build, 0) == ["block:", "  leave block", "word[64] = b"]
    assert "  loop:" in passed(build, 1)
