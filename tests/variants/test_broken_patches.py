"""Each change of each variant is needed: without it something turns red.

A variant is laid over its game with one of its changes left out, in a nightly run each of them in
turn. Either the rules no longer make sense then, which the checker says, or one of the scenarios
that play with the variant fails. The game's own files are read once, and scenarios are run only
until one is red.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning import check
from lawspeaker.meaning.compile import Opened
from lawspeaker.meaning.variant import Change, Variant, plain_name, read_variant
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import open_name, schema
from lawspeaker.study.scenario import run_all
from lawspeaker.text.document import Mapping, Scalar, Sequence
from tests.repo.checkout import ROOT
from tests.tiers import sample

SCENARIOS = ROOT / "tests" / "scenarios"
PLAYED = re.compile(r"^game: (.+)$", re.M)
WORD = re.compile(r"[a-z]{3,}")
GIVEN = re.compile(r"(\w+)(?:\(([^()]*)\))?\Z")
GAMES = [game for game in Library().games() if Library().variants(game)]
ASIDE = ("names", "symbols", "table")
"""What things are called and how they look changes no play."""


@cache
def opened(game: str) -> Opened:
    found = open_name(game, Diagnostics())
    assert found is not None
    return found


@cache
def variant(game: str, name: str) -> Variant:
    """A variant as it is named in a scenario: `longer`, or `longer(3)`."""
    given = GIVEN.match(name)
    assert given is not None, name
    path = Library().variant(game, given[1])
    arguments = tuple(each.strip() for each in given[2].split(",")) if given[2] else ()
    file = SourceFile(path.name, path.read_text(encoding="utf-8"))
    found = read_variant(file, arguments, schema("variant"), Diagnostics())
    assert found is not None, name
    return found


def variants_with_includes(game: str, names: list[str]) -> list[Variant]:
    """The variants of a scenario, with those that they include."""
    waiting, found = list(names), dict[str, Variant]()
    while waiting:
        each = variant(game, waiting.pop(0))
        found.setdefault(each.name, each)
        waiting += [one.value for one in each.includes if plain_name(one.value) not in found]
    return list(found.values())


@cache
def scenarios(game: str) -> dict[SourceFile, list[str]]:
    """The scenarios of a game and its variants, and the variants each plays with."""
    found: dict[SourceFile, list[str]] = {}
    for file in sorted(SCENARIOS.rglob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        played = PLAYED.search(text)
        name, *names = played[1].split("+") if played else [""]
        if name == game and names and "bad" not in file.parts:
            found[SourceFile(file.name, text)] = names
    return found


def playing(game: str, name: str, change: Change) -> list[SourceFile]:
    """The scenarios in which a change of a variant is made, those first that speak of it."""
    about = set(WORD.findall(change.target))
    needed = {name, *change.together_with}
    found: list[tuple[int, int, SourceFile]] = []
    for file, names in scenarios(game).items():
        if needed <= {each.name for each in variants_with_includes(game, names)}:
            said = set(WORD.findall(f"{file.name} {file.text}".lower()))
            found.append((-len(about & said), len(names), file))
    return [file for _, _, file in sorted(found, key=lambda each: each[:2])]


def _change(game: str, name: str, number: int) -> Change:
    changes = variant(game, name).changes
    return changes[min(number, len(changes) - 1)]


def playing_changes() -> list[tuple[str, str, int]]:
    """Games, variants, and the number of a change that changes play."""
    return [
        (game, name, number)
        for game in GAMES
        for name in Library().variants(game)
        for number, change in enumerate(variant(game, name).changes)
        if change.action != "cite" and change.target.partition(".")[0] not in ASIDE
        if not _only_cites(change)
    ]


def _only_cites(change: Change) -> bool:
    """Whether it says no more than that a book leaves open what stands there: a value for which no
    reason is given, and which no book states."""
    cites = change.get("cites")
    if change.action != "set" or change.get("because") or not isinstance(cites, Sequence):
        return False
    stances = (each.get("stance") for each in cites.items if isinstance(each, Mapping))
    told = [each.value for each in stances if isinstance(each, Scalar)]
    return len(told) == len(cites.items) and {"silent", "our_ruling"}.issuperset(told)


def is_noticed(game: str, name: str, number: int) -> bool:
    """Whether any scenario turns red when a change of a variant is left out."""
    programs: dict[str, ir.Program | None] = {}

    def without(named_so: str, diagnostics: Diagnostics) -> ir.Program | None:
        if named_so not in programs:
            variants = [
                replace(each, changes=each.changes[:number] + each.changes[number + 1 :])
                if each.name == name
                else each
                for each in variants_with_includes(game, named_so.split("+")[1:])
            ]
            book = Opened(opened(game).book, tuple(variants)).laid(diagnostics)
            programs[named_so] = None if book is None else check.program(book, diagnostics)
        return programs[named_so]

    return any(
        not run_all([file], without, schema("scenario")).passed
        for file in playing(game, name, _change(game, name, number))
    )


@pytest.mark.full
@pytest.mark.parametrize("game, name, number", sample(playing_changes(), test=12, full=6))
def test_without_the_change_something_is_red(game: str, name: str, number: int) -> None:
    change = variant(game, name).changes[number]
    assert is_noticed(game, name, number), f"{change.action} {change.target}"


@pytest.mark.parametrize("name", ["full_hands", "long_peninsulas", "head_start"])
def test_with_all_changes_nothing_is_red(name: str) -> None:
    """The way in which scenarios are run here is the right one: by itself it breaks nothing."""
    beyond = len(variant("walhalla", name).changes)
    assert playing("walhalla", name, variant("walhalla", name).changes[0])
    assert not is_noticed("walhalla", name, beyond)


def test_the_changes_are_found() -> None:
    found = playing_changes()
    assert len(found) > 100
    targets = {(name, variant(game, name).changes[at].target) for game, name, at in found}
    assert ("french", "ties.second") in targets
    assert ("card_selling", "boarding.guest.has_a_viking") in targets
