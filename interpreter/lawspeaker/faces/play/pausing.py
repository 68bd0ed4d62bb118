"""Pauses a game when a reply cannot be carried out.

A fault that merely refused the reply would be an oracle: a player could try one reply after the
other, and infer hidden things from which of them fault. So a fault stops the game for everybody.
The reply is recorded, and nobody may answer any more. The players may agree to resume from an
earlier point, or the game is ended without winners.

All get the same message: that the rules have a hole here. Which clause faulted, at which reply and
why may depend on hidden things. These details are for the maintainer of the rules. They are shown
where they reveal nothing: when the game was ended, where the rules keep no secrets, and to somebody
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
    """The reply of a seat that could not be carried out.

    `clause` is the clause that asked, `code` the kind of fault (see `LoggedFault`), `details` the
    message of the rules, and `asked` are all to whom the question was put. `ended` means that the
    game was then ended.
    """

    seat: int
    choice: str
    clause: str
    asked: tuple[int, ...] = ()
    code: str = FAULT
    details: str = ""
    ended: bool = False

    @classmethod
    def of(cls, fault: LoggedFault, details: str = "") -> Paused:
        """Restores it from a log."""
        return cls(
            fault.seat, fault.choice, fault.clause, (), fault.code, details, ended=fault.ended
        )

    def logged(self) -> LoggedFault:
        return LoggedFault(self.seat, self.choice, self.clause, self.code, self.ended)

    def text(self) -> str:
        """Serializes it for the store."""
        return json.dumps(asdict(self), ensure_ascii=False)


def paused_of(text: str) -> Paused | None:
    """Parses a stored pause; None for an empty text. Raises ValueError or TypeError."""
    if not text:
        return None
    data = json.loads(text)
    return Paused(**{**data, "asked": tuple(data["asked"])})


def carried_out(match: Match, option: Option, seat: int) -> RuleFault | None:
    """Applies a reply and computes the next question; returns the fault if that fails.

    A fault in the next question counts as a fault of this reply, since the game could not continue.
    After a fault, or an internal error, the match is rewound.
    """
    before = len(match.replies)
    try:
        match.choose(option, seat=seat)
        _ = match.decisions
    except RuleFault as fault:
        match.rewind(before)
        return fault
    except BaseException:
        match.rewind(before)
        raise
    return None
