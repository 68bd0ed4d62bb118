"""The guides are true: whoever follows them, box by box, sees what they show, and after every
chapter has a game that is sound, plays to its end and passes its scenarios."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.match.game import Game
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, run_scenarios, schema
from tests.docs.claims import play
from tests.docs.guide import Walk, chapters, commands, in_guide_folder, merge_box, rewritten
from tests.repo.checkout import ROOT

GUIDES = ("write-your-own-game", "write-a-variant", "scenarios", "two-books")
SEEDS = range(2)


@pytest.mark.full
@pytest.mark.parametrize("name", GUIDES)
def test_a_guide(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    page = ROOT / "docs" / f"{name}.md"
    accept = request.config.getoption("--accept")
    folder = tmp_path / "empty"
    folder.mkdir()
    state = str(tmp_path / "state")
    differs: dict[int, str] = {}
    with in_guide_folder(
        folder, COLUMNS="80", NO_COLOR="1", XDG_STATE_HOME=state, LAWSPEAKER_PATH=""
    ):
        walk = Walk(folder)
        for chapter in chapters(page):
            for box in chapter.boxes:
                found = walk.box(box)
                if accept and found != box.text:
                    differs[box.line] = found
                else:
                    assert found == box.text, f"{page.name}, line {box.line}; pytest --accept"
            if walk.changed():
                check_games(walk, f"{page.name}, after {chapter.heading!r}")
    if differs:
        old = page.read_text(encoding="utf-8")
        page.write_text(rewritten(old, differs), encoding="utf-8", newline="\n")


def check_games(walk: Walk, where: str) -> None:
    library = Library(here=walk.folder, path=())
    names = [str(file.parent) for file in walk.games]
    for file in sorted(walk.folder.glob("variants/*/*.yaml")):
        names.append(f"{file.parent.name}+{file.stem}")
    for name in names:
        diagnostics = Diagnostics()
        program = compile_name(name, diagnostics, library)
        assert not list(diagnostics), f"{where}: {name}"
        assert program is not None
        game = Game(program, program.name)
        for players in game.players:
            for seed in SEEDS:
                play(game.start(players, seed), random.Random(seed))
    report = run_scenarios(walk.folder.rglob("scenarios"), library)
    failed = [str(each) for outcome in report.outcomes for each in outcome.diagnostics]
    assert report.passed, f"{where}: {failed}"


def test_every_key_of_a_scenario_is_explained() -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    form = schema("scenario")
    for key in (*form["properties"], *form["$defs"]["step"]["properties"]):
        assert f"`{key}`" in page, key


# ---------------------------------------------------------------- the walk itself


FILE = """\
# What it is.
game: it
players: {from: 2, to: 2}

# Where.
places:
  deck: {holds: card}

rules:
  game:
    says: One.

  # A remark about the turn.
  turn:
    says: Two.
"""


def test_an_entry_is_added_at_the_end_of_its_section() -> None:
    assert merge_box(FILE, "places:\n  hand: {holds: card}\n") == FILE.replace(
        "  deck: {holds: card}\n", "  deck: {holds: card}\n  hand: {holds: card}\n"
    )


def test_an_entry_gets_what_is_new_about_it() -> None:
    shown = "rules:\n  turn:\n    asks: What?\n    says: Three.\n"
    assert merge_box(FILE, shown) == FILE.replace("Two.", "Three.") + "    asks: What?\n"


def test_code_is_replaced_as_a_whole() -> None:
    one = "rules:\n  game:\n    rule: |\n      if yes:\n        ann: what\n      do it\n"
    two = "rules:\n  game:\n    rule: |\n      do that\n"
    assert merge_box(one, two) == two


def test_a_new_section_finds_its_place() -> None:
    assert merge_box(FILE, "markers:\n  active: {shows: player}\n") == FILE.replace(
        "\nrules:", "\nmarkers:\n  active: {shows: player}\n\nrules:"
    )


def test_a_list_is_added_to() -> None:
    file = "changes:\n  - set: price\n    to: 3\n\n  # Others.\n  # - set: rent\n"
    added = "changes:\n  - set: price\n    to: 4\n\n  - add: tip\n    is: 1\n"
    assert (
        merge_box(file, added) == "changes:\n  - set: price\n    to: 4\n  - add: tip\n    is: 1\n"
    )
    assert merge_box(added, "changes:\n  - set: price\n", without=True).split() == [
        *("changes:", "-", "add:", "tip", "is:", "1")
    ]


def test_the_head_is_replaced_line_by_line() -> None:
    assert merge_box(FILE, "players: {from: 2, to: 4}\n") == FILE.replace("to: 2", "to: 4")


def test_entries_are_taken_out() -> None:
    assert (
        merge_box(FILE, "rules:\n  turn:\n", without=True) == FILE[: FILE.index("\n  # A remark")]
    )
    with pytest.raises(AssertionError, match="no end to take out"):
        merge_box(FILE, "rules:\n  end:\n", without=True)


def test_commands_are_told_from_what_they_print() -> None:
    one, two = commands("$ lawspeaker check it\nfine\n\n$ cd it\n")
    assert (one.text, one.shown) == ("lawspeaker check it", ["fine"])
    assert (two.text, two.shown) == ("cd it", [])


def test_a_box_is_rewritten_where_it_stands() -> None:
    page = "One.\n```console\n$ a\n```\n\n```console\n$ a\n```\n"
    assert rewritten(page, {6: "$ a\nb\n"}) == page[:-4] + "b\n```\n"
