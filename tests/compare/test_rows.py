"""What the rows and cells of a comparison say."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.compare.comparison import OtherGame, compare
from lawspeaker.study.compare.rows import Row
from tests.compare.stall import market, stall_rulesets

AS_THE_FIRST, NO_SUCH_RULE = "as the first", "no such rule"
NEW = "sources: {new: {title: The New Book, language: en}}\n"


def rows(folder: Path, changes: str, layer: str = "edition", head: str = NEW) -> dict[str, Row]:
    """The rows of the game against one variant, by their ids, silences left out."""
    found = stall_rulesets(folder, {"other": f"{head}changes:\n{changes}"}, layer=layer)
    table = compare(found).table
    return {row.id: row for row in table.rows if row.kind not in ("silence", "not read yet", "")}


def test_a_value_is_a_number_and_says_who_says_so(tmp_path: Path) -> None:
    change = (
        "  - {set: rounds, to: 3, kind: value, because: So it is printed., cites: {new: Turns}}\n"
    )
    row = rows(tmp_path, change)["rounds"]
    assert row.kind == "value"
    assert row.title == "How many rounds are played."
    assert [cell.text for cell in row.cells] == ["2", "3"]
    assert [cell.stances for cell in row.cells] == [("states",), ("states",)]
    assert [[cite.section for cite in cell.cites] for cell in row.cells] == [["Course"], ["Turns"]]
    assert row.cells[1].remark == "So it is printed."
    assert row.cells[1].variant == "other"


def test_a_value_by_number_of_players_says_so(tmp_path: Path) -> None:
    row = rows(tmp_path, "  - {set: thanks, to: {2 players: 0, 3 players: 2}}\n")["thanks"]
    assert row.cells[0].does == "2 players: 0; 3 players: 1"
    assert row.cells[1].does == "2 players: 0; 3 players: 2"
    assert row.kind == "value"


PRIZES = """\
changes:
  - {{add: prizes, says: What rounds are worth., is: [1, 3, 6], beyond: {beyond}}}
  - {{add: prize, says: Ann has a prize., after: farewell, rule: ann scores prizes at rounds + 1}}
"""


def test_what_a_list_gives_beyond_its_end_is_told(tmp_path: Path) -> None:
    variants = {f"with_{each}": PRIZES.format(beyond=each) for each in (2, 1)}
    found = stall_rulesets(tmp_path, variants, "stall+with_2", "stall+with_1", layer="house rule")
    for language, words in (("en", "beyond that"), ("de", "darüber hinaus")):
        row = next(each for each in compare(found, language).table.rows if each.id == "prizes")
        assert [cell.text for cell in row.cells] == [f"1, 3, 6; {words} {each}" for each in (2, 1)]


def test_a_number_in_a_declaration_is_a_row_of_its_own(tmp_path: Path) -> None:
    changes = """\
  - {set: pieces.fruit.kinds.plum.count, to: 3}
  - {set: pieces.fruit.in the box, to: 7}
"""
    found = rows(tmp_path, changes)
    assert set(found) == {"pieces.fruit.kinds.plum.count", "pieces.fruit.in the box"}
    row = found["pieces.fruit.kinds.plum.count"]
    assert (row.kind, [cell.text for cell in row.cells]) == ("value", ["2", "3"])
    assert row.title == "Fruit, plum: number"


def test_pieces_are_told_by_how_many_there_are(tmp_path: Path) -> None:
    changes = """\
  - {add: pieces.fruit.kinds.pear, to: {count: 3, worth: 5, starts in: crate}}
  - {set: pieces.fruit.in the box, to: 9}
  - add: pieces.coin
    to: {of each: player, count: 2, in the box: 6, starts in: purse}
  - {add: places.purse, to: {holds: coin}}
  - {add: names.pear, to: {en: pear, de: Birne}}
  - {add: names.coin, to: {en: coin, de: Münze}}
  - {add: names.purse, to: {en: purse, de: Beutel}}
"""
    found = rows(tmp_path, changes)
    cells = {id: [cell.text for cell in row.cells] for id, row in found.items()}
    assert cells["pieces.fruit.kinds.pear"] == ["not in the box", "3 in the box, worth: 5"]
    assert cells["pieces.coin"] == ["not in the box", "6 in the box, 2 for each player"]
    assert found["pieces.coin"].title == "Coin"


def test_what_books_say_of_pieces_is_about_their_number(tmp_path: Path) -> None:
    silent = "  - {cite: pieces.fruit, cites: {new: {section: Box, stance: silent}}}\n"
    found = compare(stall_rulesets(tmp_path, {"other": f"{NEW}changes:\n{silent}"})).table
    row = next(row for row in found.rows if row.id == "pieces.fruit")
    assert row.title == "Fruit: kinds and numbers"
    assert (
        row.cells[0].text == "6 in the box: 4\N{NO-BREAK SPACE}× apple, 2\N{NO-BREAK SPACE}× plum"
    )


def test_pieces_and_kinds_have_titles_that_decide_nothing(tmp_path: Path) -> None:
    changes = """\
  - {add: pieces.fruit.title, to: Kinds of fruit}
  - {add: pieces.fruit.kinds.plum.title, to: Number of plums}
"""
    assert not rows(tmp_path, changes)
    changes += """\
  - {set: pieces.fruit.kinds.plum.count, to: 3}
  - {set: pieces.fruit.kinds.plum.worth, to: 4}
  - {set: pieces.fruit.in the box, to: 7}
  - {add: pieces.fruit.kinds.pear, to: {count: 0, worth: 5, title: The pear}}
  - {add: names.pear, to: {en: pear, de: Birne}}
"""
    variants = {"titled": f"{NEW}changes:\n{changes}"}
    found = compare(stall_rulesets(tmp_path, variants, "stall+titled", "stall")).table
    titles = {row.id: row.title for row in found.rows if row.sort == "pieces"}
    assert titles == {
        "pieces.fruit.in the box": "Fruit: in the box",
        "pieces.fruit.kinds.plum.count": "Number of plums",
        "pieces.fruit.kinds.plum.worth": "Fruit, plum: worth",
        "pieces.fruit.kinds.pear": "The pear",
        "pieces.fruit": "Kinds of fruit",
    }


def test_a_guard_is_a_row_of_its_own(tmp_path: Path) -> None:
    change = "  - {amend: picking.not_full, unless: rounds = 1, says: But once.}\n"
    found = rows(tmp_path, change)
    assert list(found) == ["picking.not_full"]
    row = found["picking.not_full"]
    assert row.kind == "condition"
    assert [cell.text for cell in row.cells] == ["A basket holds one fruit.", "But once."]
    assert row.cells[1].code == "(basket of player is empty) or (rounds = 1)"


def test_what_only_one_has(tmp_path: Path) -> None:
    changes = """\
  - add: tip
    says: The first player gets a tip.
    after: thanking
    rule: |
      ann scores 1
  - {remove: farewell, because: Too long.}
"""
    found = rows(tmp_path, changes)
    assert [cell.text for cell in found["tip"].cells] == [
        NO_SUCH_RULE,
        "The first player gets a tip.",
    ]
    assert found["tip"].kind == "extra rule"
    assert found["farewell"].kind == "left out"
    assert found["farewell"].cells[1].text == NO_SUCH_RULE
    assert found["farewell"].cells[1].remark == "Too long."


def test_comments_brackets_and_line_ends_are_no_difference(tmp_path: Path) -> None:
    change = """\
  - replace: thanking
    cites: {new: End}
    rule: |
      # the same
      for each player:
        player scores (thanks)
"""
    assert not rows(tmp_path, change)


def test_other_words_for_the_same_rule(tmp_path: Path) -> None:
    change = "  - {replace: round, says: One after the other., cites: {new: Course}}\n"
    row = rows(tmp_path, change)["round"]
    assert row.kind == "wording only"
    assert row.cells[1].text == "One after the other."
    assert not row.changes_play


def test_other_names_are_terms(tmp_path: Path) -> None:
    found = rows(tmp_path, "  - {set: names.plum.de, to: Zwetschge}\n")
    row = found["names.plum.de"]
    assert row.kind == "terms only"
    assert [cell.text for cell in row.cells] == ["Pflaume", "Zwetschge"]


def test_several_other_names_of_one_thing_are_one_row(tmp_path: Path) -> None:
    found = rows(tmp_path, "  - {set: names.plum, to: {en: damson, de: Zwetschge}}\n")
    assert list(found) == ["names.plum"]


def test_a_book_that_does_not_speak_is_silent(tmp_path: Path) -> None:
    cites = """\
  - {cite: game, cites: {new: Course}}
  - {cite: thanking, cites: {new: {stance: silent}}}
"""
    found = stall_rulesets(tmp_path, {"other": f"{NEW}changes:\n{cites}"})
    table = compare(found).table
    kinds = {row.id: row.kind for row in table.rows}
    assert kinds["thanking"] == "silence"
    assert kinds["picking"] == "not read yet"  # not cited, and nobody has marked the book
    assert "game" not in kinds
    row = next(row for row in table.rows if row.id == "thanking")
    assert row.cells[1].text == "is silent"
    assert row.cells[1].stances == ("silent",)
    assert row.cells[1].open


def test_silence_a_ruling_and_agreement_are_three_things(tmp_path: Path) -> None:
    changes = """\
  - {cite: game, cites: {new: Course}}
  - {cite: round, cites: {new: {stance: silent}}}
  - {cite: thanking, cites: {new: {stance: our_ruling, note: It is not said.}}}
  - {cite: picking, cites: {new: [Picking, {stance: silent}]}}
"""
    found = stall_rulesets(tmp_path, {"other": f"{NEW}changes:\n{changes}"})
    rows = {row.id: row for row in compare(found, everything=True).table.rows}
    assert [(rows[id].kind, rows[id].cells[1].standing) for id in rows if id in changes] == [
        ("", "states"),
        ("silence", "silent"),
        ("partly said", "in_part"),
        ("silence", "our_ruling"),
    ]
    texts = {rows[id].cells[1].text for id in ("game", "round", "thanking", "picking")}
    assert len(texts) == 4
    assert not texts & {AS_THE_FIRST}, "another book is never just as the first"


LOCK = """\
lawspeaker 1: written by `lawspeaker sources --write`, never by hand
text new.txt

## Course
1 1f0c9a2b7d
2 77aa01c3de{reason}
"""


@pytest.mark.parametrize(
    "reason, kind, standing",
    [(" flavour", "silence", ""), ("", "not read yet", "unread")],
)
def test_a_book_is_silent_only_if_all_its_sentences_are_marked(
    tmp_path: Path, reason: str, kind: str, standing: str
) -> None:
    """The second sentence is marked as flavour, or not at all."""
    lock = tmp_path / "variants" / "stall" / "books" / "new.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text(LOCK.format(reason=reason))
    cites = "  - {cite: game, cites: {new: Course § 1}}\n"
    head = NEW.replace("language: en", "language: en, file: new.txt")
    found = stall_rulesets(tmp_path, {"other": f"{head}changes:\n{cites}"})
    rows = {row.id: row for row in compare(found).table.rows}
    assert rows["picking"].kind == kind
    assert rows["picking"].cells[1].standing == standing
    back = {row.id: row for row in compare(found[::-1]).table.rows}
    assert back["picking"].kind == kind


def test_who_fills_a_gap_is_no_difference_between_books(tmp_path: Path) -> None:
    changes = "  - {cite: thanks, cites: {new: {stance: silent, note: It is not said.}}}\n"
    found = stall_rulesets(tmp_path, {"other": f"{NEW}changes:\n{changes}"})
    row = next(row for row in compare(found, everything=True).table.rows if row.id == "thanks")
    assert row.kind == ""
    assert [cell.standing for cell in row.cells] == ["our_ruling", "silent"]
    assert row.cells[0].text == "leaves it open; played: 2 players: 0; 3 players: 1"
    assert row.cells[1].text == "is silent; played: 2 players: 0; 3 players: 1"


@pytest.mark.parametrize(
    "said, kind",
    [
        ("{section: Course, stance: implies}", "wording only"),
        ("{section: Course, stance: says_otherwise}", "otherwise"),
        ("[Course, {stance: silent}]", "partly said"),
        ("{stance: silent}", "silence"),
        ("[Course, {section: Examples, stance: says_otherwise}]", "otherwise"),
        ("[Course, {section: Examples, stance: contradicts_itself}]", "contradiction"),
    ],
)
def test_kinds_follow_from_what_the_books_say(tmp_path: Path, said: str, kind: str) -> None:
    changes = f"  - {{cite: round, cites: {{new: {said}}}}}\n"
    found = stall_rulesets(tmp_path, {"other": f"{NEW}changes:\n{changes}"})
    there = {row.id: row.kind for row in compare(found).table.rows}
    back = {row.id: row.kind for row in compare(found[::-1]).table.rows}
    assert there["round"] == back["round"] == kind


def test_two_books_that_both_say_otherwise_are_no_matter_of_words(tmp_path: Path) -> None:
    def edition(note: str) -> str:
        said = f"{{section: Course, stance: says_otherwise, note: {note}}}"
        return f"{NEW}changes:\n  - {{cite: round, cites: {{new: {said}}}}}\n"

    both = {"one": edition("Cy begins."), "other": edition("Ben begins.")}
    found = stall_rulesets(tmp_path, both, "stall+one", "stall+other")
    assert {row.id: row.kind for row in compare(found).table.rows}["round"] == "otherwise"


def test_a_number_of_one_kind_rests_on_the_sentence_that_speaks_of_it(tmp_path: Path) -> None:
    """Not on all that are cited for the pieces of every kind."""
    edition = f"""{NEW}changes:
  - cite: pieces.fruit
    cites: {{new: {{section: Contents, print: 1111111111 2222222222}}}}
  - add: plums
    says: A plum that is left over is a point for Ann.
    cites: {{new: {{section: Plums, print: "2222222222"}}}}
    after: thanking
    rule: |
      if there is a fruit in crate where fruit is plum:
        ann scores 1
"""
    dear = """\
changes:
  - {set: pieces.fruit.kinds.plum.worth, to: 3}
  - {set: pieces.fruit.kinds.apple.worth, to: 3}
"""
    market(tmp_path, {"dear": dear}, "house rule")
    found = stall_rulesets(tmp_path, {"new": edition}, "stall+new", "stall+new+dear")
    told = {row.id: row for row in compare(found).table.rows}
    cited = {
        kind: [cite.print for cite in told[f"pieces.fruit.kinds.{kind}.worth"].cells[0].cites]
        for kind in ("plum", "apple")
    }
    assert cited == {"plum": ["2222222222"], "apple": ["1111111111 2222222222"]}


def test_a_declared_kind_of_words_cannot_hide_a_difference_in_play(tmp_path: Path) -> None:
    row = rows(tmp_path, "  - {set: rounds, to: 3, kind: wording only}\n")["rounds"]
    assert row.kind == "value"
    assert row.changes_play


def test_a_declared_kind_of_play_is_taken_over(tmp_path: Path) -> None:
    assert rows(tmp_path, "  - {set: rounds, to: 3, kind: when}\n")["rounds"].kind == "when"


def test_a_remark_on_wording_is_shown_though_all_else_is_equal(tmp_path: Path) -> None:
    change = "  - {cite: round, kind: wording only, cites: {new: {section: C, note: Clockwise.}}}\n"
    row = rows(tmp_path, change)["round"]
    assert row.kind == "wording only"
    assert (row.cells[1].text, row.cells[1].remark) == ("says so", "Clockwise.")


def test_a_house_rule_cites_what_it_cites(tmp_path: Path) -> None:
    change = "  - {set: rounds, to: 1, cites: {old: {section: Variants, stance: states}}}\n"
    row = rows(tmp_path, change, layer="house rule", head="")["rounds"]
    assert [cite.section for cite in row.cells[1].cites] == ["Variants"]


def test_rows_come_in_rulebook_order(tmp_path: Path) -> None:
    changes = """\
  - {set: names.plum.de, to: Zwetschge}
  - {set: thanks, to: 5}
  - add: round.greeting
    says: Players greet each other.
    before: round
    rule: |
      skip
  - {set: rounds, to: 1}
  - {set: pieces.fruit.kinds.apple.worth, to: 2}
"""
    assert list(rows(tmp_path, changes)) == [
        "pieces.fruit.kinds.apple.worth",
        "rounds",
        "thanks",
        "round.greeting",
        "names.plum.de",
    ]


def test_everything_is_shown_when_wanted(tmp_path: Path) -> None:
    found = stall_rulesets(tmp_path, {"other": "changes: []\n"}, layer="house rule")
    assert not compare(found).table.rows
    rows = compare(found, everything=True).table.rows
    assert {"rounds", "picking", "picking.not_full", "pieces.fruit", "names.plum"} <= {
        row.id for row in rows
    }
    assert all(row.cells[1].text == row.cells[0].text for row in rows)


def test_the_first_is_the_reference_also_when_it_is_the_variant(tmp_path: Path) -> None:
    found = stall_rulesets(
        tmp_path,
        {"other": "changes: [{set: rounds, to: 3, kind: setup}]\n"},
        "stall+other",
        "stall",
        layer="house rule",
    )
    (row,) = compare(found).table.rows
    assert (row.kind, [cell.does for cell in row.cells]) == ("setup", ["3", "2"])


def test_tellings_of_two_games_are_not_compared(tmp_path: Path) -> None:
    one = stall_rulesets(tmp_path, {}, "stall")
    other = load_ruleset("nim", Diagnostics())
    assert other is not None
    with pytest.raises(OtherGame, match="nim is a version of nim, not of stall"):
        compare([*one, other])
