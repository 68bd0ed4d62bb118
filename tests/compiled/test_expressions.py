"""Random expressions give the same on both machines, or the same fault.

The expressions are those the reference machine is tested with against their plain meaning. Each
stands in a clause of its own, which keeps its value while a question waits.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH, NumberType, SetType, Type
from lawspeaker.position.rng import RngFactory, Stream
from tests.compiled.side_by_side import SideBySide, fault_of
from tests.reference import games
from tests.reference.games import CARD, HAND, binder, local
from tests.reference.test_expressions import PLACES, PROGRAM, Caller, Maker, situation
from tests.tiers import sample

GIVEN = (PLAYER, NUMBER, HAND, CARD)
QUESTION = ir.Ask(
    ir.Const(PLAYER, 0),
    None,
    True,
    (games.alternative("go_on"), games.alternative("stop")),
    None,
    (),
    0,
)


def clause(number: int, expr: ir.Expr, bound: int) -> ir.Clause:
    """A clause that works an expression out, asks, and then still needs the value."""
    kept, again = bound, bound + 1
    body = (
        ir.SetLocal(kept, "kept", expr),
        QUESTION,
        ir.SetLocal(again, "again", ir.Local(expr.type, kept, "kept")),
        QUESTION,
        ir.SetLocal(kept, "kept", ir.Local(expr.type, again, "again")),
    )
    types: list[Type] = [*GIVEN, *(NUMBER for _ in range(bound - len(GIVEN)))]
    slots = [(f"slot{at}", of) for at, of in enumerate([*types, expr.type, expr.type])]
    return games.clause(number, f"clause{number}", body, tuple(slots), parameters=len(GIVEN))


@pytest.mark.parametrize("seed", [*sample(range(12), test=12, full=3), 48, 288, 555])
def test_expressions_have_the_same_value(seed: int) -> None:
    check(Maker, RngFactory(seed).stream("expressions on both machines"))


@pytest.mark.parametrize("seed", sample(range(12), test=12, full=3))
def test_defined_values_are_given_the_same(seed: int) -> None:
    check(Caller, RngFactory(seed).stream("defined values on both machines"))


def check(makes: type[Maker], luck: Stream) -> None:
    clauses = []
    for number in range(40):
        maker = makes(luck)
        of = luck.choose([NUMBER, TRUTH, TRUTH, PLAYER, SetType(CARD), PLACES])
        expr = maker.make(of, 3)
        clauses.append(clause(number, expr, max(maker.next, len(GIVEN))))
    digest = sha256(repr(clauses).encode()).hexdigest()
    both = SideBySide(replace(PROGRAM, clauses=tuple(clauses), digest=digest), 2)
    for each in clauses:
        for _ in range(4):
            state, given = situation(luck)
            one, two = state.copy(), state.copy()
            first = fault_of(lambda: both.reference.begin(one, each.index, given))  # noqa: B023
            second = fault_of(lambda: both.compiled.begin(two, each.index, given))  # noqa: B023
            assert first == second
            if first is None:
                assert both.told(one) == both.told(two)
                both.reference.answer(one, 0, (0, ()))
                both.compiled.answer(two, 0, (0, ()))
                assert both.told(one) == both.told(two)


def check_begin(program: ir.Program, body: ir.Block, slots: list[Type], given: int) -> None:
    """Both machines begin a clause, and wait with the same in their slots, or have one fault."""
    named = tuple((f"slot{at}", of) for at, of in enumerate(slots))
    whole = games.clause(0, "clause", body, named, parameters=1)
    both = SideBySide(replace(program, clauses=(whole,)), 2)
    one, two = both.reference.blank(0), both.compiled.blank(0)
    first = fault_of(lambda: both.reference.begin(one, 0, [given]))
    assert fault_of(lambda: both.compiled.begin(two, 0, [given])) == first
    assert first is not None or both.told(one) == both.told(two)


def test_a_list_with_the_same_thing_many_times_has_room() -> None:
    """A list of more players than there are, some of which are taken, and a list after it."""
    players = SetType(PLAYER)
    cards = binder(1, CARD, games.everything(CARD))
    next_one = ir.Neighbour(PLAYER, local(PLAYER, 0), 1)
    same = games.compare("=", local(PLAYER, 3), local(PLAYER, 0))
    lists = (
        ir.SetLocal(2, "all", ir.Collect(players, cards, local(PLAYER, 0))),
        ir.SetLocal(4, "some", ir.Filter(players, binder(3, PLAYER, local(players, 2), same))),
        ir.SetLocal(5, "others", ir.Collect(players, cards, next_one)),
    )
    after = (ir.SetLocal(2, "all", local(players, 4)), ir.SetLocal(2, "all", local(players, 5)))
    slots = [PLAYER, CARD, players, PLAYER, players, players]
    check_begin(PROGRAM, (*lists, QUESTION, *after), slots, 1)


@pytest.mark.parametrize("given", [5, 2_000_000_000])
def test_a_named_range_is_no_promise_about_what_a_defined_value_gives(given: int) -> None:
    row = NumberType("row", 1, 16)
    slots = (ir.Slot("row", row), ir.Slot("three", NUMBER))
    itself = ir.Function("itself", 0, 1, slots, ((1, games.number(3)),), local(row, 0))
    call = ir.CallFunction(row, 0, (local(NUMBER, 0),))
    doubled = ir.SetLocal(1, "doubled", ir.Arithmetic(NUMBER, "+", call, call))
    after = ir.SetLocal(0, "again", local(NUMBER, 1))
    check_begin(
        games.lots((), functions=(itself,)), (doubled, QUESTION, after), [NUMBER, NUMBER], given
    )
