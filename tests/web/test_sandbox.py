"""Rules that take too long, or too much, hurt the table that plays by them, and no other."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

import lawspeaker
from lawspeaker.faces.web import sandbox
from lawspeaker.faces.web.app import STOPPED
from lawspeaker.faces.web.game_in_play import GameInPlay, Refused
from lawspeaker.faces.web.privileges import has_landlock
from lawspeaker.faces.web.sandbox import (
    GameOpening,
    GameOperation,
    OutOfBounds,
    Processes,
    SandboxedGame,
    Worker,
)
from lawspeaker.faces.web.seats import Seat
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.store import Broken, KeptReply, KeptTable
from lawspeaker.faces.web.wire import LARGEST
from lawspeaker.match.log import RuleFile
from tests.tiers import sample
from tests.web.conftest import ROOT, House
from tests.web.visitors import Screen, everyone, play_on, set_up

FOR_EVER = 10_000
LITTLE = 700 * 1024 * 1024
LEVELS = 22
"""As many as the checker lets through: nearly all steps there are between two decisions, which are
seconds of processor time."""
LIT = 77
"""Who says this number sets it off. In the few games that are tried out before, nobody does."""


def fuse(deed: str) -> str:
    """A game in which numbers are said; at one of them something happens."""
    doubled = "".join(
        f"""  level_{level}:
    says: What was before, twice.
    define: depth_{level}
    as: |
      let before be depth_{level - 1}
      before + depth_{level - 1} - before
"""
        for level in range(1, LEVELS + 1)
    )
    return f"""lawspeaker: 1
game: fuse
title: {{en: Fuse}}
players: {{from: 2, to: 2, called: [ann, ben]}}
languages: [en]
numbers:
  shout: 1..100
markers:
  active: {{shows: player, starts as: ann}}
  spark: {{shows: number, starts as: 1}}
rules:
  game:
    says: Numbers are said in turn.
    rule: |
      repeat 3 times:
        do turn
        active becomes left_neighbour of active
      ann wins
  turn:
    says: A number is said.
    asks: Which number?
    rule: |
      active must say: shout
        otherwise: cannot happen
      if shout = {LIT}:
        {deed}
  level_0:
    says: The spark.
    define: depth_0
    as: spark
{doubled}table:
  across:
    - {{marker: active}}
"""


TOO_LONG = f"active scores depth_{LEVELS}"


def files(text: str) -> tuple[RuleFile, ...]:
    return (RuleFile("game.yaml", text),)


def stored_table() -> KeptTable:
    return KeptTable("digest", "./fuse", 7, "quick", "en", (Seat(True), Seat(True)))


def option_number(number: int) -> int:
    """The number of the option to say a number."""
    return number - 1


def table_by(house: House, text: str) -> Screen:
    """A table that plays by a draft, at its first question."""
    draft = [{"name": "game.yaml", "text": text}]
    wish = {"rules": "", "files": draft, "seats": [{"who": "me"}, {"who": "friend"}]}
    link = house.post("/api/workshop/table", wish)["link"]
    return house.connect(link.removeprefix("/t/"))


def stall_worker(worker: Worker) -> None:
    """Makes of a process that takes long one that takes for ever, where the system can."""
    if sys.platform != "win32":
        assert worker._process.pid is not None
        os.kill(worker._process.pid, signal.SIGSTOP)


def test_while_a_table_takes_for_ever_all_others_go_on(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, seconds_sandboxed=FOR_EVER), stack)
        slow = table_by(house, fuse(TOO_LONG))
        (its_process,) = house.web.registry.processes._all
        stall_worker(its_process)
        beside = table_by(house, fuse(TOO_LONG))
        slow.say("reply", number=option_number(LIT), ask=slow.shown["ask"])
        host = set_up(house.post, "nim", ("me", "friend"))
        screen = house.connect(host)
        friend = house.connect(screen.shown["table"]["links"]["seats"]["1"].removeprefix("/t/"))
        play_on({0: screen, 1: friend})
        assert screen.shown["table"]["finished"]
        assert beside.reply(option_number(1))["at"] == 1, "so do others by the same rules"
        assert slow.shown["at"] == 0
    # What nobody will ever have an answer to does not keep a server from ending.


def hurried(worker: Worker, wanted: GameOpening | GameOperation, seconds: float) -> Any:
    """Gives replies little time, and all else as much as usual."""
    replies = isinstance(wanted, GameOperation) and wanted.operation is GameInPlay.reply
    return ask(worker, wanted, 0.5 if replies else seconds)


ask = Worker.ask


def test_what_takes_too_long_pauses_the_table_until_it_goes_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        house = House(replace(settings, seconds_sandboxed=FOR_EVER), stack)
        screen = table_by(house, fuse(TOO_LONG))
        with monkeypatch.context() as patched:
            patched.setattr(Worker, "ask", hurried)
            screen.say("reply", number=option_number(LIT), ask=screen.shown["ask"])
            screen.see(lambda shown: shown["table"]["paused"] is not None)
        screen.say("resume", after=0)
        friend = house.connect(str(everyone(screen.token, screen.shown)[1]))
        friend.say("agree")
        screen.see(lambda shown: shown["table"]["paused"] is None)
        assert screen.reply(option_number(1))["at"] == 1
    with ExitStack() as stack:
        house = House(settings, stack)
        assert house.connect(screen.token).shown["at"] == 1, "what was accepted is kept"


def test_a_table_that_takes_too_long_to_open_says_so(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(settings, stack)
        token = table_by(house, fuse(TOO_LONG)).token
        other = set_up(house.post, "nim", ("me", "me"))
    with ExitStack() as stack:
        house = House(replace(settings, seconds_sandboxed=1e-6), stack)
        screen = house.open(token)
        assert screen.hear()["code"] == "too_long"
        with pytest.raises(WebSocketDisconnect) as ended:
            screen.hear()
        assert ended.value.code == STOPPED
        assert house.client.get(f"/api/scene/{token}").status_code == 503
        assert house.connect(other).shown["at"] == 0


def test_rules_that_never_come_to_a_first_question_get_no_table() -> None:
    at_once = f"      {TOO_LONG}\n      repeat 3 times:"
    bomb = fuse(TOO_LONG).replace("      repeat 3 times:", at_once)
    impatient = Processes(1, 0.5)
    try:
        with pytest.raises(OutOfBounds, match="too_long"):
            SandboxedGame(impatient, stored_table(), files(bomb))
        assert not impatient._all
    finally:
        impatient.close()


@pytest.mark.full
def test_after_a_restart_nothing_is_opened_before_somebody_looks(settings: Settings) -> None:
    with ExitStack() as stack:
        house = House(settings, stack)
        token = table_by(house, fuse(TOO_LONG)).token
    with ExitStack() as stack:
        house = House(settings, stack)
        house.get("/api/games")
        assert not house.web.registry._open
        assert not house.web.registry.processes._all
        house.connect(token)
        assert len(house.web.registry.processes._all) == 1


@pytest.fixture
def processes() -> Iterator[Processes]:
    found = Processes(2, FOR_EVER, reads=[ROOT])
    yield found
    found.close()


def greedy(game: GameInPlay) -> int:
    """A deed that needs more memory than there is for it."""
    return len(b"x" * (LITTLE * 2))


def huge(game: GameInPlay) -> str:
    """One whose answer is larger than any picture."""
    return "x" * (LARGEST + 1)


def nosy(game: GameInPlay, path: str) -> str:
    """A deed that reads a file of somebody."""
    try:
        return Path(path).read_text()
    except OSError as error:
        return errno.errorcode[error.errno or 0]


@pytest.mark.skipif(not has_landlock(), reason="this system has no Landlock")
def test_a_game_cannot_read_the_tables(processes: Processes, tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite3").write_text("all hands")
    game = SandboxedGame(processes, stored_table(), files(fuse(TOO_LONG)))
    assert game.do(nosy, str(tmp_path / "tables.sqlite3")) == "EACCES"


@pytest.mark.parametrize("deed", sample([greedy, huge], test=2))
def test_what_needs_too_much_is_refused(deed: Callable[[GameInPlay], object]) -> None:
    processes = Processes(1, FOR_EVER, LITTLE, [ROOT])
    try:
        game = SandboxedGame(processes, stored_table(), files(fuse(TOO_LONG)))
        with pytest.raises(OutOfBounds, match="too_much"):
            game.do(deed)
        answered, standing = game.do(GameInPlay.reply, 0, option_number(1), 0, "en")
        assert (answered.choice, standing.asks) == ("say 1", {1: 1})
    finally:
        processes.close()


def test_a_game_that_lost_its_process_goes_on_from_what_was_kept(processes: Processes) -> None:
    first = SandboxedGame(processes, stored_table(), files(fuse(TOO_LONG)))
    reply, _ = first.do(GameInPlay.reply, 0, option_number(1), 0, "en")
    first.given.append(reply)
    unkept, _ = first.do(GameInPlay.reply, 1, option_number(3), 1, "en")
    assert unkept.choice == "say 3"
    others = [SandboxedGame(processes, stored_table(), files(fuse(TOO_LONG))) for _ in range(3)]
    assert len(processes._all) == 2, "the one that has rested longest gives up its process"
    assert first.do(GameInPlay.standing).asks == {1: 1}
    for each in (first, *others):
        each.close()
    assert not processes._all


def test_all_replies_of_a_game_together_are_bounded() -> None:
    """Else a table could be played to a point from which it cannot be opened again in time."""
    game = GameInPlay(lawspeaker.load("nim"), stored_table(), most_spent=0)
    with pytest.raises(Refused, match="too long"):
        game.reply(0, 0, 0, "en")
    assert game.standing().asks == {0: 0}


@pytest.mark.parametrize(
    "text, replies",
    [
        ("lawspeaker: 1\n", []),
        (fuse(TOO_LONG), [KeptReply(0, 0, "sing")]),
        (fuse(TOO_LONG), [KeptReply(5, 0, "say 1")]),
        (fuse("ben scores 1 / (spark - 1)"), [KeptReply(0, option_number(LIT), "say 77")]),
    ],
)
def test_what_cannot_be_played_again_says_so(
    processes: Processes, text: str, replies: list[KeptReply]
) -> None:
    with pytest.raises(Broken):
        SandboxedGame(processes, stored_table(), files(text), replies)
    assert not processes._all


def test_a_refusal_comes_back_as_it_was(processes: Processes) -> None:
    game = SandboxedGame(processes, stored_table(), files(fuse(TOO_LONG)))
    with pytest.raises(Refused) as refused:
        game.do(GameInPlay.reply, 0, 0, 5, "en")
    assert (refused.value.code, refused.value.clause) == ("stale", "turn")
    assert len(processes._all) == 1, "and costs nothing"


class Evil:
    """What a process could pickle to have code run in the server."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("echo taken over >&2",)


def answering(content: bytes) -> Callable[[Connection, int, object], None]:
    """What a process does that rules have taken over: it answers everything with these bytes."""

    def work(line: Connection, memory: int, reads: object) -> None:
        while True:
            line.recv()
            line.send_bytes(content)

    return work


LIES = {
    "pickle": pickle.dumps(("done", Evil())),
    "no JSON": b"{",
    "no UTF-8": b'["done", "\xed\xa0\x80"]',
    "half a character": b'["done", "\\ud800"]',
    "nested": b"[" * 100_000,
    "another shape": b'["done", {"finished": 1, "asks": {}}]',
    "unknown": b'["done", {"finished": true, "asks": {}, "more": 1}]',
    "a number that is none": b'["done", {"finished": true, "asks": {"x": 1}}]',
    "no kind": b'[{}, "x"]',
    "a refusal without words": b'["refused", {"code": "stale"}]',
}


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("content", LIES.values(), ids=LIES)
def test_what_is_no_answer_is_refused_and_the_process_ended(
    content: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The game is open already; then its process answers something else."""
    monkeypatch.setattr(sandbox, "beginning", lambda: get_context("fork"))
    monkeypatch.setattr(sandbox, "_work", answering(content))
    monkeypatch.setattr(SandboxedGame, "_opened", lambda self: self._processes.new())
    processes = Processes(1, FOR_EVER)
    try:
        game = SandboxedGame(processes, stored_table(), ())
        (worker,) = processes._all
        with pytest.raises(OutOfBounds, match="our_fault"):
            game.do(GameInPlay.standing)
        assert not processes._all
        assert worker._process.exitcode == -signal.SIGKILL
        assert "malformed" in caplog.text
    finally:
        processes.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_a_process_that_stops_in_the_middle_of_its_answer_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work(line: Connection, memory: int, reads: object) -> None:
        line.recv()
        os.write(line.fileno(), (100).to_bytes(4, "big") + b"half of it")
        line.recv()

    monkeypatch.setattr(sandbox, "beginning", lambda: get_context("fork"))
    monkeypatch.setattr(sandbox, "_work", work)
    worker = Worker(0)
    try:
        with pytest.raises(OutOfBounds, match="too_long"):
            worker.ask(GameOperation(GameInPlay.standing, (), {}), 0.01)
    finally:
        worker.end()


def test_a_draft_cannot_take_the_place_of_other_rules(house: House) -> None:
    """Texts of rules are kept under a digest that the process which reads them cannot choose."""
    table_by(house, fuse(TOO_LONG))
    rules = house.web.registry.store._base.execute("SELECT digest FROM rules")
    assert [digest.partition("-")[0] for (digest,) in rules] == ["draft"]
