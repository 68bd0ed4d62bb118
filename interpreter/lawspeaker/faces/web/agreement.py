"""Proposals that need the consent of the people at a table: undo, bot, seat,
rules, resume, end.

    undo    undoing further than is fair (see `match/undo.py`): all other people at the table must
            agree, also those who are disconnected
    bot     letting a bot play for somebody who is disconnected: those who are connected must agree
    seat    handing the seat of somebody who has been away for long to another person: those who are
            connected must agree
    rules   moving the table to corrected rules: the host proposes it, and all other people must
            agree
    resume  resuming from an earlier point a game that a fault of the rules has paused (see
            `faces/play/pausing.py`): the host proposes it, and all other people must agree
    end     ending such a game: the host may, unless he was asked himself; then those who are
            connected must agree, so that nobody ends a game by provoking a fault

There is at most one open proposal. It is dropped when somebody declines, when its proposer makes
another one, or when the game goes on. Like a reply, it is stored before it is broadcast.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

UNDO, BOT, SEAT, RULES, RESUME, END = "undo", "bot", "seat", "rules", "resume", "end"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open proposal: what was proposed, by whom, and who must still agree.

    `by` are the seats of the proposer, `needs` those whose people must agree. `seat` is the seat
    whose reply is taken back, or that the bot `strength` takes over; `after` is the number of
    replies after which a paused game resumes. `about` is the hash of the link by which somebody
    else gets the seat, or digest and name of the corrected rules.
    """

    kind: str
    by: frozenset[int]
    seat: int
    needs: frozenset[int]
    strength: str = ""
    agreed: frozenset[int] = frozenset()
    after: int = 0
    about: str = ""

    @property
    def passed(self) -> bool:
        return self.needs <= self.agreed

    def with_consent(self, seats: Iterable[int]) -> Proposal:
        """Returns a copy to which the people of `seats` have agreed as well."""
        return replace(self, agreed=self.agreed | (self.needs & set(seats)))

    def text(self) -> str:
        """Serializes the proposal as JSON, for the store."""
        by, needs, agreed = sorted(self.by), sorted(self.needs), sorted(self.agreed)
        fixed = [self.kind, by, self.seat, needs, self.strength, agreed]
        return json.dumps([*fixed, self.after, self.about])


def proposed(text: str) -> Proposal | None:
    """Parses a stored proposal; returns None for an empty text."""
    if not text:
        return None
    kind, by, seat, needs, strength, agreed, *after = json.loads(text)
    own, wanted, given = frozenset(by), frozenset(needs), frozenset(agreed)
    return Proposal(kind, own, seat, wanted, strength, given, *after)
