"""A table that is paused, since a reply could not be carried out.

A fault that merely refused a reply would be an oracle: a player could try one reply after the
other, and learn what is hidden from which of them fault. So a fault stops the game for everybody.
The reply is kept, and nobody may answer any more. Those at the table may agree to go on from an
earlier point, or the game is ended, without winners.

All are told the same: that the rules have a hole here. Which clause faulted, at which reply and why
may hang on what is hidden. These details are for whoever maintains the rules. They are shown where
they tell nobody anything: when the game was ended, where the rules keep no secrets, and to somebody
who plays alone.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from lawspeaker.match.decision import Option
from lawspeaker.match.log.record import FAULT, LoggedFault
from lawspeaker.match.match import Match, RuleFault


@dataclass(frozen=True, slots=True)
class Paused:
    """The reply of a seat to a clause that could not be carried out. `code` is why (see
    `LoggedFault`), `details` what the rules say, and `asked` are all to whom the question was put.
    `ended`: the game was then ended."""

    seat: int
    choice: str
    clause: str
    asked: tuple[int, ...] = ()
    code: str = FAULT
    details: str = ""
    ended: bool = False

    @classmethod
    def of(cls, fault: LoggedFault, details: str = "") -> Paused:
        """The same, as a log has it."""
        return cls(
            fault.seat, fault.choice, fault.clause, (), fault.code, details, ended=fault.ended
        )

    def logged(self) -> LoggedFault:
        return LoggedFault(self.seat, self.choice, self.clause, self.code, self.ended)

    def text(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self), ensure_ascii=False)


def paused_of(text: str) -> Paused | None:
    """From its text; an empty one stands for a game that goes on. Raises ValueError, TypeError."""
    if not text:
        return None
    data = json.loads(text)
    return Paused(**{**data, "asked": tuple(data["asked"])})


def carried_out(match: Match, option: Option, seat: int) -> RuleFault | None:
    """Gives a reply, and asks what comes next: a fault in the next question is a fault of this
    reply, since nobody could go on from there. After a fault the match is as it was before."""
    before = len(match.replies)
    try:
        match.choose(option, seat=seat)
        _ = match.decisions
    except RuleFault as fault:
        match.rewind(before)
        return fault
    return None
