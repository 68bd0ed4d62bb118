"""What a clause writes when it is supposed: the planned sets, and that nothing is missing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.compiled.runtime import snapshots
from lawspeaker.machines.planned.passes import planned
from lawspeaker.machines.planned.supposed import WriteSet, WriteSets
from lawspeaker.machines.purpose import PLAYING, WATCHING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout
from tests.language.games import GOOD

NAMES = ("card", "chip")


@cache
def program(name: str) -> ir.Program:
    return load(name).program


def much() -> ir.Program:
    return program(str(GOOD / "supposing_much.yaml"))


def write_set(of: ir.Program, clause: str) -> WriteSet:
    plan = planned(Layout(of, of.fewest), PLAYING)
    numbers = {each.id: each.index for each in of.clauses}
    return plan.write_sets.of(numbers[clause])


def test_a_clause_writes_what_its_statements_and_those_it_calls_write() -> None:
    clauses = {each.id: each.index for each in much().clauses}
    markers = {each.name: at for at, each in enumerate(much().markers)}
    card, chip = ({each.name: at for at, each in enumerate(much().pieces)}[n] for n in NAMES)
    giving, paying = write_set(much(), "giving"), write_set(much(), "paying")
    assert giving == WriteSet(
        moved=frozenset({chip}),
        markers=frozenset({markers["price"]}),
        scoring=frozenset({clauses["giving"]}),
    )
    assert write_set(much(), "ordering") == replace(giving, called=frozenset({clauses["giving"]}))
    assert paying == WriteSet(
        moved=frozenset({card, chip}),
        states=frozenset({(card, 0)}),
        markers=frozenset(markers.values()),
        scoring=frozenset({clauses["paying"]}),
    )
    assert write_set(much(), "fair") == WriteSet()


def test_what_is_only_supposed_is_not_written() -> None:
    """A turn supposes that players give, but only `paying` is done."""
    turn = replace(write_set(much(), "turn"), called=frozenset())
    assert turn == write_set(much(), "paying")


def records(of: ir.Program, games: int) -> list[bytes]:
    instance = module_for(Layout(of, of.fewest), WATCHING)
    return [bytes(each) for each in instance.records(3, 0, games)]


@pytest.mark.usefixtures("uncached")
@pytest.mark.parametrize(
    "forgotten",
    [
        *({"moved": frozenset()}, {"states": frozenset()}, {"markers": frozenset()}),
        *({"called": frozenset()}, {"scoring": frozenset()}),
    ],
    ids=lambda given: str(*given),
)
def test_whatever_is_not_saved_is_noticed(
    forgotten: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any one part of the write sets, games go another way."""
    monkeypatch.setattr(snapshots, "_GAP", 0)
    before, of = records(much(), 20), WriteSets.of
    monkeypatch.setattr(WriteSets, "of", lambda *given: replace(of(*given), **forgotten))
    try:
        after = records(much(), 20)
    except RuntimeError:  # a chain that is not put back may never end
        return
    assert after != before
