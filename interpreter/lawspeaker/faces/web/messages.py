"""What a browser says, read and checked before anything is done with it.

Each message is one JSON object of a known `type`; the dataclasses below say which fields each
type has. Whatever else comes is answered with a `BadMessage` that says what was expected, and
changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from lawspeaker.base import lettering
from lawspeaker.faces.web.pace import LONGEST_CLOCK

LARGEST_MESSAGE = 4 * 1024
"""The most characters a message to a table may have."""
LARGEST_BODY = 512 * 1024
"""The most bytes the body of a request may have, and a message to the workshop: drafts."""
LONGEST_TEXT = 300
LONGEST_NICK = 24
LARGEST_NUMBER = 1 << 40
LARGEST_SEED = (1 << 63) - 1
MOST_SEATS = 64

ME, FRIEND = "me", "friend"


class BadMessage(Exception):
    """A message that cannot be understood: a word for a code, and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


# -------------------------------------------------------------------- over the WebSocket


@dataclass(frozen=True, slots=True)
class Message:
    """Something a connected browser says."""


@dataclass(frozen=True, slots=True)
class Reply(Message):
    """Option `number` of the question `ask`; or with a `text`, an answer that was typed."""

    number: int
    ask: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class WhyNot(Message):
    """Why something is not offered: words, or what is called so on the table."""

    text: str = ""
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Rule(Message):
    """A clause in full; without a name, that of the question."""

    clause: str = ""


@dataclass(frozen=True, slots=True)
class WhatIs(Message):
    """What something on the table is."""

    thing: str


@dataclass(frozen=True, slots=True)
class Points(Message):
    seat: int


@dataclass(frozen=True, slots=True)
class Undo(Message):
    """Takes back the own last reply; `anyway` asks the others whether it may be."""

    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Passing(Message):
    """Where the seat may step in, it passes by itself `until` then; empty: it is asked again."""

    until: str = ""


@dataclass(frozen=True, slots=True)
class Hint(Message):
    """What would a bot do here?"""


@dataclass(frozen=True, slots=True)
class Resume(Message):
    """The host proposes to go on with a game that a fault has paused, after so many replies."""

    after: int


@dataclass(frozen=True, slots=True)
class End(Message):
    """The host ends a game that a fault has paused."""


@dataclass(frozen=True, slots=True)
class Agree(Message):
    pass


@dataclass(frozen=True, slots=True)
class Decline(Message):
    pass


@dataclass(frozen=True, slots=True)
class LetBot(Message):
    """A bot is to play for a seat."""

    seat: int
    strength: str


@dataclass(frozen=True, slots=True)
class TakeBack(Message):
    """The person is back, and plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Sit(Message):
    """Accepts an invitation, under a name if one likes."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Free(Message):
    """Takes a seat away from whoever was invited to it, and invites anew."""

    seat: int


@dataclass(frozen=True, slots=True)
class Face(Message):
    """Several people at one screen: it is this seat's player who looks at it now."""

    seat: int


@dataclass(frozen=True, slots=True)
class Speak(Message):
    language: str


@dataclass(frozen=True, slots=True)
class Shape(Message):
    """How the table is to be drawn: wide, square, or tall as a phone."""

    shape: str


@dataclass(frozen=True, slots=True)
class Say(Message):
    """Something to everybody at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Sign(Message):
    """The same with one sign."""

    sign: str


@dataclass(frozen=True, slots=True)
class Remind(Message):
    """Those who are waited for are to be reminded."""


@dataclass(frozen=True, slots=True)
class Ready(Message):
    """In the lobby: one's own seats are ready, or not after all."""

    ready: bool = True


@dataclass(frozen=True, slots=True)
class Begin(Message):
    """The host begins, whether all are ready or not."""


@dataclass(frozen=True, slots=True)
class Mine(Message):
    """The table belongs to the home of this key from now on."""

    key: str


@dataclass(frozen=True, slots=True)
class Rematch(Message):
    """The same people are to play again: the host's link to a table that was set up for that."""

    link: str


@dataclass(frozen=True, slots=True)
class Ping(Message):
    pass


MESSAGES: Mapping[str, type[Message]] = {
    "reply": Reply,
    "whynot": WhyNot,
    "rule": Rule,
    "what": WhatIs,
    "points": Points,
    "undo": Undo,
    "passing": Passing,
    "hint": Hint,
    "resume": Resume,
    "end": End,
    "agree": Agree,
    "decline": Decline,
    "bot": LetBot,
    "back": TakeBack,
    "sit": Sit,
    "free": Free,
    "face": Face,
    "language": Speak,
    "shape": Shape,
    "say": Say,
    "sign": Sign,
    "remind": Remind,
    "ready": Ready,
    "begin": Begin,
    "mine": Mine,
    "rematch": Rematch,
    "ping": Ping,
}


def message(text: str) -> Message:
    """A message from its text; raises BadMessage."""
    if len(text) > LARGEST_MESSAGE:
        raise BadMessage("too_large", f"a message may have {LARGEST_MESSAGE:,} characters")
    data = parsed(text)
    kind = data.pop("type", None)
    found = MESSAGES.get(kind) if isinstance(kind, str) else None
    if found is None:
        known = ", ".join(MESSAGES)
        raise BadMessage("bad_message", f"`type` must be one of {known}")
    return _filled(found, data, f"`{kind}`")


def parsed(text: str | bytes) -> dict[str, Any]:
    """A JSON object from its text; raises BadMessage."""
    try:
        # Bytes are UTF-8: the JSON reader alone would let halves of characters through.
        text = text.decode() if isinstance(text, bytes) else text
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadMessage("bad_message", "this is not JSON in UTF-8") from None
    if lettering.lone_surrogate(data):
        raise BadMessage("bad_message", "a text contains half of a surrogate pair: no character")
    if not isinstance(data, dict):
        raise BadMessage("bad_message", "a message is a JSON object")
    return data


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _filled(kind: type[Message], data: Mapping[str, Any], what: str) -> Message:
    """A message of a kind with its fields, each of the type it is declared with."""
    known = {each.name: each for each in fields(kind)}
    for name in data:
        if name not in known:
            raise BadMessage("bad_message", f"{what} has no `{clean(name[:40])}`")
    for name, each in known.items():
        if name not in data and each.default is MISSING:
            raise BadMessage("bad_message", f"{what} needs `{name}`")
    values = {name: _checked(value, str(known[name].type), name) for name, value in data.items()}
    return kind(**values)


def _checked(value: Any, wanted: str, name: str) -> Any:
    if wanted == "bool" and isinstance(value, bool):
        return value
    if wanted == "int" and _whole(value, LARGEST_NUMBER):
        return value
    if wanted == "str" and isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return clean(value)
    told = {"bool": "true or false", "int": "a whole number from 0"}
    expected = told.get(wanted, f"a text of at most {LONGEST_TEXT} characters")
    raise BadMessage("bad_message", f"`{name}` must be {expected}")


def _whole(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def clean(text: str) -> str:
    """A text without signs that cannot be shown or written: they could forge log lines."""
    shown = lettering.without_unseen(text)
    return "".join(sign if sign.isprintable() else " " for sign in shown)


# -------------------------------------------------------------------- in the body of a request


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who is to sit somewhere: `me`, a `friend`, or a bot by its name."""

    who: str
    nick: str = ""


@dataclass(frozen=True, slots=True)
class NewTable:
    """The wish for a new table. Without a seed, luck is drawn. `lobby`: the game begins when all
    are ready; `clock`: so many seconds everybody has, 0 for as many as one likes."""

    rules: str
    seats: tuple[Sitter, ...]
    language: str = ""
    seed: int | None = None
    discreet: bool = False
    lobby: bool = False
    clock: int = 0


@dataclass(frozen=True, slots=True)
class Branch:
    """The wish to play on from an earlier moment, at a table of its own."""

    after: int
    seats: tuple[Sitter, ...] = ()


def new_table(body: str | bytes) -> NewTable:
    """The wish a body holds; raises BadMessage."""
    return wished(parsed(body))


def wished(data: Mapping[str, Any]) -> NewTable:
    """The table that is wished for; raises BadMessage."""
    _only(data, ("rules", "seats", "language", "seed", "discreet", "lobby", "clock"))
    seed, discreet = data.get("seed"), data.get("discreet", False)
    lobby, clock = data.get("lobby", False), data.get("clock", 0)
    if seed is not None and not _whole(seed, LARGEST_SEED):
        raise BadMessage("bad_message", "`seed` must be a whole number from 0")
    if not isinstance(discreet, bool):
        raise BadMessage("bad_message", "`discreet` must be true or false")
    if not isinstance(lobby, bool):
        raise BadMessage("bad_message", "`lobby` must be true or false")
    if not _whole(clock, LONGEST_CLOCK):
        raise BadMessage("bad_message", f"`clock` must be 0 to {LONGEST_CLOCK:,} seconds")
    language = _text(data, "language", "")
    return NewTable(_text(data, "rules"), _sitters(data), language, seed, discreet, lobby, clock)


def branch(body: str | bytes) -> Branch:
    """The wish a body holds; raises BadMessage."""
    data = parsed(body)
    _only(data, ("after", "seats"))
    if not _whole(data.get("after"), LARGEST_NUMBER):
        raise BadMessage("bad_message", "`after` must be a whole number from 0")
    return Branch(data["after"], _sitters(data) if "seats" in data else ())


def _only(data: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in data:
        if name not in known:
            told = ", ".join(known)
            raise BadMessage("bad_message", f"`{clean(name[:40])}` is not known here, only {told}")


def _text(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise BadMessage("bad_message", f"`{name}` must be a text, {LONGEST_TEXT} at most")
    return clean(value)


def _sitters(data: Mapping[str, Any]) -> tuple[Sitter, ...]:
    seats = data.get("seats")
    if not isinstance(seats, list) or not 1 <= len(seats) <= MOST_SEATS:
        raise BadMessage("bad_message", f"`seats` must be a list of 1 to {MOST_SEATS} seats")
    return tuple(_sitter(each) for each in seats)


def _sitter(data: Any) -> Sitter:
    if not isinstance(data, dict) or not isinstance(data.get("who"), str):
        raise BadMessage("bad_message", 'a seat is {"who": "me"}, "friend" or the name of a bot')
    _only(data, ("who", "name"))
    nick = data.get("name", "")
    if not isinstance(nick, str) or len(nick) > LONGEST_NICK:
        raise BadMessage("bad_message", f"a name has at most {LONGEST_NICK} characters")
    return Sitter(data["who"], clean(nick).strip())
