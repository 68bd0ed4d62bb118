"""Games spread over a crew: an edge, since a worker loads rules by itself.

Each worker makes the rules once (`rules`), plays blocks of numbers, and sums them up. Only texts,
numbers and sums travel between processes. Sums are exact, so it does not matter how many workers
there are or who plays what.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import TypeVar

from lawspeaker.outside.crew import Crew
from lawspeaker.outside.machines import on_card, recorders
from lawspeaker.outside.rules import Rules, Table, make_ready, program_of
from lawspeaker.study.compare.coming_up import rules_with
from lawspeaker.study.compare.control import RANDOM, beyond, dealt_anew
from lawspeaker.study.compare.effect import Pairs, pairs
from lawspeaker.study.compare.witness import Books, Rulebooks, Search
from lawspeaker.study.compare.witness_search import search
from lawspeaker.study.lab.exact_sums import added
from lawspeaker.study.lab.games import Games, play_games, plays_inside
from lawspeaker.study.lab.proving import Bout, Won, bout_won
from lawspeaker.study.lab.skill import skills
from lawspeaker.study.lab.statistics import Mean
from lawspeaker.study.lab.sweep import Swept
from lawspeaker.study.lab.tally import Tally
from lawspeaker.study.reviewing.looking import Look, looked_at

T = TypeVar("T")
LARGEST_BLOCK, LARGEST_RANDOM_BLOCK = 8, 20_000
"""The most games a worker plays before it reports; those between random players are played a
thousand times as fast."""
LARGEST_SKILLED_BLOCK = 500
"""The most deals between one who has learned and random players that are played at once."""
REPORTS, FEWEST_REPORTS = 25, 4
"""How often each worker reports, if there are games enough, so that progress can be seen; less
often where there are many rules, since going from one to the next costs a moment."""
AT_ONCE = 20_000
"""The most games that are held at once, by all rules together; then only their sums are kept."""
LARGEST_PART = 1000
"""Larger parts of a block would not be added up any faster."""
CARD_PART = 60_000
"""The games that a card is given at once, by all rules together: fewer would leave it idle."""


SumUp = Callable[[Sequence[Games]], T]
"""What is made of some games, played by each of the rules. It lies at the top level of a module,
and what it makes of several games can be put together by `added`."""


def sums(
    rules: Sequence[Rules], table: Table, numbers: range, sum_up: SumUp[T], crew: Crew
) -> Iterator[T]:
    """The games of these numbers, played by all of the rules: sums over blocks, in order."""
    blocks = _blocks(numbers, table, len(rules), crew)
    yield from crew.spread(_sums, [(tuple(rules), table, block, sum_up) for block in blocks])


def _sums(rules: tuple[Rules, ...], table: Table, numbers: range, sum_up: SumUp[T]) -> T:
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


def looks(rules: Rules, table: Table, numbers: range, crew: Crew) -> Iterator[tuple[Tally, Look]]:
    """The games of these numbers, looked at closely: sums over blocks, in order."""
    slow = [numbers[at : at + LARGEST_BLOCK] for at in range(0, len(numbers), LARGEST_BLOCK)]
    thinking = any(name != "random" for name in table.bots)
    blocks = _blocks(numbers, table, 1, crew) if thinking else slow
    yield from crew.spread(_looks, [(rules, table, block) for block in blocks])


def _looks(rules: Rules, table: Table, numbers: range) -> tuple[Tally, Look]:
    make_ready()
    return looked_at(program_of(rules), len(table.bots), table.seed, numbers, table.bots)


def _part(table: Table) -> int:
    """How many games are played before they are added up."""
    return CARD_PART if on_card(table.machine) else LARGEST_PART


def _blocks(numbers: range, table: Table, rules: int, crew: Crew) -> list[range]:
    """Numbers in handfuls: small enough to share the work out well and to show progress."""
    most = LARGEST_RANDOM_BLOCK if plays_inside(table.bots) else LARGEST_BLOCK
    most = CARD_PART if on_card(table.machine) else most
    reports = crew.hands * max(FEWEST_REPORTS, REPORTS // rules)
    size = max(1, min(most // rules, len(numbers) // reports))
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def bouts_won(
    rules: Rules, bouts: Sequence[Bout], seed: int, deals: Sequence[int], crew: Crew
) -> Iterator[tuple[Bout, Won]]:
    """What bots win against others by these rules, deal by deal; so many deals for each bout."""
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
    """The skill of bots by each of the rules, and how it differs from that by those of reference:
    sums over blocks of deals, in order, and how many deals there were in each."""
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
"""So many parts of games wait in each worker for others to be held against them."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Sums over pairs of games by the first rules and by others (by their number)."""

    other: int
    players: int
    pairs: Pairs


def paired(
    one: Rules,
    others: Sequence[Rules],
    tables: Sequence[Table],
    numbers: range,
    crew: Crew,
    points: Sequence[str] = (),
) -> Iterator[list[Paired]]:
    """Games of these numbers by the first rules and by each of the others, at each table, as pairs
    with the same luck; in `paired_jobs` parts, the lower numbers first.

    `points` are the ids of what each of the others has otherwise, as far as it is to be told how
    often that comes up.
    """
    named = [*points, *[""] * (len(others) - len(points))]
    held = [Held(rules, point) for rules, point in zip(others, named, strict=True)]
    yield from crew.spread(_paired, _paired_jobs(one, held, tables, numbers))


@dataclass(frozen=True, slots=True)
class Held:
    """Rules that are held against the first, and the point that they have otherwise."""

    rules: Rules
    point: str = ""


def paired_jobs(others: int, tables: Sequence[Table], numbers: range) -> int:
    """In how many parts pairs are played."""
    size, by_rules = _shared_out(tables)
    return math.ceil(len(numbers) / size) * (others if by_rules else len(tables))


def _shared_out(tables: Sequence[Table]) -> tuple[int, bool]:
    """How many numbers go together, and whether pairs are handed out by rulebooks.

    Going from one rulebook to the next costs a worker more than many games between random players.
    Those of bots who think cost so much that none is to be played twice.
    """
    random = all(name == "random" for table in tables for name in table.bots)
    card = any(on_card(table.machine) for table in tables)
    return (CARD_PART if card else LARGEST_RANDOM_BLOCK, True) if random else (1, False)


_Job = tuple[Rules, tuple[tuple[int, Held], ...], tuple[Table, ...], range]


def _paired_jobs(
    one: Rules, others: Sequence[Held], tables: Sequence[Table], numbers: range
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
    one: Rules, others: tuple[tuple[int, Held], ...], tables: tuple[Table, ...], numbers: range
) -> list[Paired]:
    found: list[Paired] = []
    for table in tables:
        anew, size = replace(table, seed=dealt_anew(table.seed)), _part(table)
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
    one: Rules, other: Rules, table: Table, games: tuple[Games, Games, Games]
) -> tuple[Mean, Mean]:
    """The controls of some pairs: of random players, and where the rules differ at all."""
    if one == other or set(table.bots) != {RANDOM}:
        return Mean(), Mean()
    return beyond(program_of(one), program_of(other), table.seed, games)


def _about(one: Rules, held: Held) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The rules in which the point comes up, by their numbers in both."""
    programs = program_of(one), program_of(held.rules)
    ids = rules_with(programs, held.point) if held.point else frozenset()
    if not ids:
        return None
    left, right = (
        tuple(clause.index for clause in program.clauses if clause.id in ids)
        for program in programs
    )
    return left, right


def _played(rules: Rules, table: Table, numbers: range) -> Games:
    make_ready()
    players, who = len(table.bots), recorders(table.machine)
    return play_games(program_of(rules), players, table.seed, numbers, table.bots, who)


@lru_cache(maxsize=KEPT)
def _known(rules: Rules, table: Table, numbers: range) -> Games:
    """Games that are held against several others."""
    return _played(rules, table, numbers)


# ---------------------------------------------------------------- witnesses


@dataclass(frozen=True, slots=True)
class Sought:
    """A difference to be witnessed: the first rules, those with the difference, the others, and
    the first two as they are, if they were given pieces (see `Rulebooks`)."""

    one: Rules
    alone: Rules
    other: Rules
    clauses: tuple[str, ...]
    own: Books = ()
    books: Books = ()
    boxes: tuple[Rules, Rules] | None = None


def witnesses(sought: Sequence[Sought], seed: int, positions: int, crew: Crew) -> Iterator[Search]:
    """A search for each difference, in order."""
    yield from crew.spread(_search, [(each, seed, positions) for each in sought])


def _search(sought: Sought, seed: int, positions: int) -> Search:
    one, alone, other = (program_of(each) for each in (sought.one, sought.alone, sought.other))
    boxes = sought.boxes and (program_of(sought.boxes[0]), program_of(sought.boxes[1]))
    rules = Rulebooks(one, alone, other, sought.own, sought.books, boxes)
    return search(rules, sought.clauses, positions=positions, seed=seed)
