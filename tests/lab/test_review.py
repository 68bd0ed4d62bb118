"""Reviews: what is odd about a game is found, with its evidence, and nothing else."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.study.lab.statistics import Mean
from lawspeaker.study.reviewing.testing import About, Claim, Share, held

ODD = """\
lawspeaker: 1
game: odd
players: {from: 2, to: 3, called: [ann, ben, cat]}
pieces:
  coin: {of each: player, starts in: purse, kinds: {penny: 4, pound: 1}}
  sword: {starts in: attic, kinds: {rusty: 1, sharp: 1}}
places:
  purse: {of each: player, holds: coin, seen by: everyone}
  till: {holds: coin, seen by: everyone}
  attic: {holds: sword, seen by: everyone}
rules:
  game:
    says: Everyone pays, and the first player is given presents.
    rule: |
      repeat 3 times:
        for each player:
          do paying(player)
      do present
      do never
  paying:
    says: A penny is worth nothing, a pound ten points, and nobody need take a sword.
    given: {player: player}
    asks: What do you pay?
    guards:
      has_any: A purse is never empty so soon.
    rule: |
      player must choose one of
        pay: coin in purse of player
          where has_any: purse of player is not empty
          then:
            move coin to till
            do reward(player, coin)
        burn
          then: player loses 5
        fight: sword in attic where till is empty and attic is empty
          then: move sword to attic
  reward:
    says: What was paid is rewarded.
    given: {player: player, coin: coin}
    rule: |
      if coin is pound:
        player scores 10
      else:
        player scores 1
  present:
    says: Ann has a present.
    rule: |
      ann scores 8
  never:
    says: This never happens.
    rule: |
      if count of coins in till > 100:
        ann scores 1
"""


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "odd.yaml"
    file.write_text(ODD)
    return file


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["review", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


QUICK = ("--games", "400", "--thinking", "60", "--bots", "mc:20", "--workers", "1")


def test_what_is_odd_is_found_and_can_be_opened(odd: Path, tmp_path: Path) -> None:
    found = json.loads(run(str(odd), *QUICK, "--json", "--html", str(tmp_path / "odd.html")))
    by_kind: dict[str, list[str]] = {}
    for each in found["findings"]:
        by_kind.setdefault(each["kind"], []).append(each["subject"])
    assert by_kind["seat ahead"][0] == "ann"
    assert "never" in by_kind["never fires"]
    assert by_kind["never offered"] == ["paying: fight sword", "sword rusty", "sword sharp"]
    assert "paying.has_any" in by_kind["guard never refuses"]
    assert "paying: burn" in by_kind["never chosen"]
    assert "hole" not in by_kind
    weights = [each["weight"] for each in found["findings"]]
    assert weights == sorted(weights, reverse=True)
    burn = next(each for each in found["findings"] if each["subject"] == "paying: burn")
    assert burn["figure"]["high"] < burn["figures"]["luck"]
    log = Path(shlex.split(burn["witness"]["open"])[3])
    assert json.loads(log.read_text())["seats"] == ["mc:20"] * 3
    assert "Findings" in (tmp_path / "odd.html").read_text()


def test_a_witness_stands_where_the_option_could_be_chosen(odd: Path) -> None:
    found = json.loads(run(str(odd), *QUICK, "--json"))
    burn = next(each for each in found["findings"] if each["kind"] == "never chosen")
    command = shlex.split(burn["witness"]["open"])
    played = CliRunner().invoke(app, command[1:], input="quit\n")
    assert "burn" in played.output


def test_two_versions_are_compared(odd: Path, tmp_path: Path) -> None:
    fair = tmp_path / "fair.yaml"
    fair.write_text(ODD.replace("ann scores 8", "ann scores 0"))
    page = tmp_path / "fair.html"
    told = run(str(odd), str(fair), *QUICK, "--html", str(page))
    for text in (told, page.read_text(encoding="utf-8")):
        assert "Measured game by game, with the same luck" in text
        assert "seed 1" in text
    commands = [line.strip() for line in told.splitlines() if "lawspeaker play" in line]
    assert commands, "what was found can be opened"
    for each in commands:
        words = shlex.split(each)
        assert words[:3] == ["lawspeaker", "play", "--resume"], "it can be copied as it stands"
        assert words[4] == "--seats"
        assert words[5].count(",") == 2
    better = told[told.index("What got better") :]
    assert "ann wins more than a fair share" in better
    found = json.loads(run(str(odd), str(fair), *QUICK, "--json"))
    assert {"better"} <= {each["how"] for each in found["changes"]}
    assert found["measures"]["score"]["value"] == pytest.approx(-8 / 3, abs=1e-5)


def test_a_hole_is_the_first_finding(odd: Path) -> None:
    odd.write_text(ODD.replace("ann scores 8", "move a coin in purse of ann to till\n      " * 3))
    (first, *_) = json.loads(run(str(odd), *QUICK, "--json"))["findings"]
    assert first["kind"] == "hole"


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nim", "nim", "nim"], "one game is reviewed, or two versions"),
        (["nim", "--bots", "greedi"], "greedy"),
        (["pig", "nim"], "say --players"),
    ],
)
def test_a_wrong_call_is_answered(arguments: Sequence[str], words: str) -> None:
    result = CliRunner().invoke(app, ["review", *arguments])
    assert result.exit_code == 2
    assert words in result.output


def test_intervals_are_corrected_for_how_many_there_are() -> None:
    """What would be clear if it were looked at alone is not told among a thousand."""

    def claim(subject: str) -> Claim:
        return Claim(About("ties", subject, ("random",), 100), Share(62, 100), above=0.5)

    alone, _ = held([claim("a")], {"ties": 1})
    assert len(alone) == 1
    among, estimates = held([claim(str(at)) for at in range(1000)], {"ties": 1})
    assert among == ()
    assert len(estimates) == 1000
    ((_, mean),) = held(
        [Claim(About("ties", "", ("random",), 3), Mean(3, 3, 5), above=9)], {"ties": 1}
    )[1].items()
    assert mean.value == 1
