"""Scopa against a plain reckoning that knows nothing of its rule file.

Which cards may be taken, in random games; and what random shares of the deck are worth.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from lawspeaker.match.match import Match
from tests.library import game
from tests.tiers import pick

WORTH = dict(
    zip("ace two three four five six seven knave knight king".split(), range(1, 11), strict=True)
)
PRIME = {"seven": 21, "six": 18, "ace": 16, "five": 15, "four": 14, "three": 13, "two": 12}
SUITS = ("coins", "cups", "swords", "clubs")


def named(match: Match, place: str) -> list[str]:
    """The cards in a place, as `seven_of_coins`."""
    kinds = match.program.pieces[0].kinds
    number = match.machine.layout.places_by_text()[place]
    return [
        kinds[match.machine.layout.piece_kind[piece]].name
        for piece in match.state.contents.get(number, ())
    ]


def worth(card: str) -> int:
    return WORTH[card.split("_", maxsplit=1)[0]]


def catches(table: list[str], card: str, free: bool) -> set[frozenset[str]]:
    found = {
        frozenset(some)
        for size in range(1, len(table) + 1)
        for some in combinations(table, size)
        if sum(map(worth, some)) == worth(card)
    }
    single = {some for some in found if len(some) == 1}
    return found if free or not single else single


@pytest.mark.parametrize("name", ["scopa", "scopa+free_catch"])
def test_cards_are_taken_as_a_plain_reckoning_says(name: str) -> None:
    chance = random.Random(5)
    seen = 0
    for seed in range(pick(test=1, full=2, nightly=100)):
        match = game(name).start(players=2, seed=seed)
        for _ in range(60):
            if match.decision is None:
                break
            (card,) = named(match, "played") or [""]
            if card:
                expected = catches(named(match, "tabled"), card, name != "scopa")
                offered = [option.text.removeprefix("take ") for option in match.decision.options]
                assert len(expected) > 1
                assert {frozenset(each.split(" + ")) for each in offered} == expected
                seen += 1
            match.choose(chance.choice(match.decision.options))
    assert seen


def counted(cards: list[str]) -> tuple[int, int, int]:
    """How many cards, how many coins, and the prime."""
    by_suit = {
        suit: [card.split("_")[0] for card in cards if card.endswith(suit)] for suit in SUITS
    }
    best = [max((PRIME.get(rank, 10) for rank in ranks), default=0) for ranks in by_suit.values()]
    return len(cards), len(by_suit["coins"]), sum(best) if all(best) else 0


def test_shares_of_the_deck_are_worth_what_a_plain_reckoning_says() -> None:
    match = game("scopa").start(players=4, seed=1)
    program, places = match.program, match.machine.layout.places_by_text()
    terms = {program.clauses[each.clause].id: n for n, each in enumerate(program.functions)}
    kinds = program.pieces[0].kinds
    piles = [places[f"taken {player}"] for player in program.player_names]
    chance = random.Random(3)
    for share in range(pick(test=20, full=60, nightly=1000)):
        state = match.state.copy()
        used = chance.sample(range(40), 40 if share % 2 else 9)
        state.contents = {pile: tuple(sorted(used[at::4])) for at, pile in enumerate(piles)}
        state.where[:] = [places["deck"]] * 40
        for pile in piles:
            for piece in state.contents[pile]:
                state.where[piece] = pile
        for side in (0, 1):
            cards = [kinds[piece].name for pile in piles[side::2] for piece in state.contents[pile]]
            found = tuple(
                match.machine.worth(state, terms[term], (side,))
                for term in ("cards_of", "coins_of", "prime_of")
            )
            assert found == counted(cards)
