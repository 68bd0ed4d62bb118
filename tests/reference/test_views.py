"""What a seat knows, and matches imagined from it."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import View
from lawspeaker.position.rng import RngFactory, Stream
from lawspeaker.position.state import State
from tests.properties.hidden import is_known
from tests.reference import games
from tests.reference.games import CARD, DECK, HAND, TABLE, binder, contents, local, number, place

CARDS = games.cards()


def permuted(match: Match, seat: int | None, luck: Stream) -> Match:
    """The same situation with pieces exchanged that a seat cannot see, states aside."""
    layout, state = match.machine.layout, match.state.copy()
    hidden = [
        piece for piece in range(len(state.where)) if not is_known(layout, state, piece, seat)
    ]
    twin: dict[int, int] = {}
    for kind in range(len(layout.pieces_of)):
        some = [piece for piece in hidden if layout.piece_type[piece] == kind]
        twin.update(zip(some, luck.shuffled(some), strict=True))
        for at in layout.state_at[kind]:
            before = {piece: state.states[at + piece] for piece in some}
            for piece, value in before.items():
                state.states[at + twin[piece]] = value
    contents = {}
    for at, held in state.contents.items():
        pieces = [twin.get(piece, piece) for piece in held]
        if layout.heap[at]:
            pieces.sort()
        elif at in state.loose:
            under, loose = state.loose[at]
            pieces[under : under + loose] = sorted(pieces[under : under + loose])
        contents[at] = tuple(pieces)
    state.contents = contents
    for at, held in contents.items():
        for piece in held:
            state.where[piece] = at
    for frame in state.stack:
        for slot, shape in match.machine.shapes[frame.clause].items():
            frame.slots[slot] = shape(frame.slots[slot], lambda piece: twin.get(piece, piece))
    state.offered = None
    return Match.from_state(match.program, state)


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_view_does_not_depend_on_what_is_hidden(seat: int | None) -> None:
    luck = RngFactory(1).stream("test")
    match = Match(CARDS, 3, 5)
    while decision := match.decision:
        mine = Match.from_state(CARDS, match.state)
        for _ in range(5):
            other = permuted(mine, seat, luck)
            assert other.view(seat) == mine.view(seat)
            assert other.view(seat).to_json() == mine.view(seat).to_json()
        match.choose(luck.choose(decision.options))


@pytest.mark.parametrize("what", sorted(each for each in View.__slots__ if each[0] != "_"))
def test_views_are_equal_if_all_is_equal_that_a_seat_knows(what: str) -> None:
    match = Match(CARDS, 3, 5)
    view = match.view(1)
    assert view == match.view(1)
    setattr(view, what, 99)
    assert view != match.view(1)


def test_hidden_pieces_are_tokens_numbered_by_place() -> None:
    match = Match(CARDS, 3, 5)
    view = match.view(1)
    layout = match.machine.layout
    hands = layout.places_of[1]
    deck = view.contents[layout.places_of[0][0]]
    assert deck == (-1, -2, -3)
    assert view.contents[hands[0]] == (-4, -5)
    assert all(piece >= 0 for piece in view.contents[hands[1]])
    assert view.contents[hands[2]] == (-6, -7)
    assert view.loose == {0: (0, 3)}


def test_a_view_is_plain_data_and_shows_no_secrets() -> None:
    match = Match(CARDS, 2, 5)
    view = match.view(0).to_json()
    json.dumps(view)
    assert view["places"]["hand black"] == {"count": 2, "pieces": [None, None]}
    assert None not in view["places"]["hand red"]["pieces"]
    assert view["pending"]["seats"] == ["red", "black"]
    assert view["pending"]["options"][0] == "lay none"
    spectator = match.view(None).to_json()
    assert "options" not in spectator["pending"]
    assert spectator["places"]["hand red"]["pieces"] == [None, None]


def test_events_are_known_to_those_who_see_origin_or_destination() -> None:
    match = Match(CARDS, 2, 5)
    first = next(event for event in match.events if event.kind == "move")
    assert match.tell(first, 1) == "a card from deck to hand red"
    assert match.tell(first, None) == "a card from deck to hand red"
    assert not match.tell(first, 0).startswith("a card")
    assert match.tell(first) == match.tell(first, 0)
    assert match.view(1).events[first.number].data[0] is None


def test_a_choice_of_hidden_pieces_is_known_to_the_chooser_alone() -> None:
    setup = {"places": {"hand red": ["ace"], "hand black": ["king"]}}
    match = Match.at(CARDS, 2, "laying", setup=setup)
    match.choose("lay ace", seat=0)
    match.choose("lay none", seat=1)
    red, black = [event for event in match.events if event.kind == "choose"]
    assert match.tell(red, 0) == "red chooses lay ace"
    assert match.tell(red, 1) == "red chooses"
    assert match.tell(black, 0) == "black chooses lay none"


def test_an_imagined_match_agrees_with_the_view() -> None:
    luck = RngFactory(8).stream("test")
    match = Match(CARDS, 3, 5)
    while decision := match.decision:
        for seat in (0, 1, 2):
            view = match.view(seat)
            for seed in range(5):
                world = imagine(view, seed)
                again = world.view(seat)
                assert again.contents == view.contents
                assert again.pending == view.pending
                assert again.scores == view.scores
                assert again.stack == view.stack
                if view.decision is not None and again.decision is not None:
                    assert again.decision.options == view.decision.options
                while each := world.decision:
                    world.choose(luck.choose(each.options))
                assert world.finished
        match.choose(luck.choose(decision.options))


def test_imagining_deals_the_unseen_evenly() -> None:
    setup = {"places": {"hand red": ["ace", "king"], "hand black": ["pawn"]}}
    match = Match.at(CARDS, 2, "laying", setup=setup)
    view = match.view(0)
    layout = match.machine.layout
    black = layout.places_of[1][1]
    counts: Counter[str] = Counter()
    for seed in range(700):
        state = imagine(view, seed).state
        counts[layout.text(CARD, state.contents[black][0])] += 1
    assert counts["ace"] == pytest.approx(100, abs=40)
    assert counts["king"] == pytest.approx(200, abs=50)
    assert counts["pawn"] == pytest.approx(400, abs=60)


def test_own_secret_replies_are_kept_and_those_of_others_asked_again() -> None:
    match = Match(CARDS, 3, 5)
    match.choose(match.decisions[1].options[-1])
    match.choose(match.decisions[1].options[0])
    assert [decision.seat for decision in match.decisions] == [0]
    mine = imagine(match.view(1), 3)
    assert [decision.seat for decision in mine.decisions] == [0, 2]
    assert mine.state.secret[1] == match.view(1).reply
    other = imagine(match.view(0), 3)
    assert [decision.seat for decision in other.decisions] == [0, 1, 2]


def test_what_was_looked_at_in_passing_is_not_in_the_view() -> None:
    """A `there is` leaves a hidden card in a slot; nobody needs it later, so nobody sees it."""
    red, black = ir.Const(PLAYER, 0), ir.Const(PLAYER, 1)
    holds = ir.Exists(
        TRUTH,
        binder(
            0,
            CARD,
            contents(place(HAND, black)),
            games.compare("=", games.worth(local(CARD, 0)), number(2)),
        ),
    )
    program = games.lots(
        (
            ir.Shuffle(place(DECK)),
            ir.Draw(1, "card", number(4), place(DECK), place(HAND, black), False, None, 2),
            ir.If(holds, (), ()),
            ir.Ask(red, None, True, (alt("yes"), alt("no")), None, (), 0),
        ),
        (("card", CARD), ("card", CARD), ("left", NUMBER)),
    )
    luck = RngFactory(2).stream("test")
    match = Match(program, 2, 6)
    assert match.state.stack[0].slots[0] is not None
    plain = Match.from_state(program, match.state)
    assert plain.view(0).stack[0][2] == (None, None, None)
    for _ in range(10):
        assert permuted(plain, 0, luck).view(0) == plain.view(0)


def alt(label: str) -> ir.Alternative:
    return games.alternative(label)


def test_a_card_on_top_of_a_shuffled_pile_is_drawn_first_and_one_under_it_last() -> None:
    red = ir.Const(PLAYER, 0)

    def move(where: ir.Expr, under: bool) -> ir.Move:
        first = ir.The(CARD, binder(0, CARD, contents(where)))
        return ir.Move(first, place(DECK), under)

    program = games.lots(
        (
            ir.Shuffle(place(DECK)),
            move(place(TABLE, red), False),
            move(place(TABLE, ir.Const(PLAYER, 1)), True),
            ir.Draw(0, "card", number(9), place(DECK), place(HAND, red), False, None, 1),
        ),
        (("card", CARD), ("left", NUMBER)),
    )
    for seed in range(5):
        setup = {"places": {"table red": ["ace"], "table black": ["king"]}}
        match = Match.at(program, 2, "game", setup=setup, seed=seed)
        moves = [event for event in match.events if event.kind == "move"]
        text = match.machine.layout.text
        drawn = [text(CARD, event.data[0]) for event in moves[2:]]
        assert drawn[0] == "ace"
        assert drawn[-1] == "king"


def test_a_discreet_table_asks_who_has_nothing_to_choose() -> None:
    red = ir.Const(PLAYER, 0)
    hand = place(HAND, red)
    aces = games.compare("=", games.worth(local(CARD, 0)), number(3))
    part = ir.Part(binder(0, CARD, contents(hand), aces, name="card"))
    program = games.lots(
        (
            ir.Ask(red, None, False, (games.alternative("play", (part,)),), None, (hand,), 0),
            ir.Score(red, number(1), False),
        ),
        (("card", CARD),),
    )

    def start(cards: list[str], discretion: str) -> Match:
        setup = {"places": {"hand red": cards}}
        return Match.at(program, 2, "game", setup=setup, discretion=discretion)

    assert start(["king"], "quick").finished
    asked = start(["king"], "discreet").decision
    assert asked is not None
    assert [option.text for option in asked.options] == ["pass"]
    assert start([], "discreet").finished
    held = start(["2 ace"], "quick").decision
    assert held is not None
    assert [option.text for option in held.options] == ["play ace", "pass"]


def test_a_forced_choice_is_asked_only_if_not_everyone_can_see_it() -> None:
    red = ir.Const(PLAYER, 0)
    hand = place(HAND, red)
    part = ir.Part(binder(0, CARD, contents(hand), name="card"))
    question = games.alternative(
        "play", (part,), (), (ir.Move(local(CARD, 0), place(TABLE, red), False),)
    )
    for private, asked in (((hand,), True), ((), False)):
        program = games.lots(
            (ir.Ask(red, None, True, (question,), None, private, 0),), (("card", CARD),)
        )
        match = Match.at(program, 2, "game", setup={"places": {"hand red": ["king"]}})
        assert (match.decision is not None) is asked
        if match.decision is not None:
            match.choose("play king")
        assert match.state.contents[match.machine.layout.places_of[2][0]] == (2,)


def test_equal_situations_are_equal_however_they_came_about() -> None:
    one = Match.at(CARDS, 2, "laying", setup={"places": {"hand red": ["ace", "king"]}})
    two = Match.at(CARDS, 2, "laying", setup={"places": {"hand red": ["king", "ace"]}})
    assert one.state == two.state
    assert isinstance(one.state, State)
    assert hash(one.state) == hash(two.state)
