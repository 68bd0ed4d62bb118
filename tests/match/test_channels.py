"""What run time could give away: identities, luck, counts, numbers and gaps between them.

Each small game here does something that some seat must not notice, or not in full. What that seat
is given is then the same, whatever was done.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.match import Match
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.telling.story import Story

ANN, BEN = range(2)
LANGUAGES = ("en", "de", "it", "fr")
HEAD = """\
lawspeaker: 1
game: quiet
players: {from: 2, to: 2, called: [ann, ben]}
numbers:
  many: 1..6
pieces:
  card:
    changes: {marked: truth, bent: {is: truth, seen by: holder}}
    starts in: deck
    kinds: {ace: 3, king: 3}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
  cellar: {holds: card, seen by: nobody, count seen by: nobody}
  attic: {holds: card, seen by: nobody, count seen by: nobody}
  table: {holds: card, seen by: everyone}
markers:
  active: {shows: player, starts as: ann}
  mood: {of each: player, shows: many, seen by: owner}
rules:
  game:
    says: Something happens quietly.
    asks: Go on?
    rule: |
"""


@cache
def program(*lines: str) -> ir.Program:
    text, out = HEAD + "".join(f"      {line}\n" for line in lines), Diagnostics()
    found = compile_game(SourceFile("quiet.yaml", text), lambda *_: None, schema("game"), out)
    assert found is not None, [each.message for each in out]
    return found


def match(*lines: str, chance: str = "seed") -> Match:
    return Match(program(*lines), 2, 3, chance)


def seen_events(match: Match, seat: int | None) -> list[dict[str, Any]]:
    """The events in a view, as plain data."""
    events: list[dict[str, Any]] = match.view(seat).to_json()["events"]
    return events


def stories(match: Match, seat: int | None) -> list[list[str]]:
    return [
        [line.text for line in Story(match.machine, seat, language).lines(match.events)]
        for language in LANGUAGES
    ]


# ---------------------------------------------------------------- states of hidden pieces

MARKING = ("draw card from deck to hand of ann", "marked of card becomes yes", "ann may go_on")


def test_an_open_state_of_a_hidden_piece_names_no_piece() -> None:
    game = match(*MARKING)
    (event,) = [event for event in game.events if event.kind == "state"]
    assert game.tell(event, ANN) == "marked of king is yes"
    for seat in (BEN, None):
        assert game.tell(event, seat) == "marked of a card is yes"
        assert game.facts(event, seat) == {
            "clause": "game",
            "kind": "state",
            "state": "marked",
            "value": True,
        }
        seen = next(each for each in game.view(seat).events if each.kind == "state")
        assert seen.data == (0, 0, None, True)
        assert seen.known == 0
        assert not any("king" in line or "ace" in line for line in stories(game, seat)[0])


def test_a_hidden_state_of_a_hidden_piece_is_no_event_at_all() -> None:
    quiet = match("draw card from deck to hand of ann", "ann may go_on")
    loud = match("draw card from deck to hand of ann", "bent of card becomes yes", "ann may go_on")
    assert len(seen_events(loud, ANN)) == len(seen_events(quiet, ANN)) + 1
    for seat in (BEN, None):
        assert seen_events(loud, seat) == seen_events(quiet, seat)
        assert stories(loud, seat) == stories(quiet, seat)


# ---------------------------------------------------------------- what is not even noticed


@pytest.mark.parametrize(
    "line",
    [
        "mood of ann becomes 5",
        "pick a random card in hand of ann",
    ],
)
def test_what_somebody_cannot_know_leaves_no_gap(line: str) -> None:
    before = ("draw 1 card from deck to cellar", "draw 1 card from deck to hand of ann")
    open_cards = ("draw 2 cards from deck to table", "mood of ann becomes 2")
    after = ("draw 1 card from deck to table", "ann may go_on")
    quiet = match(*before, *open_cards, *after)
    loud = match(*before, *open_cards, line, *after)
    assert len(loud.events) > len(quiet.events)
    for seat in (BEN, None):
        assert seen_events(loud, seat) == seen_events(quiet, seat)
        assert stories(loud, seat) == stories(quiet, seat)
        assert [each.number for each in loud.view(seat).events] == list(
            range(len(seen_events(loud, seat)))
        )


def test_luck_among_open_things_is_told() -> None:
    game = match("pick a random many where many > 5", "ann may go_on")
    assert [each["text"] for each in seen_events(game, BEN)] == ["luck picks 6"]


def test_how_often_luck_was_asked_is_told_to_nobody() -> None:
    """With one kind left in the deck luck is not asked: a count of questions would say so."""
    lines = ("shuffle deck", "draw 4 cards from deck to hand of ann", "ann may go_on")
    games = []
    for order in ("ace ace ace", "ace ace king king"):
        game = match(*lines, chance="ask")
        for text in order.split():
            game.choose(text)
        assert game.decision is not None
        assert game.decision.kind == "choice"
        games.append(game)
    one, other = games
    assert len(one.replies) < len(other.replies)
    for seat in (BEN, None):
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).to_json() == other.view(seat).to_json()
        assert repr(one.view(seat)) == repr(other.view(seat))


# ---------------------------------------------------------------- which of two equals


def test_a_question_in_a_view_holds_no_more_than_the_view() -> None:
    game = match(
        "draw 2 cards from deck to hand of ann",
        "draw 3 cards from deck to hand of ben",
        "ann may lay: card in hand of ann",
    )
    view = game.view(ANN)
    assert view.decision is not None
    setting = view.decision.setting
    assert setting.contents == view.contents
    shown = {piece for held in view.contents.values() for piece in held}
    assert set(setting.where) == shown
    assert len(setting.states) == 2 * sum(piece >= 0 for piece in shown)


def test_an_option_of_a_view_answers_its_question_once() -> None:
    game = match("repeat 3 times:", "  ann may go_on")
    first = game.view(ANN).decision
    assert first is not None
    game.choose(first.options[0])
    with pytest.raises(IllegalChoice, match="answered already"):
        game.choose(first.options[0])
    second = game.view(ANN).decision
    assert second is not None
    twin = game.copy()
    game.choose(second.options[1])
    twin.choose(second.options[0])
    assert len(game.replies) == len(twin.replies) == 2


def test_which_of_two_aces_went_away_is_known_to_nobody() -> None:
    """One of three aces on the table goes into a hand: the view is the same, whichever it was."""
    game = match("draw 6 cards from deck to table", "ann may go_on")
    hand, views = game.machine.layout.places_of[1][BEN], []
    for piece in range(3):
        state = game.state.copy()
        table = state.where[piece]
        state.contents[table] = tuple(each for each in state.contents[table] if each != piece)
        state.contents[hand] = (piece,)
        state.where[piece] = hand
        seen = Match.from_state(game.program, state)
        views.append([seen.view(seat) for seat in (ANN, BEN, None)])
    assert views[0] == views[1] == views[2]
