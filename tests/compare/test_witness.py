"""A position and a play in which rulesets part, and its scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.reference import machine_for
from lawspeaker.machines.reference.watching import WatchingMachine
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import load_ruleset, schema
from lawspeaker.position.state import State
from lawspeaker.study.compare import Ruleset, compare
from lawspeaker.study.compare.alone import all_alone, one_alone
from lawspeaker.study.compare.explaining import explained
from lawspeaker.study.compare.findings import POSITIONS
from lawspeaker.study.compare.lockstep import ASKED, HAPPENED, OFFERED
from lawspeaker.study.compare.position_setup import (
    PlayStart,
    call_text,
    described,
    laid_out,
    staged,
)
from lawspeaker.study.compare.witness import NOTHING_OPEN, SOME_OPEN, Rulebooks, Search, Witness
from lawspeaker.study.compare.witness_scenario import scenario
from lawspeaker.study.compare.witness_search import search
from lawspeaker.study.scenario import read, run
from tests.compare.stall import stall_rulesets
from tests.tiers import sample


def search_witness(both: list[Ruleset], positions: int = 400) -> tuple[Search, Rulebooks]:
    """The search for the one difference of two rulesets that changes play."""
    (each,) = all_alone(both, compare(both))
    assert each.program is not None
    books = Rulebooks(both[0].program, each.program, both[1].program)
    return search(books, each.difference.rows_of(1), positions=positions), books


def passes(text: str, of: Ruleset) -> bool:
    diagnostics = Diagnostics()
    read_in = read(SourceFile("witness.yaml", text), schema("scenario"), diagnostics)
    assert read_in is not None, "\n".join(map(str, diagnostics))
    return run(read_in, of.program).passed


def check_scenarios(result: Search, books: Rulebooks, *both: Ruleset) -> None:
    """Each ruleset has a scenario that passes under it and fails under the other."""
    assert result.witness is not None
    texts = [
        scenario(result.witness, each, books, ("a title", "a sentence"), schema("scenario"))
        for each in both
    ]
    for own, text in enumerate(texts):
        assert text is not None
        assert passes(text, both[own])
        assert not passes(text, both[1 - own])


def came_to(witness: Witness, program: ir.Program) -> bool:
    """Whether the clause of a witness is begun in its position, in the game that it comes from."""
    stage = witness.stage
    usual = machine_for(program, stage.players)
    begun: list[tuple[object, object]] = []

    def begins(state: State) -> None:
        call = call_text(usual.layout, state, state.stack[-1])
        begun.append((call, described(usual.layout, state)))

    match = Match.from_state(program, usual.blank(stage.seed), WatchingMachine(usual, begins))
    match.begin(program.clauses[program.main], ())
    for reply in witness.before:
        begun.clear()
        match.choose(reply.text, seat=reply.seat)
    return (stage.do, stage.situation) in begun


def test_other_points_are_witnessed_by_the_scoring_alone(tmp_path: Path) -> None:
    both = stall_rulesets(tmp_path, {"other": "changes: [{set: thanks, to: 4}]\n"})
    result, books = search_witness(both)
    witness = result.witness
    assert witness is not None
    assert witness.divergence.sort == HAPPENED
    assert witness.stage.do == "thanking"
    assert witness.replies == ()
    assert witness.whole
    assert came_to(witness, both[0].program)
    check_scenarios(result, books, *both)


def test_another_offer_is_witnessed_at_the_question(tmp_path: Path) -> None:
    change = "changes: [{amend: picking.not_full, also: fruit is not plum}]\n"
    both = stall_rulesets(tmp_path, {"other": change})
    result, books = search_witness(both)
    witness = result.witness
    assert witness is not None
    assert witness.divergence.sort == OFFERED
    assert witness.stage.do is not None
    assert witness.stage.do.startswith("picking(")
    assert came_to(witness, both[0].program)
    assert witness.before == (), "no earlier one could be found"
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
    both = stall_rulesets(tmp_path, three)
    result, books = search_witness(both)
    witness = result.witness
    assert witness is not None
    assert witness.divergence.sort == ASKED
    assert witness.stage.do == "round"
    assert came_to(witness, both[0].program)
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
    result, _ = search_witness(stall_rulesets(tmp_path, {"other": change}))
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
    first, other = stall_rulesets(tmp_path, {"other": change})
    comparison = compare([first, other])
    result, books = search_witness([first, other])
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


@pytest.mark.full
def test_a_search_is_the_same_each_time(tmp_path: Path) -> None:
    both = stall_rulesets(tmp_path, {"other": "changes: [{set: rounds, to: 3}]\n"})
    assert search_witness(both)[0] == search_witness(both)[0]


@pytest.mark.full
@pytest.mark.parametrize(
    "other, id, most_open",
    sample(
        [
            ("walhalla+italian", "boarding.order", NOTHING_OPEN),
            ("walhalla+italian", "selling", SOME_OPEN),
            ("walhalla+french", "ties.second", NOTHING_OPEN),
            ("walhalla+exodus_first", "next_raid", NOTHING_OPEN),
        ],
        full=2,
    ),
)
def test_real_differences_are_witnessed_in_games(other: str, id: str, most_open: int) -> None:
    diagnostics = Diagnostics()
    both = [load_ruleset(name, diagnostics) for name in ("walhalla", other)]
    first, second = [each for each in both if each is not None]
    comparison = compare([first, second])
    (difference,) = (each for each in comparison.differences if each.id == id)
    alone = one_alone([first, second], comparison, difference, 1)
    assert alone.program is not None
    books = Rulebooks(first.program, alone.program, second.program, first.books, second.books)
    result = search(books, difference.rows_of(1), positions=POSITIONS)
    assert result.witness is not None
    assert result.witness.whole, "the whole edition does what is shown"
    assert result.witness.reached, "and comes to the position itself"
    assert result.witness.open <= most_open, "at a place of which the books speak"
    assert len(result.witness.replies) <= 1
    assert came_to(result.witness, first.program)
    check_scenarios(result, books, first, second)


@pytest.mark.full
def test_of_what_happens_as_little_differs_as_can_be() -> None:
    """Of points for two places, of which only the second has changed, the second is shown, and not
    a tie for the first, who would share the points of both."""
    diagnostics = Diagnostics()
    both = [load_ruleset(name, diagnostics) for name in ("walhalla", "walhalla+italian")]
    first, second = [each for each in both if each is not None]
    comparison = compare([first, second])
    (difference,) = (each for each in comparison.differences if each.id == "heroes.prizes")
    alone = one_alone([first, second], comparison, difference, 1)
    assert alone.program is not None
    books = Rulebooks(first.program, alone.program, second.program, first.books, second.books)
    result = search(books, difference.rows_of(1), positions=POSITIONS)
    assert result.witness is not None
    assert result.witness.divergence.apart == 1
    assert 0 < result.shown <= result.games


def test_a_position_is_written_down_and_set_up_again(tmp_path: Path) -> None:
    (first,) = stall_rulesets(tmp_path, {}, "stall")
    match = Match(first.program, 3, 5)
    for _ in range(3):
        assert match.decision is not None
        match.choose(match.decision.options[0], seat=match.decision.seat)
    layout, state = match.machine.layout, match.state
    situation = described(layout, state)
    again = laid_out(first.program, PlayStart(3, 5, situation, "thanking"))
    assert again is not None
    assert described(layout, again.state) == situation
    assert again.scores == match.scores
    assert staged(first.program, PlayStart(3, 5, {"nowhere": "apple"}, "thanking")) is None
