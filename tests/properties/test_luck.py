"""The random numbers of a game: asked or from the seed, and each draw apart from the others.

That the same seed is the same game everywhere is tested by tests/playthroughs.
"""

from __future__ import annotations

import pytest

from lawspeaker.ir.types import PieceType
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory
from tests.library import game
from tests.properties.tables import Table, every_table, finish, play, start


@every_table
def test_luck_that_is_asked_can_do_all_that_luck_from_the_seed_does(table: Table) -> None:
    """A match whose luck is told what came from a seed goes as that one went."""
    match = finish(start(table, 71), 71)
    told = [match.tell(event) for event in match.events]
    replies = iter([(reply.text, reply.setting.seat) for reply in match.replies])
    asked = start(table, 71, chance="ask")
    while decision := asked.decision:
        if decision.kind == "chance":
            asked.choose(outcome(match, asked))
        else:
            reply = next(replies, None)
            if reply is None:
                break
            asked.choose(reply[0], seat=reply[1])
        assert [asked.tell(event) for event in asked.events[-3:]] == told[: len(asked.events)][-3:]
    assert [asked.tell(event) for event in asked.events] == told
    assert asked.scores == match.scores


def outcome(match: Match, asked: Match) -> str:
    """What luck brought in a match at the moment at which another one asks for it, as a text."""
    layout, number, decision = match.machine.layout, len(asked.events), asked.decision
    event = match.events[number]
    assert decision is not None
    if event.kind == "chance" and not isinstance(decision.setting.type, PieceType):
        return match.tell(event).removeprefix("luck picks ")
    piece = event.data[0] if event.kind == "move" else event.data[-1]
    look = layout.alike[piece], states_before(match, piece, number)
    for option in decision.options:
        value = option.values[0]
        if (layout.alike[value], states_before(asked, value, number)) == look:
            return option.text
    raise AssertionError("luck cannot bring here what it brought there")


def states_before(match: Match, piece: int, number: int) -> list[object]:
    """The states of a piece before an event."""
    declared = match.program.pieces[match.machine.layout.piece_type[piece]].states
    states: list[object] = [state.start for state in declared]
    for event in match.events[:number]:
        if event.kind == "state" and event.data[2] == piece:
            states[event.data[1]] = event.data[3]
    return states


@every_table
def test_weights_of_luck_add_up(table: Table) -> None:
    match = start(table, 72, chance="ask")
    layout = match.machine.layout
    for _ in play(match, 72):
        decision = match.decision
        assert decision is not None
        if decision.kind != "chance":
            continue
        weights = [option.weight for option in decision.options]
        texts = [option.text for option in decision.options]
        assert len(weights) > 1, "what is certain is not asked"
        assert len(set(texts)) == len(texts), "two outcomes say the same"
        assert all(weight > 0 for weight in weights)
        of = decision.setting.type
        if isinstance(of, PieceType):
            looks = [match.machine.layout.alike[option.values[0]] for option in decision.options]
            pools = [
                held
                for held in match.state.contents.values()
                if decision.options[0].values[0] in held
            ]
            assert sum(weights) <= len(pools[0])
            for look, weight in zip(looks, weights, strict=True):
                assert weight <= sum(layout.alike[piece] == look for piece in pools[0])
        else:
            assert set(weights) == {1}
        for option in decision.options:
            twin = match.copy()
            twin.choose(option.text)
            state = match.state.copy()
            match.machine.answer(state, None, option.reply)
            assert twin.state.canonical() == state.canonical()


@every_table
def test_the_seed_does_not_matter_when_luck_is_asked(table: Table) -> None:
    one, two = start(table, 1, chance="ask"), start(table, 2, chance="ask")
    for option in play(one, 73):
        assert [o.text for o in two.decisions[0].options] == [
            o.text for o in one.decisions[0].options
        ]
        two.choose(option.text, seat=option.setting.seat)
    assert [one.tell(e) for e in one.events] == [two.tell(e) for e in two.events]


# ---------------------------------------------------------------- one stroke apart from the others


def piles(match: Match, place: str, since: int = 0) -> list[list[int]]:
    """The pieces that came off a pile, in order; a new list each time it was shuffled."""
    found: list[list[int]] = [[]]
    for event in match.events[since:]:
        if event.kind == "shuffle" and match.tell(event) == f"{place} is shuffled":
            found.append([])
        elif event.kind == "move" and f" from {place} to " in match.tell(event):
            found[-1].append(event.data[0])
    return found


def same_order(one: list[int], two: list[int]) -> bool:
    """Whether two piles agree as far as both were drawn from."""
    both = min(len(one), len(two))
    return one[:both] == two[:both]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_players_do_does_not_change_their_luck(players: int, seed: int) -> None:
    """The order of each pile is fixed by the seed, the pile and how often it was shuffled."""
    one = finish(game("walhalla").start(players, seed), 74)
    two = finish(game("walhalla").start(players, seed), 75)
    assert [reply.text for reply in one.replies] != [reply.text for reply in two.replies]
    for place in ("tile_pile", "inner_pile", "outer_pile", "dragon_pile"):
        mine, theirs = piles(one, place), piles(two, place)
        assert len(mine) == len(theirs) == (4 if place == "dragon_pile" else 2)
        assert all(map(same_order, mine, theirs))
    assert same_order(piles(one, "card_pile")[1], piles(two, "card_pile")[1])
    assert len(piles(one, "card_pile")[1]) > 8


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_one_more_draw_leaves_the_rest_of_luck_as_it_was(seed: int) -> None:
    """In a copy the top card is taken away: the next ones and the other piles stay as they were."""
    match = game("walhalla").start(4, seed)
    for number, _ in enumerate(play(match, seed)):
        if number == 12:
            break
    since = len(match.events)
    twin = match.copy()
    cards = piles(finish(match, seed), "card_pile", since)[0]
    state, layout = twin.state, twin.machine.layout
    lift(state, cards[0])
    hand = next(n for n, family in enumerate(match.program.families) if family.name == "hand")
    lay(layout, state, cards[0], layout.places_of[hand][0], under=False)
    finish(twin, seed)
    assert same_order(piles(twin, "card_pile", since)[0], cards[1:])
    assert len(cards) > 4
    dragons = piles(match, "dragon_pile", since)
    assert all(map(same_order, piles(twin, "dragon_pile", since), dragons))


def test_streams_of_luck_are_fair_and_stand_by_themselves() -> None:
    stream = RngFactory(76).stream("dice")
    thrown = [stream.below(6) for _ in range(6000)]
    assert all(900 < thrown.count(side) < 1100 for side in range(6))
    assert RngFactory(76).stream("dice").word() != RngFactory(76).stream("cards").word()
    twin = stream.copy()
    assert [stream.word() for _ in range(5)] == [twin.word() for _ in range(5)]
    assert sorted(stream.shuffled(range(20))) == list(range(20))


@pytest.mark.full
def test_luck_from_the_seed_is_fair() -> None:
    """Who starts and what the first dragon is, over many seeds: each about as often."""
    starters, dragons = [0] * 4, dict.fromkeys(range(12), 0)
    for seed in range(480):
        match = game("walhalla").start(4, seed)
        starter = next(e for e in match.events if match.tell(e).startswith("starter is "))
        starters[starter.data[-1]] += 1
        dragons[piles(match, "dragon_pile")[1][0] % 12] += 1
    assert all(85 <= count <= 155 for count in starters)
    assert all(18 <= count <= 66 for count in dragons.values())
