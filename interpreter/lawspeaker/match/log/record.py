"""Data model of a log, and its canonical text.

The text is JSON with a fixed order of keys, one reply per line, so that people can read it, diffs
are line by line, and errors can be reported by line.

    {"lawspeaker_log": 1,
    "rules": "sticks+greedy",
    …
    "replies": [
    {"seat": 0, "choice": "take 2", "clause": "turn", "print": "1f09c3aa"},
    …
    ]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawspeaker.base.source import NOWHERE, RuleFile, Span

VERSION = 1


@dataclass(frozen=True, slots=True)
class LoggedReply:
    """A reply: its seat (None: chance), the clause that asked, and the fingerprint of its
    events.
    """

    seat: int | None
    choice: str
    clause: str
    print: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "choice": self.choice,
            "clause": self.clause,
            "print": self.print,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """Final result; `position` is the fingerprint of the last position."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    position: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "scores": list(self.scores),
            "winners": list(self.winners),
            "position": self.position,
        }


FAULT, TOO_LONG, TOO_MUCH, OUR_FAULT = "fault", "too_long", "too_much", "our_fault"
CODES = (FAULT, TOO_LONG, TOO_MUCH, OUR_FAULT)


@dataclass(frozen=True, slots=True)
class LoggedFault:
    """The reply that failed and paused the game: its seat and clause.

    `code`: the rules faulted, exceeded time or memory limits, or the program failed. `ended`: the
    host has then ended the game, without winners.
    """

    seat: int
    choice: str
    clause: str
    code: str = FAULT
    ended: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "choice": self.choice,
            "clause": self.clause,
            "code": self.code,
            "ended": self.ended,
        }


@dataclass(frozen=True, slots=True)
class Log:
    """A logged game.

    `rules` is the name GAME[+VARIANT…] and `digest` the fingerprint of their texts; `seats` says
    who sat where; `opening` is the fingerprint of the events before the first reply; `bundle` the
    files of the rules, the entry file first and variants last; `luck` the scripted outcomes, see
    `scripted_chance`; `fault` is set if the game is paused, or was ended, because a reply failed.
    """

    rules: str
    digest: str
    players: int
    seats: tuple[str, ...]
    seed: int
    chance: str
    discretion: str
    opening: str
    replies: tuple[LoggedReply, ...]
    result: Result | None = None
    bundle: tuple[RuleFile, ...] = ()
    luck: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fault: LoggedFault | None = None
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain data in the format of schema/log.schema.json."""
        data: dict[str, Any] = {
            "lawspeaker_log": VERSION,
            "rules": self.rules,
            "digest": self.digest,
            "players": self.players,
            "seats": list(self.seats),
            "seed": self.seed,
            "chance": self.chance,
            "discretion": self.discretion,
            "opening": self.opening,
            "replies": [reply.to_json() for reply in self.replies],
        }
        if self.luck:
            data["luck"] = {key: list(entries) for key, entries in self.luck.items()}
        if self.result is not None:
            data["result"] = self.result.to_json()
        if self.fault is not None:
            data["fault"] = self.fault.to_json()
        if self.bundle:
            data["bundle"] = [each.to_json() for each in self.bundle]
        return data

    def text(self) -> str:
        """Canonical text: equal logs have equal texts, and the text parses back to the log."""
        lines = []
        for key, value in self.to_json().items():
            if key in ("replies", "bundle") and value:
                items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in value)
                lines.append(f'"{key}": [\n{items}\n]')
            else:
                lines.append(f'"{key}": {json.dumps(value, ensure_ascii=False)}')
        return "{" + ",\n".join(lines) + "}\n"
