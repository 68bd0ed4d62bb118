"""An answer is given by itself only if everyone can see that there is no other.

How many cards somebody holds, all see; what they are, only he does. So the sale of one's only
cards is not asked, that of two of three equal ones is, and so is whatever hangs on a number that
not all see.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.reference import Machine
from lawspeaker.machines.reference.evaluate import Slots
from lawspeaker.machines.reference.questions import Question
from lawspeaker.match.log.fingerprints import fingerprint, position_fingerprint
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.state import State
from lawspeaker.telling.story import Story
from tests.compiled.side_by_side import SideBySide, any_option, eager
from tests.tiers import sample

HEAD = """\
lawspeaker: 1
game: forced
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card: {starts in: deck, kinds: {ace: 4, king: 4}}
  chip: {count: 6, starts in: bank}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
  table: {holds: card, seen by: everyone}
  bank: {holds: chip, seen by: everyone}
  purse: {of each: player, holds: chip, seen by: owner, count seen by: owner}
  pot: {holds: chip, seen by: everyone}
rules:
  game:
    says: Somebody has something to choose, or nothing.
    asks: Which?
"""
SELL = ("ann must sell: 2 cards in hand of ann", "  otherwise: finish")
LAY = ("ann must lay: card in hand of ann", "  otherwise: finish")
KING = (
    *("ann must lay: card in hand of ann", "  where is_high: card is king"),
    "  otherwise: cannot happen",
)
NONE = ("ann must sell: 0 cards in hand of ann", "  otherwise: finish")
SOME = ("let many be 0", "ann must sell: many cards in hand of ann", "  otherwise: finish")
UP_TO_NONE = ("ann must sell: up to (count of cards in table) cards in hand of ann",)
PAY = ("ann must pay: any number of chips in purse of ann",)
EITHER = (
    *("ann must choose one of", "  lay: card in hand of ann", "  take: chip in bank"),
    "  otherwise: finish",
)


@cache
def program(*lines: str) -> ir.Program:
    guards = ["    guards: {is_high: Only kings.}"] if KING[1] in lines else []
    text = "\n".join([*guards, "    rule: |", *(f"      {line}" for line in lines)])
    out = Diagnostics()
    found = compile_game(
        SourceFile("forced.yaml", HEAD + text), lambda *_: None, schema("game"), out
    )
    assert found is not None, [each.message for each in out]
    return found


@pytest.mark.parametrize("machine", ["reference", "wasm"])
@pytest.mark.parametrize(
    "drawn, question, asked",
    [
        (2, SELL, False),  # as many as he holds: everyone sees that
        (3, SELL, True),  # kings all of them, but only he knows
        (1, SELL, False),  # too few, and everyone sees that as well
        (1, LAY, False),
        (2, LAY, True),
        (1, KING, True),  # that it is a king, only he knows
        (0, PAY, True),  # that he has nothing to pay with, only he knows
        (1, EITHER, True),
        (2, NONE, False),  # that none is sold, everyone sees
        (2, SOME, False),
        (2, UP_TO_NONE, False),
    ],
)
def test_what_everyone_can_see_to_be_forced(
    drawn: int, question: tuple[str, ...], asked: bool, machine: str
) -> None:
    deal = (f"draw {drawn} cards from deck to hand of ann",) if drawn else ()
    match = Match(program(*deal, *question, "ben scores 1"), 2, 1, machine=machine)
    assert (match.decision is not None) == asked
    if asked:
        match.choose(0)
    assert match.finished


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_a_forced_answer_is_told(machine: str) -> None:
    deal = "draw 2 cards from deck to hand of ann"
    match = Match(program(deal, *SELL), 2, 1, machine=machine)
    (sold,) = [event for event in match.events if event.kind == "forced"]
    assert match.tell(sold, 0) == "ann can only choose sell 2 king"
    assert match.tell(sold, 1) == "ann has no choice"
    lines = ("ben must take: chip in bank", "  otherwise: finish")
    match = Match(program(*lines), 2, 1, machine=machine)
    (took,) = [event for event in match.events if event.kind == "forced"]
    assert match.tell(took, None) == "ben can only choose take chip"
    assert match.facts(took, None) == {
        "clause": "game",
        "kind": "forced",
        "player": "ben",
        "label": "take",
        "parts": {"chip": {"piece": "chip"}},
    }
    told = [
        [line.text for line in Story(match.machine, 0, language).lines([took])]
        for language in ("en", "de", "it", "fr")
    ]
    assert told == [
        ["take chip (there was no other choice)"],
        ["take chip (anders ging es nicht)"],
        ["take chip (non c’era altra scelta)"],
        ["take chip (pas d’autre choix)"],
    ]
    assert fingerprint(match.machine, [took]) == ""


@pytest.mark.parametrize("followed", [True, False])
def test_that_there_was_no_other_choice_is_told_once_of_each_question(followed: bool) -> None:
    """Also by who tells only the last events, and knows those before."""
    lines = ("repeat 2 times:", "  ben must take: chip in bank", "    otherwise: finish")
    match = Match(program(*lines), 2, 1)
    forced = [event for event in match.events if event.kind == "forced"]
    assert len(forced) == 2
    story = Story(match.machine, 0, "en", past=match.events)
    told = [line.text for line in story.lines(forced if followed else forced[1:])]
    assert told == ["take chip (there was no other choice)", "take chip"][not followed :]


@pytest.mark.parametrize("machine", ["reference", "wasm"])
def test_that_nothing_was_chosen_is_no_story(machine: str) -> None:
    deal = "draw 2 cards from deck to hand of ann"
    match = Match(program(deal, *NONE), 2, 1, machine=machine)
    forced = [event for event in match.events if event.kind == "forced"]
    assert len(forced) == 1
    assert Story(match.machine, 0, "en").lines(forced) == []


GIVEN = """\
    rule: |
      draw 2 cards from deck to hand of ann
      do passing_on(ann, {many})
  passing_on:
    says: Something is given on.
    given: {{player: player, many: number}}
    rule: |
      do selling(player, many)
  selling:
    says: So many cards are sold.
    asks: Which?
    given: {{player: player, many: number}}
    rule: |
      player must sell: many cards in hand of player
        otherwise: cannot happen
      move cards to table
"""


@pytest.mark.parametrize("machine", ["reference", "wasm"])
@pytest.mark.parametrize(
    "many, asked",
    [
        ("count of cards in hand of ann", False),
        ("(count of cards in hand of ann where card is king)", True),  # only she knows that it is 2
    ],
)
def test_what_a_clause_is_given_may_be_known_to_one_alone(
    many: str, asked: bool, machine: str
) -> None:
    text = HEAD.replace("    asks: Which?\n", "") + GIVEN.format(many=many)
    source, out = SourceFile("given.yaml", text), Diagnostics()
    found = compile_game(source, lambda *_: None, schema("game"), out)
    assert found is not None, [each.message for each in out]
    assert (Match(found, 2, 1, machine=machine).decision is not None) == asked


@pytest.mark.parametrize("question", [SELL, LAY, KING, PAY, EITHER])
def test_both_machines_ask_the_same(question: tuple[str, ...]) -> None:
    lines = ("shuffle deck", "draw 3 cards from deck to hand of ann")
    both = SideBySide(program(*lines, *question, "ben scores 1"), 2)
    for seed in range(4):
        both.play(seed, any_option)
        both.play(seed, eager, discreet=True)


@pytest.mark.full
@pytest.mark.parametrize(
    "name, forced", sample([("walhalla+card_selling", True), ("walhalla", False)], test=2)
)
def test_nothing_changes_but_the_asking(
    name: str, forced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all is asked that has one answer, the same choices lead to the same end."""
    rules = lawspeaker.load(name).program
    fewer = 0
    for seed in range(6):
        match, luck = Match(rules, 4, seed), RngFactory(seed).stream("forced")
        given = []
        while decision := match.decision:
            option = luck.choose(decision.options)
            given.append((decision.seat, decision.clause.id, option.text))
            match.choose(option, seat=decision.seat)
        with monkeypatch.context() as patched:
            patched.setattr(Question, "forced", _as_before(Question.hidden))
            asked = _answered(rules, seed, given)
        assert asked.scores == match.scores
        assert position_fingerprint(asked.machine, asked.state) == position_fingerprint(
            match.machine, match.state
        )
        fewer += len(asked.replies) - len(match.replies)
    assert (fewer > 0) == forced


def _as_before(hidden: Callable[..., bool]) -> Callable[..., bool]:
    """Everything is asked that depends on a place in which something lies hidden."""

    def forced(self: Question, s: State, f: Slots) -> bool:
        lies = any(place(s, f) in s.contents for place, *_ in self._open)
        return not hidden(self, s, f) and not lies

    return forced


def _answered(rules: ir.Program, seed: int, given: list[tuple[int | None, str, str]]) -> Match:
    """A game in which these replies are given, and the only one where another question is asked."""
    state = Machine(rules, 4)
    match = Match.from_state(rules, state.start(seed), machine=state)
    waiting = list(given)
    while decision := match.decision:
        seat, clause, text = waiting[0] if waiting else (None, "", "")
        if (decision.seat, decision.clause.id) == (seat, clause) and len(decision.options) > 1:
            waiting.pop(0)
            match.choose(text, seat=seat)
        elif len(decision.options) == 1 and decision.clause.id != clause:
            match.choose(decision.options[0], seat=decision.seat)
        else:
            waiting.pop(0)
            match.choose(text, seat=seat)
    assert not waiting
    return match
