"""Formulates the findings of a review, and the value of thinking, in any language."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.estimates import Telling
from lawspeaker.faces.render.words import figure, percent
from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.reviewing.claims import Finding
from lawspeaker.study.reviewing.comparing import FACTS, NEITHER
from lawspeaker.study.reviewing.findings import Review
from lawspeaker.study.reviewing.skill import worths

_WHEN = {"2": "half", "3": "three_quarters"}
_MEANS = {"length by players": ("longest", "length")}
"""Figures that are not whole numbers, by kind of finding."""


def sentence(finding: Finding, language: str = "en") -> str:
    """Formats a finding with its figure and interval."""
    about, estimate = finding.about, finding.estimate
    told = {
        name: percent(value, language)
        if name in ("luck", "fair")
        else figure(value, ",.1f" if name in _MEANS.get(about.kind, ()) else ",.0f", language)
        for name, value in about.figures.items()
    }
    told["subject"] = about.subject
    told["figure"] = share_and_span(estimate, language)
    told["times"] = _spanned(estimate, Telling.of([estimate]), language)
    told["high"] = percent(estimate.high, language)
    told["when"] = _say(_WHEN.get(about.subject, "half"), language)
    # Phrases that several kinds of findings share.
    told["most"] = _say("most", language, **told)
    if "fair" in told:
        told["fair"] = _say("fair", language, **told)
    if "luck" in told:
        told["taken"] = _say("taken", language, **told)
    if "asked" in told:
        told["asked"] = _say("asked", language, **told)
    return _say(about.kind.replace(" ", "_"), language, **told)


def source(finding: Finding, language: str = "en") -> str:
    """Formats the players and the number of games."""
    about = finding.about
    key = "source"
    if about.kind in FACTS:
        key = "source_random" if set(about.bots) == {RANDOM} else "source_fact"
    games, count = figure(about.games, ",", language), len(about.bots)
    return _say(key, language, games=games, players=count, bots=players(about.bots))


def players(bots: Sequence[str]) -> str:
    return bots[0] if len(set(bots)) == 1 else ", ".join(bots)


def notes(review: Review, language: str = "en") -> list[str]:
    """Returns notes: what findings do not imply, and the correction for multiple comparisons."""
    together = any(each.about.kind in NEITHER for each in review.findings)
    correction = _say("correction", language, count=figure(review.compared, ",", language))
    return [*((_say("no_cause", language),) if together else ()), correction]


def worth_of_thinking(review: Review, language: str = "en") -> list[str]:
    """Returns a line for each figure of what thinking is worth, and how much is left to chance."""
    if review.evidence.nobody_thinks:
        return [_say("nobody_thinks", language)]
    return [
        _say(
            each.measure,
            language,
            bots=players(each.bots),
            count=figure(each.count, ",", language),
            figure=share_and_span(each.estimate, language),
            value=percent(each.estimate.value, language),
            high=percent(each.estimate.high, language),
            fair=percent(each.fair or 0, language),
        )
        for each in worths(review.evidence)
    ]


def share_and_span(estimate: Estimate, language: str = "en") -> str:
    return _spanned(estimate, Telling.of([estimate], scale=100), language)


def _spanned(estimate: Estimate, telling: Telling, language: str) -> str:
    """Formats an estimate with as many digits as its interval justifies."""

    def number(value: float) -> str:
        style = f",.{telling.digits}f"
        if telling.scale == 100:
            return percent(value, language, style)
        return figure(value, style, language)

    if math.isinf(estimate.low):
        return number(estimate.value)
    low, high = number(estimate.low), number(estimate.high)
    return _say("span", language, value=number(estimate.value), low=low, high=high)


def _say(key: str, language: str, **told: object) -> str:
    return phrase(f"review.{key}", language, **told)
