"""Trying options out: playouts that begin with each of them, and what they come to.

explore()   plays on from what was kept, from one playout to another: the first begins with the
    first option of a list, the next with the next, and so on in rounds. Within a round the luck is
    the same, and so is the world, if worlds are dealt (see `dealing.py`). `deep`: the tree is gone
    through first (see `search.py`), else everyone takes any option at once.
imagine(seed, number)   deals one world, and keeps it
forget()   clears the tree, before a new decision

What is to be tried is the host's word (`tree.ORDER`): passing many arguments would take longer than
many playouts. It lies where records do, the options behind it; what is found out is added there.

A world in which others would be asked than are, or something else, is none: it is dealt again. That
shows in the first playout, which does not count then.
A victory is shared among the sides that win, and each of a side has all of its part. That nobody
wins counts half as much for each as if all did: it is better than that another wins, and worse than
to win together.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lawspeaker.machines.compiled import dealing, playout_start, standing
from lawspeaker.machines.compiled.binary import F64, I32, I64, Function
from lawspeaker.machines.compiled.tree import (
    BUDGET,
    DEALS,
    DEEP,
    DISCREET,
    FIRST,
    LAST,
    NEXT_STEP,
    OPTION,
    OPTIONS,
    ORDER,
    OWN,
    SEAT,
    SEED,
    SHARE,
    SIZE,
    TOTAL,
    TRIAL,
    TRIED,
    VISITS,
    WINS,
    WORTH,
    count,
    fetch,
    put,
)
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.compiled.world_layout import SEATS

EAGERNESS = 1.0
"""How much the bonus of a reply seldom tried counts, in the spread of what playouts come to."""
UNTRIED = 1.0
"""How far above the usual a reply is thought to be that was never tried, in the same measure."""


def forget(unit: Unit) -> Function:
    """(): clears the tree, and what playouts came to"""
    tree = unit.plan.tree

    def clear(b: Function, start: int, end: int) -> None:
        b.const(start)
        b.const(0)
        b.const(end - start)
        b.fill()

    def write(b: Function) -> None:
        fetch(b, tree.used)
        with b.if_():
            clear(b, tree.slots, tree.used)
        clear(b, tree.used, tree.end)

    return unit.made(("forget",), 0, 0, write)


def imagine(unit: Unit) -> Function:
    """(seed, number): a world is dealt, and kept"""

    def write(b: Function) -> None:
        b.get(0)
        b.get(1)
        b.call(dealing.take_up_luck(unit))
        b.call(dealing.deal(unit))

    return unit.made(("imagine",), (I64, I32), (), write)


def explore(unit: Unit, restart: Function, resume: Function) -> Function:
    """(): see above"""
    tree, order = unit.plan.tree, unit.plan.records

    def write(b: Function) -> None:
        playout, number, world, trial = (b.local() for _ in range(4))
        left, doubtful = b.local(), b.local()
        _begin(unit, b)
        fetch(b, order + FIRST)
        b.set(playout)
        b.const(-1)
        b.set(world)
        with b.block() as done, b.loop() as again:
            b.get(playout)
            fetch(b, order + LAST)
            b.op("i32.ge_s")
            b.br_if(done)
            # Should a rule fail, the host can tell where.
            put(b, tree.current, lambda: b.get(playout))
            b.get(playout)
            fetch(b, order + OPTIONS)
            b.op("i32.div_u")
            b.set(number)
            b.get(number)
            b.get(world)
            b.op("i32.ne")
            with b.if_():
                b.get(number)
                b.set(world)
                fetch(b, order + DEALS)
                b.tee(left)
                b.tee(doubtful)
                with b.if_():
                    fetch(b, order + SEED, "i64.load")
                    b.get(number)
                    b.call(imagine(unit))
            b.get(playout)
            fetch(b, order + OPTIONS)
            b.op("i32.rem_u")
            b.const(TRIAL)
            b.op("i32.mul")
            b.const(order + ORDER)
            b.op("i32.add")
            b.set(trial)
            fetch(b, order + SEED, "i64.load")
            b.get(number)
            b.const(1)
            b.call(restart)
            playout_start.begin(unit, b, lambda: _load(b, trial, OPTION))
            b.const(1)
            b.call(resume)
            b.op("drop")
            b.get(doubtful)
            with b.if_():
                count(b, left, -1)
                _agrees(unit, b)
                b.get(left)
                b.op("i32.eqz", "i32.or", "i32.eqz")
                with b.if_():
                    b.call(dealing.deal(unit))
                    b.br(again)
                b.const(0)
                b.set(doubtful)
            b.get(trial)
            b.call(_note(unit))
            count(b, playout)
            b.br(again)

    return unit.made(("explore",), 0, 0, write)


def _begin(unit: Unit, b: Function) -> None:
    """Takes up what is ordered."""
    order = unit.plan.records
    put(b, unit.plan.fault, lambda: b.const(0))
    put(b, unit.plan.tree.seat, lambda: fetch(b, order + SEAT))
    put(b, unit.plan.tree.deep, lambda: fetch(b, order + DEEP))
    for variable, at in ((unit.discreet, DISCREET), (unit.budget, BUDGET)):
        fetch(b, order + at)
        b.set(variable)
    for variable in (unit.apart, unit.ask_chance):
        b.const(0)
        b.set(variable)


def _agrees(unit: Unit, b: Function) -> None:
    """Whether in the playout that has just ended those were asked first who really are."""
    fetch(b, unit.plan.tree.asked, "i64.load")
    fetch(b, unit.plan.worlds.table + SEATS, "i64.load")
    b.op("i64.eq")
    fetch(b, unit.plan.tree.elsewhere)
    b.op("i32.gt_u")


def _load(b: Function, address: int, offset: int, kind: str = "i32.load") -> None:
    b.get(address)
    b.load(offset, kind)


def _add(b: Function, address: int, offset: int, push: Callable[[], None]) -> None:
    """Adds to a 64-bit number at an address."""
    b.get(address)
    _load(b, address, offset, "i64.load")
    push()
    b.op("i64.add")
    b.store(offset, "i64.store")


def _score(unit: Unit, b: Function, seat: int) -> None:
    fetch(b, unit.plan.scores + 4 * seat)
    b.op("i64.extend_i32_s")


# ---------------------------------------------------------------- what a playout came to


def _note(unit: Unit) -> Function:
    """(trial): adds what the playout that has just ended came to"""
    tree, seats = unit.plan.tree, range(unit.layout.players)

    def write(b: Function) -> None:
        total, size, score = b.local(I64), b.local(I64), b.local(I64)
        own = b.local()
        for seat in seats:
            _score(unit, b, seat)
            b.tee(score)
            b.get(total)
            b.op("i64.add")
            b.set(total)
            b.get(size)
            b.get(score)
            b.long(0)
            b.get(score)
            b.op("i64.sub")
            b.get(score)
            b.long(0)
            b.op("i64.ge_s", "select", "i64.add")
            b.set(size)
        b.get(0)
        _load(b, 0, TRIED)
        b.const(1)
        b.op("i32.add")
        b.store(TRIED)
        _add(b, 0, TOTAL, lambda: b.get(total))
        _add(b, 0, SIZE, lambda: b.get(size))
        fetch(b, tree.seat)
        b.set(own)
        _add(b, 0, OWN, lambda: standing.points_of_side(unit, b, own))
        b.get(0)
        b.call(_victories(unit))
        fetch(b, tree.deep)
        with b.if_():
            b.get(total)
            b.get(size)
            b.call(_reward(unit))
            b.call(_measure(unit))
            b.call(_back_up(unit))

    return unit.made(("note",), 1, 0, write)


def _each_winner(unit: Unit, b: Function, body: Callable[[int], None]) -> None:
    """Does something for every seat that has won."""
    at, winner = b.local(), b.local()
    b.const(0)
    b.set(at)
    with b.block() as done, b.loop() as again:
        b.get(at)
        fetch(b, unit.plan.winner_count)
        b.op("i32.ge_s")
        b.br_if(done)
        b.get(at)
        b.const(2)
        b.op("i32.shl")
        b.load(unit.plan.winner_count + 4)
        b.set(winner)
        body(winner)
        count(b, at)
        b.br(again)


def _victories(unit: Unit) -> Function:
    """(trial): adds the share in the victory of the seat that searches"""

    def write(b: Function) -> None:
        def win(winner: int) -> None:
            b.get(winner)
            fetch(b, unit.plan.tree.seat)
            b.op("i32.eq")
            with b.if_():
                _add(b, 0, WINS, share)

        def share() -> None:
            b.long(SHARE)
            standing.victors(unit, b)
            b.op("i64.extend_i32_u", "i64.div_u")

        _each_winner(unit, b, win)
        fetch(b, unit.plan.winner_count)
        b.op("i32.eqz")
        with b.if_():
            _add(b, 0, WINS, lambda: b.long(SHARE // (2 * len(unit.layout.sides))))

    return unit.made(("victories",), 1, 0, write)


def _reward(unit: Unit) -> Function:
    """(points of all, points made at all): what the playout came to, for each seat

    A victory, or a part of it, and how far its side is ahead of the others, measured by how many
    points are usually made.
    """
    tree, seats, sides = unit.plan.tree, unit.layout.players, unit.layout.sides

    def write(b: Function) -> None:
        scale = b.local(F64)
        _add_real(b, tree.count, lambda: b.real(1.0))
        _add_real(b, tree.points, lambda: _mean_size(b, seats))
        b.real(float(unit.program.goal.worth))
        b.real(1.0)
        fetch(b, tree.points, "f64.load")
        fetch(b, tree.count, "f64.load")
        b.op("f64.div", "f64.add", "f64.div")
        b.set(scale)
        for number, side in enumerate(sides):
            for seat in side:
                b.const(0)
                standing.long_points(unit, b, number)
                b.op("f64.convert_i64_s")
                b.get(0)
                standing.long_points(unit, b, number)
                b.op("i64.sub", "f64.convert_i64_s")
                b.real(float(max(1, len(sides) - 1)))
                b.op("f64.div", "f64.sub")
                b.get(scale)
                b.op("f64.mul")
                b.store(tree.rewards + 8 * seat, "f64.store")

        def win(winner: int) -> None:
            at = b.local()
            b.get(winner)
            b.const(3)
            b.op("i32.shl")
            b.tee(at)
            b.get(at)
            b.load(tree.rewards, "f64.load")
            b.real(1.0)
            standing.victors(unit, b)
            b.op("f64.convert_i32_s", "f64.div", "f64.add")
            b.store(tree.rewards, "f64.store")

        _each_winner(unit, b, win)
        fetch(b, unit.plan.winner_count)
        b.op("i32.eqz")
        with b.if_():
            for seat in range(seats):
                _add_real(b, tree.rewards + 8 * seat, lambda: b.real(0.5 / len(sides)))

    return unit.made(("reward",), (I64, I64), (), write)


def _mean_size(b: Function, seats: int) -> None:
    b.get(1)
    b.op("f64.convert_i64_s")
    b.real(float(max(1, seats)))
    b.op("f64.div")


def _measure(unit: Unit) -> Function:
    """(): how much rewards differ, and what is usual for each seat"""
    tree, seats = unit.plan.tree, range(unit.layout.players)

    def write(b: Function) -> None:
        spread, mean, means = b.local(F64), b.local(F64), b.local(F64)
        for seat in seats:
            reward = b.local(F64)
            fetch(b, tree.rewards + 8 * seat, "f64.load")
            b.set(reward)
            _add_real(b, tree.sums + 8 * seat, partial(b.get, reward))
            _add_real(b, tree.squares, partial(_squared, b, reward))
            fetch(b, tree.sums + 8 * seat, "f64.load")
            fetch(b, tree.count, "f64.load")
            b.op("f64.div")
            b.set(mean)
            put(b, tree.usual + 8 * seat, lambda: b.get(mean), "f64.store")
            b.get(means)
            _squared(b, mean)
            b.op("f64.add")
            b.set(means)
        # The square root of the mean square less the square of the mean, within each seat.
        fetch(b, tree.squares, "f64.load")
        fetch(b, tree.count, "f64.load")
        b.op("f64.div")
        b.get(means)
        b.op("f64.sub")
        b.real(float(max(1, len(seats))))
        b.op("f64.div")
        b.real(0.0)
        b.op("f64.max", "f64.sqrt")
        b.set(spread)
        put(b, tree.urge, lambda: _times(b, spread, EAGERNESS), "f64.store")
        for seat in seats:
            _add_real(b, tree.usual + 8 * seat, lambda: _times(b, spread, UNTRIED))

    return unit.made(("measure",), 0, 0, write)


def _add_real(b: Function, at: int, push: Callable[[], None]) -> None:
    """Adds to a number with a fraction in memory."""
    b.const(0)
    fetch(b, at, "f64.load")
    push()
    b.op("f64.add")
    b.store(at, "f64.store")


def _squared(b: Function, local: int) -> None:
    b.get(local)
    b.get(local)
    b.op("f64.mul")


def _times(b: Function, local: int, factor: float) -> None:
    b.get(local)
    b.real(factor)
    b.op("f64.mul")


def _back_up(unit: Unit) -> Function:
    """(): notes at each node on the way what came of it for who chose it"""
    tree = unit.plan.tree

    def write(b: Function) -> None:
        at, node = b.local(), b.local()
        fetch(b, tree.steps)
        b.set(at)
        with b.block() as done, b.loop() as again:
            b.get(at)
            b.op("i32.eqz")
            b.br_if(done)
            count(b, at, -1)
            _step(b, tree.way, at)
            b.tee(node)
            _load(b, node, VISITS)
            b.const(1)
            b.op("i32.add")
            b.store(VISITS)
            b.get(node)
            _load(b, node, WORTH, "f64.load")
            _step(b, tree.way + 4, at)
            b.const(3)
            b.op("i32.shl")
            b.load(tree.rewards, "f64.load")
            b.op("f64.add")
            b.store(WORTH, "f64.store")
            b.br(again)

    return unit.made(("back_up",), 0, 0, write)


def _step(b: Function, base: int, at: int) -> None:
    b.get(at)
    b.const(NEXT_STEP)
    b.op("i32.mul")
    b.load(base)
