"""Whole games: the same seed gives the same game, and a state is a value."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import TRUTH
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory
from lawspeaker.position.state import State
from tests.reference import games

PROGRAMS = {"cards": games.cards(), "grid": games.grid()}


def play(match: Match, seed: int) -> Match:
    luck = RngFactory(seed).stream("player")
    while decision := match.decision:
        match.choose(luck.choose(decision.options))
    return match


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("players", [2, 3])
def test_the_same_seed_and_replies_give_the_same_game(name: str, players: int) -> None:
    one = play(Match(PROGRAMS[name], players, 5), 1)
    two = play(Match(PROGRAMS[name], players, 5), 1)
    assert one.state.canonical() == two.state.canonical()
    assert one.events == two.events
    assert one.finished
    assert one.winners


def test_other_seeds_give_other_games() -> None:
    hands = {Match(PROGRAMS["cards"], 2, seed).state.contents[1] for seed in range(20)}
    assert len(hands) > 5


@pytest.mark.parametrize("seed, same", [(-1, 2**64 - 1), (2**64 + 5, 5)])
def test_any_number_is_a_seed(seed: int, same: int) -> None:
    one, two = (play(Match(PROGRAMS["cards"], 2, each), 1) for each in (seed, same))
    assert one.events == two.events


def parts(state: State) -> dict[str, Any]:
    """All that makes up a state, notes of the running machine aside."""
    names = set(State.__slots__) - {"journal", "offered", "left", "stack"}
    stack = [(frame.clause, frame.pc, frame.slots) for frame in state.stack]
    return {"stack": stack, **{name: getattr(state, name) for name in names}}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_state_can_be_saved_and_loaded_at_every_decision(name: str) -> None:
    match = Match(PROGRAMS[name], 3, 11)
    luck = RngFactory(2).stream("player")
    while decision := match.decision:
        text = match.state.canonical()
        loaded = State.from_json(json.loads(text))
        assert loaded == match.state
        assert loaded.canonical() == text
        assert loaded.digest() == match.state.digest()
        assert parts(loaded) == parts(match.state)
        assert (loaded.journal, loaded.offered, loaded.left) == ([], None, 0)
        again = Match.from_state(PROGRAMS[name], loaded)
        texts = [[option.text for option in each.options] for each in match.decisions]
        assert [[option.text for option in each.options] for each in again.decisions] == texts
        option = luck.choose(decision.options)
        again.choose(option.text, seat=decision.seat)
        match.choose(option)
        assert again.state == match.state


def test_a_state_of_a_piece_is_set_up_by_hand() -> None:
    changes = [ir.State(name, TRUTH, False, "everyone") for name in ("bent", "worn")]
    cards = replace(games.card_piece(*games.CARDS), states=tuple(changes))
    program = games.lots((), pieces=(cards,))
    setup = {"states": [["king", "deck", "worn", True]]}
    match = Match.at(program, 2, "game", setup=setup)
    (worn,) = (text for text, _, is_worn in known_cards(match) if is_worn)
    assert worn == "king"
    assert not any(bent for _, bent, _ in known_cards(match))
    with pytest.raises(ValueError, match="a card has no torn"):
        Match.at(program, 2, "game", setup={"states": [["king", "deck", "torn", True]]})


def known_cards(match: Match) -> list[tuple[str, bool, bool]]:
    """All cards of a game whose cards may be bent and worn."""
    states, layout = match.state.states, match.machine.layout
    bent, worn = layout.state_at[0]
    return [
        (layout.text(games.CARD, card), states[bent + card], states[worn + card])
        for card in layout.pieces_of[0]
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_copy_is_independent(name: str) -> None:
    match = Match(PROGRAMS[name], 2, 3)
    luck = RngFactory(4).stream("player")
    while decision := match.decision:
        before = match.state.canonical()
        events = len(match.events)
        twin = play(match.copy(), 9)
        assert twin.finished
        assert match.state.canonical() == before
        assert len(match.events) == events
        assert [option.text for option in decision.options] == [
            option.text for option in match.decisions[0].options
        ]
        match.choose(luck.choose(decision.options))


def test_pieces_are_neither_made_nor_lost() -> None:
    match = Match(PROGRAMS["cards"], 3, 8)
    luck = RngFactory(1).stream("player")
    while decision := match.decision:
        state = match.state
        held = sorted(piece for pieces in state.contents.values() for piece in pieces)
        assert held == list(range(9))
        assert all(piece in state.contents[state.where[piece]] for piece in held)
        match.choose(luck.choose(decision.options))


def test_a_question_to_several_takes_replies_in_any_order_and_runs_in_seat_order() -> None:
    forward = Match(PROGRAMS["cards"], 3, 21)
    backward = Match(PROGRAMS["cards"], 3, 21)
    assert [decision.seat for decision in forward.decisions] == [0, 1, 2]
    assert all(decision.kind == "together" for decision in forward.decisions)
    for match, seats in ((forward, (0, 1, 2)), (backward, (2, 0, 1))):
        for seat in seats:
            (decision,) = [each for each in match.decisions if each.seat == seat]
            match.choose(decision.options[-1])
    assert forward.state == backward.state
    assert forward.events == backward.events


def test_replies_stay_secret_until_all_are_in() -> None:
    match = Match(PROGRAMS["cards"], 2, 21)
    before = len(match.events)
    match.choose(match.decisions[1].options[-1])
    assert len(match.events) == before
    assert [decision.seat for decision in match.decisions] == [0]
    other = Match(PROGRAMS["cards"], 2, 21)
    other.choose(other.decisions[1].options[0])
    assert match.view(0) == other.view(0)


def test_sets_are_offered_by_kind_by_size_and_in_order() -> None:
    setup = {"places": {"hand red": ["ace", "2 king", "pawn"], "hand black": ["pawn"]}}
    match = Match.at(PROGRAMS["cards"], 2, "laying", setup=setup)
    mine, other = match.decisions
    assert [option.text for option in mine.options] == [
        "lay none",
        "lay ace",
        "lay king",
        "lay ace + king",
        "lay 2 king",
    ]
    assert [option.text for option in other.options] == ["lay none"]


def test_stones_that_nobody_can_tell_apart_are_one_option() -> None:
    match = Match(PROGRAMS["grid"], 2, 0)
    assert match.decision is not None
    assert len(match.decision.options) == 9
    assert match.decision.options[0].text == "lay stone red, cell 1 1"
    match.choose("LAY  stone red cell 2 2")
    assert [option.text for option in match.decision.options] == [
        f"lay stone red, cell {cell}" for cell in ("1 2", "2 1", "2 3", "3 2")
    ]


def test_options_are_equal_by_meaning() -> None:
    one, two = (Match(PROGRAMS["grid"], 2, seed).decision for seed in (0, 1))
    assert one is not None
    assert two is not None
    assert one.options[3] == two.options[3]
    assert one.options[3] != two.options[4]
    assert len({*one.options, *two.options}) == 9


def test_names_in_a_language_and_prompts() -> None:
    setup = {"places": {"hand red": ["ace", "king"], "hand black": ["pawn"]}}
    match = Match.at(PROGRAMS["cards"], 2, "laying", setup=setup)
    decision = match.decision
    assert decision is not None
    assert decision.options[-1].name("de").startswith("lege")
    assert "König" in decision.options[-1].name("de")
    assert decision.prompt_in("de") == "Welche Karten?"


def test_ties_share_a_place_and_the_next_tier_follows() -> None:
    setup = {
        "places": {"table red": ["king"], "table black": ["king"], "table white": ["ace", "king"]}
    }
    match = Match.at(PROGRAMS["cards"], 3, "scoring", setup=setup)
    assert match.scores == [2, 2, 5]
    assert match.state.ended == "stopped"
    assert match.winners == ()
    tied = {"places": {"table red": ["king"], "table black": ["king"], "table white": ["pawn"]}}
    assert Match.at(PROGRAMS["cards"], 3, "scoring", setup=tied).scores == [5, 5, 2]


def test_points_are_explained_clause_by_clause() -> None:
    for seed in range(10):
        match = play(Match(PROGRAMS["cards"], 3, seed), seed)
        for seat in range(3):
            rows = match.why_points(seat)
            assert sum(row.total for row in rows) == match.scores[seat]
            assert all(row.total == row.points * row.times for row in rows)
            assert all(row.clause is not None and row.clause.id == "scoring" for row in rows)
