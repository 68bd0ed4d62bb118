"""What thinking is worth in a game, and how much can be left to luck, by those who played it.

skill       what those who think win against random players beyond a fair share, as a part of all
            that could be won beyond it
luck        what is left of that: the most that luck has to say, since somebody who thinks better
            may win more
decisions   the share of decisions with a choice in which that choice clearly matters
stake       what the best option is worth there, on average, against the worst, in victories
start       the share of victories of who starts, among those who think
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.players.bots import RANDOM
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.proving import Proof
from lawspeaker.study.lab.statistics import Estimate, share
from lawspeaker.study.reviewing.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Worth:
    """One of these figures, of so many games or decisions; `fair`, where it can be fair."""

    measure: str
    bots: tuple[str, ...]
    count: int
    estimate: Estimate
    fair: float | None = None


def worths(evidence: Evidence) -> tuple[Worth, ...]:
    return tuple(_worths(evidence))


def against_random(evidence: Evidence) -> list[Proof]:
    """What those won against random players who play to win."""
    return [
        each
        for each in evidence.proofs
        if each.bout.rival == RANDOM and each.games and each.ahead is None
    ]


def _worths(evidence: Evidence) -> Iterator[Worth]:
    for proof in against_random(evidence):
        skill, who = proof.skill, (proof.bout.bot,)
        yield Worth("skill", who, proof.games, skill)
        left = Estimate(*(min(1.0, 1 - each) for each in (skill.value, skill.high, skill.low)))
        yield Worth("luck", who, proof.games, left)
    best = evidence.thinking
    look, tally = best.look, best.tally
    if look is not None and look.stake.count:
        count = look.stake.count
        yield Worth("decisions", best.bots, count, share(look.mattering, count))
        # The best cannot be worth less than the worst, and a few decisions in which all options did
        # alike do not make it certain that in others they do.
        worth = look.stake.estimate(within=1)
        low = min(worth.value, max(0.0, worth.low))
        yield Worth("stake", best.bots, count, Estimate(worth.value, low, worth.high))
    several = best.summary(evidence.program).sides > 1
    if several and tally.started and len(set(best.bots)) == 1:
        won = share(tally.starter / victory(best.players), tally.started)
        fair = best.summary(evidence.program).fair
        yield Worth("start", best.bots, tally.started, won, fair)
