"""Flags suspicious differences between aligned sentences.

    “14 with 2 players, 20 with 3 players”
    „14 zu zweit, 22 bei 3 Spielern“         with 3 players: 20 here, 22 there

Four things are flagged: different numbers, another order, lists of different length, and wrong
sums. A number for some number of players is compared with the one for as many in the other book.
The number one is not compared, since it is an article as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from lawspeaker.study.alignment.words import NUMBER, tokens
from lawspeaker.text.books.outline import Text

Kind = Literal["number", "order", "list", "sum"]
KINDS: tuple[Kind, ...] = ("number", "order", "list", "sum")
PLAYERS = frozenset(
    "spieler spielern personen player players people joueur joueurs personnes j "
    "giocatore giocatori persone".split()
)
TOGETHER = {"zweit": 2, "dritt": 3, "viert": 4, "funft": 5}
"""“zu zweit”"""
ANY, MOST_PLAYERS = 0, 8
_BETWEEN = frozenset("or oder o ou to bis a and und e et".split())
_CLAUSE = re.compile(r"[,;:()\[\]]|\.\s")
_SUM = re.compile(r"(\d+(?:\s*[-+−–x×*·]\s*\d+)+)\s*=\s*(\d+)")
_SHARED = 2
"""Minimum number of links between two lists that correspond."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A suspicious difference, with the values of each book; `players` is the number it holds
    for.
    """

    kind: Kind
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    players: int = 0


# ---------------------------------------------------------------- numbers


def in_numbers(first: tuple[str, str], second: tuple[str, str]) -> Iterator[Flag]:
    """Differing numbers of two sentences, each given with its language."""
    one, other = _numbers(*first), _numbers(*second)
    both = (one.keys() & other.keys()) - {ANY}
    for players in sorted(both):
        more, less = one[players] - other[players], other[players] - one[players]
        if more and less:
            yield Flag("number", _sorted(more), _sorted(less), players)
    more, less = _rest(one, both), _rest(other, both)
    more, less = more - less, less - more
    if more and less and (more | less) != {1}:
        yield Flag("number", _sorted(more), _sorted(less))


def _rest(numbers: Mapping[int, set[int]], apart: set[int]) -> set[int]:
    return {value for players, own in numbers.items() if players not in apart for value in own}


def _sorted(values: set[int]) -> tuple[int, ...]:
    return tuple(sorted(values))


def _numbers(text: str, language: str) -> dict[int, set[int]]:
    """The numbers of a sentence, by the number of players that they hold for.

    A number of players applies to its clause between commas, or else to the next one. If it
    applies to nothing, it is an ordinary number.
    """
    found: dict[int, set[int]] = {}
    waiting: tuple[int, ...] = ()
    for clause in _CLAUSE.split(text):
        for players, values in _bound(_events(tokens(clause, language))):
            if players and not values:
                waiting = players
                continue
            for each in (players or waiting or (ANY,)) if values else ():
                found.setdefault(each, set()).update(values)
            if players:
                waiting = ()
    if waiting and not any(waiting[0] == each for each in found):
        found.setdefault(ANY, set()).update(waiting)
    return found


_Events = list[tuple[bool, tuple[int, ...]]]


def _events(words: Sequence[str]) -> _Events:
    """The numbers in a clause, each with whether it counts players; `3 or 4 players` is one
    entry.
    """
    found: _Events = []
    run: list[int] = []
    for word in (*words, ""):
        if word.startswith(NUMBER):
            value = int(word[len(NUMBER) :])
            if run and value <= run[-1]:  # `7 à 3 joueurs` is no range
                found += [(False, (each,)) for each in run]
                run = []
            run.append(value)
            continue
        if word in TOGETHER:
            found.append((True, (TOGETHER[word],)))
        elif word in PLAYERS and run and max(run) <= MOST_PLAYERS:
            found.append((True, tuple(run)))
            run = []
        if word not in _BETWEEN:
            found += [(False, (each,)) for each in run]
            run = []
    return found


def _bound(events: _Events) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """Assigns values to numbers of players: the preceding one, if players come first, else the
    next.
    """
    if not events or not any(counts for counts, _ in events):
        yield (), {value for _, values in events for value in values}
        return
    order = events if events[0][0] else events[::-1]
    players: tuple[int, ...] = ()
    own: set[int] = set()
    for counts, values in order:
        if counts:
            if players or own:
                yield players, own
            players, own = values, set()
        else:
            own |= {*values}
    yield players, own


# ---------------------------------------------------------------- order


def out_of_order(pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> set[int]:
    """The pairs outside of the longest increasing subsequence."""
    by_first = sorted(range(len(pairs)), key=lambda at: pairs[at][0])
    ends: list[int] = []
    last: list[int] = []
    before: dict[int, int] = {}
    for at in by_first:
        value = pairs[at][1][0]
        place = bisect_left(ends, value)
        if place:
            before[at] = last[place - 1]
        ends[place : place + 1] = [value]
        last[place : place + 1] = [at]
    kept: set[int] = set()
    here = last[-1] if last else None
    while here is not None:
        kept.add(here)
        here = before.get(here)
    return {*range(len(pairs))} - kept


# ---------------------------------------------------------------- lists


def in_lists(
    texts: tuple[Text, Text], pairs: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> Mapping[int, Flag]:
    """Corresponding lists of different length, by the first pair of each."""
    lists = [_lists(text) for text in texts]
    joined: dict[tuple[int, int], list[int]] = {}
    for at, (first, second) in enumerate(pairs):
        if first[0] in lists[0] and second[0] in lists[1]:
            joined.setdefault((lists[0][first[0]][0], lists[1][second[0]][0]), []).append(at)
    sizes = [dict(own.values()) for own in lists]
    return {
        members[0]: Flag("list", (sizes[0][one],), (sizes[1][other],))
        for (one, other), members in joined.items()
        if len(members) >= _SHARED and sizes[0][one] != sizes[1][other]
    }


def _lists(text: Text) -> dict[int, tuple[int, int]]:
    """For each sentence in a list: where the list begins, and its number of items."""
    found: dict[int, tuple[int, int]] = {}
    numbered = enumerate(text.sentences)
    for (listed, _), run in groupby(numbered, lambda each: (bool(each[1].item), each[1].headings)):
        members = [*run]
        size = len({sentence.item for _, sentence in members})
        if listed and size > 1:
            found.update((at, (members[0][0], size)) for at, _ in members)
    return found


# ---------------------------------------------------------------- sums


def in_sums(text: str) -> Iterator[Flag]:
    """Wrong sums: the correct value, and the stated one."""
    for found in _SUM.finditer(text):
        right = _worth(found[1])
        if right != int(found[2]):
            yield Flag("sum", (right,), (int(found[2]),))


def _worth(written: str) -> int:
    total = 0
    for sign, product in re.findall(r"([-+−–]?)\s*([^-+−–]+)", written):
        worth = 1
        for factor in re.findall(r"\d+", product):
            worth *= int(factor)
        total += -worth if sign in ("-", "−", "–") else worth
    return total
