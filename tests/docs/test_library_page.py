"""docs/library.md is up to date, and has every game."""

from __future__ import annotations

from lawspeaker.outside.library import Library
from tests.conftest import Golden
from tests.docs.library_page import FAMILIES, page
from tests.repo.checkout import ROOT


def test_the_page_is_up_to_date(golden: Golden) -> None:
    golden(page(), ROOT / "docs" / "library.md")


def test_every_game_is_in_one_family() -> None:
    named = [name for games in FAMILIES.values() for name in games]
    assert sorted(named) == [path.parent.name for path in sorted(ROOT.glob("rules/*/game.yaml"))]
    assert set(named) <= set(Library().games())
