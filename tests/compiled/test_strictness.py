"""What a defined value or a clause is given is worked out first, in order, needed or not.

Every definition stands once as it is, so that a machine may write it out where it is used, and once
behind a name of its own, so that it may not. Each is asked with everything that can be a fault, in
a clause of its own: the answer must be the fault of what is given, on both machines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.compiled.side_by_side import SideBySide, fault_of

HEAD = """\
lawspeaker: 1
game: strict
players: {from: 2, to: 3, called: [ann, ben, cy]}
words:
  colour: [red, green]
pieces:
  stone:
    has: {worth: number, weight: {at each: 1..2, is: number}}
    kinds:
      grey: {count: 4, worth: 1, weight: {1: 3}, starts in: bag}
  card: {count: 3, starts in: deck}
places:
  bag: {holds: stone, seen by: everyone}
  bowl: {at: colour, holds: stone, arranged: row, seen by: everyone}
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
markers:
  zero: {shows: number, starts as: 0}
  large: {shows: number, starts as: 2147483647}
  sign: {of each: player, shows: number, starts as: 1}
  level: {of each: player, at each: 1..2, shows: number}
choices:
  prizes:
    says: The prizes.
    is: [5, 6]
rules:
"""
BODIES = [
    "if zero = 0 then 7 else one + other",  # in a branch that is not taken
    "if zero = 0 then other else one",  # the same, and used once
    "if zero = 1 and one > other then 1 else 2",
    "if zero = 0 or one > other then 1 else 2",
    "if (there is a stone in bag where zero = 1 and number of ann = one) then 1 else 2",
    "count of stones in bowl(red) where one = 1",  # asked of nothing
    "7",  # never
    "one * one",  # twice
    "other + one",  # after another
]
FAULTS = {
    "10 / zero rounded down": "a division by zero",
    "remainder(10, zero)": "a remainder of a division by zero",
    "large + 1": "a number grew beyond ±2,147,483,647",
    "zero - large - 2": "a number grew beyond ±2,147,483,647",
    "large * 2": "a number grew beyond ±2,147,483,647",
    "(sum of large for each stone in bag)": "a number grew beyond ±2,147,483,647",
    "(number of the colour where zero = 1)": "there is no such colour",
    "(prizes at (zero + 3))": "prizes has 2 values, and another one is asked for",
    "sign of cy": "this player does not take part",
    "score of cy": "this player does not take part",
    "level of cy at 1": "this player does not take part",
    "level of ann at (zero + 3)": "there is no level at these indices",
    "weight of (the stone in bag) at (zero + 3)": "there is no weight at these indices",
    "(count of cards in hand of cy)": "there is no hand at these indices",
    "worth of item of bowl(red) at 1": "there are not so many pieces in this place",
}
OWN = "let own be other"


def rules_game(defined: list[str], rules: Mapping[str, tuple[str, ...]]) -> SideBySide:
    """A game of these definitions and rules, and one that does them all."""
    does = [*(f"do {name}" for name in rules), "ann scores prizes at 1"]
    made = [rule(name, *lines) for name, lines in {"game": does, **rules}.items()]
    text, out = HEAD + "\n".join([*defined, *made]), Diagnostics()
    source = SourceFile("strict.yaml", text)
    program = compile_game(source, lambda name, span: None, schema("game"), out)
    assert program is not None, [(each.message, text[each.span.start :][:99]) for each in out]
    return SideBySide(program, 2)


def defined(name: str, given: str, *lines: str) -> str:
    names = ", ".join(each.split(":")[0] for each in given.split(", "))
    return "\n".join(
        [
            f"  {name}:",
            f"    says: What {name} is.",
            f"    define: {name}({names})",
            f"    given: {{{given}}}",
            "    as: |",
            *(f"      {line}" for line in lines if line),
        ]
    )


def rule(name: str, *lines: str, given: str = "") -> str:
    whole = [f"  {name}:", f"    says: What {name} does.", f"    given: {{{given}}}", "    rule: |"]
    return "\n".join([*whole, *(f"      {line}" for line in lines)])


def answers(game: SideBySide, rules: Iterable[str]) -> dict[str, int | str]:
    """What each rule comes to: ann's points, or the message of a fault."""
    found: dict[str, int | str] = {}
    numbers = {clause.id: clause.index for clause in game.reference.program.clauses}
    for name in rules:
        told = []
        for machine in (game.reference, game.compiled):
            state = machine.blank(1)
            fault = fault_of(lambda: machine.begin(state, numbers[name], ()))  # noqa: B023
            told.append((state.scores[0], fault))
        assert told[0] == told[1], name
        points, fault = told[0]
        found[name] = points if fault is None else fault[1]
    return found


@pytest.mark.full
def test_numbers_that_are_given() -> None:
    expected: dict[str, int | str] = {}
    definitions, rules = [], {}
    given = "one: number, other: number"
    for at, (body, own) in enumerate(product(BODIES, ("", OWN))):
        definitions.append(defined(f"told{at}", given, own, body))
        definitions.append(defined(f"passed{at}", given, own, f"told{at}(other, one)"))
        for number, (faulty, message) in enumerate(FAULTS.items()):
            for form, asked in {"told": f"{faulty}, 1", "passed": f"1, {faulty}"}.items():
                name = f"{form}{at}_{number}"
                rules[name] = (f"ann scores {form}{at}({asked})",)
                expected[name] = message
    assert answers(rules_game(definitions, rules), rules) == expected


THINGS = {
    "stone": ("stone", "the stone in bowl(red)", "there is no such stone"),
    "bowl": ("bowl", "bowl(the colour where zero = 1)", "there is no such colour"),
    "hand": ("hand", "hand of cy", "there is no hand at these indices"),
    "player": ("player", "the player where player is cy", "there is no such player"),
    "truth": ("truth", "10 / zero rounded down = 1", "a division by zero"),
    "list": ("numbers", "[1, 10 / zero rounded down]", "a division by zero"),
    "range": ("numbers", "all numbers in 1..(10 / zero rounded down)", "a division by zero"),
    "joined": ("numbers", "[1] + [10 / zero rounded down]", "a division by zero"),
    "found": (
        "stones",
        "all stones in bag where 10 / zero rounded down = 1",
        "a division by zero",
    ),
    "collected": (
        "numbers",
        "collect 10 / zero rounded down for each stone in bag",
        "a division by zero",
    ),
}


@pytest.mark.full
def test_things_and_sets_that_are_given() -> None:
    expected: dict[str, int | str] = {}
    definitions, rules = [], {}
    for name, (of, faulty, message) in THINGS.items():
        use = "count of one" if of.endswith("s") else "(if one is one then 1 else 2)"
        bodies = ["7", f"if zero = 0 then 7 else {use}", f"if zero = 1 then {use} else 7"]
        for at, (body, own) in enumerate(product(bodies, ("", "let own be one"))):
            definitions.append(defined(f"{name}{at}", f"one: {of}", own, body))
            rules[f"{name}_{at}"] = (f"ann scores {name}{at}({faulty})",)
            rules[f"{name}_{at}_inside"] = (f"if {name}{at}({faulty}) > 8 or zero = 0: finish",)
            expected[f"{name}_{at}"] = expected[f"{name}_{at}_inside"] = message
    assert answers(rules_game(definitions, rules), rules) == expected


def test_the_first_of_two_faults_is_told() -> None:
    division, sum_ = "10 / zero rounded down", "large + 1"
    definitions = [
        defined(f"{name}{named}", "one: number, other: number", own, body)
        for name, body in {"turned": "other - one", "never": "7", "once": "other"}.items()
        for named, own in {"_named": OWN, "": ""}.items()
    ]
    rules: dict[str, tuple[str, ...]] = {}
    expected: dict[str, int | str] = {}
    for name in ("turned", "turned_named", "never", "never_named", "once", "once_named"):
        rules[f"{name}_1"] = (f"ann scores {name}({division}, {sum_})",)
        rules[f"{name}_2"] = (f"ann scores {name}({sum_}, {division})",)
        rules[f"{name}_3"] = (f"ann scores {name}({name}(1, {sum_}), {division})",)
        expected[f"{name}_1"] = FAULTS[division]
        expected[f"{name}_2"] = expected[f"{name}_3"] = FAULTS[sum_]
    assert answers(rules_game(definitions, rules), rules) == expected


def test_names_that_are_never_read() -> None:
    definitions = [
        defined("named", "one: number", "let never be 10 / one rounded down", "7"),
        defined(
            "second", "one: number", "let own be one", "let never be 10 / own rounded down", "7"
        ),
        defined("several", "one: number", "let never be [1, 10 / one rounded down]", "7"),
        defined(
            "found", "one: number", "let never be all stones where 10 / one rounded down = 1", "7"
        ),
        rule("done", "ann scores 7", given="one: number"),
    ]
    rules: dict[str, tuple[str, ...]] = {
        "named_rule": ("ann scores named(zero)",),
        "second_rule": ("ann scores second(zero)",),
        "several_rule": ("ann scores several(zero)",),
        "found_rule": ("ann scores found(zero)",),
        "given_rule": ("do done(10 / zero rounded down)",),
        "let_rule": ("let never be 10 / zero rounded down", "ann scores 7"),
        "let_set": ("let never be [1, 10 / zero rounded down]", "ann scores 7"),
    }
    assert set(answers(rules_game(definitions, rules), rules).values()) == {"a division by zero"}


def test_what_decides_what_is_worked_out() -> None:
    division = "10 / zero rounded down"
    rules: dict[str, tuple[str, ...]] = {
        "and_": (f"if zero = 1 and {division} = 1: finish", "ann scores 7"),
        "or_": (f"if zero = 0 or {division} = 1: ann scores 7",),
        "if_": (f"ann scores if zero = 0 then 7 else {division}",),
        "there_is": (f"if there is a stone in bag where zero = 0 or {division} = 1: ann scores 7",),
        "count": (f"ann scores 7 + count of stones in bowl(red) where {division} = 1",),
    }
    assert set(answers(rules_game([], rules), rules).values()) == {7}


def test_a_fault_is_that_of_the_clause_it_is_written_in() -> None:
    body = "one / zero rounded down"
    passed = ("own(one)", "plain(one)")
    definitions = [
        defined("plain", "one: number", body),
        defined("own", "one: number", "let own be one", body),
        *(defined(f"passed{at}", "one: number", each) for at, each in enumerate(passed)),
    ]
    names = {"plain": "plain", "own": "own", "passed0": "own", "passed1": "plain"}
    rules = {f"{name}_rule": (f"ann scores {name}(1)",) for name in names}
    game = rules_game(definitions, rules)
    assert set(answers(game, rules).values()) == {"a division by zero"}
    numbers = {clause.id: clause.index for clause in game.reference.program.clauses}
    for name, clause in names.items():
        state, number = game.reference.blank(1), numbers[f"{name}_rule"]
        fault = fault_of(lambda: game.reference.begin(state, number, ()))  # noqa: B023
        assert fault is not None
        assert fault[0] == clause


def test_a_set_is_worked_out_as_a_whole() -> None:
    """Whatever is asked of it; the first colour is no fault, the second one is."""
    share = "10 / (number of colour - 2 + zero) rounded down"
    rules: dict[str, tuple[str, ...]] = {
        "first": (
            f"let some be first of (collect {share} for each colour)",
            "if some is not nothing: ann scores 7",
        ),
        "there_is": (
            f"if there is a number in (collect {share} for each colour) where number < 0:",
            "  ann scores 7",
        ),
        "not_empty": (f"if (all colours where {share} < 0) is not empty: ann scores 7",),
        "joined": ("if ([1] + [10 / zero rounded down]) is not empty: ann scores 7",),
        "counted": ("ann scores count of ([1] + [10 / zero rounded down])",),
        "in_a_range": ("if zero is in 5..(10 / zero rounded down): finish", "ann scores 7"),
        "for_each": ("for each number in [1, 10 / zero rounded down]: finish",),
    }
    found = answers(rules_game([], rules), rules)
    assert found == dict.fromkeys(rules, "a division by zero")


def test_the_left_of_two_faults_is_told() -> None:
    division, large = "10 / zero rounded down", "large + 1"
    rules: dict[str, tuple[str, ...]] = {
        "less": (f"if {large} < {division}: finish",),
        "same": (f"if {large} = {division}: finish",),
        "sum": (f"ann scores ({large}) * ({division})",),
        "without": (f"ann scores count of ([{large}] - [{division}])",),
        "joined": (f"ann scores count of ([{large}] + [{division}])",),
        "range": (f"if {large} is in ({division})..5: finish",),
        "list": (f"ann scores count of ([{large}, {division}])",),
    }
    assert set(answers(rules_game([], rules), rules).values()) == {FAULTS[large]}
