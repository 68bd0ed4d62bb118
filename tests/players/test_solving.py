"""Small games are solved: held against what is known of them, and against answers by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.perft import opening
from lawspeaker.outside.learned import LearnedShelf
from lawspeaker.players.bots import bot
from lawspeaker.players.bots.policies import (
    SOLVED_HIDDEN,
    SOLVED_OPEN,
    About,
    keep_learned_on,
    packed_plan,
    policy_for,
    unpacked,
)
from lawspeaker.players.solving.answers import best_answer, exploitability
from lawspeaker.players.solving.payoffs import Payoffs
from lawspeaker.players.solving.regrets import learning
from lawspeaker.players.solving.size import NotSmall, looks_small
from lawspeaker.players.solving.solved import Solved, equilibrium, solved
from lawspeaker.players.solving.tree import Tree, game_tree
from lawspeaker.position.fault import NothingLearned
from lawspeaker.position.rng import RngFactory
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.record import Watcher, play_game


@pytest.fixture(scope="module")
def kuhn() -> Tree:
    return game_tree(lawspeaker.load("kuhn_poker").program, 2, Payoffs(points=True))


@pytest.fixture(scope="module")
def nim() -> Solved:
    return solved(lawspeaker.load("nim").program, 2, points=False)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[LearnedShelf]:
    found = LearnedShelf(tmp_path)
    keep_learned_on(found)
    yield found
    keep_learned_on(None)


def save_solution(shelf: LearnedShelf, name: str, found: Solved) -> Path:
    program = lawspeaker.load(name).program
    way = SOLVED_OPEN if found.all_open else SOLVED_HIDDEN
    about = About(program.name, program.digest, 2, way=way)
    return shelf.keep(about, packed_plan(about, found.plan))


@pytest.mark.full
def test_kuhn_poker_is_worth_an_eighteenth_to_the_second(kuhn: Tree) -> None:
    assert len(kuhn.choices) == 12
    found = equilibrium(kuhn)
    assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=0.001)
    assert found.exploitable < 0.001
    # Nobody folds a king, and nobody calls a bet with a jack.
    for choice in kuhn.choices:
        (card,) = choice.view.to_json()["places"][f"hand {_name(choice.seat)}"]["pieces"]
        chances = found.plan[choice.known]
        if card == "king" and "fold" in chances:
            assert chances["call"] > 0.999
        if card == "jack" and "fold" in chances:
            assert chances["call"] < 0.001


def _name(seat: int) -> str:
    return ("first_player", "second_player")[seat]


def test_who_answers_best_is_worked_out_as_by_hand(kuhn: Tree) -> None:
    """Against one who checks and folds whatever he holds, the second bets always and wins 1, or
    the first does; against one who always bets and calls, a fold costs 1 and a call is a coin."""
    meek = np.concatenate([_always(each.options, ("check", "fold")) for each in kuhn.choices])
    assert best_answer(kuhn, meek, 0) == pytest.approx(1)
    assert best_answer(kuhn, meek, 1) == pytest.approx(1)
    assert exploitability(kuhn, meek) == pytest.approx(1)
    bold = np.concatenate([_always(each.options, ("bet", "call")) for each in kuhn.choices])
    # With the jack the second folds for -1, with the queen he calls for 0, with the king he wins 2.
    assert best_answer(kuhn, bold, 1) == pytest.approx((-1 + 0 + 2) / 3)


def _always(options: tuple[str, ...], wanted: tuple[str, ...]) -> list[float]:
    return [float(option in wanted) for option in options]


@pytest.mark.full
def test_leduc_poker_is_worth_what_is_known() -> None:
    """Its value and its 288 choices are known from elsewhere."""
    tree = game_tree(lawspeaker.load("leduc_poker").program, 2, Payoffs(points=True))
    assert len(tree.choices) == 288
    strategy = next(islice(learning(tree), 200, None))
    assert tree.expected(strategy)[0, 0] == pytest.approx(-0.0856, abs=0.003)
    assert exploitability(tree, strategy) < 0.02
    assert exploitability(tree, tree.even) > 2


@pytest.mark.full
def test_nim_is_solved_by_every_position(nim: Solved) -> None:
    """Whoever can make the sum of the heaps without carry 0 does, as it has been known since 1901;
    one who plays so wins against random players from either seat."""
    assert nim.all_open
    assert nim.values == (1.0, 0.0)
    assert nim.careless > 0.999
    program = lawspeaker.load("nim").program
    policy = unpacked(packed_plan(About("nim", program.digest, 2, way=SOLVED_OPEN), nim.plan), "it")
    for seed in range(12):
        match, luck = opening(program, 2), RngFactory(seed).stream("others")
        while (decision := match.decision) is not None:
            assert decision.seat is not None
            ((text, _),) = policy.chances(match.view(decision.seat)).items()
            could = _sum_of_heaps(match) != 0
            if decision.seat == seed % 2:
                match.choose(text)
                assert _sum_of_heaps(match) == 0 or not could
            else:
                match.choose(luck.choose(decision.options))


def _sum_of_heaps(match: lawspeaker.Match) -> int:
    places = match.view(None).to_json()["places"]
    found = 0
    for heap in (1, 2, 3):
        found ^= places.get(f"heap {heap}", {"count": 0})["count"]
    return found


@pytest.mark.full
def test_larger_games_are_not_begun() -> None:
    for name in ("walhalla", "pig"):
        program = lawspeaker.load(name).program
        assert not looks_small(program, program.fewest)
    with pytest.raises(NotSmall):
        solved(lawspeaker.load("connect_four").program, 2, points=False)


@pytest.mark.full
def test_a_bot_plays_by_the_plan(nim: Solved, shelf: LearnedShelf) -> None:
    path = save_solution(shelf, "nim", nim)
    program = lawspeaker.load("nim").program
    for name in ("learned", f"learned:{path}", "learned+mc:20"):
        games = play_games(program, 2, 1, range(20), (name, "random"))
        assert games.winners[:, 0].all()
        assert games.ended.all()


@pytest.mark.full
def test_the_plan_knows_all_that_happens_in_the_lab(kuhn: Tree, shelf: LearnedShelf) -> None:
    """Wherever somebody is asked in a game of the lab, the plan is not at a loss."""
    save_solution(shelf, "kuhn_poker", equilibrium(kuhn))
    program = lawspeaker.load("kuhn_poker").program
    policy = policy_for(program, 2, "")

    class Watching(Watcher):
        known = 0

        def asked(self, match: lawspeaker.Match, decision: Decision, option: Option) -> None:
            assert decision.seat is not None
            assert policy.chances(match.view(decision.seat))
            self.known += 1

    watching = Watching()
    for number in range(30):
        play_game(program, 2, 1, number, ("learned", "random"), watching)
    assert watching.known > 30


@pytest.mark.full
def test_a_plan_is_for_its_own_rules_alone(nim: Solved, shelf: LearnedShelf) -> None:
    path = save_solution(shelf, "nim", nim)
    other = lawspeaker.load("tic_tac_toe").program
    with pytest.raises(NothingLearned, match="solution of other rules"):
        policy_for(other, 2, str(path))
    with pytest.raises(NothingLearned, match="lawspeaker train tic_tac_toe"):
        policy_for(other, 2, "")


def test_a_damaged_plan_is_refused(nim: Solved) -> None:
    about = About("nim", "", 2, way=SOLVED_OPEN)
    whole = packed_plan(about, nim.plan)
    for wrong in (whole[:-20], packed_plan(about, {"x": 3}), packed_plan(about, ["x"])):  # type: ignore[dict-item, arg-type]
        with pytest.raises(NothingLearned, match="not something learned"):
            unpacked(wrong, "it")


@pytest.mark.full
def test_what_a_seat_cannot_see_changes_nothing(kuhn: Tree, shelf: LearnedShelf) -> None:
    """Two deals that differ in the other's card are one choice, so the bot does the same."""
    save_solution(shelf, "kuhn_poker", equilibrium(kuhn))
    chosen = set()
    for other in ("queen", "king"):
        match = opening(lawspeaker.load("kuhn_poker").program, 2)
        match.choose("jack")
        match.choose(other)
        chosen.add("".join(bot("learned", seed).choose(match.view(0)).text for seed in range(40)))
    (told,) = chosen
    assert "bet" in told  # a bluff, now and then
    assert "check" in told


@pytest.mark.full
def test_the_command_solves_what_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    given = ["train", "kuhn_poker", "--points"]
    found = CliRunner().invoke(app, given)
    assert found.exit_code == 0, found.output
    assert "is small, and solved: 12 choices" in found.output
    assert "first_player -0.0556" in found.output
    told = CliRunner().invoke(app, [*given, "--json"])
    assert '"way": "solved"' in told.output
    refused = CliRunner().invoke(app, ["train", "walhalla", "--how", "solve"])
    assert refused.exit_code == 1
    assert "too large to be worked out" in refused.output
