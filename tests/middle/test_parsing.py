"""What is printed is parsed to the same function."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from lawspeaker.machines.compiled import formed
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    I64,
    Binary,
    Const,
    Do,
    Expr,
    Function,
    Global,
    Label,
    Load,
    Return,
    Set,
    Statement,
    Stop,
    Store,
    Variable,
    const,
    greater,
    load,
    real,
    word,
)
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.purpose import GUIDED, PLAYING, STEPPING, WATCHING
from lawspeaker.outside.loading import load as load_game
from lawspeaker.position.layout import Layout
from tests.library import names_in_turn
from tests.middle.parsing import NotAForm, parsed, parsed_module
from tests.middle.printing import function_text, printed_module
from tests.middle.random_functions import random_module
from tests.tiers import FULL, pick, sample

PURPOSES = (WATCHING, STEPPING, PLAYING, GUIDED)


def shape(node: Any) -> object:
    """All that a form is made of; variables, labels and functions by their names."""
    match node:
        case Function() | Label():
            return type(node).__name__, node.name
        case list() | tuple():
            return tuple(map(shape, node))
        case Expr() | Statement():
            parts = (shape(getattr(node, each.name)) for each in fields(node))
            return type(node).__name__, *parts
    return node


def assert_the_same(module: Module) -> None:
    again = parsed_module(printed_module(module))
    assert [each.name for each in again.functions] == [each.name for each in module.functions]
    for one, other in zip(module.functions, again.functions, strict=True):
        assert (one.parameters, one.results) == (other.parameters, other.results)
        assert shape(one.given) == shape(other.given)
        assert shape(one.body) == shape(other.body), function_text(one)


@pytest.mark.parametrize("name", sample(names_in_turn(1), full=6) if FULL else ["kuhn_poker"])
def test_all_functions_of_a_game_are_parsed(name: str) -> None:
    program = load_game(name).program
    for purpose in pick(PURPOSES[:2], PURPOSES[:2], PURPOSES):
        assert_the_same(formed(Layout(program, program.most), purpose)[1])


def test_any_function_is_parsed() -> None:
    for seed in range(20):
        assert_the_same(random_module(seed))


A, R = Variable(I32, "a", 0), Variable(F64, "real", 1)
TOP = Global(I64, "top", 0, 0)
TELL = Function("tell it", [I32], [I32])


@pytest.mark.parametrize(
    "statement, line",
    [
        (Set(A, A + 1), "a = a + 1"),
        (Set(A, A - 1), "a = a - (1)"),
        (Set(A, A + -1), "a = a - 1"),
        (Set(A, ~(A >> 1)), "a = ~(a >> 1)"),
        (Set(A, A.below(-20_000)), "a = a <u 0xffffb1e0"),
        (Set(A, Binary(I32, "rem_s", A, const(-3))), "a = a %s -3"),
        (Set(R, greater(R, real(0.1)) / 2.0), "`real` = (`real` max 0.1) / 2.0"),
        (Set(R, real(float("-inf"))), "`real` = -inf"),
        (Set(A, R <= 1e300), "a = `real` <= 1e+300"),
        (Set(TOP, A.to_long() << 40), "$top = extend_i32_u(a) << 40l"),
        (Store(word(A, 8), A), "word[a + 8] = a"),
        (Store(word(A + 8), A), "word[(a + 8)] = a"),
        (Store(word(const(8)), A), "word[(8)] = a"),
        (Store(word(8), A), "word[8] = a"),
        (Store(load(I32, 2, A << 1, 64, "near"), A), "near[a] = a"),
        (Store(load(I32, 2, A * 2, 64, "near"), A), "near[a * 2 bytes] = a"),
        (Store(load(I32, 2, 66, column="near"), A), "half[66 of near] = a"),
        (Store(Load(I32, 1, A, 4, "", False), A), "ubyte[a + 4] = a"),
        (Set(A, TELL(A)), "a = `tell it`(a)"),
        (Do(TELL, (A,), (A,)), "a, = `tell it`(a)"),
        (Do(TELL, (A,)), "`tell it`(a)"),
        (Stop(TELL, (A,)), "stop: `tell it`(a)"),
        (Return(()), "return"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_statement_is_one_line(statement: Statement, line: str) -> None:
    function = Function("f", [I32, F64], [])
    function.given, function.body = (A, R), [statement]
    text = function_text(function)
    assert text.splitlines()[-1] == f"  {line}"
    assert shape(parsed(text, [TELL], [TOP]).body) == shape([statement])


def test_a_column_at_two_addresses_has_two_names() -> None:
    function = Function("f", [I32], [])
    two = load(I32, 4, A << 2, 64, "near"), load(I32, 4, A << 2, 72, "near")
    function.given, function.body = (A,), [Set(A, two[0] + two[1])]
    text = function_text(function)
    assert text.splitlines()[1:] == [
        "  column near: word at 64",
        "  column near+8: word at 72",
        "  a = near[a] + near+8[a]",
    ]
    assert shape(parsed(text).body) == shape(function.body)


@pytest.mark.parametrize(
    "body, told",
    [
        ("a = b", "line 2: no variable is called b"),
        ("a = near[a]", "line 2: no column is called near"),
        ("a = g(a)", "line 2: no function is called g"),
        ("leave block", "line 2: no block or loop is called block"),
        ("$top = a", "line 2: no variable of the module is called $top"),
        ("a = a + 1 2", "line 2: too much: a = a + 1 2"),
        ("a = (a", "line 2: `)` expected: a = (a"),
        ("a = ?", "line 2: no word:  ?"),
        ("else:", "line 2: else without an if"),
    ],
)
def test_a_mistake_is_told_with_its_line(body: str, told: str) -> None:
    with pytest.raises(NotAForm) as caught:
        parsed(f"f(a: i32)\n  {body}\n")
    assert str(caught.value) == told


def test_a_number_keeps_all_its_bits() -> None:
    for value in (0, -1, 1 << 62, -(1 << 63), 10_001):
        function = Function("f", [], [I64])
        function.body = [Return((Const(I64, value),))]
        (found,) = parsed(function_text(function)).body
        assert isinstance(found, Return)
        assert shape(found.values) == shape((Const(I64, value),))
