"""Luck that is asked: outcomes with weights, and the same game from chosen luck."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH, Type
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory
from tests.reference import games
from tests.reference.games import (
    CARD,
    DECK,
    HAND,
    MOOD,
    binder,
    contents,
    everything,
    local,
    number,
    place,
)

RED, BLACK = ir.Const(PLAYER, 0), ir.Const(PLAYER, 1)


def test_outcomes_are_grouped_by_what_can_be_told_apart() -> None:
    match = Match(games.cards(), 2, 0, chance="ask")
    decision = match.decision
    assert decision is not None
    assert decision.kind == "chance"
    assert decision.seat is None
    outcomes = [(option.text, option.weight) for option in decision.options]
    assert outcomes == [("ace", 2), ("king", 3), ("pawn", 4)]
    match.choose("king")
    decision = match.decision
    assert decision is not None
    assert [option.weight for option in decision.options] == [2, 2, 4]


def test_what_has_changed_tells_pieces_apart() -> None:
    """Two cards of a kind are two outcomes if one of them is worn."""
    changes = [ir.State(name, TRUTH, False, "everyone") for name in ("bent", "worn")]
    aces = replace(games.card_piece(("ace", 3, 1)), states=tuple(changes))
    first = ir.ItemOf(CARD, place(DECK), number(1))
    body = (
        ir.SetState(0, 1, first, (), ir.Const(TRUTH, True)),
        ir.Shuffle(place(DECK)),
        ir.Draw(0, "card", number(1), place(DECK), place(HAND, RED), False, None, 1),
    )
    slots = (("card", CARD), ("left", NUMBER))
    match = Match(games.lots(body, slots, pieces=(aces,)), 2, 0, chance="ask")
    assert match.decision is not None
    assert sorted(option.weight for option in match.decision.options) == [1, 2]


def test_asked_luck_gives_the_game_that_the_seed_gives() -> None:
    """Answering with what the seed drew leads to the same cards in the same places."""
    seeded = Match(games.cards(), 2, 4)
    drawn = [event for event in seeded.events if event.kind == "move"]
    asked = Match(games.cards(), 2, 4, chance="ask")
    text = asked.machine.layout.text
    for event in drawn:
        asked.choose(text(CARD, event.data[0]))

    def shown(match: Match) -> dict[int, list[str]]:
        held = match.state.contents.items()
        return {place: sorted(text(CARD, piece) for piece in pieces) for place, pieces in held}

    assert shown(asked) == shown(seeded)
    assert asked.decision is not None
    assert asked.decision.kind == "together"


def hands(match: Match, chance: Fraction, found: Counter[str]) -> None:
    """Adds up the chances of all hands that can be dealt."""
    decision = match.decision
    if decision is None:
        layout = match.machine.layout
        red = layout.places_of[HAND.index][0]
        texts = sorted(layout.text(CARD, piece) for piece in match.state.contents[red])
        found[" ".join(texts)] += chance  # type: ignore[assignment]
        return
    total = sum(option.weight for option in decision.options)
    for option in decision.options:
        branch = match.copy()
        branch.choose(option.text)
        hands(branch, chance * option.weight / total, found)


def test_the_tree_of_luck_adds_up() -> None:
    program = games.lots(
        (
            ir.Shuffle(place(DECK)),
            ir.Draw(0, "card", number(2), place(DECK), place(HAND, RED), False, None, 1),
        ),
        (("card", CARD), ("left", NUMBER)),
    )
    found: Counter[str] = Counter()
    hands(Match(program, 2, 0, chance="ask"), Fraction(1), found)
    assert sum(found.values()) == 1
    assert found["ace ace"] == Fraction(2 * 1, 9 * 8)
    assert found["king pawn"] == Fraction(2 * 3 * 4, 9 * 8)


def test_the_last_card_is_no_luck() -> None:
    match = Match(games.cards(("ace", 4, 3)), 2, 0, chance="ask")
    assert match.decision is not None
    assert match.decision.kind == "together"


def picking(source: ir.Expr, of: Type) -> ir.Program:
    return games.lots((ir.Pick(binder(0, of, source)),), (("it", of),))


def test_picks_are_asked_with_weights_too() -> None:
    match = Match(picking(everything(MOOD), MOOD), 2, 0, chance="ask")
    assert match.decision is not None
    assert [(o.text, o.weight) for o in match.decision.options] == [("glad", 1), ("sad", 1)]
    match.choose("sad")
    assert match.finished
    (event, _) = match.events
    assert match.tell(event) == "luck picks sad"
    hidden = Match(picking(contents(place(DECK)), CARD), 2, 0, chance="ask")
    assert hidden.decision is not None
    assert [option.weight for option in hidden.decision.options] == [2, 3, 4]
    hidden.choose("pawn")
    assert hidden.tell(hidden.events[0], 0) == ""
    assert [event.kind for event in hidden.view(0).events] == ["end"]


@pytest.mark.full
def test_picks_from_the_seed_are_even_and_count_copies() -> None:
    words = Counter[int]()
    cards = Counter[str]()
    for seed in range(900):
        match = Match(picking(everything(MOOD), MOOD), 2, seed)
        words[match.events[0].data[-1]] += 1
        match = Match(picking(contents(place(DECK)), CARD), 2, seed)
        cards[match.machine.layout.text(CARD, match.events[0].data[-1])] += 1
    assert words[0] == pytest.approx(450, abs=70)
    assert cards["ace"] == pytest.approx(200, abs=55)
    assert cards["pawn"] == pytest.approx(400, abs=65)


def test_a_piece_drawn_from_a_heap_and_put_back_is_not_drawn_for_ever() -> None:
    hand = place(HAND, RED)
    program = games.lots(
        (
            ir.MoveSome(binder(0, CARD, contents(place(DECK))), None, False, hand, False),
            ir.Repeat(
                number(40),
                (
                    ir.Draw(0, "card", None, hand, place(HAND, BLACK), False, None, 1),
                    ir.Move(local(CARD, 0), hand, False),
                ),
                2,
            ),
        ),
        (("card", CARD), ("left", NUMBER), ("times", NUMBER)),
    )
    match = Match(program, 2, 0)
    drawn = {event.data[0] for event in match.events if event.kind == "move" and event.number > 8}
    assert len(drawn) == 9


def test_reshuffling_gives_a_new_order() -> None:
    match = Match(games.cards(), 3, 1)
    luck = RngFactory(0).stream("player")
    while decision := match.decision:
        match.choose(luck.choose(decision.options))
    assert sum(1 for event in match.events if event.kind == "shuffle") > 1
    assert match.state.shuffles[0] > 1
