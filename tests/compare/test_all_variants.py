"""Variants of the repository, in a nightly run all of them, against their game, both ways round.

Each change of play is named, and no cell says nothing, or the same as its neighbour where play
differs.
"""

from __future__ import annotations

from functools import cache
from io import StringIO

import pytest
from rich.console import Console

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.render.compare import CompareOptions, text
from lawspeaker.meaning.variant import Change
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.points import CLAUSES, aims_at
from tests.tiers import sample

pytestmark = pytest.mark.full
GAMES = [game for game in Library().games() if Library().variants(game)]
NAMES = sample(
    (
        pytest.param(game, variant, marks=pytest.mark.xdist_group(f"all variants of {game}"))
        for game in GAMES
        for variant in Library().variants(game)
    ),
    full=9,
)
"""The variants of a game are read once, by whoever compares them."""


def name(game: str, variant: str) -> str:
    """The variant with those that it needs."""
    needed = {"no_late_hel": "hel"}.get(variant)
    return "+".join(each for each in (game, needed, variant) if each)


@cache
def all_rulesets(game: str) -> dict[str, Ruleset]:
    """The game and all its variants; its own files are read once."""
    names = [game, *(name(game, variant) for variant in Library().variants(game))]
    diagnostics = Diagnostics()
    found = load_rulesets(names, diagnostics)
    assert found is not None, "\n".join(map(str, diagnostics))
    return {each.name: each for each in found}


@cache
def compared(game: str, variant: str, back: bool) -> Comparison:
    pair = [all_rulesets(game)[game], all_rulesets(game)[name(game, variant)]]
    return compare(pair[::-1] if back else pair)


def is_named(change: Change, ids: set[str]) -> bool:
    """Whether a row is about what is changed, or about something in it or around it."""
    section, _, rest = change.target.partition(".")
    target = rest if section in CLAUSES else change.target
    return any(aims_at(target, id) for id in ids)


@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
@pytest.mark.parametrize("game, variant", NAMES)
def test_every_change_of_play_is_named(game: str, variant: str, back: bool) -> None:
    ids = {row.id for row in compared(game, variant, back).table.rows if row.kind}
    changes = [
        change
        for each in all_rulesets(game)[name(game, variant)].variants
        for change in each.changes
        if change.action != "cite"
    ]
    assert changes
    assert not [change.target for change in changes if not is_named(change, ids)]


@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
@pytest.mark.parametrize("game, variant", NAMES)
def test_every_cell_says_something_of_its_own(game: str, variant: str, back: bool) -> None:
    for row in compared(game, variant, back).table.rows:
        assert row.title.strip(), row.id
        for cell in row.cells:
            assert cell.text.strip(), row.id
            assert "Code(" not in cell.text, row.id
            assert cell.remark not in cell.text or not cell.remark, row.id
        if row.changes_play:
            assert row.cells[0].text != row.cells[1].text, row.id


@pytest.mark.parametrize("back", [False, True], ids=["there", "back"])
@pytest.mark.parametrize("game, variant", NAMES)
def test_every_row_is_shown(game: str, variant: str, back: bool) -> None:
    comparison = compared(game, variant, back)
    shown = StringIO()
    Console(file=shown, width=200).print(text(comparison, width=200, view=CompareOptions(ids=True)))
    words = " ".join(shown.getvalue().split())
    for row in comparison.table.rows:
        if row.kind:
            assert row.id in words
        if row.changes_play:
            assert " ".join(row.cells[1].does.split())[:40].rstrip(".") in words, row.id
