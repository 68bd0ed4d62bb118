"""Players inside the module: each seat has a stream of luck, and takes any option."""

from __future__ import annotations

from lawspeaker.machines.compiled import luck
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, I64, Expr, Function, Variable
from lawspeaker.position.luck import GOLDEN


def choose(unit: Unit) -> Function:
    """(seat, number of options) -> one of their numbers, by the seat's own luck

    As `luck.Stream.choose`. The step budget is full again after a choice.
    """

    def build(f: Body, seat: Variable, options: Variable) -> None:
        f.add(unit.decisions, 1)
        if unit.purpose.waits:
            f.add(unit.free, -1)
        if unit.purpose.searches:
            f.add(unit.reach, -1)
        f.add(unit.options, options)
        refill(unit, f)
        word = f.let("word", next_word(unit)(seat & unit.apart))
        f.return_(luck.below(word, options))

    return unit.built(("choose",), 2, 1, build)


def next_word(unit: Unit) -> Function:
    """(seat) -> the next word of its stream

    If there is room for it, the word after it is worked out as well: so it is ready before it is
    needed, and nobody waits.
    """

    def build(f: Body, seat: Variable) -> None:
        at = f.let("at", seat << 3)
        if not unit.plan.sizes.ahead:
            f.return_(_go_on(unit, f, at, unit.plan.streams.scaled(at)))
            return
        word = f.let("word", unit.plan.ready.scaled(at))
        f.set(unit.plan.ready.scaled(at), _go_on(unit, f, at, unit.plan.streams.scaled(at)))
        f.return_(word)

    return unit.built(("next_word",), (I32,), (I64,), build)


def give_luck(unit: Unit) -> Function:
    """(seat, state): the stream of a seat begins anew"""

    def build(f: Body, seat: Variable, state: Variable) -> None:
        at = f.let("at", seat << 3)
        if unit.plan.sizes.ahead:
            f.set(unit.plan.ready.scaled(at), _go_on(unit, f, at, state))
        else:
            f.set(unit.plan.streams.scaled(at), state)

    return unit.built(("give_luck",), (I32, I64), (), build)


def _go_on(unit: Unit, f: Body, at: Expr, state: Expr) -> Variable:
    """Keeps the next state of a stream; the word that it is mixed into."""
    word = f.let("word", state + GOLDEN)
    f.set(unit.plan.streams.scaled(at), word)
    luck.mix(f, word)
    return word


def refill(unit: Unit, f: Body) -> None:
    """The step budget is as large as at the start."""
    f.set(unit.left, unit.budget.to_long())
