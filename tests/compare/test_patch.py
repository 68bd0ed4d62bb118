"""A variant that turns one ruleset into another: applied and compared again, nothing is left."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.compare import Ruleset, compare
from lawspeaker.study.compare.patch import patch
from lawspeaker.study.lab.record import play_game
from tests.compare.stall import stall_rulesets
from tests.tiers import sample

EDITIONS = ("walhalla", "walhalla+german_attacke", "walhalla+italian", "walhalla+french")
OTHERS = [f"walhalla+{each}" for each in Library().variants("walhalla")]
MODULES = [f"voluspa+{each}" for each in ("drakkar", "king_of_the_giants", "master_of_ravens")]
VARIANTS = [each for each in (*OTHERS, *MODULES) if each not in EDITIONS]


@lru_cache(maxsize=64)
def load_named(name: str) -> Ruleset:
    diagnostics = Diagnostics()
    found = load_ruleset(name, diagnostics)
    assert found is not None, "\n".join(map(str, diagnostics))
    return found


def patched(one: Ruleset, other: Ruleset) -> Ruleset:
    diagnostics = Diagnostics()
    found = one.with_patch(patch(one, other, "retold"), "retold", diagnostics)
    assert found is not None, "\n".join(map(str, diagnostics))
    return found


def check(one: Ruleset, other: Ruleset) -> None:
    found = patched(one, other)
    left = [(row.id, row.kind) for row in compare([found, other]).table.rows]
    assert not left
    for number in range(2):
        players = other.program.fewest
        here, there = (
            play_game(each.program, players, 1, number, ["random"] * players)
            for each in (found, other)
        )
        assert (here.scores, here.winners) == (there.scores, there.winners)
        assert (here.decisions, here.trail) == (there.decisions, there.trail)


@pytest.mark.parametrize("one, other", sample(permutations(EDITIONS, 2), test=8, full=6))
def test_every_edition_becomes_every_other(one: str, other: str) -> None:
    check(load_named(one), load_named(other))


@pytest.mark.full
@pytest.mark.parametrize("name", sample(VARIANTS, full=8))
def test_a_variant_can_be_made_and_taken_back(name: str) -> None:
    variant, base = load_named(name), load_named(name.partition("+")[0])
    check(base, variant)
    check(variant, base)


EVERYTHING = """\
sources: {new: {title: The New Book, language: en}}
changes:
  - {set: rounds, to: 1, cites: {new: Turns}, kind: value, because: Shorter.}
  - {set: thanks, to: 3}
  - {set: pieces.fruit.kinds.plum.count, to: 3, accepts: totals-differ}
  - {add: pieces.fruit.kinds.fig, to: {count: 1, worth: 5}}
  - {add: names.fig, to: {en: "fig: fresh", de: Feige}}
  - {amend: picking.not_full, unless: rounds = 1, says: "It's one, or one more."}
  - replace: round
    says: "Players pick, and pick again."
    rule: |
      for each player:
        do picking(player) # once
        do picking(player)
  - {remove: farewell}
  - add: tip
    says: A tip.
    after: thanking
    rule: |
      ann scores 1
  - {set: names.plum.de, to: "Zwetschge #1"}
"""


def test_all_sorts_of_changes_and_back(tmp_path: Path) -> None:
    one, other = stall_rulesets(tmp_path, {"other": EVERYTHING})
    check(one, other)
    check(other, one)


def test_a_guard_that_was_taken_out_comes_back(tmp_path: Path) -> None:
    one, other = stall_rulesets(tmp_path, {"other": "changes: [{remove: picking.not_full}]\n"})
    check(one, other)
    check(other, one)


def test_house_rules_are_patched_by_one_that_comes_after_them(tmp_path: Path) -> None:
    variants = {
        "one": "changes: [{set: rounds, to: 3}]\n",
        "two": "changes: [{set: rounds, to: 4}]\n",
    }
    _, one, two = stall_rulesets(tmp_path, variants, layer="house rule")
    assert "after: [one]" in patch(one, two, "retold")
    check(one, two)


def test_some_rows_alone(tmp_path: Path) -> None:
    one, other = stall_rulesets(tmp_path, {"other": EVERYTHING})
    text = patch(one, other, "alone", {"rounds"})
    assert "set: rounds" in text
    assert "cites" not in text
    found = one.with_patch(text, "alone", Diagnostics())
    assert found is not None
    assert [row.id for row in compare([one, found]).table.rows] == ["rounds"]


def test_how_many_can_play_is_part_of_a_patch(tmp_path: Path) -> None:
    (one,) = stall_rulesets(tmp_path, {}, "stall")
    file = tmp_path / "rules" / "stall" / "game.yaml"
    file.write_text(file.read_text().replace("from: 2, to: 3,", "from: 3, to: 3,"))
    file.write_text(file.read_text().replace("{2 players: 0, 3 players: 1}", "1"))
    other = load_ruleset("stall", Diagnostics(), Library(here=tmp_path, path=()))
    assert other is not None
    text = patch(one, other, "retold")
    assert "set: players" in text
    made = one.with_patch(text, "retold", Diagnostics())
    assert made is not None
    assert (one.program.counts, made.program.counts) == ((2, 3), (3,))
    assert compare([other, made]).differences == ()
