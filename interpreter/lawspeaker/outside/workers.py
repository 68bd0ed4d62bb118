"""Distributes games over a crew of workers, which return sums.

Each worker compiles the rules once (`rules`), plays blocks of game numbers, and sums them up.
Only texts, numbers and sums travel between processes. Sums are exact, so results do not depend on
the number of workers or the assignment of games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import TypeVar

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.machines import on_card, recorders
from lawspeaker.outside.rules import MatchSetup, Rules, make_ready, program_of
from lawspeaker.study.compare.control import RANDOM, control_effect, independent_seed
from lawspeaker.study.compare.effect import Pairs, pairs
from lawspeaker.study.compare.triggers import rules_with
from lawspeaker.study.compare.witness import Books, Rulebooks, Search
from lawspeaker.study.compare.witness_search import search
from lawspeaker.study.lab.exact_sums import added
from lawspeaker.study.lab.games import Games, play_games, plays_inside
from lawspeaker.study.lab.proving import Bout, Won, bout_won
from lawspeaker.study.lab.skill import skills
from lawspeaker.study.lab.statistics import Mean
from lawspeaker.study.lab.sweep import Swept
from lawspeaker.study.lab.tally import Tally
from lawspeaker.study.reviewing.instrumented_games import InstrumentedSums, play_instrumented

T = TypeVar("T")
LARGEST_BLOCK, LARGEST_RANDOM_BLOCK = 8, 20_000
"""Maximum games per job; those between random players are a thousand times faster."""
LARGEST_SKILLED_BLOCK = 500
"""Maximum deals per job between a learned policy and random players."""
REPORTS, FEWEST_REPORTS = 25, 4
"""Reports per worker, so that progress is visible.

With many rules there are fewer, since switching rules costs time.
"""
AT_ONCE = 20_000
"""Maximum games in memory at once, over all rules; then only sums are kept."""
LARGEST_PART = 1000
"""Maximum games per summation; larger parts are no faster."""
CARD_PART = 60_000
"""Games per GPU launch, over all rules together: fewer would leave it idle."""


SumUp = Callable[[Sequence[Games]], T]
"""A reduction of some games, played by each of the rules.

It must be a top-level function, and its results must combine by `added`.
"""


def sums(
    rules: Sequence[Rules], table: MatchSetup, numbers: range, sum_up: SumUp[T], crew: Crew
) -> Iterator[T]:
    """Plays the games of these numbers by all of the rules: yields sums over blocks, in order."""
    blocks = _blocks(numbers, table, len(rules), crew)
    yield from crew.spread(_sums, [(tuple(rules), table, block, sum_up) for block in blocks])


def _sums(rules: tuple[Rules, ...], table: MatchSetup, numbers: range, sum_up: SumUp[T]) -> T:
    make_ready()
    programs = [program_of(each) for each in rules]
    players, who = len(table.bots), recorders(table.machine)
    found: list[T] = []
    size = max(1, min(_part(table), (AT_ONCE, CARD_PART)[on_card(table.machine)] // len(rules)))
    for at in range(0, len(numbers), size):
        some = numbers[at : at + size]
        found.append(
            sum_up(
                [play_games(each, players, table.seed, some, table.bots, who) for each in programs]
            )
        )
    return reduce(added, found)


def play_all_instrumented(
    rules: Rules, table: MatchSetup, numbers: range, crew: Crew
) -> Iterator[tuple[Tally, InstrumentedSums]]:
    """Plays the games of these numbers with observers: yields sums over blocks, in order."""
    slow = [numbers[at : at + LARGEST_BLOCK] for at in range(0, len(numbers), LARGEST_BLOCK)]
    thinking = any(name != "random" for name in table.bots)
    blocks = _blocks(numbers, table, 1, crew) if thinking else slow
    yield from crew.spread(_looks, [(rules, table, block) for block in blocks])


def _looks(rules: Rules, table: MatchSetup, numbers: range) -> tuple[Tally, InstrumentedSums]:
    make_ready()
    return play_instrumented(program_of(rules), len(table.bots), table.seed, numbers, table.bots)


def _part(table: MatchSetup) -> int:
    """Games per summation."""
    return CARD_PART if on_card(table.machine) else LARGEST_PART


def _blocks(numbers: range, table: MatchSetup, rules: int, crew: Crew) -> list[range]:
    """Splits numbers into blocks for load balancing and progress."""
    most = LARGEST_RANDOM_BLOCK if plays_inside(table.bots) else LARGEST_BLOCK
    most = CARD_PART if on_card(table.machine) else most
    reports = crew.hands * max(FEWEST_REPORTS, REPORTS // rules)
    size = max(1, min(most // rules, len(numbers) // reports))
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def bouts_won(
    rules: Rules, bouts: Sequence[Bout], seed: int, deals: Sequence[int], crew: Crew
) -> Iterator[tuple[Bout, Won]]:
    """Plays bouts of bots by these rules, deal by deal, with a number of deals for each bout."""
    jobs = [
        (rules, bout, seed, deal)
        for bout, count in zip(bouts, deals, strict=True)
        for deal in range(count)
    ]
    for (_, bout, _, _), won in zip(jobs, crew.spread(_bout_won, jobs), strict=True):
        yield bout, won


def skilled(
    rules: Sequence[Rules],
    bots: Sequence[str],
    players: int,
    seed: int,
    deals: range,
    reference: int,
    crew: Crew,
) -> Iterator[tuple[int, Swept]]:
    """Measures the skill of bots by each of the rules, and its difference from the reference
    rules.

    Yields sums over blocks of deals, in order, with the number of deals in each.
    """
    inside = all(plays_inside((bot, "random")) for bot in bots)
    most = LARGEST_SKILLED_BLOCK if inside else 1
    size = max(1, min(most, len(deals) // (crew.hands * FEWEST_REPORTS)))
    blocks = [deals[at : at + size] for at in range(0, len(deals), size)]
    jobs = [(tuple(rules), tuple(bots), players, seed, some, reference) for some in blocks]
    for block, found in zip(blocks, crew.spread(_skilled, jobs), strict=True):
        yield len(block), found


def _skilled(
    rules: tuple[Rules, ...],
    bots: tuple[str, ...],
    players: int,
    seed: int,
    deals: range,
    reference: int,
) -> Swept:
    make_ready()
    return skills([program_of(each) for each in rules], bots, players, seed, deals, reference)


def _bout_won(rules: Rules, bout: Bout, seed: int, deal: int) -> Won:
    make_ready()
    return bout_won(program_of(rules), bout, seed, deal)


# ---------------------------------------------------------------- pairs

KEPT = 16
"""Blocks of games cached in each worker for comparison with others."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Sums over pairs of games by the first rules and by others (by their number)."""

    other: int
    players: int
    pairs: Pairs


def paired(
    one: Rules,
    others: Sequence[Rules],
    tables: Sequence[MatchSetup],
    numbers: range,
    crew: Crew,
    points: Sequence[str] = (),
) -> Iterator[list[Paired]]:
    """Plays games of these numbers by the first rules and by each of the others, at each table,
    as pairs with common random numbers; in `paired_jobs` parts, the lower numbers first.

    `points` are the ids of the difference of each of the others, to count how often it comes up.
    """
    named = [*points, *[""] * (len(others) - len(points))]
    held = [ComparedRules(rules, point) for rules, point in zip(others, named, strict=True)]
    yield from crew.spread(_paired, _paired_jobs(one, held, tables, numbers))


@dataclass(frozen=True, slots=True)
class ComparedRules:
    """Rules that are compared with the first, and the point in which they differ."""

    rules: Rules
    point: str = ""


def paired_jobs(others: int, tables: Sequence[MatchSetup], numbers: range) -> int:
    """Number of jobs that pairs are split into."""
    size, by_rules = _shared_out(tables)
    return math.ceil(len(numbers) / size) * (others if by_rules else len(tables))


def _shared_out(tables: Sequence[MatchSetup]) -> tuple[int, bool]:
    """Games per job, and whether jobs are split by rulebook.

    Switching rulebooks costs a worker more than many random games. Games of searching bots are
    too expensive to play any twice.
    """
    random = all(name == "random" for table in tables for name in table.bots)
    card = any(on_card(table.machine) for table in tables)
    return (CARD_PART if card else LARGEST_RANDOM_BLOCK, True) if random else (1, False)


_Job = tuple[Rules, tuple[tuple[int, ComparedRules], ...], tuple[MatchSetup, ...], range]


def _paired_jobs(
    one: Rules, others: Sequence[ComparedRules], tables: Sequence[MatchSetup], numbers: range
) -> list[_Job]:
    size, by_rules = _shared_out(tables)
    numbered = tuple(enumerate(others))
    jobs: list[_Job] = []
    for start in range(0, len(numbers), size):
        some = numbers[start : start + size]
        if by_rules:
            jobs += [(one, (other,), tuple(tables), some) for other in numbered]
        else:
            jobs += [(one, numbered, (table,), some) for table in tables]
    return jobs


def _paired(
    one: Rules,
    others: tuple[tuple[int, ComparedRules], ...],
    tables: tuple[MatchSetup, ...],
    numbers: range,
) -> list[Paired]:
    found: list[Paired] = []
    for table in tables:
        anew, size = replace(table, seed=independent_seed(table.seed)), _part(table)
        for at, held in others:
            about = _about(one, held)
            played: list[Pairs] = []
            for start in range(0, len(numbers), size):
                some = numbers[start : start + size]
                without, other_luck = _known(one, table, some), _known(one, anew, some)
                with_it = _played(held.rules, table, some)
                controls = _controls(one, held.rules, table, (without, with_it, other_luck))
                played.append(pairs(without, with_it, other_luck, about, controls))
            found.append(Paired(at, len(table.bots), reduce(added, played)))
    return found


def _controls(
    one: Rules, other: Rules, table: MatchSetup, games: tuple[Games, Games, Games]
) -> tuple[Mean, Mean]:
    """Controls of some pairs: only for random players, and where the rules differ."""
    if one == other or set(table.bots) != {RANDOM}:
        return Mean(), Mean()
    return control_effect(program_of(one), program_of(other), table.seed, games)


def _about(one: Rules, held: ComparedRules) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The clauses in which the point comes up, by index in both programs."""
    programs = program_of(one), program_of(held.rules)
    ids = rules_with(programs, held.point) if held.point else frozenset()
    if not ids:
        return None
    left, right = (
        tuple(clause.index for clause in program.clauses if clause.id in ids)
        for program in programs
    )
    return left, right


def _played(rules: Rules, table: MatchSetup, numbers: range) -> Games:
    make_ready()
    players, who = len(table.bots), recorders(table.machine)
    return play_games(program_of(rules), players, table.seed, numbers, table.bots, who)


@lru_cache(maxsize=KEPT)
def _known(rules: Rules, table: MatchSetup, numbers: range) -> Games:
    """Cached games that are compared with several others."""
    return _played(rules, table, numbers)


# ---------------------------------------------------------------- witnesses


@dataclass(frozen=True, slots=True)
class Sought:
    """A difference to find a witness for.

    The first rules, those with the difference, the others, and the first two as they are, if they
    were given pieces (see `Rulebooks`).
    """

    one: Rules
    alone: Rules
    other: Rules
    clauses: tuple[str, ...]
    own: Books = ()
    books: Books = ()
    boxes: tuple[Rules, Rules] | None = None


def witnesses(sought: Sequence[Sought], seed: int, positions: int, crew: Crew) -> Iterator[Search]:
    """Searches a witness for each difference; yields results in order."""
    yield from crew.spread(_search, [(each, seed, positions) for each in sought])


def _search(sought: Sought, seed: int, positions: int) -> Search:
    one, alone, other = (program_of(each) for each in (sought.one, sought.alone, sought.other))
    boxes = sought.boxes and (program_of(sought.boxes[0]), program_of(sought.boxes[1]))
    rules = Rulebooks(one, alone, other, sought.own, sought.books, boxes)
    return search(rules, sought.clauses, positions=positions, seed=seed)
