"""What the machines are told of secrets. An answer that is forced is left out only if everyone can
see that it is, so each question says which hidden things decide what it offers. A name that is
needed while somebody is asked and may carry a secret is only for who is asked.
"""

from __future__ import annotations

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.secrets.test_cases import case

PRIVATE: dict[str, tuple[str, list[str]]] = {
    "nothing": ("ann may choose column", []),
    "a hand, in a guard": (
        "ann may choose column\n  where so: column <= worth of ann",
        ["hand of ann"],
    ),
    "a hand, in a guard of each": (
        "ann may choose any number of cards in hand of ann\n  where so: card is gold",
        ["hand of ann"],
    ),
    "any card of a hand that everyone counts": ("ann may choose card in hand of ann", []),
    "any stone of a purse that its owner counts": (
        "ann may choose stone in purse of ann",
        ["purse of ann"],
    ),
    "a stone and something that everyone sees": (
        "ann may choose stone in purse of ann, column\n  where so: column > price",
        ["purse of ann"],
    ),
    "some cards of a hand": (
        "ann may choose any number of cards in hand of ann where card is gold",
        ["hand of ann"],
    ),
    "so many as a plan says": (
        "ann may choose up to plan of ann cards in hand of ann",
        ["plan of ann"],
    ),
    "a card, where everyone saw all of them go": (
        "let seen be all cards in discard\nmove seen to hand of ann\nann may choose card in seen",
        [],
    ),
    "one of two alternatives": (
        (
            "ann may choose one of\n"
            "  lay: card in hand of ann\n"
            "    where so: card is gold\n    then: move card to discard\n"
            "  rest"
        ),
        ["hand of ann"],
    ),
    "many things": (
        (
            "ann may choose column\n"
            "  where so: column <= worth of ann + plan of ann + (count of stones in purse of ann)"
            " + sum of face of die for each die in cup of ann"
        ),
        ["plan of ann", "cup of ann", "hand of ann", "purse of ann"],
    ),
    "a die that lies open, unless it is one of those that went": (
        (
            "if there is a die as shown in tray:\n"
            "  for each die in tray:\n    move die to cup of ann\n"
            "  ann may choose column\n    where so: column <= face of shown"
        ),
        ["cup of ann"],
    ),
    "the hand of somebody who is another now": (
        (
            "let one be ben\npick a random card in hand of one\ntell ann card\none becomes cy\n"
            "ann may choose column\n  where so: column <= value of card"
        ),
        ["somebody"],
    ),
}
GIVEN = """\
game:
  rule: |
    do first(worth of ann)
    do other(3)
first:
  given: {number: number}
  rule: |
    do second(number)
second:
  asks: Which?
  guards: {so: So.}
  given: {number: number}
  rule: |
    ann may choose column
      where so: column <= number
other:
  asks: Which?
  guards: {so: So.}
  given: {number: number}
  rule: |
    ann may choose column
      where so: column <= number
"""


OWN: dict[str, tuple[str, dict[str, list[str]]]] = {
    "what everyone knows": (
        (
            "game:\n  asks: 'It is {number}.'\n  rule: |\n"
            "    let number be price + 1\n    ann may dance\n    price becomes number\n"
        ),
        {"game": []},
    ),
    "a hand, in the text of a question": (
        (
            "game:\n  asks: 'It is {number}.'\n  rule: |\n"
            "    let other be 3\n    let number be worth of ann\n    ann may dance\n"
            "    price becomes other\n"
        ),
        {"game": ["number"]},
    ),
    "cards and a place, in the text of a question": (
        (
            "game:\n  asks: 'It is {card}, {held} or {place}.'\n  rule: |\n"
            "    pick a random card in hand of ann\n    let held be all cards in hand of ann\n"
            "    let place be slot(smaller(7, larger(1, worth of ann)))\n    ann may dance\n"
        ),
        {"game": ["place"]},
    ),
    "what is given": (
        (
            "game:\n  rule: |\n    do scoring(worth of ann, 3)\n    do scoring_more(3)\n"
            "scoring:\n  given: {value: number, more: number}\n  rule: |\n"
            "    do asking(ann)\n    ann scores value + more\n"
            "scoring_more:\n  given: {value: number}\n  rule: |\n"
            "    do asking(ann)\n    ann scores value\n"
            "asking:\n  asks: Do you?\n  given: {player: player}\n  rule: |\n    player may dance\n"
        ),
        {"scoring": ["value"], "scoring_more": [], "asking": []},
    ),
    "what is given, told after the first of two questions": (
        (
            "game:\n  rule: |\n    do scoring(worth of ann)\n"
            "scoring:\n  given: {value: number}\n  rule: |\n"
            "    do asking(ann)\n    tell everyone value\n"
            "    do asking(ben)\n    ann scores value\n"
            "asking:\n  asks: Do you?\n  given: {player: player}\n  rule: |\n    player may dance\n"
        ),
        {"scoring": ["value"]},
    ),
    "a hand and what everyone knows": (
        (
            "game:\n  rule: |\n    do asking(3)\n"
            "asking:\n  asks: 'It is {number}.'\n  given: {more: number}\n  rule: |\n"
            "    let number be worth of ann + more\n    ann may dance\n"
        ),
        {"asking": ["number"]},
    ),
}


def compiled(rules: str) -> ir.Program:
    diagnostics = Diagnostics()
    file = SourceFile("case.yaml", case("", {"case": "", "rules": rules}).text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, list(map(str, diagnostics))
    return program


def private(rules: str) -> dict[str, list[str]]:
    """For each clause that asks, the hidden things as they are written."""
    program = compiled(rules)
    return {
        clause.id: [expression_text(each, program) for each in deed.private]
        for clause in program.clauses
        for deed in everything(clause.body)
        if isinstance(deed, ir.Ask)
    }


def expression_text(thing: ir.Expr, program: ir.Program) -> str:
    match thing:
        case ir.PlaceAt(family=family, indices=(owner,)):
            return f"{program.families[family].name} of {expression_text(owner, program)}"
        case ir.MarkerValue(marker=marker, indices=(owner,)):
            return f"{program.markers[marker].name} of {expression_text(owner, program)}"
        case ir.Local(name=name):
            return name
        case _:
            return thing.span.text


@pytest.mark.parametrize("name", PRIVATE)
def test_what_decides_what_is_offered(name: str) -> None:
    rule, expected = PRIVATE[name]
    lines = "".join(f"    {line}\n" for line in rule.split("\n"))
    guards = "  guards: {so: So.}\n" if "where so" in rule else ""
    rules = f"game:\n  asks: Which?\n{guards}  rule: |\n{lines}"
    assert private(rules)["game"] == expected


def test_what_is_given_decides_if_it_is_ever_hidden() -> None:
    assert private(GIVEN) == {"second": ["number"], "other": []}


@pytest.mark.parametrize("name", OWN)
def test_which_names_are_only_for_who_is_asked(name: str) -> None:
    rules, expected = OWN[name]
    named = {
        clause.id: [slot.name for slot in clause.slots if slot.private]
        for clause in compiled(rules).clauses
    }
    assert {id: named[id] for id in expected} == expected
