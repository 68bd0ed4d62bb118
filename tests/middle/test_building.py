"""What is built does what it says: loops, conditions, memory, and what is refused."""

from __future__ import annotations

import pytest

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    I64,
    Expr,
    Return,
    Variable,
    const,
    either,
    greater,
    lesser,
    load,
    long,
    long_at,
    real_at,
    word,
)
from lawspeaker.machines.middle.module import Module
from tests.middle.running import function_of, run, run_all


def test_a_range_is_gone_through() -> None:
    def build(f: Body, a: Variable, b: Variable) -> None:
        total = f.let("total", 0)
        with f.each_number("number", a, b) as number:
            f.add(total, number)
        f.return_(total)

    assert run(build, [I32, I32], [I32], 3, 7) == 3 + 4 + 5 + 6
    assert run(build, [I32, I32], [I32], 7, 3) == 0


def test_bits_are_gone_through_from_the_lowest() -> None:
    def build(f: Body, a: Variable) -> None:
        digits = f.let("digits", 0, I64)
        with f.each_bit("bit", a, first=1) as bit:
            f.set(digits, digits * 100 + bit.to_long())
        f.return_(digits)

    assert run(build, [I64], [I64], 0) == 0
    assert run(build, [I64], [I64], 0b1001 - (1 << 63)) == 10464


def test_a_list_and_a_chain_are_gone_through() -> None:
    def build(f: Body) -> None:
        for at, value in enumerate((3, 20, 0, 7)):
            f.set(word(64 + 4 * at), value)
        digits = f.let("digits", 0)
        with f.each_listed("member", const(64)) as member:
            f.set(digits, digits * 100 + member)

        class Next:
            """After each number comes the half of it; after 1 nothing."""

            def __getitem__(self, number: Expr) -> Expr:
                return either(number == 1, -1, number >> 1)

        with f.each_in_chain("one", 6, Next()) as one:
            f.set(digits, digits * 10 + one)
        f.return_(digits)

    assert run(build, [], [I32]) == 200007631


def test_what_a_loop_is_about_may_go_into_a_variable() -> None:
    def build(f: Body) -> None:
        f.set(word(64), 2)
        f.set(word(68), 5)
        f.set(word(72), 6)
        member, digits = f.variable("member"), f.let("digits", 0)
        with f.each_listed(member, const(64)) as listed:
            assert listed is member
            f.set(digits, digits * 10 + member)
        with f.each_bit(member, const(0b101), first=7):
            f.set(digits, digits * 10 + member)
        f.return_(digits, member)

    assert run(build, [], [I32, I32]) == [5679, 9]


def test_a_loop_is_left_and_begun_again() -> None:
    def build(f: Body, a: Variable) -> None:
        """The sum of the odd numbers below a bound, up to 25."""
        number, total = f.let("number", 0), f.let("total", 0)
        with f.while_(number < a) as loop:
            f.add(number, 1)
            f.again(loop, (number & 1) == 0)
            f.add(total, number)
            f.leave(loop, total >= 25)
        f.return_(total)

    assert run_all([build], [I32], [I32], [(0,), (1,), (6,), (100,)]) == [[0, 1, 9, 25]]


def test_a_block_is_left_from_inside_a_loop() -> None:
    def build(f: Body, a: Variable) -> None:
        with f.block() as found, f.loop():
            with f.if_(a % 7 == 0):
                f.leave(found)
            f.add(a, 1)
        with f.if_(a > 50):
            f.return_(1)
        with f.else_():
            f.return_(2)

    assert run_all([build], [I32], [I32], [(36,), (50,)]) == [[2, 1]]


def test_memory_keeps_what_fits() -> None:
    def build(f: Body, a: Variable) -> None:
        for bytes, at in ((1, 0), (2, 8), (4, 16)):
            f.set(load(I32, bytes, a, at), 0x12345680)
        f.set(long_at(a, 24), long(-5))
        f.set(real_at(a + 32), 0.5)
        f.copy(a + 48, a, 8)
        f.clear(a + 49, 1)
        whole = load(I32, 1, a) + load(I32, 2, a, 8) + word(a, 16) + word(a, 48)
        f.return_((whole.to_long(signed=True) + long_at(a, 24)).to_real() + real_at(a, 32))

    small, half, kept = -0x80, 0x5680, 0x12345680
    assert run(build, [I32], [F64], 1024) == small + half + kept + 0x80 - 5 + 0.5


def test_of_two_only_one_is_worked_out() -> None:
    def build(f: Body, a: Variable) -> None:
        f.return_(either(a, 12 // a, 99) + lesser(3, a) * 100 + greater(3, a) * 1000)

    assert run_all([build], [I32], [I32], [(0,), (4,)]) == [[99 + 3000, 3 + 300 + 4000]]


def test_numbers_with_a_fraction() -> None:
    def build(f: Body, a: Variable) -> None:
        f.return_((1.0 + greater(a, 0.25 + a * 0.0) / 4.0).square_root() - 1.0)

    assert run_all([build], [F64], [F64], [(5.0,), (-9.0,)]) == [[0.5, (1.0625**0.5) - 1]]


# ---------------------------------------------------------------- what is refused

WORD, LONG, REAL = Variable(I32, "word"), Variable(I64, "long"), Variable(F64, "real")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: WORD + LONG,
        lambda: WORD < LONG,
        lambda: REAL & 1,
        lambda: REAL // 2,
        lambda: WORD / 2,
        lambda: either(LONG, 1, 2),
        lambda: either(WORD, LONG, REAL),
        lambda: Body().set(WORD, LONG),
        lambda: 1 if WORD == 1 else 2,
        lambda: Module().function("f", [I64], [I32])(WORD),
    ],
)
def test_types_are_held_when_a_form_is_made(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(TypeError):
        wrong()


def test_a_number_has_to_fit() -> None:
    with pytest.raises(ValueError, match="more than 32 bits"):
        const(1 << 32)


def test_a_call_is_done_once() -> None:
    module = Module()
    luck = module.function("luck", [], [I32])
    luck.body = [Return((const(4),))]

    def build(f: Body) -> None:
        drawn = luck()
        f.return_(drawn + drawn)

    with pytest.raises(ValueError, match="luck is called in two places"):
        run(build, [], [I32], module=module)


def test_a_function_that_gives_something_back_always_does() -> None:
    def build(f: Body, a: Variable) -> None:
        with f.while_(a != 0), f.if_(a == 5):
            f.return_(1)

    with pytest.raises(ValueError, match="run0 does not always return"):
        run(build, [I32], [I32], 3)


def test_else_comes_behind_an_if() -> None:
    def build(f: Body, a: Variable) -> None:
        with f.if_(a):
            f.set(a, 1)
        f.set(a, 2)
        with f.else_():
            f.set(a, 3)

    with pytest.raises(ValueError, match="right behind"):
        function_of(build, [I32], [])
