"""Every example of docs/variants.md does what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.match.game import Game
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name
from tests.repo.checkout import ROOT

GUIDE = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r"^```(yaml|yaml bad)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", GUIDE, re.M | re.S
)
GAME = BLOCKS[0][1]
VARIANTS = [(mark, text, said) for mark, text, said in BLOCKS[1:]]


def name_of(text: str) -> str:
    found = re.search(r"^variant: (\w+)$", text, re.M)
    assert found is not None
    return found[1]


def scores(name: str, folder: Path) -> str:
    """The points of a game in which everyone takes what is offered last."""
    diagnostics = Diagnostics()
    program = compile_name(name, diagnostics, Library(here=folder, path=()))
    assert program is not None, "\n".join(map(str, diagnostics))
    assert not len(diagnostics)
    match = Game(program, name, ()).start(players=2, seed=1)
    while match.decision is not None:
        match.choose(match.decision.options[-1])
    return ", ".join(
        f"{who} {points}" for who, points in zip(("ann", "ben"), match.scores, strict=True)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "market.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "variants" / "market").mkdir(parents=True)
    return tmp_path


def test_the_game_ends_as_the_page_says(folder: Path) -> None:
    assert f"# ends with: {scores('market', folder)}\n" in GAME


@pytest.mark.parametrize("mark, text, said", VARIANTS, ids=[name_of(each[1]) for each in VARIANTS])
def test_an_example_ends_as_the_page_says(folder: Path, mark: str, text: str, said: str) -> None:
    name = name_of(text)
    (folder / "variants" / "market" / f"{name}.yaml").write_text(text, encoding="utf-8")
    if mark == "yaml":
        assert f"# ends with: {scores(f'market+{name}', folder)}\n" in text
        return
    diagnostics = Diagnostics()
    assert compile_name(f"market+{name}", diagnostics, Library(here=folder, path=())) is None
    found = "".join(
        f"line {each.span.line}: {each.code}: {each.message}\n"
        + (f"  hint: {each.hint}\n" if each.hint else "")
        for each in diagnostics
    )
    assert found == said
