"""How a playout of a search begins: with the option to be tried, at the question that waits.

Others may be asked at the same time; without a tree they take any option. Who is asked is noted,
since a world may be dealt in which that would be others, or something else. When the question is
answered the search is open: the tree goes on, or, without one, luck.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime import random_players, standing
from lawspeaker.machines.compiled.runtime.luck import combine
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
from lawspeaker.position.luck import word_of

ROOT = word_of("root")


def begin(unit: Unit, f: Body, option: Expr) -> None:
    """The next playout starts with this option of the seat that searches."""
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
    """Several are going to be asked at once."""
    f.set(unit.plan.tree.fresh, 1)


def end_several(unit: Unit, f: Body) -> None:
    """All of them have answered: if the search starts from this question, it is behind it now."""
    tree = unit.plan.tree
    with f.if_(tree.opening), f.if_(tree.forced < 0):
        f.do(_opened(unit))


@routine("search", "opened")
def _opened(unit: Unit, f: Body) -> None:
    """(): the question from which the search starts is answered; the rest is for tree or luck"""
    tree = unit.plan.tree
    f.set(tree.opening, 0)
    with f.if_(const(1) if unit.purpose.flat else not_(tree.deep) | tree.leaving):
        _let_go(unit, f)


def _let_go(unit: Unit, f: Body) -> None:
    """The rest is for luck, or for players with habits."""
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
    """(): the tree ends here, and the rest is luck; but first it is noted who else is asked"""
    tree = unit.plan.tree
    with f.if_(tree.opening):
        f.set(tree.leaving, 1)
    with f.else_():
        _let_go(unit, f)


@routine("search", "first", returns=I32)
def first(
    unit: Unit, f: Body, seat: Variable, options: Variable, question: Variable, alone: Variable
) -> None:
    """(seat, number of options, question, whether only one is asked) -> the answer to the question
    from which the search starts: the option to be tried; for the others who are asked any, or -1
    if the tree is to decide

    Notes who is asked, for a world may be one in which that would be others, or something else.
    """
    tree = unit.plan.tree
    expected = word(unit.plan.worlds.table + QUESTION)
    f.set(tree.asked, tree.asked | (long(1) << seat))
    f.set(tree.elsewhere, tree.elsewhere | (question != expected))
    with f.if_(seat == tree.seat):
        # A world in which less is offered than in the view is no good, but does no harm.
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
    """(bound) -> a number below it, by the luck that all seats share in a playout"""
    share = random_players.next_word(unit)(0) >> 32
    f.return_(((share * bound.to_long()) >> 32).to_word())


@routine("search", "follow")
def follow(unit: Unit, f: Body, reply: Long) -> None:
    """(word of a reply): it leads on, alone or with those given at the same time"""
    joint = unit.plan.tree.joint
    f.set(joint, either(joint == 0, reply, combine(unit)(joint, reply)))
