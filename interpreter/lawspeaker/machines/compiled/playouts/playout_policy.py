"""Playout policy with memory: replies that did well are chosen more often.

A reply is identified by what it says, wherever in a game it is given. Each has a visit count and a
sum of advantages (result minus the usual result) for the player who gave it. A player samples a few
options and takes the best; now and then he chooses uniformly, so that a reply that pays off only in
combination with others is not written off. If there are several alternatives, one sample is drawn
by alternative: a player who can choose one of fifty bids or doubt the last one would otherwise
hardly ever doubt, and the highest bids would seem to be safe.

The memory lasts for one decision. Replies with colliding hashes share an entry. In a module for
learned policies it can be initialised from many games; then replies are distinguished by question,
too.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.playouts import playout_start
from lawspeaker.machines.compiled.playouts.option_words import said
from lawspeaker.machines.compiled.runtime.question import Question
from lawspeaker.machines.compiled.runtime.search_layout import (
    HABIT,
    HABITS,
    MOST_HELD,
    NEXT_STEP,
)
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    Expr,
    Variable,
    real_at,
    select,
    word,
)
from lawspeaker.position.rng import word_of

CANDIDATES = 3
"""The number of options sampled."""
CARELESS = 8
"""A player chooses uniformly once in so many replies."""
DOUBT = 2.0
"""Prior: each entry counts as if it had been usual so many times besides."""


@routine("habits", "choose", returns=I32)
def choose(
    unit: Unit, question: Question, f: Body, seat: Variable, options: Variable, count: Variable
) -> None:
    """(seat, address of the options, how many they are) -> the number of one"""
    tree = unit.plan.tree
    f.add(unit.reach, -1)
    any_of_them = playout_start.below(unit)

    def habit_of(number: Variable) -> Expr:
        option = said(unit, question, options + number * question.stride, number, count).to_word()
        if unit.purpose.guided:
            option = option ^ (word_of(question.key) & (HABITS - 1))
        return (option & (HABITS - 1)) * HABIT + tree.habits

    best = f.let("best", any_of_them(count))
    habit = f.let("habit", habit_of(best))
    left = f.let("left", (any_of_them(CARELESS) != 0) * (CANDIDATES - 1))
    with f.down_to_0(left):
        other = f.let("other", any_of_them(count))
        if len(question.ask.alternatives) > 1:
            with f.if_(left == 0):
                f.set(other, _of_any_kind(unit, question)(options, count))
        others = f.let("others", habit_of(other))
        with f.if_(_worth(unit)(others) > _worth(unit)(habit)):
            f.set(best, other)
            f.set(habit, others)
    with f.if_(tree.held < MOST_HELD):
        at = f.let("at", tree.held * NEXT_STEP)
        f.set(word(at, tree.holding), habit)
        f.set(word(at, tree.holding + 4), seat)
        f.add(tree.held, 1)
    f.return_(best)


@routine("habits", "of any kind", returns=I32)
def _of_any_kind(
    unit: Unit, question: Question, f: Body, options: Variable, count: Variable
) -> None:
    """(address of the options, how many they are) -> an option of a random alternative, found by
    binary search; any option, if that alternative offers none"""
    ask, below = question.ask, playout_start.below(unit)
    kind = f.let("kind", below(len(ask.alternatives)))
    first, end = f.let("first", 0), f.let("end", 0)
    for found, at_least in ((first, kind), (end, kind + 1)):
        high = f.let("high", count if ask.must else count - 1)
        with f.while_(found < high):
            middle = f.let("middle", (found + high) >> 1)
            sooner = f.let("sooner", word(options + middle * question.stride) < at_least)
            f.set(found, select(sooner, middle + 1, found))
            f.set(high, select(sooner, high, middle))
    with f.if_(first == end):
        f.return_(below(count))
    f.return_(first + below(end - first))


@routine("habits", "worth", returns=F64)
def _worth(unit: Unit, f: Body, habit: Variable) -> None:
    """(entry) -> its mean advantage, shrunk by `DOUBT`"""
    f.return_(real_at(habit, 8) / (word(habit).to_real() + DOUBT))


@routine("habits", "learn")
def learn(unit: Unit, f: Body) -> None:
    """(): updates the entry of each reply of the playout that has just ended"""
    tree = unit.plan.tree
    at = f.let("at", tree.held)
    with f.down_to_0(at):
        step = f.let("step", at * NEXT_STEP)
        habit = f.let("habit", word(step, tree.holding))
        seat = f.let("seat", word(step, tree.holding + 4) << 3)
        usual = real_at(seat, tree.sums) / tree.count
        f.add(word(habit), 1)
        f.add(real_at(habit, 8), real_at(seat, tree.rewards) - usual)
