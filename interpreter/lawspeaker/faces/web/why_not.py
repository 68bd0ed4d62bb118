"""Why something that was pointed at cannot be chosen: the rule that refuses it, in its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.play.shown import Note, Rule, Shown
from lawspeaker.match.match import Match


def why_not(match: Match, seat: int | None, text: str, language: str) -> dict[str, Any]:
    """What refuses a choice, told by a thing of the picture or in words.

    Without a rule that speaks of it there is no `clause`: it is then simply not asked for, and a
    `reason` is given only where it can be said in words, such as that it lies elsewhere.
    """
    offered, reason = False, ""
    for said in _ways_to_say(text):
        shown = answers.why_not(match, seat, said, language)[0]
        if isinstance(shown, Rule):
            return rule_data(shown)
        refusal = match.why_not(said, seat)
        offered = offered or refusal.offered
        if refusal.elsewhere is not None and isinstance(shown, Note):
            reason = reason or shown.text
    key = "why.offered" if offered else "why.no_choice"
    return {
        "offered": offered,
        "clause": "",
        "sentence": phrase(key, language, option=text, text=text),
        "reason": reason,
        "rule": "",
        "citations": [],
        "guards": [],
    }


def rule_data(shown: Shown) -> dict[str, Any]:
    """A rule as plain data."""
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
    """A piece can be told with its place or without it."""
    yield text
    piece, inside, _ = text.partition(" in ")
    if inside:
        yield piece
    bare = re.sub(r" at \d+$", "", text)
    if bare != text:
        yield bare
