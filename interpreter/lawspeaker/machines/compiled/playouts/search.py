"""Monte Carlo tree search over determinizations (information-set MCTS, UCB1).

Each playout descends the tree first. The player to move takes the reply with the highest mean
result plus exploration bonus (upper confidence bound); the first reply outside the tree adds a
node, and the playout policy takes over. The result is backed up to each node on the path, for the
seat that chose it: everyone maximises his own reward.

Worlds differ, and so do the options at a node. A reply is identified by what it says, and its bonus
grows only when it was available. Chance nodes are not part of the tree: a node stands for all
chance outcomes between the replies that lead to it. Simultaneous players share a node and cannot
depend on each other; only their joint reply leads on.

Inside the tree no choice is `free`, that is, left to the RNG, so the search does not slow down
playouts.
"""

from __future__ import annotations

from math import inf, log

from lawspeaker.machines.compiled.playouts import playout_policy, playout_start, policy
from lawspeaker.machines.compiled.playouts.option_words import said
from lawspeaker.machines.compiled.runtime import random_players
from lawspeaker.machines.compiled.runtime.question import Question
from lawspeaker.machines.compiled.runtime.rng import combine
from lawspeaker.machines.compiled.runtime.search_layout import (
    DEEPEST,
    KEY,
    NEXT_STEP,
    NODE,
    NODES,
    OFFERED,
    SLOTS,
    VISITS,
    WORTH,
)
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.compiled.runtime.world_layout import question_number
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    Expr,
    Load,
    Variable,
    const,
    either,
    long_at,
    not_,
    real_at,
    word,
)

# ---------------------------------------------------------------- deciding


@routine("decide", returns=I32)
def decide(
    unit: Unit, question: Question, f: Body, seat: Variable, options: Variable, count: Variable
) -> None:
    """(seat, address of the options, how many they are, including passing) -> the number of one"""
    tree, stride, alone = unit.plan.tree, question.stride, question.ask.each is None
    random_players.refill(unit, f)
    fresh: Expr = const(1)
    if not alone:
        fresh = f.let("fresh", tree.fresh)
        f.set(tree.fresh, 0)
    if unit.purpose.guided:
        chosen = policy.choose(unit, question)
        policy.advise(unit, f, tree.opening & (seat == tree.seat), chosen, seat, options, count)
    with f.if_(tree.opening):
        first = playout_start.first(unit)
        answer = f.let(
            "answer", first(seat, count, question_number(*question.operation), int(alone))
        )
        with f.if_(answer >= 0):
            f.return_(answer)
    if unit.purpose.flat:
        f.stop()  # beyond the root the RNG decides, so this is unreachable
        return
    with f.if_(tree.guiding):
        f.return_(playout_policy.choose(unit, question)(seat, options, count))
    f.do(_turn(unit), seat, fresh)
    at, number = f.let("at", options), f.let("number", 0)
    with f.loop() as through:
        f.do(_weigh(unit), said(unit, question, at, number, count), number, seat)
        f.add(at, stride)
        f.add(number, 1)
        f.leave(through, number >= count)
    f.return_(_go(unit)(seat))


@routine("search", "turn")
def _turn(unit: Unit, f: Body, seat: Variable, fresh: Variable) -> None:
    """(seat, whether it is a new question): goes to the node at which the seat decides"""
    tree = unit.plan.tree
    with f.if_(fresh & (tree.joint != 0)):
        f.set(tree.path, tree.joint)
        f.set(tree.joint, 0)
    f.set(tree.base, combine(unit)(tree.path, seat.to_long()))
    f.set(tree.hope, -inf)


@routine("search", "weigh")
def _weigh(unit: Unit, f: Body, option: Long, number: Variable, seat: Variable) -> None:
    """(hash of an option, its number, seat): keeps it if it is the best so far; ties are broken
    randomly"""
    tree = unit.plan.tree
    key = f.let("key", combine(unit)(tree.base, option))
    node = f.let("node", _found(unit)(key))
    usual = real_at(seat << 3, tree.usual)
    hope = f.let("hope", either(word(node, VISITS), _hope(unit)(node), usual))
    with f.if_(hope > tree.hope):
        f.set(tree.ties, 1)
    with f.else_():
        with f.if_(hope < tree.hope):
            f.return_()
        f.add(tree.ties, 1)
        with f.if_(playout_start.below(unit)(tree.ties)):
            f.return_()
    f.set(tree.hope, hope)
    f.set(tree.key, key)
    f.set(tree.node, node)
    f.set(tree.number, number)


@routine("search", "hope", returns=F64)
def _hope(unit: Unit, f: Body, node: Variable) -> None:
    """(visited node) -> its upper confidence bound"""
    times = f.let("times", word(node, OFFERED) + 1)
    f.set(word(node, OFFERED), times)
    visits = f.let("visits", word(node, VISITS).to_real())
    # Logarithm, interpolated linearly between powers of two.
    power = f.let("power", 31 - times.leading_zeros())
    line = power.to_real() + times.to_real() / (const(1) << power).to_real() - 1.0
    bonus = unit.plan.tree.urge * (line * log(2) / visits).square_root()
    f.return_(real_at(node, WORTH) / visits + bonus)


@routine("search", "go", returns=I32)
def _go(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> the number of the best option; its node is appended to the path"""
    tree = unit.plan.tree
    f.do(playout_start.follow(unit), tree.key)
    node = f.let("node", tree.node)
    with f.if_(not_(node)):
        f.set(node, _grown(unit)(tree.key))
        f.do(playout_start.leave(unit))
    with f.if_(tree.steps == DEEPEST):
        f.set(node, 0)
        f.do(playout_start.leave(unit))
    with f.if_(node):
        step = f.let("step", tree.steps * NEXT_STEP)
        f.set(word(step, tree.way), node)
        f.set(word(step, tree.way + 4), seat)
        f.add(tree.steps, 1)
    f.return_(tree.number)


# ---------------------------------------------------------------- nodes


def _within(slot: Expr) -> Expr:
    """Wraps around the hash table (linear probing)."""
    return slot & (SLOTS - 1)


def _in_slot(unit: Unit, slot: Expr) -> Load:
    return word(slot << 2, unit.plan.tree.slots)


@routine("search", "found", returns=I32)
def _found(unit: Unit, f: Body, key: Long) -> None:
    """(hash) -> the node, or 0"""
    slot = f.let("slot", _within(key.to_word()))
    with f.loop() as found:
        node = f.let("node", _in_slot(unit, slot))
        f.leave(found, not_(node))
        f.leave(found, long_at(node, KEY) == key)
        f.set(slot, _within(slot + 1))
    f.return_(node)


@routine("search", "grown", returns=I32)
def _grown(unit: Unit, f: Body, key: Long) -> None:
    """(hash) -> a new node, or 0 if the tree is full"""
    tree = unit.plan.tree
    with f.if_(tree.used >= NODES):
        f.return_(0)
    slot = f.let("slot", _within(key.to_word()))
    with f.while_(_in_slot(unit, slot) != 0):
        f.set(slot, _within(slot + 1))
    node = f.let("node", tree.used * NODE + tree.nodes)
    f.add(tree.used, 1)
    f.set(_in_slot(unit, slot), node)
    f.set(long_at(node, KEY), key)
    f.set(word(node, VISITS), 0)
    # It was available just now.
    f.set(word(node, OFFERED), 1)
    f.set(real_at(node, WORTH), 0.0)
    f.return_(node)
