"""Bots that learn: from few games better than random, from the view alone, pinned to the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import count
from pathlib import Path
from struct import unpack
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.proof import sentences
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.instance import Played
from lawspeaker.machines.compiled.runtime.policy_layout import (
    BITS,
    CONTEXT,
    FEATURE,
    NOBODYS,
    TABLE_BITS,
    WEIGHTS,
)
from lawspeaker.machines.compiled.runtime.search_layout import LEAF, SCORED
from lawspeaker.machines.purpose import GUIDED
from lawspeaker.outside import bot_speed, manner_matches
from lawspeaker.outside import learned as on_shelf
from lawspeaker.outside import training as module
from lawspeaker.outside.back_ends import equip
from lawspeaker.outside.bot_speed import Cost, Paces
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.learned import LearnedShelf
from lawspeaker.outside.manner_matches import BestManner, best_manner, duel
from lawspeaker.outside.playout_training import practised
from lawspeaker.outside.rules import Rules
from lawspeaker.outside.training import (
    LATE,
    SOON,
    Hyperparameters,
    Learned,
    TrainingTask,
    against_random,
    blank,
    training,
    tune_and_train,
    weights_of,
)
from lawspeaker.players.bots import UnknownBot, bot
from lawspeaker.players.bots.montecarlo import Effort, MonteCarloBot, worth
from lawspeaker.players.bots.policies import (
    MANNERS,
    PLAIN,
    About,
    borrowed,
    habits_in_memory,
    habits_of,
    keep_learned_on,
    lent,
    lesson,
    mark_of,
    policy_for,
    unpacked,
)
from lawspeaker.players.bots.trials import OptionTrial, Worlds
from lawspeaker.position.fault import NothingLearned
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.lab.proving import Bout, Won, proof
from tests.players.twins import views_that_are_equal

command = import_module("lawspeaker.faces.cli.train")

GAMES = 4000


def learned(name: str, players: int, games: int, *, points: bool = False) -> Learned:
    course = TrainingTask(Rules.of(name), players, 1, points)
    *_, last = training(blank(course), Crew(1), games, 0.0)
    return last


@pytest.fixture(scope="module")
def small_policy() -> Learned:
    return learned("tic_tac_toe", 2, GAMES)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[LearnedShelf]:
    found = LearnedShelf(tmp_path)
    equip()  # which would put up a shelf of its own later
    keep_learned_on(found)
    yield found
    keep_learned_on(None)


def test_a_small_game_is_learned_from_few_games(small_policy: Learned) -> None:
    assert small_policy.games >= GAMES
    assert against_random(blank(small_policy.course)).high < 0.6
    assert against_random(small_policy, 1000).low > 0.55


@pytest.mark.full
def test_the_same_seed_and_games_learn_the_same(small_policy: Learned) -> None:
    again = learned("tic_tac_toe", 2, GAMES)
    assert np.array_equal(again.average, small_policy.average)


def test_habits_are_got_in_many_games(small_policy: Learned) -> None:
    """The same for the same number of playouts; and they tell good replies from bad ones."""
    habits = practised(small_policy, 4000, 0.0)
    assert np.array_equal(habits, practised(small_policy, 4000, 0.0))
    often, better = habits[:, 0], habits[:, 1]
    assert often.sum() > 4000
    assert (better[often == 0] == 0).all()
    means = better[often > 0] / often[often > 0]
    assert means.max() > 0.02  # the middle of the board
    assert means.min() < -0.01
    assert np.array_equal(habits_of(habits_in_memory(habits)), habits)


def test_habits_are_followed_from_the_first_playout(small_policy: Learned) -> None:
    """So matches come out otherwise. For other rules, where replies have other numbers, they are of
    no use."""
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    policy = unpacked(
        replace(small_policy, habits=practised(small_policy, 4000, 0.0)).content, "it"
    )
    found = []
    for practice in (b"", policy.habits):
        trials = [OptionTrial(number) for number in range(9)]
        worlds = Worlds(view, habits=True, practice=practice, policy=policy, guided=False)
        worlds.play(trials, 3, 2)
        found.append([trial.wins for trial in trials])
    assert found[0] != found[1]
    assert policy.is_of(small_policy.course.program, 2)
    assert not policy.is_of(lawspeaker.load("nim").program, 2)


@pytest.mark.full
def test_a_game_with_luck_and_hidden_cards_is_learned() -> None:
    found = against_random(learned("walhalla", 3, 300), 300)
    assert found.low > 0.5  # a fair share is a third


def test_what_was_learned_stands_in_a_small_file(small_policy: Learned) -> None:
    policy = unpacked(small_policy.content, "it")
    assert policy.about == small_policy.about
    assert np.allclose(weights_of(policy.weights), small_policy.average, atol=1e-5)
    assert len(small_policy.content) < 100_000


def test_a_damaged_file_is_refused(small_policy: Learned) -> None:
    for wrong in (
        b"",
        b"nonsense",
        small_policy.content[:60],
        small_policy.content[:-200],
        small_policy.content[1:],
    ):
        with pytest.raises(NothingLearned, match="not something learned"):
            unpacked(wrong, "it")


def test_a_file_of_other_rules_is_refused(small_policy: Learned, shelf: LearnedShelf) -> None:
    path = shelf.keep(small_policy.about, small_policy.content)
    program = lawspeaker.load("nim").program
    with pytest.raises(NothingLearned, match="was learned by other rules"):
        policy_for(program, 2, str(path))
    with pytest.raises(NothingLearned, match="lawspeaker train nim"):
        policy_for(program, 2, "")
    with pytest.raises(NothingLearned, match="there is no file"):
        policy_for(program, 2, "nowhere")


@pytest.mark.full
def test_a_variant_plays_by_what_was_learned_of_the_game(shelf: LearnedShelf) -> None:
    base = learned("walhalla", 3, 300)
    shelf.keep(base.about, base.content)
    variant = TrainingTask(Rules.of("walhalla+italian"), 3, 1)
    assert not shelf.has(variant.program)
    policy = policy_for(variant.program, 3, "")
    assert not borrowed(base.course.program, 3, "")
    assert "other rules of walhalla" in borrowed(variant.program, 3, "")
    assert "for 3 players" in borrowed(base.course.program, 4, "")
    begun = blank(variant, weights_of(policy.weights))
    assert against_random(begun, 300).low > 0.5


def test_games_are_played_inside_by_what_was_learned(
    small_policy: Learned, shelf: LearnedShelf
) -> None:
    shelf.keep(small_policy.about, small_policy.content)
    program = small_policy.course.program
    games = play_games(program, 2, 1, range(400), ("learned", "random"))
    assert games.winners[:, 0].mean() > games.winners[:, 1].mean() + 0.3
    assert games.ended.all()


def test_inside_and_question_by_question_the_same_is_chosen(
    small_policy: Learned, shelf: LearnedShelf
) -> None:
    """Two who always take the best option play the same game on both ways."""
    best = Learned(
        small_policy.course,
        small_policy.rounds,
        small_policy.games,
        small_policy.average,
        best=True,
    )
    shelf.keep(best.about, best.content)
    game = lawspeaker.load("tic_tac_toe")
    match = game.start(players=2, seed=1)
    seats = [bot("learned", seat) for seat in range(2)]
    while decision := match.decision:
        assert decision.seat is not None
        match.choose(seats[decision.seat].choose(match.view(decision.seat)), seat=decision.seat)
    instance = playing_instance(game.program, 2, GUIDED)
    instance.guide(policy_for(game.program, 2, "").weights, best=-1)
    (played,) = instance.games(1, 0, 1)
    assert played.winners == match.winners
    assert played.decisions == len(match.log()["replies"])


@pytest.mark.full
def test_it_chooses_by_its_view_alone(shelf: LearnedShelf) -> None:
    """With equal views and equal seeds the choice is equal, whatever is hidden."""
    found = learned("walhalla", 4, 120)
    found = replace(found, habits=practised(found, 400, 0.0))
    shelf.keep(found.about, found.content)
    game = lawspeaker.load("walhalla")
    for seed in range(4):
        view, twin = views_that_are_equal(game, seed)
        for name in ("learned", "learned+mc:20"):
            mine = bot(name, 3).choose(view)
            assert mine.text == bot(name, 3).choose(twin).text
    for manner in MANNERS:
        with lent(unpacked(replace(found, manner=manner, pace=1.5).content, "it")) as file:
            mine = bot(f"learned:{file}+mc:30", 3).choose(view)
            assert mine.text == bot(f"learned:{file}+mc:30", 3).choose(twin).text


@pytest.mark.full
def test_what_is_hidden_changes_no_feature(shelf: LearnedShelf) -> None:
    """Worlds that a seat cannot tell apart are the same to the policy: in each of them the same
    option is taken, with weights that tell every feature from every other."""
    found = learned("hearts", 4, 20)
    program = found.course.program
    weights = np.random.default_rng(1).normal(size=(len(found.average), 2))
    match = lawspeaker.load("hearts").start(players=4, seed=2)
    instance = playing_instance(program, 4, GUIDED)
    for _ in range(12):
        decision = match.decision
        assert decision is not None
        assert decision.seat is not None
        view = match.view(decision.seat)
        advice = set()
        for seed in range(6):
            instance.guide(weights.tobytes(), 0, -1)
            instance.load(lawspeaker.imagine(view, seed).state)
            instance.keep()
            advice.add(instance.advise(decision.seat, 1, deals=0, discreet=view.discreet))
        assert len(advice) == 1
        match.choose(decision.options[0], seat=decision.seat)


def test_playouts_break_off_and_count_by_what_is_expected(small_policy: Learned) -> None:
    """After a reply that wins at once the game is over; after others it is one's turn again, and
    what is expected then is a part of the victory."""
    policy = unpacked(small_policy.content, "it")
    match = lawspeaker.load("tic_tac_toe").start(players=2, seed=1)
    for number in (0, -1, 0, -1):
        assert match.decision is not None
        match.choose(match.decision.options[number])
    seat = match.view(0)
    assert seat.decision is not None
    worlds = Worlds(seat, policy=policy, turns=1)
    trials = [OptionTrial(number) for number in range(len(seat.decision.options))]
    worlds.play(trials, 3, 20)
    for trial in trials:
        assert trial.playouts == 20
        broken_off = trial.playouts - trial.ended
        assert (trial.expected != 0) == (broken_off > 0)
        assert -0.5 * broken_off <= trial.expected <= 1.5 * broken_off
    assert any(trial.ended == 20 and trial.wins == 20 for trial in trials)
    assert any(trial.ended < 20 for trial in trials)


def test_what_is_expected_has_weights_of_its_own(small_policy: Learned) -> None:
    """Whatever is learned about options, it changes nothing in what is expected; and the other way
    round."""
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    luck = np.random.default_rng(1)
    options, table = np.zeros((2, WEIGHTS, 2))
    options[: 1 << BITS, 0] = luck.normal(size=1 << BITS)
    table[1 << BITS :, 0] = luck.normal(size=2 + (1 << TABLE_BITS))
    found = []
    for weights in (options, table):
        policy = replace(unpacked(small_policy.content, "it"), weights=weights.tobytes())
        trials = [OptionTrial(number) for number in range(9)]
        worlds = Worlds(view, policy=policy, turns=1)
        worlds.play(trials, 3, 1)
        found.append(({each.expected for each in trials}, set(worlds.likings(policy, 9))))
    (expected, liked), (other_expected, other_liked) = found
    assert expected == {0.0}
    assert len(other_expected) > 1
    assert len(liked) == 9
    assert len(other_liked) == 1


@pytest.mark.full
def test_what_lies_in_a_heap_is_counted_by_its_looks() -> None:
    """A bowl of 81 equal stones is one word for the table, and one with far fewer is another."""
    match = lawspeaker.load("go").start(players=2, seed=1)
    instance = playing_instance(match.program, 2, GUIDED)
    at = instance.plan.policy.context
    found = []
    for number in range(41):
        assert match.decision is not None
        assert match.decision.seat is not None
        if number in (0, 40):
            instance.load(match.state)
            instance.keep()
            instance.advise(match.decision.seat, 1, deals=0, discreet=False)
            count, *words = unpack(f"<{1 + CONTEXT}i", instance._read(at, at + 4 * (1 + CONTEXT)))
            found.append(words[:count])
        match.choose(match.decision.options[31 * number % (len(match.decision.options) - 1)])
    one, other = (set(words) for words in found)
    assert len(one) == len(found[0]) < 10
    assert len(one - other) == 2  # one for each bowl


def test_playouts_break_off_after_points_were_made() -> None:
    """In whist that is after a trick: whoever has taken it is a point ahead, and everyone else a
    third of one behind. Where there are no points before the end, it is the end."""
    weights = np.zeros((WEIGHTS, 2))
    weights[-1, 0] = 1.0  # what a point counts
    course = TrainingTask(Rules.of("little_whist"), 4, 1)
    policy = replace(unpacked(blank(course).content, "it"), weights=weights.tobytes())
    match = lawspeaker.load("little_whist").start(players=4, seed=1)
    assert match.decision is not None
    assert match.decision.seat is not None
    view = match.view(match.decision.seat)
    assert view.decision is not None
    trials = [OptionTrial(number) for number in range(len(view.decision.options))]
    Worlds(view, habits=True, policy=policy, guided=False, turns=SCORED).play(trials, 3, 30)
    for trial in trials:
        assert (trial.playouts, trial.ended) == (30, 0)
        taken = (trial.expected + 10) * 3 / 4  # each that was taken counts 1, each other -1/3
        assert taken == pytest.approx(round(taken))
        assert 0 <= round(taken) <= 30
    assert len({round(trial.expected, 3) for trial in trials}) > 1
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    trials = [OptionTrial(number) for number in range(9)]
    Worlds(view, habits=True, policy=policy, guided=False, turns=SCORED).play(trials, 3, 5)
    assert all(trial.ended == trial.playouts == 5 for trial in trials)


OVERTRUMPING = """
lawspeaker: 1
game: overtrumping
players: {from: 2, to: 2}
pieces:
  card:
    has: {rank: number}
    starts in: deck
    kinds:
      "card_{rank}": {for each: {rank: 1..42}}
places:
  deck:  {holds: card, arranged: pile, seen by: nobody}
  hand:  {of each: player, holds: card, seen by: owner}
  shown: {holds: card, room: 1, seen by: everyone}
rules:
  game:
    says: Six rounds are played.
    rule: |
      repeat 6 times:
        do round
      end the game
  round:
    says: A card is turned over, and each player plays one of four.
    rule: |
      shuffle deck
      draw 1 cards from deck to shown
      for each player:
        draw 4 cards from deck to hand of player
      for each player:
        do playing(player)
      for each player:
        move all cards in hand of player to deck
      move all cards in shown to deck
  playing:
    says: Whoever plays a lower card than the one that lies there has its rank in points.
    asks: Which card do you play?
    given: {player: player}
    rule: |
      player must play: card in hand of player
        otherwise: cannot happen
      if rank of card < sum of rank of other for each card as other in shown:
        player scores rank of card
"""


def test_cards_are_compared_with_those_that_lie_there(tmp_path: Path) -> None:
    """The highest card that is lower than another cannot be told by itself, and there are far more
    pairs of cards than games."""
    file = tmp_path / "overtrumping.yaml"
    file.write_text(OVERTRUMPING, encoding="utf-8")
    assert against_random(learned(str(file), 2, 300), 400).low > 0.8


def test_a_tree_ends_where_it_is_left(small_policy: Learned) -> None:
    """With `LEAF` a try goes no further than the tree: few options are tried to the end, though
    everyone would get there soon, and both seats have their parts of one victory."""
    policy = unpacked(small_policy.content, "it")
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    worlds = Worlds(view, deep=True, policy=policy, guided=False, turns=LEAF)
    trials = [OptionTrial(number) for number in range(9)]
    worlds.play(trials, 3, 4)
    assert all(trial.playouts == 4 and trial.ended == 0 for trial in trials)
    assert all(-1 < trial.expected / 4 < 2 for trial in trials)
    again = [OptionTrial(number) for number in range(9)]
    worlds.play(again, 3, 2000)
    assert any(trial.ended for trial in again)  # the tree has grown to the end of the game


def test_who_only_has_habits_does_not_ask_the_policy(small_policy: Learned) -> None:
    """Whatever it likes, the same is chosen; in another manner it makes a difference."""
    weights = np.random.default_rng(1).normal(size=len(small_policy.average))
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    for manner, same in (("habits", True), ("liked", False)):
        chosen = []
        for average in (small_policy.average, weights):
            found = replace(small_policy, average=average, manner=manner)
            with lent(unpacked(found.content, "it")) as file:
                bots = [MonteCarloBot("mc", seed, Effort(20), file) for seed in range(6)]
                chosen.append([bot.choose(view).text for bot in bots])
        assert (chosen[0] == chosen[1]) is same


def test_to_be_ahead_counts_for_more_in_some_manners(
    small_policy: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One option wins a tenth more often, after the other one is ahead, by half a point of ten."""
    wins = OptionTrial(0, playouts=10, ended=10, counted=10, wins=6.0, ahead=0.0, points=90.0)
    leads = OptionTrial(1, playouts=10, ended=10, counted=10, wins=5.0, ahead=5.0, points=90.0)
    assert worth(wins) == pytest.approx(0.6)
    assert worth(leads) == pytest.approx(0.5 + 0.5 / 10)
    leads.lead = MANNERS["habits"].lead
    assert worth(leads) > worth(wins)
    found: set[float] = set()
    play = Worlds.play

    def noted(worlds: Worlds, trials: list[OptionTrial], seed: int, rounds: int) -> int:
        found.update(trial.lead for trial in trials)
        return play(worlds, trials, seed, rounds)

    monkeypatch.setattr(Worlds, "play", noted)
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    for manner, lead in (("habits", MANNERS["habits"].lead), ("liked", 1.0)):
        found.clear()
        with lent(unpacked(replace(small_policy, manner=manner).content, "it")) as file:
            MonteCarloBot("mc", 1, Effort(20), file).choose(view)
        assert found == {lead}


def test_what_nobody_gets_is_nobodys(small_policy: Learned) -> None:
    """Where some games end in a draw, all together expect less than one victory. It is noted how
    much less, and what one does not expect falls to the other only as far as somebody gets it."""
    assert 0.0 < small_policy.average[NOBODYS // FEATURE] < 0.5
    for_points = learned("tic_tac_toe", 2, 60, points=True)
    assert for_points.average[NOBODYS // FEATURE] == 1.0  # there is no victory to be had
    weights = np.zeros((WEIGHTS, 2))
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    for nobodys in (0.0, 0.375):
        weights[NOBODYS // FEATURE, 0] = nobodys
        policy = replace(unpacked(small_policy.content, "it"), weights=weights.tobytes())
        trials = [OptionTrial(number) for number in range(9)]
        Worlds(view, deep=True, policy=policy, guided=False, turns=LEAF).play(trials, 3, 20)
        # Some tries end where the other is asked, who expects nothing.
        others = [each.expected / (1.0 - nobodys) for each in trials]
        assert 0 < sum(others) < 180
        assert others == [round(each) for each in others]


def test_the_pace_of_a_manner_makes_the_effort(small_policy: Learned) -> None:
    """As many tries as take the time of so many playouts of mc, less what it takes to start."""
    view = lawspeaker.load("tic_tac_toe").start(players=2, seed=1).view(0)
    tries = []
    for pace, start in ((1.0, 0.0), (4.0, 0.0), (4.0, 50.0), (1.0, -100.0), (1.0, 200.0)):
        with lent(unpacked(replace(small_policy, pace=pace, start=start).content, "it")) as file:
            thinker = MonteCarloBot("mc", 1, Effort(100), file)
            thinker.choose(view)
            tries.append(thinker.tries)
    for found, least in zip(tries, (100, 400, 200, 200, 1), strict=True):
        assert least <= found < least + 30
    assert tries[-1] == 1  # where there is no time to try options, the one is taken that is liked


def test_who_has_only_tries_to_go_by_makes_some() -> None:
    """However long it takes to start: else any option would be as good."""
    hasty = About("", "", 2, start=60.0), About("", "", 2, manner="habits", start=60.0)
    assert [each.tries(50) for each in hasty] == [1, 25]
    assert [each.tries(200) for each in hasty] == [140, 140]


def test_who_has_no_time_to_think_ahead_is_told_of(small_policy: Learned) -> None:
    bout, content = Bout("learned+mc:50", "mc:50", 2), replace(small_policy, start=48.8).content
    with lent(unpacked(content, "it")) as file:
        quick, slow = (
            lesson(f"learned:{file}+mc:{effort}", small_policy.course.program, 2)
            for effort in (50, 200)
        )
    assert quick is not None
    assert slow is not None
    assert [(each.tries, each.hasty) for each in (quick, slow)] == [(1, True), (151, False)]
    for language in LANGUAGES:
        told = [
            sentences([proof(bout, Won(8, 9), 2, learned=each)], language)[1]
            for each in (quick, slow)
        ]
        named = f"learned@{quick.mark}"
        assert [each.count(named) for each in told] == [2, 1]
        assert ["`guided`" in each for each in told] == [False, True]
        assert all(f"{named}+mc:50" in each for each in told)


def test_a_manner_that_nobody_knows_is_refused(small_policy: Learned) -> None:
    unknown = replace(small_policy, manner="never heard of")
    for wrong in (
        unknown,
        replace(small_policy, pace=0.0),
        replace(small_policy, start=float("nan")),
    ):
        with pytest.raises(NothingLearned, match="not something learned"):
            unpacked(wrong.content, "it")


def test_the_pace_is_what_tries_cost_and_not_what_comes_before() -> None:
    """As in a short game, where most of the time is gone before the first try: at an effort of 200
    one who takes ten times as long for a try has a tenth of the tries, whatever both begin with."""
    costs = {PLAIN: Cost(0.8, 0.001), "guided": Cost(0.8, 0.01), "habits": Cost(0.9, 0.001)}
    paces = Paces(costs, 30)
    assert [paces.pace("guided"), paces.start("guided")] == pytest.approx([0.1, 0.0])
    assert [paces.pace("habits"), paces.start("habits")] == pytest.approx([1.0, 100.0])
    for manner in ("guided", "habits"):
        about = About("", "", 2, manner=manner, pace=paces.pace(manner), start=paces.start(manner))
        tries = Effort(200).by(about).playouts
        cost = costs[manner]
        assert cost.start + cost.each * tries == pytest.approx(1.0)
    assert paces.game(200) == pytest.approx(30.0)


@pytest.mark.full
def test_all_manners_are_measured(small_policy: Learned, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that goes on by one for each try, and by 50 for each choice."""
    told = [0.0]
    play = Worlds.play

    def counted(worlds: Worlds, trials: list[OptionTrial], seed: int, rounds: int) -> int:
        played = play(worlds, trials, seed, rounds)
        told[0] += len(trials) * played
        return played

    def now() -> float:
        told[0] += 25  # it is looked at before and after
        return told[0]

    monkeypatch.setattr(Worlds, "play", counted)
    monkeypatch.setattr(bot_speed, "time", SimpleNamespace(process_time=now, monotonic=lambda: 0.0))
    paces = bot_speed.measured(small_policy, 0.0)
    assert paces.costs.keys() == MANNERS.keys()
    assert 3 <= paces.choices <= 9
    for manner, cost in paces.costs.items():
        assert [cost.start, cost.each] == pytest.approx([25.0, 1.0])
        assert [paces.pace(manner), paces.start(manner)] == pytest.approx([1.0, 0.0])


@pytest.mark.full
def test_the_manner_that_is_kept_has_won_against_mc(
    small_policy: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One manner wins always and the others never: it is found. Where the best wins no more than
    its share, or it is not beyond doubt, what was learned is not used."""

    def decided(
        course: TrainingTask, content: bytes, number: int, playouts: int, patience: float
    ) -> float:
        manner = unpacked(content, "it").about.manner
        assert playouts == 100  # so 300 games take no longer than there is time
        if winner == "by luck":  # more than half, but of few games
            return float(manner == "liked" and number % 5 < 3)
        return float(manner == winner)

    cost = {manner: Cost(1.0, 0.5 if manner == "guided" else 1.0) for manner in MANNERS}
    clock = count(0, 1000)
    monkeypatch.setattr(manner_matches, "duel", decided)
    monkeypatch.setattr(manner_matches, "measured", lambda learned, seconds: Paces(cost, 1))
    monkeypatch.setattr(manner_matches, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    for winner, pace in (("guided", 2.0), ("tree", 1.0)):
        found = best_manner(small_policy, Crew(1), 300 * 130.0)
        assert (found.learned.manner, found.learned.pace) == (winner, pace)
        assert found.playouts == 100
        assert found.won is not None
        assert found.won.value == 1.0
    for winner in ("nobody", "by luck"):
        found = best_manner(small_policy, Crew(1), 300 * 130.0)
        assert 40 < found.games < 60
        assert found.won is not None
        assert (found.learned.manner, found.learned.pace) == (PLAIN, 1.0)
        assert (found.won.value > 0.5) == (winner == "by luck")


def test_nothing_is_tried_where_games_take_too_long(
    small_policy: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    cost = dict.fromkeys(MANNERS, Cost(1.0, 1.0))
    monkeypatch.setattr(manner_matches, "measured", lambda learned, seconds: Paces(cost, 100))
    found = best_manner(small_policy, Crew(1), 60.0)
    assert (found.learned.manner, found.games, found.won) == (PLAIN, 0, None)


@pytest.mark.full
def test_where_games_take_long_they_are_played_with_few_playouts(
    small_policy: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of `mc` against itself would take longer than there is time for: it is tried all the
    same, and broken off so soon that eight can be played. Only that manner takes part that makes
    the most tries."""
    told = set()

    def decided(
        course: TrainingTask, content: bytes, number: int, playouts: int, patience: float
    ) -> float:
        told.add((unpacked(content, "it").about.manner, playouts, patience))
        return 1.0

    cost, clock = dict.fromkeys(MANNERS, Cost(0.0, 1.0)), count(0, 10)
    cost["scored"] = Cost(0.0, 0.5)
    monkeypatch.setattr(manner_matches, "duel", decided)
    monkeypatch.setattr(manner_matches, "measured", lambda learned, seconds: Paces(cost, 100))
    monkeypatch.setattr(manner_matches, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    found = best_manner(small_policy, Crew(1), 3200.0)
    assert told == {("scored", 12, 360.0)}  # 1,200 s, where 360 are left for each of eight
    assert found.won is not None
    assert found.won.low > 0.5
    assert found.learned.manner == "scored"
    clock = count(0, 10_000)  # all of the time is gone whenever one looks
    assert best_manner(small_policy, Crew(1), 3200.0).games == 8


def test_a_trial_that_takes_too_long_is_won_by_nobody(small_policy: Learned) -> None:
    assert duel(small_policy.course, small_policy.content, 1, 20, 0.0) == 0.5


def test_a_trial_is_a_whole_game(small_policy: Learned) -> None:
    """The same game for the same number, on every machine; and both win some."""
    content = replace(small_policy, manner="tree").content
    won = [duel(small_policy.course, content, number, 20) for number in range(6)]
    assert won == [duel(small_policy.course, content, number, 20) for number in range(6)]
    assert all(each in (0.0, 0.5, 1.0) for each in won)


@pytest.mark.parametrize("better", [SOON, LATE], ids=["soon", "late"])
def test_where_all_is_won_the_way_is_taken_that_wins_by_more(
    better: Hyperparameters, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(learned: Learned, *_: object) -> Iterator[tuple[int, float, Played]]:
        yield 0, 1.0, Played((9 if learned.course.way is better else 7, 5), (0,), 1, 1)

    monkeypatch.setattr(module, "_played", played)
    monkeypatch.setattr(module, "training", lambda begun, *_: iter([begun]))
    found = tune_and_train(blank(TrainingTask(Rules.of("mill_wheel"), 2, 1)), Crew(1), 100, 0.0)
    assert found.course.way is better


def test_a_game_a_round_is_learned_from() -> None:
    """However few games a worker plays in a round, the first of them counts."""
    course = TrainingTask(Rules.of("tic_tac_toe"), 2, 1)
    found = next(training(blank(course), Crew(1), 1, 0.0))
    assert found.games == 1
    assert found.average.any()


def test_names_of_learned_bots() -> None:
    for name in ("learned", "learned:some/file", "learned+mc:20", "learned:file+tree:20"):
        bot(name, 1)
    with pytest.raises(UnknownBot, match=r"learned\+mc:200"):
        bot("learned+greedy", 1)


@pytest.mark.full
def test_sweeps_and_tuning_say_whose_rules_were_learned(shelf: LearnedShelf) -> None:
    runner = CliRunner()
    given = ["--bots", "learned", "--players", "2", "--games", "4", "--workers", "1"]
    given += ["--vary", "goal=20,30"]
    nothing = runner.invoke(app, ["sweep", "pig", *given])
    assert nothing.exit_code == 1
    assert "nothing was learned of pig yet" in " ".join(nothing.output.split())
    found = learned("pig", 2, 60)
    shelf.keep(found.about, found.content)
    for command in (["sweep", "pig", *given], ["tune", "pig", *given, "--target", "length=9"]):
        came = runner.invoke(app, command)
        assert came.exit_code == 0, came.output
        name = f"learned@{mark_of(found.content)}"
        told = f"{name} plays by what was learned by other rules of pig (with goal = 20; goal = 30)"
        assert told in " ".join(came.output.split())


@pytest.mark.full
def test_the_command_learns_and_keeps_what_it_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / "nim.learned"
    given = ["train", "nim", "--how", "play", "--games", "600", "--workers", "1", "-o", str(file)]
    found = CliRunner().invoke(app, given)
    assert found.exit_code == 0, found.output
    assert "against 1 random" in found.output
    assert re.search(r"against mc:\d+ with the same time|takes more minutes", found.output)
    assert unpacked(file.read_bytes(), "it").about.game == "nim"
    wrong = CliRunner().invoke(app, [*given, "--minutes", "1"])
    assert wrong.exit_code == 2
    assert "not both" in wrong.output


def save_policy(shelf: LearnedShelf, found: Learned) -> str:
    """The print of what was put on the shelf."""
    shelf.keep(found.about, found.content)
    keep_learned_on(shelf)  # as another process would find it
    return mark_of(found.content)


@pytest.mark.full
def test_figures_name_what_was_learned_and_can_be_repeated(
    small_policy: Learned, shelf: LearnedShelf, tmp_path: Path
) -> None:
    """By its print it is found also after it was replaced."""
    mark = save_policy(shelf, small_policy)

    def simulated(bots: str) -> tuple[str, str]:
        table = tmp_path / "games.csv"
        given = ["simulate", "tic_tac_toe", "-n", "8", "--workers", "1", "--csv", str(table)]
        found = CliRunner().invoke(app, [*given, "--bots", bots])
        assert found.exit_code == 0, found.output
        return table.read_text(), found.stdout

    rows, told = simulated("learned")
    assert told.startswith(f"learned@{mark} is not shown to beat random players")
    assert f"learned@{mark} has learned from {small_policy.games:,} games." in told
    assert f'[""learned@{mark}"", ""learned@{mark}""]' in rows
    other = save_policy(shelf, learned("tic_tac_toe", 2, 60))
    assert simulated(f"learned@{mark}")[0] == rows
    assert simulated("learned")[0] == simulated(f"learned@{other}")[0] != rows
    file = tmp_path / "a.learned"
    file.write_bytes(small_policy.content)
    _, told = simulated(f"learned:{file}+mc:4")
    assert "thinks ahead in the manner `guided`" in told.replace("\n", " ")
    assert f"learned:{file}@{mark}+mc:4 is not shown to beat learned:{file}@{mark}:" in told


def test_json_says_what_was_learned(small_policy: Learned, shelf: LearnedShelf) -> None:
    mark = save_policy(shelf, replace(small_policy, before=7))
    given = ["simulate", "tic_tac_toe", "-n", "8", "--workers", "1", "--bots", "learned", "--json"]
    found = json.loads(CliRunner().invoke(app, given).stdout)
    assert found["bots"] == [f"learned@{mark}"] * 2
    facts = {"print": mark, "players": 2, "games": small_policy.games + 7, "solved": False}
    for each in found["proof"]:
        assert facts.items() <= each["learned"].items()
        assert each["learned"]["rules"] == small_policy.course.program.digest


def test_a_print_that_is_not_there_is_refused(small_policy: Learned, shelf: LearnedShelf) -> None:
    mark, program = save_policy(shelf, small_policy), small_policy.course.program
    file = shelf.place(small_policy.about)
    assert policy_for(program, 2, f"@{mark}").mark == mark
    assert policy_for(program, 2, f"{file}@{mark}").mark == mark
    with pytest.raises(NothingLearned, match="print 00000000 is not here"):
        policy_for(program, 2, "@00000000")
    with pytest.raises(NothingLearned, match=f"another one by now: its print is {mark}"):
        policy_for(program, 2, f"{file}@00000000")


def test_of_what_was_replaced_the_most_learned_stays(
    small_policy: Learned, shelf: LearnedShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_shelf, "MOST_REPLACED", 2)
    marks = [save_policy(shelf, replace(small_policy, games=games)) for games in (9000, 5, 6, 7, 8)]
    program = small_policy.course.program
    there = [shelf.marked(program, mark) is not None for mark in marks]
    assert there == [True, False, False, True, True]
    assert policy_for(program, 2, "").about.games == 8


def test_a_variant_is_advised_to_be_learned_itself(
    small_policy: Learned, shelf: LearnedShelf
) -> None:
    file = shelf.keep(small_policy.about, small_policy.content)
    program = lawspeaker.load("walhalla+italian").program
    with pytest.raises(NothingLearned, match=r"train walhalla\+italian\S* --start "):
        policy_for(program, 3, str(file))


TRAIN = ["train", "tic_tac_toe", "--how", "play", "--workers", "1"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of one's own, and no time spent on how to think ahead."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(command, "_think", lambda learned, *_: (learned, BestManner(learned)))
    return tmp_path


@pytest.mark.full
def test_what_was_learned_before_is_told_and_stays(cache: Path) -> None:
    def trained(*more: str) -> str:
        found = CliRunner().invoke(app, [*TRAIN, *more])
        assert found.exit_code == 0, found.output
        return " ".join(found.stdout.split())

    assert "from 91 games; it" in trained("--games", "91")
    told = trained("--games", "1")
    assert "from 1 game, going on from 91 games of tic_tac_toe for 2 players; it" in told
    assert "what was learned from 91 games is now in" in told
    told = trained("--games", "5", "--anew")
    assert "going on" not in told
    assert "what was learned from 92 games is now in" in told
    where = re.search(r"is now in (\S+) \(learned@(\w+)\)", told)
    assert where
    before = unpacked(Path(where[1]).read_bytes(), "it")
    assert (before.mark, before.about.every_game) == (where[2], 92)
    own = cache / "own.learned"
    trained("--games", "9", "--anew", "-o", str(own))
    assert "what was" not in trained("--games", "20", "--anew", "-o", str(own))
    assert "what was learned from 20 games" in trained("--games", "3", "--anew", "-o", str(own))
    assert len(list(cache.glob("own*.before"))) == 1


def test_what_cannot_be_written_is_told_before_anything_is_learned(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_learn", lambda *_: pytest.fail("it learns"))
    found = CliRunner().invoke(app, [*TRAIN, "--games", "5", "-o", str(cache / "no" / "x")])
    assert (found.exit_code, found.output.startswith("cannot write")) == (1, True)
    (cache / "lawspeaker").write_text("no folder")
    found = CliRunner().invoke(app, [*TRAIN, "--games", "5"])
    assert (found.exit_code, found.output.startswith("cannot write")) == (1, True)


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_who_stops_early_keeps_what_there_is(
    cache: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """Also while it is still tried which way to learn. Nobody knows then how to think ahead."""

    def stopped(begun: Learned, *_: object) -> Iterator[Learned]:
        for number in range(rounds):
            yield replace(begun, rounds=number + 1, games=10 * (number + 1))
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "training", stopped)
    file = cache / "x.learned"
    found = CliRunner().invoke(app, [*TRAIN, "--minutes", "2", "-o", str(file)])
    assert found.exit_code == 130
    told = "stopped before anything was learned", "stopped; this is what was learned so far"
    assert [each in found.output for each in told] == [not rounds, rounds > 0]
    assert file.exists() == (rounds > 0)
    if rounds:
        about = unpacked(file.read_bytes(), "it").about
        assert (about.games, about.manner) == (10 * rounds, PLAIN)


@pytest.mark.parametrize("minutes", ["inf", "nan", "-1"])
def test_the_time_to_learn_has_an_end(cache: Path, minutes: str) -> None:
    assert CliRunner().invoke(app, [*TRAIN, "--minutes", minutes]).exit_code == 2


HOLE = """
lawspeaker: 1
game: hole
players: {from: 2, to: 2}
pieces:
  card: {starts in: deck, kinds: {plain: 6, bell: 1}}
places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  shown: {holds: card, seen by: everyone}
rules:
  game:
    says: Cards are turned over until four lie there.
    rule: |
      shuffle deck
      repeat until count of cards in shown > 3, at most 5 times:
        do turn
  turn:
    says: The players may take a card. The bell takes more than there are.
    asks: Take one?
    rule: |
      for each player:
        player may take
          then:
            draw 1 cards from deck to shown
            player scores 1
            if there is a card in shown where card is bell: draw BELL cards from deck to shown
"""


@pytest.mark.parametrize("bell", [0, 7])
def test_games_that_abort_are_counted_and_the_others_learned_from(
    tmp_path: Path, bell: int
) -> None:
    file = tmp_path / "hole.yaml"
    file.write_text(HOLE.replace("BELL", str(bell)), encoding="utf-8")
    learned = TrainingTask(Rules.of_game(lawspeaker.load(str(file)), str(file)), 2, 1)
    *_, last = training(blank(learned), Crew(1), 120, 0.0)
    (hole, *_) = last.aborted.holes or (None,)
    assert (hole is not None and hole.games > 20 and "nothing left to draw" in hole.fault) == bool(
        bell
    )
    assert last.games == 120 > last.aborted.games
    assert (against_random(last, 100).games < 100) == bool(bell)


def test_a_game_without_points_is_not_learned_for_points() -> None:
    done = CliRunner().invoke(app, ["train", "nim", "--points"])
    assert done.exit_code == 2
    assert "no rule of nim gives points" in done.stderr


def test_nothing_is_learned_where_every_game_aborts(tmp_path: Path) -> None:
    file = tmp_path / "hole.yaml"
    first = "shuffle deck\n      do turn\n      draw 9 cards from deck to shown"
    file.write_text(HOLE.replace("shuffle deck", first).replace("BELL", "0"), encoding="utf-8")
    done = CliRunner().invoke(
        app, ["train", str(file), "--games", "20", "--workers", "1", "-o", str(tmp_path / "x")]
    )
    assert done.exit_code == 1
    assert "games aborted, the first with:" in done.stderr
    assert not (tmp_path / "x").exists()
