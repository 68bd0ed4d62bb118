"""The variants of Walhalla: each is sound, plays to the end, and makes a difference."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from lawspeaker import load
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, run_scenarios
from tests.tiers import sample

VARIANTS = Library().variants("walhalla")
SCENARIOS = sorted((Path(__file__).parents[1] / "scenarios" / "walhalla_variants").glob("*.yaml"))
EDITIONS = ("german_attacke", "italian", "french")
MODULES = ("card_selling", "french_card_selling", "long_peninsulas", "random_peninsulas")
HOUSE_RULES = (
    *("empty_seats", "exodus_first", "full_hands", "glorious_death"),
    *("head_start", "no_exodus", "skalds", "three_shores"),
)
RIVALS = {
    *combinations(EDITIONS, 2),
    ("card_selling", "french_card_selling"),
    ("long_peninsulas", "random_peninsulas"),
    ("exodus_first", "no_exodus"),
    ("italian", "french_card_selling"),
    ("french", "card_selling"),
}
AS_BEFORE = ("italian_shield.yaml",)
"""Scenarios of what a variant says in terms and the game does anyway."""


@cache
def game(name: str) -> Game:
    return load(name)


def go_together(*names: str) -> bool:
    return not any((one, two) in RIVALS or (two, one) in RIVALS for one in names for two in names)


def played(name: str, players: int, seed: int) -> Match:
    """A game in which every choice is made by counting on, which is as good as chance here."""
    match = game(name).start(players=players, seed=seed)
    at = seed
    while match.decisions:
        for decision in match.decisions:
            at += 7
            match.choose(decision.options[at % len(decision.options)], decision.seat)
    return match


@pytest.mark.full
def test_all_variants_are_listed_here() -> None:
    assert sorted((*EDITIONS, *MODULES, *HOUSE_RULES)) == VARIANTS
    programs = [game(f"walhalla+{name}").program for name in VARIANTS]
    layers = {note.name: note.layer for program in programs for note in program.variants}
    assert {layers[name] for name in EDITIONS} == {"edition"}
    assert {layers[name] for name in MODULES} == {"module"}
    assert {layers[name] for name in HOUSE_RULES} == {"house rule"}


@pytest.mark.parametrize("name", sample(VARIANTS, test=8))
def test_it_is_sound_and_plays_to_the_end(name: str) -> None:
    diagnostics = Diagnostics()
    assert compile_name(f"walhalla+{name}", diagnostics) is not None
    assert not len(diagnostics), "not even a warning"
    for players in (3, 4):
        match = played(f"walhalla+{name}", players, 5)
        assert match.winners


@pytest.mark.full
@pytest.mark.parametrize("edition", sample(EDITIONS, full=3))
def test_everything_that_goes_together_goes_with_every_edition(edition: str) -> None:
    for at, module in enumerate((None, *MODULES)):
        without = ("exodus_first", "no_exodus")[at % 2]
        house = tuple(each for each in HOUSE_RULES if each != without)
        names = tuple(each for each in (edition, module, *house) if each)
        if go_together(*names):
            assert played("+".join(("walhalla", *names)), 3, 2).winners


@pytest.mark.parametrize("one, two", sorted(RIVALS))
def test_rivals_are_refused_plainly(one: str, two: str) -> None:
    with pytest.raises(RulesError) as refused:
        load(f"walhalla+{one}+{two}")
    assert {each.code for each in refused.value.diagnostics} == {"variants-clash"}
    assert all("cannot be played with" in each.message for each in refused.value.diagnostics)


@pytest.mark.parametrize(
    "names", ["italian+skalds+random_peninsulas", "french+exodus_first+full_hands+long_peninsulas"]
)
@pytest.mark.full
def test_the_order_of_names_means_nothing(names: str) -> None:
    backwards = "+".join(reversed(names.split("+")))
    one, two = game(f"walhalla+{names}").program, game(f"walhalla+{backwards}").program
    assert one == two


@pytest.mark.full
def test_an_edition_that_has_the_module_is_the_same_with_it() -> None:
    assert game("walhalla+italian+card_selling").program == game("walhalla+italian").program
    assert game("walhalla+french+french_card_selling").program == game("walhalla+french").program


# ---------------------------------------------------------------- each makes a difference


@pytest.mark.full
@pytest.mark.parametrize("file", sample(SCENARIOS, test=30, full=6), ids=lambda file: file.stem)
def test_it_is_red_without_the_variant(file: Path, tmp_path: Path) -> None:
    assert run_scenarios([file]).passed
    bare = tmp_path / file.name
    text = file.read_text(encoding="utf-8")
    bare.write_text(re.sub(r"^cites:.*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    assert run_scenarios([bare], under="walhalla").passed == (file.name in AS_BEFORE)


def test_every_variant_has_a_scenario() -> None:
    texts = "\n".join(file.read_text(encoding="utf-8") for file in SCENARIOS)
    without = [name for name in VARIANTS if f"game: walhalla+{name}" not in texts]
    assert without == ["german_attacke"], "it is the same game in other words"


@pytest.mark.full
def test_german_attacke_is_the_same_game_with_another_word() -> None:
    base, other = game("walhalla").program, game("walhalla+german_attacke").program
    assert base.names["attack"]["de"] == "Angriff"
    assert other.names["attack"]["de"] == "Attacke"
    assert [clause.says for clause in base.clauses] == [clause.says for clause in other.clauses]
    one, two = played("walhalla", 4, 9), played("walhalla+german_attacke", 4, 9)
    assert one.events == two.events


def test_random_peninsulas_have_five_to_eight_tiles() -> None:
    found = set()
    for seed in range(40):
        view = game("walhalla+random_peninsulas").start(players=3, seed=seed).view(0)
        names = [family.name for family in view.program.families]
        places = view.layout.places_of[names.index("peninsula")]
        lengths = [len(view.contents[place]) for place in places]
        assert sum(lengths) == 18
        assert all(5 <= length <= 8 for length in lengths)
        found.add(tuple(sorted(lengths)))
    assert found == {(6, 6, 6), (5, 6, 7), (5, 5, 8)}


@pytest.mark.parametrize("lengths", ["(5, 5, 7)", "(4, 6, 8)", "(9, 5, 4)"])
def test_long_peninsulas_are_eighteen_tiles(lengths: str) -> None:
    with pytest.raises(RulesError) as refused:
        load(f"walhalla+long_peninsulas{lengths}")
    assert {each.code for each in refused.value.diagnostics} == {"bad-parameters"}


def test_what_an_edition_changes_is_told_with_kind_and_reason() -> None:
    for edition in EDITIONS:
        for note in game(f"walhalla+{edition}").program.changes:
            assert note.cites or note.target.startswith(("names.", "symbols."))
            if note.action in ("set", "replace", "amend") and not note.target.startswith("names."):
                assert note.kind, note
