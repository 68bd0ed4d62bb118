"""Walhalla by its rule files and Walhalla written by hand are the same game.

Games are played in lockstep on both (see `walhalla_lockstep`), with three and with four players.
Policies of the seats differ, so that all rules are executed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.match.game import Game
from tests.differential.walhalla_lockstep import Lockstep, Policy, plain_option
from tests.tiers import pick

GAMES = pick(test=1, full=3, nightly=20)


def at_random(random: Random, table: Lockstep, seat: int, question: str, options: Any) -> Any:
    """Any option with the same chance."""
    return random.choice(options)


def eagerly(random: Random, table: Lockstep, seat: int, question: str, options: Any) -> Any:
    """Boards as much as possible, attacks where it can, plays and lays down all cards."""
    if question == "land":
        return max(options, key=lambda field: (_taken(table, field), random.random()))
    if question == "send":
        return random.choice(options)
    if question == "defend":
        return options[-1]
    return max(options, key=_size)


def greedily(random: Random, table: Lockstep, seat: int, question: str, options: Any) -> Any:
    """Boards as much as possible, goes where cards are drawn, and plays none before the end."""
    if question == "defend":
        return "lose"
    if question in ("attack", "hunt", "end_of_raid") and table.game.raid < 3:
        return min(options, key=_size)
    return _for_cards(random, table, question, options)


def lavishly(random: Random, table: Lockstep, seat: int, question: str, options: Any) -> Any:
    """Goes where cards are drawn, and plays them all at once, so that the pile runs out."""
    if question == "defend":
        return "lose" if "shield" not in options else "shield"
    return _for_cards(random, table, question, options)


def _for_cards(random: Random, table: Lockstep, question: str, options: Any) -> Any:
    if question == "land":
        return max(options, key=lambda field: (_land(table, field) == "cult", random.random()))
    if question == "send":
        return max(options, key=lambda sending: (_cult_sites(table, sending[0]), random.random()))
    return max(options, key=_size)


def _cult_sites(table: Lockstep, fjord: int) -> int:
    """How many places of a dragon sent there would lie beside a cult site."""
    game = table.game
    first = 3 * game.docked[fjord - 1]
    spots = game.shore.beside[fjord - 1][first : first + 3]
    return sum(any(game.kind[field] == "cult" for field in fields) for fields, _ in spots)


def timidly(random: Random, table: Lockstep, seat: int, question: str, options: Any) -> Any:
    """Sends hardly anybody, and always gives in."""
    if question == "board" and random.random() < 0.2:
        return random.choice(options)
    return random.choice(options) if question in ("land", "send") else min(options, key=_size)


def wilfully(random: Random, table: Lockstep, seat: int, question: str, options: Any) -> Any:
    """Everyone in another manner, and now and then anything at all."""
    manners = (eagerly, lavishly, at_random, timidly)
    manner = at_random if random.random() < 0.2 else manners[(seat + table.game.raid) % 4]
    return manner(random, table, seat, question, options)


def _size(option: Any) -> tuple[int, int]:
    """How much an option does: places boarded, cards laid, a yes."""
    if not isinstance(option, Sequence):
        return int(option), 0
    pairs = [item for item in option if isinstance(item, tuple)]
    return sum(count for _, count in pairs), 0 if isinstance(option, str) else len(option)


def _index(field: tuple[int, int]) -> int:
    peninsula, row = field
    return 12 * (peninsula - 1) + row - 1


def _taken(table: Lockstep, field: tuple[int, int]) -> bool:
    return table.game.who[_index(field)] >= 0


def _land(table: Lockstep, field: tuple[int, int]) -> str:
    return table.game.kind[_index(field)]


MANNERS = (at_random, eagerly, greedily, lavishly, timidly, wilfully)


@cache
def walhalla() -> Game:
    return lawspeaker.load("walhalla")


def play(policy: Policy, players: int, seed: int) -> Lockstep:
    match = walhalla().start(players, seed, chance="ask")
    table = Lockstep(match, policy, seed)
    scores = table.run()
    table.compare_situations()
    assert match.scores == scores
    best = max(scores)
    assert match.winners == tuple(seat for seat in range(players) if scores[seat] == best)
    return table


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("policy", MANNERS)
def test_both_play_the_same_game(policy: Policy, players: int) -> None:
    for seed in range(GAMES):
        play(policy, players, seed)


@pytest.mark.full
def test_these_manners_bring_up_everything_in_the_rules() -> None:
    asked: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for policy in MANNERS:
        for players in (3, 4):
            table = play(policy, players, 100)
            asked += table.asked
            happened += events_by_clause(table)
    for answers in ("ride", "attack", "hunt"):
        assert asked[f"{answers} True"]
        assert asked[f"{answers} False"]
    assert asked["defend lose"]
    assert asked["defend win"]
    assert asked["defend shield"]
    assert happened["drawing_a_card shuffle"]
    assert happened["going_ashore move"]
    for clause in walhalla().program.clauses:
        if any(isinstance(deed, ACTS) for deed in deeds_in(clause.body)):
            assert any(name.split()[0] == clause.id for name in happened), clause.id


ACTS = (ir.Score, ir.Move, ir.MoveSome, ir.Draw, ir.Shuffle, ir.SetMarker, ir.SetState, ir.Pick)
"""What leaves an event behind."""


def deeds_in(node: object) -> Iterator[ir.Statement]:
    """All deeds in a block, those inside others too."""
    if isinstance(node, ir.Statement):
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from deeds_in(item)
    elif isinstance(node, ir.Statement | ir.Alternative):
        for field in fields(node):
            yield from deeds_in(getattr(node, field.name))


def events_by_clause(table: Lockstep) -> Counter[str]:
    clauses = table.match.program.clauses
    return Counter(f"{clauses[event.clause].id} {event.kind}" for event in table.match.events)


@pytest.mark.parametrize(
    "question, text, plain",
    [
        ("board", "board none", ()),
        ("board", "board seat bow + seat stern", ("bow", "stern")),
        ("ride", "ride_along", True),
        ("ride", "pass", False),
        ("send", "dock fjord 2, bow_first", (2, "bow_first")),
        ("land", "go_ashore field 2 7", (2, 7)),
        ("attack", "play attack", True),
        ("defend", "shield shield", "shield"),
        ("end_of_raid", "lay_down none", ()),
        ("end_of_raid", "lay_down 2 forest + cape_6", (("cape_6", 1), ("forest", 2))),
    ],
)
def test_texts_are_read_as_plain_options(question: str, text: str, plain: object) -> None:
    assert plain_option(question, text) == plain
