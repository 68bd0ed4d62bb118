"""The form of a draft: numbers are set without touching anything else of the files."""

from __future__ import annotations

from typing import Any

import pytest

from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.workshop import numbers
from lawspeaker.faces.web.workshop.starting import house_rule, new_game
from tests.web.conftest import CATALOGUE
from tests.web.test_workshop_files import Folder

RULE = "my_rule.yaml"


def form(folder: Folder, name: str, language: str = "en") -> dict[str, dict[str, Any]]:
    """The settings by their targets."""
    (found,) = numbers.numbered(folder.all, folder.all, name, language)
    assert found["why"] == ""
    return {each["target"]: each for group in found["groups"] for each in group["settings"]}


def write(folder: Folder, name: str, target: str, *values: str, own: bool = False) -> str:
    return folder.do(numbers.set_number, name, target, values, own)  # type: ignore[arg-type]


def test_the_first_number_begins_a_house_rule_and_further_ones_join_it() -> None:
    folder = Folder(*CATALOGUE.game("pedlars").files)
    assert write(folder, "game.yaml", "hand_size", "6") == ""
    assert write(folder, RULE, "pieces.card.kinds.mule.count", "9") == ""
    assert folder.wrong == []
    assert folder.files[RULE].text == (
        "lawspeaker: 1\nvariant: my_rule\nof: pedlars\nlayer: house rule\ntitle: My rule\n"
        "changes:\n  - set: hand_size\n    to: 6\n  - set: pieces.card.kinds.mule.count\n"
        "    to: 9\n  - set: pieces.card.in the box\n    to: 85\n"
    )
    shown = form(folder, RULE, "de")
    assert shown["hand_size"]["says"].startswith("Wie viele Karten")
    assert [shown["hand_size"][key] for key in ("parts", "was")] == [
        [{"value": value, "players": 0, "entry": 0}] for value in ("6", "5")
    ]
    # The value of the game again: the change is gone, and so is that of the number in the box.
    assert write(folder, RULE, "pieces.card.kinds.mule.count", "6") == ""
    assert "mule" not in folder.files[RULE].text
    assert "in the box" not in folder.files[RULE].text
    # The last change of a file stays, since a house rule changes something.
    assert write(folder, RULE, "hand_size", "5") == ""
    assert folder.files[RULE].text.endswith("  - set: hand_size\n    to: 5\n")
    assert folder.wrong == []


@pytest.mark.full
def test_comments_and_other_changes_of_a_house_rule_stay() -> None:
    draft = house_rule(CATALOGUE, "walhalla")
    folder = Folder(*CATALOGUE.game("walhalla").files, *draft.files)
    before = folder.files[RULE].text
    assert write(folder, RULE, "walhalla.at_start", "2") == ""
    changed = before.replace("walhalla.at_start\n    to: 1", "walhalla.at_start\n    to: 2")
    assert folder.files[RULE].text == changed
    assert write(folder, RULE, "title", "Two: heroes “each”") == ""
    assert write(folder, RULE, "boarding.order", "guest_first") == ""
    assert folder.wrong == []
    text = folder.files[RULE].text
    assert 'title: "Two: heroes “each”"' in text
    assert all(line in text for line in changed.splitlines() if line.lstrip().startswith("#"))


@pytest.mark.full
def test_lists_and_values_by_players_keep_their_form() -> None:
    folder = Folder(*CATALOGUE.game("walhalla").files)
    parts = form(folder, "game.yaml")["supply.track"]["parts"]
    assert [(each["players"], each["entry"]) for each in parts] == [
        *((3, at) for at in (1, 2, 3)),
        *((4, at) for at in (1, 2, 3, 4)),
    ]
    assert write(folder, "game.yaml", "supply.track", *"9 8 7 7 6 5 4".split()) == ""
    assert "to: {3 players: [9, 8, 7], 4 players: [7, 6, 5, 4]}" in folder.files[RULE].text
    assert folder.wrong == []
    assert write(folder, RULE, "midgard.at_start", "8", "6") == ""
    assert "to: {3 players: 8, 4 players: 6}" in folder.files[RULE].text
    assert folder.wrong == []


def test_a_value_that_is_none_changes_nothing_and_says_why() -> None:
    folder = Folder(*CATALOGUE.game("walhalla").files)
    for target, values, why in (
        ("cards.at_start", ["many"], "whole number"),
        ("cards.at_start", ["1", "2"], "1 values"),
        ("pieces.viking.count", ["-1"], "from 0 to"),
        ("cards.at_start", ["-1"], "at least 0"),
        ("midgard.at_start", ["-1", "7"], "at least 0"),
        ("boarding.order", ["gest_first"], "did you mean 'guest_first'?"),
        ("boarding.ordre", ["guest_first"], "did you mean 'boarding.order'?"),
        ("cards.at_start", ["1\nchanges: []"], "whole number"),
    ):
        (found,) = numbers.set_number(
            folder.all, folder.all, "game.yaml", target, tuple(values), False
        )
        assert why in found["says"]
        assert found["why"] == "no_number"
        assert [found["edits"], found["files"]] == [[], []]


@pytest.mark.full
def test_the_form_stays_while_its_value_breaks_the_rules() -> None:
    folder = Folder(*CATALOGUE.game("nim").files)
    sizes = [part["value"] for part in form(folder, "game.yaml")["heap.sizes"]["parts"]]
    assert write(folder, "game.yaml", "heap.sizes", "1000", *sizes[1:]) == ""
    assert form(folder, RULE)["heap.sizes"]["parts"][0]["value"] == "1000"
    assert write(folder, RULE, "heap.sizes", *sizes) == ""
    assert folder.wrong == []


def test_an_own_game_is_changed_itself() -> None:
    folder = Folder(*new_game().files)
    shown = form(folder, "game.yaml")
    target, setting = next((id, each) for id, each in shown.items() if id.startswith("pieces."))
    more = str(int(setting["parts"][0]["value"]) + 1)
    assert write(folder, "game.yaml", target, more, own=True) == ""
    assert [*folder.files] == ["game.yaml"]
    assert form(folder, "game.yaml")[target]["parts"][0]["value"] == more
    assert folder.wrong == []


def test_broken_rules_have_no_form() -> None:
    folder = Folder(RuleFile("game.yaml", "game: x\n"))
    (found,) = numbers.numbered(folder.all, folder.all, "game.yaml", "en")
    assert found["why"] == "mend_first"
    assert write(folder, "game.yaml", "hand_size", "6") == "mend_first"
