"""Modules written by hand: the encoding, control flow, and that nothing is imported."""

from __future__ import annotations

import pytest
import wasmtime

from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.compiled.compile.binary import PAGE, Function, Module, signed, unsigned
from lawspeaker.machines.middle.forms import I32, I64
from lawspeaker.machines.purpose import PLAYING, STEPPING, Purpose
from lawspeaker.position.layout import Layout
from tests.reference import games


@pytest.mark.parametrize(
    "value, wanted",
    [(0, "00"), (1, "01"), (63, "3f"), (64, "c000"), (-1, "7f"), (-64, "40"), (-65, "bf7f")],
)
def test_numbers_with_a_sign(value: int, wanted: str) -> None:
    assert signed(value).hex() == wanted


def test_numbers_without_a_sign() -> None:
    assert unsigned(0).hex() == "00"
    assert unsigned(624485).hex() == "e58e26"


def run(function: Function, module: Module, *given: int) -> object:
    module.exports["run"] = function
    module.bytes = PAGE
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    instance = wasmtime.Instance(store, wasmtime.Module(engine, module.encode()), [])
    found = instance.exports(store)["run"]
    assert isinstance(found, wasmtime.Func)
    return found(store, *given)


def test_loops_and_branches_find_their_way() -> None:
    module = Module()
    b = module.function("sum", [I32], [I32])
    total = b.local()
    with b.block() as done, b.loop() as again:
        b.get(0)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(total)
        b.get(0)
        b.op("i32.add")
        b.set(total)
        b.get(0)
        b.const(1)
        b.op("i32.sub")
        b.set(0)
        b.br(again)
    b.get(total)
    assert run(b, module, 10) == 55
    assert "loop" in b.text()
    assert module.text().startswith("sum #0")


def test_long_words_keep_all_their_bits() -> None:
    module = Module()
    b = module.function("word", [], [I64])
    b.long(0x9E3779B97F4A7C15)
    assert run(b, module) == 0x9E3779B97F4A7C15 - (1 << 64)


@pytest.mark.parametrize("purpose", [PLAYING, STEPPING], ids=str)
def test_a_compiled_game_imports_nothing_and_its_memory_has_a_limit(purpose: Purpose) -> None:
    code = compile_module(Layout(games.cards(), 2), purpose).code
    module = wasmtime.Module(wasmtime.Engine(), code)
    assert not module.imports
    (memory,) = [each.type for each in module.exports if each.name == "memory"]
    assert isinstance(memory, wasmtime.MemoryType)
    assert memory.limits.min == memory.limits.max


def test_the_same_program_gives_the_same_bytes() -> None:
    one, two = (compile_module(Layout(games.cards(), 3), PLAYING).code for _ in range(2))
    assert one == two
