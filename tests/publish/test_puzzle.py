"""Scenarios as puzzles: what is right, what is refused, and a page that knows it by itself."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.faces.publishing import site
from lawspeaker.faces.publishing.puzzle import NoPuzzle, page, puzzle

pytestmark = pytest.mark.xdist_group("browser")

SCORED = Path(__file__).parents[2] / "rules" / "hearts" / "scenarios" / "the_moon.yaml"
NIM = """\
scenario: Who takes all but one leaves the last to the other
game: nim
players: 2
puzzle: {en: How do you win?, de: Wie gewinnst du?}
seed: 1
"""


def write_puzzle(folder: Path, text: str) -> Path:
    file = folder / "puzzle.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def data_of(text: str) -> dict[str, Any]:
    (pressed,) = re.findall(r'id="game">"([^"]+)"<', text)
    found: dict[str, Any] = json.loads(gzip.decompress(b64decode(pressed)))
    return found


TURN = """\
do: turn
situation:
  heap 1: 2 stones
  heap 2: stone
  heap 3: empty
  all other stones: box
steps:
  - refuses: {"take heap 1, 3": enough}
    answer: take heap 1, 1
"""
EVEN = "then: {heap 1: stone, heap 2: stone}\n"


def verdicts(made: dict[str, Any], language: str = "en") -> dict[str, str]:
    (step,) = made["told"][language]["steps"]
    options = step["question"]["options"]
    return {
        option["text"]: result["verdict"]
        for option, result in zip(options, step["results"], strict=True)
    }


def test_right_is_what_brings_about_what_is_expected(tmp_path: Path) -> None:
    made = puzzle(write_puzzle(tmp_path, NIM + TURN + EVEN))
    found = verdicts(made)
    assert found == {
        "take heap 1, 1": "right",
        "take heap 1, 2": "other",
        "take heap 2, 1": "other",
        "take heap 1, 3": "refused",
    }
    assert verdicts(made, "de") == found
    told = made["told"]["de"]
    assert told["asks"] == "Wie gewinnst du?"
    (refused,) = [each for each in told["steps"][0]["results"] if each["verdict"] == "refused"]
    assert "Haufen" in refused["why"]["sentence"]
    # Another answer that leads to the same is as good as the one in the file.
    either = puzzle(write_puzzle(tmp_path, NIM + TURN + "then: {heap 3: empty, heap 2: stone}\n"))
    assert verdicts(either)["take heap 1, 2"] == "right"
    assert verdicts(either)["take heap 2, 1"] == "other"
    # Without an expectation there is no other right answer than the one that is given.
    assert list(verdicts(puzzle(write_puzzle(tmp_path, NIM + TURN))).values()).count("right") == 1


def test_the_order_does_not_tell_what_is_refused(tmp_path: Path) -> None:
    (step,) = puzzle(write_puzzle(tmp_path, NIM + TURN))["told"]["en"]["steps"]
    names = [each["name"] for each in step["question"]["options"]]
    assert names == sorted(names)
    assert [each["number"] for each in step["question"]["options"]] == list(range(len(names)))


@pytest.mark.parametrize(
    "rest, why",
    [
        (TURN.partition("  - refuses")[0] + "  - asks: {ann: turn}\n",
         "there is nothing to guess"),
        (TURN.replace("  - refuses: {\"take heap 1, 3\": enough}\n    answer", "  - answer")
         + "then: {heap 3: empty}\n", "every answer would do"),
    ],
)  # fmt: skip
def test_where_there_is_nothing_to_guess_it_is_said(tmp_path: Path, rest: str, why: str) -> None:
    with pytest.raises(NoPuzzle, match=why):
        puzzle(write_puzzle(tmp_path, NIM + rest))


def test_a_scenario_that_does_not_hold_is_no_puzzle(tmp_path: Path) -> None:
    file = write_puzzle(tmp_path, NIM + TURN + "then: {heap 1: empty}\n")
    target = tmp_path / "page.html"
    done = CliRunner().invoke(app, ["scenario", str(file), "--puzzle", str(target)])
    assert done.exit_code == 1
    assert not target.exists()
    both = CliRunner().invoke(app, ["scenario", str(file), "--puzzle", str(target), "--json"])
    assert both.exit_code == 2


def test_a_puzzle_is_solved_from_a_disk(tmp_path: Path, chromium: Any) -> None:
    file, target = write_puzzle(tmp_path, NIM + TURN + EVEN), tmp_path / "page.html"
    done = CliRunner().invoke(app, ["scenario", str(file), "--puzzle", str(target)])
    assert done.exit_code == 0, done.output
    text = target.read_text(encoding="utf-8")
    assert "unsafe" not in text
    assert len(data_of(text)["puzzles"]) == 1
    context = chromium.new_context(offline=True, reduced_motion="reduce", locale="de-DE")
    context.set_default_timeout(120_000)
    screen = context.new_page()
    errors: list[str] = []
    screen.on("console", lambda message: errors.extend([message.text] * (message.type == "error")))
    screen.on("pageerror", lambda error: errors.append(str(error)))
    screen.goto(target.as_uri())
    screen.wait_for_selector("body[data-step='0'] svg.table")
    assert screen.inner_text("#asks") == "Wie gewinnst du?"
    seen = set()
    for number in range(1, 5):
        screen.keyboard.press(str(number))
        screen.wait_for_selector("#verdict:not([hidden])")
        seen.add(screen.get_attribute("#verdict", "data-verdict"))
        if screen.get_attribute("body", "data-step") == "solved":
            screen.click(".again")
            screen.wait_for_selector("body[data-step='0']")
    assert seen == {"right", "other", "refused"}
    screen.click("#give-up")
    screen.wait_for_selector("body[data-step=solved] #verdict.right .rule")
    assert "Who takes all but one" in screen.inner_text("#verdict")
    assert screen.inner_text("#verdict h2") == "Die Lösung"
    screen.select_option("#language", "en")
    screen.wait_for_selector("html[lang=en] body[data-step=solved] #verdict.right")
    context.close()
    assert not errors, "\n".join(errors)


def test_points_are_guessed_where_nobody_is_asked() -> None:
    made = puzzle(SCORED)
    told = made["told"]["en"]
    assert not told["steps"]
    assert any(each["points"] for each in told["points"])
    for each in told["points"]:
        assert each["points"] == sum(row["points"] for row in each["rows"])
    assert len(data_of(page([made, made]))["puzzles"]) == 2


CUPS = """\
scenario: Three fives are said
game: liars_dice
players: 2
situation:
  all other dice: lost
  cup ann: [die with face 2, die with face 5]
  cup ben: die with face {face}
  active: ann
do: turn
steps:
  - refuses: {{doubt: there_is_a_bid}}
    answer: say 3, 5
    then: {{bid: 3}}
"""


def test_what_the_other_has_is_not_in_what_is_asked(tmp_path: Path) -> None:
    twins = [puzzle(write_puzzle(tmp_path, CUPS.format(face=face))) for face in (2, 6)]
    one, other = (json.dumps([each["told"], each["pictures"]]) for each in twins)
    assert one == other
    # Three of any face would do as well: that is all the scenario expects.
    assert list(verdicts(twins[0]).values()).count("right") > 1


@pytest.mark.full
def test_a_site_offers_puzzles_beside_their_game(tmp_path: Path) -> None:
    made = {"even": puzzle(write_puzzle(tmp_path, NIM + TURN + EVEN))}
    files = site.site([lawspeaker.load("nim")], {}, compiled=False, puzzles=made)
    assert files["puzzles/nim.even.html"].startswith(b"<!doctype html>")
    assert b"puzzles/nim.even.html" in files["nim.html"]
    assert b"puzzles/nim.even.html" in files["service.js"]
    with pytest.raises(NoPuzzle, match="publish this game, too"):
        site.site([lawspeaker.load("pig")], {}, compiled=False, puzzles=made)
