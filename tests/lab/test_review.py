"""Reviews: what is odd about a game is found, with its evidence, and nothing else."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments import reviewing
from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.rules import Rules
from lawspeaker.outside.workers import play_all_instrumented
from lawspeaker.study.reviewing.claims import About, Claim, Share, confirmed, open_to_chance
from tests.lab import known_games
from tests.lab.faulty_games import Faults, game_text

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
def odd_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "odd.yaml"
    file.write_text(ODD)
    return file


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["review", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


BRIEF = ("--games", "30", "--thinking", "2", "--bots", "greedy", "--workers", "1")
QUICK = ("--games", "400", "--thinking", "60", "--bots", "mc:20", "--workers", "1")


@pytest.mark.full
def test_what_is_odd_is_found_and_can_be_opened(odd_game: Path, tmp_path: Path) -> None:
    found = json.loads(run(str(odd_game), *QUICK, "--json", "--html", str(tmp_path / "odd.html")))
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
    command = shlex.split(burn["witness"]["open"])
    assert json.loads(Path(command[3]).read_text())["seats"] == ["mc:20"] * 3
    played = CliRunner().invoke(app, command[1:], input="quit\n")
    assert "burn" in played.output, "it stands where the option could be chosen"
    assert "Findings" in (tmp_path / "odd.html").read_text()


@pytest.mark.full
def test_two_versions_are_compared(odd_game: Path, tmp_path: Path) -> None:
    fair = tmp_path / "fair.yaml"
    fair.write_text(ODD.replace("ann scores 8", "ann scores 0"))
    page = tmp_path / "fair.html"
    told = run(str(odd_game), str(fair), *QUICK, "--html", str(page))
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
    found = json.loads(run(str(odd_game), str(fair), *QUICK, "--json"))
    assert {"better"} <= {each["how"] for each in found["changes"]}
    assert found["measures"]["score"]["value"] == pytest.approx(-8 / 3, abs=1e-5)


@pytest.mark.full
def test_a_hole_is_the_first_finding(odd_game: Path) -> None:
    odd_game.write_text(
        ODD.replace("ann scores 8", "move a coin in purse of ann to till\n      " * 3)
    )
    (first, *_) = json.loads(run(str(odd_game), *BRIEF, "--json"))["findings"]
    assert first["kind"] == "hole"


HOLE = "repeat 19 times:\n        draw 1 coin from till to purse of ann"


@pytest.mark.nightly
def test_a_game_of_which_none_ends_is_reviewed(odd_game: Path, tmp_path: Path) -> None:
    odd_game.write_text(ODD.replace("ann scores 8", HOLE))
    page = tmp_path / "odd.html"
    found = json.loads(run(str(odd_game), str(odd_game), *BRIEF, "--json", "--html", str(page)))
    assert {each["kind"] for each in found["findings"]} == {"hole"}
    assert all(table["games"] == 0 and table["broken"] for table in found["tables"])
    assert found["changes"] == []
    assert found["measures"] == {}
    told = run(str(odd_game), str(odd_game), *BRIEF)
    for text in (told, page.read_text(encoding="utf-8")):
        assert "nothing could be measured game by game" in text


@pytest.mark.full
def test_each_witness_has_a_file_of_its_own(odd_game: Path) -> None:
    """Tables of other sizes break off after as many replies, and so do other rules."""
    course = "repeat 3 times:\n        for each player:\n          do paying(player)"
    holed = ODD.replace("ann scores 8", HOLE).replace(course, "do paying(ann)")
    assert course not in holed
    commands = []
    for text in (holed, holed.replace("ann scores 1", "ann scores 2")):
        odd_game.write_text(text)
        found = json.loads(run(str(odd_game), *BRIEF, "--json"))["findings"]
        holes = [each for each in found if each["kind"] == "hole"]
        assert len(holes) == 3
        commands += [(each["witness"]["open"], each["players"]) for each in holes]
    files = [shlex.split(command)[3] for command, _ in commands]
    assert len(set(files)) == len(files)
    for command, players in commands:
        assert len(json.loads(Path(shlex.split(command)[3]).read_text())["seats"]) == players
        played = CliRunner().invoke(app, shlex.split(command)[1:], input="quit\n")
        assert "seats are named" not in played.output


SHARED = """\
lawspeaker: 1
game: shared
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  coin: {starts in: purse, kinds: {penny: 1}}
places:
  purse: {holds: coin, seen by: everyone}
rules:
  game:
    says: Both have a point in the end.
    rule: |
      for each player:
        do calling(player)
        player scores 1
      do calling(ann)
      do idle
  calling:
    says: A player calls heads or tails.
    asks: Which?
    given: {player: player}
    rule: |
      player must choose one of
        heads
          then: skip
        tails
          then: skip
  idle:
    says: This never happens.
    rule: |
      if count of coins in purse > 1:
        ann scores 1
"""


@pytest.fixture
def shared_win_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "shared.yaml"
    file.write_text(SHARED)
    return file


def test_a_lead_that_ends_in_a_shared_victory_is_not_kept(shared_win_game: Path) -> None:
    found = json.loads(run(str(shared_win_game), *BRIEF, "--json"))["findings"]
    assert "ties" in {each["kind"] for each in found}
    assert "lead kept" not in {each["kind"] for each in found}


@pytest.mark.full
def test_a_seat_that_makes_fewer_points_is_named_unless_it_wins_less() -> None:
    toss = "pick a random player\nplayer scores {}\nann loses 3\ndo round"
    kinds = []
    for most in (10, 1):
        game = known_games.loaded(known_games.game_text(toss.format(most), right="1"))
        setting = Setting(Rules.of_game(game, game.name), ("random",) * 3, 1, 600, Crew(1))
        found = finished(reviewing.review(setting, 2, Crew(1))).findings
        kinds.append([each.about.kind for each in found if each.about.subject == "ann"])
    assert kinds == [["fewer points"], ["seat behind"]]


def test_no_game_is_counted_twice(shared_win_game: Path) -> None:
    """Those that are looked at closely are some of the many, and so are those of random bots."""
    for bots, games in (("greedy", 32), ("random", 30)):
        found = json.loads(run(str(shared_win_game), *BRIEF, "--bots", bots, "--json"))["findings"]
        (idle,) = (each for each in found if each["subject"] == "idle")
        assert idle["games"] == games


def test_nothing_is_said_of_thinking_where_nobody_thinks(shared_win_game: Path) -> None:
    told = run(str(shared_win_game), *BRIEF, "--bots", "random", "--thinking", "1")
    assert "Nothing is known of that: only random players have played." in " ".join(told.split())
    assert "who starts wins" not in told
    assert "1 games" not in told
    told = run(str(shared_win_game), *BRIEF, "--thinking", "1")
    assert "1 game of 2 who think (greedy)" in told


def test_few_decisions_leave_room_for_others(shared_win_game: Path) -> None:
    skill = json.loads(run(str(shared_win_game), *BRIEF, "--json"))["skill"]
    (stake,) = (each["figure"] for each in skill if each["measure"] == "stake")
    assert stake["value"] == stake["low"] == 0
    assert stake["high"] > 0.2


GOES = """\
lawspeaker: 1
game: goes
players: {from: 2, to: 2, called: [ann, ben]}
rules:
  game:
    says: Everyone digs or sleeps, a few times.
    rule: |
      repeat 3 times:
        for each player:
          do working(player)
  working:
    says: Who digs finds something.
    asks: What do you do?
    given: {player: player}
    rule: |
      player must choose one of
        dig
          then: player scores 2
        sleep
          then: player scores 1
"""


@pytest.mark.full
def test_what_goes_with_winning_may_go_with_losing_by_other_rules(tmp_path: Path) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_text(GOES)
    other.write_text(GOES.replace("scores 2", "scores 0"))
    common = ("--games", "200", "--thinking", "1", "--bots", "random", "--workers", "1")
    found = json.loads(run(str(one), str(other), *common, "--json"))
    by_subject = {each["subject"]: each for each in found["changes"]}
    dig = by_subject["working: dig"]
    assert dig["how"] == "otherwise"
    assert dig["before"]["low"] > 0 > dig["after"]["high"]
    page = tmp_path / "goes.html"
    told = " ".join(run(str(one), str(other), *common, "--html", str(page)).split())
    assert "No finding came, went" not in told
    assert "What is otherwise, neither better nor worse" in told
    for text in (told, page.read_text(encoding="utf-8")):
        assert "does not make it the cause" in text
        assert "not clearly changed: " in text
    simulated = CliRunner().invoke(app, ["simulate", str(one), "--games", "60", "--workers", "1"])
    assert "does not make one the cause" in " ".join(simulated.output.split())
    same = " ".join(run(str(one), str(one), *common).split())
    assert "No finding came, went, or clearly changed." in same
    assert "not clearly changed: score, " in same


@pytest.mark.full
def test_what_is_known_is_told_when_the_user_stops(
    shared_win_game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def at_once(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    def stopped(*given: object) -> Iterator[object]:
        yield from play_all_instrumented(*given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(reviewing, "play_all_instrumented", stopped)
    result = CliRunner().invoke(app, ["review", str(shared_win_game), *BRIEF])
    assert result.exit_code == 130
    assert "this is what is known so far" in result.output
    assert "idle never changes anything" in result.output
    monkeypatch.setattr(reviewing, "play_all_instrumented", play_all_instrumented)
    monkeypatch.setattr(reviewing, "contrast", at_once)
    both = CliRunner().invoke(app, ["review", str(shared_win_game), str(shared_win_game), *BRIEF])
    assert both.exit_code == 130
    assert "idle never changes anything" in both.output
    assert "No finding came" not in both.output, "nothing is compared that was not played"

    monkeypatch.setattr(reviewing, "sums", at_once)
    result = CliRunner().invoke(app, ["review", str(shared_win_game), *BRIEF])
    assert result.exit_code == 130
    assert "stopped before the games between random players were over" in result.output


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

    alone, _ = confirmed([claim("a")], {"ties": (1, 0.1)})
    assert len(alone) == 1
    among, claims = confirmed([claim(str(at)) for at in range(1000)], {"ties": (1, 0.1)})
    assert among == ()
    assert open_to_chance(claims) == len(claims) == 1000
    sure = Claim(About("ties", "sure", ("random",), 3), Share(0, 3), sure=True)
    found, claims = confirmed([claim("a"), sure], {"ties": (1, 0.1)})
    assert len(found) == 2
    assert open_to_chance(claims) == 1, "what has happened is no hypothesis"


BIASED = """\
lawspeaker: 1
game: biased
players: {from: 2, to: 2, called: [ann, ben]}
numbers:
  hundred: 1..100
  pips: 1..6
rules:
  game:
    says: Both bet, and luck is a little kinder to Ann.
    rule: |
      repeat 2 times:
        for each player:
          do betting(player)
      pick a random hundred as drawn
      if drawn <= LIMIT:
        ann scores 100
      else:
        ben scores 100
  betting:
    says: A player bets on a number of pips.
    asks: On what do you bet?
    given: {player: player}
    rule: |
      player must bet: pips
      pick a random pips as rolled
      if rolled = pips:
        player scores 1
"""


@pytest.mark.full
@pytest.mark.parametrize("limit, found", [(53, True), (50, False)])
def test_a_seat_that_wins_three_percent_more_is_found(
    limit: int, found: bool, tmp_path: Path
) -> None:
    file = tmp_path / "biased.yaml"
    file.write_text(BIASED.replace("LIMIT", str(limit)))
    for seed in ("1", "2"):
        told = run(str(file), "--games", "10000", "--bots", "random", "--seed", seed, "--json")
        findings = json.loads(told)["findings"]
        about = [(each["kind"], each["subject"]) for each in findings]
        assert (("seat ahead", "ann") in about) == found
        assert not found or about[0][0] in ("seat ahead", "start ahead", "seat behind")
        assert not found or findings[0]["limit"] == 0.5


@pytest.mark.full
def test_a_rule_in_which_games_stop_is_not_called_dead() -> None:
    """It never changed anything in the games that ended, which it had no part in."""
    game = known_games.loaded(game_text(Faults(endless=True, dead_rule=True), "circling", 4))
    setting = Setting(Rules.of_game(game, game.name), ("greedy",) * 3, 1, 150, Crew(1))
    found = finished(reviewing.review(setting, 2, Crew(1))).findings
    assert [each.about.subject for each in found if each.about.kind == "never fires"] == ["famine"]
    assert any(each.about.kind == "hole" for each in found)
    assert not any(each.about.kind == "most of the score" for each in found), "only turns score"
