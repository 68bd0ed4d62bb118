"""Counterfactual regret minimisation (CFR+) for small games.

Each seat in turn plays proportionally to its positive counterfactual regrets: the gain of each
option, had it reached the information set for sure. Negative regrets are reset, and later rounds
weigh more. The average strategy converges to an equilibrium in two-player zero-sum games; with
more players there is no guarantee, but it plays well.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lawspeaker.players.solving.tree import Reals, Tree


def learning(tree: Tree) -> Iterator[Reals]:
    """Yields the average strategy after each round, without end."""
    regrets = np.zeros(tree.slots)
    sums = np.zeros(tree.slots)
    # Nodes entered by a slot, with the seat that decides there.
    led = np.flatnonzero(tree.slot >= 0)
    parents, slots = tree.parent[led], tree.slot[led]
    deciding = tree.seat[parents]
    first_node = np.zeros(len(tree.choices), dtype=np.int64)
    nodes = np.flatnonzero(tree.choice >= 0)[::-1]
    first_node[tree.choice[nodes]] = nodes
    node_of_slot = np.repeat(first_node, tree.counts)
    rounds = 0
    while True:
        rounds += 1
        for seat in range(tree.players):
            strategy = tree.normal(regrets)
            reaches, expected = tree.reaches(strategy), tree.expected(strategy)
            mine = deciding == seat
            others = np.delete(reaches[parents[mine]], seat, axis=1).prod(axis=1)
            gained = expected[led[mine], seat] - expected[parents[mine], seat]
            np.add.at(regrets, slots[mine], others * gained)
            np.maximum(regrets, 0.0, out=regrets)
            own = tree.owners == seat
            sums[own] += rounds * (reaches[node_of_slot, seat] * strategy)[own]
        yield tree.normal(sums)
