"""An equilibrium of a small game, by counterfactual regrets.

Again and again everyone plays by what he regrets: how much more each option would have brought him,
had he come to this choice for sure. Regrets that turn out wrong are forgotten at once, seats learn
in turn, and later rounds count more (CFR+). What everyone did on average comes, for two who play
against each other, as near to an equilibrium as one likes; with more it need not, but plays well.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lawspeaker.players.solving.tree import Reals, Tree


def learning(tree: Tree) -> Iterator[Reals]:
    """The average strategy after each round, without an end."""
    regrets = np.zeros(tree.slots)
    sums = np.zeros(tree.slots)
    # The nodes that a slot leads to, with the seat that decides there.
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
