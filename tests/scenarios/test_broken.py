"""Whatever is broken in the rules, some scenario turns red.

Every clause is broken in all the ways that `mutants` knows; only the scenarios that touch it are
run, the most particular ones first. What nobody can notice, because the rules say it twice or
because it cannot happen, stands in TOLERATED with its reason.
"""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker.scenario import run
from tests.scenarios.files import about, program, scenario, traced
from tests.scenarios.mutants import Mutant, broken

GAME = "walhalla"

TOLERATED = {
    "game: skips `end the game`": "the last line of the main clause ends the game anyway",
    "raid: 12 becomes 13": "there are only twelve dragons",
    "reach: 0 becomes 1": "every fjord has a shore, so this number is never asked for",
}


@cache
def mutants() -> dict[str, list[Mutant]]:
    """The mutants of each clause."""
    found: dict[str, list[Mutant]] = {clause.id: [] for clause in program(GAME).clauses}
    for mutant in broken(program(GAME)):
        found[mutant.clause].append(mutant)
    return found


@cache
def touching(clause: str) -> tuple[str, ...]:
    """The scenarios that touch a clause; first those that need no other program, then the most
    particular ones."""

    def order(name: str) -> tuple[bool, int, int]:
        touched = traced(name).touched
        assert touched is not None
        found = scenario(name)
        return found.get("choices") is not None, -found.players, len(touched.clauses)

    names = [name for name in about(GAME) if clause in _clauses(name)]
    return tuple(sorted(names, key=order))


def _clauses(name: str) -> frozenset[str]:
    """What a scenario touches; nothing, if it fails under the rules as they are."""
    outcome = traced(name)
    return outcome.touched.clauses if outcome.passed and outcome.touched else frozenset()


def is_noticed(mutant: Mutant) -> bool:
    return any(not passes(name, mutant) for name in touching(mutant.clause))


def passes(name: str, mutant: Mutant) -> bool:
    try:
        return run(scenario(name), mutant.program).passed
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        # No checker would let such rules pass, so the machine need not cope with them.
        return False


@pytest.mark.parametrize("clause", list(mutants()))
def test_a_broken_clause_is_noticed(clause: str) -> None:
    unnoticed = {mutant.name for mutant in mutants()[clause] if not is_noticed(mutant)}
    tolerated = {name for name in TOLERATED if name.partition(":")[0] == clause}
    assert not unnoticed - tolerated, "no scenario turns red under these"
    assert not tolerated - unnoticed, "these are noticed, and need not be tolerated"


def test_every_clause_can_be_broken() -> None:
    assert [clause for clause, found in mutants().items() if not found] == []


def test_there_are_many_ways_to_break_rules() -> None:
    assert sum(len(found) for found in mutants().values()) > 400
