"""Renders a replayed game step by step, as text and as JSON."""

from __future__ import annotations

from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, numeral
from lawspeaker.ir.types import PLAYER
from lawspeaker.match.events import event_text
from lawspeaker.match.log import Log
from lawspeaker.match.match import Match
from lawspeaker.match.replay import Replay, ReplayStep
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.story import Story

BY = {
    "installed": "played by the rules of that name, which have not changed",
    "bundle": "played by the rules it carries; those of that name have changed or are gone",
    "changed": "played by the rules of today, which have changed",
}


def head(log: Log, title: str, by: str) -> str:
    """Formats the heading: the rules, the table, and the players."""
    replies = "1 reply" if len(log.replies) == 1 else f"{len(log.replies)} replies"
    seats = f": {', '.join(log.seats)}" if log.seats else ""
    state = "" if log.result is not None else ", not finished"
    if log.fault is not None:
        state = ", ended by a fault" if log.fault.ended else ", paused by a fault"
    return "\n".join(
        [
            f"{title} ({log.rules}), {log.players} players{seats}",
            f"seed {log.seed}, {log.discretion}, {replies}{state}",
            BY[by],
        ]
    )


class Teller:
    """Narrates the steps of one replay in order, in one language."""

    def __init__(self, match: Match, language: str) -> None:
        self.match = match
        self.language = language
        self.story = Story(
            match.machine, "all", language, circumstances=Circumstances(match, "all")
        )

    def step(self, step: ReplayStep) -> str:
        """Narrates a reply and its effects."""
        lines = [phrase("replay.start", self.language)]
        if step.reply is not None:
            who = _who(self.match, step.reply.seat, self.language)
            told = colon(who, self._choice(step), self.language)
            lines = [f"{step.number:>4}  {told}  [{step.reply.clause}]"]
        if step.fault:
            lines.append(f"        {phrase('replay.fault', self.language, fault=step.fault)}")
        alone = sum(event.kind == "choose" for event in step.events) == 1
        for line in self.story.lines(step.events):
            if line.kind == "choose" and alone:
                continue
            lines.append(f"        {line.said(self.match.machine.layout, self.language)}")
        return "\n".join(lines)

    def _choice(self, step: ReplayStep) -> str:
        assert step.reply is not None
        if step.refused:
            return step.reply.choice
        return self.match.replies[step.number - 1].name(self.language)

    def ending(self) -> str:
        """Formats the final scores, which match the log."""
        match, language = self.match, self.language
        layout = match.machine.layout
        scores = ", ".join(
            f"{layout.holder_name(side[0], language)} {numeral(match.scores[side[0]])}"
            for side in layout.sides
        )
        lines = [colon(phrase("word.points", language), scores, language)]
        return "\n".join([*lines, phrase("replay.same", language)])


def _who(match: Match, seat: int | None, language: str) -> str:
    if seat is None:
        return phrase("replay.luck", language)
    return match.machine.layout.name(PLAYER, seat, language)


def step_json(match: Match, step: ReplayStep) -> dict[str, Any]:
    program = match.program
    return {
        "number": step.number,
        "seat": None if step.reply is None else step.reply.seat,
        "choice": None if step.reply is None else step.reply.choice,
        "clause": None if step.reply is None else step.reply.clause,
        "events": [
            {
                "kind": event.kind,
                "clause": program.clauses[event.clause].id,
                "text": event_text(match.machine, event),
            }
            for event in step.events
        ],
        **({"fault": step.fault} if step.fault else {}),
    }


def to_json(replay: Replay, by: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Converts a replay to JSON for `replay --json`, following schema/replay.schema.json."""
    log, match, difference = replay.log, replay.match, replay.difference
    return {
        "rules": log.rules,
        "digest": log.digest,
        "by": by,
        "players": log.players,
        "seats": list(log.seats),
        "seed": log.seed,
        "replies": len(log.replies),
        "same": difference is None,
        "difference": None if difference is None else difference.to_json(),
        "finished": match is not None and match.finished,
        "scores": [] if match is None else match.scores,
        "winners": [] if match is None else list(match.winners),
        "steps": steps,
    }
