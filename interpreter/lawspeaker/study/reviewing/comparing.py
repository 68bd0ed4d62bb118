"""Compares two versions of a game: resolved and new findings, and changed figures.

Everything measured in both versions is one family of hypotheses: every figure that a review tests
in both, everything that happens in games of one and may never happen in the other, and the usual
paired measures. A change is reported only if it is significant in the family. A finding of one
version that does not differ significantly in the other is left open: that only one interval
crosses a limit means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lawspeaker.ir.walk import guards_of
from lawspeaker.study.lab.choice_names import things, told
from lawspeaker.study.lab.exact_sums import Sums
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.measures import USUAL, differing
from lawspeaker.study.lab.statistics import Estimate, difference
from lawspeaker.study.lab.sweep import Swept, swept
from lawspeaker.study.reviewing.claims import Finding, Key, Share
from lawspeaker.study.reviewing.evidence import Evidence
from lawspeaker.study.reviewing.findings import Review

BETTER, WORSE, OTHERWISE, OPEN = "better", "worse", "otherwise", "open"
HOLES = frozenset(("hole", "endless"))
FACTS = frozenset(("never fires", "never offered", "guard never refuses", "guard never allows"))
"""Yes/no facts; their figures only express confidence."""

LOW_IS_BAD = frozenset(
    (
        *("seat behind", "start behind", "after start behind"),
        *("never chosen", "little of the score", "fewer points"),
        *("luck decides", "little at stake"),
    )
)
NEITHER = frozenset(("goes with losing", "goes with winning"))
"""Findings that are neither good nor bad. Both are about one figure, above or below 0."""


@dataclass(frozen=True, slots=True)
class FindingChange:
    """A finding of one or both versions with its estimates, and whether it is better, worse,
    different without being either, or open.
    """

    finding: Finding
    before: Estimate | None
    after: Estimate | None
    how: str


@dataclass(frozen=True, slots=True)
class Pairs(Sums):
    """The usual measures of two versions in paired games, with the number of differing pairs."""

    swept: Swept
    differing: tuple[int, ...]


def paired(games: Sequence[Games]) -> Pairs:
    """Sums over paired games of two versions."""
    before, after = games
    return Pairs(swept(games, 0), differing(before, after))


Happened = Mapping[tuple[str, str], Share]
"""By fact and subject, the share of games with a counterexample."""


def hypotheses(before: Review, after: Review) -> int:
    """Number of hypotheses in a comparison of two versions."""
    one, other = (_happened(each.evidence) for each in (before, after))
    holes = {key for key in (*before.claims, *after.claims) if key[0] in HOLES}
    return len(_both(before, after)) + len(one.keys() & other.keys()) + len(holes) + len(USUAL)


def changes(before: Review, after: Review) -> tuple[FindingChange, ...]:
    """All changes, most important first."""
    found = _Changes(before, after, hypotheses(before, after))
    return tuple(sorted(found.all(), key=lambda each: -each.finding.weight))


def _both(before: Review, after: Review) -> list[Key]:
    """The random figures that both versions have."""
    return [
        key
        for key, claim in before.claims.items()
        if key in after.claims and not claim.sure and not after.claims[key].sure
    ]


class _Changes:
    def __init__(self, before: Review, after: Review, among: int) -> None:
        self.before, self.after, self.among = before, after, among
        self.was = {each.about.key: each for each in before.findings}
        self.now = {each.about.key: each for each in after.findings}
        self.happened = _happened(before.evidence), _happened(after.evidence)

    def all(self) -> Iterator[FindingChange]:
        for key in dict.fromkeys((*self.was, *self.now)):
            kind = key[0]
            if kind in FACTS:
                yield from self._fact(key)
            elif kind in HOLES:
                yield from self._hole(key)
            elif kind not in NEITHER:
                yield from self._figure(key)
        yield from self._going_with()

    def _figure(self, key: Key) -> Iterator[FindingChange]:
        finding = self.now.get(key) or self.was[key]
        one, other = self._estimates(key)
        clear = self._differs(key)
        if clear and key in self.was and key in self.now:
            yield FindingChange(finding, one, other, _how(finding, clear))
        elif clear:
            yield FindingChange(finding, one, other, BETTER if key in self.was else WORSE)
        elif key not in self.was or key not in self.now:
            yield FindingChange(finding, one, other, OPEN)

    def _fact(self, key: Key) -> Iterator[FindingChange]:
        """A fact that holds in only one version, where both could violate it."""
        shares = [each.get(key[:2]) for each in self.happened]
        if (key in self.was and key in self.now) or None in shares:
            return
        yield self._by_shares(key, *(each for each in shares if each is not None))

    def _hole(self, key: Key) -> Iterator[FindingChange]:
        shares = [
            each.sample
            if (each := review.claims.get(key)) is not None and isinstance(each.sample, Share)
            else Share(0, _games(review.evidence, key[2]))
            for review in (self.before, self.after)
        ]
        found = self._by_shares(key, *shares)
        if found.how != OPEN or key not in self.was or key not in self.now:
            yield found

    def _by_shares(self, key: Key, was: Share, now: Share) -> FindingChange:
        finding = self.now.get(key) or self.was[key]
        one, other = was.estimate(), now.estimate()
        apart = difference(other, one, self.among)
        clear = apart.low > 0 or apart.high < 0
        low_is_bad = key[0] in FACTS
        better = (apart.value > 0) is low_is_bad
        how = OPEN if not clear else BETTER if better else WORSE
        return FindingChange(finding, one, other, how)

    def _going_with(self) -> Iterator[FindingChange]:
        """Correlations with winning or losing: a pair of opposite findings is reported once."""
        was, now = (
            {key[1:]: each for key, each in found.items() if key[0] in NEITHER}
            for found in (self.was, self.now)
        )
        for key in dict.fromkeys((*was, *now)):
            finding = now.get(key) or was[key]
            of = finding.about.kind, *key
            one, other = self._estimates(of)
            if self._differs(of):
                yield FindingChange(finding, one, other, OTHERWISE)
            elif key not in was or key not in now:
                yield FindingChange(finding, one, other, OPEN)

    def _estimates(self, key: Key) -> tuple[Estimate | None, Estimate | None]:
        """A figure before and after, each with an interval of its own."""
        found = (each.claims.get(key) for each in (self.before, self.after))
        one, other = (None if each is None else each.sample.estimate() for each in found)
        return one, other

    def _differs(self, key: Key) -> float:
        """The difference of a figure; 0 if not significant."""
        one, other = self._estimates(key)
        if one is None or other is None:
            return 0.0
        apart = difference(other, one, self.among)
        return apart.value if apart.low > 0 or apart.high < 0 else 0.0


def _how(finding: Finding, more: float) -> str:
    """For a finding of both: better if it is nearer to its limit."""
    low_is_bad = finding.about.kind in LOW_IS_BAD
    return BETTER if (more > 0) is low_is_bad else WORSE


def _games(evidence: Evidence, bots: tuple[str, ...]) -> int:
    """Number of games of these bots, including aborted ones."""
    tables = (each.tally for each in (*evidence.many, evidence.thinking) if each.bots == bots)
    return max((each.games + each.broke.games for each in tables), default=0)


def _happened(evidence: Evidence) -> Happened:
    """For every fact, the share of games with a counterexample, as far as known."""
    program, looks = evidence.program, (evidence.random.look, evidence.thinking.look)
    seen = [each for each in looks if each is not None]
    games = sum(each.games for each in seen)
    found: dict[tuple[str, str], Share] = {}
    if not games:
        return found
    for guard in guards_of(program):
        refused = sum(look.refusing[guard] for look in seen)
        passing = sum(look.accepting[guard] for look in seen)
        found["guard never refuses", guard] = Share(refused, games)
        found["guard never allows", guard] = Share(passing, games)
    tables = [each.tally for each in (*evidence.many, evidence.thinking) if each.tally.games]
    played = sum(each.games for each in tables)
    for clause in program.clauses:
        ever = any(each.fired[clause.index] for each in tables)
        firing = sum(look.firing[clause.index] for look in seen)
        # If so, the instrumented games tell in how many.
        found["never fires", clause.id] = Share(firing, games) if ever else Share(0, played)
    choosable = things(program, evidence.thinking.players)
    for number, thing in enumerate(choosable.things):
        if thing.part is None:
            subject = f"{program.clauses[thing.clause].id}: {told(choosable.layout, thing)}"
            offering = sum(look.offering[number] for look in seen)
            found["never offered", subject] = Share(offering, games)
    return found
