"""Where points do not tell who is ahead, rules say how near a side is to winning; bots go by it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker import ir
from lawspeaker.ir.progress import Term, progress
from lawspeaker.match.game import Game
from lawspeaker.outside.rules import Rules
from lawspeaker.outside.training import TrainingTask, against_random, blank
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.players.bots.simple import options_of
from lawspeaker.players.bots.trials import OptionTrial, Worlds
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import sides_of
from lawspeaker.study.lab.proving import Bout, bout_won
from tests import library
from tests.language.games import GOOD
from tests.tiers import sample

SAID = """\
lawspeaker: 1
game: said
players: {from: 2, to: 2, called: [ann, ben]}
wins: as the rules say
markers:
  active: {shows: player}
  laps: {of each: player, shows: 0..30}
rules:
  game:
    says: Once around.
    rule: |
      repeat 9 times:
        do turn
BODY
        active becomes left_neighbour of active
      nobody wins
  turn:
    says: A player goes on or not.
    asks: What do you do?
    rule: |
      active must choose one of
        go
          then: laps of active increases by 1
        stay
          then: finish
"""
MORE = {
    "is far": """\
  far:
    says: Whether a player has gone around often enough.
    define: player is far
    as: laps of player >= 12 and laps of player > 2
""",
    "ending": """\
  ending:
    given: {player: player}
    says: It is over.
    rule: |
      player wins
""",
}


def load_good_game(name: str) -> Game:
    return lawspeaker.load(str(GOOD / f"{name}.yaml"))


def program_with(tmp_path: Path, *lines: str) -> ir.Program:
    body = "\n".join(f"        {line}" for line in lines)
    file = tmp_path / "said.yaml"
    more = "".join(clause for word, clause in MORE.items() if word in body)
    file.write_text(SAID.replace("BODY", body) + more, encoding="utf-8")
    return lawspeaker.load(str(file)).program


@pytest.mark.parametrize(
    "lines",
    [
        ("if laps of active >= 12:", "  active wins"),
        ("if active is far:", "  active wins"),
        ("if active is far:", "  do ending(active)"),
        ("let done be laps of active", "if done = 12 or done > 20:", "  active wins"),
        ("if not (laps of active < 12):", "  active wins"),
        ("let other be left_neighbour of active", "if laps of other >= 12:", "  other wins"),
        ("for each player:", "  if laps of player >= 12:", "    player wins"),
        ("if laps of active < 12:", "  do turn", "else:", "  left_neighbour of active wins"),
    ],
)
def test_conditions_of_a_victory_are_measured(tmp_path: Path, lines: tuple[str, ...]) -> None:
    program = program_with(tmp_path, *lines)
    found = progress(program, sides_of(program, 2))
    assert len(found) == 2
    assert all(each.victory is not None for each in found)


@pytest.mark.parametrize(
    "lines",
    [
        ("if active is ann:", "  active wins"),
        ("if laps of ann >= 12:", "  ann wins"),
    ],
)
def test_what_cannot_be_measured_of_all_is_left_out(tmp_path: Path, lines: tuple[str, ...]) -> None:
    program = program_with(tmp_path, *lines)
    assert progress(program, sides_of(program, 2)) == ()


def test_points_need_no_other_measure() -> None:
    program = library.game("walhalla").program
    assert program.goal.worth
    assert progress(program, sides_of(program, 2)) == ()
    for name in ("hex", "nim"):  # nothing there is a number that grows
        program = library.game(name).program
        assert progress(program, sides_of(program, 2)) == ()


def test_where_all_play_together_it_counts_how_far_it_is_to_lose() -> None:
    program = load_good_game("leaky_boat").program
    (found,) = progress(program, sides_of(program, 3))
    assert isinstance(found.victory, Term)
    assert isinstance(found.defeat, Term)


@pytest.mark.parametrize("text, near", [("row", -9 + 8), ("bail", -10 + 11), ("sing", -10 + 8)])
def test_modules_work_it_out(text: str, near: int) -> None:
    """What is missing of ten strokes, and of twelve buckets, after one turn."""
    view = load_good_game("leaky_boat").start(players=2, seed=1).view(0)
    number = next(at for at, each in enumerate(options_of(view)) if each.text == text)
    trial = OptionTrial(number)
    Worlds(view, reach=1).play([trial], 1, 1)
    assert trial.ahead == near


def test_greedy_players_win_together_without_points() -> None:
    program = load_good_game("leaky_boat").program
    won = [bout_won(program, Bout("greedy", "random", 2), 1, deal) for deal in range(6)]
    assert sum(each.gain.total for each in won) >= 3
    assert not any(each.scoring for each in won)


def test_a_policy_is_judged_as_a_team() -> None:
    file = str(GOOD / "leaky_boat.yaml")
    course = TrainingTask(Rules.of_game(lawspeaker.load(file), file), 2, 1)
    found = against_random(blank(course), 200)
    assert found.low < found.fair < found.high
    assert found.games == 200


def lead(game: Game, name: str, seat: int, seed: int) -> int:
    """How far a bot is ahead of a random player in the end, or where the game faults."""
    match = game.start(players=2, seed=seed)
    bots = [bot(name if at == seat else "random", seat_seed(seed, at)) for at in range(2)]
    with suppress(RuleFault):
        while decision := match.decision:
            assert decision.seat is not None
            match.choose(reply(bots[decision.seat], match, decision.seat), seat=decision.seat)
    return match.scores[seat] - match.scores[1 - seat]


@pytest.mark.parametrize("name", ["mc:40", "flat:40", "tree:40"])
def test_search_finds_a_way_where_random_games_never_end(name: str) -> None:
    assert lead(load_good_game("guilds"), name, 1, 3) >= 7


@pytest.mark.full
@pytest.mark.parametrize("name", sample(["mc:100", "flat:100", "tree:100"], full=3))
def test_search_finds_a_way_where_random_games_are_repeated_too_often(
    name: str, tmp_path: Path
) -> None:
    """Playouts that end in a fault say nothing; shorter ones do."""
    text = (GOOD / "guilds.yaml").read_text(encoding="utf-8")
    begin, end = text.index("      repeat 100 times:"), text.index("  turn:")
    loop = """\
      repeat until score of active >= 15, at most 160 times:
        active becomes left_neighbour of active
        do turn

"""
    changed = (text[:begin] + loop + text[end:]).replace("wins: as the rules say\n", "")
    (tmp_path / "guilds.yaml").write_text(changed, encoding="utf-8")
    game = lawspeaker.load(str(tmp_path / "guilds.yaml"))
    assert all(lead(game, name, seed % 2, seed) >= 7 for seed in range(2))
