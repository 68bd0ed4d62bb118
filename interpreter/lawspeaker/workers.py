"""Games spread over a crew: an edge, since a worker loads rules by itself.

Each worker makes the rules once, from the texts of their files and the text of a patch to lay
over them, and plays blocks of numbers. Only texts and numbers travel between processes. Records
come back in the order of their numbers, however many workers there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.compare.witness import Rulebooks, Search, search
from lawspeaker.crew import Crew
from lawspeaker.diagnostics import Diagnostics, RulesError
from lawspeaker.lab.record import Record, play_games
from lawspeaker.loading import bundled, compile_bundle
from lawspeaker.source import RuleFile

LARGEST_BLOCK, LARGEST_RANDOM_BLOCK = 8, 500
"""The most games a worker plays before it reports, so that progress can be seen; those between
random players are played a thousand times as fast."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A game by its name and the texts of its files, and a patch to lay over it, if any."""

    name: str
    files: tuple[RuleFile, ...] = field(repr=False)
    patch: str = field(default="", repr=False)

    @classmethod
    def of(cls, name: str) -> Rules:
        """The rules of that name, with their files as they are now."""
        return cls(name, bundled(name))


@lru_cache(maxsize=64)
def program_of(rules: Rules) -> ir.Program:
    """What the rules mean; each process works it out once."""
    files = rules.files
    if rules.patch:
        files = (*files, RuleFile("patch.yaml", rules.patch, ()))
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics)
    if program is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return program


def records(
    rules: Rules, players: int, seed: int, bots: Sequence[str], numbers: range, crew: Crew
) -> Iterator[Record]:
    """The records of the games of these numbers, in order."""
    jobs = [(rules, players, seed, tuple(bots), block) for block in _blocks(numbers, bots, crew)]
    for found in crew.spread(_records, jobs):
        yield from found


def _records(
    rules: Rules, players: int, seed: int, bots: tuple[str, ...], numbers: range
) -> list[Record]:
    # Here and not above: whoever only looks for witnesses needs no compiled machine.
    from lawspeaker.modules import keep_modules

    keep_modules()
    return play_games(program_of(rules), players, seed, numbers, bots)


def all_records(
    rules: Sequence[Rules], players: int, seed: int, bots: Sequence[str], games: int, crew: Crew
) -> Iterator[tuple[int, Record]]:
    """The same games by several rules, each record with the number of its rules."""
    blocks = _blocks(range(games), bots, crew)
    jobs = [(each, players, seed, tuple(bots), block) for each in rules for block in blocks]
    for at, found in enumerate(crew.spread(_records, jobs)):
        for record in found:
            yield at // len(blocks), record


def _blocks(numbers: range, bots: Sequence[str], crew: Crew) -> list[range]:
    """Numbers in handfuls: small enough to share the work out well and to show progress."""
    random = all(name == "random" for name in bots)
    most = LARGEST_RANDOM_BLOCK if random else LARGEST_BLOCK
    size = max(1, min(most, len(numbers) // (crew.hands * 4)))
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


@dataclass(frozen=True, slots=True)
class Sought:
    """A difference to be witnessed: the first rules, those with the difference, the others."""

    one: Rules
    alone: Rules
    other: Rules
    clauses: tuple[str, ...]


def witnesses(sought: Sequence[Sought], seed: int, positions: int, crew: Crew) -> Iterator[Search]:
    """A search for each difference, in order."""
    yield from crew.spread(_search, [(each, seed, positions) for each in sought])


def _search(sought: Sought, seed: int, positions: int) -> Search:
    programs = [program_of(each) for each in (sought.one, sought.alone, sought.other)]
    return search(Rulebooks(*programs), sought.clauses, seed, positions)
