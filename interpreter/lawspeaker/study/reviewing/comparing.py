"""From one version of a game to another: which findings are gone, which are new, and which figures
have changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.reviewing.findings import Review
from lawspeaker.study.reviewing.testing import Finding

BETTER, WORSE, OTHERWISE, OPEN = "better", "worse", "otherwise", "open"
FACTS = frozenset(("never fires", "never offered", "guard never refuses", "guard never allows"))
"""What is so or not; their figures only say how sure that is."""

LOW_IS_BAD = frozenset(
    (
        *("seat behind", "start behind", "never chosen", "little of the score"),
        *("luck decides", "little at stake"),
    )
)
NEITHER = frozenset(("goes with losing", "goes with winning"))
"""What is neither good nor bad. Both are about one figure, which is above 0 or below it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A finding that only one version has, or that both have: what it was and what it is, as far as
    it was looked at, and whether that is better, worse, otherwise without being either, or left
    open by the games."""

    finding: Finding
    before: Estimate | None
    after: Estimate | None
    how: str


def changes(before: Review, after: Review) -> tuple[Change, ...]:
    """The weightiest first. What is left open: only one version has it, but the intervals meet."""
    return tuple(sorted(_changes(before, after), key=lambda each: -each.finding.weight))


def _changes(before: Review, after: Review) -> Iterator[Change]:
    was = {each.about.key: each for each in before.findings}
    now = {each.about.key: each for each in after.findings}
    for key in dict.fromkeys((*was, *now)):
        if key[0] in NEITHER:
            continue
        one, other = before.estimates.get(key), after.estimates.get(key)
        finding = now.get(key) or was[key]
        fact = finding.about.kind in FACTS
        apart = _apart(one, other)
        if key in was and key in now:
            if apart and not fact:
                yield Change(finding, one, other, _how(finding, one, other))
        elif fact or apart:
            yield Change(finding, one, other, BETTER if key in was else WORSE)
        else:
            yield Change(finding, one, other, OPEN)
    yield from _going_with(before, after)


def _going_with(before: Review, after: Review) -> Iterator[Change]:
    """What goes with winning or losing: what goes with one in a version may go with the other in
    the next, and is told once."""
    was, now = (
        {each.about.key[1:]: each for each in review.findings if each.about.kind in NEITHER}
        for review in (before, after)
    )
    for key in dict.fromkeys((*was, *now)):
        finding = now.get(key) or was[key]
        of = finding.about.kind, *key
        one, other = before.estimates.get(of), after.estimates.get(of)
        if _apart(one, other):
            yield Change(finding, one, other, OTHERWISE)
        elif key not in was or key not in now:
            yield Change(finding, one, other, OPEN)


def _apart(one: Estimate | None, other: Estimate | None) -> bool:
    return one is None or other is None or one.low > other.high or one.high < other.low


def _how(finding: Finding, one: Estimate | None, other: Estimate | None) -> str:
    """Both have it: better if it is nearer to where it would be no finding."""
    assert one is not None
    assert other is not None
    low_is_bad = finding.about.kind in LOW_IS_BAD
    return BETTER if (other.value > one.value) is low_is_bad else WORSE
