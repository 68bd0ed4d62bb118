"""Nothing is written to columns that nobody reads."""

from __future__ import annotations

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Clear, Const, Copy, Store, Variable, call, load
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native.dead_stores import leave_unread
from tests.middle.running import build_into

COLUMNS = [("read", (64, 80)), ("one", (80, 101)), ("two", (101, 128)), ("copied", (128, 136))]


def test_only_what_is_read_is_written_copied_and_cleared() -> None:
    module = Module()
    function = module.function("f", (I32,))

    def build(f: Body, a: Variable) -> None:
        f.copy(56, 1056, 88)
        f.clear(64, 24)
        f.set(load(I32, 4, a, 84, "one"), 1)
        f.set(load(I32, 4, 64, 0, "read"), load(I32, 4, 68, 0, "read"))
        f.copy(200, 128, 8)

    build_into(function, build)
    leave_unread(module, COLUMNS)
    values = [
        (type(each), [part.value for part in each.parts() if isinstance(part, Const)])
        for each in function.body
        if isinstance(each, Copy | Clear)
    ]
    assert values == [
        (Copy, [56, 1056, 24]),
        (Copy, [128, 1128, 16]),
        (Clear, [64, 16]),
        (Copy, [200, 128, 8]),
    ]
    assert sum(isinstance(each, Store) for each in function.body) == 1


def test_what_is_handed_around_is_written() -> None:
    """Whoever is given an address may read there."""
    module = Module()
    reader, writer = module.function("reader", (I32,), (I32,)), module.function("writer")
    build_into(reader, lambda f, a: f.return_(load(I32, 4, a)))

    def build(f: Body) -> None:
        f.set(load(I32, 4, 84, 0, "one"), 1)
        f.set(load(I32, 4, 104, 0, "two"), 1)
        f.let("got", call(reader, 80))

    build_into(writer, build)
    leave_unread(module, COLUMNS)
    stored = [each.target.column for each in writer.body if isinstance(each, Store)]
    assert stored == ["one"]
