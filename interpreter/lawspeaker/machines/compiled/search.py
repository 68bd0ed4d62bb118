"""Looking ahead inside a module: a tree of replies that grows where playouts turn out well.

Each playout goes down the tree first. Whoever is asked takes the reply that did best for him so
far, with a bonus for those seldom tried (upper confidence bounds); at the first reply that is not
in the tree yet a node is added, and from there on everyone takes any option. What comes of it is
noted at each node on the way, for the seat that chose it: everyone plays for himself.

Worlds differ, and so does what can be chosen at a node. A reply is known by what it says, and its
bonus grows only when it could have been chosen. Luck is no part of the tree: a node stands for all
that luck may do between the replies that lead to it. Where several are asked at once nobody's reply
depends on those of the others: they share a node, and only all replies together lead on.

While the tree is gone through no choice is `free`, that is, left to luck. So playing out costs no
more than it does without a tree.
"""

from __future__ import annotations

from math import inf, log

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.compiled import habits, playout_start, policy, random_players
from lawspeaker.machines.compiled.luck import combine, combined_with
from lawspeaker.machines.compiled.options import offsets
from lawspeaker.machines.compiled.replies import part_of
from lawspeaker.machines.compiled.tree import (
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
from lawspeaker.machines.compiled.unit import Long, Unit, routine
from lawspeaker.machines.compiled.world_layout import question
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    I32,
    I64,
    Expr,
    Function,
    Load,
    Variable,
    const,
    either,
    long_at,
    not_,
    real_at,
    select,
    word,
)
from lawspeaker.position.luck import word_of

_PASS = word_of("pass")


# ---------------------------------------------------------------- deciding


def decide(unit: Unit, ask: ir.Ask, operation: tuple[int, int], stride: int) -> Function:
    """(seat, where the options lie, how many they are, to pass included) -> the number of one

    `operation`: the clause that asks, and where in it.
    """
    tree, key = unit.plan.tree, f"{operation[0]}.{operation[1]}"
    alone = ask.each is None

    def said(at: Expr, number: Expr, count: Expr) -> Expr:
        # To take nothing is the last option, and is not written down.
        option = at if ask.must else select(number < count - 1, at, 0)
        return _identity(unit, ask, key)(option)

    def build(f: Body, seat: Variable, options: Variable, count: Variable) -> None:
        random_players.refill(unit, f)
        fresh: Expr = const(1)
        if not alone:
            fresh = f.let("fresh", tree.fresh)
            f.set(tree.fresh, 0)
        if unit.purpose.guided:
            chosen = policy.choose(unit, ask, key, stride)
            policy.advise(unit, f, tree.opening & (seat == tree.seat), chosen, seat, options, count)
        with f.if_(tree.opening):
            first = playout_start.first(unit)
            answer = f.let("answer", first(seat, count, question(*operation), int(alone)))
            with f.if_(answer >= 0):
                f.return_(answer)
        if unit.purpose.flat:
            f.stop()  # the rest is luck: nobody is asked here again
            return
        with f.if_(tree.guiding):
            f.return_(habits.choose(unit, ask, key, said, stride)(seat, options, count))
        f.do(_turn(unit), seat, fresh)
        at, number = f.let("at", options), f.let("number", 0)
        with f.loop() as through:
            f.do(_weigh(unit), said(at, number, count), number, seat)
            f.add(at, stride)
            f.add(number, 1)
            f.leave(through, number >= count)
        f.return_(_go(unit)(seat))

    return unit.built(("decide", key), 3, 1, build)


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
    """(word of an option, its number, seat): keeps it if it is the best so far; of equals, any"""
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
    """(node that was tried) -> what may be expected of it at best"""
    times = f.let("times", word(node, OFFERED) + 1)
    f.set(word(node, OFFERED), times)
    visits = f.let("visits", word(node, VISITS).to_real())
    # The logarithm: exact for powers of two, and a straight line between them.
    power = f.let("power", 31 - times.leading_zeros())
    line = power.to_real() + times.to_real() / (const(1) << power).to_real() - 1.0
    bonus = unit.plan.tree.urge * (line * log(2) / visits).square_root()
    f.return_(real_at(node, WORTH) / visits + bonus)


@routine("search", "go", returns=I32)
def _go(unit: Unit, f: Body, seat: Variable) -> None:
    """(seat) -> the number of the best option; its node is the next on the way"""
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
    """The table of slots goes round."""
    return slot & (SLOTS - 1)


def _in_slot(unit: Unit, slot: Expr) -> Load:
    return word(slot << 2, unit.plan.tree.slots)


@routine("search", "found", returns=I32)
def _found(unit: Unit, f: Body, key: Long) -> None:
    """(word) -> the node, or 0"""
    slot = f.let("slot", _within(key.to_word()))
    with f.loop() as found:
        node = f.let("node", _in_slot(unit, slot))
        f.leave(found, not_(node))
        f.leave(found, long_at(node, KEY) == key)
        f.set(slot, _within(slot + 1))
    f.return_(node)


@routine("search", "grown", returns=I32)
def _grown(unit: Unit, f: Body, key: Long) -> None:
    """(word) -> a new node, or 0 when there is no more room"""
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
    # It could have been chosen just now.
    f.set(word(node, OFFERED), 1)
    f.set(real_at(node, WORTH), 0.0)
    f.return_(node)


# ---------------------------------------------------------------- what a reply says


def _identity(unit: Unit, ask: ir.Ask, key: str) -> Function:
    """(option as it is written down, or 0 for none) -> a word for what it says, the same in all
    worlds: pieces count by their looks, where they are and their states"""

    def build(f: Body, option: Variable) -> None:
        with f.if_(option == 0):
            f.return_(_PASS)
        kept = f.let("kept", unit.kept)
        said = f.let("said", word(option).to_long())
        for number, alternative in enumerate(ask.alternatives):
            if not alternative.parts:
                continue
            with f.if_(word(option) == number):
                for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                    value = f.let("value", part_of(unit, part, option, offset))
                    f.set(said, combine(unit)(said, _said(unit, f, part, value)))
        f.set(unit.kept, kept)
        f.return_(said)

    return unit.built(("identity", key), (I32,), (I64,), build)


def _said(unit: Unit, f: Body, part: ir.Part, value: Variable) -> Expr:
    """A word for the value of a part."""
    if not part.several:
        return _said_of_one(unit, part, value)
    together = f.let("together", 0, I64)
    with f.each_listed("member", value) as member:
        # The order of the members does not count.
        f.add(together, combine(unit)(0, _said_of_one(unit, part, member)))
    return together


def _said_of_one(unit: Unit, part: ir.Part, member: Expr) -> Expr:
    of = part.binder.type
    if isinstance(of, PieceType):
        return _looks(unit, of.index)(member)
    return member.to_long(signed=True)


def _looks(unit: Unit, of: int) -> Function:
    """(piece) -> a word for its looks, where it is, and its states"""
    plan = unit.plan

    def build(f: Body, piece: Variable) -> None:
        looks = plan.table(unit.layout.alike)[piece].to_long()
        rest = (column[piece].to_long(signed=True) for column in (plan.where, *plan.states[of]))
        f.return_(combined_with(unit, looks, *rest))

    return unit.built(("looks", of), (I32,), (I64,), build)
