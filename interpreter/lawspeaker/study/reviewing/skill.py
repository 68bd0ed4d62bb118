"""Skill and luck in a game, from its evidence.

skill       victories of searching bots against random players beyond a fair share, as a part of the
            maximum
luck        the rest to 1: an upper bound on the influence of luck, since a better bot may win more
decisions   the share of decisions in which the choice significantly matters
stake       mean value of the best option minus the worst there, in victories
start       the starter's share of victories, among searching bots
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
class SkillFigure:
    """One of these figures, over so many games or decisions; `fair` is the fair value, if any."""

    measure: str
    bots: tuple[str, ...]
    count: int
    estimate: Estimate
    fair: float | None = None


def worths(evidence: Evidence) -> tuple[SkillFigure, ...]:
    """All figures on skill and luck."""
    return tuple(_worths(evidence))


def against_random(evidence: Evidence) -> list[Proof]:
    """Results against random players of bots that play to win."""
    return [
        each
        for each in evidence.proofs
        if each.bout.rival == RANDOM and each.games and each.ahead is None
    ]


def _worths(evidence: Evidence) -> Iterator[SkillFigure]:
    for proof in against_random(evidence):
        skill, who = proof.skill, (proof.bout.bot,)
        yield SkillFigure("skill", who, proof.games, skill)
        left = Estimate(*(min(1.0, 1 - each) for each in (skill.value, skill.high, skill.low)))
        yield SkillFigure("luck", who, proof.games, left)
    best = evidence.thinking
    look, tally = best.look, best.tally
    if look is not None and look.stake.count:
        count = look.stake.count
        yield SkillFigure("decisions", best.bots, count, share(look.mattering, count))
        # The best is not worse than the worst; a few equal decisions do not prove that all are.
        worth = look.stake.estimate(within=1)
        low = min(worth.value, max(0.0, worth.low))
        yield SkillFigure("stake", best.bots, count, Estimate(worth.value, low, worth.high))
    several = best.summary(evidence.program).sides > 1
    if several and tally.started and len(set(best.bots)) == 1:
        won = share(tally.starter / victory(best.players), tally.started)
        fair = best.summary(evidence.program).fair
        yield SkillFigure("start", best.bots, tally.started, won, fair)
