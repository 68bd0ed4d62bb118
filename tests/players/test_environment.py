"""Games as environments: PettingZoo's own test, and nothing that a seat cannot see."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import lawspeaker
from lawspeaker.match.match import Match
from lawspeaker.match.option_bounds import most_options
from lawspeaker.players.rl import Environment, environment
from lawspeaker.players.rl.observing import UNKNOWN, Observer
from lawspeaker.position.rng import RngFactory
from tests.library import game
from tests.native.common import needs_compiler
from tests.properties.hidden import rearranged
from tests.properties.tables import Table, every_table, play, start

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "learning.md"
GAMES = ["tic_tac_toe", "kuhn_poker", "rock_paper_scissors", "pig", "walhalla+italian", "voluspa"]


def play_through(env: Environment, seed: int) -> dict[str, float]:
    """Any option, again and again; what each agent was given in all."""
    env.reset(seed=seed)
    luck = np.random.default_rng(seed)
    gained = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        gained[agent] += reward
        if over or cut:
            env.step(None)
            continue
        assert seen is not None
        offered = np.flatnonzero(seen["action_mask"])
        assert len(offered) == len(env.options())
        assert env.observation_space(agent).contains(seen)
        env.step(int(luck.choice(offered)))
    return gained


@pytest.mark.parametrize("name", GAMES)
def test_the_interface_is_that_of_pettingzoo(name: str) -> None:
    with warnings.catch_warnings():
        # It would rather see no dictionary, yet masks come in one by its own convention.
        warnings.simplefilter("ignore", UserWarning)
        api_test(lawspeaker.env(name), num_cycles=40)


def test_the_same_seed_gives_the_same_match() -> None:
    seed_test(lambda: lawspeaker.env("little_whist"), num_cycles=30)


def test_winning_is_shared_and_adds_up_to_nothing() -> None:
    env = lawspeaker.env("tic_tac_toe")
    results = [play_through(env, seed) for seed in range(12)]
    assert {round(sum(each.values()), 9) for each in results} == {0}
    assert {abs(value) for each in results for value in each.values()} >= {0.5}


def test_points_come_as_they_are_made() -> None:
    env = environment(game("walhalla"), players=3, reward="score")
    gained = play_through(env, 5)
    assert list(gained.values()) == env.match.scores


@every_table
def test_no_question_offers_more_than_was_foretold(table: Table) -> None:
    match = start(table, 17)
    most = most_options(match.machine.layout)
    offered = [len(asked.options) for _ in play(match, 17) for asked in match.decisions]
    assert max(offered) <= most


@every_table
def test_what_a_seat_cannot_see_is_not_in_its_numbers(table: Table) -> None:
    luck = RngFactory(43).stream("rearranging")
    match = start(table, 43)
    observer = Observer(match.machine.layout)
    for number, _ in enumerate(play(match, 43)):
        if number % 5:
            continue
        for seat in range(match.players):
            other = Match.from_state(match.program, rearranged(match, seat, luck))
            before = observer.numbers(match.view(seat))
            assert np.array_equal(before, observer.numbers(other.view(seat)))
            assert len(before) == observer.length


def test_a_hand_is_seen_by_its_holder_and_counted_by_the_others() -> None:
    match = game("kuhn_poker").start(2, seed=3)
    observer = Observer(match.machine.layout)
    mine, other = observer.numbers(match.view(0)), observer.numbers(match.view(1))
    assert not np.array_equal(mine, other)
    assert mine.min() > UNKNOWN


def test_unfit_wishes_are_refused() -> None:
    with pytest.raises(ValueError, match="for 2 players, not 3"):
        lawspeaker.env("nim", players=3)
    with pytest.raises(ValueError, match="win or score"):
        lawspeaker.env("nim", reward="fame")
    with pytest.raises(RuntimeError, match="reset"):
        _ = lawspeaker.env("nim").match


def test_without_the_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "lawspeaker.players.rl", None)
    with pytest.raises(ModuleNotFoundError, match=r"lawspeaker\[rl\]"):
        lawspeaker.env("nim")


def examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)


@pytest.mark.full
def test_the_example_with_many_games_says_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    needs_compiler()
    _, example = examples()
    exec(compile(example, GUIDE.name, "exec"), {})
    shapes, total = capsys.readouterr().out.splitlines()
    assert f"# {shapes}\n" in example
    assert abs(float(total)) < 1e-3


@pytest.mark.full
def test_the_example_in_the_guide_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    example, _ = examples()
    exec(compile(example, GUIDE.name, "exec"), {})
    scores = [int(each) for each in capsys.readouterr().out.strip("[]\n").split(",")]
    assert len(scores) == 4
    assert any(scores)
