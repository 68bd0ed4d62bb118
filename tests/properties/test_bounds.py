"""Bounds hold: whatever a tree walk finds a number or a set to be lies within them.

Every part of an expression that is worked out is held against what each sort of `Bounds` says of
it: in random expressions, and in the guards of games that are played.
"""

from __future__ import annotations

from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.ir.bounds import ANY, Bounds, Interval, clipped, fits, worked
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.types import (
    LARGEST,
    NUMBER,
    PLAYER,
    SMALLEST,
    NumberType,
    SetType,
    Type,
    plain,
)
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.match.option_bounds import most_options
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.sizes import SizedBounds
from tests.meaning.meaning import Broken, Meaning, choices
from tests.properties.tables import Table, every_table, pace, play, start
from tests.reference import games
from tests.reference.games import CARD, binder, local
from tests.reference.test_expressions import PLACES, PROGRAM, Maker, situation

NUMBERS = SetType(NUMBER)


def all_bounds(layout: Layout) -> list[Bounds]:
    folder = ConstantFolder(layout, Dependence(layout.program))
    return [Bounds(layout.program), SizedBounds(layout), FoldedBounds(folder)]


def holds(bounds: Bounds, expr: ir.Expr, value: Any) -> bool:
    """Whether a value lies where the bounds say; what is no number and no set lies anywhere."""
    of = plain(expr.type)
    if isinstance(of, SetType):
        numbers = value if isinstance(of.of, NumberType) else ()
        if len(value) > bounds.members(expr):
            return False
    else:
        numbers = (value,) if isinstance(of, NumberType) and value is not None else ()
    low, high = bounds.number(expr) if numbers else ANY
    return all(low <= each <= high for each in numbers if SMALLEST <= each <= LARGEST)


class Watch:
    """Looks over the shoulder of the tree walk at every number and every set it finds."""

    def __init__(self, layout: Layout, patch: pytest.MonkeyPatch) -> None:
        self.seen = 0
        self.wrong: list[object] = []
        every, value = all_bounds(layout), Meaning.value

        def watched(meaning: Meaning, expr: ir.Expr) -> Any:
            found = value(meaning, expr)
            if isinstance(plain(expr.type), NumberType | SetType):
                self.seen += 1
                self.wrong += [
                    (each, expr, found) for each in every if not holds(each, expr, found)
                ]
            return found

        patch.setattr(Meaning, "value", watched)


class NumberMaker(Maker):
    """Makes sets of numbers, too, and numbers out of them."""

    def number(self, depth: int) -> ir.Expr:
        match self.luck.below(8):
            case 0:
                return ir.PlayerCount(NUMBER)
            case 1:
                return ir.NumberOf(NUMBER, self.make(PLAYER, depth))
            case 2:
                taken = self.binder(depth, NUMBER)
                self.release()
                kinds = (ir.Count, ir.The)
                return self.luck.choose(kinds)(NUMBER, taken)
            case 3:
                value = local(NUMBER, self.next)
                return self.taking(depth, lambda b: ir.SumOf(NUMBER, b, value), NUMBER)
        return super().number(depth)

    def several(self, of: SetType, depth: int) -> ir.Expr:
        if of != NUMBERS:
            return super().several(of, depth)
        make = self.make
        match self.luck.below(6):
            case 0:
                return ir.Combine(of, make(of, depth), make(of, depth), bool(self.luck.below(2)))
            case 1:
                return self.taking(depth, lambda b: ir.Collect(of, b, make(NUMBER, depth)))
            case 2:
                return ir.ListOf(of, (make(NUMBER, depth), make(NUMBER, depth)))
            case 3:
                return self.taking(depth, lambda b: ir.Filter(of, b), NUMBER)
        return ir.Range(of, make(NUMBER, depth), make(NUMBER, depth))

    def leaf(self, of: Type) -> ir.Expr:
        if of == NUMBERS:
            return ir.Range(of, self.leaf(NUMBER), self.leaf(NUMBER))
        return super().leaf(of)


@pytest.mark.parametrize("seed", range(20))
def test_random_expressions_keep_to_their_bounds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = RngFactory(seed).stream("bounds")
    layout = Layout(PROGRAM, 2)
    watch = Watch(layout, monkeypatch)
    for _ in range(40):
        maker = NumberMaker(luck)
        expr = maker.make(luck.choose([NUMBER, NUMBER, NUMBERS, SetType(CARD), PLACES]), 3)
        for _ in range(4):
            state, slots = situation(luck)
            slots += [None] * (maker.next + 1 - len(slots))
            try:
                Meaning(layout, state, slots).value(expr)
            except Broken:
                continue
    assert watch.seen > 200
    assert not watch.wrong


@every_table
def test_games_keep_to_their_bounds(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    match = start(table, 41)
    layout = match.machine.layout
    most, watch = most_options(layout), Watch(layout, monkeypatch)
    for number, _ in enumerate(play(match, 41)):
        for decision in match.decisions:
            assert len(decision.options) <= most
            setting = decision.setting
            looked_at = number % (5 * pace(table)) == 0
            if looked_at and setting.ask is not None and decision.seat is not None:
                choices(layout, match.state, setting.ask, decision.seat)
    assert not watch.wrong


@pytest.mark.parametrize(
    "sign, one, two, wanted",
    [
        ("+", (1, 2), (-3, 4), (-2, 6)),
        ("-", (1, 2), (-3, 4), (-3, 5)),
        ("*", (-2, 3), (-5, 4), (-15, 12)),
        ("smaller", (1, 9), (3, 4), (1, 4)),
        ("larger", (1, 9), (3, 4), (3, 9)),
        ("difference", (1, 9), (3, 4), (0, 6)),
        ("difference", (5, 9), (-3, 2), (3, 12)),
        ("difference", (-3, 2), (5, 9), (3, 12)),
        ("remainder", ANY, (1, 6), (0, 5)),
        ("remainder", ANY, (-4, 6), (-3, 5)),
    ],
)
def test_intervals_are_worked_out(
    sign: str, one: Interval, two: Interval, wanted: Interval
) -> None:
    assert worked(sign, one, two) == wanted


def test_an_interval_is_held_to_32_bits() -> None:
    assert clipped((SMALLEST - 1, 5)) == (SMALLEST, 5)
    assert clipped((LARGEST + 1, LARGEST + 2)) == (LARGEST, LARGEST)
    assert fits(ANY)
    assert not fits((0, LARGEST + 1))


def test_what_is_not_held_to_its_range_can_be_anything() -> None:
    row = NumberType("row", 1, 16)
    given = ir.Function("given", 0, 1, (ir.Slot("row", row),), (), local(row, 0))
    layout = Layout(games.lots((), functions=(given,)), 2)
    for bounds in all_bounds(layout):
        assert bounds.number(local(row, 0)) == ANY
        assert bounds.number(ir.CallFunction(row, 0, (local(NUMBER, 0),))) == ANY
        assert bounds.number(ir.Domain(SetType(row), row)) == (1, 16)


def test_a_list_in_a_slot_may_hold_a_thing_more_than_once() -> None:
    several = SetType(PLAYER)
    collected = ir.Collect(several, binder(1, CARD, games.everything(CARD)), local(PLAYER, 0))
    without, with_it = (
        Layout(games.lots((ir.SetLocal(2, "them", each),)), 2)
        for each in (games.everything(PLAYER), collected)
    )
    for one, two in zip(all_bounds(without)[1:], all_bounds(with_it)[1:], strict=True):
        assert one.members(local(several, 2)) == 3
        assert two.members(local(several, 2)) == len(with_it.pieces_of[CARD.index])
