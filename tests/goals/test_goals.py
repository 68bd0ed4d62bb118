"""The goal of a game, and who plays together: every part of the interpreter follows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lawspeaker.faces.play import answers
from lawspeaker.faces.play.shown import Sum
from lawspeaker.faces.render.show.document import document
from lawspeaker.faces.render.show.outline import Paragraph, outline
from lawspeaker.faces.web import scene
from lawspeaker.machines.compiled.host.module_cache import entry_name
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.game import Game
from lawspeaker.players.bots import bot, reply
from lawspeaker.players.rl import Environment
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.games import games_of, play_games
from lawspeaker.study.lab.measures import margin, measured, shares
from lawspeaker.study.lab.record import play_game
from lawspeaker.study.lab.tally import tally
from tests.compiled.side_by_side import SideBySide
from tests.goals.coals import FEWEST, MOST, NAMED, PARTNERS, coals, random_match
from tests.tiers import sample

GOALS = [(goal, together) for goal in (MOST, FEWEST, NAMED) for together in (False, True)]


def sides_of(players: int, together: bool) -> list[list[int]]:
    if not together:
        return [[seat] for seat in range(players)]
    every = [[seat for seat in side if seat < players] for side in PARTNERS]
    return [side for side in every if side]


def winners_of(scores: list[int], goal: str, together: bool) -> tuple[int, ...]:
    """Who wins by points, said once more and in another way."""
    totals = {tuple(side): scores[side[0]] for side in sides_of(len(scores), together)}
    wanted = {MOST: max, FEWEST: min}[goal](totals.values())
    return tuple(sorted(seat for side, total in totals.items() if total == wanted for seat in side))


# ---------------------------------------------------------------- who wins


@pytest.mark.parametrize("goal, together", sample(GOALS, test=3))
def test_both_machines_end_a_game_by_its_goal(tmp_path: Path, goal: str, together: bool) -> None:
    game = coals(tmp_path, goal, partners=together, hot=7)
    ends = set()
    for players in (2, 3, 4):
        machines = SideBySide(game.program, players)
        for seed in range(6):
            machines.play(seed)
            match = random_match(game, players, seed)
            named = next((seat for seat, points in enumerate(match.scores) if points == 7), None)
            if named is not None:
                own = next(side for side in sides_of(players, together) if named in side)
                assert match.winners == tuple(own)
            elif goal == NAMED:
                assert match.winners == ()
            else:
                assert match.winners == winners_of(match.scores, goal, together)
            ends.add(named is None)
    assert ends == {True, False}


@pytest.mark.parametrize("goal, together", GOALS)
def test_games_are_recorded_alike_inside_a_module_and_outside(
    tmp_path: Path, goal: str, together: bool
) -> None:
    program = coals(tmp_path, goal, partners=together, hot=7).program
    for players in (3, 4):
        bots = ["random"] * players
        inside = play_games(program, players, 5, range(20), bots)
        records = [play_game(program, players, 5, number, bots) for number in range(20)]
        outside = games_of(program, players, records)
        for name in ("scores", "winners", "leads", "trail"):
            assert np.array_equal(getattr(inside, name), getattr(outside, name)), name
        assert (inside.leads.sum() == 0) == (goal == NAMED)


def test_a_module_is_kept_under_its_goal_and_sides(tmp_path: Path) -> None:
    program = coals(tmp_path, MOST).program
    others = [
        replace(program, goal=coals(tmp_path, FEWEST).program.goal),
        replace(program, sides=PARTNERS),
    ]
    names = [entry_name(Layout(each, 4), PLAYING) for each in (program, *others)]
    assert len(set(names)) == 3


def test_without_a_word_the_most_points_win(tmp_path: Path) -> None:
    match = random_match(coals(tmp_path), 3, 1)
    assert match.winners == winners_of(match.scores, MOST, False)


# ---------------------------------------------------------------- bots


def share_of(game: Game, bots: list[str], seat: int) -> float:
    """The share of 10 games that a seat wins."""
    found = tally(play_games(game.program, len(bots), 3, range(10), bots)).summary(
        game.program, bots
    )
    return found.seats[seat].wins.value


@pytest.mark.parametrize("name", ["greedy", "mc:30", "tree:30"])
@pytest.mark.parametrize("goal", [MOST, FEWEST])
def test_bots_play_for_the_goal(tmp_path: Path, name: str, goal: str) -> None:
    game = coals(tmp_path, goal)
    assert share_of(game, ["random", name, "random"], 1) >= 0.8


@pytest.mark.parametrize("name", ["greedy", "mc:30", "tree:30"])
def test_bots_play_for_their_side(tmp_path: Path, name: str) -> None:
    """A side is ahead by what both have: each plays well for the other, too."""
    game = coals(tmp_path, FEWEST, partners=True)
    assert share_of(game, ["random", name, "random", name], 3) >= 0.8


@pytest.mark.parametrize("name", ["greedy", "mc:30", "tree:30"])
def test_points_tempt_a_bot_only_where_they_help_to_win(tmp_path: Path, name: str) -> None:
    """Where points do not win by themselves, a bot goes by how near it is to what wins."""

    def picked(goal: str, hot: int = 99) -> float:
        match = coals(tmp_path, goal, hot=hot).start(2, 1)
        replies = [reply(bot(name, seed), match, 0).text for seed in range(8)]
        return sum(int(text.removeprefix("pick_up ")) for text in replies) / len(replies)

    assert picked(MOST) >= 2
    assert picked(NAMED) >= 1.5
    assert picked(NAMED, hot=-99) <= 0.5


# ---------------------------------------------------------------- the lab


@pytest.mark.parametrize("together", [False, True])
def test_the_margin_is_that_of_who_wins(tmp_path: Path, together: bool) -> None:
    program = coals(tmp_path, FEWEST, partners=together).program
    games = play_games(program, 4, 5, range(12), ["random"] * 4)
    for scores, ahead in zip(games.scores.tolist(), margin(games).tolist(), strict=True):
        totals = sorted(sum(scores[seat] for seat in side) for side in sides_of(4, together))
        assert ahead == totals[1] - totals[0]


def test_a_side_has_its_share_of_victories(tmp_path: Path) -> None:
    program = coals(tmp_path, MOST, partners=True).program
    games = play_games(program, 4, 5, range(60), ["random"] * 4)
    summary = tally(games).summary(program, ["random"] * 4)
    wins = [seat.wins.value for seat in summary.seats]
    assert wins[0] == wins[2]
    assert wins[1] == wins[3]
    assert wins[0] + wins[1] == pytest.approx(1)
    assert summary.fair == 0.5
    equal = [
        sum(each) for each in games.scores[:, [[0, 2], [1, 3]]].sum(axis=2) if each[0] == each[1]
    ]
    assert summary.ties.value == pytest.approx(len(equal) / 60)
    assert summary.starter is not None
    started = shares(measured(games), 2)["start"].value
    assert started == pytest.approx(summary.starter.value - 0.5)


def test_where_rules_name_who_wins_points_have_no_margin(tmp_path: Path) -> None:
    program = coals(tmp_path, NAMED, hot=7).program
    summary = tally(play_games(program, 3, 5, range(12), ["random"] * 3)).summary(
        program, ["random"] * 3
    )
    assert summary.scored
    assert not summary.for_points
    assert (summary.margin.value, summary.leads.value) == (0, 0)


# ---------------------------------------------------------------- what people are shown


@pytest.mark.parametrize("goal", [MOST, FEWEST])
def test_the_final_table_lists_the_best_first(tmp_path: Path, goal: str) -> None:
    game = coals(tmp_path, goal)
    for seed in range(4):
        match = random_match(game, 4, seed)
        shown = answers.result(match, "en")
        totals = [total for _, total, _ in shown.scores]
        assert totals == sorted(match.scores, reverse=goal == MOST)
        assert shown.scores[0][0].seats[0] in match.winners
        assert ("fewest" in shown.title) == (goal == FEWEST)
        assert [
            each["seat"] for each in scene.result(match, "en", match.machine.layout)["scores"]
        ] == [holder.seats[0] for holder, _, _ in shown.scores]


def test_who_is_named_is_listed_first(tmp_path: Path) -> None:
    game = coals(tmp_path, NAMED, hot=-2)
    matches = [random_match(game, 3, seed) for seed in range(12)]
    won = [match for match in matches if match.winners]
    assert won
    for match in won:
        shown = answers.result(match, "en")
        assert shown.scores[0][0].seats == match.winners[:1]
        assert shown.scores[0][1] == -2


def test_a_side_stands_together_in_the_final_table(tmp_path: Path) -> None:
    match = random_match(coals(tmp_path, MOST, partners=True), 4, 2)
    shown = answers.result(match, "en")
    found = {holder.seats: (total, holder.name) for holder, total, _ in shown.scores}
    points = {side: match.scores[side[0]] for side in PARTNERS}
    assert found == {
        (0, 2): (points[0, 2], "ann and cy"),
        (1, 3): (points[1, 3], "ben and di"),
    }
    assert [holder.seats for holder, _, _ in shown.scores] == sorted(
        PARTNERS, key=lambda side: -points[side]
    )
    assert match.scores[0] == match.scores[2] == sum(each.total for each in match.why_points(2))
    (own,) = answers.points(match, 2, "en")
    assert isinstance(own, Sum)
    assert (own.holder.name, own.total) == ("ann and cy", match.scores[0])


def test_the_rules_are_shown_with_their_goal(tmp_path: Path) -> None:
    def told(goal: str, language: str, *, partners: bool = False) -> list[str]:
        program = coals(tmp_path, goal, partners=partners, hot=7).program
        shown = outline(document(program, "coals", language))
        return [each.text for each in shown if isinstance(each, Paragraph)]

    assert "Who wins: fewest points" in told(FEWEST, "en")
    assert "Qui gagne\N{NO-BREAK SPACE}: le moins de points" in told(FEWEST, "fr")
    assert "Sides: ann + cy, ben + di" in told(NAMED, "en", partners=True)
    assert not any("Who wins" in each for each in told(MOST, "en"))


# ---------------------------------------------------------------- learning


def gained(game: Game, players: int, reward: str) -> tuple[list[float], list[int], tuple[int, ...]]:
    """What each seat is given in a game, how many points it has, and who has won."""
    env = Environment(game, players, reward=reward)
    env.reset(seed=4)
    given, luck = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(4)
    for agent in env.agent_iter():
        _, got, over, _, _ = env.last()
        given[agent] += got
        env.step(None if over else int(luck.integers(len(env.options()))))
        match = env.match
    return list(given.values()), match.scores, match.winners


def test_rewards_follow_the_goal(tmp_path: Path) -> None:
    given, scores, _ = gained(coals(tmp_path, FEWEST), 3, "score")
    assert given == [-points for points in scores]
    given, scores, winners = gained(coals(tmp_path, FEWEST, partners=True), 4, "win")
    assert winners == winners_of(scores, FEWEST, True)
    assert len(winners) == 2
    assert given == [0.5 if seat in winners else -0.5 for seat in range(4)]


def test_who_plays_alone_is_rewarded_for_winning(tmp_path: Path) -> None:
    given, _, winners = gained(coals(tmp_path, MOST), 1, "win")
    assert (given, winners) == ([1.0], (0,))
