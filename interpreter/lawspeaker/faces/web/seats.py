"""Seats of a table, and the secret links to them.

A link is a capability: its holder has the seat. So a token has 192 bits from the system's random
source and is not stored: the database has only hashes of tokens, with which a thief can sit down
nowhere.

A friend gets an invitation from the host. Invitations are derived from the host's token by HMAC, so
that they can be shown to the host again, and none can be derived from another. Since the host knows
them, an invitation is not yet a seat: accepting it creates a new link that the host does not know,
and revokes the invitation. So not even the host sees a friend's hand. That it was used is stored,
to tell whoever opens it again.
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
ROLES = HOST, SEAT, INVITATION, WATCH, LISTED = "host", "seat", "invitation", "watch", "listed"
USED = "used"
"""The role of an invitation that was accepted: it opens nothing any more."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}\Z")


@dataclass(frozen=True, slots=True)
class Seat:
    """The occupant of a seat.

    `bot` is the bot that plays now, empty while the person does. `person` means that the seat is a
    person's, who can take it back from a bot; `taken` that an invited person has sat down there.
    `invited` counts the invitations to this seat, from 0; `inviter` is the seat from whose link the
    open one is derived, -1 for the host's. `bot_since` is the Unix time at which the bot took over.
    `ready` means that this person agrees to begin. `passing` tells how long the seat passes by
    itself where it may step in (`match/auto_pass`), `stretch` for which stretch of play; both are
    private to the seat.
    """

    person: bool
    bot: str = ""
    nick: str = ""
    taken: bool = False
    invited: int = 0
    ready: bool = False
    passing: str = ""
    stretch: str = ""
    inviter: int = -1
    bot_since: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """The grant of a link: a table, a role, and seats.

    `role` is host (perhaps with seats), seat, invitation (to one seat), watch, or listed: the link
    in the lobby, with which anybody can ask for a seat. Links of a table that is not yet stored
    have no table number.
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

    @property
    def listed(self) -> bool:
        return self.role == LISTED


def free_seats(seats: Sequence[Seat], hosts: Sequence[int]) -> list[int]:
    """Returns the seats of people for whom an invitation of the host is open."""
    return [
        number
        for number, each in enumerate(seats)
        if each.person and not each.taken and each.inviter < 0 and number not in hosts
    ]


def nick_trouble(nick: str, others: Iterable[str], language: str) -> str | None:
    """Returns why a name is not allowed at a table; None if it is.

    Names must not be confusable: no deceptive characters, and no look-alike of another name.
    """
    if lettering.strange(nick) is not None:
        return phrase("table.strange_name", language)
    look = _look(nick)
    if look and any(look == _look(other) for other in others):
        return phrase("table.name_taken", language, name=nick)
    return None


def _look(nick: str) -> str:
    return lettering.skeleton(nick).casefold()


def new_token() -> str:
    """Returns a new random token, derived from no other."""
    return secrets.token_urlsafe(BYTES)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token; others need not be looked up."""
    return _TOKEN.match(text) is not None


def fingerprint(token: str) -> bytes:
    """Returns the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).digest()


def invitation(host: str, seat: int, number: int = 0) -> str:
    """Derives the token of an invitation to a seat: the first one, or a later one."""
    return _derived(host, f"seat {seat} {number}")


def watch_token(host: str) -> str:
    """Derives the token of the onlookers' link."""
    return _derived(host, "watch")


def _derived(host: str, purpose: str) -> str:
    mixed = hmac.new(host.encode(), purpose.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(mixed[:BYTES]).decode()


def links(host: str, own: Sequence[int], friends: Sequence[int]) -> dict[str, Link]:
    """Returns all links of a new table by token: the host's, the friends', the onlookers'."""
    found = {host: Link(NOT_YET, HOST, tuple(own)), watch_token(host): Link(NOT_YET, WATCH)}
    for seat in friends:
        found[invitation(host, seat)] = Link(NOT_YET, INVITATION, (seat,))
    return found
