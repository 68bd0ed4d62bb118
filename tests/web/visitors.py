"""Visitors of the server: sends what a browser may send, and keeps what it receives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

Message = dict[str, Any]
RULES = "kuhn_poker"


class Line(Protocol):
    """A socket: of the test client, or a real one."""

    def send(self, text: str) -> None: ...

    def receive(self) -> str: ...

    def close(self) -> None: ...


class Screen:
    """One connected browser. It keeps all it was told, as texts; `token` is that of its link."""

    def __init__(self, line: Line, token: str) -> None:
        self.line = line
        self.token = token
        self.texts: list[str] = []
        self.shown: Message = {}

    def say(self, kind: str, **fields: Any) -> None:
        self.line.send(json.dumps({"type": kind, **fields}))

    def leave(self) -> None:
        self.line.close()

    def hear(self) -> Message:
        """The next message."""
        text = self.line.receive()
        self.texts.append(text)
        message: Message = json.loads(text)
        if message["type"] in ("scene", "table"):
            self.shown = {**self.shown, **message}
        return message

    def hear_until(self, wanted: Callable[[Message], bool]) -> Message:
        while not wanted(message := self.hear()):
            pass
        return message

    def answer_to(self, kind: str, **fields: Any) -> Message:
        """What is said back to something, scenes and notes left aside."""
        self.say(kind, **fields)
        return self.hear_until(lambda message: message["type"] not in ("scene", "table", "note"))

    def see(self, wanted: Callable[[Message], bool]) -> Message:
        """The first scene, from the one that is shown on, which is as it is wanted."""
        while not self.shown or not wanted(self.shown):
            self.hear()
        return self.shown

    def look(self) -> None:
        """Opens the curtain, if there is one: whoever is asked looks at the screen."""
        if self.shown["curtain"] is not None:
            self.say("face", seat=self.shown["curtain"])
            self.see(lambda shown: shown["seat"] is not None)

    def see_at(self, at: int) -> Message:
        return self.see(lambda scene: scene["at"] >= at)

    @property
    def asked(self) -> bool:
        return self.shown.get("ask") is not None

    @property
    def options(self) -> list[str]:
        return [each["text"] for each in self.shown["scene"]["question"]["options"]]

    def reply(self, number: int = 0) -> Message:
        """Answers the question that is shown, and waits until that has been done."""
        at = self.shown["at"]
        self.say("reply", number=number, ask=self.shown["ask"])
        return self.see_at(at + 1)


def sit_down(screen: Screen) -> str:
    """Waits for the first scene; at an invitation, accepts it and gives the token of the seat."""
    while not screen.shown:
        if screen.hear()["type"] == "invite":
            link: str = screen.answer_to("sit", name="")["link"]
            return link.removeprefix("/t/")
    return screen.token


def put_together(parts: Sequence[str | list[int]], shown: Sequence[str]) -> list[str]:
    """All parts of a picture, from those that came and those of the picture that is shown."""
    found: list[str] = []
    for part in parts:
        found += shown[part[0] : part[1]] if isinstance(part, list) else [part]
    return found


class Poster(Protocol):
    """Whatever can send a request with a JSON body."""

    def __call__(self, path: str, body: Mapping[str, Any]) -> Message: ...


def set_up(
    post: Poster, rules: str = RULES, seats: Sequence[str] = ("me", "friend"), **more: Any
) -> str:
    """A new table; gives the token of its host."""
    body = {"rules": rules, "seats": [{"who": each} for each in seats], **more}
    link: str = post("/api/tables", body)["link"]
    return link.removeprefix("/t/")


def everyone(host: str, scene: Message) -> dict[int | None, str]:
    """By seat, the tokens the host's screen shows: its own, invitations, and the onlookers'."""
    links = scene["table"]["links"]
    found: dict[int | None, str] = dict.fromkeys(scene["you"]["seats"], host)
    for seat, link in links["seats"].items():
        found[int(seat)] = link.removeprefix("/t/")
    found[None] = links["watch"].removeprefix("/watch/")
    return found


def play_on(screens: Mapping[int, Screen], most: int = 10_000) -> int:
    """Everyone takes the first option until the game is over, or for so many replies."""
    given = 0
    while given < most:
        at = max(screen.shown["at"] for screen in screens.values())
        for screen in screens.values():
            screen.see_at(at)
        if any(screen.shown["table"]["finished"] for screen in screens.values()):
            break
        asked = next(screen for screen in screens.values() if screen.asked)
        asked.reply((at * 7) % len(asked.options))
        given += 1
    return given
