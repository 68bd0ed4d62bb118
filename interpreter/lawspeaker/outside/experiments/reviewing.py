"""Collects the data of a review: many random games, and some of searching bots."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial, reduce
from operator import add
from typing import TypeVar

from lawspeaker import ir
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.simulating import played_in
from lawspeaker.outside.experiments.steps import Experiment, Progress
from lawspeaker.outside.rules import MatchSetup, Rules, program_of
from lawspeaker.outside.workers import play_all_instrumented, sums
from lawspeaker.players.bots import RANDOM
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.exact_sums import added
from lawspeaker.study.lab.games import games_of
from lawspeaker.study.lab.measures import clearly_changed
from lawspeaker.study.lab.sweep import Sweep
from lawspeaker.study.lab.sweep import sweep as summed_up
from lawspeaker.study.lab.tally import Tally, tally
from lawspeaker.study.lab.varying import Varied
from lawspeaker.study.reviewing.comparing import paired
from lawspeaker.study.reviewing.evidence import Evidence, Played, scoring
from lawspeaker.study.reviewing.evidence import summed_up as counted
from lawspeaker.study.reviewing.findings import Review
from lawspeaker.study.reviewing.findings import review as reviewed
from lawspeaker.study.reviewing.instrumented_games import InstrumentedSums, nothing_seen

T = TypeVar("T")
FOR_SKILL = 48
"""Minimum games of a bot against random players, which also measure skill."""
LOOKED_AT = 100
"""Number of random games that are observed closely."""


def review(setting: Setting, thinking: int, slow: Crew) -> Experiment[Review]:
    """Plays random games at tables of every size, and those of the setting's bots after their
    proof.

    `slow` is the crew for long games.
    """
    rules, seed, games = setting.rules, setting.seed, setting.games
    program = program_of(rules)
    sum_up = partial(counted, clauses=tuple(each.index for each in scoring(program)))
    counts = program.counts
    looked = min(games, LOOKED_AT)
    if set(setting.bots) == {RANDOM}:
        # These games are counted already.
        thinking = 0
    of, done = games * len(counts) + looked + thinking, 0
    proofs = yield from _aside(prove(rules, [setting.bots], seed, thinking, slow, FOR_SKILL))
    many = []
    for count in counts:
        table = MatchSetup((RANDOM,) * count, seed)
        blocks = []
        for some in sums([rules], table, range(games), sum_up, setting.crew):
            blocks.append(some)
            done += played_in(some.tally)
            yield Progress(done, of)
        whole = reduce(add, blocks)
        many.append(Played(table.bots, whole.tally, whole.parts))
    evidence = Evidence(
        program,
        seed,
        tuple(many),
        _nobody(program, (RANDOM,) * setting.players),
        _nobody(program, setting.bots),
        proofs,
    )
    at_random = MatchSetup((RANDOM,) * setting.players, seed)
    yield Progress(done, of, reviewed(evidence))
    for played in _looked(rules, at_random, looked, slow):
        evidence = replace(evidence, random=played)
        yield Progress(done + played_in(played.tally), of, reviewed(evidence))
    done += looked
    for played in _looked(rules, setting.table, thinking, slow):
        evidence = replace(evidence, thinking=played)
        yield Progress(done + played_in(played.tally), of, reviewed(evidence))
    return reviewed(evidence)


def _looked(rules: Rules, table: MatchSetup, games: int, crew: Crew) -> Iterator[Played]:
    """Plays games with observers; yields cumulative results."""
    whole: tuple[Tally, InstrumentedSums] | None = None
    for some in play_all_instrumented(rules, table, range(games), crew):
        whole = some if whole is None else added(whole, some)
        yield Played(table.bots, whole[0], look=whole[1])


def _aside(experiment: Experiment[T]) -> Generator[Progress[Review], None, T]:
    """Forwards only the progress of another experiment."""
    while True:
        try:
            step = next(experiment)
        except StopIteration as end:
            result: T = end.value
            return result
        yield Progress(step.done, step.of, None, step.doing)


def _nobody(program: ir.Program, bots: tuple[str, ...]) -> Played:
    return Played(bots, tally(games_of(program, len(bots), ())), look=nothing_seen())


def contrast(
    setting: Setting, other: Rules, names: tuple[str, str], hypotheses: int
) -> Sweep | None:
    """Compares two versions on paired random games; None if no pair finished.

    Changes are tested for significance among so many hypotheses.
    """
    table = MatchSetup((RANDOM,) * setting.players, setting.seed)
    versions = [setting.rules, other]
    found = reduce(add, sums(versions, table, setting.numbers, paired, setting.crew))
    version = Varied("version", names, names[0])
    sides = len(sides_of(program_of(setting.rules), setting.players))
    result = summed_up([version], [(name,) for name in names], found.swept, sides)
    if len(result.points) < 2 or result.points[1].changes is None:
        return None
    clear = clearly_changed(found.swept.changes[1], found.differing, hypotheses)
    points = (result.points[0], replace(result.points[1], changes=clear))
    return replace(result, points=points)
