"""The C that is written can be read: a goto is only where C has no word."""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Expr, Variable, either, long_at, select, word
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native.alignment import Alignment
from lawspeaker.machines.native.writer import function_names, written
from tests.middle.running import Build, build_into


def function_lines(build: Build, *, aligned: bool = False) -> list[str]:
    """What a function of one word becomes, without its heading and what is declared."""
    module = Module()
    luck = module.function("luck", (), (I32,))
    build_into(luck, lambda f: f.return_(4))
    made = module.function("f", (I32,))
    build_into(made, lambda f, a: build(f, a, luck))
    module.exports["f"] = made
    text = written(module, Alignment(module) if aligned else None)
    body = text.partition("ONCE void f_f1(GAME, u32 a_0) {\n")[2].splitlines()[:-1]
    return [line[2:] for line in body if not line.endswith(" = 0;")]


def test_loops_and_conditions_are_those_of_c() -> None:
    def build(f: Body, a: Variable, _: object) -> None:
        with f.while_(a < 5):
            with f.if_(a.below(3)):
                f.add(a, 1)
            with f.else_():
                f.set(word(a << 2, 64), a + 1)
            with f.loop() as inner:
                f.leave(inner, word(a) == 0)
                f.again(inner, a)
                f.leave(inner)

    assert function_lines(build) == [
        "ROLLED while ((i32)a_0 < (i32)5u) {",
        "  if (a_0 < 3u) {",
        "    a_0 = a_0 + 1u;",
        "  } else {",
        "    store32(HERE, a_0 << 2u, 64u, a_0 + 1u);",
        "  }",
        "  ROLLED while (load32(HERE, a_0, 0u) != 0u) {",
        "    if (a_0) continue;",
        "    break;",
        "  }",
        "}",
    ]


def test_more_than_one_loop_is_left_by_a_goto() -> None:
    def build(f: Body, a: Variable, _: object) -> None:
        with f.loop() as outer, f.loop() as inner:
            f.leave(outer, a == 1)
            f.again(outer, a == 2)
            f.again(inner)

    assert function_lines(build) == [
        "ROLLED for (;;) {",
        "  ROLLED for (;;) {",
        "    if (a_0 == 1u) goto behind_0;",
        "    if (a_0 == 2u) goto again_0;",
        "    continue;",
        "  }",
        "  again_0:;",
        "}",
        "behind_0:;",
    ]


def test_a_call_is_a_statement_and_what_it_may_change_is_read_before() -> None:
    def build(f: Body, a: Variable, luck: Callable[[], Expr]) -> None:
        f.set(a, (word(a) - luck()) * a)
        f.set(a, either(a, luck(), 7))

    assert function_lines(build) == [
        "t0 = load32(HERE, a_0, 0u);",
        "t1 = luck_f0(HERE);",
        "a_0 = (t0 - t1) * a_0;",
        "if (a_0) {",
        "  t3 = luck_f0(HERE);",
        "  t2 = t3;",
        "} else {",
        "  t2 = 7u;",
        "}",
        "a_0 = t2;",
    ]


def test_signs_count_where_they_count() -> None:
    def build(f: Body, a: Variable, _: object) -> None:
        f.set(a, (a > -1) + (a // 3 << a))
        f.set(long_at(8), select(a == 0, a.to_long(signed=True), a.to_long()))

    assert function_lines(build) == [
        "a_0 = (u32)((i32)a_0 > (i32)4294967295u) + (div_u32(HERE, a_0, 3u) << (a_0 & 31));",
        "store64(HERE, 0u, 8u, select64((u32)(a_0 == 0u), (u64)(i64)(i32)a_0, (u64)a_0));",
    ]


def test_what_lies_at_a_multiple_of_its_size_is_told() -> None:
    def build(f: Body, a: Variable, _: object) -> None:
        at = f.let("at", a << 2)
        f.set(word(at, 8), word(a, 8))
        f.set(long_at(at, 8), long_at(a << 3, 16))
        f.set(word(at, 6), 1)

    assert function_lines(build, aligned=True) == [
        "at_1 = a_0 << 2u;",
        "store32_whole(HERE, at_1, 8u, load32(HERE, a_0, 8u));",
        "store64_halves(HERE, at_1, 8u, load64_whole(HERE, a_0 << 3u, 16u));",
        "store32(HERE, at_1, 6u, 1u);",
    ]


def test_a_variable_is_never_called_like_a_function() -> None:
    module = Module()
    called = module.function("end", (I32,))
    build_into(called, lambda f, a: None)

    def build(f: Body, a: Variable) -> None:
        for _ in range(4):
            f.let("end", a)
        f.do(called, a)

    build_into(module.function("other", (I32,)), build)
    text = written(module)
    assert set(function_names(module).values()) == {"end_f0", "other_f1"}
    assert "u32 end_f0 =" not in text
    assert "end_f0(HERE, a_0);" in text
