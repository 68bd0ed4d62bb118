"""Which functions call themselves, and which are short."""

from __future__ import annotations

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Function, Variable
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.native.call_graph import Calling
from tests.middle.running import build_into


def function_calling(module: Module, name: str, length: int, *called: Function) -> Function:
    """A function of so many additions, which calls others."""

    def build(f: Body, a: Variable) -> None:
        for _ in range(length):
            f.add(a, 1)
        for each in called:
            f.do(each, a)

    function = module.function(name, (I32,))
    build_into(function, build)
    return function


def test_a_function_that_comes_back_to_itself_is_recursive() -> None:
    module = Module()
    last = function_calling(module, "last", 1)
    third = function_calling(module, "third", 1, last)
    second = function_calling(module, "second", 1, third)
    first = function_calling(module, "first", 1, second)
    build_into(third, lambda f, a: f.do(second, a))
    found = Calling(module)
    assert found.deep == {second, third}
    assert found.short == {first, last}


def test_what_is_written_out_in_a_short_function_counts() -> None:
    module = Module()
    few = function_calling(module, "few", 10)
    twice = function_calling(module, "twice", 0, few, few)
    often = function_calling(module, "often", 0, few, few, few)
    long = function_calling(module, "long", 30)
    calling = function_calling(module, "calling", 10, long)
    module.exports["door"] = door = function_calling(module, "door", 1)
    found = Calling(module)
    assert found.short == {few, twice, calling}
    assert found.length == sum(operations(each.body) for each in (often, few, few, few, long, door))


def test_what_is_called_from_one_place_is_told() -> None:
    module = Module()
    inner = function_calling(module, "inner", 200)
    twice = function_calling(module, "twice", 200)
    outer = function_calling(module, "outer", 200, inner, twice, twice)
    both = function_calling(module, "both", 200)
    module.exports["door"] = door = function_calling(module, "door", 1, outer, both)
    module.exports["also"] = both
    assert Calling(module).once == {inner, outer, door}
