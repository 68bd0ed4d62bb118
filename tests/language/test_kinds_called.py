"""Kinds as values: gone through, given, chosen, shown by markers, and telling places apart."""

from __future__ import annotations

from pathlib import Path

import lawspeaker
from lawspeaker.outside.loading import run_scenarios
from tests.compiled.side_by_side import SideBySide, eager
from tests.language.games import GOOD

GAME = GOOD / "kinds_called.yaml"
SCENARIO = f"""\
scenario: A kind is told by its name wherever it stands
game: {GAME}
players: 2
situation:
  named: guard
  guesses of baron: 4
  hand ann: baron
do: naming(ann)
steps:
  - asks: {{ann: naming}}
    answer: name priest
then:
  named: priest
  guesses of priest: 1
  guesses of baron: 4
"""


def test_both_machines_play_in_lockstep() -> None:
    both = SideBySide(lawspeaker.load(str(GAME)).program, 2)
    assert both.play(1)
    assert both.play(2, eager)


def test_a_kind_is_chosen_and_refused_by_its_name() -> None:
    match = lawspeaker.load(str(GAME)).start(players=2, seed=1)
    assert match.decision is not None
    assert [option.text for option in match.decision.options] == ["name priest", "name baron"]
    assert match.why_not("name guard").message == "The guard cannot be named."
    match.choose("name baron")
    shown = match.view(1).to_json()["markers"]
    assert (shown["named"], shown["guesses baron"], shown["guesses guard"]) == ("baron", "1", "2")


def test_cards_are_sorted_by_kind() -> None:
    match = lawspeaker.load(str(GAME)).start(players=2, seed=1)
    while match.decision is not None:
        match.choose("name baron")
    places = match.view(None).to_json()["places"]
    assert {place: lying["pieces"] for place, lying in places.items() if "stack" in place} == {
        "stack guard": ["guard"],
        "stack priest": ["priest"],
    }
    assert match.scores == [2 * 1 + 2 * 3 + 100, 3 + 2]


def test_scenarios_name_kinds(tmp_path: Path) -> None:
    file = tmp_path / "kinds.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    result = run_scenarios([file])
    assert result.passed, [str(each) for one in result.outcomes for each in one.diagnostics]
