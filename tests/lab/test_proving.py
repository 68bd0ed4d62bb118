"""Bots prove themselves before anything is told of their games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.proof import behind, sentences, to_json
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest, simulated, swept
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import load
from lawspeaker.outside.rules import Rules, program_of
from lawspeaker.outside.workers import bouts_won
from lawspeaker.players.bots import weaker
from lawspeaker.study.lab.proving import Bout, Won, bout_won, bouts, deals_for, proof
from lawspeaker.study.lab.statistics import Mean

LAST_LOSES = """\
lawspeaker: 1
game: misleading
title: Misleading
players: {from: 2, to: 2, called: [ann, ben]}
choices:
  rounds: {says: How many rounds there are., is: 30}
markers:
  bank: {of each: player, shows: number}
rules:
  game:
    says: Coins that are taken now cost three times as many at the end.
    rule: |
      repeat rounds times:
        for each player:
          do turn(player)
      for each player:
        player scores 0 - 3 * bank of player
  turn:
    given: {player: player}
    says: Take a coin, or leave it.
    asks: Do you take it?
    rule: |
      player must choose one of
        take
          then:
            player scores 1
            bank of player becomes bank of player + 1
        leave
"""


@pytest.fixture
def misleading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game whose points mislead whoever looks only a little ahead."""
    (tmp_path / "misleading.yaml").write_text(LAST_LOSES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "./misleading.yaml"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, [*words, "--workers", "1"])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_who_is_to_be_beaten() -> None:
    assert weaker("random") == ()
    assert weaker("greedy") == ("random",)
    assert weaker("mc:50") == ("random", "greedy")
    assert weaker("tree:50") == ("random", "mc:50")
    assert weaker("learned:x") == ("random", "greedy")
    assert weaker("learned:x+mc:50") == ("random", "mc:50", "learned:x")
    tables = [("greedy", "random"), ("greedy", "greedy", "mc:5")]
    assert bouts(tables) == (
        Bout("greedy", "random", 2),
        Bout("greedy", "random", 3),
        Bout("mc:5", "random", 3),
        Bout("mc:5", "greedy", 3),
    )


@pytest.mark.parametrize(
    "games, sides, deals", [(1, 2, 4), (40, 4, 2), (70, 2, 7), (70, 3, 5), (9999, 4, 6)]
)
def test_few_games_are_enough(games: int, sides: int, deals: int) -> None:
    assert deals_for(games, sides) == deals


@pytest.mark.full
def test_a_bot_that_is_misled_is_called_so_in_the_first_line(misleading: str) -> None:
    first, *_ = run("simulate", misleading, "-n", "4", "--bots", "greedy").splitlines()
    assert first.startswith("greedy does not beat random players, it plays worse: with 2 players")
    assert "it won 0 % (0 to 32) of 8 games (fair: 50 %)" in first.replace("\xa0", " ")
    first, second, *_ = run("simulate", misleading, "-n", "4", "--bots", "mc:60").splitlines()
    assert first.startswith("mc:60 beats random players: ")
    assert second.startswith("mc:60 beats greedy: ")


@pytest.mark.full
def test_every_command_says_it(misleading: str) -> None:
    more = "--bots", "greedy", "--vary", "rounds=28,30", "--games", "2"
    for words in (("sweep", misleading), ("tune", misleading, "--target", "length=60")):
        assert run(*words, *more).startswith("greedy does not beat random players")
        found = json.loads(run(*words, *more, "--json"))
        assert found["bots"] == ["greedy", "greedy"]
        (proven,) = found["proof"]
        assert (proven["bot"], proven["against"], proven["games"]) == ("greedy", "random", 8)
        assert not proven["beats"]


@pytest.mark.full
def test_a_comparison_says_it(misleading: str, tmp_path: Path) -> None:
    variant = LAST_LOSES.replace("is: 30", "is: 28")
    (tmp_path / "shorter.yaml").write_text(variant, encoding="utf-8")
    words = "compare", misleading, "./shorter.yaml", "--effect", "2", "--bots", "greedy"
    assert run(*words).startswith("greedy does not beat random players")
    (proven,) = json.loads(run(*words, "--json"))["played"]["proof"]
    assert (proven["bot"], proven["players"]) == ("greedy", 2)


@pytest.mark.full
def test_pages_and_plots_name_the_bots(misleading: str, tmp_path: Path) -> None:
    page, plot = tmp_path / "page.html", tmp_path / "plot.svg"
    more = ("--html", str(page), "--plot", str(plot))
    run("simulate", misleading, "-n", "4", "--bots", "greedy", *more)
    assert "2 players (greedy; not shown to beat random: greedy)" in page.read_text()
    assert "greedy does not beat random players" in page.read_text()


def test_random_players_have_nothing_to_prove() -> None:
    assert json.loads(run("simulate", "nim", "-n", "4", "--json"))["proof"] == []


@pytest.mark.full
def test_it_does_not_matter_who_plays() -> None:
    rules, bout = Rules.of("nim"), Bout("greedy", "random", 2)
    alone = dict(bouts_won(rules, [bout], 3, [2], Crew()))
    both = dict(bouts_won(rules, [bout], 3, [2], Crew(2)))
    assert alone == both
    again = [bout_won(program_of(rules), bout, 3, deal) for deal in range(2)]
    assert alone[bout] == again[-1]


def test_where_nobody_wins_all_have_their_part() -> None:
    """Noughts and crosses between equals that never lose."""
    program, bout = load("tic_tac_toe").program, Bout("tree:1500", "tree:1500", 2)
    won = bout_won(program, bout, 1, 0)
    assert (won.games, won.victories) == (2, 2), "two draws, and a half of a victory is 1"
    found = proof(bout, won, 2)
    assert (found.wins.value, found.fair, found.beats, found.loses) == (0.5, 0.5, False, False)


def test_every_language_says_it() -> None:
    found = [proof(Bout("greedy", "random", 2), Won(8, wins), 2) for wins in (0, 9, 16)]
    for language in LANGUAGES:
        loses, is_open, beats = sentences(found, language)
        assert len({loses, is_open, beats}) == 3
        assert all("greedy" in each and "8" in each for each in (loses, is_open, beats))
    told = behind(["greedy", "greedy"], found[2:], "8 games", 7)
    assert told == "2 players (greedy), 8 games, seed 7"
    assert behind(["greedy", "random"], found, "8 games", 7) == (
        "2 players (greedy, random; not shown to beat random: greedy), 8 games, seed 7"
    )
    assert [each["beats"] for each in to_json(found)] == [False, False, True]


def test_the_lab_in_the_browser_says_it(misleading: str) -> None:
    files = load(misleading).files
    told = list(simulated(ExperimentRequest(files, misleading, 2, "greedy", 2, 1, "de")))
    assert "summary" not in told[0], "bots are proven before anything else"
    played = [each for each in told if "summary" in each]
    assert all("spielt nicht besser" in each["proof"][0] for each in played)
    *_, last = swept(ExperimentRequest(files, misleading, 2, "random", 2, 1), ["rounds=28,30"])
    assert last["proof"] == []


def test_who_plays_for_points_is_judged_by_points() -> None:
    """It may lose many games by a little and win a few by much."""
    bout = Bout("learned", "random", 2)
    lost_by_little, won_by_much = Mean(6, -6, 6), Mean(4, 32, 256)
    won = Won(20, 8 * 2, lost_by_little + won_by_much)
    by_points, by_wins = proof(bout, won, 2, for_points=True), proof(bout, won, 2)
    assert by_points.ahead is not None
    assert by_points.ahead.value == 2.6
    assert not by_wins.beats
    for language in LANGUAGES:
        (told,) = sentences([by_points], language)
        assert "%" not in told
        assert "2,6" in told or "2.6" in told
    assert to_json([by_wins])[0]["ahead"] is None
    assert to_json([by_points])[0]["ahead"]["value"] == 2.6


@pytest.mark.full
def test_points_of_a_deal_are_those_ahead_from_every_side() -> None:
    """Who is random against random players is ahead by nothing, on average over the sides."""
    program = load("kuhn_poker").program
    found = [bout_won(program, Bout("random", "random", 2), 1, deal) for deal in range(4)]
    assert all(each.ahead.count == 1 and each.games == 2 for each in found)
    both = [bout_won(program, Bout("greedy", "random", 2), 1, deal) for deal in range(12)]
    ahead = [each.ahead.value for each in both]
    assert any(ahead)
    assert all(abs(each) <= 4 and (2 * each).is_integer() for each in ahead)


ALL_TOGETHER = """\
lawspeaker: 1
game: all_together
players: {from: 2, to: 3, called: [ann, ben, cy], sides: [crew]}
wins: as the rules say
rules:
  game:
    says: Everybody gives a light or keeps it; with enough of them the crew wins.
    rule: |
      for each player:
        do turn(player)
      if score of crew >= 3: crew wins
  turn:
    given: {player: player}
    says: A light is given, or kept.
    asks: Do you give it?
    rule: |
      player must choose one of
        give
          then: player scores 1
        keep
        hide
        wait
"""


def test_a_team_is_compared_with_a_team_of_the_rival(tmp_path: Path) -> None:
    (tmp_path / "all_together.yaml").write_text(ALL_TOGETHER, encoding="utf-8")
    game = load(str(tmp_path / "all_together.yaml"))
    bout = Bout("mc:400", "random", 3)
    won = Won(0, 0)
    for deal in range(12):
        won += bout_won(game.program, bout, 1, deal)
    found = proof(bout, won, 1)
    assert found.games == 12
    assert found.wins.value > 0.8
    assert found.fair < 0.3
    assert found.beats
    assert not found.loses
    (told, *_) = sentences([found])
    assert "as a team of 3, it won" in told
    (data,) = to_json([found])
    assert data["gain"]["value"] == pytest.approx(found.wins.value - found.fair, abs=1e-5)
    worse = Bout("random", "mc:400", 3)
    lost = Won(0, 0)
    for deal in range(12):
        lost += bout_won(game.program, worse, 1, deal)
    assert proof(worse, lost, 1).loses


def test_where_all_play_together_it_is_said_how_often_they_win(tmp_path: Path) -> None:
    (tmp_path / "all_together.yaml").write_text(ALL_TOGETHER, encoding="utf-8")
    told = run("simulate", str(tmp_path / "all_together.yaml"), "-n", "300", "--players", "3")
    assert "won together" in told
    assert "wins of who starts" not in told
    assert "shared victories" not in told
