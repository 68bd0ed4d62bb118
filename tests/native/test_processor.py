"""A module as C does what it does under wasmtime: every instruction, and whole games."""

from __future__ import annotations

import ctypes
import mmap
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from struct import pack

import pytest
import wasmtime

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER
from lawspeaker.machines.compiled import Instance, compile_module
from lawspeaker.machines.compiled.binary import _PLAIN, F64, I32, I64, Function, Module
from lawspeaker.machines.middle.forms import Type
from lawspeaker.machines.native.processor import c_source
from lawspeaker.machines.native.reader import read
from lawspeaker.outside import native
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from lawspeaker.outside.native import NativeGames
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from tests.compiled.test_games import runs_away
from tests.native.common import QUICKLY, module, needs_compiler, wanted
from tests.nightly import NIGHTLY
from tests.reference import games

TYPES = {"i32": I32, "i64": I64, "f64": F64}
WHOLE = (0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
LONG = (*WHOLE, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0x123456789ABCDEF0)
REAL = (0.0, -0.0, 1.0, -1.5, 2.25, 1e300, -1e-300, float("inf"))


class Both:
    """A module under wasmtime, and as C. Its functions leave what they work out at address 64."""

    def __init__(self, made: Module) -> None:
        made.bytes = 1 << 16
        code = made.encode()
        self.store = wasmtime.Store()
        own = wasmtime.Module(self.store.engine, code)
        self.exports = wasmtime.Instance(self.store, own, []).exports(self.store)
        self.library = native._loaded(native.library(c_source(code, tuple(made.exports)), QUICKLY))
        self.library.variables_size.restype = ctypes.c_uint64
        self.variables = ctypes.create_string_buffer(self.library.variables_size())
        self.library.variables_begin(self.variables)
        self.memory = mmap.mmap(-1, made.bytes)
        first = ctypes.c_char.from_buffer(self.memory)
        self.here = (ctypes.c_void_p(ctypes.addressof(first)), self.variables)

    def same(self, name: str, *given: tuple[Type, float], size: int = 128) -> bytes | None:
        """What is left in so much of the memory by both, or None if both stop."""
        memory = self.exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        memory.write(self.store, bytes(size), 0)
        self.memory[:size] = bytes(size)
        function = self.exports[name]
        assert isinstance(function, wasmtime.Func)
        values = [_value(of, each) for of, each in given]
        try:
            function(self.store, *values)
            wanted = bytes(memory.read(self.store, 0, size))
        except wasmtime.Trap:
            wanted = None
        passed = [_passed(of, each) for of, each in given]
        went_well = getattr(self.library, f"door_{name}")(*self.here, *passed)
        found = self.memory[:size] if went_well else None
        assert found == wanted, (name, given)
        return found


def _value(of: Type, each: float) -> float:
    """As wasmtime is given it: with a sign."""
    if of == F64:
        return float(each)
    bits = 32 if of == I32 else 64
    word = int(each) & (1 << bits) - 1
    return word - (1 << bits) if word >> (bits - 1) else word


def _passed(of: Type, each: float) -> object:
    if of == F64:
        return ctypes.c_double(each)
    return ctypes.c_uint32(int(each)) if of == I32 else ctypes.c_uint64(int(each))


def operations() -> Iterator[tuple[str, tuple[Type, ...], Type]]:
    """Every instruction that works something out, with what it is given and gives."""
    for name in _PLAIN:
        of, _, operation = name.partition(".")
        if operation.startswith(("wrap_", "extend_", "convert_")):
            yield name, (TYPES[operation.split("_")[1]],), TYPES[of]
        elif operation in ("eqz", "clz", "ctz", "popcnt", "sqrt"):
            yield name, (TYPES[of],), I32 if operation == "eqz" else TYPES[of]
        elif operation:
            compares = operation.split("_")[0] in ("eq", "ne", "lt", "gt", "le", "ge")
            yield name, (TYPES[of],) * 2, I32 if compares else TYPES[of]


def put(b: Function, of: Type) -> None:
    b.store(64, {I32: "i32.store", I64: "i64.store", F64: "f64.store"}[of])


def test_every_operation_is_that_of_webassembly() -> None:
    needs_compiler()
    made = Module()
    for name, given, back in operations():
        function = made.function(name, given)
        function.const(0)
        for at in range(len(given)):
            function.get(at)
        function.op(name)
        put(function, back)
        made.exports[name.replace(".", "_")] = function
    both = Both(made)
    stopped = 0
    for name, given, _ in operations():
        values = {I32: WHOLE, I64: LONG, F64: REAL}
        for chosen in product(*(values[of] for of in given)):
            left = both.same(name.replace(".", "_"), *zip(given, chosen, strict=True))
            stopped += left is None
    assert stopped > 8 * len(WHOLE)  # by nothing, and the lowest number by -1


@pytest.mark.parametrize("value", [0.1, -0.0, 1e308, 5e-324, float("inf"), -float("inf")])
def test_numbers_with_a_fraction_keep_every_bit(value: float) -> None:
    needs_compiler()
    made = Module()
    function = made.function("real")
    function.const(0)
    function.real(value)
    put(function, F64)
    made.exports["real"] = function
    left = Both(made).same("real")
    assert left is not None
    assert left[64:72] == pack("<d", value)


def test_memory_is_read_and_written_as_it_lies_and_not_beyond_its_end() -> None:
    needs_compiler()
    made = Module()
    loads = ["i32.load8_s", "i32.load8_u", "i32.load16_s", "i32.load16_u", "i32.load", "i64.load"]
    stores = ["i32.store8", "i32.store16", "i32.store", "i64.store", "f64.store"]
    for name in loads:
        function = made.function(name, (I32, I64))
        function.const(32)
        function.get(1)
        function.store(0, "i64.store")
        function.const(0)
        function.get(0)
        function.load(30, name)
        put(function, TYPES[name[:3]])
        made.exports[name.replace(".", "_")] = function
    for name in stores:
        function = made.function(name, (I32, TYPES[name[:3]]))
        function.get(0)
        function.get(1)
        function.store(1, name)
        made.exports[name.replace(".", "_")] = function
    both = Both(made)
    ends = (65535 - 30, 65536 - 30 - 1, 65536 - 30 - 2, 65536 - 30 - 4, 65536 - 30 - 8)
    for name, at in product(loads, (0, 1, 2, 3, 5, 9, *ends, 0xFFFFFFFF, 0xFFFFFFF0)):
        both.same(name.replace(".", "_"), (I32, at), (I64, 0x8081F2F384A5C6E7), size=1 << 16)
    for name, at in product(stores, (0, 1, 7, 65527, 65528, 65531, 65533, 65534, 65535, 1 << 31)):
        value = (TYPES[name[:3]], 0x81F2F3F485868788)
        both.same(name.replace(".", "_"), (I32, at), value, size=1 << 16)


def test_copying_and_filling_may_overlap_and_stop_at_the_end() -> None:
    needs_compiler()
    made = Module()
    for name in ("copy", "fill"):
        function = made.function(name, (I32, I32, I32))
        function.const(0)
        function.long(0x0102030405060708)
        function.store(100, "i64.store")
        for at in range(3):
            function.get(at)
        function.copy() if name == "copy" else function.fill()
        made.exports[name] = function
    both = Both(made)
    for given in ((104, 100, 8), (96, 100, 8), (65530, 100, 6), (65530, 100, 7), (0, 65536, 0)):
        both.same("copy", *((I32, each) for each in given), size=1 << 16)
    for given in ((10, 0x1FF, 9), (65535, 7, 1), (65535, 7, 2), (65536, 7, 0), (0, 1, 1 << 31)):
        both.same("fill", *((I32, each) for each in given), size=1 << 16)


def test_branches_take_values_along_and_go_where_they_should() -> None:
    needs_compiler()
    made = Module()
    b = made.function("way", (I32,))
    kept, total = b.local(), b.local()
    b.const(0)
    # A value under a block stays what it was, whatever is done to the variable it came from.
    b.get(0)
    b.set(kept)
    b.get(kept)
    with b.block(I32) as out:
        b.const(100)
        b.set(kept)
        with b.block() as third:
            with b.block() as second:
                with b.block() as first:
                    b.get(0)
                    b.br_table([first, second, third], third)
                b.const(1000)
                b.br(out)
            b.const(2000)
            b.get(0)
            b.br_if(out)
            b.op("drop")
        with b.loop() as again:
            b.get(total)
            b.get(0)
            b.op("i32.add")
            b.tee(total)
            b.const(50)
            b.op("i32.lt_u")
            b.br_if(again)
        b.get(total)
    b.op("i32.add")
    b.get(kept)
    b.op("i32.add")
    b.get(0)
    b.const(7)
    b.op("i32.eq")
    with b.if_():
        b.op("unreachable")
    put(b, I32)
    made.exports["way"] = b
    both = Both(made)
    ends = {both.same("way", (I32, given)) for given in (0, 1, 2, 3, 4, 7, 9)}
    assert len(ends) == 7
    assert None in ends


def test_functions_give_back_several_values_and_call_themselves_only_so_deep() -> None:
    needs_compiler()
    made = Module()
    pair = made.function("pair", (I32, I64), (I64, I32))
    pair.get(1)
    pair.get(0)
    down = made.function("down", (I32,), (I32,))
    down.get(0)
    with down.if_(I32):
        down.get(0)
        down.const(1)
        down.op("i32.sub")
        down.call(down)
        down.const(3)
        down.op("i32.add")
        down.else_()
        down.const(5)
    b = made.function("start", (I32,))
    b.const(8)
    b.get(0)
    b.long(1 << 40)
    b.call(pair)
    b.call(down)
    b.op("i64.extend_i32_u", "i64.add")
    put(b, I64)
    made.exports["start"] = b
    both = Both(made)
    assert both.same("start", (I32, 10)) is not None
    assert both.same("start", (I32, 1000)) is not None
    assert both.same("start", (I32, 10_000_000)) is None


SMALL = [
    *[("tic_tac_toe", 2), ("nim", 2), ("kuhn_poker", 2), ("liars_dice", 3), ("little_whist", 4)],
    *[("pig", 2), ("rock_paper_scissors", 2), ("connect_four", 2), ("othello", 2)],
]
LARGE = [("walhalla", 4), ("walhalla+italian+long_peninsulas", 3), ("voluspa", 2)]


@pytest.mark.parametrize("name, players", SMALL)
def test_games_have_the_same_records(name: str, players: int) -> None:
    needs_compiler()
    made = module(name, players)
    played = NativeGames(made, native.library(c_source(made.code), QUICKLY))
    assert b"".join(played.records(5, 17, 60)) == wanted(name, players, 5, 17, 60)
    assert b"".join(played.records(6, 0, 20)) == wanted(name, players, 6, 0, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name, players", LARGE)
def test_large_games_have_the_same_records(name: str, players: int) -> None:
    needs_compiler()
    made = module(name, players)
    unrefined = ("-O0", *native.FLAGS[1:])
    played = NativeGames(made, native.library(c_source(made.code), unrefined))
    assert b"".join(played.records(5, 17, 30)) == wanted(name, players, 5, 17, 30)


def everything() -> Iterator[str]:
    library = Library()
    for name in library.games():
        yield name
        yield from (f"{name}+{variant}" for variant in library.variants(name))


@pytest.mark.skipif(not NIGHTLY, reason="every game and variant: make nightly")
@pytest.mark.parametrize("name", [*everything()])
def test_every_game_and_variant_has_the_same_records(name: str) -> None:
    needs_compiler()
    counts = load(name).players
    for players in sorted({counts[0], counts[-1]}):
        made = module(name, players)
        played = NativeGames(made, native.library(c_source(made.code), QUICKLY))
        assert b"".join(played.records(3, 0, 300)) == wanted(name, players, 3, 0, 300)


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("endless", [*runs_away()], ids=["repeat", "repeat until"])
def test_a_rule_that_runs_away_is_the_same_fault(endless: ir.Statement) -> None:
    needs_compiler()
    program = games.lots((endless,), (("left", NUMBER),))
    made = compile_module(Layout(program, 2), stepping=False, watching=True)
    with pytest.raises(RuleFault) as expected:
        [*Instance(made).records(1, 0, 1)]
    played = NativeGames(made, native.library(c_source(made.code), QUICKLY))
    with pytest.raises(RuleFault) as found:
        [*played.records(1, 0, 1)]
    assert str(found.value) == str(expected.value)


# ---------------------------------------------------------------- sanitizers

MAIN = """
#include <stdio.h>
#include <stdlib.h>
struct piece { u64 at, size; const u8 *bytes; };
%s
int main(void) {
  u8 *memory = calloc(BYTES, 1);
  struct variables *g = malloc(sizeof *g);
  variables_begin(g);
  for (u64 i = 0; i < sizeof data / sizeof *data; i++)
    memcpy(memory + data[i].at, data[i].bytes, data[i].size);
  int well = door_configure(memory, g, 0x7FFFFFFF, -1, 0, 0, 100000000);
  well &= door_simulate(memory, g, 5, 17, %d);
  fwrite(memory + %d, 1, %d, stdout);
  free(g);
  free(memory);
  return !well;
}
"""


@pytest.mark.parametrize("name, players", [("kuhn_poker", 2), ("connect_four", 2)])
def test_sanitizers_find_nothing(name: str, players: int, tmp_path: Path) -> None:
    """The same C as a program of its own, watched for all that C leaves undefined."""
    needs_compiler()
    made, count = module(name, players), 40
    pieces = read(made.code).data
    arrays = [
        f"static const u8 data{n}[] = {{{','.join(map(str, content)) or '0'}}};"
        for n, (_, content) in enumerate(pieces)
    ]
    listed = ",".join(f"{{{at}, {len(c)}, data{n}}}" for n, (at, c) in enumerate(pieces))
    arrays.append(f"static const struct piece data[] = {{{listed}}};")
    size = count * made.record_size
    main = MAIN % ("\n".join(arrays), count, made.plan.records, size)
    source, program = tmp_path / "game.c", tmp_path / "game"
    source.write_text(c_source(made.code) + main)
    flags = ["-O1", "-w", "-std=gnu11", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
    command = [*native.compiler(), *flags, "-o", str(program), str(source), "-lm"]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode:
        pytest.skip("this C compiler has no sanitizers")
    done = subprocess.run([program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == wanted(name, players, 5, 17, count)


# ---------------------------------------------------------------- keeping


class Kept(dict[str, bytes]):
    def put(self, name: str, content: bytes) -> None:
        self[name] = content


def test_a_library_is_kept_and_made_anew_if_it_is_damaged() -> None:
    needs_compiler()
    kept = Kept()
    first = native.library("int one(void) { return 1; }", kept=kept)
    (name,) = kept
    assert kept[name][32:] == first
    kept[name] = pack("32s", b"") + b"something else"
    assert native._loaded(native.library("int one(void) { return 1; }", kept=kept)).one() == 1
    assert kept[name][32:] != b"something else"
    native.library("int one(void) { return 2; }", kept=kept)
    assert len(kept) == 2


def test_without_a_compiler_it_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -x")
    native.compiler.cache_clear()
    try:
        with pytest.raises(native.NoCompiler, match="no C compiler here: no-such-compiler"):
            native.compiler()
    finally:
        native.compiler.cache_clear()


def test_what_does_not_compile_is_told() -> None:
    needs_compiler()
    with pytest.raises(native.NoCompiler, match="failed"):
        native.library("int one(void) { return nothing_like_that; }")
