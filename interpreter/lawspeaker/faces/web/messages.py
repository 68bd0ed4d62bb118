"""Parses and validates the messages of a browser.

Each message is a JSON object of a known `type`; the dataclasses below declare the fields of each
type. Anything else raises a `BadMessage` that says what was expected, and changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from lawspeaker.base import lettering
from lawspeaker.faces.web.pace import LONGEST_CLOCK

LARGEST_MESSAGE = 4 * 1024
"""Maximum number of characters of a message to a table."""
LARGEST_BODY = 512 * 1024
"""Maximum number of bytes of a request body and of a message to the workshop, which contains
drafts."""
LONGEST_TEXT = 300
LONGEST_ADDRESS = 1024
"""Maximum length of an address at a push service."""
LONGEST_NICK = 24
LARGEST_NUMBER = 1 << 40
LARGEST_SEED = (1 << 63) - 1
MOST_SEATS = 64

ME, FRIEND = "me", "friend"


class BadMessage(Exception):
    """Raised for an invalid message: a code for programs, and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


# -------------------------------------------------------------------- over the WebSocket


@dataclass(frozen=True, slots=True)
class Message:
    """A message over the WebSocket of a table."""


@dataclass(frozen=True, slots=True)
class Reply(Message):
    """Answers the question `ask` with option `number`, or with a typed `text`."""

    number: int
    ask: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class WhyNot(Message):
    """Asks why something is not offered: given as words, or as a thing in the picture."""

    text: str = ""
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Rule(Message):
    """Asks for a clause in full; without an id, that of the question."""

    clause: str = ""


@dataclass(frozen=True, slots=True)
class WhatIs(Message):
    """Asks what a thing in the picture is."""

    thing: str


@dataclass(frozen=True, slots=True)
class Lesson(Message):
    """Asks for the first lesson of the game: its goal, its points and a turn."""


@dataclass(frozen=True, slots=True)
class Foresee(Message):
    """Asks for the immediate consequences of option `number` of the question `ask`."""

    number: int
    ask: int


@dataclass(frozen=True, slots=True)
class Points(Message):
    seat: int


@dataclass(frozen=True, slots=True)
class Undo(Message):
    """Takes back one's own last reply; `anyway` asks the others for consent."""

    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Passing(Message):
    """Lets a seat pass by itself `until` an event where it may step in; empty ends that."""

    until: str = ""


@dataclass(frozen=True, slots=True)
class Hint(Message):
    """Asks for a hint by a bot."""


@dataclass(frozen=True, slots=True)
class Resume(Message):
    """Proposes, as the host, to resume a game that a fault has paused after `after` replies."""

    after: int


@dataclass(frozen=True, slots=True)
class End(Message):
    """Ends, as the host, a game that a fault has paused."""


@dataclass(frozen=True, slots=True)
class Agree(Message):
    pass


@dataclass(frozen=True, slots=True)
class Decline(Message):
    pass


@dataclass(frozen=True, slots=True)
class LetBot(Message):
    """Lets a bot play for a seat."""

    seat: int
    strength: str


@dataclass(frozen=True, slots=True)
class TakeBack(Message):
    """Takes a seat back from a bot."""

    seat: int


@dataclass(frozen=True, slots=True)
class Sit(Message):
    """Accepts an invitation, optionally with a name."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Free(Message):
    """Takes a seat away from its guest, and creates a new invitation."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandOn(Message):
    """Proposes, while the host is away, to invite somebody else to the seat of an absent player."""

    seat: int


@dataclass(frozen=True, slots=True)
class Face(Message):
    """Tells which player is looking at a shared screen."""

    seat: int


@dataclass(frozen=True, slots=True)
class Speak(Message):
    language: str


@dataclass(frozen=True, slots=True)
class Shape(Message):
    """Sets the shape of the picture: wide, square, tall or low."""

    shape: str


@dataclass(frozen=True, slots=True)
class Say(Message):
    """Sends a chat line to everybody at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Sign(Message):
    """Sends an emoji to everybody at the table."""

    sign: str


@dataclass(frozen=True, slots=True)
class Remind(Message):
    """Reminds those who are to move."""


@dataclass(frozen=True, slots=True)
class Ready(Message):
    """Declares in the lobby that one's own seats are ready, or not."""

    ready: bool = True


@dataclass(frozen=True, slots=True)
class Begin(Message):
    """Begins the game as the host, even if not everybody is ready."""


@dataclass(frozen=True, slots=True)
class ListTable(Message):
    """Lists the table in the lobby of the server as its host, with a text, or takes it off."""

    listed: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Admit(Message):
    """Lets somebody in, as the host, who has asked for a seat from the lobby, or refuses him."""

    guest: int
    admit: bool = True


@dataclass(frozen=True, slots=True)
class Mail(Message):
    """Asks for mails to an `address` when the game waits for this seat; empty tells the state, `-`
    ends them."""

    address: str = ""


Address = str
"""A text as long as an address at a push service."""


@dataclass(frozen=True, slots=True)
class Push(Message):
    """Asks for a message to this browser by Web Push when the game waits for this seat.

    `endpoint` and the keys are its subscription. Without keys it asks whether it is so; `stop` ends
    it.
    """

    endpoint: Address = ""
    p256dh: str = ""
    auth: str = ""
    stop: bool = False


@dataclass(frozen=True, slots=True)
class Mine(Message):
    """Adds the table to the home of a key."""

    key: str


@dataclass(frozen=True, slots=True)
class Rematch(Message):
    """Offers a rematch: the host's link to a table that was set up for that."""

    link: str


@dataclass(frozen=True, slots=True)
class Ping(Message):
    pass


MESSAGES: Mapping[str, type[Message]] = {
    "reply": Reply,
    "whynot": WhyNot,
    "rule": Rule,
    "what": WhatIs,
    "lesson": Lesson,
    "foresee": Foresee,
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
    "hand_on": HandOn,
    "face": Face,
    "language": Speak,
    "shape": Shape,
    "say": Say,
    "sign": Sign,
    "remind": Remind,
    "ready": Ready,
    "begin": Begin,
    "list": ListTable,
    "admit": Admit,
    "mail": Mail,
    "push": Push,
    "mine": Mine,
    "rematch": Rematch,
    "ping": Ping,
}


def message(text: str) -> Message:
    """Parses a WebSocket message; raises BadMessage."""
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
    """Parses a JSON object; raises BadMessage."""
    try:
        # Bytes must be UTF-8: the JSON reader alone would accept lone surrogates.
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
    """Builds a message from its fields, each checked against its declared type."""
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
    longest = {"str": LONGEST_TEXT, "Address": LONGEST_ADDRESS}.get(wanted, 0)
    if longest and isinstance(value, str) and len(value) <= longest:
        return clean(value)
    told = {"bool": "true or false", "int": "a whole number from 0"}
    expected = told.get(wanted, f"a text of at most {longest} characters")
    raise BadMessage("bad_message", f"`{name}` must be {expected}")


def _whole(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def clean(text: str) -> str:
    """Removes invisible and unprintable characters from a text: they could forge log lines."""
    shown = lettering.without_unseen(text)
    return "".join(sign if sign.isprintable() else " " for sign in shown)


# -------------------------------------------------------------------- request bodies


@dataclass(frozen=True, slots=True)
class Sitter:
    """The wanted occupant of a seat: `me`, a `friend`, or a bot by name."""

    who: str
    nick: str = ""


@dataclass(frozen=True, slots=True)
class NewTable:
    """A request for a new table.

    Without a seed, a random one is drawn. With `lobby`, the game begins when all are ready; `clock`
    is the thinking time of each player in seconds, 0 for no clock.
    """

    rules: str
    seats: tuple[Sitter, ...]
    language: str = ""
    seed: int | None = None
    discreet: bool = False
    lobby: bool = False
    clock: int = 0


@dataclass(frozen=True, slots=True)
class Branch:
    """A request for a new table that continues from an earlier point of another."""

    after: int
    seats: tuple[Sitter, ...] = ()


def new_table(body: str | bytes) -> NewTable:
    """Parses a `NewTable`; raises BadMessage."""
    return wished(parsed(body))


def wished(data: Mapping[str, Any]) -> NewTable:
    """Validates the fields of a `NewTable`; raises BadMessage."""
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
    """Parses a `Branch`; raises BadMessage."""
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
