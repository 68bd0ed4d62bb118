"""Games as games of OpenSpiel: its own tests pass, and its figures come out. Skipped without it."""

from __future__ import annotations

import copy
import pickle

import pytest

import lawspeaker

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: pip install open_spiel"
)
pytest.importorskip("pettingzoo", reason="needs lawspeaker[rl]")


@pytest.mark.full
@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "nim", "rock_paper_scissors"])
@pytest.mark.parametrize("serialize", [False, True])
def test_a_game_passes_the_tests_of_openspiel(name: str, serialize: bool) -> None:
    game = lawspeaker.spiel_game(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=serialize, verbose=False)


@pytest.mark.full
def test_random_players_can_be_exploited_as_is_known() -> None:
    """The figure is that of OpenSpiel's own game; it depends on who knows what."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    ours, theirs = (
        exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        for game in (
            lawspeaker.spiel_game("kuhn_poker", reward="score"),
            pyspiel.load_game("kuhn_poker"),
        )
    )
    assert ours == pytest.approx(theirs)


def test_a_state_is_copied_and_pickled_whole() -> None:
    state = lawspeaker.spiel_game("nim", players=2).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    for twin in (copy.deepcopy(state), state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(twin) == str(state)
        twin.apply_action(twin.legal_actions()[-1])
        assert str(twin) != str(state)


def test_returns_are_shares_or_points() -> None:
    for reward, least in (("win", -0.5), ("score", 0.0)):
        state = lawspeaker.spiel_game("tic_tac_toe", reward=reward).new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        returns = state.returns()
        assert len(returns) == 2
        assert min(returns) >= least
        assert reward == "score" or sum(returns) == 0


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(Exception, match="nim is for 2 players, not 9"):
        lawspeaker.spiel_game("nim", players=9)
    with pytest.raises(Exception, match="reward is win or score"):
        lawspeaker.spiel_game("nim", reward="luck")
