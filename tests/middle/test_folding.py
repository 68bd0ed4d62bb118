"""What is worked out beforehand is what the machine would have worked out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

import pytest

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.folding import fold
from lawspeaker.machines.middle.forms import (
    BITS,
    I32,
    I64,
    Const,
    Expr,
    Type,
    Variable,
    const,
    either,
    not_,
    select,
    wrapped,
)
from lawspeaker.machines.middle.walk import rebuilt
from tests.middle.printing import expression_text
from tests.middle.running import run_all

EDGES = (0, 1, 2, 3, 7, 31, 32, 63, 64, -1, -2, 0x7FFFFFFF, -0x80000000, 12345)


def random_expression(random: Random, leaves: list[Expr], depth: int) -> Expr:
    """An expression of any shape, of the type of its leaves."""
    type = leaves[0].type
    if depth == 0 or random.random() < 0.1:
        return random.choice([*leaves, const(random.choice(EDGES), type)])
    part = partial(random_expression, random, leaves, depth - 1)
    match random.randrange(14):
        case 0:
            return part() + part()
        case 1:
            return part() - part()
        case 2:
            return part() * part()
        case 3:
            return part() & part()
        case 4:
            return part() | part()
        case 5:
            return part() ^ part()
        case 6:
            return part() << part()
        case 7:
            return part() >> part()
        case 8:
            return part() // (part() | 1)
        case 9:
            return part() % (part() | 1)
        case 10:
            return ~part()
        case 11:
            counted = part().lowest_bit() + part().leading_zeros() * 100
            return as_type(counted + part().count_bits() * 10_000, type)
        case 12:
            return select(condition(random, part), part(), part())
    return as_type(condition(random, part), type)


def condition(random: Random, part: partial[Expr]) -> Expr:
    """A comparison of any sort, or that it does not hold."""
    one, other = part(), part()
    asked = random.choice(
        [
            *(one < other, one <= other, one > other, one >= other, one == other, one != other),
            *(one.below(other), one.above(other), one == 0),
        ]
    )
    return random.choice([asked, not_(asked), either(asked, 0, 1)])


def as_type(word: Expr, type: Type) -> Expr:
    return word if type == I32 else word.to_long()


def put_in(expr: Expr, values: Mapping[Expr, Const]) -> Expr:
    """An expression with numbers in place of variables."""
    return values[expr] if expr in values else rebuilt(expr, lambda part: put_in(part, values))


@pytest.mark.parametrize("type", [I32, I64])
def test_any_expression_comes_to_the_same(type: Type) -> None:
    random = Random(7)
    a, b = Variable(type, "a", 0), Variable(type, "b", 1)
    shapes = [random_expression(random, [a, b], 4) for _ in range(80)]
    bits = BITS[type]
    whole = [*EDGES, *(wrapped(random.getrandbits(bits), type) for _ in range(4))]
    rows = [(random.choice(whole), random.choice(whole)) for _ in range(8)]

    def build(shape: Expr, f: Body, a: Variable, b: Variable) -> None:
        f.return_(shape)

    builds = [partial(build, shape) for shape in shapes]
    for shape, found in zip(shapes, run_all(builds, [type, type], [type], rows), strict=True):
        for row, result in zip(rows, found, strict=True):
            values: dict[Expr, Const] = {a: const(row[0], type), b: const(row[1], type)}
            known = fold(put_in(shape, values))
            assert isinstance(known, Const), expression_text(known)
            assert known.value == result, (expression_text(shape), row)


A = Variable(I32, "a")
B = Variable(I32, "b")
LONG = Variable(I64, "long")


@pytest.mark.parametrize(
    "before, after",
    [
        (A + 1 + 1, "a + 2"),
        (A + 1 - 1, "a"),
        (1 + A, "a + 1"),
        (A * 8, "a << 3"),
        (A * 1, "a"),
        (A | 0, "a"),
        (A == 0, "not a"),
        (not_(A < B), "a >= b"),
        (not_(A.below(B)), "a >=u b"),
        (not_(not_(A < B)), "a < b"),
        (not_(not_(A)), "a != 0"),
        (LONG << LONG.lowest_bit(), "`long` << ctz(`long`)"),
        (LONG >> 3, "`long` >> 3l"),
        (const(7) // 0, "7 // 0"),
        (select(const(2) > 1, A, B), "a"),
        (select(A != 0, A, B), "select(a, a, b)"),
        (not_(A.to_real() < B.to_real()), "not (convert_i32_s(a) < convert_i32_s(b))"),
    ],
)
def test_what_is_known(before: Expr, after: str) -> None:
    assert expression_text(fold(before)) == after
