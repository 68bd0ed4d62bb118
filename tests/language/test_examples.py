"""What the examples of the language are there to show, told in scenarios: at least two for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.outside.loading import schema
from lawspeaker.study.scenario import read, run
from tests.language.games import GOOD, HERE, compiled

FILES = sorted((HERE / "scenarios").glob("*/*.yaml"))
EXAMPLES = (
    "a_word_from_each branch_lines bulbs climbing clues dozens drafting hands_of_five hedges "
    "hinted_words".split()
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_it_comes_out_as_it_says(path: Path) -> None:
    diagnostics = Diagnostics()
    file = SourceFile(path.name, path.read_text(encoding="utf-8"))
    found = read(file, schema("scenario"), diagnostics)
    assert found is not None, "\n".join(map(str, diagnostics))
    assert found.game == path.parent.name
    program, _ = compiled(GOOD / f"{found.game}.yaml", GOOD)
    assert program is not None
    outcome = run(found, program)
    assert outcome.passed, f"\n{render.text(outcome.diagnostics)}"


def test_each_example_has_two() -> None:
    told = [path.parent.name for path in FILES]
    assert {name for name in EXAMPLES if told.count(name) < 2} == set()
