"""A module as C does what it does under wasmtime: every operation, and whole games."""

from __future__ import annotations

import ctypes
import mmap
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from struct import pack

import pytest
import wasmtime

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER
from lawspeaker.machines.compiled import Compiled, Instance, formed
from lawspeaker.machines.compiled.compile import compiler
from lawspeaker.machines.compiled.compile.binary import _PLAIN
from lawspeaker.machines.compiled.compile.compiler import encoded
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    I64,
    Binary,
    Expr,
    Load,
    Set,
    Type,
    Unary,
    Variable,
    const,
    either,
    long_at,
    real,
    real_at,
    select,
    word,
)
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native.cpu import c_source
from lawspeaker.machines.purpose import PLAYING, WATCHING
from lawspeaker.outside import native
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from lawspeaker.outside.modules import ModuleFolder
from lawspeaker.outside.native import NativeGames
from lawspeaker.position.fault import RuleFault, TooLargeToCompile
from lawspeaker.position.layout import Layout
from tests.compare.test_all_variants import name as with_needed
from tests.compiled.test_games import runs_away
from tests.middle.running import Build, build_into
from tests.middle.test_folding import random_expression
from tests.native.common import QUICKLY, forms, module, needs_compiler, wanted
from tests.reference import games
from tests.tiers import sample

TYPES = {"i32": I32, "i64": I64, "f64": F64}
WHOLE = (0, 1, 2, 3, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
LONG = (*WHOLE, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0x123456789ABCDEF0)
REAL = (0.0, -0.0, 1.0, -1.5, 2.25, 1e300, -1e-300, float("inf"))
VALUES: dict[Type, tuple[float, ...]] = {I32: WHOLE, I64: LONG, F64: REAL}


class Both:
    """A module under wasmtime, and as C. Its functions leave what they work out at address 64."""

    def __init__(self, made: Module) -> None:
        needs_compiler()
        made.bytes = 1 << 16
        self.store = wasmtime.Store()
        own = wasmtime.Module(self.store.engine, encoded(made, inlined=False))
        self.exports = wasmtime.Instance(self.store, own, []).exports(self.store)
        source = c_source(made, tuple(made.exports))
        self.library = native._loaded(native.library(source, QUICKLY))
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


def door(made: Module, name: str, given: tuple[Type, ...], build: Build) -> None:
    made.exports[name] = made.function(name, given)
    build_into(made.exports[name], build)


def left(of: Type) -> Load:
    """Where something is left to be looked at."""
    return {I32: word, I64: long_at, F64: real_at}[of](64)


def leave(made: Callable[..., Expr], f: Body, *given: Variable) -> None:
    found = made(*given)
    f.set(left(found.type), found)


# ---------------------------------------------------------------- operations


def operations() -> Iterator[tuple[str, tuple[Type, ...], Callable[..., Expr]]]:
    """Every operation that can be written, with the types of what it is given."""
    for name in _PLAIN:
        kind, _, operation = name.partition(".")
        of = TYPES.get(kind, I32)
        if operation.startswith(("wrap_", "extend_", "convert_")):
            yield name, (TYPES[operation.split("_")[1]],), partial(Unary, of, operation)
        elif operation in ("eqz", "clz", "ctz", "popcnt", "sqrt"):
            yield name, (of,), partial(Unary, I32 if operation == "eqz" else of, operation)
        elif operation:
            compares = operation.split("_")[0] in ("eq", "ne", "lt", "gt", "le", "ge")
            yield name, (of, of), partial(Binary, I32 if compares else of, operation)


@pytest.mark.full
def test_every_operation_is_that_of_webassembly() -> None:
    made = Module()
    for name, given, operation in operations():
        door(made, name.replace(".", "_"), given, partial(leave, operation))
    both = Both(made)
    stopped = 0
    for name, given, _ in operations():
        for chosen in product(*(VALUES[of] for of in given)):
            found = both.same(name.replace(".", "_"), *zip(given, chosen, strict=True))
            stopped += found is None
    assert stopped > 8 * len(WHOLE)  # by nothing, and the lowest number by -1


@pytest.mark.full
@pytest.mark.parametrize("of", sample([I32, I64], test=2))
def test_operations_in_operations_are_those_of_webassembly(of: Type) -> None:
    random, made = Random(of), Module()
    for at in range(60):
        door(made, f"some{at}", (of, of), partial(_some, random))
    both = Both(made)
    for at in range(60):
        for _ in range(8):
            given = [(of, random.choice(VALUES[of])) for _ in range(2)]
            both.same(f"some{at}", *given)


def _some(random: Random, f: Body, a: Variable, b: Variable) -> None:
    shape = random_expression(random, [a, b], 5)
    f.set(left(shape.type), shape)


@pytest.mark.parametrize("value", [0.1, -0.0, 1e308, 5e-324, float("inf"), -float("inf")])
def test_numbers_with_a_fraction_keep_every_bit(value: float) -> None:
    made = Module()
    door(made, "real", (), partial(leave, lambda: real(value)))
    found = Both(made).same("real")
    assert found is not None
    assert found[64:72] == pack("<d", value)


# ---------------------------------------------------------------- memory


SIZES = {
    "byte": partial(Load, I32, 1),
    "half": partial(Load, I32, 2),
    "word": partial(Load, I32, 4),
    "long": partial(Load, I64, 8),
    "real": partial(Load, F64, 8),
}


def test_memory_is_read_and_written_as_it_lies_and_not_beyond_its_end() -> None:
    made = Module()
    for name, signed in product(SIZES, (True, False)):

        def read(place: partial[Load], signed: bool, f: Body, a: Variable, b: Variable) -> None:
            f.set(long_at(32), b)
            found = place(a, 30, signed=signed)
            f.set(left(found.type), found)

        door(made, f"{name}_{signed}", (I32, I64), partial(read, SIZES[name], signed))
    for name, place in SIZES.items():

        def write(place: partial[Load], f: Body, a: Variable, b: Variable) -> None:
            f.set(place(a, 1), b)

        of = place(const(0), 0).type
        door(made, f"set_{name}", (I32, of), partial(write, place))
    both = Both(made)
    ends = (65535 - 30, 65536 - 30 - 1, 65536 - 30 - 2, 65536 - 30 - 4, 65536 - 30 - 8)
    for name, signed in product(SIZES, (True, False)):
        for at in (0, 1, 2, 3, 5, 9, *ends, 0xFFFFFFFF, 0xFFFFFFF0):
            given = (I32, at), (I64, 0x8081F2F384A5C6E7)
            both.same(f"{name}_{signed}", *given, size=1 << 16)
    for name, at in product(SIZES, (0, 1, 7, 65527, 65528, 65531, 65533, 65534, 65535, 1 << 31)):
        value = (SIZES[name](const(0), 0).type, 0x81F2F3F485868788)
        both.same(f"set_{name}", (I32, at), value, size=1 << 16)


def test_copying_may_overlap_and_nothing_goes_beyond_the_end() -> None:
    made = Module()

    def copy(f: Body, a: Variable, b: Variable, c: Variable) -> None:
        f.set(long_at(100), 0x0102030405060708)
        f.copy(a, b, c)

    def clear(f: Body, a: Variable, b: Variable) -> None:
        f.set(long_at(100), -1)
        f.clear(a, b)

    door(made, "copy", (I32, I32, I32), copy)
    door(made, "clear", (I32, I32), clear)
    both = Both(made)
    for given in ((104, 100, 8), (96, 100, 8), (65530, 100, 6), (65530, 100, 7), (0, 65536, 0)):
        both.same("copy", *((I32, each) for each in given), size=1 << 16)
    for where in ((101, 3), (65535, 1), (65535, 2), (65536, 0), (0, 1 << 31)):
        both.same("clear", *((I32, each) for each in where), size=1 << 16)


# ---------------------------------------------------------------- ways


def test_blocks_and_loops_are_left_and_begun_again_from_anywhere() -> None:
    made = Module()

    def ways(f: Body, a: Variable, b: Variable) -> None:
        total = f.let("total", b)
        with f.block() as out:
            with f.loop() as outer:
                with f.loop() as inner:
                    f.add(total, 1)
                    f.leave(out, total > 900)
                    f.leave(outer, total % 50 == a)
                    f.leave(inner, total % 7 == a)
                    f.again(inner, total % 2)
                    f.again(outer, total % 5 == 3)
                    f.add(total, 2)
                with f.while_((total & 15) < a):
                    f.add(total, 4)
                    with f.if_(total % 9 == 4):
                        f.again(outer)
                    with f.else_(), f.if_(total % 13 == 7):
                        f.stop()
                f.add(total, 3)
            f.add(total, 10_000)
        f.set(word(64), total)

    door(made, "ways", (I32, I32), ways)
    both = Both(made)
    every = product(range(12), range(10))
    ends = {both.same("ways", (I32, one), (I32, other)) for one, other in every}
    assert len(ends) > 20
    assert None in ends


def test_calls_are_done_from_left_to_right_and_only_where_they_are_needed() -> None:
    made = Module()
    luck = made.variable("luck", I32, 5)
    draw = made.function("draw", (I32,), (I32,))

    def drawn(f: Body, a: Variable) -> None:
        f.set(luck, luck * 3 + a)
        f.set(word(32), word(32) + luck)
        f.return_(luck)

    def order(f: Body, a: Variable, b: Variable) -> None:
        f.set(word(32), a)
        first = (luck - draw(1)) * 7 + word(32) - draw(draw(2) + word(32))
        second = either(a > b, draw(word(32)) * luck, luck - draw(4))
        third = select(luck % 2, word(32), draw(a) + draw(b))
        f.set(word(64), (first * 31 + second) * 31 + third)
        f.set(word(word(32) & 12, 68), draw(6))
        with f.while_(draw(1) % 5 != 0):
            f.set(word(96), word(96) + draw(2))
        f.do(draw, either(b, draw(9), 3))
        f.set(word(100), luck)

    build_into(draw, drawn)
    door(made, "order", (I32, I32), order)
    both = Both(made)
    found = {both.same("order", (I32, a), (I32, b)) for a, b in product(range(5), repeat=2)}
    assert len(found) == 25
    assert None not in found


def test_functions_give_back_several_values_and_call_themselves_only_so_deep() -> None:
    made = Module()
    pair = made.function("pair", (I32, I64), (I64, I32))
    down = made.function("down", (I32,), (I32,))
    build_into(pair, lambda f, a, b: f.return_(b, a))
    build_into(down, lambda f, a: f.return_(either(a, down(a - 1) + 3, 5)))

    def start(f: Body, a: Variable) -> None:
        high, low = f.all_of(pair, a, 1 << 40)
        f.set(long_at(64), high + down(low).to_long())

    door(made, "start", (I32,), start)
    both = Both(made)
    assert both.same("start", (I32, 10)) is not None
    assert both.same("start", (I32, 1000)) is not None
    assert both.same("start", (I32, 10_000_000)) is None


# ---------------------------------------------------------------- games


def native_of(made: Compiled, form: Module, flags: tuple[str, ...] = QUICKLY) -> NativeGames:
    source = c_source(form)
    return NativeGames(made, form, native.library(source, flags))


SMALL = [
    *[("tic_tac_toe", 2), ("nim", 2), ("kuhn_poker", 2), ("liars_dice", 3), ("little_whist", 4)],
    *[("pig", 2), ("rock_paper_scissors", 2), ("connect_four", 2), ("othello", 2)],
]
LARGE = [("walhalla", 4), ("walhalla+italian+long_peninsulas", 3), ("voluspa", 2)]


@pytest.mark.parametrize("name, players", sample(SMALL, test=4))
def test_games_have_the_same_records(name: str, players: int) -> None:
    needs_compiler()
    played = native_of(module(name, players), forms(name, players))
    assert b"".join(played.records(5, 17, 60)) == wanted(name, players, 5, 17, 60)
    assert b"".join(played.records(6, 0, 20)) == wanted(name, players, 6, 0, 20)


@pytest.mark.full
@pytest.mark.parametrize("name, players", LARGE)
def test_large_games_have_the_same_records(name: str, players: int) -> None:
    needs_compiler()
    unrefined = ("-O0", *native.FLAGS[1:])
    played = native_of(module(name, players), forms(name, players), unrefined)
    assert b"".join(played.records(5, 17, 30)) == wanted(name, players, 5, 17, 30)


@pytest.mark.full
def test_all_instructions_of_the_processor_give_the_same_records() -> None:
    needs_compiler()
    played = native_of(module("othello", 2), forms("othello", 2), native.FLAGS)
    assert b"".join(played.records(5, 17, 60)) == wanted("othello", 2, 5, 17, 60)


def test_a_library_is_kept_for_each_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_compiler()
    kept, source = ModuleFolder(tmp_path), "int one(void) { return 1; }"
    for macros in ("#define A 1", "#define A 1", "#define B 1"):
        monkeypatch.setattr(native, "tuned", lambda command, macros=macros: ((), macros))
        native.library(source, kept=kept)
    assert len([*tmp_path.iterdir()]) == 2


def everything() -> Iterator[str]:
    library = Library()
    for name in library.games():
        yield name
        yield from (with_needed(name, variant) for variant in library.variants(name))


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*everything()])
def test_every_game_and_variant_has_the_same_records(name: str) -> None:
    needs_compiler()
    counts = load(name).players
    for players in sorted({counts[0], counts[-1]}):
        played = native_of(module(name, players), forms(name, players))
        assert b"".join(played.records(3, 0, 300)) == wanted(name, players, 3, 0, 300)


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("endless", [*runs_away()], ids=["repeat", "repeat until"])
def test_a_rule_that_runs_away_is_the_same_fault(endless: ir.Statement) -> None:
    needs_compiler()
    program = games.lots((endless,), (("left", NUMBER),))
    made, form = formed(Layout(program, 2), WATCHING)
    made.code = encoded(form, inlined=True)
    with pytest.raises(RuleFault) as expected:
        [*Instance(made).records(1, 0, 1)]
    played = native_of(made, form)
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


@pytest.mark.full
@pytest.mark.parametrize("name, players", [("kuhn_poker", 2), ("connect_four", 2)])
def test_sanitizers_find_nothing(name: str, players: int, tmp_path: Path) -> None:
    """The same C as a program of its own, watched for all that C leaves undefined."""
    needs_compiler()
    made, form, count = module(name, players), forms(name, players), 40
    pieces = form.data
    arrays = [
        f"static const u8 data{n}[] = {{{','.join(map(str, content)) or '0'}}};"
        for n, (_, content) in enumerate(pieces)
    ]
    listed = ",".join(f"{{{at}, {len(c)}, data{n}}}" for n, (at, c) in enumerate(pieces))
    arrays.append(f"static const struct piece data[] = {{{listed}}};")
    size = count * made.record_size
    main = MAIN % ("\n".join(arrays), count, made.plan.records, size)
    source, program = tmp_path / "game.c", tmp_path / "game"
    source.write_text(c_source(form) + main)
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


def test_what_is_nested_too_deep_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, form = formed(Layout(load("nim").program, 2), PLAYING)
    deep: Expr = word(0)
    for _ in range(5000):
        deep = deep + 1
    form.exports["simulate"].body.append(Set(Variable(I32, "deep"), deep))
    monkeypatch.setattr(native, "formed", lambda *_, **__: (compiled, form))
    with pytest.raises(native.NoCompiler, match="nested too deep"):
        native.native_games(replace(compiled.layout.program), 2)
    monkeypatch.setattr(compiler, "formed", lambda *_, **__: (compiled, form))
    with pytest.raises(TooLargeToCompile, match="nested too deep"):
        compiler.compile_module(compiled.layout, PLAYING)
