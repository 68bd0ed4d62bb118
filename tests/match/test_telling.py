"""`tell`: those who are told know it, others know that somebody was told; nothing else changes."""

from __future__ import annotations

from functools import cache

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.adapter import module_for
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.events import Event, Viewer
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.match.undo import barrier
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from lawspeaker.telling.story import Story
from tests.compiled.side_by_side import SideBySide
from tests.properties.tables import ROOT

ANN, BEN, CY = range(3)

HEAD = """\
lawspeaker: 1
game: told
players: {from: 2, to: 3, called: [ann, ben, cy]}
numbers:
  many: 1..1001
pieces:
  card: {starts in: deck, kinds: {ace: 2, king: 2}}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  hand: {of each: player, holds: card, seen by: owner}
markers:
  zero: {shows: number, starts as: 0}
  active: {shows: player, starts as: ben}
rules:
  game:
    says: Somebody is told something.
    asks: Go on?
    rule: |
      draw 2 cards from deck to hand of ann
      draw card from deck to hand of ben
      ann may go_on
"""


def program(*lines: str) -> ir.Program:
    text, out = HEAD + "".join(f"      {line}\n" for line in lines), Diagnostics()
    found = compile_game(SourceFile("told.yaml", text), lambda *_: None, schema("game"), out)
    assert found is not None, [each.message for each in out]
    return found


def match_after(*lines: str, players: int = 3) -> Match:
    """A game in which these lines were done, after ben has drawn an ace and ann two kings."""
    match = Game(program(*lines), "told").start(players=players)
    match.choose("go_on")
    return match


def tells(match: Match) -> list[Event]:
    return [event for event in match.events if event.kind == "tell"]


def story(match: Match, viewer: Viewer, language: str = "en") -> list[str]:
    lines = Story(match.machine, viewer, language).lines(match.events)
    return [line.text for line in lines if line.kind == "tell"]


@cache
def good() -> Game:
    return lawspeaker.load(str(ROOT / "tests" / "language" / "good" / "telling.yaml"))


@pytest.mark.parametrize(
    "line, text",
    [
        ("tell everyone card", "everyone is told: card is ace"),
        ("tell active card", "ben is told: card is ace"),
        ("tell [cy, ann] 3 + 4", "ann and cy are told: 7"),
        ("tell all players where player is not cy active", "ann and ben are told: ben"),
        ("tell everyone whether card is ace", "everyone is told: yes"),
        ("tell everyone all cards in hand of ann", "everyone is told: 2 king"),
        ("tell everyone all cards in hand of cy", "everyone is told: none"),
        ("tell all players where zero = 1 card", "nobody is told: card is ace"),
        ("tell cy top of deck", "cy is told: ace"),
        ("tell cy if zero = 0 then nothing else card", "cy is told: nothing"),
    ],
)
def test_what_can_be_told_and_to_whom(line: str, text: str) -> None:
    match = match_after(line)
    (event,) = tells(match)
    assert match.tell(event) == text


def test_nothing_else_changes() -> None:
    one, other = match_after("skip"), match_after("tell everyone card", "tell cy zero")
    assert one.state.canonical() == other.state.canonical()


def test_others_know_only_that_somebody_was_told() -> None:
    match = match_after("tell [ann, ben] card")
    (event,) = tells(match)
    for viewer in (ANN, BEN):
        assert match.tell(event, viewer) == "ann and ben are told: card is ace"
        assert match.facts(event, viewer)["value"] == {"piece": "ace"}
    for onlooker in (CY, None):
        assert match.tell(event, onlooker) == "ann and ben are told something"
        assert match.facts(event, onlooker) == {
            "clause": "game",
            "kind": "tell",
            "told": ["ann", "ben"],
        }
        seen = next(each for each in match.view(onlooker).events if each.kind == "tell")
        assert seen.data == (event.data[0], None)
        assert "ace" not in str(match.view(onlooker).to_json()["events"])


def test_the_story_in_four_languages() -> None:
    match = match_after(
        "let loser be ben", "tell everyone loser", "tell ann card", "tell cy whether zero = 0"
    )
    assert story(match, ANN) == [
        "Everyone is told: loser is ben",
        "ann is told: card is ace",
        "cy is told something",
    ]
    assert story(match, CY, "de") == [
        "Alle erfahren: loser ist ben",
        "ann erfährt etwas",
        "cy erfährt: ja (game)",
    ]
    assert story(match, None, "it") == [
        "Tutti vengono a sapere: loser è ben",
        "ann viene a sapere qualcosa",
        "cy viene a sapere qualcosa",
    ]
    assert story(match_after("tell [ann, cy] all cards in hand of ann"), CY, "fr") == [
        "ann et cy apprennent\N{NO-BREAK SPACE}: 2 king (game)"
    ]


def test_what_luck_brings_before_it_is_told_to_some_is_told_by_nothing_else() -> None:
    match = match_after("pick a random many in 1..6", "tell ann many")
    (picked,) = [event for event in match.events if event.kind == "chance"]
    assert match.tell(picked, ANN) == match.tell(picked, BEN) == ""
    assert all(event.kind != "chance" for event in match.view(ANN).events)
    assert story(match_after("pick a random many in 1..6", "tell everyone many"), BEN)


def test_luck_that_a_clause_gives_back_to_be_hidden_is_told_to_nobody() -> None:
    path = ROOT / "tests" / "language" / "good" / "outcomes.yaml"
    match = lawspeaker.load(str(path)).start(players=2, seed=1)
    (picked,) = [event for event in match.events if event.kind == "chance"]
    assert match.tell(picked, ANN) == match.tell(picked, BEN) == ""


def test_who_was_told_cannot_be_made_to_forget() -> None:
    found = barrier(match_after("tell cy zero"), ANN)
    assert found is not None
    assert found.kind == "told"


# ---------------------------------------------------------------- who cannot do what he must

LAYING = """\
do laying

  laying:
    says: An ace is laid.
    asks: Which one?
    rule: |
"""
NO_ACE = f"{LAYING}      ann must lay: card in hand of ann where card is ace"
EMPTY = f"{LAYING}      cy must lay: card in hand of cy"
SECRETLY = f"{LAYING}      each player secretly must lay: card in hand of player where card is ace"
OTHERWISE = "  otherwise: zero becomes zero + 1"


def test_that_somebody_cannot_do_what_he_must_is_told_to_everyone() -> None:
    match = match_after(NO_ACE, OTHERWISE)
    (event,) = [each for each in match.events if each.kind == "cannot"]
    for viewer in (ANN, CY, None):
        assert match.tell(event, viewer) == "there is nothing to choose"
        assert match.facts(event, viewer) == {"clause": "laying", "kind": "cannot"}
        assert story(match, viewer) == ["There is nothing to choose: laying"]
    found = barrier(match, ANN)
    assert found is not None
    assert found.kind == "told"


def test_what_everyone_sees_need_not_be_told() -> None:
    assert all(each.kind != "cannot" for each in match_after(EMPTY, OTHERWISE).events)


@pytest.mark.parametrize("line", [NO_ACE, EMPTY, SECRETLY])
def test_both_machines_tell_who_cannot(line: str) -> None:
    both = SideBySide(program(line, OTHERWISE), 3)
    for seed in range(3):
        assert both.play(seed) > 0


def test_of_those_who_are_asked_in_secret_it_is_told_when_all_have_answered() -> None:
    match = match_after(SECRETLY, OTHERWISE)
    assert match.asked(BEN).options
    match.choose(0, seat=BEN)
    assert [each.kind for each in match.events].count("cannot") == 2


# ---------------------------------------------------------------- both machines


@pytest.mark.parametrize("players", [3, 4])
def test_both_machines_tell_the_same(players: int) -> None:
    both = SideBySide(good().program, players)
    for seed in range(3):
        assert both.play(seed) > 0
        assert both.play(seed, ask_chance=True, discreet=True) > 0


@pytest.mark.parametrize(
    "line, message",
    [
        ("tell everyone 10 / zero rounded down", "a division by zero"),
        ("tell cy 1", "this player does not take part"),
        ("tell [ann, cy] 10 / zero rounded down", "this player does not take part"),
        ("tell everyone all manys", "no more than 1,000 things can be told at once"),
        ("tell the player where zero = 1 zero", "there is no such player"),
    ],
)
def test_it_is_worked_out_by_both_machines_told_or_not(line: str, message: str) -> None:
    """Who is told comes first, then what; in whole games, too, though nobody listens there."""
    rules = program(line)
    both, whole = SideBySide(rules, 2), module_for(Layout(rules, 2), PLAYING)
    assert both.play(1) == 0  # both stop, and in the same way
    for play in (lambda: match_after(line, players=2), lambda: list(whole.games(1, 0, 1))):
        with pytest.raises(RuleFault, match=message):
            play()
