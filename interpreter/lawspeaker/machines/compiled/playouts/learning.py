"""Learning from whole games that a policy plays against itself, inside a module.

learn(seed, first, count)   plays so many games, and changes the weights after each

After a game the choices in it are looked at again, from the last to the first: was more expected at
the seat's next choice than at this one, or at the end did more come out? Then the option that was
chosen becomes more probable, else less (a policy gradient). What changes still later counts, too,
but less and less: it rather has to do with later choices, and with luck. What is expected is
learned from the same surprises (temporal differences). Points that a seat is ahead by are known;
only what else is to be expected is learned.

How much a surprise changes is measured by how large they usually are. A policy is drawn a little
towards taking any option, so that nothing is ruled out too soon. Each weight has steps of its own,
which become smaller the more it was changed (Adagrad). So no game needs numbers of its own.

A result is a share in the victory, and how far one's side is ahead as a part of the points that
are usually made; the host says how much each of them counts.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.playouts import policy
from lawspeaker.machines.compiled.runtime import standing
from lawspeaker.machines.compiled.runtime.policy_room import (
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
"""How far what is expected moves towards what has come out."""
SETTLED = 0.01
"""So much is added to the mean of their squares: small ones are not blown up."""
TOO_LITTLE = 1e-4
"""A change that is smaller is none."""


def begin(unit: Unit, f: Body) -> None:
    """A game is about to be played from which something is learned."""
    room = unit.plan.policy
    f.set(room.noted, room.log)
    f.set(room.last, 0)


@routine("settle")
def settle(unit: Unit, f: Body) -> None:
    """(): changes the weights by what the game that is over came to"""
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
    """(choice) -> how much better it came out for its seat than was expected"""
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
    """(choice, surprise): other options become more probable, and something else is expected"""
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
    """(where features begin, where they end, surprise): more or less is expected from now on

    Where features come several times, ten stones of a colour, a step leads farther than is wanted:
    it is looked how far, and the rest is taken back.
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
    """(where features begin, where they end, step): adds it to their weights"""
    with f.while_(at.below(end)):
        f.add(real_at(word(at), unit.plan.policy.weights + WEIGHT), step)
        f.add(at, 4)


@routine("change")
def _change(unit: Unit, f: Body, at: Variable, end: Variable, change: Real) -> None:
    """(where features begin, where they end, change): an option becomes more or less probable"""
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
    """(): what the game came to for each seat"""
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
