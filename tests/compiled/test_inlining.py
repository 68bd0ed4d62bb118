"""Functions written where they are called do what they did, and what nobody calls is gone."""

from __future__ import annotations

from lawspeaker.machines.compiled.binary import Function, Module
from lawspeaker.machines.compiled.inlining import inline
from lawspeaker.machines.middle.forms import I32
from tests.compiled.test_binary import run


def early_return(module: Module) -> Function:
    """(number) -> 7 for 0, else the number of times its local was still 0: always 1"""
    b = module.function("early", [I32], [I32])
    count = b.local()
    b.get(0)
    b.op("i32.eqz")
    with b.if_(), b.block():
        b.const(7)
        b.op("return")
    b.get(count)
    b.const(1)
    b.op("i32.add")
    b.tee(count)
    return b


def summing(module: Module, called: Function) -> Function:
    """(number) -> what the function called gives for all numbers from it down to 0, added up"""
    b = module.function("sum", [I32], [I32])
    total = b.local()
    with b.loop() as again:
        b.get(0)
        b.call(called)
        b.get(total)
        b.op("i32.add")
        b.set(total)
        b.get(0)
        b.const(-1)
        b.op("i32.add")
        b.tee(0)
        b.const(0)
        b.op("i32.ge_s")
        b.br_if(again)
    b.get(total)
    return b


def test_a_short_function_is_written_where_it_is_called() -> None:
    module = Module()
    called = early_return(module)
    caller = summing(module, called)
    module.exports["run"] = caller
    inline(module, most=50, longest=1000, room=1000)
    assert not any(name == "call" for name, _ in caller.body)
    assert module.functions == [caller]
    # Its local is 0 again each time, and a return leaves it alone, not the caller.
    assert run(caller, module, 5) == 5 + 7


def test_a_long_function_is_called() -> None:
    module = Module()
    caller = summing(module, early_return(module))
    module.exports["run"] = caller
    inline(module, most=5, longest=1000, room=1000)
    assert [function.name for function in module.functions] == ["early", "sum"]
    assert run(caller, module, 5) == 5 + 7


def test_a_function_does_not_grow_without_end() -> None:
    module = Module()
    caller = summing(module, early_return(module))
    module.exports["run"] = caller
    inline(module, most=50, longest=10, room=1000)
    assert any(name == "call" for name, _ in caller.body)


def test_a_function_that_calls_itself_is_called() -> None:
    module = Module()
    b = module.function("down", [I32], [I32])
    b.get(0)
    b.op("i32.eqz")
    with b.if_():
        b.const(3)
        b.op("return")
    b.get(0)
    b.const(1)
    b.op("i32.sub")
    b.call(b)
    caller = summing(module, b)
    module.exports["run"] = caller
    inline(module, most=50, longest=1000, room=1000)
    assert run(caller, module, 4) == 15


def test_no_more_is_taken_in_than_there_is_room_for() -> None:
    """What it takes to hand over arguments, and to begin with empty locals, is counted as well."""
    module = Module()
    called = early_return(module)
    caller = module.function("many", [I32], [I32])
    for _ in range(50):
        caller.get(0)
        caller.call(called)
        caller.set(0)
    caller.get(0)
    module.exports["run"] = caller
    before = len(caller.body)
    inline(module, most=50, longest=10_000, room=200)
    assert before < len(caller.body) <= before + 200
