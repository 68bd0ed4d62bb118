"""The command without a terminal: bots alone, and everything that can be said wrongly."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.outside.storage import NotSaved
from tests.terminal.games import SMALL

Play = Callable[..., Any]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Runs the command in a folder with the small game in it, with something to read or nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "stones.yaml").write_text(SMALL, encoding="utf-8")

    def run(*arguments: str, typed: str = "") -> Any:
        return CliRunner().invoke(app, ["play", *arguments], input=typed)

    return run


@pytest.mark.full
def test_bots_play_when_there_is_no_terminal(play: Play, tmp_path: Path) -> None:
    answer = play("walhalla", "--seats", "random,random,random,random", "--seed", "1")
    assert answer.exit_code == 0, answer.stderr
    assert answer.stderr == ""
    assert [file.name for file in tmp_path.iterdir()] == ["stones.yaml"], "bots leave no files"
    text = answer.stdout
    assert " ".join(text.split()).startswith("Walhalla: Red (bot, plays at random), Black (bot, ")
    assert text.count("on turn: ") >= 12
    assert len(re.findall(r"^Scores: Red \d+, Black \d+, ", text, re.MULTILINE)) == 2
    assert len(re.findall("^fjord 1 ", text, re.MULTILINE)) == 2, (
        "the table at the beginning and at the end"
    )
    assert re.search(r"^Final scores\n([RKYB] \w+ +\d+  .*\n( .*\n)?){4}Winner", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text


def test_the_same_seed_gives_the_same_game(play: Play) -> None:
    first, second, other = (
        play("stones", "--seats", "random,random", "--seed", seed).stdout
        for seed in ("5", "5", "6")
    )
    assert first == second
    assert first.replace("seed 5", "seed 6") != other


def test_bots_are_the_default_without_a_terminal(play: Play) -> None:
    answer = play("stones", "--lang", "en")
    assert answer.exit_code == 0
    assert "Final scores" in answer.stdout
    assert "ann (bot, easy)" in answer.stdout


def test_a_log_of_bots(play: Play, tmp_path: Path) -> None:
    seats = "random,greedy"
    answer = play("stones", "--seats", seats, "--seed", "1", "--log", "it.json")
    assert answer.exit_code == 0
    log = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))
    assert log["seats"] == ["random", "greedy"]
    assert log["result"]["winners"]


def test_a_person_behind_a_pipe(play: Play) -> None:
    seats = ("--seats", "human,random", "--seed", "1", "--log", "it.json")
    answer = play("stones", *seats, typed="lay cell 1 3\nhelp\n")
    assert answer.exit_code == 0
    assert "Where do you lay a stone?" in answer.stdout
    assert "What you can type:" in answer.stdout
    assert "lawspeaker play --resume it.json" in answer.stdout
    again = play("--resume", "it.json", typed="points\n" + "1\n" * 20)
    assert again.exit_code == 0
    assert "ann: 3 points" in again.stdout
    assert "Final scores" in again.stdout
    over = play("--resume", "it.json")
    assert over.exit_code == 0
    assert "Final scores" in over.stdout


LUCKY = """\
game: [ben]
roll: [6, 5, 4, 3, 2, 1, ...]
"""


@pytest.mark.full
def test_luck_comes_as_a_file_tells_it(play: Play, tmp_path: Path) -> None:
    (tmp_path / "luck.yaml").write_text(LUCKY, encoding="utf-8")
    seats = ("--seats", "random,random", "--seed", "1", "--log", "it.json")
    answer = play("pig", "--luck", "luck.yaml", *seats)
    assert answer.exit_code == 0, answer.stderr
    log = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))
    assert log["luck"] == {"game": ["ben"], "roll": ["6", "5", "4", "3", "2", "1", "..."]}
    assert log["replies"][0]["seat"] == 1
    again = lawspeaker.load("pig").replay(log)
    rolled = [each.data[-1] for each in again.events if each.kind == "chance"]
    assert rolled[:7] == [1, 6, 5, 4, 3, 2, 1]


def test_luck_that_runs_out_ends_the_game_where_it_stands(play: Play, tmp_path: Path) -> None:
    (tmp_path / "luck.yaml").write_text("roll: [6, 5, 1, 4]\n", encoding="utf-8")
    seats = ("--seats", "random,random", "--seed", "1", "--log", "it.json")
    answer = play("pig", "--luck", "luck.yaml", *seats)
    assert answer.exit_code == 1
    assert "luck.yaml:1:1: error[impossible-luck]: `roll` ends after entry 4" in answer.stderr
    answer = play("--resume", "it.json")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("`roll` ends after entry 4, and the game needs one more; ")
    answer = play("--resume", "it.json", "--luck", "luck.yaml")
    assert answer.exit_code == 2
    assert "leave --luck out" in answer.stderr


@pytest.mark.parametrize(
    "text, message",
    [
        ("roll: 6", "luck.yaml:1:7: error[impossible-luck]: `roll` needs a list"),
        ("- roll", "luck.yaml:1:1: error[impossible-luck]: this file does not tell what luck"),
        ("roll: [[6]]", "luck.yaml:1:7: error[impossible-luck]: `roll` needs a list"),
        ("rol: [6]", "luck.yaml:1:1: error[impossible-luck]: there is no place and no clause"),
        ("roll: [6", "luck.yaml:1:7: error["),
        ("roll: [7]", "luck.yaml:1:8: error[impossible-luck]: `roll`, entry 1: `7` cannot come"),
        (
            "game: [bob]",
            "luck.yaml:1:8: error[impossible-luck]: `game`, entry 1: there is no player",
        ),
    ],
)
def test_a_file_that_tells_no_luck_says_where(
    play: Play, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "luck.yaml").write_text(text + "\n", encoding="utf-8")
    answer = play("pig", "--luck", "luck.yaml", "--seats", "random,random", "--seed", "1")
    assert answer.exit_code == 1
    assert message in answer.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("nowhere",), "there is no game 'nowhere'"),
        (("walhala",), "did you mean 'walhalla'?"),
        ((), "which game? lawspeaker play NAME\nThere are amazons, backgammon, "),
        (("walhalla+drakkar",), "'drakkar' is a variant of 'voluspa', not of 'walhalla'"),
        (("walhalla+nothing",), "known: 'card_selling', "),
        (("walhalla+",), "write GAME+VARIANT; known: 'card_selling', "),
        (("stones", "--players", "3"), "stones is for 2 players, not 3"),
        (("stones", "--seats", "human"), "stones is for 2 players, not 1"),
        (("stones", "--seats", "human,random", "--players", "3"), "not 3"),
        (("walhalla", "--seats", "human,random", "--players", "3"), "2 seats are named for 3"),
        (("stones", "--seats", "human,gredy"), "did you mean"),
        (("stones", "--seats", "human,,"), "not 3"),
        (("stones", "--seats", "human,"), "nobody called"),
        (("stones", "--lang", "xx"), "stones has no names in `xx`, only in en"),
        (("walhalla", "--lang", "deutsch"), "only in en, de, it, fr"),
        (("--resume", "nothing.json"), "there is no file 'nothing.json'"),
        (("stones", "--seed", "-5"), "seed"),
    ],
)
def test_what_is_said_wrongly(play: Play, arguments: tuple[str, ...], message: str) -> None:
    answer = play(*arguments)
    assert answer.exit_code == 2, answer.stdout + answer.stderr
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr
    assert answer.stdout == ""


def test_no_file_is_overwritten(play: Play, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("precious", encoding="utf-8")
    seats = ("--seats", "human,random", "--seed", "1")
    answer = play("stones", *seats, "--log", "notes.txt")
    assert answer.exit_code == 2
    assert "--resume notes.txt goes on with it" in answer.stderr
    answer = play("stones", *seats, typed="save notes.txt\nsave a.json\n1\nsave a.json\n")
    assert "notes.txt is there already" in answer.stdout
    assert answer.stdout.count("Saved in a.json.") == 2
    assert notes.read_text(encoding="utf-8") == "precious"


def test_luck_that_is_asked_cannot_be_played_on(play: Play, tmp_path: Path) -> None:
    log = lawspeaker.load("stones").start(2, 1, chance="ask").log(["human", "random"])
    (tmp_path / "it.json").write_text(json.dumps(log), encoding="utf-8")
    answer = play("--resume", "it.json")
    assert answer.exit_code == 2
    assert "luck is asked" in answer.stderr


def test_rules_with_a_fault(play: Play, tmp_path: Path) -> None:
    broken = SMALL.replace("shuffle deck", "shufle deck")
    (tmp_path / "stones.yaml").write_text(broken, encoding="utf-8")
    answer = play("stones")
    assert answer.exit_code == 1
    assert "stones.yaml:" in answer.stderr
    assert "shufle" in answer.stderr


WITH_A_HOLE = """
lawspeaker: 1
game: holes
players: {from: 2, to: 2, called: [ann, ben]}
numbers:
  bid: 2..5
rules:
  game:
    says: The first bids go well, the last cannot be made.
    rule: |
      do bidding(ann, 5)
      do bidding(ann, 5)
      do bidding(ben, 1)

  bidding:
    says: A player bids.
    asks: How much do you bid?
    guards: {allowed: There is a limit.}
    given: {player: player, limit: number}
    rule: |
      player must choose bid
        where allowed: bid <= limit
        otherwise: cannot happen
      player scores bid
"""


def test_a_story_that_a_hole_cuts_short_is_told_up_to_there(play: Play, tmp_path: Path) -> None:
    (tmp_path / "holes.yaml").write_text(WITH_A_HOLE, encoding="utf-8")
    answer = play("holes.yaml", "--seats", "random,random", "--seed", "1")
    assert answer.exit_code == 1
    assert "bidding" in answer.stderr
    assert re.search(r"ann: .*scores \d", answer.stdout)


def test_a_damaged_log(play: Play, tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text('{"lawspeaker_log": 1,', encoding="utf-8")
    answer = play("--resume", "it.json")
    assert answer.exit_code == 1
    assert "it.json:1:" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_file_that_cannot_be_written_is_told_before_the_game_begins(play: Play) -> None:
    seats = ("--seats", "human,random", "--seed", "1", "--log", "no/such/folder/it.json")
    answer = play("stones", *seats, typed="lay cell 1 3\n")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("cannot write 'no/such/folder/it.json'")
    assert answer.stdout == ""


def test_a_file_that_can_be_written_no_more_is_told_and_the_game_goes_on(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, log: object) -> None:
        raise NotSaved(f"cannot write '{path}': no space left on device")

    monkeypatch.setattr(import_module("lawspeaker.faces.cli.play"), "save", full)
    seats = ("--seats", "human,random", "--seed", "1", "--log", "it.json")
    answer = play("stones", *seats, typed="lay cell 1 3\n")
    assert answer.exit_code == 0
    assert answer.stdout.count("cannot write") == 1
    assert "could not be kept" in answer.stderr


@pytest.mark.full
def test_the_example_of_the_help_works(play: Play) -> None:
    answer = play("--help")
    assert answer.exit_code == 0
    examples = re.findall(r"Example: lawspeaker play (.*)", answer.stdout)
    assert len(examples) == 2
    assert all("GAME" not in example for example in examples)
    for example in examples:
        assert play(*example.split()).exit_code == 0


def test_version_is_printed() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"lawspeaker {lawspeaker.__version__}\n"


@pytest.mark.full
def test_a_terminal_that_knows_few_signs() -> None:
    seats = ("--seats", "random,random", "--seed", "1")
    answer = subprocess.run(
        [sys.executable, "-m", "lawspeaker", "play", "tic_tac_toe", *seats],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert b"?" in answer.stdout


def test_a_folder_without_scenarios(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["scenario", str(tmp_path)])
    assert answer.exit_code == 1
    assert "there are no scenarios in" in answer.stderr
