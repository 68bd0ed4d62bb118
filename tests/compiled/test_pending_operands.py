"""Values that are held keep what they were when they were worked out."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.middle.forms import I32, Expr, Function, Number, Variable, word
from tests.middle.printing import function_text


def new() -> tuple[OperandBody, Variable, Variable]:
    f = OperandBody([I32])
    return f, f.parameter("a", I32), f.parameter("b", I32)


def printed_lines(f: OperandBody) -> list[str]:
    tried = Function("tried", [I32, I32], f.results)
    tried.given, tried.body = tuple(f.parameters), f.statements
    return function_text(tried).splitlines()[1:]


def lines_between(f: OperandBody, value: Expr, do: Callable[[], None]) -> list[str]:
    """What is written if something is done between working two values out."""

    def second() -> Expr:
        do()
        return f.parameters[1]

    one, two = f.in_order(lambda: value, second)
    f.return_(one - two)
    return printed_lines(f)


def test_what_nothing_changes_stands_where_it_is_needed() -> None:
    f, a, b = new()
    assert lines_between(f, word(a << 2, 16), lambda: f.set(b, 7)) == [
        "  b = 7",
        "  return word[(a << 2) + 16] - b",
    ]


def test_a_variable_is_read_before_it_is_changed() -> None:
    f, a, _ = new()
    assert lines_between(f, a, lambda: f.set(a, 7)) == [
        "  held = a",
        "  a = 7",
        "  return held - b",
    ]


def test_memory_is_read_before_something_is_written() -> None:
    f, a, b = new()
    assert lines_between(f, word(a), lambda: f.set(word(b), 7)) == [
        "  held = word[a]",
        "  word[b] = 7",
        "  return held - b",
    ]


def test_what_is_held_around_a_condition_is_read_before_it() -> None:
    f, a, b = new()

    def perhaps() -> None:
        with f.if_(b):
            f.set(a, 7)

    assert lines_between(f, a, perhaps) == [
        "  held = a",
        "  if b:",
        "    a = 7",
        "  return held - b",
    ]


def test_values_may_be_held_inside_others() -> None:
    f, a, b = new()

    def changed(by: Number) -> Expr:
        f.add(a, by)
        return a

    one, two = f.in_order(lambda: a, lambda: sum_of(f.in_order(lambda: b, lambda: changed(1))))
    f.return_(one - two)
    assert printed_lines(f) == ["  held = a", "  a = a + 1", "  return held - (b + a)"]


def sum_of(both: list[Expr]) -> Expr:
    one, two = both
    return one + two
