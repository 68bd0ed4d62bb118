"""What is fixed is worked out once, however it is written and whatever its names are."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH, SetType
from lawspeaker.machines.lower.fold import ConstantFolder, Table
from lawspeaker.position.layout import Layout
from tests.reference import games
from tests.reference.games import binder, local

NEXT = ir.Neighbour(PLAYER, local(PLAYER, 0), 1)
FUNCTION = ir.Function("next", 0, 1, (ir.Slot("player", PLAYER),), (), NEXT)


def folder() -> ConstantFolder:
    layout = Layout(games.lots((), functions=(FUNCTION,)), 3)
    return ConstantFolder(layout, Dependence(layout.program))


def table(of: ConstantFolder, expr: ir.Expr) -> Table:
    found = of.table((expr,))
    assert found is not None
    return found


def number(value: int) -> ir.Expr:
    return ir.Const(NUMBER, value)


def test_a_table_is_made_once_for_all_names() -> None:
    made = folder()
    called = table(made, ir.CallFunction(PLAYER, 0, (local(PLAYER, 4),)))
    again = table(made, ir.CallFunction(PLAYER, 0, (local(PLAYER, 7),)))
    written_out = table(made, ir.Neighbour(PLAYER, local(PLAYER, 9), 1))
    assert called[2] is again[2] is written_out[2]
    assert [each[0][0].slot for each in (called, again, written_out)] == [4, 7, 9]
    assert called[2] == [(1,), (2,), (0,)]


def test_names_are_numbered_as_they_occur() -> None:
    """Seats apart, and the same with the names the other way round."""
    made = folder()

    def apart(one: int, two: int) -> Table:
        seats = (ir.NumberOf(NUMBER, local(PLAYER, each)) for each in (one, two))
        return table(made, ir.Arithmetic(NUMBER, "-", *seats))

    first, other = apart(3, 8), apart(8, 3)
    assert first[2] is other[2]
    assert [each.slot for each in first[0]] == [3, 8]
    assert [each.slot for each in other[0]] == [8, 3]
    assert first[2][:4] == [(0,), (-1,), (-2,), (1,)]


def test_what_has_one_value_is_worked_out_before_the_table() -> None:
    made, seat = folder(), ir.NumberOf(NUMBER, local(PLAYER, 2))
    product = ir.Arithmetic(NUMBER, "*", number(2), number(3))
    reckoned = table(made, ir.Arithmetic(NUMBER, "+", seat, product))
    assert reckoned[2] == [(7,), (8,), (9,)]
    assert reckoned[2] is table(made, ir.Arithmetic(NUMBER, "+", seat, number(6)))[2]


def test_how_many_names_are_listed_is_known() -> None:
    several = SetType(PLAYER)
    names = ir.ListOf(several, (local(PLAYER, 3), local(PLAYER, 4)))
    called = ir.ListOf(several, (ir.CallFunction(PLAYER, 0, (local(PLAYER, 3),)),))
    assert folder().constant(ir.Count(NUMBER, binder(5, PLAYER, names))) == (2,)
    assert folder().constant(ir.Count(NUMBER, binder(5, PLAYER, called))) is None


def test_a_condition_that_gives_a_name_is_worked_out_where_it_stands() -> None:
    """Otherwise nobody would give the name what it found."""
    several = SetType(PLAYER)
    some = binder(5, PLAYER, ir.ListOf(several, (ir.Const(PLAYER, 1),)))
    nobody = binder(5, PLAYER, ir.ListOf(several, ()))
    assert folder().constant(ir.Exists(TRUTH, some)) is None
    assert folder().constant(ir.Exists(TRUTH, nobody)) == (False,)
