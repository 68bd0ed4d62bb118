"""A fault of the rules pauses a game at one screen, until all who sit there agree how to go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lawspeaker import ir
from lawspeaker.faces.play import Session
from lawspeaker.faces.play.pausing import Paused
from lawspeaker.faces.play.shown import Curtain, SaveRequest, Shown, ShownNote
from lawspeaker.match.match import Match
from lawspeaker.match.replay import Replay
from lawspeaker.players.bots import bot
from tests.secrets.findings import asked_first, faulting
from tests.secrets.leaking import overheard

PROGRAM = faulting("division")
CARDS = ["one", "two", "three", "four", "five", "six"]
DETAILS = "a division by zero"


def card_of_ben(match: Match) -> str:
    (card,) = match.table()["places"]["hand ben"]["pieces"]
    return str(CARDS.index(card) + 1)


def notes_text(shown: list[Shown]) -> str:
    return "\n".join(each.text for each in shown if isinstance(each, ShownNote))


def playing(people: int, program: ir.Program = PROGRAM, language: str = "en") -> Session:
    seats = [None if seat < people else bot("random", seat) for seat in range(3)]
    return Session(Match(program, 3, 1), seats, language)


def paused(session: Session, answer: str = "") -> list[Shown]:
    """Ann names the number at which the rules fault."""
    session.step()
    if session.waits_for == "curtain":
        session.answer("")
    return session.answer(f"#{answer or card_of_ben(session.match)}")


def test_all_are_told_the_same_and_nothing_of_the_fault() -> None:
    session = playing(3)
    shown = paused(session)
    assert isinstance(shown[1], Curtain), "what ann saw is not for all"
    assert notes_text(shown).startswith("The game is paused: the rules have a hole here")
    assert DETAILS not in notes_text(shown)
    assert "test" not in notes_text(shown)
    assert session.waits_for == "paused"
    assert session.match.replies == ()
    assert SaveRequest() in shown
    for line in ("1", "events", "why 2", "nonsense", ""):
        assert notes_text(session.answer(line)).startswith("Type undo")


def test_all_must_agree_to_go_on() -> None:
    session = playing(3)
    paused(session)
    session.answer("undo")
    assert "ben" in notes_text(session.answer("yes"))
    assert notes_text(session.answer("no")).startswith("Type undo")
    session.answer("undo")
    for _ in range(2):
        session.answer("yes")
    assert "goes on from an earlier point" in notes_text(session.answer("yes"))
    assert session.paused is None
    (curtain,) = session.step()
    assert isinstance(curtain, Curtain)


def test_it_is_kept_and_found_again_and_can_be_ended() -> None:
    session = playing(3)
    paused(session)
    kept = session.record(["human"] * 3)
    assert kept.fault is not None
    assert not kept.fault.ended
    again = Replay(PROGRAM, kept)
    *_, last = again
    assert DETAILS in last.fault
    assert again.difference is None
    assert again.match is not None
    later = Session(again.match, [None] * 3, "en", Paused.of(kept.fault, last.fault))
    assert notes_text(later.step()).startswith("The game is paused")
    later.answer("stop")
    for _ in range(2):
        later.answer("yes")
    assert "without a winner" in notes_text(later.answer("yes"))
    assert later.done
    assert DETAILS in later.details, "nothing is hidden any more"
    ended = later.record(["human"] * 3)
    assert ended.fault == replace(kept.fault, ended=True)
    assert ended.result is None


def test_rules_that_were_mended_since_are_a_difference() -> None:
    session = playing(3)
    paused(session)
    *_, last = Replay(overheard(asked_first("hidden_number becomes 1")), session.record([]))
    assert last.difference is not None
    assert "do not any more" in last.difference.message


def test_who_plays_alone_reads_the_details_and_goes_back_at_once() -> None:
    session = playing(1)
    assert DETAILS in notes_text(paused(session))
    assert "goes on" in notes_text(session.answer("undo 9"))
    assert session.waits_for == "others"


def test_where_nothing_is_hidden_all_may_read_the_details() -> None:
    text = asked_first("let x be 1 / (number - 3) rounded down\npublic_number becomes x")
    text = text.replace(", seen by: owner", "").replace(", seen by: nobody", "")
    text = text.replace("deck: {holds: card, arranged: pile}", "deck: {holds: card}")
    session = playing(3, overheard(text))
    assert DETAILS in notes_text(paused(session, "3"))


def test_bots_pause_a_game_as_people_do() -> None:
    class Unlucky:
        def choose(self, view: object) -> object:
            return session.match.shown(0).options[int(card_of_ben(session.match)) - 1]

    session = Session(Match(PROGRAM, 3, 1), [Unlucky(), None, None], "en")  # type: ignore[list-item]
    shown = session.step()
    assert notes_text(shown).startswith("The game is paused")
    assert DETAILS not in notes_text(shown)


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_every_language_has_words_for_it(language: str) -> None:
    session = playing(3, language=language)
    assert "paused." not in notes_text(paused(session))
    assert "paused." not in notes_text(session.answer("undo"))
