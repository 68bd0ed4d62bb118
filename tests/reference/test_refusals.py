"""Why not? Refused choices name the guard, its sentence and its citations, and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.match import explain
from lawspeaker.match.match import IllegalChoice, Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import load, schema
from tests.reference import games

CARDS, GRID = games.cards(), games.grid()


def laying() -> Match:
    setup = {"places": {"hand red": ["2 ace", "king", "pawn"], "hand black": ["pawn"]}}
    return Match.at(CARDS, 2, "laying", setup=setup)


def test_an_illegal_choice_changes_nothing_and_names_its_guard() -> None:
    match = laying()
    before = match.state.canonical()
    with pytest.raises(IllegalChoice) as refused:
        match.choose("lay pawn")
    assert match.state.canonical() == before
    assert refused.value.guard is not None
    assert refused.value.guard.name == "no_pawns"
    assert refused.value.sentence == "Pawns are never laid."
    assert refused.value.citations == (games.CITE,)
    assert refused.value.clause.id == "laying"


@pytest.mark.parametrize(
    "text, name",
    [
        ("lay pawn", "no_pawns"),
        ("LAY Pawn", "no_pawns"),
        ("pawn", "no_pawns"),
        ("ace + pawn", "no_pawns"),
        ("lay 2 ace + king", "at_most_two"),
        ("ace and ace and king", "at_most_two"),
        ("lege Ass + Ass + König", "at_most_two"),
    ],
)
def test_texts_are_read_forgivingly(text: str, name: str) -> None:
    refusal = laying().why_not(text)
    assert refusal.guard is not None
    assert refusal.guard.name == name
    assert not refusal.offered


def test_what_is_offered_is_said_to_be() -> None:
    match = laying()
    for text in ("lay ace", "ace", "lay", "lay none", "Ass"):
        assert match.why_not(text).offered, text


def test_what_one_does_not_hold_cannot_be_laid() -> None:
    refusal = laying().why_not("lay king", seat=1)
    assert refusal.guard is None
    assert refusal.message == "king is not in hand black"


def test_nonsense_gets_the_possible_forms_and_a_suggestion() -> None:
    refusal = laying().why_not("lya ace")
    assert "lay CARDS" in refusal.message
    assert "lay ace" in refusal.message
    assert laying().why_not("pass").message.startswith("there is no passing")


def test_of_two_conditions_the_failing_one_is_pointed_to() -> None:
    match = Match(GRID, 2, 0)
    match.choose("lay stone red, cell 1 1")
    taken, far = match.why_not("lay stone red, cell 1 1"), match.why_not("cell 3 3")
    assert taken.guard is not None
    assert far.guard is not None
    assert taken.guard.name == far.guard.name == "fits"
    assert taken.span == games.FREE_SPAN
    assert far.span == games.BESIDE_SPAN
    assert match.why_not("cell 1 2").offered
    assert match.why_not("1 2").offered
    assert match.why_not("lay stone red, cell 4 4").guard is None


def test_a_refused_option_of_another_situation_is_explained() -> None:
    match = Match(GRID, 2, 0)
    before = match.copy().decision
    assert before is not None
    match.choose("lay stone red, cell 1 1")
    with pytest.raises(IllegalChoice, match="free cells"):
        match.choose(before.options[8])
    with pytest.raises(IllegalChoice, match="options"):
        match.choose(99)
    with pytest.raises(IllegalChoice, match="black is not asked"):
        match.choose("cell 1 2", seat=1)


def test_nothing_is_asked_when_the_game_is_over() -> None:
    match = Match.at(CARDS, 2, "scoring")
    assert match.finished
    with pytest.raises(IllegalChoice, match="over"):
        match.choose("lay ace")
    assert not match.why_not("lay ace").offered


SHARED = """\
lawspeaker: 1
game: shared
players: {from: 2, to: 2, called: [ann, ben]}
numbers: {row: 1..4}
pieces:
  stone: {count: 3, starts in: bag}
places:
  bag: {holds: stone, seen by: everyone}
  cell: {at: row, holds: stone, room: 1, seen by: everyone}
rules:
  game:
    says: Ann lays, pushes or rolls.
    asks: What do you do?
    guards:
      low: Stones lie low.
      odd: Stones are pushed to odd rows.
      is_free: A cell holds one stone.
    rule: |
      move a stone in bag to cell(2)
      move a stone in bag to cell(4)
      ann must choose one of
        lay: cell
          where low: row of cell < 3
        push: cell
          where low: row of cell < 3
          where odd: row of cell = 1 or 3
        roll: cell
        in each case where is_free: cell is empty
        otherwise: cannot happen
"""


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_a_guard_of_some_alternatives_and_one_of_all(machine: str) -> None:
    """What is said of an alternative itself is told before what is said of the whole question."""
    file = SourceFile("shared.yaml", SHARED)
    program = compile_game(file, lambda *_: None, schema("game"), Diagnostics())
    assert program is not None
    match = Match(program, 2, 1, machine=machine)
    assert match.decision is not None
    texts = [option.text for option in match.decision.options]
    assert texts == ["lay cell 1", "push cell 1", "roll cell 1", "roll cell 3"]
    refused = {
        text: guard.name
        for text in ("lay cell 4", "lay cell 2", "push cell 4", "push cell 2", "roll cell 4")
        if (guard := match.why_not(text).guard) is not None
    }
    assert list(refused.values()) == ["low", "is_free", "low", "odd", "is_free"]


BY_CASE = """\
lawspeaker: 1
game: by_case
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card:
    has: {height: number}
    starts in: hand
    kinds:
      ash: {count: 1, height: 1}
      elm: {count: 1, height: 2}
      oak: {count: 2, height: 3}
      yew: {count: 1, height: 4}
places:
  hand: {holds: card, seen by: everyone}
markers:
  level: {shows: number, starts as: 2}
rules:
  game:
    says: Ann lays one card or two.
    asks: What do you lay?
    guards:
      one_height: Both have one height.
      must_beat: It must beat what lies there.
    rule: |
      ann must choose one of
        single: card in hand
        pair: 2 cards in hand
          where one_height: highest of height of one for each card as one in cards otherwise 0
            = lowest of height of one for each card as one in cards otherwise 0
        rest
        in each case where must_beat:
          single: height of card > level
          pair: lowest of height of one for each card as one in cards otherwise 0 > level + 1
          otherwise: level > 2
        otherwise: cannot happen
"""


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_a_guard_that_asks_something_else_of_each_alternative(machine: str) -> None:
    file = SourceFile("by_case.yaml", BY_CASE)
    program = compile_game(file, lambda *_: None, schema("game"), Diagnostics())
    assert program is not None
    match = Match(program, 2, 1, machine=machine)
    assert match.decision is not None
    assert [option.text for option in match.decision.options] == ["single oak", "single yew"]
    refused = {
        text: match.why_not(text) for text in ("single elm", "pair 2 oak", "rest", "pair ash")
    }
    guards = {text: said.guard.name for text, said in refused.items() if said.guard is not None}
    assert guards == {
        "single elm": "must_beat",
        "pair 2 oak": "must_beat",
        "rest": "must_beat",
    }
    assert {said.message for said in refused.values() if said.guard is not None} == {
        "It must beat what lies there."
    }
    told = {text: said.span.text for text, said in refused.items() if said.guard is not None}
    assert told["single elm"] == "height of card > level"
    assert told["rest"] == "level > 2"


def test_words_that_name_nothing_are_answered_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of many steps could be completed in millions of ways."""
    named, tried = explain._Reader._named, [0]

    def counted(*given: Any) -> Any:
        tried[0] += 1
        return named(*given)

    monkeypatch.setattr(explain._Reader, "_named", counted)
    match = load("draughts").start(players=2, seed=1)
    with pytest.raises(IllegalChoice, match=r"step ORIGIN, GOAL; jump ORIGIN, LANDING, …$"):
        match.choose("no such thing")
    assert 1000 < tried[0] < 3 * explain.MOST_TRIED
