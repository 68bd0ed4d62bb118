"""What a table must agree on before it is done.

Some things concern others than the one who wants them:

    undo    going back further than is fair (see `match/undo.py`): all other people at the table
            must agree, also those who are away
    bot     letting a bot play for somebody who is away: those people must agree who are here
    resume  going on from an earlier point with a game that a fault of the rules has paused (see
            `faces/play/pausing.py`): the host proposes it, and all other people must agree
    end     ending such a game: the host may, unless he was asked himself; then those people must
            agree who are here, so that nobody ends a game by provoking a fault

There is one open proposal at a time. It is dropped when somebody declines, when its proposer
proposes something else, or when the game goes on. Like a reply, it is stored before it is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

UNDO, BOT, RESUME, END = "undo", "bot", "resume", "end"


@dataclass(frozen=True, slots=True)
class Proposal:
    """`by` are the seats of who proposes it, `needs` those whose people must agree.

    `seat` is whose reply is taken back, or who is replaced by the bot `strength`; `after` is after
    how many replies a paused game is to go on.
    """

    kind: str
    by: frozenset[int]
    seat: int
    needs: frozenset[int]
    strength: str = ""
    agreed: frozenset[int] = frozenset()
    after: int = 0

    @property
    def passed(self) -> bool:
        return self.needs <= self.agreed

    def with_consent(self, seats: Iterable[int]) -> Proposal:
        """The same, to which the people of some more seats have agreed."""
        return replace(self, agreed=self.agreed | (self.needs & set(seats)))

    def text(self) -> str:
        """The proposal as it is stored."""
        by, needs, agreed = sorted(self.by), sorted(self.needs), sorted(self.agreed)
        return json.dumps([self.kind, by, self.seat, needs, self.strength, agreed, self.after])


def proposed(text: str) -> Proposal | None:
    """A proposal from its text; an empty one stands for none."""
    if not text:
        return None
    kind, by, seat, needs, strength, agreed, *after = json.loads(text)
    own, wanted, given = frozenset(by), frozenset(needs), frozenset(agreed)
    return Proposal(kind, own, seat, wanted, strength, given, *after)
