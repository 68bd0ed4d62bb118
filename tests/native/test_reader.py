"""The reader knows all that the compiler writes, and says so when it meets something else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from lawspeaker.machines.compiled import binary, compile_module
from lawspeaker.machines.compiled.compiler import written
from lawspeaker.machines.native import reader
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout

NAMES = {reader.I32: binary.I32, reader.I64: binary.I64, reader.F64: binary.F64}
OPENING = ("block", "loop", "if")


def named(types: Iterable[int]) -> tuple[str, ...]:
    """The types that were read, as they are called where they are written."""
    return tuple(NAMES[each] for each in types)


@pytest.mark.parametrize("watching", [True, False])
def test_what_was_written_is_read(watching: bool) -> None:
    layout = Layout(load("little_whist").program, 4)
    unit, _ = written(layout, stepping=False, watching=watching)
    found = reader.read(unit.module.encode())
    assert found.exports == {name: each.index for name, each in unit.module.exports.items()}
    assert named(type for type, _ in found.globals) == tuple(g.type for g in unit.module.globals)
    assert [first for _, first in found.globals] == [g.first for g in unit.module.globals]
    assert dict(found.data) == dict(unit.module.data)
    assert len(found.functions) == len(unit.module.functions)
    for one, other in zip(found.functions, unit.module.functions, strict=True):
        assert named(one.parameters) == other.parameters
        assert named(one.results) == other.results
        assert named(one.locals) == tuple(other.locals)
        assert [name for name, _ in one.body] == [name for name, _ in other.body]
        for (name, given), (_, wanted) in zip(one.body, other.body, strict=True):
            if isinstance(wanted, binary.Function):
                wanted = wanted.index
            if isinstance(wanted, list):
                wanted = tuple(wanted)
            if name in OPENING:
                left = next((code for code, type in NAMES.items() if type == wanted), None)
                wanted = left or reader.NOTHING
            assert given == wanted, name


@pytest.mark.parametrize("value", [0, 1, -1, 63, 64, -64, -65, 2**31 - 1, -(2**31)])
def test_constants_keep_their_sign(value: int) -> None:
    module = binary.Module()
    function = module.function("f", (), (binary.I32,))
    function.const(value)
    assert reader.read(module.encode()).functions[0].body == (("i32.const", value),)


def test_every_instruction_that_can_be_written_can_be_read() -> None:
    module = binary.Module()
    function = module.function("f")
    plain = list(binary._PLAIN)
    for name in plain:
        function.op(name)
    for name in binary._MEMORY:
        function.load(12, name)
    body = reader.read(module.encode()).functions[0].body
    assert [name for name, _ in body] == [*plain, *binary._MEMORY]


def test_anything_else_is_refused() -> None:
    code = compile_module(Layout(load("nim").program, 2), stepping=False).code
    with pytest.raises(reader.UnknownCode, match="no module"):
        reader.read(b"\0asn" + code[4:])
    with pytest.raises(reader.UnknownCode):
        reader.read(code[:8] + b"\x02\x01\x00" + code[8:] + b"\x63\x01\x01")
