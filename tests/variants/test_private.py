"""A house rule that a table writes for itself: in its own language, with names for nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name

HUT = """\
lawspeaker: 1
variant: hut
of: walhalla
layer: house rule
LANGUAGE
title: Hut
changes:
  - add: markers.huts
    to: {of each: player, shows: number}
  - add: hut.building
    after: setup
    title: A hut
    says: Alle beginnen mit einer Hütte.
    asks: Wie viele Hütten?
    rule: |
      for each player:
        player must build_huts: number in 1..2
        huts of player becomes number
"""


@pytest.mark.parametrize(
    "language, lacking",
    [
        ("", "`de`, `it`, `fr`"),
        ("language: de", "`de`, `it`, `fr`"),
        ("languages: [en, it]", "`it`"),
        ("languages: [en]", ""),
        ("language: de\nlanguages: [en]", ""),
    ],
)
def test_what_lacks_a_name_is_one_warning(tmp_path: Path, language: str, lacking: str) -> None:
    file = tmp_path / "variants" / "walhalla" / "hut.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(HUT.replace("LANGUAGE\n", f"{language}\n" * bool(language)), encoding="utf-8")
    diagnostics = Diagnostics()
    program = compile_name("walhalla+hut", diagnostics, Library(here=tmp_path, path=()))
    assert program is not None, "\n".join(map(str, diagnostics))
    wanted = [f"`huts` has no name in {lacking}; nor has `build_huts`"] if lacking else []
    assert [each.message for each in diagnostics] == wanted
