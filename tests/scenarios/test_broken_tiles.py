"""Whatever is broken in the rules of Völuspá or of its tiles, some scenario turns red.

Some clauses of the base game are broken in all ways every time, and some guards of tiles are left
out: a scenario that names one must turn red. A nightly run takes all of them, and breaks the game
with all its tiles in all ways, which takes minutes. That the changes of a tile are needed is seen
in tests/variants/test_broken_patches.py.

What nobody can notice stands in the tables below, by its name or by a pattern, with the reason.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from lawspeaker.ir.walk import guards_of
from tests.scenarios.breaking import Breaking, passes
from tests.scenarios.files import FILES, about, scenario, traced
from tests.tiers import sample

# The scenarios are traced once, by whoever breaks the rules.
pytestmark = [pytest.mark.full, pytest.mark.xdist_group("broken rules of voluspa")]
WITH_TILES = "voluspa+saga_of_edda+order_of_the_gods+lightning+drakkar+no_late_hel"

TOLERATED = {
    r"game: skips `end the game`": "the last line of the main clause ends the game anyway",
    r"game: 500 becomes \d+": "no game has so many turns",
    r"filling_up: `count of tiles .* > hand_size` with >=": "who must discard none is not asked",
    r"setup: 100 becomes \d+": "there are not so many Trolls",
    r"placing: guard no_troll_beside: .* #\d": "a Troll neither covers nor takes other tiles",
    r"worth: only `cell is beside_a_loki`": "in a line there are no cells without a tile",
    r"line\.beats: 0 becomes 1": "a Fenrir is worth nothing, or four and more",
    r"same_kind: only `kind of lying is kind of tile`": "an earlier guard asks for a tile",
}
TOLERATED_OF_TILES = {
    r"placing: guard (no_troll_beside|follows_hermod): .*": "an exception for a kind is asked of "
    "all ways of placing, also of those in which that kind is never placed",
    r"placing: without guard follows_hermod #2": "what covers is asked by another guard, too",
    r"placing: guard hel_stays_near: only `tile is not hel`": "Hel cannot be put anywhere else",
    r"(laying|covering|swapping|pushing): (skips `do scoring.*|another for ``.*)": "how a kind "
    "scores is hung on all ways of placing, and not every kind is placed in all of them",
    r"(hel|drakkar)\.\w+: skips `do playing\.tile\(.*": "what is done for a Raven, a Hermod and a "
    "raised tile is hung on every tile that is played",
    r"hermod\.next: .*(hand|helheim) of active is (not )?empty`": "what is discarded instead of a "
    "tile of the hand is hung here, too, where there are tiles in the hand",
    r"hermod\.next: skips `do discarding` #\d": "the same",
    r"(hermod\.further|drakkar\.unloading): 20 becomes \d+": "nobody has so many tiles",
    r"hel\.new_line: another for `row`": "row and column are equally long",
    r"bolt\.scoring: another for `row`": "the same",
    r"hel\.begins: only `tile is not sea_serpent` #2": "it is said twice",
    r"freya\.boost: `raised > 0` with >=": "what is raised by nothing stays as it is",
    r"freya\.(covered|taken): (`boosts of .*|only `(covered|taken|boosts of taken) .*|or in .*)": (
        "where there are no boosts, none are lost"
    ),
    r"drakkar\.(in_port|aboard): .*": "it only says what is shown",
    r"drakkar\.carries: (gives something else|not `.*)": "it is compared between ships that carry "
    "as many tiles, so as many of a kind and as many of all others are the same",
    r"playing: guard no_hel_to_play: any `.*`": "Hel has a place wherever other tiles have none",
    r"raven\.again: only `tile is not raven`": "a Raven that was laid is on a cell",
    r"niohoggr\.below: (`larger\(height, 2\)` with smaller|2 becomes 1)": "it is higher anyway",
    r"serpent\.place_on_line: gives something else": "only differences count",
    r"serpent\.points: 0 becomes 1.*": "the serpent itself is always in sight",
}

UNNAMED = {
    "may_stop": "hermod_",
    "is_a_line": "bolt_",
    "is_the_shorter": "bolt_",
    "another_place": "raven_",
    "something_in_sight": "serpent_",
    "is_the_highest": "serpent_",
    "not_held": "serpent_",
}
"""Guards that refuse nothing by name, since nobody is asked where only one answer is left; and how
the names of the scenarios begin that show what they do."""


@cache
def base() -> Breaking:
    return Breaking("voluspa", about("voluspa"), traced)


@cache
def with_tiles() -> Breaking:
    return Breaking(WITH_TILES, [name for name in FILES if name.startswith("voluspa/")])


@cache
def names_of_base() -> set[str]:
    return {each.name for found in base().mutants.values() for each in found}


def showing(guard: str) -> list[str]:
    """The scenarios that name a guard, or show what it does."""
    if guard in UNNAMED:
        return [name for name in with_tiles().names if name.startswith(f"voluspa/{UNNAMED[guard]}")]
    named = re.compile(rf": {guard}$", re.M)
    return [name for name in with_tiles().names if named.search(scenario(name).file.text)]


def test_a_guard_that_is_left_out_is_noticed() -> None:
    guards = [id.rpartition(".")[2] for id in guards_of(with_tiles().program)]
    assert [guard for guard in sample(guards, full=3) if not is_noticed_without(guard)] == []


def is_noticed_without(guard: str) -> bool:
    without = re.compile(rf"without guard {guard}( #\d+)?")
    broken = [
        each
        for found in with_tiles().mutants.values()
        for each in found
        if without.match(each.what)
    ]
    assert broken, guard
    return any(not passes(name, mutant) for name in showing(guard) for mutant in broken)


def unexplained(unnoticed: set[str], reasons: dict[str, str]) -> set[str]:
    return {
        name for name in unnoticed if not any(re.fullmatch(pattern, name) for pattern in reasons)
    }


def test_a_broken_clause_of_the_base_is_noticed() -> None:
    clauses = sample(base().mutants, full=10)
    unnoticed = {name for clause in clauses for name in base().unnoticed(clause)}
    assert not unexplained(unnoticed, TOLERATED), "no scenario turns red under these"


def test_every_reason_is_about_something() -> None:
    of_all = {each.name for found in with_tiles().mutants.values() for each in found}
    for reasons, names in ((TOLERATED, names_of_base()), (TOLERATED_OF_TILES, of_all)):
        for pattern in reasons:
            assert any(re.fullmatch(pattern, name) for name in names), pattern


def test_every_clause_can_be_broken() -> None:
    assert [clause for clause, found in base().mutants.items() if not found] == []
    assert len(names_of_base()) > 200


@pytest.mark.nightly
def test_a_broken_clause_of_a_tile_is_noticed() -> None:
    known = names_of_base()
    unnoticed = {
        name for clause in with_tiles().mutants for name in with_tiles().unnoticed(clause, known)
    }
    reasons = {**TOLERATED, **TOLERATED_OF_TILES}
    assert not unexplained(unnoticed, reasons), "no scenario turns red under these"
