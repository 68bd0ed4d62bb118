"""`lawspeaker format` as it is called: what it prints, what it writes, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.faces.cli import format as command
from lawspeaker.outside.storage import NotSaved

UGLY = "lawspeaker:   1\ngame: 'mine'\nplayers: {from: 2,to: 2}\n"
NEAT = "lawspeaker: 1\ngame: mine\nplayers: {from: 2, to: 2}\n"
BROKEN = "lawspeaker: 1\nrules: [\n"
VARIANT = "variant: 'house'\nof: mine\n"


@pytest.fixture
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine" / "texts").mkdir(parents=True)
    (tmp_path / "mine" / "game.yaml").write_text(UGLY, encoding="utf-8")
    (tmp_path / "mine" / "names.yaml").write_text("names: {}\n", encoding="utf-8")
    (tmp_path / "variants" / "mine").mkdir(parents=True)
    (tmp_path / "variants" / "mine" / "house.yaml").write_text(VARIANT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_format(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
    answer = CliRunner().invoke(app, ["format", *arguments], input=given)
    return answer.exit_code, answer.stdout, answer.stderr


def text(*path: str) -> str:
    return Path(*path).read_bytes().decode()


def test_a_folder_is_formatted_and_only_once(working_folder: Path) -> None:
    said = "formatted: mine/game.yaml\n1 file formatted, 1 in order\n"
    assert run_format("mine") == (0, said, "")
    assert text("mine", "game.yaml") == NEAT
    assert run_format("mine") == (0, "0 files formatted, 2 in order\n", "")


def test_check_writes_nothing_and_fails(working_folder: Path) -> None:
    said = "would change: mine/game.yaml\n1 file would change, 1 in order\n"
    assert run_format("--check", "mine") == (1, said, "")
    assert text("mine", "game.yaml") == UGLY
    run_format("mine")
    assert run_format("--check", "mine")[0] == 0


def test_diff_shows_what_would_change(working_folder: Path) -> None:
    code, said, _ = run_format("--diff", "mine/game.yaml")
    assert code == 0
    assert said.startswith("--- mine/game.yaml\n+++ mine/game.yaml, formatted\n")
    assert "\n-game: 'mine'\n" in said
    assert "\n+game: mine\n" in said
    assert text("mine", "game.yaml") == UGLY
    assert run_format("--diff", "--check", "mine/game.yaml")[0] == 1


def test_a_game_and_its_variants_go_by_their_names(
    working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (working_folder / "elsewhere").mkdir()
    monkeypatch.setenv("LAWSPEAKER_PATH", str(working_folder))
    monkeypatch.chdir(working_folder / "elsewhere")
    code, said, _ = run_format("mine+house")
    monkeypatch.chdir(working_folder)
    assert code == 0
    assert said.endswith("2 files formatted, 1 in order\n")
    assert text("mine", "game.yaml") == NEAT
    assert text("variants", "mine", "house.yaml") == "variant: house\nof: mine\n"


def test_a_file_with_errors_is_left_alone_and_the_others_are_not(working_folder: Path) -> None:
    (working_folder / "mine" / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    code, said, complaint = run_format("mine")
    assert code == 1
    assert said == "formatted: mine/game.yaml\n1 file formatted, 1 in order, 1 left alone\n"
    assert "mine/broken.yaml:2:8" in complaint
    assert text("mine", "broken.yaml") == BROKEN


def test_a_file_that_is_no_text_is_left_alone(working_folder: Path) -> None:
    (working_folder / "mine" / "picture.yaml").write_bytes(b"\xff\xfe")
    code, said, complaint = run_format("mine")
    assert code == 1
    assert said.endswith("1 file formatted, 1 in order, 1 left alone\n")
    assert "it is not UTF-8 text" in complaint


def test_standard_input_goes_to_standard_output() -> None:
    assert run_format("-", given=UGLY) == (0, NEAT, "")
    assert run_format("-", "--check", given=UGLY) == (1, "", "")
    assert run_format("-", "--check", given=NEAT) == (0, "", "")
    assert "+game: mine" in run_format("-", "--diff", given=UGLY)[1]
    code, said, complaint = run_format("-", given=BROKEN)
    assert (code, said) == (1, "")
    assert "standard input:2:8" in complaint


def test_line_ends_are_made_alike(working_folder: Path) -> None:
    (working_folder / "windows.yaml").write_bytes(NEAT.replace("\n", "\r\n").encode())
    assert run_format("windows.yaml")[0] == 0
    assert text("windows.yaml") == NEAT


def test_an_unknown_name_is_a_wrong_call(working_folder: Path) -> None:
    code, said, complaint = run_format("mime")
    assert (code, said) == (2, "")
    assert "did you mean 'mine'?" in complaint
    assert run_format("m" * 5000)[0] == 2


def test_an_empty_folder_is_a_wrong_call(working_folder: Path) -> None:
    (working_folder / "empty").mkdir()
    code, _, complaint = run_format("empty")
    assert code == 2
    assert complaint == "there is no .yaml file in 'empty'\n"


def test_a_file_that_cannot_be_written_is_told(
    working_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, text: str) -> None:
        raise NotSaved(f"cannot write '{path.name}': disk full")

    monkeypatch.setattr(command, "write", refuse)
    code, _, complaint = run_format("mine/game.yaml")
    assert code == 1
    assert complaint == "cannot write 'game.yaml': disk full\n"


FROM_0 = """\
lawspeaker: 1
game: shelves
players: {from: 2, to: 2, called: [ann, ben]}
words: {wood: [oak, ash]}
numbers: {level: 0..1}
pieces: {book: {count: 2, starts in: box}}
places:
  box:   {holds: book, seen by: everyone}
  shelf: {at: [wood, level], holds: book, seen by: everyone}
  hand:  {of each: player, holds: book, seen by: everyone}
rules:
  game:
    says: Nothing happens.
    rule: finish
table:
  down:
    - {place: shelf, at: {wood: 0, level: 0}}
    - {place: shelf, at: {wood: [1], level: [0, 1]}}
    - {place: hand, at: {player: 1}}
    - {place: hand, at: {player: ann}}
"""


def test_a_table_that_counted_from_0_counts_from_1(working_folder: Path) -> None:
    """Only numbers that stand for words, kinds or players; in whichever file the table is."""
    (working_folder / "shelves").mkdir()
    rules, table = FROM_0.split("table:\n")
    game = Path("shelves", "game.yaml")
    game.write_text(rules + "files: [table.yaml]\n", encoding="utf-8")
    Path("shelves", "table.yaml").write_text("table:\n" + table, encoding="utf-8")
    assert run_format("shelves")[0] == 0
    lines = text("shelves", "table.yaml").splitlines()[2:]
    assert lines == [
        "    - {place: shelf, at: {wood: 1, level: 0}}",
        "    - {place: shelf, at: {wood: [2], level: [0, 1]}}",
        "    - {place: hand, at: {player: 2}}",
        "    - {place: hand, at: {player: ann}}",
    ]
    assert run_format("--check", "shelves") == (0, "0 files would change, 2 in order\n", "")
    assert CliRunner().invoke(app, ["check", "./shelves"]).exit_code == 0
