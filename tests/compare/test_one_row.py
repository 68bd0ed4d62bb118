"""One difference is one row, found by its name, and the same in every language."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.render import compare as shown
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.kinds import IN_PART
from lawspeaker.study.compare.searching import found_by

NAMES = ("walhalla", "walhalla+german_attacke", "walhalla+italian", "walhalla+french")


@pytest.fixture(scope="module")
def rulesets() -> list[Ruleset]:
    found = load_rulesets(NAMES, Diagnostics())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def comparisons(rulesets: list[Ruleset]) -> dict[str, Comparison]:
    return {language: compare(rulesets, language) for language in LANGUAGES}


def difference_of(comparison: Comparison, id: str) -> Difference:
    """The one difference that a row belongs to."""
    [found] = [each for each in comparison.every if id in {row.id for row in each.rows}]
    return found


@pytest.mark.full
def test_differences_are_the_same_in_every_language(comparisons: dict[str, Comparison]) -> None:
    """Also where rows belong together by what is remarked on them."""
    rows = [
        [tuple(row.id for row in each.rows) for each in found.every]
        for found in comparisons.values()
    ]
    assert all(each == rows[0] for each in rows[1:])


@pytest.mark.full
@pytest.mark.parametrize(
    "id, under",
    [
        ("no_debts", "selling"),
        ("names.attack.de", "cards.attack"),
        ("outer_points", "peninsulas"),
        ("inner_points", "peninsulas"),
    ],
)
def test_what_says_no_more_stands_below(
    comparisons: dict[str, Comparison], id: str, under: str
) -> None:
    assert difference_of(comparisons["en"], id).id == under


def test_no_mark_says_otherwise_than_the_counts(comparisons: dict[str, Comparison]) -> None:
    """Two books that are silent alike do not differ, and yet neither agrees with the other."""
    found = comparisons["en"]
    for at in range(1, len(NAMES)):
        cells = [each.row_of(at).cells[at] for each in found.every]
        assert sum(bool(cell.kind) for cell in cells) == found.counts_of(at).total()
        for cell in cells:
            mark = shown.mark_of(cell, at)
            assert mark != "=" or not (cell.kind or (cell.open and cell.there))
            assert mark in "○?" or (mark != "=") == bool(cell.kind)
            assert mark != "◐" or cell.standing == IN_PART


def test_what_is_printed_on_the_box_is_cited(comparisons: dict[str, Comparison]) -> None:
    found = comparisons["en"]
    players, minutes = (difference_of(found, f"box.{fact}").row for fact in ("players", "minutes"))
    assert [cell.text for cell in players.cells] == ["3-4"] * 4
    assert [cell.stances[0] for cell in players.cells] == ["states", "implies", "states", "states"]
    assert [shown.mark_of(cell, at) for at, cell in enumerate(players.cells)] == ["", "~", "=", "="]
    assert [bool(cell.cites) for cell in minutes.cells] == [True, False, True, True]
    assert all(cite.print for cell in players.cells for cite in cell.cites)
    assert minutes.cells[3].remark


def test_a_kind_that_a_book_has_not_is_held_against_those_it_has(
    comparisons: dict[str, Comparison],
) -> None:
    row = difference_of(comparisons["en"], "pieces.headland.kinds.outer_9").row
    assert [cell.there for cell in row.cells] == [False, False, False, True]
    assert all(cite.print for cell in row.cells[:3] for cite in cell.cites)
    assert all(cell.cites for cell in row.cells)


@pytest.mark.full
def test_what_a_book_leaves_open_of_pieces_is_told_beside_a_number_of_them(
    comparisons: dict[str, Comparison],
) -> None:
    whole = difference_of(comparisons["en"], "pieces.card")
    assert whole.columns == (2, 3)
    assert [cell.standing for cell in whole.row.cells[2:]] == ["contradicts_itself", "in_part"]


def test_what_a_book_leaves_open_of_one_kind_is_told_with_its_number(
    comparisons: dict[str, Comparison],
) -> None:
    """It names the card, but the number alone is asked for."""
    cell = difference_of(comparisons["en"], "pieces.card.kinds.heroes.count").row.cells[3]
    assert cell.standing == "our_ruling"
    assert "how many there are is not said" in cell.remark


def test_a_rule_is_found_first_by_the_word_of_a_book_for_it(rulesets: list[Ruleset]) -> None:
    found = found_by("Attacke", compare(rulesets, "de"))
    best = min(found.ranks.values())
    assert {id for id, rank in found.ranks.items() if rank == best} == {
        "cards.attack",
        "names.attack.de",
    }
