"""Combinations on both machines: more things than a mask has bits, one inside the other, in defined
values, and before a question at which a game goes on with the other machine."""

from __future__ import annotations

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.compiled.side_by_side import SideBySide

GAME = """\
lawspeaker: 1
game: combinations
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card:
    has: {value: number}
    starts in: box
    kinds: {one: {count: 50, value: 1}, two: {count: 40, value: 2}, five: {count: 9, value: 5}}
places:
  box: {holds: card, seen by: everyone}
  row: {holds: card, arranged: row, seen by: everyone}
markers:
MARKERS
rules:
  game:
    says: All is counted, somebody is asked, and all is counted again.
    asks: Which?
    rule: |
      move 3 cards in box where card is one to row
      move 3 cards in box where card is two to row
COUNTED
      ann must choose number in 1..2
COUNTED
  worth:
    says: What some cards are worth together.
    define: worth of cards
    given: {cards: cards}
    as: sum of value of card for each card in cards
  pairs:
    says: How many pairs of one value there are, that of the first card.
    define: pairs of cards
    given: {cards: cards}
    as: |
      let value_of_first be value of the card in cards
      count of combinations of 2 cards as two in cards
        where product of value of card for each card in two = value_of_first * value_of_first
"""
WORTH = {
    # Of values 1, 1, 1, 2, 2, 2.
    "count of combinations of cards in row": 63,
    "count of combinations of up to 2 cards in row": 21,
    "count of combinations of at least 5 cards in row": 7,
    "count of combinations of 0 cards in row": 0,
    "count of combinations of (0 - 3) cards in row": 0,
    "count of combinations of 7 cards in row": 0,
    "count of combinations of cards in row where worth of cards = 3": 10,
    "count of combinations of 2 cards in box where worth of cards = 10": 36,
    "sum of worth of cards for each combination of 5 cards in row": 45,
    "highest of worth of cards for each combination of 4 cards in row otherwise 0": 7,
    "lowest of worth of cards for each combination of 7 cards in row otherwise 8": 8,
    "pairs of (all cards in row)": 3,
    "sum of pairs of cards for each combination of 3 cards in row": 15,
    "count of (the combination of cards in row where worth of cards > 4)": 3,
    "count of (the largest combination of cards in row where worth of cards < 6)": 4,
    "worth of (the largest combination of up to 2 cards in box)": 2,
    "count of combinations of 2 cards as some in row where (there is a combination of 2 cards"
    " as other in row where worth of some > worth of other)": 12,
    "count of combinations of 2 cards in row where for every combination of 2 cards as other in"
    " row, worth of other >= worth of cards": 3,
    "count of (collect different worth of cards for each combination of 2 cards in row)": 3,
    "count of (collect different worth of cards for each combination of up to 1 cards in box)": 3,
    "product of value of card for each card in row": 8,
    "product of value of card for each card in row where value of card = 9": 1,
}


@pytest.fixture(scope="module")
def side_by_side() -> SideBySide:
    markers = "".join(f"  m{at}: {{shows: number, starts as: 0}}\n" for at in range(len(WORTH)))
    counted = "".join(f"      m{at} increases by {each}\n" for at, each in enumerate(WORTH))
    text = GAME.replace("MARKERS\n", markers).replace("COUNTED\n", counted)
    out = Diagnostics()
    source = SourceFile("combinations.yaml", text)
    program = compile_game(source, lambda name, span: None, schema("game"), out)
    assert program is not None, [str(each) for each in out]
    return SideBySide(program, 2)


def test_both_machines_go_the_same_way(side_by_side: SideBySide) -> None:
    assert side_by_side.play(1) == 1


def test_each_machine_counts_right_and_goes_on_where_the_other_stopped(
    side_by_side: SideBySide,
) -> None:
    for first, then in (
        (side_by_side.reference, side_by_side.compiled),
        (side_by_side.compiled, side_by_side.reference),
    ):
        state = first.blank(1)
        first.begin(state, first.program.main, ())
        assert dict(zip(WORTH, state.markers, strict=True)) == WORTH
        then.answer(state, 0, then.offers(state)[0][1])
        assert dict(zip(WORTH, state.markers, strict=True)) == {
            counted: 2 * number for counted, number in WORTH.items()
        }
