"""The pace of a game: whom it waits for, the lobby, clocks, and chat.

**Waiting.** To whom a question was put, and when, is public. Which of several players have answered
is known to each of them alone, until all have.

**Lobby.** A table with friends may start in the lobby: no question is put before every player is
ready, or the host begins.

**Clock.** Each player has a number of seconds for the whole game. A clock runs while its player is
asked, in wall-clock time, even if he is disconnected. At zero nothing happens automatically: the
seat is marked as out of time, and from then on any player may let a bot play for it without consent
of the others. The player can take the seat back. The time for an answer is announced when all have
answered, since before that it would reveal who has.

**Talk.** Chat lines are stored with the table, up to a limit.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, replace

LONGEST_CLOCK = 30 * 24 * 60 * 60
LONGEST_LINE = 280
"""Maximum number of characters of a chat line."""
MOST_LINES = 500
"""Maximum number of chat lines stored for a table; older ones are deleted."""
SIGNS = ("👍", "👏", "😂", "😮", "😢", "🎉", "🤔", "⏳")
"""The emojis that can be sent."""
SAID, SIGN, REMINDER = "said", "sign", "reminder"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whom a game waits for.

    `since` is when the question was put, in Unix seconds, `asked` to whom, and `open` who of them
    has not answered. Each of these knows the latter only of himself.
    """

    since: int = 0
    asked: tuple[int, ...] = ()
    open: tuple[int, ...] = ()


NOBODY = Waiting()


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A chat line: its number, seat, Unix time, kind and text."""

    number: int
    seat: int
    at: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Pace:
    """Lobby and clocks of a table.

    `lobby` means that the game has not begun; `each` is the time of each player in seconds, 0 for
    no clock; `spent` is the time used, by seat.
    """

    lobby: bool = False
    each: int = 0
    spent: tuple[int, ...] = ()

    def text(self) -> str:
        return "" if self == AT_EASE else json.dumps(asdict(self))

    def after(self, needed: dict[int, int]) -> Pace:
        """Returns a copy with the time that seats needed for their answers added."""
        spent = tuple(gone + needed.get(seat, 0) for seat, gone in enumerate(self.spent))
        return replace(self, spent=spent)

    def out_of_time(self, seat: int, waiting: Waiting) -> bool:
        """Whether a seat that is asked has run out of time."""
        if not self.each or self.lobby or seat not in waiting.asked:
            return False
        return self.spent[seat] + int(time.time()) - waiting.since >= self.each


AT_EASE = Pace()


def pace_of(text: str, seats: int) -> Pace:
    """Parses a pace; raises ValueError and the like for an invalid one."""
    if not text:
        return AT_EASE
    data = json.loads(text)
    spent = tuple(int(each) for each in data["spent"])
    if len(spent) != seats:
        raise ValueError("a clock for each seat is expected")
    return Pace(bool(data["lobby"]), int(data["each"]), spent)
