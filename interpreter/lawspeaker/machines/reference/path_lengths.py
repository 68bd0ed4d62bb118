"""Shortest and longest paths over the connections of a network.

The compiled machine tries the same paths in the same order, at the same cost.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.ir.cost import ROUND, TRY
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import first_of
from lawspeaker.machines.reference.binders import candidates_of
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State

Connection = tuple[int, int, int]
"""An edge: two nodes, by their numbers from 0, and the weight."""
Pay = Callable[[int], None]


def path_length(ev: Evaluator, expr: ir.PathLength) -> Eval:
    """Compiles the length of a path."""
    network, slot = ev.program.networks[expr.network], expr.binder.slot
    candidates, where = candidates_of(ev, expr.binder)
    value, otherwise = ev.present(expr.value), ev.compile(expr.otherwise)
    start = None if expr.start is None else ev.compile(expr.start)
    goal = None if expr.goal is None else ev.compile(expr.goal)
    first, at = first_of(ev.layout, network.joins), first_of(ev.layout, expr.binder.type)
    nodes = len(ev.layout.domain(network.joins))
    beyond = ev.fault(messages.BEYOND, expr.span)
    too_long = ev.fault(messages.TOO_MANY_PATHS if expr.longest else messages.TOO_LONG, expr.span)

    def length(s: State, f: Slots) -> Value:
        starts = None if start is None else [each - first for each in start(s, f)]
        goals = None if goal is None else [each - first for each in goal(s, f)]
        found: list[Connection] = []
        for member in candidates(s, f):
            f[slot] = member
            if where is None or where(s, f):
                found.append((*network.ends[member - at], max(0, value(s, f))))
        if sum(worth for _, _, worth in found) > ir.LARGEST:
            raise beyond()

        def pay(cost: int) -> None:
            s.left -= cost
            if s.left < 0:
                raise too_long()

        if expr.longest:
            return Longest(found, nodes, expr.apart, pay).length(starts)
        assert starts is not None
        assert goals is not None
        shortest = _shortest(found, nodes, starts, goals, pay)
        return otherwise(s, f) if shortest is None else shortest

    return length


def _shortest(
    found: list[Connection], nodes: int, starts: list[int], goals: list[int], pay: Pay
) -> int | None:
    """Bellman-Ford: relaxes all edges until no distance changes."""
    far = ir.LARGEST + 1
    distance = [far] * nodes
    for each in starts:
        distance[each] = 0
    nearer = True
    while nearer:
        pay(ROUND * len(found))
        nearer = False
        for one, other, worth in found:
            if distance[one] + worth < distance[other]:
                distance[other] = distance[one] + worth
                nearer = True
            elif distance[other] + worth < distance[one]:
                distance[one] = distance[other] + worth
                nearer = True
    best = min((distance[each] for each in goals), default=far)
    return None if best == far else best


class Longest:
    """Longest path by exhaustive depth-first search with pruning.

    If nodes may repeat, a longest path uses all edges of its end, and of its start, or else it
    could be extended. So its start has an odd degree, unless it is an Euler circuit of a component,
    which can start anywhere. A component whose total weight does not exceed the best path so far is
    skipped.
    """

    def __init__(self, found: list[Connection], nodes: int, apart: bool, pay: Pay) -> None:
        self.found = found
        self.apart = apart
        self.pay = pay
        self.steps: list[list[int]] = [[] for _ in range(nodes)]
        self.group = list(range(nodes))
        for number, (one, other, _) in enumerate(found):
            self.steps[one].append(number)
            self.steps[other].append(number)
        self._grouped()
        self.worth, self.odd = [0] * nodes, [0] * nodes
        for one, _, worth in found:
            self.worth[self.group[one]] += worth
        for node, steps in enumerate(self.steps):
            self.odd[self.group[node]] += len(steps) % 2

    def _grouped(self) -> None:
        """Computes connected components: each is named by its lowest node."""
        changed = True
        while changed:
            self.pay(ROUND * len(self.found))
            changed = False
            for one, other, _ in self.found:
                lower = min(self.group[one], self.group[other])
                if self.group[one] != self.group[other]:
                    self.group[one] = self.group[other] = lower
                    changed = True

    def length(self, starts: list[int] | None) -> int:
        best = 0
        for node in range(len(self.group)) if starts is None else starts:
            if self.worth[self.group[node]] > best and (
                starts is not None or self.apart or self._can_begin(node)
            ):
                best = self._from(node, best)
        return best

    def _can_begin(self, node: int) -> bool:
        group = self.group[node]
        return len(self.steps[node]) % 2 == 1 or (group == node and not self.odd[group])

    def _from(self, start: int, best: int) -> int:
        """Returns the length of the longest path from a node, if it exceeds the best so far."""
        most = self.worth[self.group[start]]
        taken, passed = [False] * len(self.found), [False] * len(self.steps)
        passed[start] = True
        node, length, at = start, 0, 0
        way: list[tuple[int, int, int]] = []  # origin, edge, and its next edge
        while True:
            if at == len(self.steps[node]):
                if not way:
                    return best
                passed[node] = False
                node, number, at = way.pop()
                taken[number] = False
                length -= self.found[number][2]
                continue
            self.pay(TRY)
            number = self.steps[node][at]
            one, other, worth = self.found[number]
            there = other if node == one else one
            at += 1
            if taken[number] or (self.apart and passed[there]):
                continue
            way.append((node, number, at))
            taken[number] = passed[there] = True
            node, length, at = there, length + worth, 0
            if length > best:
                best = length
                if best == most:
                    return best
