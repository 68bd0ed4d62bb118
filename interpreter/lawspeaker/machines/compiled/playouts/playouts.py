"""Evaluates options by playouts from the snapshot.

explore()   plays out from the snapshot, in rounds: the first playout begins with the first option
    of a list, the next with the next, and so on. Within a round the RNG is the same, and so is the
    world, if worlds are dealt (see `dealing.py`). `deep`: a tree search precedes the playout
    policy (see `search.py`). `reach`: cuts off after so many replies of the playout policy, and
    counts the points. `turns`: cuts off when the searching seat is asked for so many times more, or
    (`SCORED`) for the first time after points were made, or (`LEAF`) when anyone is asked outside
    the tree, and takes the learned value estimate.
imagine(seed, number)   deals one world, and takes a snapshot of it
forget()   clears the tree, before a new decision

The host passes parameters in memory (`tree.ORDER`): passing many arguments would take longer than
many playouts. They are where records are, followed by the options; results are added there.

A world is rejected and dealt again if others are asked in it than in reality, or something else.
That shows in the first playout, which does not count then. A victory is shared among the winning
sides, and each member of a side gets its whole share. A game without a winner counts half as much
for each as if all won: better than another's win, and worse than a joint one.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from lawspeaker.machines.compiled.compile import running
from lawspeaker.machines.compiled.playouts import dealing, playout_policy, playout_start, policy
from lawspeaker.machines.compiled.runtime import standing
from lawspeaker.machines.compiled.runtime.policy_layout import NOBODYS, POINT
from lawspeaker.machines.compiled.runtime.search_layout import (
    BUDGET,
    DEALS,
    DEEP,
    DISCREET,
    ENDED,
    EXPECTED,
    FIRST,
    HABITUAL,
    LAST,
    NEXT_STEP,
    OPTION,
    OPTIONS,
    ORDER,
    OWN,
    REACH,
    SEAT,
    SEED,
    SHARE,
    SIZE,
    TOTAL,
    TRIAL,
    TRIED,
    TURNS,
    VISITS,
    WINS,
    WORTH,
)
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.compiled.runtime.world_layout import SEATS
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    F64,
    Expr,
    Variable,
    either,
    greater,
    long,
    long_at,
    not_,
    real,
    real_at,
    word,
)

EAGERNESS = 1.0
"""Weight of the exploration bonus, in standard deviations of results."""
UNTRIED = 1.0
"""Optimism for an untried reply: how far above the mean it is assumed, in the same unit."""


@routine("forget")
def forget(unit: Unit, f: Body) -> None:
    """(): clears the tree and the statistics of playouts"""
    tree = unit.plan.tree
    used = tree.used.offset
    with f.if_(tree.used):
        f.clear(tree.slots, used - tree.slots)
    f.clear(used, tree.end - used)


@routine("imagine")
def imagine(unit: Unit, f: Body, seed: Long, number: Variable) -> None:
    """(seed, number): deals a world, and takes a snapshot of it"""
    f.do(dealing.take_up_luck(unit), seed, number)
    f.do(dealing.deal(unit))


@routine("explore")
def explore(unit: Unit, f: Body) -> None:
    """(): evaluates the options given by the host, see the module's docstring"""
    order = unit.plan.records
    seed, options = long_at(order + SEED), word(order + OPTIONS)
    _begin(unit, f)
    playout = f.let("playout", word(order + FIRST))
    world = f.let("world", -1)
    left, doubtful = f.let("left", 0), f.let("doubtful", 0)
    with f.while_(playout < word(order + LAST)) as again:
        # Lets the host name the playout if a rule faults.
        f.set(unit.plan.tree.current, playout)
        number = f.let("number", playout // options)
        with f.if_(number != world):
            f.set(world, number)
            f.set(left, word(order + DEALS))
            f.set(doubtful, left)
            with f.if_(left):
                f.do(imagine(unit), seed, number)
        trial = f.let("trial", playout % options * TRIAL + (order + ORDER))
        f.do(running.restart(unit), seed, number, 1)
        playout_start.begin(unit, f, word(trial, OPTION))
        f.do(running.resume(unit), 1)
        with f.if_(doubtful):
            f.add(left, -1)
            with f.if_(not_(_agrees(unit) | (left == 0))):
                f.do(dealing.deal(unit))
                f.again(again)
            f.set(doubtful, 0)
        f.do(_note(unit), trial)
        f.add(playout, 1)


def _begin(unit: Unit, f: Body) -> None:
    """Reads the host's parameters."""
    order, tree = unit.plan.records, unit.plan.tree
    f.set(word(unit.plan.fault), 0)
    f.set(tree.seat, word(order + SEAT))
    f.set(tree.deep, word(order + DEEP))
    f.set(tree.habitual, word(order + HABITUAL))
    f.set(tree.reach, word(order + REACH))
    f.set(tree.last_turn, word(order + TURNS))
    f.set(unit.discreet, word(order + DISCREET))
    f.set(unit.budget, word(order + BUDGET))
    f.set(unit.apart, 0)
    f.set(unit.ask_chance, 0)


def _agrees(unit: Unit) -> Expr:
    """Returns whether the playout that has just ended asked the same seats as the real game."""
    tree, seats = unit.plan.tree, long_at(unit.plan.worlds.table + SEATS)
    return (tree.asked == seats).above(tree.elsewhere)


# ---------------------------------------------------------------- results


@routine("note")
def _note(unit: Unit, f: Body, trial: Variable) -> None:
    """(trial): adds the result of the playout that has just ended"""
    tree = unit.plan.tree
    f.add(word(trial, TRIED), 1)
    if unit.purpose.guided:
        with f.if_(tree.judge):
            f.do(_note_expected(unit), trial)
            f.return_()
    standing.note(unit, f)
    total, size = standing.all_noted(unit, f)
    f.add(long_at(trial, TOTAL), total)
    f.add(long_at(trial, SIZE), size)
    f.add(long_at(trial, OWN), standing.noted_of_seat(unit, tree.seat))
    with f.if_(word(unit.plan.ended)):
        f.add(word(trial, ENDED), 1)
        f.do(_victories(unit), trial)
    if not unit.purpose.flat:
        with f.if_(tree.deep | tree.habitual):
            f.do(_reward(unit), total, size)
            f.do(_remember(unit))


@routine("note expected")
def _note_expected(unit: Unit, f: Body, trial: Variable) -> None:
    """(trial): adds the value estimate of the seat at whose turn the playout was cut off; the
    others share the rest, less what nobody gets if nobody wins"""
    tree = unit.plan.tree
    nobodys = real_at(unit.plan.policy.weights + NOBODYS)
    judge = f.let("judge", tree.judge - 1)
    hope = f.let("hope", policy.expectation(unit)(judge))
    rest = f.let("rest", (1.0 - nobodys - hope) / max(1, len(unit.layout.sides) - 1))
    for side in unit.layout.sides:
        own = reduce(or_, (judge == seat for seat in side))
        for seat in side:
            f.set(real_at(tree.rewards + 8 * seat), either(own, hope, rest))
    f.add(real_at(trial, EXPECTED), real_at(tree.seat << 3, tree.rewards))
    with f.if_(tree.deep | tree.habitual):
        f.add(tree.count, 1.0)
        f.do(_remember(unit))


@routine("remember")
def _remember(unit: Unit, f: Body) -> None:
    """(): updates tree and habits by the result of the playout"""
    f.do(_measure(unit))
    f.do(_back_up(unit))
    f.do(playout_policy.learn(unit))


@routine("victories")
def _victories(unit: Unit, f: Body, trial: Variable) -> None:
    """(trial): adds the searching seat's share in the victory"""
    wins = long_at(trial, WINS)
    won = standing.winners(unit)
    with f.each_listed("winner", won) as winner, f.if_(winner == unit.plan.tree.seat):
        f.add(wins, long(SHARE) // standing.victors(unit).to_long())
    with f.if_(word(unit.plan.winner_count) == 0):
        f.add(wins, SHARE // (2 * len(unit.layout.sides)))


@routine("reward")
def _reward(unit: Unit, f: Body, total: Long, size: Long) -> None:
    """(points of all, absolute points made): computes the reward of each seat

    The share in the victory, plus the lead of its side over the others, scaled by the points
    usually made: in the playouts or, if some are cut off, as learned.
    """
    tree, seats, sides = unit.plan.tree, unit.layout.players, unit.layout.sides
    f.add(tree.count, 1.0)
    f.add(tree.points, size.to_real() / max(1, seats))
    scale = f.let("scale", standing.worth(unit) / (1.0 + tree.points / tree.count))
    if unit.purpose.guided:
        with f.if_(tree.last_turn):
            f.set(scale, real_at(unit.plan.policy.weights + POINT))
    for number, side in enumerate(sides):
        own = standing.noted(unit, number)
        others = (total - own).to_real() / max(1, len(sides) - 1)
        for seat in side:
            f.set(real_at(tree.rewards + 8 * seat), (own.to_real() - others) * scale)
    with f.each_listed("winner", standing.winners(unit)) as winner:
        f.add(real_at(winner << 3, tree.rewards), 1.0 / standing.victors(unit).to_real())
    with f.if_((word(unit.plan.ended) != 0).above(word(unit.plan.winner_count))):
        for seat in range(seats):
            f.add(real_at(tree.rewards + 8 * seat), 0.5 / len(sides))


@routine("measure")
def _measure(unit: Unit, f: Body) -> None:
    """(): updates the spread of rewards, and the mean for each seat"""
    tree, seats = unit.plan.tree, range(unit.layout.players)
    means = f.let("means", 0.0, F64)
    for seat in seats:
        reward = f.let("reward", real_at(tree.rewards + 8 * seat))
        total = real_at(tree.sums + 8 * seat)
        f.add(total, reward)
        f.add(tree.squares, reward * reward)
        mean = f.let("mean", total / tree.count)
        f.set(real_at(tree.usual + 8 * seat), mean)
        f.add(means, mean * mean)
    # The standard deviation within each seat, by the mean square less the squared mean.
    variance = (tree.squares / tree.count - means) / max(1, len(seats))
    spread = f.let("spread", greater(variance, real(0.0)).square_root())
    f.set(tree.urge, spread * EAGERNESS)
    for seat in seats:
        f.add(real_at(tree.usual + 8 * seat), spread * UNTRIED)


@routine("back_up")
def _back_up(unit: Unit, f: Body) -> None:
    """(): adds the reward to each node on the path, for the seat that chose it"""
    tree = unit.plan.tree
    at = f.let("at", tree.steps)
    with f.down_to_0(at):
        step = f.let("step", at * NEXT_STEP)
        node = f.let("node", word(step, tree.way))
        f.add(word(node, VISITS), 1)
        f.add(real_at(node, WORTH), real_at(word(step, tree.way + 4) << 3, tree.rewards))
