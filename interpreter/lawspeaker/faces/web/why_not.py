"""Explains why a clicked thing cannot be chosen: returns the rule that forbids it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.play.shown import Rule, Shown, ShownNote
from lawspeaker.faces.web.question import question
from lawspeaker.faces.web.what_is import what_is
from lawspeaker.match.match import Match
from lawspeaker.telling.labels import Labels


def why_not(match: Match, seat: int | None, text: str, language: str) -> dict[str, Any]:
    """Returns the rule that forbids a choice, given as a thing in the picture or in words.

    If no rule is about it, there is no `clause`: the question just does not ask for it. A `reason`
    is then given only if it can be put in words, such as that the thing is elsewhere.
    """
    offered, reason = False, ""
    for said in _ways_to_say(text):
        shown = answers.why_not(match, seat, said, language)[0]
        if isinstance(shown, Rule):
            return rule_data(shown)
        refusal = match.why_not(said, seat)
        offered = offered or (refusal.offered and _can_be_pointed_at(match, seat, text, language))
        if refusal.elsewhere is not None and isinstance(shown, ShownNote):
            reason = reason or shown.text
    return {
        "offered": offered,
        "clause": "",
        "sentence": phrase("web.not_with_these", language)
        if offered
        else phrase("why.no_choice", language, text=text),
        "reason": reason,
        "rule": "",
        "citations": [],
        "guards": [],
    }


def _can_be_pointed_at(match: Match, seat: int | None, text: str, language: str) -> bool:
    """Whether something is not a thing in the picture, or is one that belongs to an answer.

    A thing with the name of an answer that belongs to somebody else does not.
    """
    view = match.view(seat)
    if what_is(view, Labels(view), text, language, view.layout) is None:
        return True
    asks = question(view, Labels(view), language)
    return asks is not None and any(text in each["things"] for each in asks["options"])


def rule_data(shown: Shown) -> dict[str, Any]:
    """Converts a rule to JSON."""
    assert isinstance(shown, Rule)
    return {
        "offered": False,
        "clause": shown.id,
        "sentence": shown.sentence,
        "reason": "",
        "rule": shown.rule if shown.rule != shown.sentence else "",
        "citations": list(shown.sources),
        "guards": [list(pair) for pair in shown.guards],
    }


def _ways_to_say(text: str) -> Iterator[str]:
    """Yields a piece with its place and without it."""
    yield text
    piece, inside, _ = text.partition(" in ")
    if inside:
        yield piece
    bare = re.sub(r" at \d+$", "", text)
    if bare != text:
        yield bare
