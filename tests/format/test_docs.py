"""docs/formatting.md shows what really comes out."""

from __future__ import annotations

import re

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.format.texts import neat
from tests.repo.checkout import ROOT

PAGE = (ROOT / "docs" / "formatting.md").read_text(encoding="utf-8")


def block(mark: str) -> str:
    (found,) = re.findall(rf"^```yaml {mark}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_example_is_formatted_as_shown() -> None:
    assert neat(block("before")) == block("after")


def test_the_example_is_a_game() -> None:
    diagnostics = Diagnostics()
    file = SourceFile("toll.yaml", block("before"))
    assert compile_game(file, lambda name, span: None, schema("game"), diagnostics) is not None
    assert not len(diagnostics)
