"""A position and a play in which tellings part, and its scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import schema, telling
from lawspeaker.study.compare import Telling, compare
from lawspeaker.study.compare.alone import all_alone
from lawspeaker.study.compare.explaining import explained
from lawspeaker.study.compare.findings import POSITIONS
from lawspeaker.study.compare.lockstep import ASKED, HAPPENED, OFFERED
from lawspeaker.study.compare.position_setup import Stage, described, laid_out, staged
from lawspeaker.study.compare.witness import NOTHING_OPEN, Rulebooks, Search
from lawspeaker.study.compare.witness_scenario import scenario
from lawspeaker.study.compare.witness_search import search
from lawspeaker.study.scenario import read, run
from tests.compare.stall import tellings


def found(both: list[Telling], positions: int = 400) -> tuple[Search, Rulebooks]:
    """The search for the one difference of two tellings that changes play."""
    (each,) = all_alone(both, compare(both))
    assert each.program is not None
    books = Rulebooks(both[0].program, each.program, both[1].program)
    return search(books, each.difference.rows_of(1), positions=positions), books


def passes(text: str, of: Telling) -> bool:
    diagnostics = Diagnostics()
    read_in = read(SourceFile("witness.yaml", text), schema("scenario"), diagnostics)
    assert read_in is not None, "\n".join(map(str, diagnostics))
    return run(read_in, of.program).passed


def check_scenarios(result: Search, books: Rulebooks, *both: Telling) -> None:
    """Each telling has a scenario that passes under it and fails under the other."""
    assert result.witness is not None
    texts = [
        scenario(result.witness, each, books, ("a title", "a sentence"), schema("scenario"))
        for each in both
    ]
    for own, text in enumerate(texts):
        assert text is not None
        assert passes(text, both[own])
        assert not passes(text, both[1 - own])


def test_other_points_are_witnessed_by_the_scoring_alone(tmp_path: Path) -> None:
    both = tellings(tmp_path, {"other": "changes: [{set: thanks, to: 4}]\n"})
    result, books = found(both)
    witness = result.witness
    assert witness is not None
    assert witness.divergence.sort == HAPPENED
    assert witness.stage.do == "thanking"
    assert witness.stage.situation == {}
    assert witness.replies == ()
    assert witness.whole
    check_scenarios(result, books, *both)


def test_another_offer_is_witnessed_at_the_question(tmp_path: Path) -> None:
    change = "changes: [{amend: picking.not_full, also: fruit is not plum}]\n"
    both = tellings(tmp_path, {"other": change})
    result, books = found(both)
    witness = result.witness
    assert witness is not None
    assert witness.divergence.sort == OFFERED
    assert witness.stage.do is not None
    assert witness.stage.do.startswith("picking(")
    assert witness.stage.situation == {}, "nothing on the table matters"
    check_scenarios(result, books, *both)


def test_another_order_is_witnessed_by_who_is_asked(tmp_path: Path) -> None:
    change = """\
changes:
  - replace: round
    rule: |
      do picking(cy)
      do picking(ben)
      do picking(ann)
"""
    three = {"other": change}
    both = tellings(tmp_path, three)
    result, books = found(both)
    witness = result.witness
    assert witness is not None
    assert witness.divergence.sort == ASKED
    assert witness.stage.do == "round"
    check_scenarios(result, books, *both)


def test_the_same_deeds_in_another_order_are_no_parting(tmp_path: Path) -> None:
    change = """\
changes:
  - replace: game
    rule: |
      repeat rounds times:
        do round
      do farewell
      do thanking
"""
    result, _ = found(tellings(tmp_path, {"other": change}))
    assert result.witness is None
    assert result.positions >= 400
    assert result.games > 1


def test_a_witness_is_explained_from_both_sides(tmp_path: Path) -> None:
    change = """\
changes:
  - amend: picking.not_full
    also: fruit is not plum
    says: A basket holds one fruit, and plums are too soft for it.
"""
    first, other = tellings(tmp_path, {"other": change})
    comparison = compare([first, other])
    result, books = found([first, other])
    assert result.witness is not None
    cells = comparison.differences[0].cells_of(1)
    told = explained(result.witness, first, other, books, cells, "en")
    assert told.match is not None
    assert told.viewer is not None
    assert told.one.lines == ("Ann may choose:", "take plum")
    assert told.other.lines == ("Ann may not choose:", "take plum")
    assert told.one.why[0].says == "A basket holds one fruit."
    played = "A basket holds one fruit, and plums are too soft for it."
    assert told.other.why[0].says.endswith(played)


def test_a_search_is_the_same_each_time(tmp_path: Path) -> None:
    both = tellings(tmp_path, {"other": "changes: [{set: rounds, to: 3}]\n"})
    assert found(both)[0] == found(both)[0]


@pytest.mark.parametrize(
    "other, id",
    [
        ("walhalla+italian", "boarding.order"),
        ("walhalla+french", "ties.second"),
        ("walhalla+exodus_first", "next_raid"),
    ],
)
def test_real_differences_are_witnessed_in_small(other: str, id: str) -> None:
    diagnostics = Diagnostics()
    both = [telling(name, diagnostics) for name in ("walhalla", other)]
    first, second = [each for each in both if each is not None]
    for each in all_alone([first, second], compare([first, second])):
        if each.difference.id == id and each.program is not None:
            books = Rulebooks(first.program, each.program, second.program, first.own, second.own)
            result = search(books, each.difference.rows_of(1), positions=POSITIONS)
            assert result.witness is not None
            assert result.witness.whole, "the whole edition does what is shown"
            assert result.witness.open == NOTHING_OPEN, "at a place of which the books speak"
            assert result.witness.stage.do is not None
            assert len(result.witness.replies) <= 1
            assert result.witness.stage.size <= 15
            check_scenarios(result, books, first, second)
            return
    raise AssertionError(f"there is no difference {id}")


def test_a_position_is_written_down_and_set_up_again(tmp_path: Path) -> None:
    (first,) = tellings(tmp_path, {}, "stall")
    match = Match(first.program, 3, 5)
    for _ in range(3):
        assert match.decision is not None
        match.choose(match.decision.options[0], seat=match.decision.seat)
    layout, state = match.machine.layout, match.state
    situation = described(layout, state)
    again = laid_out(first.program, Stage(3, 5, situation, "thanking"))
    assert again is not None
    assert described(layout, again.state) == situation
    assert again.scores == match.scores
    assert staged(first.program, Stage(3, 5, {"nowhere": "apple"}, "thanking")) is None
