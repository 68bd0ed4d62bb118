"""Luck that is handed in comes as it was told, on both machines, and again from a log."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import lawspeaker
from lawspeaker import ImpossibleLuck
from lawspeaker.match.game import Game
from lawspeaker.match.log import from_json
from lawspeaker.match.match import Match
from lawspeaker.match.undo import barrier
from lawspeaker.position.rng import Stream
from tests.match.playing import play_on
from tests.tiers import sample

MACHINES = ("reference", "wasm")


@cache
def game(name: str) -> Game:
    return lawspeaker.load(name)


def happened(match: Match) -> list[str]:
    return [match.tell(event) for event in match.events]


def brought(match: Match) -> dict[str, list[str]]:
    """What luck has brought, as it could have been handed in."""
    found: dict[str, list[str]] = {}
    for each in map(match.facts, match.events):
        if each["kind"] == "chance":
            outcome = each["outcome"]
            text = outcome["piece"] if isinstance(outcome, dict) else str(outcome)
            found.setdefault(each["clause"], []).append(text)
        elif each["kind"] == "move" and each["drawn"]:
            found.setdefault(each["from"], []).append(each["piece"]["piece"])
    return found


@pytest.mark.parametrize("machine", MACHINES)
def test_a_deck_lies_as_it_was_told(machine: str) -> None:
    for deck in permutations(["jack", "queen", "king"]):
        match = game("kuhn_poker").start(players=2, machine=machine, luck={"deck": deck})
        places = match.table()["places"]
        hands = [places[f"hand {player}"]["pieces"] for player in match.program.player_names]
        assert hands == [[deck[0]], [deck[1]]]
        assert places["deck"]["pieces"] == [deck[2]]


@pytest.mark.parametrize("machine", MACHINES)
def test_dice_fall_as_they_were_told(machine: str) -> None:
    luck = {"game": ["ben"], "roll": [5, 4, 1, 2, "..."]}
    match = game("pig").start(players=2, machine=machine, luck=luck)
    assert match.decision is not None
    assert match.decision.seat == 1
    while match.decision.seat == 1:
        match.choose("roll")
    assert brought(match)["roll"][:4] == ["5", "4", "1", "2"]


@pytest.mark.parametrize("machine", sample(MACHINES, test=4))
@pytest.mark.parametrize("name", ["walhalla", "voluspa+freya", "liars_dice", "little_whist"])
def test_the_luck_of_a_game_handed_in_gives_that_game_again(name: str, machine: str) -> None:
    first = game(name).start(players=4, seed=3)
    play_on(first, Stream(5), 40)
    again = game(name).start(players=4, seed=4, machine=machine, luck=brought(first))
    for option in first.replies:
        again.choose(option.text, option.seat)
    assert happened(again) == happened(first)


def test_luck_without_a_list_is_decided_by_the_seed() -> None:
    luck = {"game": ["ann"], "roll": [6, "..."]}
    rolls = set[tuple[str, ...]]()
    for seed in range(5):
        matches = [game("pig").start(players=2, seed=seed, luck=luck) for _ in range(2)]
        for match in matches:
            play_on(match, Stream(1), 20)
        assert happened(matches[0]) == happened(matches[1])
        rolls.add(tuple(brought(matches[0])["roll"]))
    assert len(rolls) == 5
    assert {each[0] for each in rolls} == {"6"}


@pytest.mark.full
def test_draws_by_the_seed_are_as_likely_as_without_lists() -> None:
    """Of things that look the same the seed takes the very one, or it would come again."""
    second = [
        brought(game("voluspa").start(players=2, seed=seed, luck={"setup": ["..."]}))["pile"][1]
        for seed in range(300)
    ]
    plain = [brought(game("voluspa").start(players=2, seed=seed))["pile"][1] for seed in range(300)]
    assert second == plain


def test_luck_with_no_list_can_be_asked() -> None:
    match = game("kuhn_poker").start(players=2, chance="ask", luck={"deck": ["king", "..."]})
    assert match.decision is not None
    assert (match.decision.kind, match.table()["places"]["hand first_player"]["pieces"]) == (
        "chance",
        ["king"],
    )
    match.choose("jack")
    assert match.decision.seat == 0
    again = game("kuhn_poker").replay(match.log())
    assert happened(again) == happened(match)


# ---------------------------------------------------------------- keeping


def pig_with(luck: dict[str, list[Any]]) -> Match:
    match = game("pig").start(players=2, seed=9, luck=luck)
    for text in ("roll", "roll", "hold", "roll"):
        match.choose(text)
    return match


LUCK: dict[str, list[Any]] = {"game": ["ben"], "roll": [5, 4, 3, 6, "..."]}


def test_a_log_has_the_luck_and_gives_the_same_game() -> None:
    match = pig_with(LUCK)
    log = match.record()
    assert (log.chance, log.luck["roll"]) == ("seed", ["5", "4", "3", "6", "..."])
    assert from_json(log.to_json()) == log
    again = game("pig").replay(log.to_json())
    for each in (match, again):
        play_on(each, Stream(2), 30)
    assert happened(again) == happened(match)
    assert again.record() == match.record()


def test_a_log_with_impossible_luck_says_so() -> None:
    data = pig_with(LUCK).log()
    data["luck"]["roll"] = ["5", "7"]
    with pytest.raises(lawspeaker.RulesError, match="`roll`, entry 2: `7` cannot come here"):
        game("pig").replay(data)
    data["luck"]["roll"] = [5]
    with pytest.raises(lawspeaker.RulesError, match="`roll` must be a list of texts"):
        game("pig").replay(data)
    data["luck"] = ["5"]
    with pytest.raises(lawspeaker.RulesError, match="`luck` must be an object"):
        game("pig").replay(data)


def test_going_back_and_copies_keep_the_luck() -> None:
    match, whole = pig_with(LUCK), happened(pig_with(LUCK))
    twin = match.copy()
    match.rewind(1)
    for each in ("roll", "hold", "roll"):
        match.choose(each)
    assert happened(match) == whole == happened(twin)
    twin.choose("roll")
    match.choose("roll")
    assert happened(match) == happened(twin)
    assert match.state_after(2) == pig_with(LUCK).state_after(2)
    seat = match.replies[-1].seat
    assert seat is not None
    found = barrier(match, seat)
    assert found is not None
    assert (found.reply, found.kind) == (4, "luck")


# ---------------------------------------------------------------- what cannot be


WRONG: list[tuple[str, dict[str, list[Any]], str]] = [
    ("kuhn_poker", {"dek": ["king"]}, "no place and no clause `dek`; did you mean 'deck'?"),
    ("kuhn_poker", {"nowhere": []}, "no place and no clause `nowhere`; luck decides in: deck"),
    ("kuhn_poker", {"hand first_player": []}, "nothing is ever drawn from `hand first_player`"),
    ("kuhn_poker", {"payment": []}, "`payment` picks nothing at random"),
    ("kuhn_poker", {"deck": ["king", "quen"]}, "entry 2: there is no card `quen`; did you mean"),
    ("kuhn_poker", {"deck": ["...", "king"]}, "entry 1: there is no card `...`"),
    ("kuhn_poker", {"deck": ["king"]}, "`deck` ends after entry 1, and the game needs one more"),
    ("kuhn_poker", {"deck": ["king", "king"]}, "entry 2: `king` cannot come here; what can"),
    ("pig", {"game": ["cleo"]}, "entry 1: `cleo` cannot come here; what can come: ann, ben"),
    ("pig", {"game": [7]}, "entry 1: there is no player `7`"),
]


@pytest.mark.parametrize("name, luck, message", WRONG)
def test_what_cannot_be_is_refused(name: str, luck: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(ImpossibleLuck) as refused:
        game(name).start(players=2, luck=luck)
    assert message in str(refused.value)
    assert refused.value.key in luck


@pytest.mark.parametrize("machine", MACHINES)
def test_where_luck_runs_out_nothing_is_done(machine: str) -> None:
    match = game("pig").start(players=2, luck={"game": ["ann"], "roll": [6, 2]}, machine=machine)
    match.choose("roll")
    before, state = happened(match), match.state.copy()
    for _ in range(2):
        with pytest.raises(ImpossibleLuck, match="`roll` ends after entry 2"):
            match.choose("roll")
        assert (happened(match), match.state) == (before, state)


FEW = """
lawspeaker: 1
game: few
title: Few
about: All cards are drawn, of which two look the same.
players: {from: 2, to: 2, called: [ann, ben]}
language: en
pieces:
  card: {starts in: deck, kinds: {king: 1, pawn: 2}}
places:
  deck: {holds: card, arranged: pile}
  hand: {of each: player, holds: card, seen by: owner}
rules:
  game:
    says: All cards are drawn.
    rule: |
      shuffle deck
      draw 3 cards from deck to hand of ann
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_what_comes_without_being_asked_is_held_against_the_list(
    tmp_path: Path, machine: str
) -> None:
    file = tmp_path / "few.yaml"
    file.write_text(FEW, encoding="utf-8")
    few = lawspeaker.load(str(file))
    for deck in (["pawn", "king", "pawn"], ["king", "pawn", "pawn"], ["king", "..."]):
        match = few.start(players=2, machine=machine, luck={"deck": deck})
        assert match.finished
        assert brought(match)["deck"][: len(deck) - (deck[-1] == "...")] == [
            each for each in deck if each != "..."
        ]
    for deck, entry in ((["king", "pawn", "king"], 2), (["king", "king", "pawn"], 1)):
        with pytest.raises(ImpossibleLuck, match="what can come: pawn") as refused:
            few.start(players=2, machine=machine, luck={"deck": deck})
        assert refused.value.entry == entry
    with pytest.raises(ImpossibleLuck, match="`deck` ends after entry 2"):
        few.start(players=2, machine=machine, luck={"deck": ["king", "pawn"]})
