"""Luck apart from rules: what luck does by itself, when it is in step, and what is mere chance."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import fmean, stdev

import pytest

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.render.findings import measures
from lawspeaker.faces.render.words import percent
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.study.compare.control import independent_seed
from lawspeaker.study.compare.effect import Effect, Pairs, pairs
from lawspeaker.study.lab.games import Games, play_games
from lawspeaker.study.lab.paired_changes import FEWEST
from lawspeaker.study.lab.record import play_game

NAMES = ("ann", "ben")
GAME = """\
lawspeaker: 1
game: duel
title: A duel
players: {from: 2, to: 2, called: [ann, ben]}

pieces:
  card:
    starts in: deck
    has: {worth: number}
    kinds:
      low: {count: 6, worth: 1}
      middle: {count: 6, worth: 2}
      high: {count: 6, worth: 4}

places:
  deck: {holds: card, arranged: pile, seen by: nobody}
  won: {of each: player, holds: card, seen by: everyone}

rules:
  game:
    says: Everyone draws five cards in turn and scores their worth.
    rule: |
      do setup
      repeat 5 times:
        for each player:
          do turn(player)

  setup:
    says: The deck is shuffled.
    rule: |
      shuffle deck

  turn:
    says: A player draws a card and scores its worth; a point more if he calls.
    asks: Call?
    given: {player: player}
    rule: |
      draw card from deck to won of player
      player scores worth of card
      player may call
        then: player scores 1
"""
ONCE = "      shuffle deck\n"
TWICE = ONCE + ONCE
CUT = (
    ONCE
    + """\
      draw card from deck to won of ann
      move card to deck
      shuffle deck
"""
)


def rules(setup: str = ONCE) -> ir.Program:
    diagnostics = Diagnostics()
    file = RuleFile("game.yaml", GAME.replace(ONCE, setup), None)
    found = compile_bundle((file,), diagnostics)
    assert found is not None, list(diagnostics)
    return found


@cache
def played(setup: str, seed: int, count: int) -> Games:
    return play_games(rules(setup), 2, seed, range(count), ["random"] * 2)


def paired(setup: str, count: int) -> Pairs:
    """Pairs with and without something else in the setup."""
    return pairs(
        played(ONCE, 1, count), played(setup, 1, count), played(ONCE, independent_seed(1), count)
    )


def test_an_unknown_order_is_not_shuffled_by_being_shuffled_again() -> None:
    found = paired(TWICE, 200).effect(NAMES)
    assert not found.detected
    once, twice = rules(), rules(TWICE)
    for number in range(5):
        records = [play_game(each, 2, 1, number, ["random"] * 2) for each in (once, twice)]
        assert records[0].trail == records[1].trail, "in the reference machine as well"


def test_a_deck_that_was_looked_into_is_shuffled_again() -> None:
    found = paired(CUT, 500).effect(NAMES)
    assert found.differs.value > 0.95


def test_where_luck_is_dealt_anew_pairs_show_no_more_than_luck_does() -> None:
    found = paired(CUT, 2000).effect(NAMES)
    assert not found.in_step
    assert found.winner.value > 0.9 * found.anew.value, "players only call as they did"
    assert found.clear == ()
    assert found.weight == (0, 0, 0), "nothing is known to matter"


@pytest.mark.parametrize(
    "language, why",
    [
        ("en", "games are not compared one by one"),
        ("de", "werden die Partien nicht einzeln verglichen"),
        ("it", "le partite non sono confrontate una a una"),
        ("fr", "parties ne sont donc pas comparées une à une"),
    ],
)
def test_why_no_more_is_told_of_single_pairs_is_said(language: str, why: str) -> None:
    told = dict(measures(paired(CUT, 2000).effect(NAMES), NAMES, language))
    found = paired(CUT, 2000).effect(NAMES)
    assert why in told["winner"]
    for each in (found.winner, found.anew):
        assert percent(each.value, language) in told["winner"]
    assert not {"outcome", "differs"} & set(told)


def test_a_rule_that_leaves_luck_alone_stays_in_step() -> None:
    found = paired(ONCE + "      ann scores 1\n", 2000).effect(NAMES)
    assert found.in_step
    assert found.winner.high < found.anew.low
    assert found.clear == ("apart", "score", "ann", "ben")
    assert found.weight[0] == found.apart.value
    assert found.apart.value <= found.winner.value, "as for any two games that share their luck"
    ann, ben = found.seats
    assert ann.score.value == 1
    assert ann.wins.value == -ben.wins.value == found.apart.value


RUNS, EACH = 60, 400


def effects(without: Games, with_it: Games, anew: Games) -> list[Effect]:
    parts = (slice(at * EACH, (at + 1) * EACH) for at in range(RUNS))
    return [pairs(without[p], with_it[p], anew[p]).effect(NAMES) for p in parts]


@pytest.mark.full
def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """A point for Ann: what it does is known from many more pairs."""
    setup = ONCE + "      ann scores 1\n"
    truth = paired(setup, 50_000).effect(NAMES)
    count = RUNS * EACH
    found = effects(
        played(ONCE, 7, count), played(setup, 7, count), played(ONCE, independent_seed(7), count)
    )
    wins = [each.seats[0].wins for each in found]
    missed = sum(not each.low <= truth.seats[0].wins.value <= each.high for each in wins)
    assert missed <= 9, "three in sixty are expected"
    spread = stdev(each.value for each in wins)
    assert 1.5 < fmean(each.half for each in wins) / spread < 2.8, "no wider than they need be"
    winner = [each.winner for each in found]
    missed = sum(not each.low <= truth.winner.value <= each.high for each in winner)
    assert 1 <= missed <= 9
    apart = [each.apart for each in found]
    assert sum(not each.low <= truth.apart.value <= each.high for each in apart) <= 9


def test_where_there_is_no_difference_chance_is_seldom_taken_for_one() -> None:
    """The same rules with other luck: intervals hold 0, and next to nothing is called clear."""
    count = RUNS * EACH
    found = effects(*(played(ONCE, seed, count) for seed in (21, 22, 23)))
    for changes in ([each.score for each in found], [each.seats[0].wins for each in found]):
        missed = sum(not each.low <= 0 <= each.high for each in changes)
        assert 1 <= missed <= 9
    assert sum(bool(each.clear) for each in found) <= 7, "of sixty comparisons"
    assert sum(each.in_step for each in found) <= 1


def test_few_pairs_that_differ_say_nothing_of_a_mean() -> None:
    without, anew = played(ONCE, 1, 900), played(ONCE, 2, 900)
    for differing, clear in ((FEWEST - 1, False), (FEWEST, True)):
        scores = without.scores.copy()
        scores[:differing, 0] += 1
        found = pairs(without, replace(without, scores=scores), anew).effect(NAMES)
        assert found.score.low > 0
        assert found.score.clear is clear


def test_nobody_wins_more_or_less_often_for_certain() -> None:
    """Where no pair has another winner, how often one may have is still said."""
    found = paired(TWICE, 200).effect(NAMES)
    for seat in found.seats:
        assert seat.wins.value == 0
        assert 0.005 < seat.wins.high < 0.02
