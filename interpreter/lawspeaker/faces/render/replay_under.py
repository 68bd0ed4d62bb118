"""Renders a logged game under other rules, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import numeral
from lawspeaker.faces.render.words import books
from lawspeaker.match.log import Log
from lawspeaker.study.compare.replay_under import Otherwise, ReplayResult

WIDTH = 80


def text(
    found: ReplayResult,
    log: Log,
    name: str,
    players: Sequence[str],
    language: str,
    width: int = WIDTH,
) -> str:
    """Renders where the games diverge, and the scores under both rules."""
    return "\n".join(_Telling(found, log, name, players, language, width).lines())


@dataclass(frozen=True, slots=True)
class _Telling:
    """Renders the result of a log under the rules `name` in one language."""

    found: ReplayResult
    log: Log
    name: str
    players: Sequence[str]
    language: str
    width: int

    def phrase(self, key: str, **values: object) -> str:
        return phrase(f"replay.under.{key}", self.language, **values)

    def inside(self, words: str) -> str:
        return fill(words, self.width, initial_indent="  ", subsequent_indent="  ")

    def lines(self) -> Iterator[str]:
        found, first = self.found, self.found.first
        if first is None:
            same = self.phrase("same", count=found.replies, name=self.name)
            yield fill(same, self.width)
            yield _scores(self.phrase("both"), found.scores_now, self.players)
            return
        where = self.phrase("reply", number=first.reply) if first.reply else self.phrase("start")
        where += f" ({first.answered})" if first.answered else ""
        key = "refused" if first.refused else "otherwise"
        yield fill(self.phrase(key, where=where, name=self.name), self.width)
        if first.refused:
            yield self.inside(first.message)
        yield self.inside(self.by(first))
        yield ""
        yield f"  {self.phrase('rules', rules=self.log.rules)}"
        yield from (f"    {line}" for line in first.then)
        if not first.refused:
            yield f"  {self.phrase('rules', rules=self.name)}"
            yield from (f"    {line}" for line in first.now)
        yield ""
        yield from self.how_far()

    def by(self, first: Otherwise) -> str:
        told = books(first.cites, self.language)
        line = phrase("compare.by", self.language, id=first.clause, says=first.says)
        return line + (f" [{told}]" if told else "")

    def how_far(self) -> Iterator[str]:
        found, rules = self.found, self.log.rules
        reached = {"last": found.last, "count": found.replies}
        if found.finished:
            yield self.phrase("to_the_end")
        elif found.stopped:
            yield fill(self.phrase("then", **reached, stopped=found.stopped), self.width)
        else:
            yield self.phrase("up_to", **reached)
        wide = max(len(rules), len(self.name))
        yield _scores(f"{rules:{wide}}", found.scores_then, self.players)
        yield _scores(f"{self.name:{wide}}", found.scores_now, self.players)


def _scores(title: str, scores: Sequence[int], players: Sequence[str]) -> str:
    told = ", ".join(
        f"{player} {numeral(points)}" for player, points in zip(players, scores, strict=False)
    )
    return f"  {title}  {told}"


def to_json(found: ReplayResult, log: Log, name: str) -> dict[str, Any]:
    """Converts the result to JSON for `replay --under --json`, following
    schema/replay-under.schema.json."""
    first = found.first
    return {
        "rules": log.rules,
        "under": name,
        "replies": found.replies,
        "same": first is None,
        "first": None
        if first is None
        else {
            "reply": first.reply,
            "answered": first.answered,
            "refused": first.refused,
            "clause": first.clause,
            "says": first.says,
            "message": first.message,
            "cites": [
                {"source": each.source, "section": each.section, "stance": each.stance}
                for each in first.cites
            ],
            "then": list(first.then),
            "now": list(first.now),
            "scores_then": list(first.scores_then),
            "scores_now": list(first.scores_now),
        },
        "last": found.last,
        "finished": found.finished,
        "stopped": found.stopped,
        "scores_then": list(found.scores_then),
        "scores_now": list(found.scores_now),
    }
