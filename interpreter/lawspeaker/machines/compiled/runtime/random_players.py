"""Uniformly random players: each seat has an RNG stream."""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime import rng
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, I64, Expr, Variable
from lawspeaker.position.rng import GOLDEN


@routine("choose", returns=I32)
def choose(unit: Unit, f: Body, seat: Variable, options: Variable) -> None:
    """(seat, number of options) -> a random option, by the seat's RNG

    As `luck.Stream.choose`. Refills the step budget.
    """
    f.add(unit.decisions, 1)
    if unit.purpose.waits:
        f.add(unit.free, -1)
    if unit.purpose.searches:
        f.add(unit.reach, -1)
    f.add(unit.options, options)
    refill(unit, f)
    word = f.let("word", next_word(unit)(seat & unit.apart))
    f.return_(rng.below(word, options))


@routine("next_word", returns=I64)
def next_word(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> the next word of its stream

    If there is memory for it, the word after it is precomputed as well, which hides the latency.
    """
    at = f.let("at", seat << 3)
    if not unit.plan.sizes.ahead:
        f.return_(_go_on(unit, f, at, unit.plan.streams.scaled(at)))
        return
    word = f.let("word", unit.plan.ready.scaled(at))
    f.set(unit.plan.ready.scaled(at), _go_on(unit, f, at, unit.plan.streams.scaled(at)))
    f.return_(word)


@routine("give_luck")
def give_luck(unit: Unit, f: Body, seat: Variable, state: Long) -> None:
    """(seat, state): seeds the stream of a seat"""
    at = f.let("at", seat << 3)
    if unit.plan.sizes.ahead:
        f.set(unit.plan.ready.scaled(at), _go_on(unit, f, at, state))
    else:
        f.set(unit.plan.streams.scaled(at), state)


def _go_on(unit: Unit, f: Body, at: Expr, state: Expr) -> Variable:
    """Advances a stream; returns the mixed word."""
    word = f.let("word", state + GOLDEN)
    f.set(unit.plan.streams.scaled(at), word)
    rng.mix(f, word)
    return word


def refill(unit: Unit, f: Body) -> None:
    """Resets the step budget."""
    f.set(unit.left, unit.budget.to_long())
