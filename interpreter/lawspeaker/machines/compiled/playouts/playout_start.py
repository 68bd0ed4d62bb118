"""Start of a playout: plays the option under trial at the pending question.

Others may be asked at the same time; without a tree they choose uniformly. The asked seats are
recorded, since in a dealt world others might be asked, or something else. When the question is
answered, the tree search continues or, without a tree, the playout policy.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime import random_players, standing
from lawspeaker.machines.compiled.runtime.rng import combine
from lawspeaker.machines.compiled.runtime.unit import NEVER, Long, Unit, routine
from lawspeaker.machines.compiled.runtime.world_layout import QUESTION
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Variable,
    const,
    either,
    lesser,
    long,
    not_,
    word,
)
from lawspeaker.position.rng import word_of

ROOT = word_of("root")


def begin(unit: Unit, f: Body, option: Expr) -> None:
    """Resets the search for a playout that starts with this option of the searching seat."""
    tree = unit.plan.tree
    f.set(unit.free, 0)
    f.set(unit.reach, tree.reach)
    f.set(tree.forced, option)
    f.set(tree.opening, 1)
    f.set(tree.turns, tree.last_turn)
    if unit.purpose.guided:
        f.set(tree.scores, standing.mixed(unit)())
    f.set(tree.path, ROOT)
    for place in (tree.leaving, tree.guiding, tree.held, tree.asked, tree.elsewhere):
        f.set(place, 0)
    for place in (tree.steps, tree.joint, tree.judge):
        f.set(place, 0)


def begin_several(unit: Unit, f: Body) -> None:
    """Marks the start of a simultaneous question."""
    f.set(unit.plan.tree.fresh, 1)


def end_several(unit: Unit, f: Body) -> None:
    """Marks the end of a simultaneous question; if the search starts from it, it is answered
    now."""
    tree = unit.plan.tree
    with f.if_(tree.opening), f.if_(tree.forced < 0):
        f.do(_opened(unit))


@routine("search", "opened")
def _opened(unit: Unit, f: Body) -> None:
    """(): the root question is answered; continues with the tree or the playout policy"""
    tree = unit.plan.tree
    f.set(tree.opening, 0)
    with f.if_(const(1) if unit.purpose.flat else not_(tree.deep) | tree.leaving):
        _let_go(unit, f)


def _let_go(unit: Unit, f: Body) -> None:
    """Switches to the playout policy: the RNG, or habits."""
    tree = unit.plan.tree
    if unit.purpose.flat:
        f.set(unit.free, NEVER)
        return
    with f.if_(tree.habitual):
        f.set(tree.guiding, 1)
    with f.else_():
        f.set(unit.free, NEVER)


@routine("search", "leave")
def leave(unit: Unit, f: Body) -> None:
    """(): leaves the tree for the playout policy; at the root only after all asked seats are
    recorded"""
    tree = unit.plan.tree
    with f.if_(tree.opening):
        f.set(tree.leaving, 1)
    with f.else_():
        _let_go(unit, f)


@routine("search", "first", returns=I32)
def first(
    unit: Unit, f: Body, seat: Variable, options: Variable, question: Variable, alone: Variable
) -> None:
    """(seat, number of options, question, whether only one is asked) -> the answer to the root
    question: the option under trial; for other seats a random one, or -1 if the tree is to decide

    Records who is asked, since in a dealt world others might be asked, or something else.
    """
    tree = unit.plan.tree
    expected = word(unit.plan.worlds.table + QUESTION)
    f.set(tree.asked, tree.asked | (long(1) << seat))
    f.set(tree.elsewhere, tree.elsewhere | (question != expected))
    with f.if_(seat == tree.seat):
        # A world with fewer options than the view is wrong, but harmless.
        number = f.let("number", lesser(tree.forced, options - 1))
        f.set(tree.forced, -1)
        f.do(follow(unit), combine(unit)(long(ROOT), number.to_long()))
        with f.if_(alone):
            f.do(_opened(unit))
        f.return_(number)
    if not unit.purpose.flat:
        with f.if_(tree.deep.above(tree.leaving)):
            f.return_(-1)
    f.return_(below(unit)(options))


@routine("search", "below", returns=I32)
def below(unit: Unit, f: Body, bound: Variable) -> None:
    """(bound) -> a number below it, by the RNG that all seats share in a playout"""
    share = random_players.next_word(unit)(0) >> 32
    f.return_(((share * bound.to_long()) >> 32).to_word())


@routine("search", "follow")
def follow(unit: Unit, f: Body, reply: Long) -> None:
    """(hash of a reply): extends the path, alone or with simultaneous replies"""
    joint = unit.plan.tree.joint
    f.set(joint, either(joint == 0, reply, combine(unit)(joint, reply)))
