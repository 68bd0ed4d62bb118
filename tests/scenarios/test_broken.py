"""Whatever is broken in the rules, some scenario turns red.

Clauses, in a nightly run all of them, are broken in all the ways that `mutants` knows; only the
scenarios that touch one are run, the most particular ones first. What nobody can notice, because
the rules say it twice or because it cannot happen, stands in TOLERATED with its reason.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests.scenarios.breaking import Breaking
from tests.scenarios.files import about, traced
from tests.tiers import sample

GAME = "walhalla"

TOLERATED = {
    "game: skips `end the game`": "the last line of the main clause ends the game anyway",
    "raid: 12 becomes 13": "there are only twelve dragons",
    "reach: 0 becomes 1": "every fjord has a shore, so this number is never asked for",
}


# The scenarios are traced once, by whoever breaks the rules.
pytestmark = [pytest.mark.full, pytest.mark.xdist_group("broken rules of walhalla")]


@cache
def walhalla() -> Breaking:
    return Breaking(GAME, about(GAME), traced)


def test_a_broken_clause_is_noticed() -> None:
    clauses = sample(walhalla().mutants, full=5)
    unnoticed = {name for clause in clauses for name in walhalla().unnoticed(clause)}
    tolerated = {name for name in TOLERATED if name.partition(":")[0] in clauses}
    assert not unnoticed - tolerated, "no scenario turns red under these"
    assert not tolerated - unnoticed, "these are noticed, and need not be tolerated"


def test_every_clause_can_be_broken() -> None:
    assert [clause for clause, found in walhalla().mutants.items() if not found] == []


def test_there_are_many_ways_to_break_rules() -> None:
    assert sum(len(found) for found in walhalla().mutants.values()) > 400
