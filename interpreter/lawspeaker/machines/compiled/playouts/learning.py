"""Learns a policy by self-play inside a module (actor-critic with linear features).

learn(seed, first, count)   plays so many games, and updates the weights after each

After a game its choices are replayed backwards: the surprise of a choice is the value estimate at
the seat's next choice (or the result) minus the estimate at this one. A positive surprise makes the
chosen option more probable, a negative one less (policy gradient). Later surprises count, too, with
a decay, since they rather depend on later choices and chance. The value estimate learns from the
same surprises (temporal differences). The lead in points is known; only the rest of the value is
learned.

Surprises are normalised by their root mean square. The policy is regularised towards uniform, so
that nothing is ruled out too soon. Each weight has its own step size, which shrinks the more it was
changed (Adagrad), so no game needs its own hyperparameters.

A result is a share in the victory, and the lead of one's side as a fraction of the points usually
made; the host weights the two.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.playouts import policy
from lawspeaker.machines.compiled.runtime import standing
from lawspeaker.machines.compiled.runtime.policy_layout import (
    BEFORE,
    CHANCE,
    CHOSEN,
    ENTRY,
    ENTRY_SIZE,
    HEAD,
    LEAD,
    NOBODYS,
    OPTIONS,
    POINT,
    SEAT,
    SQUARES,
    WEIGHT,
)
from lawspeaker.machines.compiled.runtime.unit import Real, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    Variable,
    not_,
    real_at,
    word,
)

EXPECTING = 0.05
"""Learning rate of the value estimate."""
SETTLED = 0.01
"""Added to the mean square of surprises, so that small ones are not blown up."""
TOO_LITTLE = 1e-4
"""Smaller updates are skipped."""


def begin(unit: Unit, f: Body) -> None:
    """Resets the log before a game to learn from."""
    room = unit.plan.policy
    f.set(room.noted, room.log)
    f.set(room.last, 0)


@routine("settle")
def settle(unit: Unit, f: Body) -> None:
    """(): updates the weights by the result of the finished game"""
    room = unit.plan.policy
    f.do(_results(unit))
    for seat in unit.layout.seats:
        f.set(real_at(room.later + 8 * seat), real_at(room.results + 8 * seat))
        f.set(real_at(room.gains + 8 * seat), 0.0)
    choice = f.let("choice", room.last)
    with f.while_(choice != 0):
        surprise = f.let("surprise", _surprise(unit)(choice))
        f.add(room.surprises, 1.0)
        f.add(room.unrest, surprise * surprise)
        f.do(_look_again(unit), choice, surprise)
        f.set(choice, word(choice, BEFORE))


@routine("surprise", returns=F64)
def _surprise(unit: Unit, f: Body, choice: Variable) -> None:
    """(choice) -> the decayed sum of surprises from this choice on, for its seat"""
    room = unit.plan.policy
    at = f.let("at", choice + HEAD)
    expected = f.let("expected", policy.total(unit)(at + ENTRY, at + word(at, ENTRY_SIZE)))
    f.add(expected, real_at(choice, LEAD) * real_at(room.weights + POINT))
    seat = f.let("seat", word(choice, SEAT) << 3)
    later, gains = real_at(seat, room.later), real_at(seat, room.gains)
    gain = f.let("gain", later - expected + gains * room.lasting)
    f.set(later, expected)
    f.set(gains, gain)
    f.return_(gain)


@routine("look again")
def _look_again(unit: Unit, f: Body, choice: Variable, surprise: Real) -> None:
    """(choice, surprise): updates the value estimate and the probabilities of the options"""
    room = unit.plan.policy
    at = f.let("at", choice + HEAD)
    end = f.let("end", at + word(at, ENTRY_SIZE))
    f.do(_expect(unit), at + ENTRY, end, surprise)
    f.set(at, end)
    usual = (room.unrest / room.surprises + SETTLED).square_root()
    f.set(surprise, surprise / usual)
    options = f.let("options", word(choice, OPTIONS))
    even = f.let("even", 1.0 / options.to_real())
    with f.each_number("number", 0, options) as number:
        chance = f.let("chance", real_at(at, CHANCE))
        taken = (number == word(choice, CHOSEN)).to_real()
        change = surprise * (taken - chance) - room.pull * (chance - even)
        f.set(end, at + word(at, ENTRY_SIZE))
        f.do(_change(unit), at + ENTRY, end, change)
        f.set(at, end)


@routine("expect")
def _expect(unit: Unit, f: Body, at: Variable, end: Variable, surprise: Real) -> None:
    """(begin and end of features, surprise): moves the value estimate towards the result

    A feature that occurs several times moves the estimate farther than wanted: the distance is
    measured and the excess taken back.
    """
    total = policy.total(unit)
    before, wanted = f.let("before", total(at, end)), f.let("wanted", surprise * EXPECTING)
    step = f.let("step", wanted / ((end - at) >> 2).to_real())
    f.do(_shift(unit), at, end, step)
    moved = f.let("moved", total(at, end) - before)
    with f.if_(not_(moved == 0.0)):
        f.do(_shift(unit), at, end, step * (wanted / moved - 1.0))


@routine("shift")
def _shift(unit: Unit, f: Body, at: Variable, end: Variable, step: Real) -> None:
    """(begin and end of features, step): adds the step to their weights"""
    with f.while_(at.below(end)):
        f.add(real_at(word(at), unit.plan.policy.weights + WEIGHT), step)
        f.add(at, 4)


@routine("change")
def _change(unit: Unit, f: Body, at: Variable, end: Variable, change: Real) -> None:
    """(begin and end of features, change): an Adagrad step on the weights of an option"""
    room = unit.plan.policy
    square = f.let("square", change * change)
    with f.if_(square < TOO_LITTLE * TOO_LITTLE):
        f.return_()
    step = f.let("step", room.rate * change / ((end - at) >> 2).to_real())
    with f.while_(at.below(end)):
        feature = f.let("feature", word(at))
        squares = f.let("squares", real_at(feature, room.weights + SQUARES) + square)
        f.set(real_at(feature, room.weights + SQUARES), squares)
        f.add(real_at(feature, room.weights + WEIGHT), step / (squares + 1.0).square_root())
        f.add(at, 4)


@routine("results")
def _results(unit: Unit, f: Body) -> None:
    """(): computes the result of the game for each seat"""
    room, layout = unit.plan.policy, unit.layout
    others = max(1, len(layout.sides) - 1)
    standing.note(unit, f)
    total, size = standing.all_noted(unit, f)
    f.add(room.games, 1.0)
    f.add(room.choices, unit.decisions.to_real())
    f.add(room.points, size.to_real() / max(1, layout.players))
    point = room.ahead * standing.worth(unit) / (room.points / room.games + 1.0)
    point = f.let("point", point)
    f.set(real_at(room.weights + POINT), point)
    for number, side in enumerate(layout.sides):
        own = f.let("points", standing.noted(unit, number))
        ahead = own.to_real() - (total - own).to_real() / others
        for seat in side:
            f.set(real_at(room.results + 8 * seat), ahead * point)
    with f.each_listed("winner", standing.winners(unit)) as winner:
        part = room.victory / standing.victors(unit).to_real()
        f.add(real_at(winner << 3, room.results), part)
    got = f.let("got", room.victory)
    with f.if_(word(unit.plan.winner_count) == 0):
        f.set(got, room.victory * 0.5)
        for seat in layout.seats:
            f.add(real_at(room.results + 8 * seat), got / len(layout.sides))
    f.add(room.nobodys, 1.0 - got)
    f.set(real_at(room.weights + NOBODYS), room.nobodys / room.games)
