"""A logged game under other rules, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

from lawspeaker.compare.under import Otherwise, Under
from lawspeaker.log import Log
from lawspeaker.render.words import books

WIDTH = 80


def text(found: Under, log: Log, name: str, players: Sequence[str], width: int = WIDTH) -> str:
    """What would have been otherwise, and the scores under both."""
    return "\n".join(_lines(found, log, name, players, width))


def _lines(found: Under, log: Log, name: str, players: Sequence[str], width: int) -> Iterator[str]:
    first = found.first
    if first is None:
        yield fill(
            f"All {found.replies} replies can be given under {name}, and everything comes out the "
            "same.",
            width,
        )
        yield _scores("score under both", found.scores_now, players)
        return
    where = f"Reply {first.reply}" if first.reply else "The start"
    answered = f" ({first.answered})" if first.answered else ""
    if first.refused:
        yield fill(f"{where}{answered} would not have been allowed under {name}.", width)
        yield fill(first.message, width, initial_indent="  ", subsequent_indent="  ")
    else:
        yield fill(f"{where}{answered} would have gone otherwise under {name}.", width)
    yield fill(_by(first), width, initial_indent="  ", subsequent_indent="  ")
    yield ""
    yield f"  by {log.rules}:"
    yield from (f"    {line}" for line in first.then)
    if not first.refused:
        yield f"  by {name}:"
        yield from (f"    {line}" for line in first.now)
    yield ""
    yield from _how_far(found, log, name, players, width)


def _by(first: Otherwise) -> str:
    told = books(first.cites)
    return f"by {first.clause}: {first.says}" + (f" [{told}]" if told else "")


def _how_far(
    found: Under, log: Log, name: str, players: Sequence[str], width: int
) -> Iterator[str]:
    if found.finished:
        yield "Both can be played to the end with these replies."
    elif found.stopped:
        yield fill(
            f"With these replies both go up to reply {found.last} of {found.replies}; then: "
            f"{found.stopped}",
            width,
        )
    else:
        yield f"With these replies both go up to reply {found.last} of {found.replies}."
    wide = max(len(log.rules), len(name))
    yield _scores(f"{log.rules:{wide}}", found.scores_then, players)
    yield _scores(f"{name:{wide}}", found.scores_now, players)


def _scores(title: str, scores: Sequence[int], players: Sequence[str]) -> str:
    told = ", ".join(f"{player} {points}" for player, points in zip(players, scores, strict=False))
    return f"  {title}  {told}"


def to_json(found: Under, log: Log, name: str) -> dict[str, Any]:
    """The answer of `replay --under --json`, as schema/replay-under.schema.json describes it."""
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
