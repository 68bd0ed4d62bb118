"""What a variant breaks in the game's own files is shown in both: where it is, and who did it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.variants.tables import Fair

GAME, PATCH, OTHER = "fair.yaml", "variants/fair/bad.yaml", "variants/fair/other.yaml"


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    return Fair(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        "{set: prize, to: [1, 2]}",
        "{remove: places.bank}",
        "{remove: pieces.coin.kinds.shilling}",
        "{remove: closing}",
        "{replace: turn, given: {}}",
        "{set: places.purse.of each, to: coin}",
    ],
)
def test_every_error_leads_to_the_patch(fair: Fair, change: str) -> None:
    fair.variant("bad", f"changes:\n  - {change}\n")
    program, found = fair.compiled("fair+bad")
    for each in found:
        places = (each.span, *(label.span for label in each.labels))
        assert PATCH in {span.file.name for span in places}, each
    assert (program is None) == bool(found)


def test_it_is_the_change_that_is_shown_and_not_the_whole_patch(fair: Fair) -> None:
    fair.variant("bad", "changes:\n  - {set: pace, to: quick}\n  - {set: prize, to: [1, 2]}\n")
    fault = fair.fault("fair+bad")
    assert fault.span.file.name == GAME
    (label,) = fault.labels
    assert (label.span.text, label.text) == ("prize", "changed by bad")


def test_of_several_variants_the_guilty_one_is_shown(fair: Fair) -> None:
    fair.variant("other", "changes: [{set: pace, to: quick}]\n")
    fair.variant("bad", "changes: [{set: prize, to: [1, 2]}]\n")
    fault = fair.fault("fair+bad+other")
    assert [label.span.file.name for label in fault.labels] == [PATCH]


def test_an_error_of_the_patch_itself_is_left_alone(fair: Fair) -> None:
    fair.variant("bad", "changes: [{replace: closing, rule: players scores nobody}]\n")
    assert all(not fault.labels for fault in fair.faults("fair+bad"))


def test_a_game_without_variants_blames_nobody(fair: Fair) -> None:
    file = fair.folder / GAME
    file.write_text(file.read_text(encoding="utf-8").replace("is: 3", "is: [1, 2]"), "utf-8")
    assert not fair.fault("fair").labels
