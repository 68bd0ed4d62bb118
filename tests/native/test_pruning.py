"""What is never done is left out, and only that."""

from __future__ import annotations

from collections.abc import Callable

import wasmtime

from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.compiled.binary import I32, Function, Module
from lawspeaker.machines.native.pruning import pruned
from lawspeaker.machines.native.reader import read
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout

Write = Callable[[Function], None]


def body(write: Write, *given: int) -> list[str]:
    """What is left of a function that is only called with these constants."""
    module = Module()
    inner = module.function("inner", (I32,) * len(given), (I32,))
    write(inner)
    outer = module.function("outer", (), (I32,))
    for each in given:
        outer.const(each)
    outer.call(inner)
    module.exports["outer"] = outer
    code = module.encode()
    wasmtime.Module.validate(wasmtime.Engine(), code)
    first, _ = pruned(read(code), ["outer"]).functions
    return [name if given is None else f"{name} {given}" for name, given in first.body]


def either(b: Function) -> None:
    b.get(0)
    with b.if_(I32):
        b.const(11)
        b.else_()
        b.const(22)


def test_one_arm_is_left_of_an_if_on_a_constant() -> None:
    assert body(either, 1) == ["block 127", "i32.const 11", "end"]
    assert body(either, 0) == ["block 127", "i32.const 22", "end"]


def test_what_comes_after_an_arm_that_is_kept_is_kept() -> None:
    def write(b: Function) -> None:
        b.get(0)
        with b.if_():
            b.const(1)
            b.op("drop")
            b.else_()
            b.op("unreachable")
        b.const(5)

    assert body(write, 1)[-1] == "i32.const 5"
    assert body(write, 0) == ["block 64", "unreachable", "end"]


def test_a_parameter_that_is_changed_is_no_constant() -> None:
    def write(b: Function) -> None:
        b.const(64)
        b.load()
        b.set(0)
        either(b)

    assert "i32.const 11" in body(write, 1)
    assert "i32.const 22" in body(write, 1)


def test_a_variable_is_a_constant_until_it_may_be_set_again() -> None:
    def write(b: Function) -> None:
        first, again = b.local(), b.local()
        b.const(1)
        b.set(first)
        b.get(first)
        with b.if_():
            b.get(0)
            with b.if_():
                b.const(0)
                b.set(first)
        b.get(first)  # it may be either by now
        with b.if_():
            b.const(7)
            b.op("return")
        with b.loop() as round:
            b.get(again)
            b.const(1)
            b.set(again)
            b.op("i32.eqz")
            b.br_if(round)
        b.const(8)

    module = Module()
    inner = module.function("inner", (I32,), (I32,))
    write(inner)
    module.exports["inner"] = inner
    (left,) = pruned(read(module.encode()), ["inner"]).functions
    names = [name for name, _ in left.body]
    assert names.count("if") == 2  # that on the parameter, and that on what it may have changed
    assert "br_if" in names


def test_a_table_on_a_constant_is_one_branch() -> None:
    def write(b: Function) -> None:
        with b.block() as last:
            with b.block() as second:
                with b.block() as first:
                    b.get(0)
                    b.br_table([first, second], last)
                b.const(1)
                b.op("return")
            b.const(2)
            b.op("return")
        b.const(3)

    for given, kept in ((0, 1), (1, 2), (2, 3), (-1, 3)):
        left = body(write, given)
        assert f"br {kept - 1}" in left
        assert f"i32.const {kept}" in left
        assert not any(name.startswith("br_table") for name in left)


def test_what_follows_a_branch_that_is_always_taken_is_left_out() -> None:
    def write(b: Function) -> None:
        with b.block() as out:
            b.get(0)
            b.op("i32.eqz")
            b.br_if(out)
            with b.loop() as again:
                b.br(again)
        b.const(5)

    assert body(write, 0) == ["block 64", "br 0", "end", "i32.const 5"]
    assert "loop 64" in body(write, 1)


def test_what_is_compared_with_a_constant_is_known() -> None:
    def write(b: Function) -> None:
        b.get(0)
        b.const(3)
        b.op("i32.eq")
        with b.if_(I32):
            b.const(5)
            b.else_()
            b.const(6)

    assert body(write, 3) == ["block 127", "i32.const 5", "end"]
    assert body(write, 4) == ["block 127", "i32.const 6", "end"]


def test_calls_with_different_constants_keep_both_ways() -> None:
    module = Module()
    inner = module.function("inner", (I32,), (I32,))
    either(inner)
    outer = module.function("outer", (), (I32,))
    for each in (0, 1):
        outer.const(each)
        outer.call(inner)
    outer.op("i32.add")
    module.exports["outer"] = outer
    first, _ = pruned(read(module.encode()), ["outer"]).functions
    names = "local.get if i32.const else i32.const end".split()
    assert [name for name, _ in first.body] == names


def test_whole_games_need_two_thirds_of_a_module_at_most() -> None:
    module = read(compile_module(Layout(load("walhalla").program, 4), stepping=False).code)
    left = pruned(module, ["configure", "simulate"])
    assert len(left.functions) < len(module.functions)
    assert 3 * sum(len(f.body) for f in left.functions) < 2 * sum(
        len(f.body) for f in module.functions
    )
