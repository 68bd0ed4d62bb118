"""The games on which the properties are tried, and matches of them in the middle of play.

Every game in rules/ is tried with its fewest or its most players, in a nightly run with both. In
`make full` a quarter of the tests takes a heavy game and half of them each other one; in `make
test` none takes a heavy one and a third each other one. So are the small games in games/, made of
what is awkward: secrets of all sorts, tables that grow. Replies come from an RNG with a fixed seed,
so that a test sees the same situations each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest

from lawspeaker import ir
from lawspeaker.ir.walk import code_of, everything
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory
from tests import library
from tests.library import game
from tests.tiers import LONG_QUESTIONS, NIGHTLY, pick

ROOT = Path(__file__).resolve().parents[2]
LONGEST, WHOLE = pick(test=40, full=40, nightly=100), 400
"""So many decisions are looked at before a game is left alone, and so many if it is to come to its
end, unless it is very long."""
DISCRETIONS = ("quick", "discreet")
FEW = 5
"""So many decisions of a game whose questions take long."""
FEW_PARTS = 8
"""A question of fewer parts is worked out each time."""


@cache
def names() -> tuple[str, ...]:
    """The built-in games by their names, small ones by their paths."""
    own = sorted(Path(__file__).parent.glob("games/*.yaml"))
    return (*library.names(), *map(str, own))


Table = tuple[str, int]
"""A game and a number of players."""


def tables() -> list[Table]:
    """All games with their fewest or their most players by turns, in a nightly run with both."""
    found = []
    for at, name in enumerate(names()):
        counts = list(dict.fromkeys(library.players(name)))
        found += [(name, count) for count in (counts if NIGHTLY else [counts[-(at % 2)]])]
    return found


def table_id(table: Table) -> str:
    name, players = table
    return f"{Path(name).stem}-{players}"


Test = TypeVar("Test", bound=Callable[..., None])


def every_table(test: Test) -> Test:
    """Runs a test once for each of these tables that it takes."""
    here = [table for table in tables() if takes(test, table)]
    mark: Callable[[Test], Test] = pytest.mark.parametrize("table", here, ids=table_id)
    return mark(test)


def every_manner(test: Test) -> Test:
    """Runs a test for each of these tables that it takes, with each discretion at some of them."""
    found = [(table, DISCRETIONS[at // 2 % 2]) for at, table in enumerate(tables())]
    if NIGHTLY:
        found = [(table, discretion) for table in tables() for discretion in DISCRETIONS]
    mark: Callable[[Test], Test] = pytest.mark.parametrize(
        "table, discretion",
        [each for each in found if takes(test, each[0])],
        ids=lambda each: each if isinstance(each, str) else table_id(each),
    )
    return mark(test)


def takes(test: Callable[..., None], table: Table) -> bool:
    """Whether a test runs at a table in this tier: the tests share the games, unless it is a
    nightly run."""
    heavy = table[0] in library.HEAVY
    share = pick(test=3, full=4 if heavy else 2, nightly=1)
    games = sorted(library.HEAVY) if heavy else names()
    return games.index(table[0]) % share == crc32(test.__name__.encode()) % share


def start(table: Table, seed: int, chance: str = "seed", discretion: str = "quick") -> Match:
    name, players = table
    return game(name).start(players, seed, chance, discretion=discretion)


def play(match: Match, seed: int, stream: str = "replies", most: int = LONGEST) -> Iterator[Option]:
    """Plays on; stops with each reply before it is given. Half of the replies are eager."""
    luck = RngFactory(seed).stream(stream)
    for _ in range(longest(match, most)):
        decision = match.decision
        if decision is None:
            return
        option = luck.choose(decision.options)
        if luck.below(2):
            option = max(luck.shuffled(decision.options), key=eagerness)
        yield option
        match.choose(option.text, seat=decision.seat)


def longest(match: Match, most: int) -> int:
    """How many decisions of a match are looked at, if it is not over before."""
    return FEW if match.program.name in LONG_QUESTIONS else most


@cache
def pace(table: Table) -> int:
    """To work a question out plainly takes the longer the more parts it has, and a path has many:
    of a game with such questions only each so many decisions are worked out."""
    code = everything(code_of(game(table[0]).program))
    asks = [each for each in code if isinstance(each, ir.Ask)]
    parts = (sum(len(each.parts) for each in ask.alternatives) for ask in asks)
    return 1 + max(parts, default=0) // FEW_PARTS


def eagerness(option: Option) -> int:
    """How many things an option takes."""
    if option.alternative is None:
        return -1
    pairs = zip(option.alternative.parts, option.values, strict=True)
    return sum(len(value) if part.several else 1 for part, value in pairs)


def finish(match: Match, seed: int) -> Match:
    """The match at its end (or after very many decisions)."""
    for _ in play(match, seed, most=WHOLE):
        pass
    return match


def without_past(match: Match) -> Match:
    """The same situation, with no record of how it came about."""
    return Match.from_state(match.program, match.state)
