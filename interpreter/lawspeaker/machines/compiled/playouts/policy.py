"""Chooses by a learned policy, and estimates values, inside a module.

The score of an option is the sum of the weights of its features. A seat samples from the softmax of
the scores, or takes the best. During learning, the features of all options and their probabilities
are logged (see `learning.py`).

The value estimate of a seat is its lead in points, plus the sum of the weights of features of the
table as it sees it. It can replace the rest of a playout: when the searching seat, or anyone
outside the tree, is asked again.
"""

from __future__ import annotations

from math import inf

from lawspeaker.machines.compiled.playouts import features, place_features, table_features
from lawspeaker.machines.compiled.runtime import random_players, standing
from lawspeaker.machines.compiled.runtime.policy_layout import (
    BEFORE,
    CHANCE,
    CHOSEN,
    ENTRY,
    ENTRY_SIZE,
    HEAD,
    LEAD,
    MOST_BYTES,
    MOST_OPTIONS,
    OPTIONS,
    POINT,
    SEAT,
    WEIGHT,
)
from lawspeaker.machines.compiled.runtime.question import Question
from lawspeaker.machines.compiled.runtime.search_layout import LEAF, SCORED
from lawspeaker.machines.compiled.runtime.unit import Real, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    I64,
    Expr,
    Function,
    Variable,
    const,
    greater,
    not_,
    real,
    real_at,
    select,
    word,
)

_STIR = 0x9E3779B1
_LOWEST = -30.0
"""Scores so far below the best have probability 0."""
_HALVINGS = 10
_WHOLE = 2.0**-53


def plays(unit: Unit, seat: Expr) -> Expr:
    """Returns whether a seat plays by the policy: 1 or 0."""
    return (unit.plan.policy.seats >> seat).to_word() & 1


@routine("policy", returns=I32)
def choose(
    unit: Unit, question: Question, f: Body, seat: Variable, options: Variable, count: Variable
) -> None:
    """(seat, address of the options, how many they are, including passing) -> the number of one"""
    room, ask = unit.plan.policy, question.ask
    with f.if_(count.above(MOST_OPTIONS)):
        f.return_(random_players.choose(unit)(seat, count))
    f.add(unit.decisions, 1)
    f.add(unit.options, count)
    random_players.refill(unit, f)
    f.do(table_features.write_down(unit), seat)
    for board in place_features.boards_of(unit, ask):
        f.do(place_features.write_down(unit, board), seat)
    noting = f.let("noting", room.learning & _is_noted(unit)(count))
    with f.if_(noting):
        for board in room.boards.keys() - set(place_features.boards_of(unit, ask)):
            f.do(place_features.write_down(unit, board), seat)
    start = f.let("start", select(noting, room.noted, room.scratch))
    at = f.let("at", start + (HEAD + ENTRY))
    with f.if_(noting):
        f.set(at, _expected(unit)(start, seat, count))
    best, number, option = (
        f.let("best", -inf, F64),
        f.let("number", 0),
        f.let("option", options),
    )
    with f.loop() as through:
        # Passing is the last option, and is not stored.
        written = option if ask.must else select(number < count - 1, option, 0)
        end = f.let("end", features.of_option(unit, question)(written, seat, at + ENTRY))
        worth = f.let("worth", total(unit)(at + ENTRY, end))
        f.set(real_at(number << 3, room.worths), worth)
        f.set(best, greater(worth, best))
        f.set(word(at, ENTRY_SIZE), end - at)
        f.set(at, select(noting, end, at))
        f.add(option, question.stride)
        f.add(number, 1)
        f.leave(through, number >= count)
    chosen = f.let("chosen", _taken(unit)(seat, count, best))
    with f.if_(noting):
        f.set(word(start, CHOSEN), chosen)
        f.set(room.noted, at)
        f.do(_note_chances(unit), start, count)
    f.return_(chosen)


@routine("policy", "is enough", returns=I32)
def is_enough(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> whether to cut a playout off where this seat is asked, and take its value
    estimate"""
    tree = unit.plan.tree
    with f.if_(tree.opening | (tree.turns == 0)):
        f.return_(0)
    behind = f.let("behind", (unit.free | tree.guiding) != 0)
    with f.if_(tree.turns != LEAF):
        with f.if_(seat != tree.seat):
            f.return_(0)
        with f.if_(tree.turns == SCORED):
            f.set(behind, standing.mixed(unit)() != tree.scores)
        with f.else_():
            f.add(tree.turns, -1)
            f.set(behind, tree.turns == 0)
    with f.if_(behind):
        f.set(tree.judge, seat + 1)
    f.return_(behind)


@routine("policy", "expectation", returns=F64)
def expectation(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> its value estimate of the game, as it sees the table"""
    room = unit.plan.policy
    f.do(table_features.write_down(unit), seat)
    for board in room.boards:
        f.do(place_features.write_down(unit, board), seat)
    end = f.let("end", features.of_table(unit)(seat, const(room.scratch)))
    found = f.let("found", total(unit)(const(room.scratch), end))
    f.return_(found + lead(unit)(seat) * real_at(room.weights + POINT))


@routine("policy", "lead", returns=F64)
def lead(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> the lead of its side over the others, in points or in progress"""
    others = max(1, len(unit.layout.sides) - 1)
    standing.note(unit, f)
    every = f.let("every", 0, I64)
    for each in unit.layout.seats:
        f.add(every, word(unit.plan.standing + 4 * each).to_long(signed=True))
    own = f.let("own", standing.noted_of_seat(unit, seat))
    f.return_(own.to_real() - (every - own).to_real() / others)


@routine("policy", "is noted", returns=I32)
def _is_noted(unit: Unit, f: Body, count: Variable) -> None:
    """(number of options) -> whether to log a choice: about as many per long game as per short one,
    all of the first game, and only if there is room"""
    room = unit.plan.policy
    share = ((unit.decisions * _STIR) >> 16).to_real() * room.choices
    wanted = not_(share > room.games * room.most * float(1 << 16))
    left = room.log_end - room.noted
    f.return_(wanted & left.above((count + 1) * MOST_BYTES))


@routine("policy", "expected", returns=I32)
def _expected(unit: Unit, f: Body, start: Variable, seat: Variable, count: Variable) -> None:
    """(log address of a choice, seat, number of options) -> the log address of the first option,
    behind the features of the table"""
    room = unit.plan.policy
    f.set(word(start, SEAT), seat)
    f.set(word(start, OPTIONS), count)
    f.set(word(start, BEFORE), room.last)
    f.set(room.last, start)
    f.set(real_at(start, LEAD), lead(unit)(seat))
    at = f.let("at", features.of_table(unit)(seat, start + (HEAD + ENTRY)))
    f.set(word(start, HEAD + ENTRY_SIZE), at - start - HEAD)
    f.return_(at)


@routine("policy", "total", returns=F64)
def total(unit: Unit, f: Body, at: Variable, end: Variable) -> None:
    """(begin and end of features) -> the sum of their weights"""
    found = f.let("found", 0.0, F64)
    with f.while_(at.below(end)):
        f.add(found, real_at(word(at), unit.plan.policy.weights + WEIGHT))
        f.add(at, 4)
    f.return_(found)


@routine("policy", "taken", returns=I32)
def _taken(unit: Unit, f: Body, seat: Variable, count: Variable, best: Real) -> None:
    """(seat, number of options, best score) -> the number of the chosen option; replaces the scores
    by probabilities"""
    room = unit.plan.policy
    every = f.let("every", 0.0, F64)
    takes_best = f.let("takes_best", (room.best >> seat).to_word() & 1)
    with f.each_number("number", 0, count) as number:
        worth = real_at(number << 3, room.worths)
        with f.if_(takes_best):
            f.set(worth, select(worth == best, 1.0, real(0.0)))
        with f.else_():
            f.set(worth, _power(unit)(worth - best))
        f.add(every, worth)
    luck = (random_players.next_word(unit)(seat & unit.apart) >> 11).to_real() * _WHOLE
    left = f.let("left", luck * every)
    chosen = f.let("chosen", 0)
    with f.each_number("number", 0, count) as number:
        chance = f.let("chance", real_at(number << 3, room.worths))
        f.set(real_at(number << 3, room.worths), chance / every)
        f.set(chosen, select(not_(left < 0.0) & (chance > 0.0), number, chosen))
        f.set(left, left - chance)
    f.return_(chosen)


@routine("policy", "power", returns=F64)
def _power(unit: Unit, f: Body, number: Real) -> None:
    """(number, not above 0) -> an approximation of exp"""
    with f.if_(number < _LOWEST):
        f.return_(0.0)
    found = f.let("found", number / float(1 << _HALVINGS) + 1.0)
    for _ in range(_HALVINGS):
        f.set(found, found * found)
    f.return_(found)


@routine("policy", "note chances")
def _note_chances(unit: Unit, f: Body, start: Variable, count: Variable) -> None:
    """(log address of a choice, number of options): logs the probability of each"""
    at = f.let("at", start + HEAD)
    f.add(at, word(at, ENTRY_SIZE))
    with f.each_number("number", 0, count) as number:
        chance = real_at(number << 3, unit.plan.policy.worths)
        f.set(real_at(at, CHANCE), chance)
        f.add(at, word(at, ENTRY_SIZE))


def advise(unit: Unit, f: Body, wanted: Expr, chosen: Function, *given: Variable) -> None:
    """Stores the policy's choice if the host asked for it."""
    room = unit.plan.policy
    with f.if_(wanted & room.advising):
        f.set(room.advice, chosen(*given))
