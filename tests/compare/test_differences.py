"""Rows put together into differences, and each difference played alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lawspeaker.study.compare.alone import all_alone
from lawspeaker.study.compare.comparison import compare
from tests.compare.stall import stall_rulesets

CARD = """\
changes:
  - {add: pieces.fruit.kinds.fig, to: {count: 1, worth: 3}}
  - {set: pieces.fruit.in the box, to: 7}
  - {add: names.fig, to: {en: fig, de: Feige}}
  - add: figs
    says: Who has a fig scores once more.
    after: thanking
    rule: |
      for each player:
        if there is a fruit in basket of player where fruit is fig:
          player scores figs.points
  - {add: figs.points, says: What a fig is worth in the end., is: 2}
  - {set: rounds, to: 1}
"""


def test_what_belongs_together_is_one_difference(tmp_path: Path) -> None:
    found = stall_rulesets(tmp_path, {"other": CARD}, layer="house rule")
    comparison = compare(found)
    groups = [sorted(row.id for row in each.rows) for each in comparison.differences]
    assert groups == [
        [
            "figs",
            "figs.points",
            "names.fig",
            "pieces.fruit.in the box",
            "pieces.fruit.kinds.fig",
        ],
        ["rounds"],
    ]
    assert comparison.counts == Counter(play=2)


def test_different_things_that_two_tellings_bring_are_two_differences(tmp_path: Path) -> None:
    """Both change how many pieces are in the box; each is still a fruit of its own."""
    other = CARD.replace("figs", "kiwis").replace("fig", "kiwi").partition("  - {set: rounds")[0]
    found = stall_rulesets(tmp_path, {"one": CARD, "two": other}, layer="house rule")
    comparison = compare(found)
    fig, kiwi, rounds = comparison.differences
    assert (fig.id, fig.columns) == ("figs.points", (1,))
    assert (kiwi.id, kiwi.columns) == ("kiwis.points", (2,))
    assert (rounds.id, rounds.columns) == ("rounds", (1,))
    box = "pieces.fruit.in the box"
    assert box in fig.rows_of(1)
    assert box in kiwi.rows_of(2)
    assert [fig.rows_of(2), kiwi.rows_of(1)] == [(), ()]
    assert comparison.counts == Counter(play=3)
    assert not any(each.problem for each in all_alone(found, comparison))


def test_one_thing_that_two_tellings_bring_is_one_difference(tmp_path: Path) -> None:
    other = CARD.replace("figs.points, says", "figs.points, because: More., says")
    comparison = compare(stall_rulesets(tmp_path, {"one": CARD, "two": other}, layer="house rule"))
    assert [each.columns for each in comparison.differences] == [(1, 2), (1, 2)]


def test_each_difference_can_be_played_alone(tmp_path: Path) -> None:
    found = stall_rulesets(tmp_path, {"other": CARD}, layer="house rule")
    card, rounds = all_alone(found, compare(found))
    assert not card.problem
    assert not rounds.problem
    assert card.program is not None
    assert rounds.program is not None
    values = [
        {choice.id: choice.values[0] for choice in program.choices}
        for program in (card.program, rounds.program)
    ]
    assert values[0]["rounds"] == 2
    assert values[0]["figs.points"] == 2
    assert values[1]["rounds"] == 1
    assert "figs.points" not in values[1]


def test_tellings_that_differ_alike_share_a_patch(tmp_path: Path) -> None:
    same = "changes: [{set: rounds, to: 3, because: NAME}]\n"
    found = stall_rulesets(
        tmp_path, {"one": same.replace("NAME", "x"), "two": same.replace("NAME", "y")}
    )
    one, two = all_alone(found, compare(found))
    assert one.patch == two.patch
    assert one.program is two.program


def test_what_breaks_alone_takes_another_along(tmp_path: Path) -> None:
    changes = """\
changes:
  - {set: pieces.fruit.kinds.apple.count, to: 1}
  - {set: pieces.fruit.kinds.plum.count, to: 1, accepts: totals-differ}
  - {set: rounds, to: 1}
"""
    found = stall_rulesets(tmp_path, {"other": changes}, layer="house rule")
    alone = {each.difference.id: each for each in all_alone(found, compare(found))}
    assert not any(each.problem for each in alone.values())
    assert alone["rounds"].along == ()


def test_several_tellings_are_counted_apart(tmp_path: Path) -> None:
    variants = {
        "one": "changes: [{set: rounds, to: 3}]\n",
        "two": "changes: [{set: rounds, to: 3}, {set: names.plum.de, to: Z}]\n",
    }
    comparison = compare(stall_rulesets(tmp_path, variants, layer="house rule"))
    assert comparison.counts == Counter(play=1, words=1)
    assert comparison.counts_of(1) == Counter(play=1)
    assert comparison.counts_of(2) == Counter(play=1, words=1)


def test_what_says_no_more_than_another_row_belongs_to_it(tmp_path: Path) -> None:
    """One difference, one row: both stand in the same sentences of both books."""
    head = "sources: {new: {title: The New Book, language: en}}\nchanges:\n"
    noted = "{section: The end, stance: implies, note: Only the picture shows it.}"

    def together(said: str) -> list[list[str]]:
        changes = f"""\
  - {{cite: thanking, cites: {{new: {noted}}}}}
  - {{cite: farewell, cites: {{new: {said}}}}}
"""
        found = compare(stall_rulesets(tmp_path, {"other": head + changes}))
        wanted = {"thanking", "farewell"}
        groups = ([row.id for row in each.rows if row.id in wanted] for each in found.differences)
        return [each for each in groups if each]

    alone = [["thanking"], ["farewell"]]
    assert together("{section: The end, stance: implies}") == [["thanking", "farewell"]]
    assert together("{section: The end, stance: implies, note: Another.}") == alone
    assert together("{section: Elsewhere, stance: implies}") == alone
    assert together("{section: The end, stance: silent}") == alone


def test_facts_on_the_box_are_compared(tmp_path: Path) -> None:
    box = "box: {players: 2-3, age: 8+}"
    changes = f"sources: {{new: {{title: The New Book, language: en, {box}}}}}\nchanges: []\n"
    found = compare(stall_rulesets(tmp_path, {"other": changes}))
    rows = {row.id: row for row in found.table.rows if row.kind == "box"}
    assert list(rows) == ["box.players", "box.age"]
    assert [cell.standing for cell in rows["box.age"].cells] == ["silent", "states"]
    assert [cell.text for cell in rows["box.age"].cells] == ["is silent", "8+"]
    assert not any(row.changes_play for row in rows.values())


GIFT = """\
changes:
  - {{add: gift, says: Ann has {size} times a point., after: farewell, rule: {rule}}}
  - {{add: gift.size, says: How much a gift is., is: {size}}}
"""
DEARER = "after: [once]\nchanges: [{set: gift.size, to: 3}, {set: rounds, to: 1}]\n"


def test_what_two_variants_bring_each_in_its_own_way_is_one_difference(tmp_path: Path) -> None:
    variants = {
        "once": GIFT.format(size=1, rule="ann scores gift.size"),
        "twice": GIFT.format(size=2, rule="ann scores gift.size + gift.size"),
        "dearer": DEARER,
    }
    names = ("stall+once", "stall+twice", "stall+once+dearer")
    found = stall_rulesets(tmp_path, variants, *names, layer="house rule")
    (gift,) = compare(found[:2]).differences
    assert sorted(row.id for row in gift.rows) == ["gift", "gift.size"]
    apart = compare([found[0], found[2]]).differences
    groups = sorted([row.id for row in each.rows] for each in apart)
    assert groups == [["gift.size"], ["rounds"]], "one variant brings it to both"
