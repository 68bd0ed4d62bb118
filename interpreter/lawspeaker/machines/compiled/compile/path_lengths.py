"""Generates code for shortest and longest paths over the connections of a network.

The connections become an edge list: the two joined nodes, by numbers from 0, and the weight. Paths
are tried in the same order as in the reference machine, at the same cost.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.cost import ROUND, TRY
from lawspeaker.machines.compiled.compile import binders, members
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import first_of
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    I64,
    Expr,
    Load,
    Variable,
    const,
    greater,
    lesser,
    not_,
    select,
    word,
)

_EDGE = 12
"""Bytes of an edge: two nodes and a weight."""
_NONE, _NO_BUDGET = -1, -2
_ROWS = 6
"""Words per node of the working memory for the longest path."""


def path_length(c: Code, expr: ir.PathLength) -> Expr:
    """Builds the edge list and calls the path search."""
    f, network = c.f, c.program.networks[expr.network]
    nodes = len(c.layout.domain(network.joins))
    starts = _listed(c, expr.start, network)
    goals = _listed(c, expr.goal, network)
    most = c.unit.bounds.members(expr.binder.source)
    edges, count = c.reserve(3 * most), f.let("count", 0)
    total = f.let("total", 0, I64)
    first = first_of(c.layout, expr.binder.type)
    ends = [c.plan.table([each[at] for each in network.ends]) for at in (0, 1)]

    def add() -> None:
        worth = f.let("worth", greater(c.scoped_present(expr.value), const(0)))
        at = f.let("at", edges + count * _EDGE)
        for side in (0, 1):
            joined = ends[side].from_number(first)[c.slot(expr.binder.slot)]
            f.set(word(at, 4 * side), joined)
        f.set(word(at, 8), worth)
        f.add(total, worth.to_long())
        f.add(count, 1)

    binders.found(c, expr.binder, add, expr.value)
    c.fault_if_beyond(total, messages.BEYOND, expr.span)
    if expr.longest:
        room = c.reserve(_ROWS * nodes + 4 * most)
        longest = _longest(c.unit, nodes, expr.apart)
        length = f.let("length", longest(edges, count, starts, room))
        c.fault_when(length == _NO_BUDGET, messages.TOO_MANY_PATHS, expr.span)
        return length
    room = c.reserve(nodes)
    length = f.let("length", _shortest(c.unit, nodes)(edges, count, starts, goals, room))
    c.fault_when(length == _NO_BUDGET, messages.TOO_LONG, expr.span)
    with f.if_(length == _NONE):
        f.set(length, c.value(expr.otherwise, expr.type))
    return length


def _listed(c: Code, ends: ir.Expr | None, network: ir.Network) -> Expr:
    """Returns a list of the start or end nodes, by numbers from 0; 0 if there is no restriction."""
    if ends is None:
        return const(0)
    f, first = c.f, first_of(c.layout, network.joins)
    listed, local = c.reserve(c.unit.bounds.members(ends)), c.local()
    number = f.let("number", 0)

    def add() -> None:
        f.add(number, 1)
        f.set(_at(listed, number), local - first)

    members.each(c, ends, local, add)
    f.set(word(listed), number)
    return listed


def _at(row: Expr, number: Expr) -> Load:
    return word(row + (number << 2))


def _pay(unit: Unit, f: Body, cost: int | Expr) -> None:
    """Charges a cost to the budget; the function returns if it is exhausted."""
    f.set(unit.left, unit.left - cost)
    with f.if_(unit.left < 0):
        f.return_(_NO_BUDGET)


def _edge(edges: Expr, number: Expr, offset: int = 0) -> Load:
    return word(edges + number * _EDGE, offset)


@routine("shortest", returns=I32)
def _shortest(
    unit: Unit,
    nodes: int,
    f: Body,
    edges: Variable,
    count: Variable,
    starts: Variable,
    goals: Variable,
    distance: Variable,
) -> None:
    """(edges, count, starts, goals, room) -> the length of the shortest path, or that there is none

    Bellman-Ford relaxation. Unreached nodes have the distance -1, the largest unsigned number.
    """
    with f.each_number("node", 0, nodes) as node:
        f.set(_at(distance, node), -1)
    with f.each_listed("start", starts) as start:
        f.set(_at(distance, start), 0)
    nearer = f.let("nearer", 1)
    with f.while_(nearer):
        _pay(unit, f, count.to_long() * ROUND)
        f.set(nearer, 0)
        with f.each_number("number", 0, count) as number:
            one, other = (f.let("end", _edge(edges, number, 4 * side)) for side in (0, 1))
            here, there = (f.let("far", _at(distance, each)) for each in (one, other))
            worth = f.let("worth", _edge(edges, number, 8))
            with f.if_((here >= 0) & (here + worth).below(there)):
                f.set(_at(distance, other), here + worth)
                f.set(nearer, 1)
            with f.else_(), f.if_((there >= 0) & (there + worth).below(here)):
                f.set(_at(distance, one), there + worth)
                f.set(nearer, 1)
    best = f.let("best", -1)
    with f.each_listed("goal", goals) as goal:
        far = f.let("far", _at(distance, goal))
        f.set(best, select(far.below(best), far, best))
    f.return_(best)


@routine("longest", returns=I32)
def _longest(
    unit: Unit,
    nodes: int,
    apart: bool,
    f: Body,
    edges: Variable,
    count: Variable,
    starts: Variable,
    room: Variable,
) -> None:
    """(edges, count, starts, room) -> the length of the longest path

    Depth-first search with backtracking. A step is an edge taken from one of its ends: number 2 n
    from the first end of edge n, 2 n + 1 from the other one. The steps from a node are a linked
    list.
    """
    group, total, odd, head, passed, degree = (
        f.let(name, room + 4 * nodes * at)
        for at, name in enumerate(("group", "total", "odd", "head", "passed", "degree"))
    )
    following = f.let("following", room + 4 * nodes * _ROWS)
    way = f.let("way", following + (count << 3))
    taken = f.let("taken", way + (count << 2))
    f.clear(room, 4 * nodes * _ROWS)
    with f.each_number("node", 0, nodes) as node:
        f.set(_at(group, node), node)
        f.set(_at(head, node), -1)
    _chained(f, edges, f.let("left", count), head, degree, following)
    _grouped(unit, f, edges, count, group)
    with f.each_number("number", 0, count) as number:
        of = f.let("of", _at(group, _edge(edges, number)))
        f.add(_at(total, of), _edge(edges, number, 8))
    with f.each_number("node", 0, nodes) as node:
        of = f.let("of", _at(group, node))
        f.add(_at(odd, of), _at(degree, node))
    amount = f.let("amount", nodes)
    with f.if_(starts):
        f.set(amount, word(starts))
    best = f.let("best", 0)
    with f.each_number("at", 0, amount) as at:
        node = f.let("node", at)
        with f.if_(starts):
            f.set(node, word(starts + (at << 2), 4))
        of = f.let("of", _at(group, node))
        most = f.let("most", _at(total, of))
        with f.block() as skipped:
            f.leave(skipped, most <= best)
            if not apart:
                whole = (of == node) & (_at(odd, of) == 0)
                f.leave(skipped, (starts == 0) & not_(_at(degree, node) | whole))
            f.clear(taken, count << 2)
            f.clear(passed, 4 * nodes)
            f.set(_at(passed, node), 1)
            step, length = f.let("step", _at(head, node)), f.let("length", 0)
            depth = f.let("depth", 0)
            with f.loop() as trying:
                with f.if_(step < 0):
                    f.leave(trying, depth == 0)
                    f.set(_at(passed, node), 0)
                    f.add(depth, -1)
                    f.set(step, _at(way, depth))
                    back = f.let("back", step >> 1)
                    f.set(_at(taken, back), 0)
                    f.set(length, length - _edge(edges, back, 8))
                    f.set(node, word(edges + back * _EDGE + ((step & 1) << 2)))
                    f.set(step, _at(following, step))
                    f.again(trying)
                _pay(unit, f, TRY)
                number = f.let("number", step >> 1)
                there = f.let("there", word(edges + number * _EDGE + ((step & 1 ^ 1) << 2)))
                refused = _at(taken, number)
                with f.if_(refused | _at(passed, there) if apart else refused):
                    f.set(step, _at(following, step))
                    f.again(trying)
                f.set(_at(way, depth), step)
                f.add(depth, 1)
                f.set(_at(taken, number), 1)
                f.set(_at(passed, there), 1)
                f.set(node, there)
                f.add(length, _edge(edges, number, 8))
                f.set(step, _at(head, there))
                with f.if_(length > best):
                    f.set(best, length)
                    f.leave(trying, best == most)
    f.return_(best)


def _chained(
    f: Body, edges: Expr, left: Variable, head: Expr, degree: Expr, following: Expr
) -> None:
    """Links the steps from each node, the lowest first, and computes the parity of its degree."""
    with f.down_to_0(left):
        for side in (0, 1):
            node = f.let("node", _edge(edges, left, 4 * side))
            step = f.let("step", (left << 1) + side)
            f.set(_at(following, step), _at(head, node))
            f.set(_at(head, node), step)
            f.set(_at(degree, node), _at(degree, node) ^ 1)


def _grouped(unit: Unit, f: Body, edges: Expr, count: Variable, group: Expr) -> None:
    """Computes connected components: each is named by its lowest node."""
    changed = f.let("changed", 1)
    with f.while_(changed):
        _pay(unit, f, count.to_long() * ROUND)
        f.set(changed, 0)
        with f.each_number("number", 0, count) as number:
            one, other = (f.let("end", _edge(edges, number, 4 * side)) for side in (0, 1))
            here, there = (f.let("of", _at(group, each)) for each in (one, other))
            with f.if_(here != there):
                f.set(_at(group, one), lesser(here, there))
                f.set(_at(group, other), lesser(here, there))
                f.set(changed, 1)
