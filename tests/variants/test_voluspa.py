"""The tiles, modules and mixes of Völuspá: each is sound, all go together, games come to an end."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from lawspeaker import load
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name
from tests.tiers import sample

TILES = (
    *("hermod", "jotunn", "sea_serpent", "hel"),
    *("dwarf", "freya", "raven", "niohoggr"),
    *("lightning_bolt", "drakkar"),
)
MODULES = ("saga_of_edda", "order_of_the_gods", "lightning")
MIXES = ("rise_of_the_serpents", "king_of_the_giants", "master_of_ravens")
HOUSE_RULES = ("no_late_hel",)
ALL = "voluspa+saga_of_edda+order_of_the_gods+lightning+drakkar"
PLAYED = (
    "voluspa",
    *(f"voluspa+{each}" for each in (*TILES, *MODULES, *MIXES)),
    "voluspa+hel+no_late_hel",
    ALL,
    f"{ALL}+no_late_hel",
)


@cache
def game(name: str) -> Game:
    return load(name)


def played(name: str, players: int, seed: int) -> Match:
    """A game in which every choice is made by counting on, which is as good as chance here."""
    match = game(name).start(players=players, seed=seed)
    at = seed
    while decision := match.decision:
        at += 7
        match.choose(decision.options[at % len(decision.options)])
    return match


def test_all_variants_are_listed_here() -> None:
    listed = (*TILES, *MODULES, *MIXES, *HOUSE_RULES)
    assert sorted(listed) == Library().variants("voluspa")


@pytest.mark.parametrize("pair", sample(combinations(TILES, 2), test=30, full=6), ids="+".join)
def test_any_two_tiles_go_together(pair: tuple[str, str]) -> None:
    diagnostics = Diagnostics()
    program = compile_name(f"voluspa+{pair[0]}+{pair[1]}", diagnostics)
    assert program is not None, list(map(str, diagnostics))


@pytest.mark.full
@pytest.mark.parametrize("name", sample(PLAYED, test=8, full=4))
def test_games_come_to_an_end(name: str) -> None:
    for players in (2, 5):
        match = played(name, players, seed=players)
        assert match.finished
        assert sum(len(held) for held in match.state.contents.values()) == len(match.state.where)
        assert match.winners == tuple(
            seat for seat, score in enumerate(match.scores) if score == max(match.scores)
        )


def test_bundles_are_their_parts() -> None:
    one = game("voluspa+order_of_the_gods").program
    other = game("voluspa+dwarf+freya+raven+niohoggr").program
    assert [clause.id for clause in one.clauses] == [clause.id for clause in other.clauses]
    assert one.pieces == other.pieces


def test_without_hel_nothing_is_late() -> None:
    diagnostics = Diagnostics()
    assert compile_name("voluspa+no_late_hel", diagnostics) is None
    assert "missing-variant" in {each.code for each in diagnostics}


def test_the_box_of_everything() -> None:
    (tiles,) = game(ALL).program.pieces
    assert sum(kind.count for kind in tiles.kinds) == 60 + 25 + 24 + 6 + 5
    for name in ("Hermod", "Jotunn", "Lightning Bolt", "Drakkar"):
        assert name in tiles.assumed["en"]
