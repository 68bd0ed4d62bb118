"""Seats at a table and the links that lead to them.

A link is all the proof there is: who has it, has the seat. So a link cannot be guessed (192 bits
from the system's source of randomness) and is not stored: the database knows the fingerprints of
links, and whoever steals it can sit down nowhere.

A friend gets an invitation from the host. Invitations are derived from the host's own link by
HMAC, so that they can be shown to the host again, and nobody can come from one of them to another.
Since the host knows them, an invitation is not yet a seat: who accepts it gets a link of his own,
which the host does not know, and the invitation is void. So not even the host sees a friend's hand.
That it was used is remembered, to tell whoever comes with it a second time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawspeaker.base import lettering
from lawspeaker.base.phrases import phrase

BYTES = 24
NOT_YET = 0
ROLES = HOST, SEAT, INVITATION, WATCH = "host", "seat", "invitation", "watch"
USED = "used"
"""What an invitation becomes when it is accepted: it opens nothing any more."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}\Z")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits somewhere. `bot` is the bot that plays now, empty while the person does.

    `person`: the seat is a person's, who can take it back from a bot. `taken`: an invited person
    has sat down there. `invited` counts the invitations to this seat, from 0. `ready`: as far as
    this person is concerned the game can begin. `passing`: how long it passes by itself where it
    may step in (`match/stepping_in`), and which stretch of play that is about; only for itself.
    """

    person: bool
    bot: str = ""
    nick: str = ""
    taken: bool = False
    invited: int = 0
    ready: bool = False
    passing: str = ""
    stretch: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """What a link opens: a table, as what, and for which seats.

    `role` is host (perhaps with seats), seat, invitation (to one seat) or watch. Links of a table
    that is still to be stored have no number of a table yet.
    """

    table: int
    role: str
    seats: tuple[int, ...] = ()

    @property
    def host(self) -> bool:
        return self.role == HOST

    @property
    def watches(self) -> bool:
        return self.role == WATCH

    @property
    def invites(self) -> bool:
        return self.role == INVITATION


def nick_trouble(nick: str, others: Iterable[str], language: str) -> str | None:
    """Why somebody cannot be called so at a table, as a sentence; None if he can. Nobody may be
    taken for somebody else, so a name must look like what it is, and like no other one."""
    if lettering.strange(nick) is not None:
        return phrase("table.strange_name", language)
    look = _look(nick)
    if look and any(look == _look(other) for other in others):
        return phrase("table.name_taken", language, name=nick)
    return None


def _look(nick: str) -> str:
    return lettering.skeleton(nick).casefold()


def new_token() -> str:
    """The secret of a new link that is derived from no other."""
    return secrets.token_urlsafe(BYTES)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token; all others need not be looked up."""
    return _TOKEN.match(text) is not None


def fingerprint(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


def invitation(host: str, seat: int, number: int = 0) -> str:
    """The secret of an invitation to a seat: the first one, or a later one."""
    return _derived(host, f"seat {seat} {number}")


def watch_token(host: str) -> str:
    """The secret of the onlookers' link."""
    return _derived(host, "watch")


def _derived(host: str, purpose: str) -> str:
    mixed = hmac.new(host.encode(), purpose.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(mixed[:BYTES]).decode()


def links(host: str, own: Sequence[int], friends: Sequence[int]) -> dict[str, Link]:
    """All links of a new table by their tokens: the host's, the friends', the onlookers'."""
    found = {host: Link(NOT_YET, HOST, tuple(own)), watch_token(host): Link(NOT_YET, WATCH)}
    for seat in friends:
        found[invitation(host, seat)] = Link(NOT_YET, INVITATION, (seat,))
    return found
