"""Instructions become forms, and what they push keeps the value it had when it was pushed."""

from __future__ import annotations

from lawspeaker.machines.compiled.binary import I32, Function
from lawspeaker.machines.compiled.stack import Stack
from lawspeaker.machines.middle.printing import printed
from lawspeaker.machines.middle.walk import is_straight


def new() -> Stack:
    return Stack(Function("tried", 0, [I32, I32], [I32]))


def lines(b: Stack) -> list[str]:
    b.finish()
    return printed("tried", b.f).splitlines()[1:]


def test_what_is_pushed_stands_where_it_is_taken() -> None:
    b = new()
    b.get(b.given[0])
    b.const(2)
    b.op("i32.shl")
    b.load(16)
    b.get(b.given[1])
    b.op("i32.add")
    assert lines(b) == ["  return word[(given0 << 2) + 16] + given1"]


def test_a_variable_is_read_before_it_is_changed() -> None:
    b = new()
    b.get(b.given[0])
    b.const(7)
    b.set(b.given[0])
    b.get(b.given[0])
    b.op("i32.sub")
    assert lines(b) == ["  held = given0", "  given0 = 7", "  return held - given0"]


def test_memory_is_read_before_something_is_written() -> None:
    b = new()
    b.get(b.given[0])
    b.load()
    b.get(b.given[0])
    b.const(7)
    b.store()
    assert lines(b) == ["  held = word[given0]", "  word[given0] = 7", "  return held"]


def test_what_is_held_around_a_condition_is_read_before_it() -> None:
    b = new()
    b.get(b.given[0])
    b.get(b.given[1])
    with b.if_():
        b.const(7)
        b.set(b.given[0])
    assert lines(b) == ["  held = given0", "  if given1:", "    given0 = 7", "  return held"]


def test_a_block_leaves_what_its_branches_bring() -> None:
    b = new()
    with b.block(I32) as answered:
        with b.block() as there:
            b.get(b.given[0])
            b.br_if(there)
            b.const(0)
            b.br(answered)
        b.const(1)
    assert lines(b) == [
        "  block:",
        "    block.2:",
        "      leave block.2 if given0",
        "      local = 0",
        "      leave block",
        "    local = 1",
        "  return local",
    ]


def test_a_loop_that_is_not_begun_again_is_left() -> None:
    b = new()
    with b.loop() as again:
        b.get(b.given[0])
        b.br_if(again)
    b.get(b.given[1])
    assert lines(b) == ["  loop:", "    leave loop if not given0", "  return given1"]


def test_what_is_tried_can_be_taken_back() -> None:
    b = new()
    b.get(b.given[0])
    mark = b.f.mark()
    b.get(b.given[1])
    b.set(b.given[0])
    assert len(mark.since) == 2
    mark.undo()
    assert lines(b) == ["  return given0"]


def test_straight_is_what_is_short_and_neither_branches_nor_changes_anything() -> None:
    b = new()
    mark = b.f.mark()
    b.get(b.given[0])
    b.tee(b.local())
    b.get(b.given[1])
    b.op("i32.add")
    assert is_straight(mark.since, b.held[-1], 10)
    assert not is_straight(mark.since, b.held[-1], 4)
    b.get(b.given[1])
    b.op("i32.div_u")
    assert not is_straight(mark.since, b.held[-1], 10)
    b.get(b.given[0])
    b.const(7)
    b.store()
    assert not is_straight(mark.since, b.given[0], 10)
