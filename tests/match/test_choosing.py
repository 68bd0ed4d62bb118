"""An option answers for the seat it was offered to, and only the question it was offered for."""

from __future__ import annotations

import pytest

import lawspeaker
from lawspeaker.match.match import IllegalChoice, Match


def signs() -> Match:
    """A game in which both players are asked at once."""
    return lawspeaker.load("rock_paper_scissors").start(players=2, seed=1)


def refused(match: Match, option: lawspeaker.Option, message: str, seat: int | None = None) -> None:
    """A refused option leaves the match as it was."""
    before, replies = match.state.canonical(), match.replies
    with pytest.raises(IllegalChoice, match=message):
        match.choose(option, seat=seat)
    assert match.state.canonical() == before
    assert match.replies == replies


@pytest.mark.parametrize("source", ["match", "view", "copy"])
def test_an_option_answers_for_its_own_seat(source: str) -> None:
    match = signs()
    asked = match.asked(1)
    if source == "view":
        asked = match.view(1).decision or asked
    elif source == "copy":
        asked = match.copy().asked(1)
    match.choose(asked.options[2])
    assert [each.seat for each in match.decisions] == [0]
    assert match.state.secret.keys() == {1}


def test_an_option_of_another_seat_is_refused() -> None:
    match = signs()
    refused(match, match.asked(1).options[0], "show rock is an option of ben, not of ann", seat=0)
    refused(match, match.asked(0).options[0], "show rock is an option of ann, not of ben", seat=1)
    refused(
        match, match.asked(0).options[0], "show rock is an option of ann, not of seat 7", seat=7
    )
    with pytest.raises(IllegalChoice, match="seat -1 is not asked now"):
        match.choose("show rock", seat=-1)


@pytest.mark.parametrize("source", ["match", "view"])
def test_a_question_is_answered_once(source: str) -> None:
    match = signs()
    asked = match.asked(1) if source == "match" else match.view(1).decision
    assert asked is not None
    other = match.copy().asked(1).options[0]
    match.choose(asked.options[0])
    refused(match, asked.options[1], "show paper is an option of a question that is answered")
    refused(match, other, "ben is not asked now")
    match.choose("show rock", seat=0)
    assert [each.seat for each in match.decisions] == [0, 1]
    refused(match, asked.options[1], "show paper is an option of a question that is answered")


def test_a_reply_taken_back_can_be_given_again() -> None:
    match = signs()
    option = match.asked(0).options[0]
    match.choose(option)
    match.rewind(0)
    match.choose(option)
    assert match.replies == (option,)


def test_an_option_of_another_question_is_refused() -> None:
    game = lawspeaker.load("walhalla")
    match = game.start(players=3, seed=7)
    first = match.copy().decision
    assert first is not None
    while (decision := match.decision) and (
        decision.seat != first.seat or decision.clause.id == first.clause.id
    ):
        match.choose(decision.options[0])
    assert decision is not None
    refused(match, first.options[0], f"is an option of {first.clause.id}; what is asked now is")


def test_nobody_answers_for_luck() -> None:
    match = lawspeaker.load("pig").start(players=2, seed=1, chance="ask")
    luck = match.copy().decision
    assert luck is not None
    refused(match, luck.options[0], "is an option of luck, not of", seat=0)
    while (decision := match.decision) and decision.seat is None:
        match.choose(decision.options[-1])
    refused(match, luck.options[0], "luck is not asked now")
