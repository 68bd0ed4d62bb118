"""What patches do to a game, and what is said where they cannot do it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from lawspeaker.ir.walk import guards_of
from lawspeaker.match.game import Game
from tests.variants.tables import Fair, choice, clause


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    return Fair(tmp_path)


def scores(fair: Fair, name: str) -> list[int]:
    """The points at the end, everyone taking what is offered first."""
    match = Game(fair.program(name), name, ()).start(players=2, seed=1)
    while match.decision is not None:
        match.choose(match.decision.options[0])
    return match.scores


# ---------------------------------------------------------------- the six actions


def test_set_a_choice(fair: Fair) -> None:
    fair.variant("rich", "changes:\n  - {set: prize, to: 7}\n")
    assert scores(fair, "fair") == [4, 4]
    assert scores(fair, "fair+rich") == [8, 8]


def test_set_a_value_by_its_path(fair: Fair) -> None:
    fair.variant(
        "many",
        "changes:\n  - {set: pieces.coin.kinds.penny, to: 9}\n"
        "  - {set: pieces.coin.in the box, to: 11}\n",
    )
    (coin,) = fair.program("fair+many").pieces
    assert [kind.count for kind in coin.kinds] == [9, 2]


def test_replace_a_rule(fair: Fair) -> None:
    fair.variant(
        "sad",
        "changes:\n  - replace: closing\n    says: Nobody gets a thing.\n    rule: |\n      skip\n",
    )
    assert scores(fair, "fair+sad") == [3, 3]
    assert clause(fair.program("fair+sad"), "closing").says["en"] == "Nobody gets a thing."


def test_amend_a_guard(fair: Fair) -> None:
    fair.variant(
        "large", "changes:\n  - {amend: turn.not_shilling, unless: player is ann, says: Not you.}\n"
    )
    game = Game(fair.program("fair+large"), "fair+large", ())
    match = game.start(players=2, seed=1)
    decision = match.decision
    assert decision is not None
    assert [each.text for each in decision.options] == ["take penny", "take shilling", "pass"]
    match.choose("pass")
    refusal = match.why_not("take shilling", 1)
    assert refusal.guard is not None
    assert refusal.guard.says["en"] == "Not you."


def test_remove_a_guard_and_a_clause(fair: Fair) -> None:
    fair.variant("free", "changes:\n  - {remove: turn.not_shilling}\n  - {remove: closing}\n")
    program = fair.program("fair+free")
    assert set(guards_of(program)) == {"turn.slow_only"}
    assert scores(fair, "fair+free") == [3, 3]


@pytest.mark.parametrize("when, expected", [("before", [5, 5]), ("after", [14, 14])])
def test_add_a_rule_around_another(fair: Fair, when: str, expected: list[int]) -> None:
    fair.variant(
        "toll",
        f"changes:\n  - add: toll\n    says: Who has points pays or wins.\n    {when}: turn\n"
        "    given: {player: player}\n    rule: |\n      if score of player = 0:\n"
        "        player scores 1\n      else:\n        player scores 10\n",
    )
    assert scores(fair, "fair+toll") == expected


ANOTHER = (
    "changes:\n  - add: {name}\n    says: A turn more, once.\n    {when}: turn\n"
    "    given: {{player: player}}\n    rule: |\n      player scores 100\n      do turn(player)\n"
)


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_hangs_on_a_rule_does_it_once_more(fair: Fair, when: str) -> None:
    fair.variant("more", ANOTHER.format(name="more", when=when))
    hundreds = [score // 100 for score in scores(fair, "fair+more")]
    turns = Game(fair.program("fair"), "fair", ()).start(players=2, seed=1)
    asked = 0
    while turns.decision is not None:
        turns.choose(turns.decision.options[0])
        asked += 1
    assert sum(hundreds) == asked


def test_two_that_do_it_once_more_would_never_end(fair: Fair) -> None:
    fair.variant("more", ANOTHER.format(name="more", when="after"))
    fair.variant("again", ANOTHER.format(name="again", when="after"))
    assert "recursion" in {each.code for each in fair.faults("fair+more+again")}


TOLL = (
    "changes:\n  - add: toll\n    says: Who has points pays or wins.\n    {where}: game\n{more}"
    "    rule: |\n      if score of ann = 0:\n        players score 1\n"
    "      else:\n        players score 10\n"
)


@pytest.mark.parametrize("where, expected", [("before", [5, 5]), ("after", [14, 14])])
def test_add_a_rule_around_the_whole_game(fair: Fair, where: str, expected: list[int]) -> None:
    fair.variant("toll", TOLL.format(where=where, more=""))
    assert scores(fair, "fair+toll") == expected


def test_nothing_comes_after_a_game_that_ends_by_itself(fair: Fair) -> None:
    fair.variant("toll", TOLL.format(where="after", more=""))
    fair.variant(
        "short",
        "changes:\n  - replace: game\n    says: It is short.\n"
        "    rule: |\n      do turn(ann)\n      do closing\n      end the game\n",
    )
    fault = fair.fault("fair+toll+short")
    assert fault.code == "bad-change"
    assert fault.message == "`toll` would never be done: `game` ends before its last line"
    assert fault.hint == "hang it after the last rule that `game` does"
    assert fault.span.file.name == "variants/fair/toll.yaml"


def test_nothing_is_done_instead_of_the_whole_game(fair: Fair) -> None:
    fair.variant("toll", TOLL.format(where="instead of", more="    when: pace is slow\n"))
    fault = fair.fault("fair+toll")
    assert fault.code == "bad-change"
    assert fault.hint == "`replace: game`, or hang it on a rule that `game` does"


def test_cite_a_clause_a_guard_and_a_piece(fair: Fair) -> None:
    fair.variant(
        "second",
        "sources: {second: {title: The Fair, year: 1990}}\n"
        "changes:\n"
        "  - {cite: closing, cites: {second: The end}}\n"
        "  - {cite: turn.not_shilling, cites: {second: {section: Coins, stance: implies}}}\n"
        "  - {cite: turn.slow_only, cites: {second: {stance: silent}}}\n"
        "agrees:\n  second:\n    Coins: {pieces.coin: dddddddddd, turn: eeeeeeeeee}\n"
        "    Turns: {turn: ffffffffff}\n",
        "edition",
    )
    program = fair.program("fair+second")
    assert [(c.source, c.section) for c in clause(program, "closing").cites] == [
        ("first", "Closing"),
        ("second", "The end"),
    ]
    of_turn = [c for c in clause(program, "turn").cites if c.source == "second"]
    assert [(c.section, c.stance, c.print) for c in of_turn] == [
        ("Coins", "states", "eeeeeeeeee"),
        ("Turns", "states", "ffffffffff"),
    ]
    guards = guards_of(program)
    assert [c.source for c in guards["turn.not_shilling"].cites] == ["first", "second"]
    assert [c.stance for c in guards["turn.slow_only"].cites] == ["silent"]
    assert [c.source for c in program.pieces[0].cites] == ["first", "second"]
    assert {(note.action, note.target) for note in program.changes} == {
        ("cite", "closing"),
        ("cite", "turn.not_shilling"),
        ("cite", "turn.slow_only"),
        ("cite", "pieces.coin"),
        ("cite", "turn"),
    }


# ---------------------------------------------------------------- citations stay true


def test_a_book_that_stated_the_old_value_says_otherwise(fair: Fair) -> None:
    fair.variant("quick", "changes:\n  - {set: pace, to: quick}\n  - {set: prize, to: 9}\n")
    program = fair.program("fair+quick")
    (pace,) = clause(program, "pace").cites
    assert (pace.stance, pace.print) == ("says_otherwise", "bbbbbbbbbb")
    (prize,) = clause(program, "prize").cites
    assert prize.stance == "silent", "what we decided for the book is not decided so any more"


def test_setting_the_same_value_changes_no_citation(fair: Fair) -> None:
    fair.variant("slow", "changes:\n  - {set: pace, to: slow}\n")
    (pace,) = clause(fair.program("fair+slow"), "pace").cites
    assert pace.stance == "states"


def test_an_amended_guard_keeps_the_books_that_say_otherwise(fair: Fair) -> None:
    fair.variant("large", "changes:\n  - {amend: turn.not_shilling, unless: player is ann}\n")
    guard = guards_of(fair.program("fair+large"))["turn.not_shilling"]
    assert [(c.stance, c.print) for c in guard.cites] == [("says_otherwise", "cccccccccc")]
    assert guard.says["en"] == "Shillings are too large."


def test_an_amendment_and_what_it_amends_stand_side_by_side_in_a_book(fair: Fair) -> None:
    cites = "cites: {first: {section: Exceptions, print: dddddddddd}}"
    for name in ("ann", "ben"):
        change = f"{{amend: turn.not_shilling, unless: player is {name}, {cites}}}"
        fair.variant(f"for_{name}", f"changes:\n  - {change}\n", "module")
    for names in ("for_ann", "for_ann+for_ben"):
        guard = guards_of(fair.program(f"fair+{names}"))["turn.not_shilling"]
        assert [(c.section, c.stance) for c in guard.cites] == [
            ("Turns", "states"),
            ("Exceptions", "states"),
        ]


def test_a_value_of_the_wrong_shape_is_shown_in_the_patch(fair: Fair) -> None:
    fair.variant("shop", "changes:\n  - {add: places.shop, to: {hold: coin, seen by: nobody}}\n")
    fault = fair.fault("fair+shop")
    assert (fault.code, fault.message) == ("unknown-key", "'hold' is not a key of 'shop'")
    assert fault.span.file.name == "variants/fair/shop.yaml"


def test_a_reprint_is_cited_wherever_the_book_is(fair: Fair) -> None:
    fair.variant(
        "again",
        "sources: {again: {title: The Fair, reprint of: first}}\n"
        "changes:\n  - {cite: closing, cites: {again: Last words}}\n",
        "edition",
    )
    program = fair.program("fair+again")
    assert [c.source for c in clause(program, "pace").cites] == ["first", "again"]
    assert [c.section for c in clause(program, "closing").cites] == ["Closing", "Last words"]
    assert [c.source for c in guards_of(program)["turn.not_shilling"].cites] == ["first", "again"]
    assert [c.source for c in program.pieces[0].cites] == ["first", "again"]


def test_a_reprint_of_nothing(fair: Fair) -> None:
    fair.variant("again", "sources: {again: {reprint of: frist}}\nchanges: []\n", "edition")
    fault = fair.fault("fair+again")
    assert fault.code == "unknown-source"
    assert fault.hint == "did you mean 'first'?"


# ---------------------------------------------------------------- layers and order


def test_a_higher_layer_has_the_last_word(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n", "edition")
    fair.variant("six", "changes:\n  - {set: prize, to: 6}\n", "module")
    fair.variant("seven", "changes:\n  - {set: prize, to: 7}\n", "house rule")
    assert choice(fair.program("fair+six+five"), "prize") == 6
    assert choice(fair.program("fair+seven+six+five"), "prize") == 7


def test_the_order_of_the_names_means_nothing(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n", "edition")
    fair.variant("six", "changes:\n  - {set: prize, to: 6}\n", "module")
    closing = "changes:\n  - {remove: closing}\n"
    fair.variant("short", closing)
    programs = [
        fair.program("+".join(("fair", *names))) for names in permutations(["five", "six", "short"])
    ]
    assert all(program == programs[0] for program in programs)
    assert len({program.digest for program in programs}) == 1


def test_two_of_one_layer_clash_and_both_places_are_shown(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n")
    fair.variant("six", "changes:\n  - {set: prize, to: 6}\n")
    for name in ("fair+five+six", "fair+six+five"):
        fault = fair.fault(name)
        assert fault.code == "variants-clash"
        assert fault.message == "five and six both change `prize`"
        assert fault.span.file.name == "variants/fair/six.yaml"
        assert [label.span.file.name for label in fault.labels] == ["variants/fair/five.yaml"]
        assert fault.hint == "leave one out, or say `after: [five]` in six"


def test_two_that_say_the_same_do_not_clash(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5, because: I like it.}\n")
    fair.variant("also_five", "changes:\n  - {set: prize, to: 5}\n")
    assert choice(fair.program("fair+five+also_five"), "prize") == 5


def test_one_can_say_that_it_comes_after_the_other(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n")
    fair.variant("a_six", "after: [five]\nchanges:\n  - {set: prize, to: 6}\n")
    assert choice(fair.program("fair+a_six+five"), "prize") == 6
    assert choice(fair.program("fair+a_six"), "prize") == 6


def test_after_in_a_circle(fair: Fair) -> None:
    fair.variant("one", "after: [two]\nchanges: []\n")
    fair.variant("two", "after: [one]\nchanges: []\n")
    assert fair.fault("fair+one+two").message == "one comes after others that come after it"


def test_exceptions_to_a_guard_are_an_open_set(fair: Fair) -> None:
    for who in ("ann", "ben"):
        fair.variant(
            f"for_{who}", f"changes:\n  - {{amend: turn.not_shilling, unless: player is {who}}}\n"
        )
    for name in ("fair+for_ann+for_ben", "fair+for_ben+for_ann"):
        match = Game(fair.program(name), name, ()).start(players=3, seed=1)
        offered = []
        while (decision := match.decision) is not None:
            offered.append("take shilling" in [option.text for option in decision.options])
            match.choose("pass")
        assert offered == [True, True, False]


# ---------------------------------------------------------------- needs, conflicts, includes


def test_a_variant_that_needs_another(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n")
    fair.variant("more", "needs: [five]\nchanges: []\n")
    fault = fair.fault("fair+more")
    assert (fault.code, fault.message) == ("missing-variant", "more needs five")
    assert fault.hint == "play it with `+five`"
    fair.program("fair+more+five")


@pytest.mark.parametrize("said_by", ["one", "two", "both"])
def test_variants_that_do_not_go_together_say_so_once(fair: Fair, said_by: str) -> None:
    for name, other in (("one", "two"), ("two", "one")):
        conflicts = f"conflicts: [{other}]\n" if said_by in (name, "both") else ""
        fair.variant(name, f"{conflicts}changes:\n  - {{set: prize, to: {len(conflicts)}}}\n")
    fault = fair.fault("fair+one+two")
    assert fault.code == "variants-clash"
    assert "cannot be played with" in fault.message
    assert fault.hint == "leave one of them out"


def test_an_included_variant_comes_along(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n", "module")
    fair.variant("whole", "includes: [five]\nchanges: []\n", "edition")
    program = fair.program("fair+whole")
    assert [note.name for note in program.variants] == ["whole", "five"]
    assert choice(program, "prize") == 5
    assert fair.program("fair+whole+five") == program, "it is laid over once"


def test_an_included_variant_can_be_given_values(fair: Fair) -> None:
    fair.variant("worth", "takes: {much: 5}\nchanges:\n  - {set: prize, to: much}\n", "module")
    fair.variant("whole", "includes: [worth(8)]\nchanges: []\n", "edition")
    assert choice(fair.program("fair+whole"), "prize") == 8


def test_a_rival_of_an_included_variant(fair: Fair) -> None:
    fair.variant("five", "conflicts: [six]\nchanges:\n  - {set: prize, to: 5}\n", "module")
    fair.variant("six", "changes:\n  - {set: prize, to: 6}\n", "module")
    fair.variant("whole", "includes: [five]\nchanges: []\n", "edition")
    fault = fair.fault("fair+whole+six")
    assert fault.message == "five cannot be played with six"
    assert fault.hint == "whole includes five"


def test_an_included_variant_that_is_not_there(fair: Fair) -> None:
    fair.variant("whole", "includes: [fife]\nchanges: []\n", "edition")
    fair.variant("five", "changes: []\n", "module")
    fault = fair.fault("fair+whole")
    assert fault.code == "not-found"
    assert "did you mean 'five'?" in fault.message
    assert fault.span.text == "fife"


@pytest.mark.parametrize("name", ["five", "five(8)"])
def test_a_variant_that_is_found_by_another_name_than_its_own(fair: Fair, name: str) -> None:
    fair.variant("fife", "takes: {much: 5}\nchanges:\n  - {set: prize, to: much}\n", "module")
    folder = fair.folder / "variants" / "fair"
    (folder / "fife.yaml").rename(folder / "five.yaml")
    program, (found,) = fair.compiled(f"fair+{name}")
    assert program is not None
    assert (found.code, found.severity) == ("bad-name", "warning")
    assert found.message == "this variant is found as `five`, but calls itself `fife`"
    assert str(found.span) == "variants/fair/five.yaml:3:1"
    assert found.hint == "call it `five` here, or call its file fife.yaml"


def test_a_second_name_explains_why_an_included_variant_is_not_known(fair: Fair) -> None:
    fair.variant("five", "changes: []\n", "module")
    fair.variant("whole", "includes: [six]\nchanges: []\n", "edition")
    folder = fair.folder / "variants" / "fair"
    (folder / "five.yaml").rename(folder / "six.yaml")
    assert [each.code for each in fair.faults("fair+whole")] == ["bad-name", "missing-variant"]


def test_a_file_that_is_given_by_its_path_may_have_any_name(fair: Fair) -> None:
    fair.variant("five", "changes:\n  - {set: prize, to: 5}\n")
    (fair.folder / "variants" / "fair" / "five.yaml").rename(fair.folder / "draft-2.yaml")
    assert choice(fair.program("fair+draft-2.yaml"), "prize") == 5


# ---------------------------------------------------------------- parameters


def test_parameters_are_numbers_in_changes(fair: Fair) -> None:
    text = (
        "takes: {much: 5, more: 1}\ndemands:\n  enough: much > more\n"
        "changes:\n  - {set: prize, to: much}\n"
    )
    fair.variant("worth", text)
    assert choice(fair.program("fair+worth"), "prize") == 5
    assert choice(fair.program("fair+worth(9, 2)"), "prize") == 9
    fault = fair.fault("fair+worth(1, 2)")
    assert (fault.code, fault.message) == (
        "bad-parameters",
        "`enough` does not hold for much 1, more 2",
    )
    assert fault.span.text == "much > more"
    assert "takes 2 values, not 1" in fair.fault("fair+worth(3)").message
    assert fair.fault("fair+worth(3)").hint == "write worth(much, more)"
    assert fair.fault("fair+worth(3, x)").message == "`more` is a number, not `x`"


# ---------------------------------------------------------------- what cannot be done


@pytest.mark.parametrize(
    "change, code, message, hint",
    [
        ("{set: prise, to: 1}", "unknown-target", "there is no `prise` to set", "'prize'"),
        ("{cite: closng, cites: {first: x}}", "unknown-target", "no `closng` to cite", "'closing'"),
        ("{remove: truns}", "unknown-target", "there is no `truns` to remove", "'turn'"),
        (
            "{amend: turn.not_shiling, unless: 1 = 1}",
            "unknown-target",
            "there is no `turn.not_shiling` to amend",
            "'turn.not_shilling'",
        ),
        ("{amend: turn, unless: 1 = 1}", "bad-change", "`turn` is a clause", "replace"),
        ("{set: prize}", "bad-change", "say to what", None),
        ("{cite: closing}", "bad-change", "say where it stands", None),
        ("{set: prize, to: 1, remove: closing}", "bad-change", "does one thing", "begin it"),
        ("{add: closing, says: Oh., rule: skip}", "duplicate-name", "already a clause", None),
        (
            "{add: toll, says: Oh., before: trun, rule: skip}",
            "unknown-target",
            "there is no rule `trun`",
            "'turn'",
        ),
    ],
)
def test_a_change_that_cannot_be_made(
    fair: Fair, change: str, code: str, message: str, hint: str | None
) -> None:
    fair.variant("bad", f"changes:\n  - {change}\n")
    fault = fair.faults("fair+bad")[0]
    assert fault.code == code
    assert message in fault.message
    assert hint is None or (fault.hint is not None and hint in fault.hint)
    assert fault.span.file.name == "variants/fair/bad.yaml"


@pytest.mark.parametrize(
    "change, message",
    [
        ("{set: pace, to: quik}", "`quik`"),
        ("{set: prize, to: many}", "`many` is not a number"),
        ("{set: pieces.coin.kinds.penny, to: 5}", "7 coins are counted, not 6"),
        ("{amend: turn.not_shilling, unless: player + 1 = 2}", ""),
        ("{replace: closing, rule: players scores nobody}", ""),
        (
            "{add: toll, says: Oh., before: turn, given: {coin: coin}, rule: skip}",
            "`toll` is given",
        ),
    ],
)
def test_what_a_patch_breaks_is_shown_in_the_patch(fair: Fair, change: str, message: str) -> None:
    fair.variant("bad", f"changes:\n  - {change}\n")
    faults = fair.faults("fair+bad")
    where = {fault.span.file.name for fault in faults}
    where |= {label.span.file.name for fault in faults for label in fault.labels}
    assert "variants/fair/bad.yaml" in where
    assert any(message in fault.message for fault in faults)


def test_a_variant_of_another_game(fair: Fair) -> None:
    fair.variant("lost", "changes: []\n")
    file = fair.folder / "variants" / "fair" / "lost.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("of: fair", "of: chess"), "utf-8")
    assert fair.fault("fair+lost").message == "lost is a variant of chess, not of fair"


def test_a_clause_that_agrees_and_is_changed(fair: Fair) -> None:
    fair.variant(
        "both",
        "changes:\n  - {cite: closing, cites: {first: End}}\n"
        "agrees: {first: {Closing: {closing: aaaaaaaaaa}}}\n",
        "edition",
    )
    fault = fair.fault("fair+both")
    assert fault.message == "`closing` agrees, but is also cited by a change"
    assert fault.labels[0].span.text == "closing"


def test_a_citation_without_a_section(fair: Fair) -> None:
    fair.variant("vague", "changes:\n  - {cite: closing, cites: {first: {note: Somewhere.}}}\n")
    fault = fair.faults("fair+vague")[0]
    assert (fault.code, fault.message) == ("missing-key", "it is not said where `first` says so")


def test_accepted_totals(fair: Fair) -> None:
    change = "{set: pieces.coin.kinds.penny, to: 5"
    fair.variant("odd", f"changes:\n  - {change}}}\n")
    fair.variant("known", f"changes:\n  - {change}, accepts: totals-differ}}\n")
    assert fair.fault("fair+odd").code == "totals-differ"
    fair.program("fair+known")
