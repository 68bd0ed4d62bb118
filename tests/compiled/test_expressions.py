"""Random expressions give the same on both machines, or the same fault.

The expressions are those the reference machine is tested with against their plain meaning. Each
stands in a clause of its own, which keeps its value while a question waits.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH, SetType, Type
from lawspeaker.position.luck import Luck, Stream
from tests.compiled.side_by_side import SideBySide, fault_of
from tests.reference import games
from tests.reference.games import CARD, HAND
from tests.reference.test_expressions import PLACES, PROGRAM, Caller, Maker, situation

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


@pytest.mark.parametrize("seed", [*range(12), 48, 288, 555])
def test_expressions_have_the_same_value(seed: int) -> None:
    check(Maker, Luck(seed).stream("expressions on both machines"))


@pytest.mark.parametrize("seed", range(12))
def test_defined_values_are_given_the_same(seed: int) -> None:
    check(Caller, Luck(seed).stream("defined values on both machines"))


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
