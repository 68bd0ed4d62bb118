"""The layout of the table is patched like everything else: by names, in any order of variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker import ir, load
from tests.variants.tables import GAME, Fair

TABLE = """
table:
  down:
    - {place: bank, as: count}
    - players:
        - {score: true}
        - {place: purse, as: count}
    - {place: purse, as: row, id: purses}
"""
STALL = "{add: places.stall, to: {holds: coin, seen by: everyone}}"


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    found = Fair(tmp_path)
    (tmp_path / "fair.yaml").write_text(GAME + TABLE, encoding="utf-8")
    return found


def outline(program: ir.Program, shown: ir.Show | None = None) -> list[object]:
    """The layout as nested lists: what is shown, and how."""
    shown = program.table if shown is None else shown
    assert shown is not None
    if shown.family is not None:
        return [program.families[shown.family].name, shown.style]
    if shown.marker is not None:
        return [program.markers[shown.marker].name]
    return [shown.shape, *(outline(program, part) for part in shown.parts)]


BANK: list[object] = ["bank", "count"]
LINES: list[object] = ["players", ["score"], ["purse", "count"]]
PURSES: list[object] = ["purse", "row"]
STALLS: list[object] = ["stall", "row"]


@pytest.mark.parametrize(
    "where, expected",
    [
        ("", ["down", BANK, LINES, PURSES, STALLS]),
        (", before: bank", ["down", STALLS, BANK, LINES, PURSES]),
        (", after: bank", ["down", BANK, STALLS, LINES, PURSES]),
        (", after: players", ["down", BANK, LINES, STALLS, PURSES]),
        (", before: purses", ["down", BANK, LINES, STALLS, PURSES]),
    ],
)
def test_a_part_is_put_in(fair: Fair, where: str, expected: list[object]) -> None:
    part = f"{{add: table.stall, to: {{place: stall, as: row}}{where}}}"
    fair.variant("stalls", f"changes:\n  - {STALL}\n  - {part}\n")
    assert outline(fair.program("fair+stalls")) == expected


def test_parts_are_changed_and_taken_out(fair: Fair) -> None:
    fair.variant(
        "other",
        "changes:\n"
        "  - {set: table.bank.as, to: pile}\n"
        "  - {set: table.purses, to: {place: purse, as: grid}}\n"
        "  - {remove: table.score}\n"
        "  - {set: table.purses.title, to: savings}\n",
    )
    program = fair.program("fair+other")
    assert outline(program) == [
        "down",
        ["bank", "pile"],
        ["players", ["purse", "count"]],
        ["purse", "grid"],
    ]
    assert program.table is not None
    assert program.table.parts[2].title == "savings"


def test_a_table_of_one_part_grows(fair: Fair) -> None:
    (fair.folder / "fair.yaml").write_text(
        GAME + "\ntable: {place: bank, as: count}\n", encoding="utf-8"
    )
    part = "{add: table.stall, to: {place: stall, as: row}%s}"
    fair.variant("below", f"changes:\n  - {STALL}\n  - {part % ''}\n")
    fair.variant("above", f"changes:\n  - {STALL}\n  - {part % ', before: bank'}\n")
    assert outline(fair.program("fair+below")) == ["down", BANK, STALLS]
    assert outline(fair.program("fair+above")) == ["down", STALLS, BANK]


def test_two_variants_may_put_in_parts(fair: Fair) -> None:
    for name in ("east", "west"):
        place = f"{{add: places.{name}, to: {{holds: coin, seen by: everyone}}}}"
        part = f"{{add: table.{name}, to: {{place: {name}, as: row}}, after: bank}}"
        fair.variant(name, f"changes:\n  - {place}\n  - {part}\n", "module")
    both = outline(fair.program("fair+east+west"))
    assert both == outline(fair.program("fair+west+east"))
    assert both == ["down", BANK, ["west", "row"], ["east", "row"], LINES, PURSES]


def test_two_variants_that_show_the_same_otherwise_clash(fair: Fair) -> None:
    for style in ("row", "pile"):
        change = f"{{set: table.bank.as, to: {style}}}"
        fair.variant(f"as_{style}", f"changes:\n  - {change}\n", "module")
    assert fair.fault("fair+as_row+as_pile").code == "variants-clash"


def test_a_game_without_a_layout_has_nothing_to_change(fair: Fair) -> None:
    (fair.folder / "fair.yaml").write_text(GAME, encoding="utf-8")
    fair.variant("stalls", "changes:\n  - {remove: table.bank}\n")
    fault = fair.fault("fair+stalls")
    assert (fault.code, fault.message) == (
        "bad-change",
        "the game has no `table` that could be changed",
    )


@pytest.mark.full
def test_what_modules_of_the_games_bring_is_on_the_table() -> None:
    """Supplies of what is left over aside, every place of a tile can be seen."""
    name = "voluspa+saga_of_edda+order_of_the_gods+lightning+drakkar"
    program = load(name).program
    assert program.table is not None
    shown = str(outline(program))
    aside = {"hel_supply", "drakkar_supply"}
    assert [f.name for f in program.families if f"['{f.name}'," not in shown] == sorted(
        aside, key=[f.name for f in program.families].index
    )
