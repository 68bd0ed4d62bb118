"""Replays a logged game under other rules and reports the first divergence.

The log is replayed by its own rules and by the others, reply by reply. Events may differ, or a
reply may be illegal; another order of events is no difference if the position is the same. After
the first difference both continue until a reply is refused, so that scores can be compared as far
as that makes sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.ir.walk import guards_of
from lawspeaker.match.events import Event, event_text
from lawspeaker.match.log import Log
from lawspeaker.match.match import Match
from lawspeaker.match.replay import Replay, ReplayStep
from lawspeaker.study.compare.lockstep import pending_questions, standing
from lawspeaker.telling.story import Story

MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The first divergence: after which reply (0: at the start), and by which clause or guard.

    `answered` is that reply in words. `then` and `now` are the events by the log's own rules and
    by the others; a refused reply has no `now`, and `message` says why.
    """

    reply: int
    answered: str
    refused: bool
    clause: str
    says: str
    cites: tuple[ir.Citation, ...]
    message: str
    then: tuple[str, ...]
    now: tuple[str, ...]
    scores_then: tuple[int, ...]
    scores_now: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """Result of a replay: `last` is the last reply that both could play, with the scores there;
    `stopped` says why it ends early, if so.
    """

    replies: int
    first: Otherwise | None
    last: int
    scores_then: tuple[int, ...]
    scores_now: tuple[int, ...]
    stopped: str
    finished: bool


def replayed_under(log: Log, own: ir.Program, other: ir.Program, language: str) -> ReplayResult:
    """Replays a log by its own rules and by others."""
    then, now = Replay(own, log, strict=False), Replay(other, log, strict=False)
    first: Otherwise | None = None
    last, stopped = 0, ""
    scores: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    for one, two in zip_longest(then, now):
        if one is None or two is None or one.refused or two.refused:
            step = two if two is not None and two.refused else one
            if two is not None and two.refused and two.difference is not None:
                stopped = two.difference.message
                if first is None:
                    first = _refused(then, now, two, scores, language)
            elif step is not None and step.difference is not None:
                stopped = step.difference.message
            break
        assert then.match is not None
        assert now.match is not None
        last = one.number
        if first is None:
            first = _otherwise(then.match, now.match, one, two, language)
        scores = (tuple(then.match.scores), tuple(now.match.scores))
    finished = bool(then.match and then.match.finished and now.match and now.match.finished)
    return ReplayResult(len(log.replies), first, last, *scores, stopped, finished)


def _otherwise(
    match: Match, rival: Match, one: ReplayStep, two: ReplayStep, language: str
) -> Otherwise | None:
    """The divergence at a step, if any."""
    left, right = (
        [(e.kind, event_text(m.machine, e)) for e in events]
        for m, events in ((match, one.events), (rival, two.events))
    )
    same = left == right or standing(match) == standing(rival)
    if same and [_who(each) for each in pending_questions(match)] == [
        _who(each) for each in pending_questions(rival)
    ]:
        return None
    at = next(
        (n for n, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1]),
        min(len(left), len(right)),
    )
    clause = _acting(rival, two.events, at)
    return Otherwise(
        one.number,
        _answered(match, one, language),
        False,
        clause.id,
        ir.in_language(clause.says, language),
        clause.cites,
        "",
        *_sides((match, one.events[at:]), (rival, two.events[at:]), language),
        tuple(match.scores),
        tuple(rival.scores),
    )


def _who(asked: object) -> tuple[object, object]:
    return getattr(asked, "seat", None), getattr(asked, "clause", None)


def _acting(match: Match, events: Sequence[Event], at: int) -> ir.Clause:
    """The clause that causes the new event, or asks the new question."""
    if at < len(events):
        return match.program.clauses[events[at].clause]
    if match.decision is not None:
        return match.decision.clause
    number = events[-1].clause if events else match.program.main
    return match.program.clauses[number]


def _refused(
    then: Replay,
    now: Replay,
    step: ReplayStep,
    scores: tuple[tuple[int, ...], tuple[int, ...]],
    language: str,
) -> Otherwise:
    """The divergence of a reply that the other rules do not allow."""
    difference = step.difference
    assert difference is not None
    program = now.program
    clauses = {clause.id: clause for clause in program.clauses}
    guard = guards_of(program).get(difference.clause)
    says: ir.Texts = {}
    cites: tuple[ir.Citation, ...] = ()
    if guard is not None:
        says, cites = guard.says, guard.cites
    elif difference.clause in clauses:
        says, cites = clauses[difference.clause].says, clauses[difference.clause].cites
    answered = "" if step.reply is None else step.reply.choice
    if then.match is not None and step.number:
        answered = _answered(then.match, step, language)
    told: tuple[str, ...] = ()
    if then.match is not None and step.number:
        told = _told(then.match, then.match.events_of(step.number - 1), language)
    return Otherwise(
        step.number,
        answered,
        True,
        difference.clause,
        ir.in_language(says, language),
        cites,
        difference.message,
        told,
        (),
        *scores,
    )


def _answered(match: Match, step: ReplayStep, language: str) -> str:
    if step.reply is None:
        return ""
    chosen = match.replies[step.number - 1].name(language)
    if step.reply.seat is None:
        return chosen
    return colon(match.machine.layout.name(ir.PLAYER, step.reply.seat, language), chosen, language)


def _told(match: Match, events: Sequence[Event], language: str) -> tuple[str, ...]:
    story = Story(match.machine, "all", language)
    lines = [line.said(match.machine.layout, language) for line in story.lines(events)]
    if len(lines) > MOST_LINES:
        more = len(lines) - MOST_LINES + 1
        lines = [*lines[: MOST_LINES - 1], phrase("under.more", language, count=more)]
    return tuple(lines)


def _sides(
    one: tuple[Match, Sequence[Event]], other: tuple[Match, Sequence[Event]], language: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The events on both sides; if neither has any, the questions."""
    then, now = _told(*one, language), _told(*other, language)
    if not then and not now:
        return _asked(one[0], language), _asked(other[0], language)
    nothing = (phrase("under.nothing", language),)
    return then or nothing, now or nothing


def _asked(match: Match, language: str) -> tuple[str, ...]:
    """The current questions, if nothing else distinguishes the two."""
    found = [
        phrase(
            "under.asked",
            language,
            player=match.machine.layout.name(ir.PLAYER, each.seat, language),
            prompt=each.prompt_in(language),
        )
        for each in match.decisions
        if each.seat is not None
    ]
    return tuple(found) or (phrase("under.nothing", language),)
