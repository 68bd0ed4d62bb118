"""Playing in a real pseudo-terminal, as a person would."""

from __future__ import annotations

import json
import re
import shlex
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pty", reason="there are no pseudo-terminals here")

from tests.terminal.games import SMALL
from tests.terminal.terminal import ESCAPE, Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Open]:
    opened: list[Terminal] = []
    (tmp_path / "stones.yaml").write_text(SMALL, encoding="utf-8")

    def open_one(*arguments: str, **settings: Any) -> Terminal:
        opened.append(Terminal("play", *arguments, folder=tmp_path, **settings))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def widest(text: str) -> int:
    return max(len(line) for line in text.splitlines())


def resuming(text: str) -> list[str]:
    """The arguments of the command that is named to go on with a game."""
    found = re.search(r"lawspeaker (play --resume .*)", text.replace("\n", ""))
    assert found, text
    return shlex.split(found[1])[1:]


def saved_game(folder: Path) -> dict[str, Any]:
    (file,) = (folder / "state" / "lawspeaker").glob("*.json")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


@pytest.mark.full
def test_a_whole_game(play: Open, tmp_path: Path) -> None:
    log = tmp_path / "game.json"
    seats = "human,random,random"
    terminal = play("walhalla", "--seats", seats, "--seed", "5", "--log", str(log))
    text = terminal.wait()
    heading = "Walhalla: Red, Black (bot, plays at random), Yellow (bot, plays at random); seed 5"
    assert heading in " ".join(text.split())
    questions, numbers = set(), 0
    while not re.search(r"Final scores", text):
        assert "Traceback" not in text
        assert widest(text) <= 80
        found = re.findall(r"you are asked: ([^?]*)\?", text.replace("\n", " "))
        assert len(found) == 1, text
        questions.add(found[0])
        choices = re.findall(r"(?:^| {2,})(\d+) (?=\S)", text[text.index("you are asked") :])
        numbers += 1
        saved = json.loads(log.read_text(encoding="utf-8")) if log.exists() else {"replies": []}
        assert len([each for each in saved["replies"] if each["seat"] == 0]) == numbers - 1
        terminal.type(choices[numbers % len(choices)])
        text = until_prompt_or_end(terminal)
    assert len(questions) >= 4
    assert terminal.process.wait() == 0
    end = text[text.index("Final scores") :]
    assert len(re.findall(r"^[RKY] (?:Red|Black|Yellow) +\d+", end, re.MULTILINE)) == 3
    assert re.search(r"^Winners?: ", end, re.MULTILINE)
    assert json.loads(log.read_text(encoding="utf-8"))["result"]["winners"]


def until_prompt_or_end(terminal: Terminal) -> str:
    while True:
        text = terminal.text()
        if text.endswith("\n> ") or re.search(r"^(Winner|Nobody)[^\n]*\n", text, re.MULTILINE):
            if not terminal.read(0.05):
                return text
        elif not terminal.read(0.2) and terminal.process.poll() is not None:
            return terminal.text()


@pytest.mark.full
def test_all_commands_in_german(play: Open) -> None:
    terminal = play("walhalla", "--seed", "11", "--lang", "de", "--seats", "human,random,random")
    assert "du bist gefragt" in terminal.wait()
    assert "sagt es" in terminal.ask("?")
    assert "Was du tippen kannst" in terminal.ask("hilfe")
    assert "Keine Regel spricht" in terminal.ask("regeln xyzzy")
    assert "Raubzug 1" in terminal.ask("tisch")
    assert "lässt sich bei dieser Frage nicht wählen" in terminal.ask("Kraken rufen")
    assert "noch keine Punkte" in terminal.ask("punkte") or "Punkte" in terminal.text()
    assert "am Zug: Rot" in terminal.ask("verlauf")
    assert "zurück" in terminal.ask("zurück")
    assert "Gespeichert in kopie.json" in terminal.ask("speichern kopie.json")
    assert "Traceback" not in terminal.printed
    terminal.type("ende")
    assert "--lang de" in terminal.end()
    assert terminal.process.wait() == 0


@pytest.mark.full
def test_the_table_follows_the_size_of_the_terminal(play: Open) -> None:
    terminal = play("walhalla", "--seats", "human,random,random,random", "--seed", "2")
    text = terminal.wait()
    assert "fjord 1" in text
    assert 60 < widest(text) <= 80
    terminal.resize(60, 40)
    text = terminal.ask("table")
    assert "≈1" in text
    assert widest(text) <= 60
    terminal.resize(120, 40)
    text = terminal.ask("table")
    assert widest(text) > 100
    terminal.resize(40, 40)
    text = terminal.ask("table")
    assert widest(text) <= 40
    terminal.process.send_signal(signal.SIGWINCH)
    assert "vikings board" in terminal.ask("table").replace("\n", " ")


@pytest.mark.full
@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_and_coming_back(play: Open, tmp_path: Path, key: str) -> None:
    terminal = play("walhalla", "--seats", "human,random,random", "--seed", "4")
    terminal.wait()
    terminal.ask("1")
    before = saved_game(tmp_path)["replies"]
    terminal.type("half a li" if key == "\x03" else "", end=key)
    text = terminal.end()
    assert "Traceback" not in text
    assert terminal.process.wait() == 0
    assert saved_game(tmp_path)["replies"] == before
    again = play(*resuming(text))
    text = again.wait()
    assert len(before) == 1
    assert "goes on after 1 reply." in text
    assert "you are asked" in text
    again.ask("1")
    assert len(saved_game(tmp_path)["replies"]) > len(before)
    again.type("quit")
    assert "--resume" in again.end()


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_is_lost_when_the_program_is_ended(
    play: Open, tmp_path: Path, number: signal.Signals
) -> None:
    terminal = play("stones", "--seats", "human,random", "--seed", "1")
    terminal.wait()
    terminal.ask("lay cell 1 3")
    terminal.signal(number)
    terminal.end()
    code = terminal.process.wait()
    assert code == (-9 if number == signal.SIGKILL else 0)
    log = saved_game(tmp_path)
    assert log["replies"][0]["choice"] == "lay cell 1 3"
    (file,) = (tmp_path / "state" / "lawspeaker").glob("*.json")
    again = play("--resume", str(file))
    assert "Where do you lay a stone?" in again.wait() or "Which card" in again.text()


@pytest.mark.full
def test_people_at_one_screen_do_not_see_each_others_hands(play: Open) -> None:
    terminal = play("stones", "--seats", "human,human", "--seed", "3")
    screen = terminal.wait("alone with the screen. ")
    assert "hand:" not in screen
    hands = {}
    for name in ("ann", "bob"):
        assert f"{name}, press Enter" in terminal.text()
        text = terminal.ask("")
        hands[name] = re.findall(r"^hand: .*", text, re.MULTILINE)
        assert len(hands[name]) == 1
        assert f"{name} (you)" in text
        terminal.type("pass")
        terminal.wait("alone with the screen. ")
        since = terminal.printed[terminal.seen :]
        assert "\x1b[2J" in since
        assert "hand:" not in ESCAPE.sub("", since[since.index("\x1b[2J") :])
    terminal.ask("")
    assert "Which card do you show?" in terminal.text()
    terminal.type("\x1b[A", end="\x15\r")
    assert "pass" not in terminal.wait().replace("pass, none", "")


@pytest.mark.full
def test_without_colours(play: Open) -> None:
    terminal = play("stones", "--seats", "human,random", "--seed", "3", NO_COLOR="1")
    terminal.wait()
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m|\x1b\[[0-9;]*4[0-7]m", terminal.printed)
    dumb = play("stones", "--seats", "human,random", "--seed", "3", TERM="dumb")
    dumb.wait()
    assert "\x1b[3" not in dumb.printed
    assert "A ann (you)" in dumb.text()


@pytest.mark.full
def test_the_tabulator_completes(play: Open) -> None:
    terminal = play("stones", "--seats", "human,random", "--seed", "3")
    terminal.wait()
    terminal.type("hel\t", end="\r")
    assert "What you can type" in terminal.wait()
