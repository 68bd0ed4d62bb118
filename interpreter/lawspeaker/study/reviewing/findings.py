"""All checks of a review, with findings ordered by weight.

Defects that break a game come first, then balance and meaning of choices, then rules that never
come up, then the course of games, and last mere correlations. Within a group the weight is the
distance of the interval from the limit, in the unit of its kind. Limits are what a developer
would want to know (docs/lab-reference.md lists them); a figure whose interval includes its limit
is not reported. What never occurred in so many games may still occur: then the figure is the
upper end of its interval.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.ir.walk import guards_of
from lawspeaker.machines.lower import messages
from lawspeaker.position.layout import Layout, Value
from lawspeaker.study.lab.choice_names import things, told
from lawspeaker.study.lab.figures import victory
from lawspeaker.study.lab.statistics import Mean, mean_of
from lawspeaker.study.lab.tally import Tally
from lawspeaker.study.reviewing.claims import (
    About,
    Ahead,
    Apart,
    Claim,
    Claims,
    Finding,
    Share,
    Weights,
    confirmed,
    open_to_chance,
)
from lawspeaker.study.reviewing.evidence import Evidence, Played, scoring
from lawspeaker.study.reviewing.instrumented_games import PARTS, QUARTERS, InstrumentedSums, Moment
from lawspeaker.study.reviewing.skill import against_random

BREAKS, FIGURES, RULES, SHAPE, TOGETHER = 4, 3, 2, 1, 0
"""Groups of findings: game-breaking defects; balance and meaning of choices; rules, cards and
options that never come up; the course of games; correlations.
"""
WEIGHTS: Weights = {
    "hole": (BREAKS, 0.01),
    "endless": (BREAKS, 0.01),
    "loop": (BREAKS, 0.1),
    "no winner": (FIGURES, 0.1),
    "luck decides": (FIGURES, 0.1),
    "little at stake": (FIGURES, 0.05),
    "seat ahead": (FIGURES, 0.03),
    "seat behind": (FIGURES, 0.03),
    "start ahead": (FIGURES, 0.03),
    "start behind": (FIGURES, 0.03),
    "after start ahead": (FIGURES, 0.03),
    "after start behind": (FIGURES, 0.03),
    "lead kept": (FIGURES, 0.1),
    "never chosen": (FIGURES, 0.2),
    "always chosen": (FIGURES, 0.2),
    "more points": (SHAPE, 1.0),
    "fewer points": (SHAPE, 1.0),
    "ties": (SHAPE, 0.1),
    "most of the score": (SHAPE, 0.3),
    "little of the score": (SHAPE, 0.3),
    "long games": (SHAPE, 0.2),
    "length by players": (SHAPE, 1.0),
    "never fires": (RULES, 0.1),
    "never offered": (RULES, 0.2),
    "guard never refuses": (SHAPE, 1.0),
    "guard never allows": (SHAPE, 1.0),
    "goes with losing": (TOGETHER, 0.1),
    "goes with winning": (TOGETHER, 0.1),
}
POINTS = frozenset(("more points", "fewer points"))
THINKING_PAYS = 0.2
"""Fraction of the possible gain that a searching bot should win; below it, luck decides."""
AT_STAKE = 0.1
"""Fraction of decisions that should matter."""
OFF = 0.01
"""Minimum deviation of a seat's share of victories from the fair share, which must be
significant.
"""
POINTS_OFF = 0.04
"""Minimum distance of a seat's mean score from that of all, in standard deviations of scores."""
OFTEN = 0.05
"""Fraction of games from which draws and repetitions are reported."""
TIES = 0.10
KEPT = {2: 0.8, 3: 0.9}
"""Fraction of games in which a lead is kept, by quarter of the game."""
SHUNNED = 1 / 4
"""A strong player takes it at most at this fraction of the random rate."""
SURE = 0.95
"""A strong player takes it nearly always; a random one less often than `OPEN`."""
OPEN = 0.6
MOST_OF_SCORE, LITTLE_OF_SCORE = 0.6, 0.02
GOES_WITH = 0.05
ENOUGH = 50
"""Minimum number of games for correlations: a few may be alike by chance."""
LONGER = 1.5
"""Limit of the ratio of game lengths with the most and the fewest players."""
STRETCHED = 2
"""Limit of the ratio of the longest twentieth of games to the median."""


@dataclass(frozen=True, slots=True)
class Review:
    """Findings of a review, with all claims that were tested."""

    evidence: Evidence
    findings: tuple[Finding, ...]
    claims: Claims

    @property
    def compared(self) -> int:
        """Number of claims subject to chance."""
        return open_to_chance(self.claims)


def review(evidence: Evidence) -> Review:
    """Runs all checks on the evidence."""
    findings, claims = confirmed(_claims(evidence), WEIGHTS)
    # Whoever wins less mostly makes fewer points; that is one finding.
    won = {each.about.key[1:] for each in findings if each.about.kind.startswith("seat ")}
    told = (
        each for each in findings if each.about.kind not in POINTS or each.about.key[1:] not in won
    )
    return Review(evidence, tuple(told), claims)


def _claims(evidence: Evidence) -> Iterator[Claim]:
    program = evidence.program
    for played in (*evidence.many, evidence.thinking):
        yield from _holes(played)
    for played in (_largest(evidence), evidence.thinking):
        yield from _seats(program, played)
        yield from _points(program, played)
        yield from _endings(played)
        yield from _lengths(played)
    for played in (evidence.random, evidence.thinking):
        yield from _course(played)
    yield from _thinking(evidence)
    yield from _by_players(evidence)
    yield from _never_fires(evidence)
    yield from _score(evidence)
    yield from _choices(evidence)
    yield from _guards(evidence)
    yield from _goes_with(evidence)


def _largest(evidence: Evidence) -> Played:
    """The random games at the table size of the instrumented ones, which are the first of them."""
    (found,) = (each for each in evidence.many if each.players == evidence.thinking.players)
    return replace(found, look=evidence.random.look)


def _about(kind: str, subject: str, played: Played, sort: object = None, **figures: float) -> About:
    witness = played.look.firsts.moments.get(sort) if played.look is not None else None
    return About(kind, subject, played.bots, played.tally.games, witness, figures)


# ---------------------------------------------------------------- the course of games


def _holes(played: Played) -> Iterator[Claim]:
    tally = played.tally
    of = tally.games + tally.broke.games
    for hole in tally.broke.holes:
        kind = "endless" if messages.TOO_LONG in hole.fault else "hole"
        about = About(kind, hole.fault, played.bots, of, Moment(hole.first, -1))
        yield Claim(about, Share(hole.games, of), sure=True)


def _seats(program: ir.Program, played: Played) -> Iterator[Claim]:
    tally = played.tally
    if not tally.games:
        return
    summary = played.summary(program)
    whole, fair = victory(played.players), summary.fair
    equal = len(set(played.bots)) == 1 and summary.sides > 1
    for seat, won in enumerate(tally.wins if equal else ()):
        name = program.player_names[seat]
        sample, figures = Share(won / whole, tally.games), {"fair": fair}
        ahead = _about("seat ahead", name, played, ("won", seat), **figures)
        yield Claim(ahead, sample, above=fair, least=OFF)
        behind = _about("seat behind", name, played, ("won", seat), **figures)
        yield Claim(behind, sample, below=fair, least=OFF)
    order = tally.order if equal and tally.started else ()
    for after, won in enumerate(order):
        # With two, the second is redundant.
        if after and len(order) == 2:
            break
        sample, figures = Share(won / whole, tally.started), {"fair": fair, "after": after}
        kind, subject = ("after start", str(after)) if after else ("start", "")
        ahead = _about(f"{kind} ahead", subject, played, **figures)
        yield Claim(ahead, sample, above=fair, least=OFF)
        behind = _about(f"{kind} behind", subject, played, **figures)
        yield Claim(behind, sample, below=fair, least=OFF)


def _points(program: ir.Program, played: Played) -> Iterator[Claim]:
    """Seats that make more or fewer points than others, whether or not they win by them.

    A seat's own interval is wide enough for its distance from the mean of all: where all seats are
    alike, that distance varies no more than its score.
    """
    tally = played.tally
    if not tally.games or len(set(played.bots)) > 1:
        return
    summary = played.summary(program)
    if not summary.for_points or summary.sides != played.players:
        return
    every = mean_of(sum(tally.scores, Counter()))
    for seat, scores in enumerate(tally.scores):
        name, sample = program.player_names[seat], Apart(mean_of(scores), every.value)
        least = POINTS_OFF * every.deviation
        yield Claim(_about("more points", name, played), sample, above=0.0, least=least)
        yield Claim(_about("fewer points", name, played), sample, below=0.0, least=least)


def _endings(played: Played) -> Iterator[Claim]:
    tally = played.tally
    if tally.games:
        draws, ties = Share(tally.draws, tally.games), Share(tally.ties, tally.games)
        yield Claim(_about("no winner", "", played, "draw"), draws, above=OFTEN)
        yield Claim(_about("ties", "", played, "tie"), ties, above=TIES)


def _course(played: Played) -> Iterator[Claim]:
    look = played.look
    assert look is not None
    if look.games:
        yield Claim(
            _about("loop", "", played, "loop"), Share(look.recurring, look.games), above=OFTEN
        )
    for quarter in QUARTERS:
        if look.led[quarter]:
            won = look.kept[quarter] / victory(played.players)
            sample = Share(won, look.led[quarter])
            about = _about("lead kept", str(quarter), played, ("kept", quarter))
            yield Claim(about, sample, above=KEPT[quarter])


def _thinking(evidence: Evidence) -> Iterator[Claim]:
    """Whether thinking pays."""
    best = evidence.thinking
    for proof in against_random(evidence):
        about = About(
            "luck decides", proof.bout.bot, best.bots, proof.games, figures={"fair": proof.fair}
        )
        limit = proof.fair + THINKING_PAYS * (1 - proof.fair)
        yield Claim(about, Share(proof.wins.value * proof.games, proof.games), below=limit)
    if best.look is not None and best.look.stake.count:
        sample = Share(best.look.mattering, best.look.stake.count)
        yield Claim(_about("little at stake", "", best), sample, below=AT_STAKE)


def _lengths(played: Played) -> Iterator[Claim]:
    """Fraction of games that are much longer than usual."""
    lengths = played.tally.lengths
    if not lengths:
        return
    usual = median(played.tally)
    long = sum(times for length, times in lengths.items() if length >= STRETCHED * usual)
    about = _about("long games", "", played, usual=usual, longest=max(lengths))
    yield Claim(about, Share(long, played.tally.games), above=OFTEN)


def median(tally: Tally) -> int:
    """Median number of decisions."""
    left = tally.games / 2
    for length, times in sorted(tally.lengths.items()):
        left -= times
        if left <= 0:
            return length
    return 0


def _by_players(evidence: Evidence) -> Iterator[Claim]:
    """Ratio of game lengths: decisions with the most players, in units of the mean with the
    fewest.
    """
    one, other = evidence.many[0], evidence.many[-1]
    few, many = one.summary(evidence.program), other.summary(evidence.program)
    if one is other or not few.decisions.value or not many.games:
        return
    unit = max(1, round(few.decisions.value))
    lengths = other.tally.lengths
    total = sum(length * times for length, times in lengths.items())
    squares = sum(length**2 * times for length, times in lengths.items())
    sample = Mean(other.tally.games, total, squares, unit)
    figures = {"fewest": one.players, "length": few.decisions.value}
    about = _about("length by players", "", other, longest=many.decisions.value, **figures)
    yield Claim(about, sample, above=LONGER)


# ---------------------------------------------------------------- rules


def _never_fires(evidence: Evidence) -> Iterator[Claim]:
    """Rules that never changed anything in any game."""
    played = [each for each in (*evidence.many, evidence.thinking) if each.tally.games]
    if not played:
        return
    never = set.intersection(*(set(each.summary(evidence.program).never) for each in played))
    games = sum(each.tally.games for each in played)
    # A rule in which games stop is not one that never comes up.
    stopped = [fault for each in played for fault in each.tally.broke.by_fault]
    never = {each for each in never if not any(_lies_in(each, fault) for fault in stopped)}
    for clause in sorted(never):
        about = About("never fires", clause, evidence.thinking.bots, games)
        yield Claim(about, Share(0, games), sure=True)


def _lies_in(clause: str, fault: str) -> bool:
    """Whether the message of a fault, with or without its place, names the clause."""
    return re.match(rf"(?:.*:\d+:\d+: )?{re.escape(clause)}: ", fault) is not None


def _score(evidence: Evidence) -> Iterator[Claim]:
    """Clauses that give nearly all points, or next to none, of several."""
    played, giving = _largest(evidence), scoring(evidence.program)
    several = sum(sample.part > 0 for sample in played.parts) > 1
    for clause, sample in zip(giving, played.parts, strict=True):
        if sample.count and several:
            most = _about("most of the score", clause.id, played)
            yield Claim(most, sample, above=MOST_OF_SCORE)
            if sample.part:
                little = _about("little of the score", clause.id, played)
                yield Claim(little, sample, below=LITTLE_OF_SCORE)


def _guards(evidence: Evidence) -> Iterator[Claim]:
    """Guards that never made a difference; constant ones are found by the compiler."""
    looks = [each.look for each in (evidence.random, evidence.thinking) if each.look is not None]
    games = sum(look.games for look in looks)
    for guard in guards_of(evidence.program):
        passing = sum(look.accepting[guard] for look in looks)
        refused = sum(look.refusing[guard] for look in looks)
        for kind, mattered, asked in (
            ("guard never refuses", refused, passing),
            ("guard never allows", passing, refused),
        ):
            if asked and not mattered:
                about = About(kind, guard, evidence.thinking.bots, games, figures={"asked": asked})
                yield Claim(about, Share(0, asked), sure=True)


# ---------------------------------------------------------------- choices


def _choices(evidence: Evidence) -> Iterator[Claim]:
    program, played = evidence.program, evidence.thinking
    look = played.look
    assert look is not None
    choosable = things(program, played.players)
    came: dict[str | tuple[ir.Type | None, Value], bool] = {}
    for number, thing in enumerate(choosable.things):
        subject = f"{program.clauses[thing.clause].id}: {told(choosable.layout, thing)}"
        if look.offered[number]:
            yield from _taken(subject, number, played, look)
        # A card is missed only if it is never offered in any question.
        sort = subject if thing.part is None else (thing.of, thing.value)
        came[sort] = came.get(sort, False) or _came_up(evidence, number)
    tables = (_largest(evidence), played)
    games = sum(each.tally.games for each in tables)
    for sort, ever in came.items():
        if games and not ever:
            subject = sort if isinstance(sort, str) else _named(choosable.layout, sort)
            yield Claim(
                About("never offered", subject, played.bots, games), Share(0, games), sure=True
            )


def _named(layout: Layout, sort: tuple[ir.Type | None, Value]) -> str:
    of, value = sort
    assert of is not None
    named = of.name if isinstance(of, ir.KindType) else str(of)
    text = layout.text(of, value)
    return text if text.startswith(named) else f"{named} {text}"


def _came_up(evidence: Evidence, number: int) -> bool:
    """Whether something was offered or chosen in any games of this table."""
    look = evidence.random.look
    assert look is not None
    played = (_largest(evidence), evidence.random, evidence.thinking)
    return bool(look.offered[number]) or any(each.tally.uses[number].times for each in played)


def _taken(subject: str, number: int, played: Played, look: InstrumentedSums) -> Iterator[Claim]:
    """The rate at which searching bots take something when offered, relative to random choice."""
    offered = look.offered[number]
    by_luck = look.expected[number] / PARTS / offered
    sample = Share(look.chosen[number], offered)
    figures = {"luck": by_luck, "offered": offered, "chosen": look.chosen[number]}
    never = _about("never chosen", subject, played, ("passed over", number), **figures)
    yield Claim(never, sample, below=SHUNNED * by_luck)
    if by_luck < OPEN:
        always = _about("always chosen", subject, played, ("taken", number), **figures)
        yield Claim(always, sample, above=SURE)


def _goes_with(evidence: Evidence) -> Iterator[Claim]:
    """Correlations with losing or winning among random players, who choose without a plan."""
    program, played = evidence.program, _largest(evidence)
    choosable = things(program, played.players)
    for thing, goes in zip(choosable.things, played.tally.uses, strict=True):
        if goes.wins.count >= ENOUGH:
            subject = f"{program.clauses[thing.clause].id}: {told(choosable.layout, thing)}"
            losing = About("goes with losing", subject, played.bots, goes.wins.count)
            yield Claim(losing, Ahead(goes.wins), below=-GOES_WITH)
            winning = About("goes with winning", subject, played.bots, goes.wins.count)
            yield Claim(winning, Ahead(goes.wins), above=GOES_WITH)
