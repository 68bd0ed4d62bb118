"""How walks, loops and single members are planned: every way is planned where it fits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import WordType
from lawspeaker.ir.walk import everything
from lawspeaker.machines.planned.finding import Bottom, Lowest, Nearby, OneByOne
from lawspeaker.machines.planned.loops import AlongLine, Listed, OccupiedOf, Resumed, Steady
from lawspeaker.machines.planned.passes import Planned, planned
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Unrolled
from lawspeaker.machines.planned.walks import InField, InRun, Stepwise, ToTheEdge, Walked
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from tests.language.games import GOOD


@cache
def plan_of(name: str) -> Planned:
    program = load(name).program
    return planned(Layout(program, program.fewest), PLAYING)


def nodes(plan: Planned) -> Iterator[tuple[int, object]]:
    """All nodes of a program, with the clause they belong to."""
    program = plan.lowered.program
    for clause in program.clauses:
        yield from ((clause.index, node) for node in everything(clause.body))
    for function in program.functions:
        whole = (function.result, *(value for _, value in function.lets))
        yield from ((function.clause, node) for node in everything(whole))


def walked(plan: Planned, word: int | None) -> Iterator[Walked]:
    """How walks are gone through whose direction is a name for this word, or for nobody knows."""
    for clause, node in nodes(plan):
        if isinstance(node, ir.Walk):
            names = Names(clause, {})
            read = everything((node.across, node.down))
            for part in read if word is not None else ():
                if isinstance(part, ir.Local) and isinstance(part.type, WordType):
                    names = names.knowing(part.slot, ir.Const(part.type, word))
            yield plan.walks.walked(node, names)


@pytest.mark.parametrize(
    "name, way",
    [("chess", InField), ("othello", InField), ("voluspa", InRun), ("connect_four", InField)],
)
def test_a_walk_is_measured_where_its_direction_is_known(name: str, way: type[Walked]) -> None:
    plan = plan_of(name)
    assert any(isinstance(each, way) for each in walked(plan, 0))
    assert all(isinstance(each, Stepwise) for each in walked(plan, None))
    for each in walked(plan, 0):
        if isinstance(each, InField | InRun | ToTheEdge):
            assert each.step != (0, 0)


def rounds(plan: Planned, *, waits: bool) -> set[type]:
    loops = [node for _, node in nodes(plan) if isinstance(node, ir.ForEach)]
    return {type(plan.loops.rounds(each, waits=waits)) for each in loops}


def test_every_way_to_go_through_a_loop_is_planned_somewhere() -> None:
    plans = [plan_of(name) for name in ("go", "othello", "walhalla")]
    found = set[type]().union(*(rounds(plan, waits=False) for plan in plans))
    assert found == {Unrolled, OccupiedOf, Steady, AlongLine, Listed}
    assert Resumed in rounds(plan_of("walhalla"), waits=True)


def test_a_loop_that_asks_nobody_is_never_resumed() -> None:
    assert Resumed not in rounds(plan_of("chess"), waits=True)


@pytest.mark.parametrize("which", [False, True])
def test_every_way_to_find_one_is_planned_somewhere(which: bool) -> None:
    found = set()
    for plan in (plan_of("chess"), plan_of("walhalla"), plan_of(str(GOOD / "positions.yaml"))):
        for clause, node in nodes(plan):
            if isinstance(node, ir.Exists):
                first = plan.finding.first(node.binder, Names(clause, {}), which=which)
                found.add(type(first))
    ways = {Lowest, Bottom, OneByOne}
    assert found == (ways if which else {*ways, Nearby})
