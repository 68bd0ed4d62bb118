"""A series of kinds is as if each of them had been written: counts, values, names, variants."""

from __future__ import annotations

from pathlib import Path

import lawspeaker
from lawspeaker import ir
from lawspeaker.match.match import Match
from tests.language.games import GOOD, compiled

VARIANT = """\
lawspeaker: 1
variant: another
of: series
layer: house rule
title: Another deck
changes:
  - add: pieces.card.kinds.blue_2
    to: {count: 5}
  - set: words.colour
    to: [red, blue, green]
  - set: pieces.card.in the box
    to: 27
"""


SET = """\
lawspeaker: 1
variant: dear
of: series
layer: house rule
title: A dear two
changes:
  - {set: pieces.card.kinds.blue_2.count, to: 5}
  - {set: pieces.card.kinds.blue_1.value, to: 9}
  - {set: pieces.card.in the box, to: 21}
"""


def series() -> ir.Program:
    program, _ = compiled(GOOD / "series.yaml", GOOD)
    assert program is not None
    return program


def counts(program: ir.Program) -> dict[str, int]:
    return {kind.name: kind.count for kind in program.pieces[0].kinds}


def test_each_kind_of_a_series_is_there_in_its_order() -> None:
    suits = {"red_1": 4, "red_2": 2, "red_3": 2, "blue_1": 2, "blue_2": 2, "blue_3": 1}
    weights = {"light_red": 1, "light_blue": 1, "heavy_red": 1, "heavy_blue": 1}
    expected = suits | weights | {"fool": 1}
    assert list(counts(series()).items()) == list(expected.items())


def test_it_has_the_values_it_was_made_of() -> None:
    blue, in_the_hat, in_the_deck = 2 + 2 + 1 + 2, 4, 2 * 2 + 2 * 3 + 2 * 1 + 2 * 2 + 3
    assert list(Match(series(), 2, 0).scores) == [blue, in_the_hat + in_the_deck]


def test_it_is_called_by_its_values_in_every_language() -> None:
    names = series().names
    assert names["red_2"] == {"en": "2 in red", "de": "2 in rot"}
    assert names["heavy_blue"] == {"en": "heavy blue", "de": "schwer blau"}
    assert names["blue_3"] == {"en": "the last blue one", "de": "die letzte blaue"}


def test_it_goes_through_players_who_have_names(tmp_path: Path) -> None:
    text = (GOOD / "series.yaml").read_text(encoding="utf-8")
    text = text.replace("has: {colour", "has: {whose: player, colour").replace("18", "20")
    text = text.replace(
        "      fool: 1", '      "{whose}": {for each: {whose: player}}\n      fool: 1'
    )
    (tmp_path / "series.yaml").write_text(text.replace("[en, de]", "[en]"), encoding="utf-8")
    found = counts(lawspeaker.load(tmp_path / "series.yaml").program)
    assert (found["ann"], found["ben"]) == (1, 1)


def test_a_variant_changes_what_it_goes_through_and_one_of_it(tmp_path: Path) -> None:
    text = (GOOD / "series.yaml").read_text(encoding="utf-8")
    (tmp_path / "series.yaml").write_text(text.replace("[en, de]", "[en]"), encoding="utf-8")
    (tmp_path / "another.yaml").write_text(VARIANT, encoding="utf-8")
    found = counts(lawspeaker.load(f"{tmp_path}/series.yaml+{tmp_path}/another.yaml").program)
    assert found["green_1"] == found["green_3"] == 2
    assert found["blue_2"] == 5
    assert sum(found.values()) == 18 + 3 + 6


def test_a_variant_sets_what_one_of_it_says(tmp_path: Path) -> None:
    text = (GOOD / "series.yaml").read_text(encoding="utf-8")
    (tmp_path / "series.yaml").write_text(text.replace("[en, de]", "[en]"), encoding="utf-8")
    (tmp_path / "dear.yaml").write_text(SET, encoding="utf-8")
    program = lawspeaker.load(f"{tmp_path}/series.yaml+{tmp_path}/dear.yaml").program
    assert list(counts(program)) == list(counts(series()))
    assert counts(program) == counts(series()) | {"blue_2": 5}
    columns = [column.name for column in program.pieces[0].columns]
    values = {kind.name: kind.values[columns.index("value")] for kind in program.pieces[0].kinds}
    assert (values["blue_1"], values["red_1"]) == (9, 1)
