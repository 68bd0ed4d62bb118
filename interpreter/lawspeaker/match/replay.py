"""Replays a logged game and reports where it diverges.

A `Replay` yields a `ReplayStep` for the start and for each reply: the reply, its events, and the
first difference from the log, if any. It stops there; `strict=False` continues as long as the
replies are legal, to try another rulebook on an old game.

A log may end with a reply at which the rules faulted. It is yielded last, and must fault again;
the match stays in the state before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.base.counts import counts_in_sentence
from lawspeaker.base.diagnostics import Diagnostic, RulesError
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.events import Event
from lawspeaker.match.log.fingerprints import (
    fingerprint,
    fingerprinted,
    first_difference,
    position_fingerprint,
)
from lawspeaker.match.log.reader import BadLog, from_json
from lawspeaker.match.log.record import FAULT, Log, LoggedFault, LoggedReply
from lawspeaker.match.match import Match
from lawspeaker.match.scripted_chance import ImpossibleLuck

BUNDLE = "play it by its own rules: a log that was saved with a bundle carries them"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first divergence: after which reply (0: the start), and by which clause."""

    reply: int
    clause: str
    message: str
    span: Span = NOWHERE

    def diagnostic(self) -> Diagnostic:
        where = f"reply {self.reply}" if self.reply else "the start"
        message = f"{where}, clause `{self.clause}`: {self.message}"
        return Diagnostic("log-differs", message, self.span, hint=BUNDLE)

    def to_json(self) -> dict[str, Any]:
        return {"reply": self.reply, "clause": self.clause, "message": self.message}


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """The start (number 0), or a reply (from 1) and its events.

    `refused`: it could not be played, so the replay ends. `fault` is the message of a fault that
    the log recorded.
    """

    number: int
    reply: LoggedReply | None
    events: tuple[Event, ...]
    difference: Difference | None = None
    refused: bool = False
    fault: str = ""


class Replay:
    """Iterator over the steps of a replay; `match` is its current state."""

    def __init__(self, program: ir.Program, log: Log, *, strict: bool = True) -> None:
        self.program = program
        self.log = log
        self.strict = strict
        self.match: Match | None = None
        self.difference: Difference | None = None

    def __iter__(self) -> Iterator[ReplayStep]:
        started = self._start()
        yield started
        if self._stops(started):
            return
        for number, reply in enumerate(self.log.replies, 1):
            step = self._step(number, reply)
            yield step
            if self._stops(step):
                return
        if self.log.fault is not None:
            step = self._faulted(len(self.log.replies) + 1, self.log.fault)
            yield step
            self._stops(step)

    def _faulted(self, number: int, logged: LoggedFault) -> ReplayStep:
        """Replays the reply at which the game was paused; resource limits are not reproduced."""
        assert self.match is not None
        reply = LoggedReply(logged.seat, logged.choice, logged.clause, "", logged.span)
        if logged.code != FAULT:
            return ReplayStep(number, reply, (), None, True, logged.code)
        again = self.match.copy()
        try:
            again.choose(logged.choice, seat=logged.seat)
            _ = again.decisions  # computing the next question may fault
        except RuleFault as fault:
            return ReplayStep(number, reply, (), None, True, str(fault))
        except (IllegalChoice, ImpossibleLuck) as error:
            return self._refused(number, reply, logged.clause, str(error))
        message = "the rules faulted at this reply, and do not any more"
        return self._refused(number, reply, logged.clause, message)

    def _stops(self, step: ReplayStep) -> bool:
        if step.difference is not None and self.difference is None:
            self.difference = step.difference
        return step.refused or (self.strict and step.difference is not None)

    def _start(self) -> ReplayStep:
        log, main = self.log, self.program.clauses[self.program.main].id
        if log.players not in self.program.counts:
            counts = counts_in_sentence(self.program.counts)
            message = f"{log.players} played, and the rules are for {counts} players"
            return self._refused(0, None, main, message)
        try:
            self.match = Match(
                self.program,
                log.players,
                log.seed,
                log.chance,
                log.discretion,
                luck=log.luck or None,
            )
        except RuleFault as fault:
            return self._refused(0, None, fault.clause, str(fault))
        except ImpossibleLuck as impossible:
            return self._refused(0, None, main, str(impossible))
        self.match.rules = log.rules
        events = tuple(self.match.events)
        found = None
        if not log.replies:
            found = self._ending(0)
        found = self._other_events(0, events, log.opening, main, log.span) or found
        return ReplayStep(0, None, events, found)

    def _step(self, number: int, reply: LoggedReply) -> ReplayStep:
        match = self.match
        assert match is not None
        asked = next((each for each in match.decisions if each.seat == reply.seat), None)
        try:
            match.choose(reply.choice, seat=reply.seat)
        except IllegalChoice as illegal:
            message = f"`{reply.choice}` is not allowed: {illegal.message}"
            clause = illegal.clause.id if illegal.guard is None else _guard(self.program, illegal)
            return self._refused(number, reply, clause, message)
        except RuleFault as fault:
            return self._refused(number, reply, fault.clause, str(fault))
        except ImpossibleLuck as impossible:
            return self._refused(number, reply, reply.clause, str(impossible))
        events = tuple(match.events_of(number - 1))
        found = None
        if asked is not None and asked.clause.id != reply.clause:
            message = f"it was asked by `{reply.clause}`"
            found = Difference(number, asked.clause.id, message, reply.span)
        found = found or self._other_events(number, events, reply.print, reply.clause, reply.span)
        if found is None and number == len(self.log.replies):
            found = self._ending(number)
        return ReplayStep(number, reply, events, found)

    def _refused(
        self, number: int, reply: LoggedReply | None, clause: str, message: str
    ) -> ReplayStep:
        span = self.log.span if reply is None else reply.span
        return ReplayStep(
            number, reply, (), Difference(number, clause, message, span), refused=True
        )

    def _other_events(
        self, number: int, events: tuple[Event, ...], logged: str, clause: str, span: Span
    ) -> Difference | None:
        match = self.match
        assert match is not None
        now = fingerprint(match.machine, events)
        if now == logged:
            return None
        at = first_difference(now, logged)
        if at < len(fingerprinted(events)):
            event = fingerprinted(events)[at]
            clause = self.program.clauses[event.clause].id
            message = f"now {match.tell(event)}, which is not what happened then"
        else:
            clause = self.program.clauses[events[-1].clause].id if events else clause
            message = "less happens than happened then"
        return Difference(number, clause, message, span)

    def _ending(self, number: int) -> Difference | None:
        match, result = self.match, self.log.result
        assert match is not None
        last = match.events[-1].clause if match.events else self.program.main
        clause = self.program.clauses[last].id
        if result is None:
            if match.finished:
                message = "the game is over, and the log does not say so"
                return Difference(number, clause, message, self.log.span)
            return None
        if not match.finished:
            message = "the game is not over, and was then"
        elif tuple(match.scores) != result.scores:
            message = f"the scores are {match.scores}, and were {list(result.scores)}"
        elif tuple(match.winners) != result.winners:
            message = f"the winners are {list(match.winners)}, and were {list(result.winners)}"
        elif position_fingerprint(match.machine, match.state) != result.position:
            message = "the last position is another than it was"
        else:
            return None
        return Difference(number, clause, message, result.span)


def _guard(program: ir.Program, illegal: IllegalChoice) -> str:
    assert illegal.guard is not None
    return f"{program.clauses[illegal.guard.clause].id}.{illegal.guard.name}"


def replayed(program: ir.Program, logged: Mapping[str, Any] | Log) -> Match:
    """Replays a log and returns the match at its end; raises RulesError if it diverges."""
    try:
        log = logged if isinstance(logged, Log) else from_json(logged)
    except BadLog as bad:
        raise RulesError([Diagnostic("bad-log", bad.message, NOWHERE, hint=bad.hint)]) from None
    replay = Replay(program, log)
    for _ in replay:
        pass
    if replay.difference is not None:
        raise RulesError([replay.difference.diagnostic()])
    assert replay.match is not None
    return replay.match
