"""`lawspeaker new`: what it makes is sound, plays and passes at once; nothing is overwritten."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.outside.library import Library, data_folder
from lawspeaker.outside.loading import compile_name
from lawspeaker.outside.scaffold import NotMade, check_name
from tests.tiers import sample

Run = Callable[..., Any]
GAMES = Library(here=data_folder("rules"), path=()).games()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAWSPEAKER_PATH", raising=False)
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def sound(name: str) -> bool:
    diagnostics = Diagnostics()
    compile_name(name, diagnostics)
    assert not list(diagnostics), "\n".join(map(str, diagnostics))
    return True


# ---------------------------------------------------------------- games


def test_a_new_game_is_sound_plays_and_passes(run: Run, tmp_path: Path) -> None:
    answer = run("new", "tea_party")
    assert answer.exit_code == 0, answer.output
    assert sorted(file.name for file in (tmp_path / "tea_party").rglob("*.yaml")) == [
        *("first_turn.yaml", "game.yaml", "scoring.yaml")
    ]
    assert sound("./tea_party")
    assert run("format", "--check", "./tea_party").exit_code == 0
    game = lawspeaker.load("./tea_party")
    assert game.program.title["en"] == "Tea party"
    for players in game.players:
        match = game.start(players, seed=players)
        luck = random.Random(players)
        while match.decision is not None:
            match.choose(luck.choice(match.decision.options))
        assert max(match.scores) > 0
    assert "2 passed, 0 failed" in run("scenario", "./tea_party").output


def test_a_new_game_can_be_printed(run: Run, tmp_path: Path) -> None:
    run("new", "tea_party")
    for command in ("cards", "book"):
        assert run(command, "./tea_party", "--html", f"{command}.html").exit_code == 0
    assert "{ width: 63.0mm;" in (tmp_path / "cards.html").read_text(encoding="utf-8")
    whole = "1, 3, 6; beyond that 2"
    assert whole in (tmp_path / "book.html").read_text(encoding="utf-8")
    assert whole in run("show", "./tea_party").output


def test_the_next_steps_are_commands_that_work(run: Run) -> None:
    answer = run("new", "tea_party", "--folder", "all my/games")
    steps = re.findall(r"^  lawspeaker (\w+) '(\S+ \S+)'  ", answer.output, re.MULTILINE)
    assert [step for step, _ in steps] == ["play", "check", "scenario"]
    for command, argument in steps:
        assert run(command, argument).exit_code == 0, command


def test_the_game_is_played_otherwise_by_who_looks_ahead(run: Run) -> None:
    """It is a game of choices: a greedy player wins more often than chance would have it."""
    from lawspeaker.players.bots import bot, reply

    run("new", "tea_party")
    game = lawspeaker.load("./tea_party")
    won = 0.0
    for seed in range(30):
        match = game.start(2, seed=seed)
        seats = [bot("greedy", seed), bot("random", seed)]
        while match.decision is not None:
            assert match.decision.seat is not None
            match.choose(reply(seats[match.decision.seat], match, match.decision.seat))
        won += (0 in match.winners) / len(match.winners)
    assert won / 30 > 0.6


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tea_party").mkdir()
    assert run("new", "tea_party").exit_code == 0, "an empty folder is fine"
    file = tmp_path / "tea_party" / "game.yaml"
    file.write_text("mine", encoding="utf-8")
    answer = run("new", "tea_party")
    assert answer.exit_code == 2
    assert answer.output.startswith("tea_party is there already, and stays as it is")
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_game_does_not_hide_one_that_comes_with_the_package(run: Run, tmp_path: Path) -> None:
    answer = run("new", GAMES[0])
    assert answer.exit_code == 2
    assert f"such as {GAMES[0]}_2" in answer.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name, likely",
    [
        ("Tea Party", "tea_party"),
        ("tea-party!", "tea_party"),
        ("Thé à cinq", "the_a_cinq"),
        ("3 Kings", "kings_3"),
        ("3kings", "kings_3"),
        ("_tea", "tea"),
        ("no", "my_own"),
        ("", "my_own"),
        ("17", "my_own"),
        ("茶", "my_own"),
        ("../tea", "tea"),
    ],
)
def test_a_name_that_cannot_be_is_answered_with_one_that_can(name: str, likely: str) -> None:
    with pytest.raises(NotMade, match=f"how about {likely}\\?$"):
        check_name(name)
    check_name(likely)


def test_a_folder_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    answer = run("new", "tea_party", "--folder", "file")
    assert answer.exit_code == 2
    assert answer.output.startswith("cannot write ")


# ---------------------------------------------------------------- variants


@pytest.mark.parametrize("game", sample(GAMES, test=12, full=3))
def test_a_new_house_rule_is_sound_over_every_game(run: Run, tmp_path: Path, game: str) -> None:
    answer = run("new", "my_rule", "--variant", game)
    assert answer.exit_code == 0, answer.output
    file = tmp_path / "variants" / game / "my_rule.yaml"
    assert sound(f"{game}+my_rule")
    assert run("format", "--check", str(file)).exit_code == 0

    text = file.read_text(encoding="utf-8")
    before, heading, after = text.partition("  # Other changes")
    said, *hidden = after.splitlines()
    shown = "\n".join(line.replace("  # ", "  ", 1) for line in hidden)
    file.write_text(f"{before}{heading}{said}\n{shown}\n", encoding="utf-8")
    assert sound(f"{game}+my_rule"), "all that stands behind # can be used, too"


def test_a_house_rule_names_the_values_of_the_game(run: Run, tmp_path: Path) -> None:
    run("new", "tea_party")
    run("new", "my_rule", "--variant", "./tea_party")
    text = (tmp_path / "variants" / "tea_party" / "my_rule.yaml").read_text(encoding="utf-8")
    assert "  # How many cards lie in the market.\n" in text
    assert "  - set: market.size\n    to: 3\n" in text
    assert "  # - set: worth\n  #   to: [1, 3, 6]\n" in text
    assert "  #   after: refill\n" in text
    changed = text.replace("to: 3", "to: 4")
    (tmp_path / "variants" / "tea_party" / "my_rule.yaml").write_text(changed, encoding="utf-8")
    answer = run("compare", "./tea_party", "./tea_party+my_rule")
    assert "1 difference: 1 changes play" in answer.output


def test_a_house_rule_elsewhere_is_played_by_its_path(run: Run) -> None:
    run("new", "tea_party")
    answer = run("new", "my_rule", "--variant", "tea_party", "--folder", "mine")
    name = "tea_party+./mine/variants/tea_party/my_rule.yaml"
    assert f"lawspeaker play {name} " in answer.output
    assert sound(name)


def test_a_house_rule_is_not_overwritten(run: Run) -> None:
    run("new", "tea_party")
    assert run("new", "my_rule", "--variant", "tea_party").exit_code == 0
    answer = run("new", "my_rule", "--variant", "tea_party")
    assert answer.exit_code == 2
    assert "has a variant called 'my_rule' already" in answer.output


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--variant", "tea_partie"), "did you mean 'tea_party'?"),
        (("--variant", "tea_party+my_rule"), "not over its variants: --variant tea_party"),
        (("--variant", "tea_party", "--game"), "either a game of its own"),
    ],
)
def test_what_cannot_be_a_house_rule(run: Run, arguments: tuple[str, ...], said: str) -> None:
    run("new", "tea_party")
    run("new", "my_rule", "--variant", "tea_party")
    answer = run("new", "other", *arguments)
    assert answer.exit_code == 2
    assert said in answer.output


def test_a_house_rule_of_a_broken_game(run: Run, tmp_path: Path) -> None:
    run("new", "tea_party")
    file = tmp_path / "tea_party" / "game.yaml"
    sound_text = file.read_text(encoding="utf-8")
    for broken in (
        "game: tea_party\n",
        sound_text.replace("  game:\n    says", "  gaem:\n    says"),
    ):
        assert broken != sound_text
        file.write_text(broken, encoding="utf-8")
        answer = run("new", "my_rule", "--variant", "./tea_party")
        assert answer.exit_code == 1
        assert "tea_party/game.yaml:" in answer.output
        assert not (tmp_path / "variants").exists()


# ---------------------------------------------------------------- scenarios find their rules


def test_scenarios_find_the_game_they_lie_in(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("new", "tea_party", "--folder", "games")
    assert run("scenario", "games/tea_party/scenarios").exit_code == 0
    monkeypatch.chdir(tmp_path / "games" / "tea_party" / "scenarios")
    assert run("scenario", "scoring.yaml").exit_code == 0


def test_scenarios_find_the_variant_they_lie_beside(run: Run, tmp_path: Path) -> None:
    run("new", "tea_party", "--folder", "games")
    run("new", "my_rule", "--variant", "./games/tea_party", "--folder", "games")
    folder = tmp_path / "games" / "variants" / "tea_party" / "scenarios"
    folder.mkdir()
    (folder / "any.yaml").write_text(
        "scenario: Any\ngame: tea_party+my_rule\nplayers: 2\ndo: refill\nseed: 1\n",
        encoding="utf-8",
    )
    answer = run("scenario", str(folder))
    assert "1 passed, 0 failed" in answer.output, answer.output


# ---------------------------------------------------------------- numbers


def test_numbers_are_set_on_the_command_line(run: Run, tmp_path: Path) -> None:
    wanted = ("--set", "hand_size=6", "--set", "pieces.card.kinds.mule.count=9")
    answer = run("new", "rich", "--variant", "pedlars", *wanted)
    assert answer.exit_code == 0, answer.output
    assert sound("pedlars+rich")
    assert "in the box\n    to: 85" in (tmp_path / "variants/pedlars/rich.yaml").read_text()
    assert run("format", "--check", "variants/pedlars/rich.yaml").exit_code == 0


@pytest.mark.parametrize(
    "wanted, told",
    [
        ("hand_sise=6", "did you mean 'hand_size'?"),
        ("hand_size=six", "`hand_size` is a whole number; `six` is none"),
        ("hand_size", "not of the form NAME=VALUE"),
        ("hand_size=[6, 5]", "`hand_size` is a single value"),
        ("hand_size=5", "nothing to change"),
        ("hand_size=-1", "`hand_size` cannot be -1: it is at least 0"),
        ("pieces.card.kinds.mule.count=-1", "it goes from 0 to 10000"),
    ],
)
def test_numbers_that_cannot_be_set(run: Run, tmp_path: Path, wanted: str, told: str) -> None:
    answer = run("new", "rich", "--variant", "pedlars", "--set", wanted)
    assert answer.exit_code == 2
    assert told in answer.output
    assert not (tmp_path / "variants").exists()


def test_numbers_need_a_game(run: Run) -> None:
    assert run("new", "rich", "--set", "hand_size=6").exit_code == 2
