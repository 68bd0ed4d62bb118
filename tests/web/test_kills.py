"""Killed again and again at random moments while people play, a server loses nothing.

The server is a process that begins where everything has been read already, so that most of the
time it is being played on.
"""

from __future__ import annotations

import time
from http.client import HTTPException
from multiprocessing import get_context
from pathlib import Path
from random import Random
from threading import Event, Thread

from websockets.exceptions import WebSocketException

from lawspeaker.faces.cli.serve import listening
from lawspeaker.faces.web.store import Store
from tests.tiers import pick
from tests.web.conftest import PATIENCE, Served
from tests.web.nursery import GAMES, serve
from tests.web.visitors import Screen, set_up

KILLS = pick(test=1, full=3, nightly=1000)
PLAYERS = 4
MOST_REPLIES = 12
"""A server lives for so many replies at most, and for some moments more."""
MOMENTS = 0.05


class Nursery(Served):
    """A server that begins in a moment."""

    def __init__(self, data: Path) -> None:
        self.context = get_context("forkserver")
        self.context.set_forkserver_preload(["tests.web.nursery"])
        super().__init__(data)

    def start(self, port: int = 0) -> None:
        if not self.url:
            with listening("127.0.0.1", port) as free:
                self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        self.server = self.context.Process(target=serve, args=(self.data, self.port), daemon=True)
        self.server.start()

    def kill(self) -> None:
        self.server.kill()
        self.server.join(PATIENCE)


class Player:
    """Plays table after table, and writes down what was acknowledged: by the token of a table, the
    replies in their order."""

    def __init__(self, served: Served, number: int) -> None:
        self.served = served
        self.luck = Random(number)
        self.told: dict[str, list[str]] = {}
        self.given = 0
        self.lost: list[str] = []

    def play(self, enough: Event) -> None:
        token = ""
        while not enough.is_set():
            try:
                token = token or self._new_table()
                screen = self.served.connect(token)
                if self._go_on(screen, token, enough):
                    token = ""
                screen.leave()
            except (OSError, HTTPException, WebSocketException):
                time.sleep(0.01)  # the server is gone, perhaps in the middle of an answer
            except Exception as error:
                self.lost.append(repr(error))
                raise

    def _new_table(self) -> str:
        token = set_up(self.served.post, self.luck.choice(GAMES), ("me", "me"))
        self.told[token] = []
        return token

    def _go_on(self, screen: Screen, token: str, enough: Event) -> bool:
        """Plays until the game is over, or the server is gone."""
        told = self.told[token]
        at = screen.shown["at"]
        if not len(told) <= at <= len(told) + 1:
            self.lost.append(f"{len(told)} replies were told, and there are {at}")
        del told[at:]
        while not screen.shown["table"]["finished"]:
            if enough.is_set():
                return False
            self._reply(screen, told)
        return True

    def _reply(self, screen: Screen, told: list[str]) -> None:
        screen.look()
        if len(told) < screen.shown["at"]:
            told.append("")  # it was kept, but the server was killed before it could say so
        number = self.luck.randrange(len(screen.options))
        text = screen.options[number]
        screen.reply(number)
        told.append(text)
        self.given += 1


def acknowledged_replies(players: list[Player]) -> int:
    """How many replies were acknowledged."""
    return sum(each.given for each in players)


def test_nothing_that_was_told_is_lost(tmp_path: Path) -> None:
    served = Nursery(tmp_path / "tables")
    players = [Player(served, number) for number in range(PLAYERS)]
    enough = Event()
    playing = [Thread(target=each.play, args=(enough,)) for each in players]
    luck = Random(KILLS)
    for each in playing:
        each.start()
    try:
        for _ in range(KILLS):
            enough_replies = acknowledged_replies(players) + luck.randrange(MOST_REPLIES)
            while acknowledged_replies(players) < enough_replies:
                assert all(each.is_alive() for each in playing), [each.lost for each in players]
                time.sleep(0.001)
            time.sleep(luck.uniform(0, MOMENTS))
            served.restart()
    finally:
        enough.set()
        for thread in playing:
            thread.join()
        served.close()
        served.kill()

    told = {token: replies for each in players for token, replies in each.told.items()}
    store = Store(tmp_path / "tables")
    for token, replies in told.items():
        link = store.link(token)
        assert link is not None, "a table is lost"
        kept = [each.choice for each in store.replies(link.table)]
        assert len(replies) <= len(kept) <= len(replies) + 1
        assert all(was in ("", there) for was, there in zip(replies, kept, strict=False))
    store.close()
    assert not [lost for each in players for lost in each.lost]
    print(f"{KILLS} kills, {len(told)} tables, {acknowledged_replies(players)} replies: none lost")
