"""Luck: the same everywhere, fair, and in step where the rules differ a little."""

from __future__ import annotations

from collections import Counter

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PLAYER
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory, combine, highest, mix, word_of
from tests.reference import games
from tests.reference.games import CARD, DECK, HAND, number, place


def test_the_words_are_fixed_for_ever() -> None:
    assert mix(1) == 0x5692161D100B05E5
    assert word_of("") == mix(0xCBF29CE484222325)
    assert combine(1, 2) != combine(2, 1)
    stream = RngFactory(7).stream("red")
    stream.word()
    twin = stream.copy()
    assert [stream.below(100) for _ in range(5)] == [twin.below(100) for _ in range(5)]


def test_a_stream_is_even_and_its_own() -> None:
    stream = RngFactory(3).stream("someone")
    counts = Counter(stream.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 1000) < 150 for count in counts.values())
    assert RngFactory(3).stream("someone").word() != RngFactory(3).stream("else").word()
    assert sorted(stream.shuffled(range(20))) == list(range(20))


def test_the_highest_priority_is_even() -> None:
    keys = [word_of(str(number)) for number in range(5)]
    counts = Counter(highest(combine(9, draw), keys) for draw in range(5000))
    assert all(abs(counts[position] - 1000) < 150 for position in range(5))


def drawn_order(program: ir.Program, seed: int) -> list[str]:
    """The texts of all cards in the order in which they come off the deck."""
    match = Match(program, 2, seed)
    layout = match.machine.layout
    moves = [event.data[0] for event in match.events if event.kind == "move"]
    return [layout.text(CARD, piece) for piece in moves]


def whole_deck(*counts: tuple[str, int, int]) -> ir.Program:
    total = sum(count for _, count, _ in counts)
    hand = place(HAND, ir.Const(PLAYER, 0))
    return games.lots(
        (
            ir.Shuffle(place(DECK)),
            ir.Draw(0, "card", number(total), place(DECK), hand, False, None, 1),
        ),
        (("card", CARD), ("left", NUMBER)),
        pieces=(games.card_piece(*counts),),
    )


def test_one_more_card_leaves_the_order_of_the_others() -> None:
    few = whole_deck(("ace", 4, 3), ("king", 4, 2))
    more = whole_deck(("ace", 4, 3), ("joker", 1, 0), ("king", 4, 2))
    for seed in range(20):
        one, two = drawn_order(few, seed), drawn_order(more, seed)
        assert [card for card in two if card != "joker"] == one
        assert "joker" in two


def test_every_card_is_as_likely_to_come_first() -> None:
    program = whole_deck(("ace", 1, 3), ("king", 1, 2), ("pawn", 2, 1))
    counts = Counter(drawn_order(program, seed)[0] for seed in range(2000))
    assert counts["ace"] == pytest.approx(500, abs=90)
    assert counts["king"] == pytest.approx(500, abs=90)
    assert counts["pawn"] == pytest.approx(1000, abs=110)
