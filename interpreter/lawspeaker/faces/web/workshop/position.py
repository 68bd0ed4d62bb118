"""Shows the effect of a change on one position: the options that appear or disappear.

A game is played by the original rules up to the position. The same replies are then given by the
current rules, as far as they are legal: if one is not, or if others are asked, the games diverge
earlier, and that position is shown. The options under both rules are listed side by side; for an
option that only one offers, the rule that forbids it in the other is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from lawspeaker.base.counts import nearest_count
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.scene import log, players
from lawspeaker.faces.web.why_not import why_not
from lawspeaker.faces.web.workshop.trial_positions import Files, Place, played, program_of
from lawspeaker.match.decision import Decision, IllegalChoice
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.study.compare.lockstep import Reply, pending_questions, standing
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import option_name

SAME, NEW, GONE = "same", "new", "gone"
MOST_OPTIONS = 300
MOST_EXPLAINED = 60
MOST_TOLD = 30


@dataclass(frozen=True, slots=True)
class Both:
    """Two matches after the same replies, and why they went no further."""

    one: Match
    other: Match
    parted: str


def looked_at(
    before: Files, after: Files, place: Place, language: str, shape: str
) -> dict[str, Any]:
    """Returns the position under both rules, as one screen shows it."""
    own = program_of(after)
    count = nearest_count(own.counts, place.players)
    spoken = language if language in own.languages else own.languages[0]
    replies = played(before, count, place.seed)
    try:
        both = _in_step(before, after, count, place, replies, spoken)
    except RuleFault as fault:
        return {"players": count, "last": len(replies), "at": 0, "broken": str(fault)}
    return {
        "players": count,
        "last": len(replies),
        "at": len(both.other.replies),
        "broken": "",
        "parted": both.parted,
        **_shown(both, spoken, shape),
    }


def _in_step(
    before: Files,
    after: Files,
    players: int,
    place: Place,
    replies: tuple[Reply, ...],
    language: str,
) -> Both:
    one = Match(program_of(before), players, place.seed)
    other = Match(program_of(after), players, place.seed)
    for reply in replies[: place.replies]:
        try:
            other.choose(reply.text, seat=reply.seat)
        except IllegalChoice:
            return Both(one, other, _why_it_ends(one, other, reply, language))
        except RuleFault as fault:
            return Both(one, other, str(fault))
        one.choose(reply.text, seat=reply.seat)
    return Both(one, other, "")


def _why_it_ends(one: Match, other: Match, reply: Reply, language: str) -> str:
    """Returns why a reply under the original rules is illegal under the current ones."""
    if other.finished:
        return phrase("story.end", language)
    refused = _refusal(other, reply.seat, reply.text, language)
    if refused is not None and (refused["clause"] or refused["reason"]):
        return str(refused["reason"] or refused["sentence"])
    name = _offered(one, language).get((reply.seat, reply.text), reply.text)
    return phrase("why.no_choice", language, text=name)


def _shown(both: Both, language: str, shape: str) -> dict[str, Any]:
    one, other = both.one, both.other
    decision = other.decision
    seat = None if decision is None else decision.seat
    view = other.view(seat)
    alike = standing(one) == standing(other)
    return {
        "seat": seat,
        "svg": draw(view, language, shape, Labels(view)),
        "was": None if alike else draw(one.view(seat), language, shape),
        "people": players(view.layout, language),
        "scores": [list(one.scores), list(other.scores)],
        "finished": [one.finished, other.finished],
        "question": None if decision is None else _question(other, decision, language),
        "asked_before": None if one.decision is None else _question(one, one.decision, language),
        "options": list(_options(one, other, language)),
        "happened": _happened(one, other, seat, language),
    }


def _question(match: Match, decision: Decision, language: str) -> dict[str, Any]:
    rule = answers.rule(match.program, decision.clause, language, decision)
    return {
        "seat": decision.seat,
        "prompt": decision.prompt_in(language),
        "clause": rule.id,
        "rule": rule.sentence,
        "citations": list(rule.sources),
    }


def _happened(one: Match, other: Match, seat: int | None, language: str) -> list[dict[str, str]]:
    """Returns the diff of the story of the last reply between both rules."""
    then, now = (_story(match, seat, language) for match in (one, other))
    found = []
    for line in unified_diff(then, now, n=0, lineterm=""):
        if not line.startswith(("---", "+++", "@@")):
            found.append({"text": line[1:], "change": NEW if line[0] == "+" else GONE})
    return found[:MOST_TOLD]


def _story(match: Match, seat: int | None, language: str) -> list[str]:
    """Returns the story of the last reply, line by line."""
    given = len(match.replies)
    labels = Labels(match.view(seat))
    entries = log(match, seat, language, labels, max(0, given - 1))
    return [line["text"] for each in entries if each["reply"] == given for line in each["lines"]]


def _options(one: Match, other: Match, language: str) -> Iterator[dict[str, Any]]:
    """Yields all options under either rules; those that differ have the rule that forbids them."""
    offered = [_offered(match, language) for match in (one, other)]
    differing = offered[0].keys() ^ offered[1].keys()
    explained = 0
    for key in list({**offered[1], **offered[0]})[:MOST_OPTIONS]:
        seat, text = key
        change = SAME if key not in differing else NEW if key in offered[1] else GONE
        why = None
        if change != SAME and explained < MOST_EXPLAINED:
            explained += 1
            refusing = one if change == NEW else other
            why = _refusal(refusing, seat, text, language)
        name = offered[change != GONE][key]
        yield {"seat": seat, "text": text, "name": name, "change": change, "why": why}


def _offered(match: Match, language: str) -> dict[tuple[int | None, str], str]:
    found: dict[tuple[int | None, str], str] = {}
    for decision in match.decisions:
        labels = Labels(match.view(decision.seat))
        for option in decision.options:
            found[decision.seat, option.text] = option_name(option, labels, language)
    return found


def _refusal(match: Match, seat: int | None, text: str, language: str) -> dict[str, Any] | None:
    if match.decision is None or all(each.seat != seat for each in match.decisions):
        return None
    return why_not(match, seat, text, language)


def sought(before: Files, after: Files, players: int, seed: int) -> Iterator[dict[str, Any]]:
    """Searches for a game that shows the change, yielding its progress."""
    own, number = program_of(after), 0
    count = nearest_count(own.counts, players)
    while True:
        replies = played(before, count, seed + number)
        found = _parting(before, after, count, seed + number, replies)
        yield {"games": number + 1, "seed": seed + number, "at": found}
        if found is not None:
            return
        number += 1


def _parting(
    before: Files, after: Files, players: int, seed: int, replies: tuple[Reply, ...]
) -> int | None:
    """Returns the number of replies after which two games diverge; None if they do not."""
    try:
        one, other = (Match(program_of(each), players, seed) for each in (before, after))
        for at, reply in enumerate((*replies, None)):
            if pending_questions(one) != pending_questions(other) or standing(one) != standing(
                other
            ):
                return at
            if reply is not None:
                one.choose(reply.text, seat=reply.seat)
                other.choose(reply.text, seat=reply.seat)
    except RuleFault:
        return None
    return None
