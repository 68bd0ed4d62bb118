"""Witnesses show what rules do, not what luck does, in positions that games come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.render.findings import not_found
from lawspeaker.outside.loading import open_bundle, schema
from lawspeaker.study.compare import Ruleset, compare
from lawspeaker.study.compare.alone import all_alone
from lawspeaker.study.compare.contrast import Contrast, contrast
from lawspeaker.study.compare.explaining import Explained, explained
from lawspeaker.study.compare.lockstep import ASKED, HAPPENED, SETUP
from lawspeaker.study.compare.ruleset import compiled_ruleset
from lawspeaker.study.compare.witness import NOTHING_OPEN, Witness
from lawspeaker.study.compare.witness_scenario import scenario
from lawspeaker.study.compare.witness_search import search
from tests.compare.stall import stall_rulesets
from tests.compare.test_witness import came_to, passes

FERRY = """\
lawspeaker: 1
game: ferry
title: The Ferry
players: {from: 2, to: 2, called: [ann, ben]}
sources:
  log: {title: The Ferryman's Log, language: en}

numbers:
  day_number: 1..2

pieces:
  plank: {count: 3, starts in: yard}
  goat: {of each: player, count: 2, starts in: pen}
  ticket:
    starts in: till
    kinds: {day: {count: 5}, return: {count: 3}}

places:
  yard: {holds: plank, seen by: everyone}
  jetty: {holds: plank, arranged: row, seen by: everyone}
  step: {at: 1..3, holds: goat, room: 1, seen by: everyone}
  pen: {of each: player, holds: goat, seen by: everyone}
  till: {holds: ticket, arranged: pile, seen by: nobody}
  pocket: {of each: player, holds: ticket, seen by: owner}

markers:
  day: {shows: day_number, starts as: 1}

choices:
  toll: {says: What a crossing costs., is: 1, cites: Tolls § 1}
  dealt: {says: How many tickets everyone gets., is: 1, cites: Tolls § 2}

rules:
  game:
    says: A jetty is built, and everyone crosses.
    cites: Tolls § 3
    rule: |
      do dealing
      move all planks in yard to jetty
      for each player:
        player scores 5
      do mooring
      day becomes 2
      for each player:
        do crossing(player)
      do evening

  dealing:
    says: Tickets are dealt.
    cites: Tolls § 2
    rule: |
      shuffle till
      for each player:
        draw dealt tickets from till to pocket of player

  mooring:
    says: Who moors pays the toll.
    cites: Tolls § 4
    rule: |
      for each player:
        player loses toll

  crossing:
    says: A goat goes on a step, for a point.
    cites: Tolls § 5
    asks: On which step?
    guards:
      can_hold: {says: The step has been built., cites: Tolls § 6}
    given: {player: player}
    rule: |
      player must cross: step
        where can_hold: step is built and step is empty
        otherwise: finish
      player loses 1
      move a goat in pen of player to step

  evening:
    says: Goats on steps bring points, and the toll is taken once more.
    cites: Tolls § 7
    rule: |
      for each step:
        if there is a goat in step:
          owner of goat scores 1
      ann loses toll

  built:
    says: A step is built when a plank lies there.
    cites: Tolls § 6
    define: step is built
    as: number of step <= count of planks in jetty

always:
  no_debts: {says: Nobody is in debt., holds: "for every player, score of player >= 0"}

table:
  down:
    - {marker: day}
    - {place: jetty, as: row}
    - {place: step, as: row, only: built}
    - players: [{score: true}, {place: pen, as: count}, {place: pocket, as: count}]
"""
EDITION = """\
lawspeaker: 1
variant: other
of: ferry
layer: edition
title: Another edition
sources:
  new: {title: The New Log, language: en}
changes:
"""


def ferry(changes: str, layer: str = "edition") -> list[Ruleset]:
    """The ferry, and a variant of it with these changes."""
    found: list[Ruleset] = []
    for name, files in {
        "ferry": (RuleFile("game.yaml", FERRY, None),),
        "ferry+other": (
            RuleFile("game.yaml", FERRY, None),
            RuleFile("other.yaml", EDITION.replace("edition", layer, 1) + changes, ()),
        ),
    }.items():
        diagnostics = Diagnostics()
        opened = open_bundle(files, diagnostics, name)
        assert opened is not None, list(map(str, diagnostics))
        each = compiled_ruleset(name, opened, schema("variant"), diagnostics)
        assert each is not None, list(map(str, diagnostics))
        found.append(each)
    return found


def witnessed(both: list[Ruleset], id: str = "") -> tuple[Witness, Contrast, Explained]:
    """The witness of a difference, or of the only one there is."""
    comparison = compare(both)
    for alone in all_alone(both, comparison):
        if id in ("", alone.difference.id):
            held = contrast(both, comparison, alone)
            assert held is not None
            found = search(held.rules, alone.difference.rows_of(1), positions=400).witness
            assert found is not None
            cells = alone.difference.cells_of(1)
            return found, held, explained(found, both[0], both[1], held.rules, cells, "en")
    raise AssertionError(f"there is no difference {id}")


# ---------------------------------------------------------------- luck

MORE_PLUMS = """\
changes:
  - {set: pieces.fruit.kinds.plum.count, to: 3}
  - {set: pieces.fruit.in the box, to: 7}
"""


def test_a_number_of_things_is_shown_by_what_is_in_the_box(tmp_path: Path) -> None:
    both = stall_rulesets(tmp_path, {"other": MORE_PLUMS})
    witness, held, story = witnessed(both)
    assert witness.divergence.sort == SETUP
    assert witness.whole
    assert story.one.lines == ("crate: 2 × plum; 6 in all",)
    assert story.other.lines == ("crate: 3 × plum; 7 in all",)
    for own, each in enumerate(both):
        text = scenario(witness, each, held.rules, ("plums", ""), schema("scenario"))
        assert text is not None
        assert passes(text, each)
        assert not passes(text, both[1 - own])


PEARS = """\
changes:
  - {add: pieces.fruit.kinds.pear, to: {count: 1, worth: 3}}
  - {set: pieces.fruit.in the box, to: 7}
  - {amend: picking.not_full, unless: fruit is pear, says: A pear finds room in any basket.}
  - {add: names.pear, to: {en: pear, de: Birne}}
"""


@pytest.mark.parametrize("names", [("stall", "stall+other"), ("stall+other", "stall")])
def test_the_rule_of_a_new_thing_is_shown_with_the_thing_on_both_sides(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    both = stall_rulesets(tmp_path, {"other": PEARS}, *names)
    witness, held, story = witnessed(both)
    assert held.rules.boxes is not None
    assert witness.divergence.sort == ASKED
    assert came_to(witness, held.rules.one)
    assert "same pieces" in story.begins
    sides = [story.one, story.other]
    with_pears = sides[names.index("stall+other")]
    assert with_pears.why[0].says.endswith("A pear finds room in any basket.")


def test_of_what_is_dealt_its_number_is_told(tmp_path: Path) -> None:
    both = ferry("  - {set: dealt, to: 3, cites: {new: Tolls § 1}}\n")
    witness, _, story = witnessed(both)
    assert witness.stage.do == "dealing"
    assert story.one.lines == (
        "till: 6 × ticket",
        "pocket ann: 1 × ticket",
        "pocket ben: 1 × ticket",
    )
    assert story.other.lines == (
        "till: 2 × ticket",
        "pocket ann: 3 × ticket",
        "pocket ben: 3 × ticket",
    )


CURTSY = """\
changes:
  - add: curtsy
    says: Before the farewell Ann may curtsy.
    before: farewell
    asks: {en: A curtsy?, de: Ein Knicks?}
    rule: |
      ann may curtsy
        then: ann scores 1
  - {add: names.curtsy, to: {en: curtsy, de: knicksen}}
"""


def test_who_is_asked_where_others_go_on_is_told(tmp_path: Path) -> None:
    witness, _, story = witnessed(stall_rulesets(tmp_path, {"other": CURTSY}))
    assert witness.divergence.sort == HAPPENED
    assert story.one.lines[0].startswith("Ann scores 1")
    assert story.other.lines == ("Ann is asked: A curtsy?",)
    assert story.other.why[0].id == "curtsy"


# ---------------------------------------------------------------- positions of a game


DOUBLED = """\
  - replace: evening
    rule: |
      for each step:
        if there is a goat in step:
          owner of goat scores 2
      ann loses toll
"""
NOT_IN_THE_MIDDLE = "  - {amend: crossing.can_hold, also: number of step is not 2}\n"


@pytest.mark.parametrize("changes, begun", [(NOT_IN_THE_MIDDLE, "crossing"), (DOUBLED, "evening")])
def test_a_position_is_one_that_a_game_came_to(changes: str, begun: str) -> None:
    """Nothing is left away: the tickets, which do not matter, are there as well."""
    both = ferry(changes)
    witness, _, story = witnessed(both)
    assert witness.stage.do is not None
    assert witness.stage.do.partition("(")[0] == begun
    assert came_to(witness, both[0].program)
    assert {"jetty", "pocket ann", "pocket ben"} <= set(witness.stage.situation)
    assert f"seed {witness.stage.seed}" in story.begins
    told = {0: "before the first question", 1: "after 1 reply", 2: "after 2 replies"}
    assert told[len(witness.before)] in story.begins


@pytest.mark.parametrize("layer", ["edition", "house rule"])
def test_a_place_is_taken_of_which_the_books_speak(layer: str) -> None:
    """The toll is paid twice; of the first time the new book says nothing."""
    spoken = "  - {set: toll, to: 2, cites: {new: Tolls § 1}}\n"
    silent = "  - {cite: mooring, cites: {new: {section: Tolls, stance: our_ruling}}}\n"
    stated = "  - {cite: evening, cites: {new: Tolls § 2}}\n"
    witness, _, _ = witnessed(ferry(spoken + silent + stated, layer), "toll")
    assert witness.stage.do == "evening"
    assert witness.open == NOTHING_OPEN
    stated_there = stated.replace("evening", "mooring")
    silent_here = silent.replace("mooring", "evening")
    witness, _, _ = witnessed(ferry(spoken + stated_there + silent_here, layer), "toll")
    assert witness.divergence.one.events[0].clause == "mooring"


BOTH_IN_ONE = """\
changes:
  - {set: thanks, to: 4}
  - replace: farewell
    rule: |
      ann scores 1 + count of fruits in basket of ann
"""


def test_what_the_whole_telling_does_is_asked_of_the_position_that_is_shown(
    tmp_path: Path,
) -> None:
    both = stall_rulesets(tmp_path, {"other": BOTH_IN_ONE})
    witness, _, story = witnessed(both, "farewell")
    assert witness.divergence.sort == HAPPENED
    assert witness.whole
    assert "as a whole" not in story.begins


NOTED = """\
changes:
  - {add: markers.late, to: {shows: player}}
  - {add: names.late, to: {en: late, de: spät}}
  - add: noting
    says: It is noted who picked last.
    after: picking
    given: {player: player}
    rule: |
      late becomes player
  - replace: farewell
    rule: |
      if late is ann:
        ann scores 1
      else:
        ann scores 2
"""


def test_a_marker_that_only_one_has_rules_for_shows_nothing_by_itself(tmp_path: Path) -> None:
    witness, _, story = witnessed(stall_rulesets(tmp_path, {"other": NOTED}))
    assert witness.divergence.sort == HAPPENED
    assert witness.divergence.other.events[0].clause == "farewell"
    assert "late" not in "".join((*story.one.lines, *story.other.lines))


# ---------------------------------------------------------------- none is found

STORM = """\
changes:
  - add: storm
    says: In a storm Ann is paid more.
    after: thanking
    rule: |
      if score of ann > 99:
        do storm.pay
  - add: storm.pay
    says: Ann is paid.
    rule: |
      ann scores {points}
"""


def test_that_a_rule_never_came_up_is_said(tmp_path: Path) -> None:
    variants = {"one": STORM.format(points=1), "two": STORM.format(points=2)}
    both = stall_rulesets(tmp_path, variants, "stall+one", "stall+two")
    (alone,) = all_alone(both, compare(both))
    held = contrast(both, compare(both), alone)
    assert held is not None
    found = search(held.rules, ("storm.pay",), positions=60)
    assert found.witness is None
    assert (found.further, found.came_up) == (400, 0)
    assert "in none of 400 games" in not_found(found, "en")
    found = search(held.rules, ("storm",), positions=60)
    assert found.came_up == 0, "it was looked whether there is a storm, and nothing was done"
    found = search(held.rules, ("thanking",), positions=60)
    assert "in 200 of 400 games" in not_found(found, "en")
