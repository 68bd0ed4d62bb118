"""`skip`: who does not want to step in passes by himself, for as long as he said."""

from __future__ import annotations

from functools import cache

from lawspeaker.faces.play.session import Session
from lawspeaker.match.game import Game
from lawspeaker.outside.loading import load
from lawspeaker.players.bots import bot
from tests.language.games import GOOD


@cache
def game() -> Game:
    return load(str(GOOD / "interrupting.yaml"))


def new_session() -> Session:
    match = game().start(players=3, seed=4, discretion="discreet")
    return Session(match, [None, bot("random", 1), bot("random", 2)], "en")


def next_question(session: Session) -> str:
    """Goes on until the person is asked again; by which clause."""
    while session.waits_for != "answer" and not session.done:
        session.step()
    return "" if session.done else session.decision.clause.id


def test_skip_passes_until_something_else_is_asked() -> None:
    session = new_session()
    assert next_question(session) == "turn"
    assert "nothing to skip" in str(session.answer("skip"))
    session.answer("1")
    assert next_question(session) in ("snap", "cheering")
    session.answer("skip")
    assert next_question(session) == "turn"
    assert not session.passing
    session.answer("1")
    assert next_question(session) in ("snap", "cheering")


def test_skip_all_passes_as_long_as_it_lasts() -> None:
    session = new_session()
    next_question(session)
    session.answer("1")
    assert next_question(session) in ("snap", "cheering")
    session.answer("skip all")
    assert next_question(session) == "turn"
    assert session.passing
    session.answer("1")
    assert next_question(session) in ("snap", "cheering")
    assert not session.passing
    session.answer("skip all")
    assert next_question(session) == "turn"
    assert "asked again" in str(session.answer("skip"))
    assert not session.passing
