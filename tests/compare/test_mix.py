"""Readings taken one by one: each difference of each pair of editions, and all of them together.

A nightly run takes every pair in both directions, and singly also what is only said otherwise.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.mix import CannotMix, Mix, can_be_taken, mix, whole
from lawspeaker.study.compare.naming import NoSuchDifference, named
from lawspeaker.study.compare.points import CALLED
from lawspeaker.study.lab.record import play_game
from tests.compare.stall import stall_rulesets
from tests.compare.test_patch import EDITIONS, load_named
from tests.tiers import NIGHTLY

GERMAN, ATTACKE, ITALIAN, FRENCH = EDITIONS
EVERY = list(permutations(EDITIONS, 2))
PAIRS = EVERY if NIGHTLY else [(GERMAN, ITALIAN), (FRENCH, ITALIAN), (ATTACKE, FRENCH)]
SINGLY = EVERY if NIGHTLY else [(GERMAN, FRENCH)]


@cache
def compared(*names: str) -> Comparison:
    return compare([load_named(each) for each in names])


def takes_only(one: Ruleset, found: Mix, other: Ruleset) -> bool:
    """Whether it plays, and calls things, as the other does in what is taken, and else as the
    first."""
    taken = {row.id for each in found.taken for row in each.difference.rows}
    for row in compare([one, found.ruleset, other]).table.rows:
        first, mixed, than = (None if each.point is None else each.point for each in row.cells)
        aim = than if row.id in taken else first
        if row.changes_play or row.sort in CALLED:
            same = None if aim is None else (aim.in_play, aim.words if row.sort in CALLED else None)
            has = mixed and (mixed.in_play, mixed.words if row.sort in CALLED else None)
            if has != same:
                return False
    return True


def same_games(one: Ruleset, other: Ruleset) -> bool:
    """Whether games of the fewest and of the most players go the same way."""
    records = [
        [play_game(each.program, players, 1, 1, ["random"] * players) for each in (one, other)]
        for players in {one.program.fewest, one.program.most}
    ]
    return all(
        (here.scores, here.decisions, here.trail) == (there.scores, there.decisions, there.trail)
        for here, there in records
    )


@pytest.mark.full
@pytest.mark.parametrize("one, other", SINGLY)
def test_every_difference_can_be_taken_singly(one: str, other: str) -> None:
    pair, comparison = [load_named(one), load_named(other)], compared(one, other)
    for difference in comparison.differences:
        if can_be_taken(difference, 1) and (NIGHTLY or difference.changes_play):
            found = mix(pair, comparison, {difference.number: 1}, "mixed")
            assert [each.difference for each in found.taken] == [difference]
            assert takes_only(pair[0], found, pair[1]), difference.id
            players = found.ruleset.program.fewest
            assert play_game(found.ruleset.program, players, 1, 1, ["random"] * players).scores


@pytest.mark.full
@pytest.mark.parametrize("one, other", PAIRS)
def test_what_is_only_said_otherwise_changes_no_game(one: str, other: str) -> None:
    comparison = compared(one, other)
    said = {
        each.number: 1
        for each in comparison.differences
        if can_be_taken(each, 1) and not each.changes_play
    }
    found = mix([load_named(one), load_named(other)], comparison, said, "mixed")
    assert same_games(found.ruleset, load_named(one))


@pytest.mark.full
@pytest.mark.parametrize("one, other", PAIRS)
def test_all_that_an_edition_does_is_the_edition(one: str, other: str) -> None:
    comparison = compared(one, other)
    found = mix([load_named(one), load_named(other)], comparison, whole(comparison, 1), "mixed")
    assert takes_only(load_named(one), found, load_named(other))
    assert same_games(found.ruleset, load_named(other))


@pytest.mark.full
def test_readings_of_several_editions_with_their_books() -> None:
    three = [load_named(each) for each in (GERMAN, ITALIAN, FRENCH)]
    comparison = compared(GERMAN, ITALIAN, FRENCH)
    picks = {named("selling", comparison).number: 1}
    picks[named("ties", comparison).number] = 2
    found = mix(three, comparison, picks, "ours", "Our rules")
    rows = {row.id: row for row in compare([three[0], found.ruleset]).table.rows if row.kind}
    assert {"selling", "ties.second"} <= {*rows}
    assert not {"heroes.prizes", "boarding.order"} & {*rows}
    assert {cite.source for cite in rows["ties.second"].cells[1].cites} == {"fr"}
    assert {cite.source for cite in rows["selling"].cells[1].cites} == {"it"}
    assert rows["ties.second"].cells[1].because
    assert found.text.startswith("lawspeaker: 1\nvariant: ours\nof: walhalla\n")
    assert "title: Our rules" in found.text


# Thanks become a list, and the rule that pays them takes one of it: each alone would not check.
NEEDY = """\
changes:
  - {set: rounds, to: 1, kind: value, because: Shorter.}
  - {set: thanks, to: [3, 1]}
  - replace: thanking
    rule: |
      for each player:
        player scores thanks at 1
"""


@pytest.mark.parametrize("wanted, needed", [("thanking", "thanks"), ("thanks", "thanking")])
def test_what_is_needed_comes_along_and_is_named(wanted: str, needed: str, tmp_path: Path) -> None:
    pair = stall_rulesets(tmp_path, {"other": NEEDY})
    comparison = compare(pair)
    found = mix(pair, comparison, {named(wanted, comparison).number: 1}, "mixed")
    assert {each.difference.id for each in found.taken} == {wanted, needed}
    assert [each.difference.id for each in found.along] == [needed]
    assert takes_only(pair[0], found, pair[1])


def test_nothing_taken_is_no_mix(tmp_path: Path) -> None:
    pair = stall_rulesets(tmp_path, {"other": NEEDY})
    with pytest.raises(CannotMix, match="nothing is taken"):
        mix(pair, compare(pair), {1: 0}, "mixed")


@pytest.mark.full
def test_what_is_printed_on_the_box_is_no_reading() -> None:
    comparison = compared(GERMAN, ITALIAN)
    age = next(each for each in comparison.differences if each.id == "box.age")
    assert age.number not in whole(comparison, 1)
    with pytest.raises(CannotMix, match="fact about the game"):
        mix([load_named(GERMAN), load_named(ITALIAN)], comparison, {age.number: 1}, "mixed")


# ---------------------------------------------------------------- what differences are called


@pytest.mark.parametrize(
    "wanted, id",
    [
        ("ties.second", "ties.second"),
        ("selling.limit", "selling"),
        ("ties", "ties.second"),
        ("prizes heroes", "heroes.prizes"),
        ("egalité presqu", "ties.second"),
        ("Points for heroes at the end", "heroes.prizes"),
        ("Punkte für Helden am Ende", "heroes.prizes"),
    ],
)
def test_differences_are_called_by_ids_or_words(wanted: str, id: str) -> None:
    assert named(wanted, compared(GERMAN, ITALIAN, FRENCH)).id == id


@pytest.mark.parametrize(
    "wanted, message",
    [
        ("heroes", r"may be any of .*“Points for heroes at the end”"),
        ("tyes.second", r"did you mean 'ties.second'\?"),
        ("zzz", "there are “"),
    ],
)
def test_what_is_not_known_is_told_with_what_is(wanted: str, message: str) -> None:
    with pytest.raises(NoSuchDifference, match=message):
        named(wanted, compared(GERMAN, ITALIAN, FRENCH))
