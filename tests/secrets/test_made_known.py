"""What a clause makes known is listed, with those to whom: every deed that tells, and no other."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import show
from lawspeaker.meaning.compile import compile_game
from lawspeaker.meaning.secrets import Disclosure, disclosures
from lawspeaker.outside.loading import schema
from tests.secrets.test_cases import case

KNOWN: dict[str, tuple[str, dict[str, list[Disclosure]]]] = {
    "a value": (
        "tell everyone worth of ann",
        {"game": [Disclosure("value", "", "worth of ann")]},
    ),
    "a condition": (
        "tell everyone whether ann is golden",
        {"game": [Disclosure("value", "", "whether ann is golden")]},
    ),
    "a condition that has a name": (
        "let so be ann is golden\ntell everyone so",
        {"game": [Disclosure("value", "", "so")]},
    ),
    "a value for a player": (
        "tell ben worth of ann",
        {"game": [Disclosure("value", "ben", "worth of ann")]},
    ),
    "a card that is drawn": (
        "draw card from deck to discard\ndraw card as other from deck to hand of ann",
        {"game": [Disclosure("moved", what="discard"), Disclosure("owned", what="hand")]},
    ),
    "a card that was seen before": ("move all cards in discard to slot(1)", {"game": []}),
    "a card that was seen before it went into a hand": (
        "for each card in discard:\n  move card to hand of ann\n  move card to slot(1)",
        {"game": []},
    ),
    "a card that goes where nobody sees it": (
        "move all cards in hand of ann to vault of ann",
        {"game": []},
    ),
    "a card that comes to lie on a pile whose top everyone sees": (
        "draw card from deck to heap",
        {"game": [Disclosure("moved", what="heap")]},
    ),
    "a card that comes to lie under it": (
        "pick a random card in hand of ann\nmove card to bottom of heap",
        {"game": []},
    ),
    "points that everyone knows": ("ann scores 1", {"game": []}),
    "points that hang on a hand": ("ann scores worth of ann", {"game": [Disclosure("points")]}),
    "who gets points hangs on a hand": (
        "for each player where player is golden: player scores 1",
        {"game": [Disclosure("points")]},
    ),
    "points after a condition that has nothing to do with them": (
        "if ann is golden: skip\nann scores 1",
        {"game": []},
    ),
    "points for what luck has picked": ("pick a random column\nann scores column", {"game": []}),
    "a winner by a hand": ("if ann is golden: ann wins", {"game": [Disclosure("winners")]}),
    "a winner by points": ("end the game", {"game": []}),
    "a card that is given, and one that is not": (
        (
            "game:\n  rule: |\n    do laying(the card in hand of ann)\n"
            "laying:\n  given: {card: card}\n  rule: |\n"
            "    move card to discard\n    draw card as other from deck to discard\n"
        ),
        {"laying": [Disclosure("moved", what="discard")]},
    ),
    "a card that is given, hidden at first": (
        (
            "game:\n  rule: |\n"
            "    do laying(the card in hand of ann)\n    do laying(the card in discard)\n"
            "laying:\n  given: {card: card}\n  rule: |\n    move card to slot(1)\n"
        ),
        {"laying": [Disclosure("moved", what="slot")]},
    ),
    "a card that is given": (
        (
            "game:\n  rule: |\n"
            "    do laying(the card in hand of ann)\n    do leading(the card in discard)\n"
            "laying:\n  given: {card: card}\n  rule: |\n    do putting(card)\n"
            "putting:\n  given: {card: card}\n  rule: |\n    move card to slot(1)\n"
            "leading:\n  given: {card: card}\n  rule: |\n    move card to slot(2)\n"
        ),
        {"game": [], "laying": [], "putting": [Disclosure("moved", what="slot")], "leading": []},
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_made_known(name: str) -> None:
    rules, expected = KNOWN[name]
    diagnostics = Diagnostics()
    file = SourceFile("case.yaml", case("", {"case": name, "rules": rules}).text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, list(map(str, diagnostics))
    found = disclosures(program)
    named = {program.clauses[at].id: list(tellings) for at, tellings in found.items()}
    assert {id: named[id] for id in expected} == expected


def test_the_document_shows_what_is_made_known() -> None:
    rules = "tell ben worth of ann\ntell everyone worth of ann\nann scores worth of ben"
    text = case("", {"case": "", "rules": f"{rules}\ndraw card from deck to hand of ann"}).text
    file = SourceFile("case.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), Diagnostics())
    assert program is not None
    document = show.document(program, "case", "en")
    (clause,) = (each for each in document.sections[0].clauses if each.id == "game")
    assert clause.tells == (
        "to ben: worth of ann",
        "to everyone: worth of ann",
        "to everyone: points that depend on something hidden",
        "to its owner: what is moved to “hand”",
    )
    assert "Makes known:\n    - to ben: worth of ann" in show.text(document, 80)
    assert "<li>to ben: worth of ann</li>" in show.page(document)
